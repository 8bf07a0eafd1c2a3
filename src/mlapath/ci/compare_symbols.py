"""What differs between the functions on the path of two snapshots."""

from __future__ import annotations

from collections.abc import Iterator

from mlapath.ci import rules
from mlapath.ci.snapshot import Snapshot
from mlapath.findings.gate import Finding, Rule, Severity


def symbol_findings(scenario: str, old: Snapshot, new: Snapshot) -> Iterator[Finding]:
    """Functions that moved, take other parameters, left the path or joined it.

    Further parameters that may be left out are worth a note only.
    A target's own function that is another one is a move even where its class is another.
    """
    before, after = old.functions, new.functions
    targets = {a: b for a, b in _target_functions(old, new) if a != b}
    moves = {a: b for a, b in targets.items() if a in before and b in after}
    moved_to = set(moves.values())
    for name in before:
        if name in after or name in moves:
            continue
        tail = _tail(name)
        to = [n for n in after if n not in before and n not in moved_to and _tail(n) == tail]
        if len(to) == 1:
            moves[name] = to[0]
            moved_to.add(to[0])
    for a, b in {**targets, **moves}.items():
        yield _finding(rules.MOVED, scenario, a, _moved(a, b), a, b)
    for name, signature in before.items():
        now = moves.get(name, name)
        if now in after and after[now] != signature:
            lost, gained = _parameters(signature, after[now])
            said = [f"no longer {p}" for p in lost] + [f"now {p}" for p in gained]
            yield _finding(
                rules.SIGNATURE, scenario, now,
                f"{_tail(now)} takes other parameters: {', '.join(said) or 'in another order'}",
                ", ".join(lost) or None, ", ".join(gained) or None,
                Severity.NOTE if gained and not lost and all(map(_optional, gained)) else None,
            )  # fmt: skip
    for name in before:
        if name not in after and name not in moves:
            yield _finding(
                rules.LEFT, scenario, name, f"{name} no longer belongs to the path", name, None
            )
    for name in after:
        if name not in before and name not in moved_to:
            yield _finding(
                rules.JOINED, scenario, name, f"{name} belongs to the path now", None, name
            )


def _target_functions(old: Snapshot, new: Snapshot) -> Iterator[tuple[str, str]]:
    """The functions that a target stands for on both sides, for groups at the same place."""
    for a, b in zip(old.groups, new.groups, strict=False):
        for name, target in a.targets.items():
            other = b.targets.get(name)
            if target.function and other is not None and other.function:
                yield target.function, other.function


def _parameters(before: str, after: str) -> tuple[list[str], list[str]]:
    """The parameters that only one of two signatures has, ``(self, x, *, y=(1, 2))``."""
    old, new = _split(before), _split(after)
    return [p for p in old if p not in new], [p for p in new if p not in old]


def _optional(parameter: str) -> bool:
    """Whether callers may leave it out."""
    return "=" in parameter or parameter.startswith("*")


def _split(signature: str) -> list[str]:
    parts = [""]
    depth = 0
    for char in signature[1:-1]:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def _tail(name: str) -> str:
    return ".".join(name.split(".")[-2:])


def _moved(before: str, after: str) -> str:
    """Say where a function went, by the parts that differ and the one before them.

    Of a method that another class has now: which class; the module only where that differs.
    """
    a, b = before.split("."), after.split(".")
    name = a[-1] if a[-1] == b[-1] else f"{a[-1]} (now {b[-1]})"
    same = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    start = max(min(same, len(a) - 2, len(b) - 2) - 1, 0)
    was, now = ".".join(a[start:-1]), ".".join(b[start:-1])
    return f"{name} moved from {was} to {now}" if was != now else f"{a[-1]} is {b[-1]} now"


def _finding(
    rule: Rule, scenario: str, subject: str, message: str, before: str | None, after: str | None,
    severity: Severity | None = None,
) -> Finding:  # fmt: skip
    return Finding(
        rule, severity or rule.severity, scenario, subject, message, None, before, after
    )
