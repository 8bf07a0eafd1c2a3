"""Operators of compiled extensions."""

from mlapath.scenario.devices import parse_device
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


HAS = """
names = torch.ops._C
own, other = hasattr(names, "cpu_attention"), hasattr(names, "some_kernel")
"""


def test_operators_that_only_the_build_for_cpus_has():
    run = run_torch(HAS, modules={"vllm._C": Truth.TRUE})
    assert (run.plain("own"), run.plain("other")) == (False, True)


def test_which_other_operators_the_build_for_cpus_has_is_not_known():
    run = run_torch(HAS, modules={"vllm._C": Truth.TRUE}, device=parse_device("cpu"))
    assert run.plain("own") is True
    assert run.unknown("other").hint == "bool"
