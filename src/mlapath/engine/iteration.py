"""Iteration: what an iterable gives, as far as it is known."""

from __future__ import annotations

from typing import Any

from mlapath.engine.generators import SKIPS, indexed, iterator_object, resumed
from mlapath.values.family import Family, NotUniform
from mlapath.values.identity import fresh
from mlapath.values.join import bag, distinct, union
from mlapath.values.objects import (
    OPEN,
    BoundMethod,
    ClassObj,
    DictObj,
    FuncObj,
    GeneratorObj,
    Instance,
    ListObj,
    MayHold,
)
from mlapath.values.union import may_be_absent
from mlapath.values.value import ABSENT, External, Union, Unknown, V

MAX_RANGE = 200_000
MAX_ITEMS = 2_000
"""As many items as are taken from a user-defined iterator at once."""


def iterator(it: Any, value: V) -> V:
    """What ``iter(value)`` gives: a container, or a generator that has perhaps not run yet."""
    given = _iter(it, value)
    if type(given.d) is GeneratorObj and given.d.cell.get("left") and given.d.anew is not None:
        return V(resumed(it, given.d), given.o)
    if type(given.d) is not Instance:
        return given
    if it.lookup_special(given, "__next__") is not None:
        return iterator_object(it, given)
    return indexed(it, given) if _by_index(it, given) else given


def _by_index(it: Any, value: V) -> bool:
    """Whether an object is iterated over by its ``__getitem__`` alone."""
    method = it.lookup_special(value, "__getitem__")
    return (
        type(value.d) is Instance and value.d.payload is None and method is not None
        and type(method.d) is BoundMethod and type(method.d.func) is FuncObj
        and it.lookup_special(value, "__iter__") is None
    )  # fmt: skip


def _iter(it: Any, value: V) -> V:
    """What ``__iter__`` gives, itself perhaps an object with a ``__next__``."""
    for _ in range(16):
        d = value.d
        special = it.lookup_special(value, "__iter__") if type(d) is Instance else None
        if special is None:
            payload = d.payload if type(d) is Instance else None
            return value if payload is None else V(payload, value.o)
        given: V = it.call(special, [], {})
        if given.d is d:
            return value
        value = given
    return value


def _drain(it: Any, iterator: V) -> list[V] | None:
    """What a user-defined iterator gives until StopIteration; None where that is not known."""
    items: list[V] = []
    stop = it.builtins["StopIteration"]
    for _ in range(MAX_ITEMS):
        it.budget.step(it)
        step = it.lookup_special(iterator, "__next__")
        value, ended = it.attempt(lambda step=step: it.call(step, [], {}), stop, opaque=False)
        if ended is not None and value is None:
            return items
        if ended is not None or value is None:
            break
        items.append(value)
    it.havoc(iterator, "an iterator whose end is not known")
    return None


def iterate(it: Any, value: V) -> list[V] | None:
    """The items of an iterable, in order; None where they are not known at all.

    Where ``is_open`` says so, there may be fewer or more of them, in another order.
    """
    d = value.d
    kind = type(d)
    if kind is Family:
        raise NotUniform("runs over a text that differs between the rounds")
    if kind is tuple:
        return list(d)
    if kind is ListObj:
        return list(d.items)
    if kind is DictObj:
        return in_order(d, [pair[0] for key, pair in d.data.items() if key is not OPEN])
    if kind is GeneratorObj:
        return collect(it, d)
    if kind is range:
        return None if d[MAX_RANGE:] else [V(i, value.o) for i in d]
    if kind is str or kind is bytes:
        return [V(c, value.o) for c in d]
    if kind is Instance:
        return _iterate_instance(it, value, d)
    if kind is ClassObj:
        return it.iterate_class(value)  # type: ignore[no-any-return]
    if kind is Union:
        return _iterate_union(it, d)
    if kind is Unknown:
        it.may_raise(it.frame, "iterating over something unknown")
        return it.hinted_items(value, d)  # type: ignore[no-any-return]
    if kind is External:
        return None
    it.throw("TypeError", f"'{it.type_name(value)}' object is not iterable")
    return None


def in_order(d: DictObj, found: list[V]) -> list[V]:
    """What a dict gives for its keys, in their order; any of them first where it is not known."""
    if not d.data.mixed:
        return found
    return [union(found)] * len(found) if found else []


def _iterate_instance(it: Any, value: V, d: Instance) -> list[V] | None:
    given = _iter(it, value)
    if given.d is not d:
        return iterate(it, given)
    if it.lookup_special(value, "__next__") is not None:
        return _drain(it, value)
    if _by_index(it, value):
        generator: GeneratorObj = indexed(it, value).d
        items = collect(it, generator)
        return None if generator.cell.get("open") else items
    if it.lookup_special(value, "__getitem__") is None and not (d.cls.foreign or d.open):
        it.throw("TypeError", f"'{d.cls.name}' object is not iterable")
    return None


def _iterate_union(it: Any, d: Union) -> list[V] | None:
    options = [o for o in d.options if o.d is not ABSENT]
    if any(_plain(o) for o in options):
        it.may_throw("TypeError", "object is not iterable")
        options = [o for o in options if not _plain(o)]
    lists = [iterate(it, o) for o in options]
    if any(x is None for x in lists) or len({len(x) for x in lists if x is not None}) != 1:
        return None
    return [union(list(column)) for column in zip(*lists, strict=True)]


def _plain(option: V) -> bool:
    """Whether a value is certainly not iterable."""
    return option.d is None or type(option.d) in (int, bool, float)


def sequence(it: Any, value: V) -> tuple[list[tuple[V, bool]], list[V]]:
    """The items of an iterable.

    First those whose order is known, each with whether it is certainly there; then those of
    which any number may follow, in any order.
    """
    d = value.d
    if type(d) is DictObj and OPEN not in d.data:
        if d.data.mixed:
            if any(may_be_absent(pair[1]) for pair in d.data.values()):
                return [], [pair[0] for pair in d.data.values()]
            return [(key, True) for key in iterate(it, value) or ()], []
        return [(pair[0], not may_be_absent(pair[1])) for pair in d.data.values()], []
    if type(d) is Union:
        parts = [it.sequence(it.iterator(o)) for o in d.options if o.d is not ABSENT
                 and not _plain(o)]  # fmt: skip
        return [], [item for known, bag in parts for item in (*(k for k, _ in known), *bag)]
    items = iterate(it, value)
    if items is None:
        return [], [V(element_of(it, value), value.o)]
    if not is_open(it, value):
        return [(item, True) for item in items], []
    return [], candidates(it, value)


def candidates(it: Any, value: V) -> list[V]:
    """What the items of an open iterable may be."""
    d = value.d
    if type(d) is Union:
        return sequence(it, value)[1]
    items = iterate(it, value)
    if items is None:
        return [V(element_of(it, value), value.o)]
    if type(d) is Instance and d.payload is not None:
        d = d.payload
    why = d.cell.get("open", "") if type(d) in (ListObj, GeneratorObj) else None
    if why == "" or type(why) is MayHold:
        if type(why) is not MayHold:
            return distinct(items)
        if why.certain:
            return distinct([*items, *(fresh(x) for x in why.extra)])
        return [fresh(x) for x in bag([*items, *why.extra])]
    if type(d) is DictObj and OPEN not in d.data:
        return items
    others = V(Unknown(is_open(it, value) or "an unknown item"), value.o)
    return [*(fresh(x) for x in bag(items)), others]


def collect(it: Any, generator: GeneratorObj) -> list[V]:
    """Run a generator to its end; the items it has left."""
    cell = generator.cell
    if cell.get("left") and generator.anew is not None:
        generator = resumed(it, generator)
        found = collect(it, generator)
        it.heap.put(cell, "items", distinct([*cell["items"], *found]))
        it.heap.put(cell, "open", SKIPS)
        it.heap.drop(cell, "left")
        return found
    if "items" not in cell:
        items: list[V] = []
        it.heap.put(cell, "items", items)
        before = it.uncertainty()
        skips = False

        def on_yield(value: V) -> V:
            nonlocal skips
            it.budget.step(it)
            if not any(value.d is other.d for other in items) or not skips:
                items.append(value)
            skips = skips or it.uncertainty() != before
            return V(None)

        on_yield.collects = True  # type: ignore[attr-defined]
        generator.run(on_yield)
        if skips:  # also where what gave an item has raised since
            it.heap.put(cell, "open", SKIPS)
    start = cell.get("next", 0)
    left: list[V] = cell["items"] if cell.get("open") else cell["items"][start:]
    it.heap.put(cell, "next", len(cell["items"]))
    return list(left)


def is_open(it: Any, value: V) -> str:
    """Why an iterable may hold more or fewer items than ``iterate`` gave, or ""."""
    d = value.d
    if type(d) is ListObj:
        return d.open
    if type(d) is DictObj:
        if OPEN in d.data:
            return d.data[OPEN]  # type: ignore[no-any-return]
        if any(may_be_absent(pair[1]) for pair in d.data.values()):
            return "a key that may be absent"
        return ""
    if type(d) is GeneratorObj:
        return str(d.cell.get("open", ""))
    if type(d) is Instance and d.payload is not None:
        return is_open(it, V(d.payload))
    if type(d) is Unknown:
        return d.why
    if type(d) is Union:
        return next((why for o in d.options if (why := is_open(it, o))), "")
    return ""


def element_of(it: Any, value: V) -> Any:
    """The content of any one item of an iterable that is not fully known."""
    d = value.d
    if type(d) is Unknown:
        return Unknown(d.why, lib=d.lib and f"{d.lib}[]", text=d.text and f"an item of {d.text}")
    if type(d) is range:
        return Unknown("a long range", "int", lo=min(d[0], d[-1]), hi=max(d[0], d[-1]))
    if type(d) in (ListObj, GeneratorObj) and d.cell.get("items"):
        return union(candidates(it, value)).d
    if type(d) is Union:
        found = sequence(it, value)[1]
        if found:
            return union(found).d
    return Unknown(is_open(it, value) or "an item of an unknown iterable")
