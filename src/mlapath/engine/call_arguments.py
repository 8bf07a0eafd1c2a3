"""The arguments of a call expression, with ``*`` and ``**``."""

from __future__ import annotations

from typing import Any, NamedTuple

from mlapath.engine.control import Frame
from mlapath.ir import nodes as n
from mlapath.values.heap import NOTHING
from mlapath.values.objects import OPEN, BoundMethod, DictObj, FuncObj, ListObj
from mlapath.values.union import may_be_absent, options, union
from mlapath.values.value import ABSENT, Union, V

MAX_WAYS = 8
"""In so many ways at most a function is called from one place; beyond, arguments are unknown."""


class Given(NamedTuple):
    """Arguments of one call. opened: why there may be more of them than these, or ""."""

    args: list[V]
    kwargs: dict[str, V]
    opened: str


Pairs = tuple[dict[str, V], str]
"""Keywords, and why there may be others."""


def given(it: Any, fr: Frame, e: n.Call, func: V) -> list[Given]:
    """The ways in which ``func`` is called: several where a ``*`` or ``**`` is one of several.

    A function of the tree gets keywords that may be missing as values that may be ABSENT.
    """
    if _is_plain(e):
        args = [it.eval(fr, a) for a in e.args]
        return [Given(args, {k.name: it.eval(fr, k.value) for k in e.keywords if k.name}, "")]
    whole = _of_tree(func.d)
    ways = [Given([], {}, "")]
    for a in e.args:
        value = it.eval(fr, a.value if type(a) is n.Starred else a)
        if type(a) is not n.Starred:
            sequences = [([value], "")]
        else:
            sequences = [_starred(it, o) for o in _known_sequences(value, MAX_WAYS // len(ways))]
        ways = [_with_items(way, *items) for way in ways for items in sequences]
    for keyword in e.keywords:
        value = it.eval(fr, keyword.value)
        if keyword.name is not None:
            for way in ways:
                way.kwargs[keyword.name] = value
            continue
        pairs = _spread(it, value, MAX_WAYS // len(ways))
        if whole and len(pairs) > 1:
            pairs = [_merged(pairs)]
        ways = [
            Given([*way.args], {**way.kwargs, **names}, why or way.opened)
            for way in ways for names, why in pairs
        ]  # fmt: skip
    return ways


def _is_plain(e: n.Call) -> bool:
    """Whether a call has neither ``*`` nor ``**``."""
    for a in e.args:
        if type(a) is n.Starred:
            return False
    return all([keyword.name is not None for keyword in e.keywords])  # noqa: C419 - hot


def _of_tree(d: Any) -> bool:
    """Whether a callee is a function of the tree, or a method."""
    if type(d) is BoundMethod:
        return _of_tree(d.func.d if isinstance(d.func, V) else d.func)
    return type(d) is FuncObj


def _with_items(way: Given, items: list[V], why: str) -> Given:
    """The way with positional arguments added; after an unknown number of them, none is known."""
    args = way.args if way.opened else [*way.args, *items]
    return Given([*args], {**way.kwargs}, way.opened or why)


def _known_sequences(value: V, most: int) -> tuple[V, ...]:
    """The alternatives of a ``*value``, if they are a few sequences that are fully known."""
    found = tuple(o for o in options(value) if o.d is not ABSENT)
    if len(found) > most or not all(
        type(o.d) is tuple or type(o.d) is ListObj and not o.d.open for o in found
    ):  # fmt: skip
        return (value,)
    return found


def _starred(it: Any, value: V) -> tuple[list[V], str]:
    items = it.iterate(value)
    if items is None:
        return [], "a *argument that is not known"
    return items, it.is_open(value)


def _spread(it: Any, value: V, most: int) -> list[Pairs]:
    """The alternatives of a ``**value``."""
    found = [o for o in options(value) if o.d is not ABSENT]
    if type(value.d) is Union and (
        len(found) > most or not all(type(o.d) is DictObj and OPEN not in o.d.data for o in found)
    ):  # fmt: skip
        return [({}, "a **argument that is not known")]
    result: list[Pairs] = []
    for option in found:
        result.extend(_keywords(it, option, most // len(found)))
    return result


def _keywords(it: Any, value: V, most: int) -> list[Pairs]:
    """The keywords of a mapping: once with, once without a key that may be absent."""
    pairs = it.mapping_items(value)
    if pairs is None:
        return [({}, "a **argument that is not known")]
    if not all(type(key.d) is str for key, _ in pairs):
        return [({}, "a keyword that is not known")]
    perhaps: set[object] = set()
    why = "a **argument that is not fully known" if it.is_open(value) else ""
    if type(value.d) is DictObj:
        data = value.d.data
        perhaps = {k for k, p in data.items() if k is not OPEN and may_be_absent(p[1])}
        if OPEN not in data and 2 ** len(perhaps) <= most:
            why = ""
    certain = {key.d: item for key, item in pairs if key.d not in perhaps}
    ways = [certain]
    if not why:
        for key, item in pairs:
            if key.d in perhaps:
                ways += [{**way, key.d: item} for way in ways]
    return [(way, why) for way in ways]


def _merged(ways: list[Pairs]) -> Pairs:
    """One way for all, with keywords that may be ABSENT."""
    why = next((why for _, why in ways if why), "")
    names = dict.fromkeys(name for way, _ in ways for name in way)
    return {name: union([way.get(name, NOTHING) for way, _ in ways]) for name in names}, why


__all__ = ["Given", "given"]
