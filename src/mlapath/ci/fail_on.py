"""``--fail-on``: which findings make a check fail."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mlapath.base.errors import UsageError
from mlapath.base.nearest import did_you_mean
from mlapath.ci.rules import RULES
from mlapath.findings.gate import Finding, GateResult, Severity

NEVER = "never"
DEFAULT = (Severity.ERROR.value,)
_ORDER = tuple(Severity)


@dataclass(frozen=True)
class FailOn:
    """``severity``: that and what is graver fails, None for none; ``rules``: ids that fail too."""

    severity: Severity | None = Severity.ERROR
    rules: frozenset[str] = frozenset()

    def fails(self, finding: Finding) -> bool:
        """Whether this finding makes the check fail."""
        if finding.rule.id in self.rules:
            return True
        if self.severity is None:
            return False
        return _ORDER.index(finding.severity) <= _ORDER.index(self.severity)

    def failing(self, result: GateResult) -> tuple[Finding, ...]:
        """The findings of a result that make it fail."""
        return tuple(f for checked in result.scenarios for f in checked.findings if self.fails(f))


def parse_fail_on(words: Iterable[str]) -> FailOn:
    """Read severities, rule ids and names, each also as a list with commas; the mildest counts.

    Raises:
        UsageError: a word that is none of these.
    """
    severities: list[Severity] = []
    chosen: set[str] = set()
    names = {rule.name: rule.id for rule in RULES.values()}
    every = [word.strip() for text in words for word in text.split(",") if word.strip()]
    for word in every:
        if word in {severity.value for severity in Severity}:
            severities.append(Severity(word))
        elif word.upper() in RULES:
            chosen.add(word.upper())
        elif word in names:
            chosen.add(names[word])
        elif word != NEVER:
            known = [*(severity.value for severity in Severity), NEVER, *names, *RULES]
            raise UsageError(
                f"--fail-on {word!r}: expected a severity, a rule or never"
                f"{did_you_mean(word, known)}"
            )
    worst = max(severities, key=_ORDER.index) if severities else None
    return FailOn(worst, frozenset(chosen))
