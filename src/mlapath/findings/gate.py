"""What a gate found: differences and broken expectations, for ``check`` and ``diff``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mlapath.findings.model import EvidenceStep


class Severity(Enum):
    """How much a finding matters; the order is from the gravest to the mildest."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Rule:
    """A kind of finding.

    ``id``: stable and never reused, such as ``MLA101``. ``name``: kebab-case, unique.
    ``summary``: one sentence on what it reports. ``help``: what a user can do about it.
    """

    id: str
    name: str
    summary: str
    severity: Severity
    help: str


@dataclass(frozen=True)
class Finding:
    """One finding.

    ``at``: ``path:line`` in the new tree, relative to its root; None where it has no place.
    ``before``, ``after``: the values that differ, as printed; None where there is none.
    ``subject``: what it is about (a setting, a target, a variable), stable across trees: together
    with rule and scenario it identifies the finding. ``evidence``: the chain that leads to
    ``after``. ``cause``: the first step at which both trees part, in one sentence.
    """

    rule: Rule
    severity: Severity
    scenario: str
    subject: str
    message: str
    at: str | None = None
    before: str | None = None
    after: str | None = None
    cause: str | None = None
    evidence: tuple[EvidenceStep, ...] = ()


@dataclass(frozen=True)
class Checked:
    """A scenario that was checked; ``error``: why it could not be, None where it was."""

    scenario: str
    findings: tuple[Finding, ...] = ()
    error: str | None = None


@dataclass(frozen=True)
class GateResult:
    """What a whole check found.

    ``tree``: the version or folder that was checked. ``project``: the file that has the
    scenarios, relative to the checkout and with forward slashes; what has no place in the tree
    is shown there.
    """

    tree: str
    scenarios: tuple[Checked, ...] = ()
    project: str = "mlapath.toml"
