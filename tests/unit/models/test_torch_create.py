import pytest

from support.torches import run_torch


@pytest.mark.parametrize("size", ["2, None", "(2, None)", "None", '"2"', "[2, 1.5]"])
def test_a_size_must_be_a_number(size):
    run = run_torch(
        f"""
        raised = False
        try:
            torch.empty({size}, dtype=torch.int32)
        except TypeError:
            raised = True
        """
    )
    assert run.plain("raised") is True


@pytest.mark.parametrize("size", ["2, 3", "(2, 3)", "[2, u]", "u", "()", "torch.Size([2])"])
def test_numbers_and_what_is_not_known_pass(size):
    run = run_torch(
        f"""
        raised = False
        try:
            torch.zeros({size})
        except TypeError:
            raised = True
        """
    )
    assert run.plain("raised") is False
