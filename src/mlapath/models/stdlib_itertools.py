"""``itertools``: over known items the known results, collected at once.

Infinite iterators are instances with a position; a loop over one is a loop of unknown length.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from mlapath.models.api import Fn, Library, argument, make_class
from mlapath.models.stdlib_itertools_infinite import VALUES
from mlapath.models.support import call_perhaps
from mlapath.values.objects import Descriptor, Native
from mlapath.values.truth import Truth
from mlapath.values.value import V

MAX_ITEMS = 100_000


def iterator(it: Any, items: Iterable[V], opened: str = "") -> V:
    """An iterator over known items; ``opened``: why there may be others."""
    made = it.heap.list(list(itertools.islice(items, MAX_ITEMS + 1)))
    if len(made.items) > MAX_ITEMS:
        opened = opened or f"more than {MAX_ITEMS} items"
        del made.items[MAX_ITEMS:]
    if opened:
        it.heap.open_list(made, opened)
    result: V = it.generator_of(V(made))
    return result


def listed(it: Any, value: V) -> tuple[list[V], str]:
    """The items of an iterable, and why there may be others."""
    items = it.iterate(value)
    if items is None:
        return [V(it.element_of(value))], it.is_open(value) or "unknown items"
    return list(items), it.is_open(value)


def _columns(it: Any, args: list[V]) -> tuple[list[list[V]], str]:
    found = [listed(it, a) for a in args]
    return [items for items, _ in found], next((why for _, why in found if why), "")


def chain(it: Any, cls: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``chain(*iterables)``."""
    return _chained(it, args, "")


def _chained(it: Any, sources: list[V], opened: str) -> V:
    if not opened and any(it.has_not_run(source) for source in sources):
        return it.chained(sources)  # type: ignore[no-any-return]
    columns, more = _columns(it, sources)
    return iterator(it, itertools.chain(*columns), opened or more)


def _from_iterable(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    outer, opened = listed(it, args[-1])
    return _chained(it, outer, opened)


def _chain(it: Any) -> V:
    cls = make_class(it, "itertools.chain", construct=chain)
    cls.ns["from_iterable"] = V(
        Descriptor("classmethod", V(Native("itertools.chain.from_iterable", _from_iterable)))
    )
    return V(cls)


def islice(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``islice(iterable, [start,] stop[, step])``."""
    bounds = [a.d for a in args[1:]]
    if any(type(b) not in (int, type(None)) for b in bounds):
        items, opened = listed(it, args[0])
        return iterator(it, items, opened or "a slice with unknown bounds")
    step = it.lookup_special(args[0], "__next__")
    stop = bounds[0] if len(bounds) == 1 else bounds[1]
    if step is not None and type(stop) is int:
        taken = _steps(it, step, min(stop, MAX_ITEMS))
        if taken is None:
            return iterator(it, [], "items of an iterator whose end is not known")
        return iterator(it, itertools.islice(taken, *bounds))
    items, opened = listed(it, args[0])
    if opened:
        return iterator(it, items, opened)
    try:
        return iterator(it, itertools.islice(items, *bounds))
    except ValueError as error:
        it.throw("ValueError", str(error))
        raise AssertionError("unreachable") from error


def _steps(it: Any, step: V, count: int) -> list[V] | None:
    """As many items of an iterator as there are, up to ``count``; None where that is not known."""
    taken: list[V] = []
    stop = it.builtins["StopIteration"]
    while len(taken) < count:
        value, ended = it.attempt(lambda: it.call(step, [], {}), stop, opaque=False)
        if value is None:
            break
        if ended is not None:
            return None
        taken.append(value)
    return taken


def _combined(real: Callable[..., Iterable[tuple[V, ...]]]) -> Fn:
    """``permutations combinations combinations_with_replacement``."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        items, opened = listed(it, args[0])
        size = argument(args, kwargs, 1, "r") or V(None)
        if type(size.d) is not int and size.d is not None:
            return iterator(it, [], "combinations of an unknown size")
        rows = real(items, size.d) if size.d is not None else real(items)
        return iterator(it, (V(tuple(row)) for row in rows), opened)

    return fn


def product(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``product(*iterables, repeat=1)``."""
    columns, opened = _columns(it, args)
    repeat = kwargs.get("repeat", V(1))
    if type(repeat.d) is not int:
        return iterator(it, [], "an unknown number of repetitions")
    rows = itertools.product(*columns, repeat=repeat.d)
    return iterator(it, (V(row) for row in rows), opened)


def accumulate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``accumulate(iterable[, func, *, initial=None])``."""
    function = argument(args, kwargs, 1, "func")
    initial = kwargs.get("initial", V(None))
    items, opened = listed(it, args[0])
    if opened:
        if function is not None and function.d is not None:
            element = V(it.element_of(args[0]))
            call_perhaps(it, function, [element, element])
        return iterator(it, [], opened)
    totals = [] if initial.d is None else [initial]
    for item in items:
        if not totals:
            totals.append(item)
        elif function is None or function.d is None:
            totals.append(it.binop("+", totals[-1], item))
        else:
            totals.append(it.call(function, [totals[-1], item], {}))
    return iterator(it, totals)


def groupby(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``groupby(iterable, key=None)``."""
    key = argument(args, kwargs, 1, "key")
    items, opened = listed(it, args[0])
    groups: list[tuple[V, list[V]]] = []
    for item in items:
        value = item if key is None or key.d is None else it.call(key, [item], {})
        truth = it.truth(it.compare("==", groups[-1][0], value)) if groups else Truth.FALSE
        if truth is Truth.UNKNOWN:
            opened = opened or "groups of unknown keys"
        if truth is Truth.TRUE:
            groups[-1][1].append(item)
        else:
            groups.append((value, [item]))
    return iterator(it, [V((k, iterator(it, g, opened))) for k, g in groups], opened)


def _while(it: Any, args: list[V], *, dropping: bool) -> V:
    items, opened = listed(it, args[1])
    kept: list[V] = []
    done = False
    for item in items:
        if not done:
            truth = it.truth(it.call(args[0], [item], {}))
            if truth is Truth.UNKNOWN:
                return iterator(it, kept, opened or "cut at an unknown item")
            done = truth is Truth.FALSE
        if done == dropping:
            kept.append(item)
    return iterator(it, kept, opened)


def takewhile(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``takewhile(predicate, iterable)``."""
    return _while(it, args, dropping=False)


def dropwhile(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``dropwhile(predicate, iterable)``."""
    return _while(it, args, dropping=True)


def filterfalse(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``filterfalse(predicate, iterable)``."""
    items, opened = listed(it, args[1])
    kept: list[V] = []
    for item in items:
        truth = it.truth(item if args[0].d is None else it.call(args[0], [item], {}))
        if truth is not Truth.TRUE:
            kept.append(item)
        if truth is Truth.UNKNOWN:
            opened = opened or "an unknown filter"
    return iterator(it, kept, opened)


def compress(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``compress(data, selectors)``."""
    (data, selectors), opened = _columns(it, args)
    kept: list[V] = []
    for item, selector in zip(data, selectors, strict=False):
        truth = it.truth(selector)
        if truth is not Truth.FALSE:
            kept.append(item)
        if truth is Truth.UNKNOWN:
            opened = opened or "an unknown selector"
    return iterator(it, kept, opened)


def starmap(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``starmap(function, iterable)``."""
    items, opened = listed(it, args[1])
    results: list[V] = []
    for item in items:
        parts = it.iterate(item)
        more = it.is_open(item) if parts is not None else "unknown arguments"
        results.append(it.call(args[0], list(parts or ()), {}, more))
    return iterator(it, results, opened)


def zip_longest(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``zip_longest(*iterables, fillvalue=None)``."""
    columns, opened = _columns(it, args)
    rows = itertools.zip_longest(*columns, fillvalue=kwargs.get("fillvalue", V(None)))
    return iterator(it, (V(row) for row in rows), opened)


def pairwise(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``pairwise(iterable)``."""
    items, opened = listed(it, args[0])
    return iterator(it, (V(pair) for pair in itertools.pairwise(items)), opened)


def batched(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``batched(iterable, n)``."""
    items, opened = listed(it, args[0])
    size = argument(args, kwargs, 1, "n") or V(None)
    if type(size.d) is not int or size.d < 1:
        return iterator(it, [], "batches of an unknown size")
    rows = [V(tuple(items[i : i + size.d])) for i in range(0, len(items), size.d)]
    return iterator(it, rows, opened)


def tee(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``tee(iterable, n=2)``."""
    items, opened = listed(it, args[0])
    number = argument(args, kwargs, 1, "n") or V(2)
    count = number.d if type(number.d) is int else 2
    return V(tuple(iterator(it, items, opened) for _ in range(count)))


FUNCTIONS: dict[str, Fn] = {
    "islice": islice, "product": product, "accumulate": accumulate, "groupby": groupby,
    "takewhile": takewhile, "dropwhile": dropwhile, "filterfalse": filterfalse,
    "compress": compress, "starmap": starmap, "zip_longest": zip_longest, "pairwise": pairwise,
    "batched": batched, "tee": tee, "permutations": _combined(itertools.permutations),
    "combinations": _combined(itertools.combinations),
    "combinations_with_replacement": _combined(itertools.combinations_with_replacement),
}  # fmt: skip
LIBRARY = Library(
    functions={f"itertools.{name}": fn for name, fn in FUNCTIONS.items()},
    values={"itertools.chain": _chain, **VALUES},
)
