"""Recursion under guards that are not known: cut where a function is entered again alike.

A call with arguments that look the same as those of two activations that are still open, with
a fork opened since, would go on for as long as the unknown guard holds.  It is not run: its
result is unknown, and what the enclosing activation writes is widened when that ends, as after
a loop of unknown length.
"""

from __future__ import annotations

from typing import Any

from mlapath.values.objects import FuncObj, Instance
from mlapath.values.value import ABSENT, SCALAR_TYPES, External, Union, Unknown, V

ALIKE = 2


class Activation:
    """An open call: its arguments, how many forks were open, where the log stood."""

    __slots__ = ("cut", "forks", "mark", "values")

    def __init__(self, values: tuple[V, ...], forks: int, mark: tuple[int, int]) -> None:
        self.values = values
        self.forks = forks
        self.mark = mark
        self.cut = False


def enter(it: Any, f: FuncObj, values: tuple[V, ...]) -> Activation | None:
    """Open a call of ``f``; None where it must not be run."""
    heap = it.heap
    stack: list[Activation] = it.active.setdefault(id(f.node), [])
    if stack:
        alike = [a for a in stack if a.forks < heap.forks and _alike(a, values)]
        if len(alike) >= ALIKE:
            alike[-1].cut = True
            return None
    activation = Activation(values, heap.forks, (len(heap.log), heap.clock))
    stack.append(activation)
    return activation


def leave(it: Any, f: FuncObj, activation: Activation) -> None:
    """Close a call."""
    it.active[id(f.node)].pop()
    if activation.cut and activation.forks:
        _widen(it, activation.mark)


def _alike(a: Activation, values: tuple[V, ...]) -> bool:
    """Whether nothing tells a call from an open one: an object that that made itself does not."""
    clock = a.mark[1]
    return len(a.values) == len(values) and all(
        _part(x.d) == _part(y.d) or _made_since(clock, x.d, y.d)
        for x, y in zip(a.values, values, strict=True)
    )


def _made_since(clock: int, old: Any, new: Any) -> bool:
    return (
        type(old) is Instance and type(new) is Instance and old.cls is new.cls
        and new.attrs.born > clock
    )  # fmt: skip


def _part(d: Any) -> Any:
    """What two values have in common that cannot be told apart."""
    if type(d) is Unknown:
        return ("?", d.hint)
    if type(d) in SCALAR_TYPES:
        return (type(d), d)
    if type(d) is tuple:
        return tuple(_part(x.d) for x in d)
    if type(d) is Union:
        return frozenset(_part(o.d) for o in d.options)
    if type(d) is External:
        return d
    return id(d)


def _widen(it: Any, mark: tuple[int, int]) -> None:
    """Numbers that were changed may be any; lists that were may be longer."""
    why = "changed in a recursion of unknown depth"
    position, clock = mark
    old: dict[tuple[int, Any], Any] = {}
    for cell, key, value in it.heap.log[position:]:
        if cell.born <= clock:
            old.setdefault((id(cell), key), value)
    for cell, key, now in list(it.heap.writes(mark).values()):
        before = old[id(cell), key]
        if isinstance(now, list):
            if not isinstance(before, list) or len(before) != len(now):
                it.heap.put(cell, "open", why)
        elif isinstance(now, V) and before is not ABSENT and _counted(before.d, now.d):
            it.heap.put(cell, key, V(Unknown(why, type(now.d).__name__), now.o))


def _counted(before: Any, now: Any) -> bool:
    """Whether a number changed."""
    return type(now) in (int, float) and type(before) in (int, float, Unknown) and now != before
