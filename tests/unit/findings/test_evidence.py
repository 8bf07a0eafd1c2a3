"""Evidence steps out of chains of origins."""

from types import SimpleNamespace

from mlapath.findings.evidence import steps
from mlapath.values.origin import Origin

PROGRAM = SimpleNamespace(text=lambda path, pos: "x = f()")


def test_an_empty_chain_has_no_steps():
    assert steps((), PROGRAM) == ()


def test_a_chain_of_drivers_only_has_no_steps():
    assert steps((Origin("assign", "<drivers>/a.pysrc", (1, 0, 1, 5)),), PROGRAM) == ()


def test_a_call_gives_way_to_what_it_is_assigned_to():
    call = Origin("call", "vllm/a.py", (3, 4, 3, 7))
    assign = Origin("assign", "vllm/a.py", (3, 0, 3, 7), (call,), value=1)
    (step,) = steps((call, assign), SimpleNamespace(text=lambda path, pos: str(pos)))
    assert step.kind.value == "assign"
    (alone,) = steps((call,), PROGRAM)
    assert alone.kind.value == "call"
