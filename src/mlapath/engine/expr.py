"""Evaluation of expressions: one function a node type, ``(engine, frame, node) -> V``."""

from __future__ import annotations

from typing import Any

from mlapath.engine.call_arguments import Given, given
from mlapath.engine.comprehensions import comp
from mlapath.engine.control import Frame, Guard
from mlapath.engine.fork import fork
from mlapath.engine.names import load_name
from mlapath.engine.origins import resting_on
from mlapath.engine.uniform import each_round, lifted
from mlapath.engine.unknown_loop import any_of, unknown_loop
from mlapath.ir import nodes as n
from mlapath.values.family import Family, NotUniform
from mlapath.values.heap import NOTHING
from mlapath.values.objects import (
    ClassObj,
    DictObj,
    GeneratorObj,
    Instance,
    SliceObj,
)
from mlapath.values.origin import Origin, merge
from mlapath.values.truth import Truth
from mlapath.values.value import Union, Unknown, V


def const(it: Any, fr: Frame, e: n.Const) -> V:
    return V(e.value)


def name(it: Any, fr: Frame, e: n.Name) -> V:
    return load_name(it, fr, e.id)


def attr(it: Any, fr: Frame, e: n.Attr) -> V:
    base = it.eval(fr, e.value)
    fr.pos = e.pos
    result: V = it.getattr(base, e.attr)
    d = result.d
    if type(d) is Unknown and not d.text:
        owner = base.d.text if type(base.d) is Unknown else ""
        d.text = f"{owner}.{e.attr}" if owner else it.text(fr, e.pos)
    if base.o is None or result.o is base.o or any(base.d is x for x in it.subjects):
        return result
    if type(base.d) is ClassObj or type(base.d) is Instance and "enum" in base.d.cls.facts:
        return V(d, merge(base.o, result.o))  # which class or member it is, decides
    return resting_on(it, result, base.o)


def subscript(it: Any, fr: Frame, e: n.Subscript) -> V:
    base = it.eval(fr, e.value)
    index = it.eval(fr, e.index)
    fr.pos = e.pos
    return resting_on(it, it.getitem(base, index), base.o, index.o)


def slice_(it: Any, fr: Frame, e: n.Slice) -> V:
    bounds = [V(None) if x is None else it.eval(fr, x) for x in (e.lower, e.upper, e.step)]
    if all(type(b.d) in (int, type(None)) for b in bounds):
        return V(SliceObj(*bounds), merge(*(b.o for b in bounds)))
    return V(SliceObj(*bounds))


def call(it: Any, fr: Frame, e: n.Call) -> V:
    func = it.eval(fr, e.func)
    ways = given(it, fr, e, func)
    fr.pos = e.pos
    result: V = _one_call(it, func, ways[0]) if len(ways) == 1 else it.each(
        [V(at) for at in range(len(ways))], lambda at: _one_call(it, func, ways[at.d])
    )  # fmt: skip
    if type(e.func) is n.Attr and it.assumed:
        receiver = it.peek(fr, e.func.value)
        if receiver is not None:
            it.may_change(receiver)
    d = result.d
    if type(d) is Unknown and not d.text:
        d.text = it.text(fr, e.pos)
    callee, given_back = func.o, result.o
    if callee is None or callee is given_back:
        return result
    if given_back is not None and (given_back.inputs or given_back.label):
        return V(d, Origin("callee", fr.path, e.pos, (given_back, callee), fr.control))
    if given_back is None or given_back.control is fr.control:  # a constant of the callee's
        return V(d, Origin("call", fr.path, e.pos, (callee,), fr.control))
    return V(d, Origin("call", fr.path, e.pos, (given_back, callee), fr.control))


def _one_call(it: Any, func: V, way: Given) -> V:
    return it.call(func, way.args, way.kwargs, way.opened)  # type: ignore[no-any-return]


def binop(it: Any, fr: Frame, e: n.BinOp) -> V:
    left = it.eval(fr, e.left)
    right = it.eval(fr, e.right)
    fr.pos = e.pos
    result: V = it.binop(e.op, left, right)
    d = result.d
    if type(d) is Unknown and not d.text:
        d.text = it.text(fr, e.pos)
    return result


def unary(it: Any, fr: Frame, e: n.UnaryOp) -> V:
    value = it.eval(fr, e.operand)
    fr.pos = e.pos
    result: V = it.unary(e.op, value)
    return result


def boolop(it: Any, fr: Frame, e: n.BoolOp) -> V:
    """Short-circuit; after an unknown operand the rest runs as an alternative."""
    stop = Truth.FALSE if e.op == "and" else Truth.TRUE
    seen: list[Truth] = []
    value = it.eval(fr, e.values[0])
    result = _boolop_rest(it, fr, e, 1, value, stop, seen)
    fr.operands[e.pos] = tuple(seen)
    return result


def _boolop_rest(
    it: Any, fr: Frame, e: n.BoolOp, i: int, value: V, stop: Truth, seen: list[Truth]
) -> V:
    if i == len(e.values):
        # the truth of an object may be code of the tree: the guard asks for it, once
        quiet = type(value.d) not in (Instance, Union)
        seen.append(it.truth(value) if quiet else Truth.UNKNOWN)
        return value
    truth = it.truth(value)
    seen.append(truth)
    if truth is stop:
        return value
    node = e.values[i - 1]
    if truth is Truth.UNKNOWN:

        def rest_from_next() -> V:
            nxt = it.eval(fr, e.values[i])
            return _boolop_rest(it, fr, e, i + 1, nxt, stop, seen)

        taken: V = it.fork_value(
            fr, node, value, lambda: it.narrow_truth(value, stop), rest_from_next,
            refine_first=stop is Truth.TRUE,
        )  # fmt: skip
        return taken
    nxt = it.eval(fr, e.values[i])
    result = _boolop_rest(it, fr, e, i + 1, nxt, stop, seen)
    if value.o is not None and result.o is not value.o:
        return V(result.d, merge(result.o, value.o))
    return result


def compare(it: Any, fr: Frame, e: n.Compare) -> V:
    left = it.eval(fr, e.left)
    if len(e.ops) == 1:
        right = it.eval(fr, e.comparators[0])
        fr.pos = e.pos
        result: V = it.compare(e.ops[0], left, right)
        if type(result.d) is Unknown and not result.d.text:
            result.d.text = it.condition_text(fr, e, left, right)
        return result
    return _chain(it, fr, e, 0, left)


def _chain(it: Any, fr: Frame, e: n.Compare, i: int, left: V) -> V:
    """``a < b < c`` from the ``i``-th comparison on: what follows runs unless one is false."""
    right = it.eval(fr, e.comparators[i])
    fr.pos = e.pos
    step: V = it.compare(e.ops[i], left, right)
    if i + 1 == len(e.ops):
        return step
    truth = it.truth(step)
    if truth is Truth.FALSE:
        return step
    if truth is Truth.TRUE:
        rest = _chain(it, fr, e, i + 1, right)
        return V(rest.d, merge(step.o, rest.o))
    value: V = it.fork_value(
        fr, n.Const(e.pos, None), step, lambda: _chain(it, fr, e, i + 1, right),
        lambda: it.narrow_truth(step, Truth.FALSE),
    )  # fmt: skip
    if type(value.d) is Unknown and not value.d.text:
        value.d.text = it.text(fr, e.pos)
    return value


def ifexp(it: Any, fr: Frame, e: n.IfExp) -> V:
    test = it.eval(fr, e.test)
    truth = it.guard(fr, e.test, test)
    if truth is Truth.UNKNOWN:
        forked: V = it.fork_value(
            fr, e.test, test, lambda: it.eval(fr, e.body), lambda: it.eval(fr, e.orelse)
        )
        return forked
    value = it.eval(fr, e.body if truth is Truth.TRUE else e.orelse)
    if test.o is None:
        taken: V = value
        return taken
    guard = Origin("guard", fr.path, e.test.pos, (test.o,), value=test.d)
    return V(value.d, Origin("expr", fr.path, e.pos, (value.o,) if value.o else (), guard))


def lambda_(it: Any, fr: Frame, e: n.Lambda) -> V:
    function: V = it.make_function(fr, e, "<lambda>")
    return function


def _elements(it: Any, fr: Frame, elts: tuple[n.Expr, ...]) -> tuple[list[tuple[V, bool]], str]:
    """The elements of a display, each with whether it is certainly there; why not all are."""
    items: list[tuple[V, bool]] = []
    opened = ""
    for x in elts:
        if type(x) is not n.Starred:
            items.append((it.eval(fr, x), True))
            continue
        value = it.eval(fr, x.value)
        more = it.iterate(value)
        why = "a *element that is not known" if more is None else it.is_open(value)
        found = it.candidates(value) if why else more
        items.extend((item, not why) for item in found)
        opened = opened or why
    return items, opened


def tuple_(it: Any, fr: Frame, e: n.Tuple) -> V:
    items, opened = _elements(it, fr, e.elts)
    if opened:
        return V(Unknown(opened, "tuple"))
    return V(tuple(item for item, _ in items))


def list_(it: Any, fr: Frame, e: n.List) -> V:
    items, opened = _elements(it, fr, e.elts)
    result = it.heap.list([item for item, _ in items])
    if opened:
        it.heap.open_list(result, opened, NOTHING)
    return V(result)


def set_(it: Any, fr: Frame, e: n.Set) -> V:
    items, _ = _elements(it, fr, e.elts)
    made: V = it.make_set([])
    for item, certain in items:
        put = it.dict_set if certain else it.dict_set_maybe
        put(made.d, item, item)
    return made


def dict_(it: Any, fr: Frame, e: n.Dict) -> V:
    made: DictObj = it.heap.dict()
    for key, item in e.items:
        if key is None:
            it.pour(made, it.eval(fr, item))
        else:
            k = it.eval(fr, key)
            it.dict_set(made, k, it.eval(fr, item))
    return V(made)


def await_(it: Any, fr: Frame, e: n.Await) -> V:
    value: V = it.await_(it.eval(fr, e.value))
    return value


def yield_(it: Any, fr: Frame, e: n.Yield) -> V:
    value = V(None) if e.value is None else it.eval(fr, e.value)
    sent: V = fr.on_yield(value)
    return sent


def yield_from(it: Any, fr: Frame, e: n.YieldFrom) -> V:
    source = it.iterator(it.eval(fr, e.value))
    if type(source.d) is GeneratorObj and "items" not in source.d.cell:
        it.heap.put(source.d.cell, "items", [])
        result: V = source.d.run(fr.on_yield)
        return result
    items, bag = it.sequence(source)
    for item, certain in items:
        if certain:
            fr.on_yield(item)
        else:
            fork(it, fr, None, lambda v=item: _yielded(fr, v), lambda: None)  # type: ignore[misc]
    if bag:
        guard = Guard(fr.path, e.pos, f"an item of {it.text(fr, e.value.pos)}", True, None)
        unknown_loop(
            it, fr, guard,
            lambda: any_of(it, fr, it.sequence(source)[1], lambda v: _yielded(fr, v)),
        )  # fmt: skip
    return V(None)


def _yielded(fr: Frame, value: V) -> None:
    fr.on_yield(value)


def joined(it: Any, fr: Frame, e: n.JoinedStr) -> V:
    parts: list[Any] = []
    origin: Origin | None = None
    unknown: Unknown | None = None
    for part in e.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        value = it.eval(fr, part.value)
        spec = "" if part.spec is None else joined(it, fr, part.spec).d
        spec = spec if type(spec) is str else None
        origin = merge(origin, value.o)
        if type(value.d) is Family:
            texts = each_round(lambda v: it.format_value(v, part.conversion, spec), value)  # noqa: B023
            parts.append(Family(tuple(texts)))
            continue
        text = it.format_value(value, part.conversion, spec)
        if text is None:
            d = value.d
            unknown = d if type(d) is Unknown else Unknown("text of an unknown value")
            parts.append("{…}")
        else:
            parts.append(text)
    if any(type(part) is Family for part in parts):
        if unknown is not None:
            raise NotUniform("a text that is not known")
        return V(lifted(it, lambda *x: V("".join(v.d for v in x)), *map(V, parts)).d, origin)
    if unknown is not None:
        return V(Unknown(unknown.why, "str", text="".join(parts)), origin)
    return V("".join(parts), origin)


def named(it: Any, fr: Frame, e: n.NamedExpr) -> V:
    value: V = it.eval(fr, e.value)
    while fr.kind == "comp" and fr.parent is not None:
        fr = fr.parent
    it.assign(fr, e.target, value, e.pos)
    return value


def starred(it: Any, fr: Frame, e: n.Starred) -> V:
    return V(Unknown("a starred expression out of place"))


def opaque(it: Any, fr: Frame, e: n.Opaque) -> V:
    it.frontier(fr, e.pos, e.why)
    return V(Unknown(e.why))


EVAL: dict[type, Any] = {
    n.Const: const, n.Name: name, n.Attr: attr, n.Subscript: subscript, n.Slice: slice_,
    n.Call: call, n.BinOp: binop, n.UnaryOp: unary, n.BoolOp: boolop, n.Compare: compare,
    n.IfExp: ifexp, n.Lambda: lambda_, n.Tuple: tuple_, n.List: list_, n.Set: set_,
    n.Dict: dict_,
    n.Comp: comp, n.Await: await_, n.Yield: yield_, n.YieldFrom: yield_from,
    n.JoinedStr: joined, n.NamedExpr: named, n.Starred: starred, n.Opaque: opaque,
}  # fmt: skip
