"""Two snapshots of one scenario: what differs, as findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from mlapath.ci import rules
from mlapath.ci.causes import settle
from mlapath.ci.chains import Has, Row, Weight, align, first_cause, is_edit, unknown
from mlapath.ci.compare_groups import Pair, group_findings, pair_groups
from mlapath.ci.compare_symbols import symbol_findings
from mlapath.ci.make import shown
from mlapath.ci.snapshot import Fact, RefusalSnapshot, Snapshot, Step
from mlapath.findings.gate import Finding, Rule
from mlapath.findings.model import EvidenceStep, Report


@dataclass(frozen=True)
class Sides:
    """What is compared: two answers, the report of the new one for places and evidence.

    ``old_has`` and ``new_has``: how often a tree has the text of a step, where that can be told;
    it tells an edit from what follows from it.
    """

    scenario: str
    old: Snapshot
    new: Snapshot
    report: Report | None = None
    old_has: Has = unknown
    new_has: Has = unknown

    def rows(self, pair: Pair, target: str | Fact) -> tuple[Row, ...]:
        """The chains of a target, or of a fact, in a pair of groups, side by side.

        An older baseline has no chain of the fact; then there are no rows.
        """
        if isinstance(target, Fact):
            chains = target.chain(pair.old), target.chain(pair.new)
            return align(*chains, self.old_has, self.new_has) if all(chains) else ()
        before = chain_or_refusal(pair.old.targets[target].chain, self.old.refusal)
        after = chain_or_refusal(pair.new.targets[target].chain, self.new.refusal)
        return align(before, after, self.old_has, self.new_has)

    def refused(self) -> tuple[Row, ...]:
        """The old chain that goes along with the new refusal the longest, beside it."""
        assert self.new.refusal is not None
        found = [
            align(target.chain, self.new.refusal.chain, self.old_has, self.new_has)
            for group in self.old.groups for target in group.targets.values()
        ]  # fmt: skip
        return max(found, key=_alike, default=())


def chain_or_refusal(chain: tuple[Step, ...], refusal: RefusalSnapshot | None) -> tuple[Step, ...]:
    """A target's chain; where there is none because vLLM refuses, why it does."""
    return chain if chain or refusal is None else refusal.chain


def _alike(rows: tuple[Row, ...]) -> int:
    return sum(row.weight is Weight.SAME for row in rows)


@dataclass
class _Made:
    """Findings with the row that explains each, until causes are settled."""

    scenario: str
    found: list[tuple[Finding, Row | None]] = field(default_factory=list)

    def add(
        self, rule: Rule, subject: str, message: str, *, before: str | None = None,
        after: str | None = None, at: str | None = None, row: Row | None = None,
        cause: str | None = None, evidence: tuple[EvidenceStep, ...] = (),
    ) -> None:  # fmt: skip
        finding = Finding(
            rule,
            rule.severity,
            self.scenario,
            subject,
            message,
            at,
            before,
            after,
            cause,
            evidence,
        )
        self.found.append((finding, row))


def compare(sides: Sides) -> tuple[Finding, ...]:
    """Every difference, the gravest rules' first within each kind; nothing where all is the same.

    A finding whose own chain shows no edit of the code takes the cause of one that does, or of
    the choice of another backend: it follows from it.
    """
    made = _Made(sides.scenario)
    old, new = sides.old, sides.new
    _outcome(sides, made)
    said = list(_differing(old.settings, new.settings))
    for name, before, after in said:
        made.add(rules.SETTING, name, f"{name}: {shown(before)} -> {shown(after)}",
                 before=shown(before), after=shown(after),
                 cause=_why_set(sides.report, name))  # fmt: skip
    for name, before, after in _differing(old.adjusted, new.adjusted):
        text = f"vLLM changes {name} ({after})" if after else f"vLLM no longer changes {name}"
        made.add(
            rules.ADJUSTED, name, text, at=_set_at(sides.report, name),
            before=None if before is None else str(before),
            after=None if after is None else str(after), cause=_why_set(sides.report, name),
        )  # fmt: skip
    pairs = pair_groups(old.groups, new.groups)
    if not old.groups or not new.groups:  # refused before there were any: that says it all
        pairs = replace(pairs, gone=(), new=())
    for finding, row in group_findings(sides.scenario, pairs, sides.rows, sides.report, said):
        made.found.append((finding, row))
    _late(sides, made)
    for finding in symbol_findings(sides.scenario, old, new):
        made.found.append((finding, None))
    _inputs(sides, made)
    for name, was, now in companions_changed(old.companions, new.companions):
        made.add(rules.COMPANION, name, f"{name}: {was} -> {now}", before=was, after=now)
    order = list(rules.RULES)
    settled = _distinct(settle(made.found))
    return tuple(sorted(settled, key=lambda finding: order.index(finding.rule.id)))


def companions_changed(
    old: Mapping[str, str | None], new: Mapping[str, str | None]
) -> Iterator[tuple[str, str, str]]:
    """Packages of which both sides read a release that is known, and not the same one."""
    for name, was in old.items():
        now = new.get(name)
        if was is not None and now is not None and was != now:
            yield name, was, now


def _distinct(found: list[Finding]) -> list[Finding]:
    """Number the subjects that one rule has several findings about."""
    seen: dict[tuple[str, str], int] = {}
    result: list[Finding] = []
    for finding in dict.fromkeys(found):
        key = (finding.rule.id, finding.subject)
        seen[key] = seen.get(key, 0) + 1
        subject = finding.subject if seen[key] == 1 else f"{finding.subject} #{seen[key]}"
        result.append(replace(finding, subject=subject))
    return result


def _outcome(sides: Sides, made: _Made) -> None:
    old, new, report = sides.old, sides.new, sides.report
    refusal = None if report is None else report.refusal
    at = None if refusal is None else refusal.at
    evidence = () if refusal is None else refusal.evidence
    if old.outcome != new.outcome:
        rule = rules.UNPROVEN if new.outcome == "unproven" else rules.OUTCOME
        message = f"vLLM {_says(new)}; before, it {_says(old)}"
        cause = _refused_because(new.refusal) if new.refusal else None
        beside = sides.refused() if new.refusal and not old.refusal else ()
        row = first_cause(beside) if _alike(beside) else None
        if old.refusal and not new.refusal:
            cause = f"no longer: {_refused_because(old.refusal)}"
        made.add(rule, "outcome", message, before=old.outcome, after=new.outcome, at=at,
                 row=row if is_edit(row) else None, cause=cause, evidence=evidence)  # fmt: skip
    elif old.refusal and new.refusal and _named(old.refusal) != _named(new.refusal):
        row = first_cause(
            align(old.refusal.chain, new.refusal.chain, sides.old_has, sides.new_has)
        )
        made.add(rules.REFUSAL, "refusal", "vLLM refuses for another reason",
                 before=_named(old.refusal), after=_named(new.refusal), at=at, row=row,
                 evidence=evidence)  # fmt: skip
    elif old.refusal and new.refusal:
        row = first_cause(
            align(old.refusal.chain, new.refusal.chain, sides.old_has, sides.new_has)
        )
        if row is not None:
            made.add(rules.CHAIN, "refusal", "the refusal rests on other steps", at=at, row=row,
                     evidence=evidence)  # fmt: skip


def _says(snapshot: Snapshot) -> str:
    if snapshot.refusal is not None:
        return f"refuses ({snapshot.refusal.exception})"
    return {"runs": "runs", "refuses": "refuses"}.get(snapshot.outcome, "is not proved to run")


def _named(refusal: RefusalSnapshot) -> str:
    return f"{refusal.exception}: {refusal.message}" if refusal.message else refusal.exception


def _refused_because(refusal: RefusalSnapshot | None) -> str:
    if refusal is None:
        return ""
    guards = [step for step in refusal.chain if step.kind == "guard"]
    return f"{_named(refusal)} because {guards[-1]}" if guards else _named(refusal)


def _late(sides: Sides, made: _Made) -> None:
    old = {_late_key(refusal): refusal for refusal in sides.old.late_refusals}
    new = {_late_key(refusal): refusal for refusal in sides.new.late_refusals}
    places = {} if sides.report is None else {
        _late_key(taken): refusal.at
        for taken, refusal in zip(
            sides.new.late_refusals, sides.report.conditional_refusals, strict=True
        )
    }  # fmt: skip
    moved = _other_conditions(old, new)
    for was, now in moved.items():
        refusal = new[now]
        message = f"may fail later under another condition: {_named(refusal)}"
        made.add(rules.LATE, _named(refusal), message, before=old[was].condition,
                 after=refusal.condition, at=places.get(now))  # fmt: skip
    for key in [*new, *(key for key in old if key not in new)]:
        if (key in old and key in new) or key in moved or key in moved.values():
            continue
        message = f"may fail later: {key}" if key in new else f"can no longer fail: {key}"
        made.add(rules.LATE, key, message, before=None if key in new else key,
                 after=key if key in new else None, at=places.get(key))  # fmt: skip


def _other_conditions(
    old: Mapping[str, RefusalSnapshot], new: Mapping[str, RefusalSnapshot]
) -> dict[str, str]:
    """Keys of what may fail on both sides alike but for its condition, each side's only one."""
    gone = [key for key in old if key not in new]
    come = [key for key in new if key not in old]
    found: dict[str, str] = {}
    for key in gone:
        same = [k for k in come if _named(new[k]) == _named(old[key])]
        if len(same) == 1 and sum(_named(old[k]) == _named(old[key]) for k in gone) == 1:
            found[key] = same[0]
    return found


def _late_key(refusal: RefusalSnapshot) -> str:
    condition = f" if {refusal.condition}" if refusal.condition else ""
    return _named(refusal) + condition


def _inputs(sides: Sides, made: _Made) -> None:
    for name in sides.new.unread:
        if name not in sides.old.unread:
            made.add(rules.UNREAD, name, f"{name} is given, and this vLLM never reads it",
                     after=name)  # fmt: skip
    for name in sides.new.inputs:
        if name not in sides.old.inputs:
            made.add(rules.INPUT_NEW, name, f"the path depends on {name}", after=name)
    for name in sides.old.inputs:
        if name not in sides.new.inputs:
            made.add(rules.INPUT_GONE, name, f"the path no longer depends on {name}", before=name)


def _why_set(report: Report | None, name: str) -> str | None:
    for change in () if report is None else report.settings.changes:
        if change.setting == name:
            return f"vLLM sets it because {change.because}"
    return None


def _set_at(report: Report | None, name: str) -> str | None:
    for change in () if report is None else report.settings.changes:
        if change.setting == name:
            return change.at
    return None


def _differing(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[
    tuple[str, object, object]
]:  # fmt: skip
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) != new.get(name):
            yield name, old.get(name), new.get(name)
