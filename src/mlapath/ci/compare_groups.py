"""What differs between the attention layers of two snapshots."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mlapath.ci import rules
from mlapath.ci.candidates import candidate_cause
from mlapath.ci.chains import Row, Weight, first_cause, last_written, sentence
from mlapath.ci.compare_kinds import kind_findings
from mlapath.ci.layers import compact, expand, role
from mlapath.ci.make import shown
from mlapath.ci.snapshot import Fact, GroupSnapshot, TargetSnapshot
from mlapath.findings.gate import Finding, Rule, Severity
from mlapath.findings.model import AttentionGroup, Report, TargetVerdict

Rows = Callable[["Pair", "str | Fact"], "tuple[Row, ...]"]
"""The chains of a target, or of a fact, in a pair of groups, side by side."""
Found = Iterator["tuple[Finding, Row | None]"]
ROLES = {
    "layer_class": "layer class", "backend_class": "backend class",
    "impl_class": "implementation", "metadata_builder": "metadata builder",
    "model_class": "model class",
}  # fmt: skip
BY_BACKEND = frozenset({"backend_class", "impl_class", "metadata_builder"})
"""Classes that another backend brings along."""


@dataclass(frozen=True)
class Pair:
    """A group and what it was before. ``index``: of the new one among all."""

    old: GroupSnapshot
    new: GroupSnapshot
    index: int

    @property
    def subject(self) -> str:
        """The layers that it is about, whatever their numbers."""
        return role(self.new.layers)


@dataclass(frozen=True)
class Pairs:
    """Groups matched by the layers that they share, and those that have no match."""

    pairs: tuple[Pair, ...] = ()
    gone: tuple[GroupSnapshot, ...] = ()
    new: tuple[GroupSnapshot, ...] = ()


def pair_groups(old: Sequence[GroupSnapshot], new: Sequence[GroupSnapshot]) -> Pairs:
    """Match by layer names; what is left by kind, in order, as where layers were renamed."""
    names = [frozenset(expand(group.layers)) for group in old]
    pairs: list[Pair] = []
    left_new: list[tuple[int, GroupSnapshot]] = []
    used: set[int] = set()
    for index, group in enumerate(new):
        own = frozenset(expand(group.layers))
        best = max(range(len(old)), key=lambda i: len(names[i] & own), default=None)
        if best is None or not names[best] & own:
            left_new.append((index, group))
            continue
        used.add(best)
        pairs.append(Pair(old[best], group, index))
    left_old = [group for i, group in enumerate(old) if i not in used]
    unmatched: list[GroupSnapshot] = []
    for index, group in left_new:
        alike = next((o for o in left_old if (o.mla, o.draft) == (group.mla, group.draft)), None)
        if alike is None:
            unmatched.append(group)
        else:
            left_old.remove(alike)
            pairs.append(Pair(alike, group, index))
    pairs.sort(key=lambda pair: pair.index)
    return Pairs(tuple(pairs), tuple(left_old), tuple(unmatched))


def group_findings(
    scenario: str, matched: Pairs, rows: Rows, report: Report | None,
    said: Container[tuple[str, object, object]] = (),
) -> Found:  # fmt: skip
    """Every difference between matched groups, and the groups without a match.

    ``said``: facts (name, before, after) that are settings of the whole deployment, too.
    """
    reported: dict[tuple[str, str], None] = {}
    for pair in matched.pairs:
        group = None if report is None else report.attention[pair.index]
        yield from _pair(scenario, pair, rows, group, reported, said)
    yield from _counts(scenario, matched.pairs)
    for group_new in matched.new:
        yield _finding(
            rules.LAYERS, scenario, role(group_new.layers), "layers that were not there before",
            after=", ".join(group_new.layers),
        ), None  # fmt: skip
    for gone in matched.gone:
        yield _finding(
            rules.LAYERS, scenario, role(gone.layers), "layers that are no longer there",
            before=", ".join(gone.layers),
        ), None  # fmt: skip


def _pair(
    scenario: str, pair: Pair, rows: Rows, group: AttentionGroup | None,
    reported: dict[tuple[str, str], None], said: Container[tuple[str, object, object]],
) -> Found:  # fmt: skip
    old, new, subject = pair.old, pair.new, pair.subject
    if old.mla != new.mla:
        for found in kind_findings(scenario, subject, old, new, said):
            yield found, None
        return
    main = _main_row(pair, rows)
    if role(old.layers) != subject:
        yield _finding(
            rules.LAYERS, scenario, subject, "layers go by other names",
            before=", ".join(old.layers), after=", ".join(new.layers),
        ), None  # fmt: skip
    for rule, what, a, b, seen_a, seen_b in (
        (rules.BACKEND, "backend", old.backend, new.backend, old.candidates, new.candidates),
        (rules.PREFILL, "prefill backend", old.prefill_backend, new.prefill_backend,
         old.prefill_candidates, new.prefill_candidates),
    ):  # fmt: skip
        chosen = a is None or seen_a or rule is rules.BACKEND  # not a method that stands for one
        cause = candidate_cause(seen_a, seen_b) if chosen else None
        if a != b:
            written = None if rule is rules.BACKEND else _fact_cause(pair, rows, Fact.PREFILL)
            yield _finding(
                rule, scenario, subject, f"{what}: {shown(a)} -> {shown(b)}", before=shown(a),
                after=shown(b), cause=cause or written,
            ), main if cause is None and rule is rules.BACKEND else None  # fmt: skip
        if cause is not None:
            yield _finding(
                rules.CANDIDATES, scenario, f"{subject} ({what})", f"{what}: {cause}",
                before="; ".join(seen_a), after="; ".join(seen_b), cause=cause,
            ), None  # fmt: skip
    yield from _facts(scenario, pair, said, rows)
    yield from _classes(scenario, pair, reported)
    told = {name for name in new.facts if old.facts.get(name) != new.facts[name]}
    verdicts = {} if group is None else {target.target: target for target in group.targets}
    for name, target in new.targets.items():
        if name in old.targets:
            aligned = rows(pair, name)
            yield from _target(
                scenario, f"{name} ({subject})", old.targets[name], target, aligned,
                verdicts.get(name), told,
            )  # fmt: skip


def _counts(scenario: str, pairs: Sequence[Pair]) -> Found:
    """Layers of a kind that both have, of which one has others."""
    before: dict[str, set[str]] = {}
    after: dict[str, set[str]] = {}
    for pair in pairs:
        before.setdefault(role(pair.old.layers), set()).update(expand(pair.old.layers))
        after.setdefault(pair.subject, set()).update(expand(pair.new.layers))
    for name, layers in after.items():
        if before.get(name, layers) != layers:
            was, now = _few(before[name]), _few(layers)
            yield _finding(
                rules.LAYERS, scenario, name, "there are other layers of this kind",
                before=was, after=now,
            ), None  # fmt: skip


def _few(layers: set[str]) -> str:
    return ", ".join(compact(sorted(layers, key=_by_number)))


def _by_number(name: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(p) if p.isdecimal() else -1, p) for p in name.split("."))


def _main_row(pair: Pair, rows: Rows) -> Row | None:
    """What explains the group's facts best: the first edit on the chain of any of its targets."""
    found = [
        row for name in pair.new.targets if name in pair.old.targets
        for row in [first_cause(rows(pair, name))] if row is not None
    ]  # fmt: skip
    return next((row for row in found if row.edited), found[0] if found else None)


def _facts(
    scenario: str, pair: Pair, said: Container[tuple[str, object, object]], rows: Rows
) -> Found:
    old, new = pair.old.facts, pair.new.facts
    for name in dict.fromkeys((*old, *new)):
        a, b = old.get(name), new.get(name)
        if a != b and (name, a, b) not in said:
            threshold = name == "reorder_batch_threshold"
            yield _finding(
                rules.THRESHOLD if threshold else rules.SETTING, scenario,
                f"{name} ({pair.subject})", f"{name}: {shown(a)} -> {shown(b)}",
                before=shown(a), after=shown(b),
                cause=_fact_cause(pair, rows, Fact.THRESHOLD if threshold else None),
            ), None  # fmt: skip


def _fact_cause(pair: Pair, rows: Rows, fact: Fact | None) -> str | None:
    """Where a fact is written otherwise; the other backend, where that brings it along."""
    if pair.old.backend != pair.new.backend:
        return candidate_cause(pair.old.candidates, pair.new.candidates)
    row = None if fact is None else last_written(rows(pair, fact))
    return None if row is None else sentence(row)


def _classes(scenario: str, pair: Pair, reported: dict[tuple[str, str], None]) -> Found:
    old, new = pair.old.classes, pair.new.classes
    for name in dict.fromkeys((*old, *new)):
        a, b = old.get(name), new.get(name)
        if a == b or a is None or b is None:
            continue
        subject = ROLES[name] if name == "model_class" else f"{ROLES[name]} ({pair.subject})"
        if (subject, b) in reported:
            continue
        reported[subject, b] = None
        follows = name in BY_BACKEND and pair.old.backend != pair.new.backend
        cause = candidate_cause(pair.old.candidates, pair.new.candidates) if follows else None
        moved = a.rpartition(".")[2] == b.rpartition(".")[2]
        message = (
            f"{ROLES[name]} {a.rpartition('.')[2]} moved from {a.rpartition('.')[0]} to "
            f"{b.rpartition('.')[0]}"
            if moved
            else f"{ROLES[name]}: {a} -> {b}"
        )
        yield _finding(
            rules.CLASS, scenario, subject, message, before=a, after=b, cause=cause
        ), None  # fmt: skip


def _target(
    scenario: str, subject: str, old: TargetSnapshot, new: TargetSnapshot,
    rows: Sequence[Row], verdict: TargetVerdict | None, told: Container[str],
) -> Found:  # fmt: skip
    row = first_cause(rows)
    at, evidence = _place(verdict), () if verdict is None else verdict.evidence
    name = subject.partition(" ")[0]
    said = False
    if old.verdict != new.verdict:
        said = True
        rule = rules.UNPROVEN if new.verdict == "unproven" else rules.VERDICT
        when = f" ({new.meaning})" if new.meaning else ""
        yield _finding(
            rule, scenario, subject, f"{name}: {old.verdict} -> {new.verdict}{when}",
            before=old.verdict, after=new.verdict, at=at, evidence=evidence,
        ), row  # fmt: skip
    elif old.condition != new.condition:
        said = True
        yield _finding(
            rules.CONDITION, scenario, subject, f"{name} runs under another condition",
            before=old.condition, after=new.condition, at=at, evidence=evidence,
        ), row  # fmt: skip
    for number, a, b in _numbers(old.numbers, new.numbers):
        said = True
        if number in told:  # by a finding about the layers
            continue
        yield _finding(
            rules.THRESHOLD, scenario, f"{number} of {subject}",
            f"{name}, {number}: {shown(a)} -> {shown(b)}", before=shown(a), after=shown(b), at=at,
            evidence=evidence,
        ), row  # fmt: skip
    if row is not None and not said:
        reworded = row.weight is Weight.REWORDED
        yield _finding(
            rules.CHAIN, scenario, subject,
            f"{name} is {new.verdict} as before, "
            + ("by code that is worded otherwise" if reworded else "for another reason"),
            at=at, evidence=evidence,
        ), row  # fmt: skip


def _numbers(
    old: Mapping[str, object], new: Mapping[str, object]
) -> Iterator[tuple[str, object, object]]:
    """Numbers that both have and that differ: one that is new is part of a new condition."""
    for name in old:
        if name in new and old[name] != new[name]:
            yield name, old[name], new[name]


def _place(verdict: TargetVerdict | None) -> str | None:
    """Where the reader should look: the last step of the evidence that is in the tree."""
    for step in reversed(() if verdict is None else verdict.evidence):
        if step.at is not None:
            return step.at
    return None if verdict is None else verdict.defined_at


def _finding(
    rule: Rule, scenario: str, subject: str, message: str, *, before: str | None = None,
    after: str | None = None, at: str | None = None, cause: str | None = None,
    evidence: tuple = (), severity: Severity | None = None,  # type: ignore[type-arg]
) -> Finding:  # fmt: skip
    return Finding(
        rule, severity or rule.severity, scenario, subject, message, at, before, after, cause,
        evidence,
    )  # fmt: skip
