from mlapath.findings.model import EvidenceKind, EvidenceStep
from mlapath.findings.wording import STEP_WORDS, step_text


def test_a_value_is_not_said_twice():
    def text(source, value):
        return step_text(EvidenceStep(None, source, value, EvidenceKind.ASSIGN))

    assert text("x = 0", "0") == "x = 0"
    assert text("x = y", "0") == "x = y → 0"
    assert text("x()", None) == "x()"


def test_every_kind_of_step_has_a_word():
    assert set(STEP_WORDS) == set(EvidenceKind)
