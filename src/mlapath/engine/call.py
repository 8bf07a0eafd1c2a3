"""Calls: binding arguments, running functions of the tree, summaries, and what is not known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine import recursion
from mlapath.engine.certainty import enter
from mlapath.engine.control import Flow, Frame, Outcome, PyRaise
from mlapath.engine.fork import drop_uncaught, fork, hand_on, protect, resume, settle
from mlapath.engine.regions import compiled_call, in_region, region_of
from mlapath.engine.stmt import block
from mlapath.engine.trace import CallEdge, Observed
from mlapath.engine.uniform import call_lifted
from mlapath.ir import nodes as n
from mlapath.values.objects import (
    BoundMethod,
    Cell,
    ClassObj,
    Descriptor,
    FuncObj,
    GeneratorObj,
    Instance,
    Native,
)
from mlapath.values.origin import merge
from mlapath.values.truth import Truth
from mlapath.values.union import MAX_UNION, may_be_absent, options, union
from mlapath.values.value import ABSENT, External, Union, Unknown, V

MAX_DEPTH = 220


def call(it: Any, func: V, args: list[V], kwargs: dict[str, V], opened: str = "") -> V:
    """Call any value. ``opened``: why there may be more arguments than given."""
    d = func.d
    kind = type(d)
    if kind is BoundMethod:
        inner = d.func if isinstance(d.func, V) else V(d.func)
        return call(it, inner, [d.self_, *args], kwargs, opened)
    if kind is FuncObj:
        return call_function(it, d, args, kwargs, opened)
    if it.rounds is not None:
        lifted = call_lifted(it, d, args, kwargs)
        if lifted is not None:
            return lifted
    if kind is Native:
        return _call_native(it, func, args, kwargs, opened)
    if kind is ClassObj:
        return it.instantiate(d, args, kwargs, opened)  # type: ignore[no-any-return]
    if kind is Instance:
        straight = compiled_call(it, d) if it.direct else None
        if straight is not None:
            return call(it, straight, args, kwargs, opened)
        special = it.lookup_special(func, "__call__")
        if special is not None:
            return call(it, special, args, kwargs, opened)
        if d.cls.facts.get("alias") and "origin" in d.attrs:
            return call(it, d.attrs["origin"], args, kwargs, opened)
        if not (d.open or d.cls.foreign):
            it.throw("TypeError", f"'{d.cls.name}' object is not callable")
        return it.opaque_call(func, args, kwargs, "")  # type: ignore[no-any-return]
    if kind is Union:
        return call_union(it, func, args, kwargs, opened)
    if kind is External:
        return it.call_external(d, func, args, kwargs, opened)  # type: ignore[no-any-return]
    if kind is Unknown:
        return it.opaque_call(func, args, kwargs, d.why)  # type: ignore[no-any-return]
    if kind is Descriptor and d.kind in ("staticmethod", "classmethod"):
        return call(it, d.fget, args, kwargs, opened)
    it.throw("TypeError", f"'{it.type_name(func)}' object is not callable")
    raise AssertionError("unreachable")


def _call_native(it: Any, func: V, args: list[V], kwargs: dict[str, V], opened: str) -> V:
    d: Native = func.d
    if opened and not d.opens:
        if args and it.forgetful(args[0]):
            return it.call_external(External(d.name), func, args, kwargs, opened)  # type: ignore[no-any-return]
        return it.opaque_call(func, args, kwargs, opened)  # type: ignore[no-any-return]
    return d.fn(it, args, kwargs, opened) if d.opens else d.fn(it, args, kwargs)


def call_union(it: Any, func: V, args: list[V], kwargs: dict[str, V], opened: str) -> V:
    """Call each alternative of the callee on its own state; join."""
    options = [o for o in func.d.options if it.may_call(o)]
    if not options:
        it.throw("TypeError", "object is not callable")
    return it.each(options, lambda o: call(it, o, args, dict(kwargs), opened))  # type: ignore[no-any-return]


def bind(
    it: Any, f: FuncObj, args: list[V], kwargs: dict[str, V], opened: str, into: Cell
) -> None:
    """Bind arguments to parameters as CPython does, or raise the program's TypeError."""
    params: n.Params = f.node.params
    positional = (*params.posonly, *params.args)
    count = len(positional)
    given = len(args)
    if given > count and params.vararg is None:
        it.throw("TypeError", f"{f.qualname}() takes {count} positional arguments but {given} "
                 "were given")  # fmt: skip
    for param, value in zip(positional, args, strict=False):
        into[param.name] = value
    if params.vararg is not None:
        extra = V(tuple(args[count:]))
        into[params.vararg.name] = V(Unknown(opened, "tuple")) if opened else extra
    elif given == count and not (kwargs or opened or params.kwonly or params.kwarg):
        return
    names = {p.name for p in (*params.args, *params.kwonly)} if kwargs else ()
    rest: dict[str, V] = {}
    for key, value in kwargs.items():
        if key in names:
            if may_be_absent(value):
                _bind_perhaps(it, f, key, value, into)
                continue
            if key in into and not opened:
                it.throw("TypeError", f"{f.qualname}() got multiple values for argument '{key}'")
            into[key] = value
        elif params.kwarg is not None:
            rest[key] = value
        else:
            it.throw("TypeError", f"{f.qualname}() got an unexpected keyword argument '{key}'")
    if params.kwarg is not None:
        made = it.heap.dict()
        for key, value in rest.items():
            it.dict_set(made, V(key), value)
        if opened:
            it.heap.open_dict(made, opened)
        into[params.kwarg.name] = V(made)
    _bind_defaults(it, f, opened, into)


def _bind_perhaps(it: Any, f: FuncObj, name: str, value: V, into: Cell) -> None:
    """Bind a keyword argument that may not be given."""
    other = into[name] if name in into else _default_of(f, name)
    if name in into or other is None:
        it.may_throw("TypeError", f"{f.qualname}(): argument '{name}'")
    bound = [o for o in options(value) if o.d is not ABSENT]
    into[name] = union(bound if other is None else [*bound, other])


def _default_of(f: FuncObj, name: str) -> V | None:
    """The default of a parameter, if it has one."""
    positional = [p.name for p in (*f.node.params.posonly, *f.node.params.args)]
    if name not in positional:
        return f.kwdefaults.get(name)
    at = positional.index(name) - len(positional) + len(f.defaults)
    return f.defaults[at] if at >= 0 else None


def _bind_defaults(it: Any, f: FuncObj, opened: str, into: Cell) -> None:
    """Bind the parameters that no argument was given for."""
    params: n.Params = f.node.params
    positional = (*params.posonly, *params.args)
    first_default = len(positional) - len(f.defaults)
    for i, param in enumerate(positional):
        if param.name not in into:
            if i >= first_default:
                default = f.defaults[i - first_default]
                into[param.name] = V(Unknown(opened), default.o) if opened else default
            elif opened:
                into[param.name] = V(Unknown(opened))
            else:
                it.throw("TypeError", f"{f.qualname}() missing 1 required positional argument: "
                         f"'{param.name}'")  # fmt: skip
    for param in params.kwonly:
        if param.name not in into:
            if param.name in f.kwdefaults:
                default = f.kwdefaults[param.name]
                into[param.name] = V(Unknown(opened), default.o) if opened else default
            elif opened:
                into[param.name] = V(Unknown(opened))
            else:
                it.throw("TypeError", f"{f.qualname}() missing 1 required keyword-only argument: "
                         f"'{param.name}'")  # fmt: skip


def call_function(it: Any, f: FuncObj, args: list[V], kwargs: dict[str, V], opened: str) -> V:
    """Run a function of the tree."""
    caller: Frame = it.frame
    it.budget.step(it)
    hook = it.hooks.get(f.full)
    if hook is not None:
        replaced = hook(it, f, args, kwargs)
        if replaced is not None:
            return replaced  # type: ignore[no-any-return]
    if it.depth >= MAX_DEPTH:
        it.frontier(caller, caller.pos, f"calls nested deeper than {MAX_DEPTH}")
        return it.opaque_call(V(f), args, kwargs, "too deep")  # type: ignore[no-any-return]
    locals_ = it.heap.cell()
    bind(it, f, args, kwargs, opened, locals_)
    edge = it.trace.call(caller, f, certain=False)
    first = args[0] if args else None
    if type(f.node) is n.Lambda:
        frame = _frame(f, locals_, caller, first)
        enter(it, edge)
        try:
            return _run(it, frame, lambda: Flow("return", it.eval(frame, f.node.body)))
        finally:
            _end(it, frame)
    locals_.bound = f.bound
    if f.node.scope.is_generator:
        return V(_generator(it, _frame(f, locals_, caller, first), edge))
    enter(it, edge)
    frames: list[Frame] = []

    def run(given: Cell) -> V:
        frames.append(_frame(f, given, caller, first))
        try:
            return _run(it, frames[-1], lambda: block(it, frames[-1], f.node.body))
        finally:
            _end(it, frames[-1])

    region = region_of(it, f, first) if it.compiled else it.region
    if region != it.region:
        value = in_region(it, region, lambda: recursion.run(it, f, locals_, run))
    else:
        value = recursion.run(it, f, locals_, run)
    if f.node.name in it.observed and frames:
        frame = frames[-1]
        it.trace.observed.append(Observed(f, frame.self_, dict(frame.locals), value))
    return value


def _frame(f: FuncObj, locals_: Cell, caller: Frame, first: V | None) -> Frame:
    """The activation of a function whose arguments are bound; ``first``: the first one given."""
    frame = Frame(f.module, locals_, f.closure, f, caller)
    positional = (*f.node.params.posonly, *f.node.params.args)
    frame.self_ = locals_[positional[0].name] if positional else first
    if type(f.node) is not n.Lambda:
        frame.globals_ = frozenset(f.node.scope.globals)
        frame.nonlocals = frozenset(f.node.scope.nonlocals)
    return frame


def _end(it: Any, frame: Frame) -> None:
    """The activation is over: no alternative needs its names, unless something outlives it."""
    if not frame.outlived:
        it.heap.retire(frame.locals)


def uncertainty(it: Any) -> tuple[int, int]:
    """Grows where code runs only under guards that are not known."""
    return it.maybe, sum(p.outcome.kind != "raise" for p in it.heap.saved)


def _generator(it: Any, frame: Frame, edge: CallEdge) -> GeneratorObj:
    """The generator of a call whose arguments are bound in ``frame``."""
    given = dict(frame.locals)

    def anew(on_yield: Any) -> V:
        locals_ = it.heap.cell(given)
        locals_.bound = frame.locals.bound
        again = Frame(frame.module, locals_, frame.closure, frame.func)
        again.self_ = frame.self_
        again.globals_, again.nonlocals = frame.globals_, frame.nonlocals
        return run_generator(it, again, edge, on_yield)

    made = GeneratorObj(lambda on_yield: run_generator(it, frame, edge, on_yield), it.heap.cell())
    made.anew = anew
    return made


def run_generator(it: Any, frame: Frame, edge: CallEdge, on_yield: Any) -> V:
    """Run a generator's body with ``on_yield`` called at each yield."""
    enter(it, edge)
    frame.on_yield = on_yield
    frame.parent = it.frame
    body = frame.func.node.body  # type: ignore[union-attr]
    return _run(it, frame, lambda: block(it, frame, body))


def _run(it: Any, frame: Frame, run: Callable[[], Flow | None]) -> V:
    """The value that a frame returns; what is pending in it becomes pending in the caller's."""
    caller: Frame = it.frame
    it.frame = frame
    it.depth += 1
    try:
        outcome = protect(run)
        if outcome.kind == "normal":
            outcome = Outcome("return", V(None))
        if frame.pending:
            outcome = settle(it, frame, 0, ("return",), outcome)
        if frame.on_yield is not None:
            outcome = _without_stop(it, outcome)
            for pending in frame.pending:
                pending.outcome = _without_stop(it, pending.outcome)
    finally:
        it.frame = caller
        it.depth -= 1
    if frame.pending:
        drop_uncaught(it, frame, 0)
        for pending in list(frame.pending):
            hand_on(pending, caller)
    if outcome.kind != "return":
        raise outcome.value
    value: V = outcome.value
    return value


def _without_stop(it: Any, outcome: Outcome) -> Outcome:
    """What leaves a generator: StopIteration becomes a RuntimeError."""
    if outcome.kind != "raise" or type(outcome.value.exc.d) is not Instance:
        return outcome
    if it.exception_matches(outcome.value.exc, it.builtins["StopIteration"]) is not Truth.TRUE:
        return outcome
    error = it.exception("RuntimeError", [V("generator raised StopIteration")])
    it.heap.put(error.d.attrs, "__cause__", outcome.value.exc)
    return Outcome("raise", it.make_raise(error))


def each(it: Any, options: list[V], run: Any) -> V:
    """Run ``run`` on each option as an alternative; the joined value.

    Options that raise are left pending where a handler could catch them, else noted. Those for
    which the operation itself fails are of no account where others go on: the program fails as
    well if the value is one of them.
    """
    fr: Frame = it.frame
    if len(options) == 1:
        return run(options[0])  # type: ignore[no-any-return]
    results: list[V] = []
    failed: list[PyRaise] = []
    start, steps = it.heap.clock, it.budget.steps

    def attempt(option: V) -> None:
        try:
            results.append(run(option))
        except PyRaise as raised:
            if not raised.explicit and len(raised.stack) == len(fr.stack()):
                failed.append(raised)
            raise

    def alternatives(rest: list[V]) -> Any:
        if len(rest) == 1:
            return attempt(rest[0])
        return fork(it, fr, None, lambda: attempt(rest[0]), lambda: alternatives(rest[1:]))

    resume(protect(lambda: alternatives(options)))
    if not results:
        raise AssertionError("every alternative raised, yet none was re-raised")
    for raised in failed:
        raised.possible = True
    joined: V = it.union(_together(it, results, start) if it.budget.steps == steps else results)
    if joined.o is None:
        return V(joined.d, merge(*(r.o for r in results)))
    return joined


def _together(it: Any, results: list[V], start: int) -> list[V]:
    """What summaries gave: many objects that they have just made become fewer."""
    found = [o for value in results for o in options(value)]
    made = [o for o in found if type(o.d) is Instance and o.d.attrs.born > start
            and "fewer" in o.d.cls.facts]  # fmt: skip
    if len(made) <= MAX_UNION:
        return results
    rest = [o for o in found if not any(o is x for x in made)]
    return [*rest, *made[0].d.cls.facts["fewer"](it, made)]


__all__ = ["call", "call_function", "call_union", "each", "run_generator"]
