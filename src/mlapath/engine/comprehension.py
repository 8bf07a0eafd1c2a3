"""Comprehensions: over known items one by one, over unknown ones any number of times."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from mlapath.engine.control import Flow, Frame, Guard
from mlapath.engine.fork import fork
from mlapath.engine.loops import any_rounds
from mlapath.ir import nodes as n
from mlapath.values.objects import ListObj
from mlapath.values.truth import Truth
from mlapath.values.value import V


def comp(it: Any, fr: Frame, e: n.Comp) -> V:
    """A comprehension runs in a scope of its own; a generator expression eagerly."""
    scope = Frame(fr.module, it.heap.cell(), (fr.locals, *fr.closure), fr.func, fr)
    scope.self_ = fr.self_
    scope.owner = fr.owner
    scope.on_yield = fr.on_yield
    scope.control = fr.control
    scope.pos = fr.pos
    scope.guards, scope.pending = fr.guards, fr.pending  # one activation: they are the function's
    out: list[tuple[V, V]] = []
    source = it.eval(fr, e.generators[0].iter)  # in the enclosing scope, as Python does
    outer, it.frame = it.frame, scope
    try:
        opened = _comp_level(it, scope, e, 0, out, source)
    finally:
        it.frame = outer
    if e.kind == "dict":
        made = it.heap.dict()
        for key, value in out:
            it.dict_set(made, key, value)
        if opened:
            it.heap.open_dict(made, opened)
        return V(made)
    items = [value for _, value in out]
    if e.kind == "set":
        result: V = it.make_set(items)
        if opened:
            it.heap.open_dict(result.d, opened)
        return result
    listed = it.heap.list(items)
    if opened:
        it.heap.open_list(listed, opened)
    if e.kind == "gen":
        generator: V = it.generator_of(V(listed))
        return generator
    return V(listed)


def _comp_level(
    it: Any, fr: Frame, e: n.Comp, level: int, out: list[tuple[V, V]], first: V | None
) -> str:
    """Run the generators from ``level`` on; why ``out`` may not be exactly the items, or "".

    first: the first iterable, which Python evaluates in the enclosing scope.
    """
    if level == len(e.generators):
        key = it.eval(fr, e.elt)
        out.append((key, it.eval(fr, e.value)) if e.value is not None else (key, key))
        return ""
    generator = e.generators[level]
    source = it.eval(fr, generator.iter) if first is None else first
    items = it.iterate(source)
    opened = (
        it.is_open(source) if items is not None else "a comprehension over an unknown iterable"
    )
    certain = not opened or type(source.d) is ListObj and source.d.extra is not None
    why = ""
    for item in items or ():
        it.budget.step(it)
        if certain:
            why = _comp_item(it, fr, e, level, out, item) or why
        else:
            _perhaps(it, fr, generator.iter, partial(_comp_item, it, fr, e, level, out, item))
    if opened:
        known = len(out)
        element = V(it.element_of(source))

        def once() -> None:
            del out[known:]
            _comp_item(it, fr, e, level, out, element)

        any_rounds(it, fr, generator.iter, once)
        if items is not None:
            del out[known:]
    return opened or why


def _perhaps(it: Any, fr: Frame, where: n.Expr, run: Callable[[], object]) -> None:
    """An item that may not be there."""
    guard = Guard(fr.path, where.pos, f"an item of {it.text(fr, where.pos)}", True, None)

    def there() -> Flow | None:
        run()
        return None

    fork(it, fr, guard, there, lambda: None)


def _comp_item(it: Any, fr: Frame, e: n.Comp, level: int, out: list[tuple[V, V]], item: V) -> str:
    it.assign(fr, e.generators[level].target, item, e.pos)
    return _comp_filtered(it, fr, e, level, out, 0)


def _comp_filtered(
    it: Any, fr: Frame, e: n.Comp, level: int, out: list[tuple[V, V]], at: int
) -> str:
    """The filters from number ``at`` on, then the levels below."""
    tests = e.generators[level].ifs
    for number in range(at, len(tests)):
        test = tests[number]
        value = it.eval(fr, test)
        truth = it.guard(fr, test, value)
        if truth is Truth.FALSE:
            return ""
        if truth is Truth.UNKNOWN:

            def kept(following: int = number + 1) -> V:
                _comp_filtered(it, fr, e, level, out, following)
                return V(None)

            it.fork_value(fr, test, value, kept, lambda: V(None))
            return "a comprehension with an unknown filter"
    return _comp_level(it, fr, e, level + 1, out, None)
