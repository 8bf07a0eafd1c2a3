"""Two evidence chains side by side, and the first step at which they part."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from enum import IntEnum
from typing import NamedTuple

from mlapath.ci.snapshot import Step

GIVEN = frozenset({"config", "flag", "env", "device", "package", "default"})


_COPY = re.compile(r"[^=!<>]= ?[A-Za-z_][\w.]*$")
_COMMON = frozenset({"True", "False", "None", "0", "1"})
"""Values that two steps may well have by chance."""


_CLOSE = 0.5


class Weight(IntEnum):
    """How much a row says about why the ends differ."""

    SAME = 0
    REWORDED = 1
    """Other text, and the same in the end: it hands on what was handed on before."""
    DIFFERENT = 2


class Row(NamedTuple):
    """A step of each chain that belong together; None where one chain has no such step.

    ``old`` and ``new``: their positions. ``edited``: whether the code itself differs, and not only
    what comes to it; None where that cannot be told.
    """

    before: Step | None
    after: Step | None
    old: int | None
    new: int | None
    weight: Weight
    edited: bool | None = None


Has = Callable[[Step], "int | None"]
"""How often a tree has the text of a step; None: not known."""


def unknown(_step: Step) -> int | None:
    """Know of no tree's text."""
    return None


def align(
    before: Sequence[Step], after: Sequence[Step], old_has: Has = unknown, new_has: Has = unknown
) -> tuple[Row, ...]:
    """Pair the steps of two chains.

    Args:
        before: the old chain, root first.
        after: the new one.
        old_has: how often the old tree has the text of a step.
        new_has: how often the new tree has it.
    """
    rows: list[Row] = []
    for i, j in _pairs(before, after, 0, 0):
        a = None if i is None else before[i]
        b = None if j is None else after[j]
        rows.append(Row(a, b, i, j, _weight(a, b, rows), _edited(a, b, old_has, new_has)))
    return tuple(_settled(rows))


def first_cause(rows: Sequence[Row]) -> Row | None:
    """The row that explains best why the chains end differently; None where they are equal.

    A step that decides otherwise goes before one that is merely worded otherwise, and within that
    an edit of the code before what only follows from one. Of several edits that are apart, the one
    nearest to the end counts: a chain starts from one of many facts, and where code was moved
    about it may pass by edits that decide nothing.
    """
    for weight in (Weight.DIFFERENT, Weight.REWORDED):
        candidates = [at for at, row in enumerate(rows) if row.weight is weight]
        edits = [at for at in candidates if rows[at].edited]
        if edits:
            first = edits[-1]
            while first - 1 in edits:
                first -= 1
            return rows[first]
        if candidates:
            return rows[candidates[0]]
    return None


def last_written(rows: Sequence[Row]) -> Row | None:
    """The row in which a number that differs is written otherwise: the last with other texts."""
    found = [
        row for row in rows
        if row.weight is Weight.DIFFERENT
        and not (row.before and row.after and row.before.text == row.after.text)
    ]  # fmt: skip
    return found[-1] if found else None


def is_edit(row: Row | None) -> bool:
    """Whether the row is an edit of the code after which something is decided otherwise."""
    return row is not None and row.weight is Weight.DIFFERENT and row.edited is True


def sentence(row: Row) -> str:
    """Say a difference in one sentence."""
    before, after = row.before, row.after
    if before is None:
        return f"new on the way: {after}"
    if after is None:
        return f"no longer on the way: {before}"
    if before.text == after.text:
        return f"{after.text}: was {before.value}, is {after.value}"
    return f"was: {before}; is: {after}"


def _pairs(
    a: Sequence[Step], b: Sequence[Step], i0: int, j0: int, *, by_text: bool = False
) -> list[tuple[int | None, int | None]]:
    """Positions that belong together: equal steps, then equal texts, then the rest in order."""
    left = [s[:2] if by_text else s for s in a]
    right = [s[:2] if by_text else s for s in b]
    found: list[tuple[int | None, int | None]] = []
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        old, new = range(i0 + i1, i0 + i2), range(j0 + j1, j0 + j2)
        if tag == "equal":
            found += zip(old, new, strict=True)
        elif tag == "replace" and not by_text:
            found += _pairs(a[i1:i2], b[j1:j2], i0 + i1, j0 + j1, by_text=True)
        else:
            alike = itertools.takewhile(
                lambda both: _alike(*both), zip(a[i1:i2], b[j1:j2], strict=False)
            )
            count = sum(1 for _ in alike)
            found += zip(old[:count], new[:count], strict=True)
            found += [(i, None) for i in old[count:]]
            found += [(None, j) for j in new[count:]]
    return found


def _alike(a: Step, b: Step) -> bool:
    """Whether one may be what became of the other."""
    close = SequenceMatcher(None, a.text, b.text, autojunk=False).ratio() >= _CLOSE
    return a.kind == b.kind and close


def _weight(a: Step | None, b: Step | None, rows: Sequence[Row]) -> Weight:
    if a == b:
        return Weight.SAME
    if a is not None and b is not None:
        same = a.value == b.value and a.kind == b.kind and a.value is not None
        return Weight.REWORDED if same else Weight.DIFFERENT
    step = a or b
    assert step is not None
    handed = next((r for r in reversed(rows) if (r.before if a else r.after) is not None), None)
    last = None if handed is None else (handed.before if a else handed.after)
    same = last is not None and last.value == step.value
    return Weight.REWORDED if same and _hands_on(step) else Weight.DIFFERENT


def _hands_on(step: Step) -> bool:
    """Whether a step that has the value of the one before it may have decided nothing itself."""
    if step.kind == "return":
        return True
    copied = _COPY.search(step.text) is not None
    return step.kind == "assign" and (copied or step.value not in _COMMON)


def _edited(a: Step | None, b: Step | None, old_has: Has, new_has: Has) -> bool | None:
    """Whether a text that stands in one tree is not in the other, or not as often.

    None where that is not known.

    Guards may be quoted with what their names stand for; such a text stands nowhere.
    """
    if a is not None and b is not None and a.text == b.text:
        return a.kind in GIVEN and a != b
    answers = [
        _kept(step, own, other)
        for step, own, other in ((a, old_has, new_has), (b, new_has, old_has))
        if step is not None and _is_code(step) and own(step) != 0
    ]
    if False in answers:
        return True
    return None if None in answers or not answers else False


def _kept(step: Step, own: Has, other: Has) -> bool | None:
    """Whether a text that one tree has is in the other one as often; None: not known."""
    there = other(step)
    return None if there is None else there >= (own(step) or 1)


def _is_code(step: Step) -> bool:
    return step.kind not in GIVEN and step.kind != "no_call"


def _settled(rows: list[Row]) -> list[Row]:
    """Rows before the last value that both chains have: they come to the same in the end.

    What a chain starts from is a choice of how to explain, too, unless one fact has two values.
    """
    anchors = [at for at, r in enumerate(rows) if r.weight is Weight.SAME and _carries(r.before)]
    last = anchors[-1] if anchors else 0
    return [
        row._replace(weight=Weight.REWORDED)
        if row.weight is Weight.DIFFERENT and (at < last or _is_root(row)) else row
        for at, row in enumerate(rows)
    ]  # fmt: skip


def _carries(step: Step | None) -> bool:
    return step is not None and step.kind not in {"call", "no_call", "raise", *GIVEN}


def _is_root(row: Row) -> bool:
    kinds = {step.kind for step in (row.before, row.after) if step is not None}
    texts = {step.text for step in (row.before, row.after) if step is not None}
    both = row.before is not None and row.after is not None
    return kinds <= GIVEN and not (both and len(texts) == 1)
