from types import SimpleNamespace

import pytest

from mlapath.app.advice import print_effect
from mlapath.base.verdict import Verdict
from mlapath.findings.fires import Batch, Effect, Phase, PhaseFiring

NOWHERE = SimpleNamespace(regions=lambda _path, _line: set())


@pytest.mark.parametrize(
    ("in_steps", "said"),
    [
        (Verdict.NEVER, "only while the server starts (profile), in no step"),
        (
            Verdict.UNPROVEN,
            "while the server starts (profile); whether in steps, too, is not known",
        ),
        (Verdict.ALWAYS, "in steps: decode (always)"),
    ],
)
def test_a_print_that_shows_at_the_start(in_steps, said):
    phases = [
        PhaseFiring(Phase.PROFILE, None, Verdict.ALWAYS, ""),
        PhaseFiring(Phase.STEP, Batch.DECODE, in_steps, ""),
    ]
    effect = print_effect(NOWHERE, "a.py", 1, Verdict.ALWAYS, phases)
    assert (effect.effect, effect.because) == (Effect.PRINTS, said)
