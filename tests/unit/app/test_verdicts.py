"""Verdicts of layers whose step was never evaluated."""

from mlapath.app.evaluate import Stop
from mlapath.app.verdicts import stopped_before
from mlapath.base.verdict import Verdict
from mlapath.engine.control import PyRaise
from mlapath.values.value import Unknown, V


def test_a_limit_of_ours_proves_nothing():
    found = stopped_before("forward_mha", Stop("load", None, "out of budget"))
    assert found.verdict is Verdict.UNPROVEN
    assert found.blockers == ("out of budget",)


def test_a_refusal_of_the_program_is_never():
    raised = PyRaise(V(Unknown("an exception")), "vllm/a.py", None)
    found = stopped_before("forward_mha", Stop("load", raised))
    assert found.verdict is Verdict.NEVER
    assert "load" in found.because
