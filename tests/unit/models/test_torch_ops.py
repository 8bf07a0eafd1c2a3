"""Operators of compiled extensions."""

from mlapath.values.truth import Truth
from support.torches import run_torch


def test_what_a_compiled_operator_gives_has_no_attributes_of_the_program():
    run = run_torch(
        """
    import torch
    r = list(torch.ops._C.some_kernel().__dict__.items())
    """,
        modules={"vllm._C": Truth.TRUE},
    )
    assert run.plain("r") == []
