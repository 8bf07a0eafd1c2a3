"""Guards: deciding, recording, narrowing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.control import Flow, Frame, Guard
from mlapath.engine.fork import fork
from mlapath.engine.origins import content_origin
from mlapath.engine.relations import learn
from mlapath.ir import nodes as n
from mlapath.values.identity import fresh
from mlapath.values.join import union
from mlapath.values.objects import ClassObj
from mlapath.values.origin import Origin, merge
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, Union, Unknown, V


def guard(it: Any, fr: Frame, test: n.Expr, value: V) -> Truth:
    """The truth of a guard, recorded with its evidence."""
    truth: Truth = it.truth(value)
    it.trace.guard(fr, test, truth, value, content_origin(value))
    return truth


def guard_of(it: Any, fr: Frame, test: n.Expr, value: V) -> Guard:
    """The guard as an entry of the frame's guard stack."""
    text = value.d.text if type(value.d) is Unknown and value.d.text else it.text(fr, test.pos)
    origin = Origin("guard", fr.path, test.pos, (value.o,) if value.o else (), fr.control,
                    value=value.d)  # fmt: skip
    return Guard(fr.path, test.pos, text, True, origin)


def fork_value(
    it: Any, fr: Frame, test: n.Expr, value: V, on_true: Callable[[], V],
    on_false: Callable[[], V], *, refine_first: bool = True,
) -> V:  # fmt: skip
    """The value of an expression whose choice is not known: both sides on their own state."""
    results: list[V] = []

    def side(run: Callable[[], V], holds: bool) -> Flow | None:
        refine(it, fr, test, holds)
        results.append(run())
        return None

    record = guard_of(it, fr, test, value)
    first, second = (True, False) if refine_first else (False, True)
    fork(it, fr, record, lambda: side(on_true, first), lambda: side(on_false, second))
    joined = union(results)
    return V(joined.d, merge(joined.o, *(r.o for r in results), value.o))


def narrow_truth(it: Any, value: V, truth: Truth) -> V:
    """``value`` where it is known to be true or false."""
    d = value.d
    if type(d) is Union:
        kept = [
            o for o in d.options if o.d is not ABSENT and it.truth(o) in (truth, Truth.UNKNOWN)
        ]
        return V(union(kept).d, value.o) if kept else value
    if type(d) is Unknown and d.hint == "bool":
        return V(truth is Truth.TRUE, value.o)
    return value


def refine(it: Any, fr: Frame, test: n.Expr, holds: bool) -> None:
    """Narrow what the guard ``test`` says about names and attributes, where it ``holds``."""
    kind = type(test)
    if kind is n.UnaryOp and test.op == "not":  # type: ignore[union-attr]
        refine(it, fr, test.operand, not holds)  # type: ignore[union-attr]
    elif kind is n.BoolOp:
        if (test.op == "and") == holds:  # type: ignore[union-attr]
            for part in test.values:  # type: ignore[union-attr]
                refine(it, fr, part, holds)
    elif kind is n.NamedExpr:
        refine(it, fr, test.target, holds)  # type: ignore[union-attr]
    elif kind is n.Name or kind is n.Attr:
        _narrow(it, fr, test, lambda o: it.truth(o) in (Truth.of(holds), Truth.UNKNOWN), holds)
    elif kind is n.Compare and len(test.ops) == 1:  # type: ignore[union-attr]
        _refine_compare(it, fr, test, holds)  # type: ignore[arg-type]
    elif kind is n.Call and type(test.func) is n.Name:  # type: ignore[union-attr]
        if test.func.id == "isinstance":  # type: ignore[union-attr]
            _refine_isinstance(it, fr, test, holds)  # type: ignore[arg-type]
        elif test.func.id == "issubclass":  # type: ignore[union-attr]
            _refine_issubclass(it, fr, test, holds)  # type: ignore[arg-type]


def sole_unknown(fr: Frame, test: n.Expr) -> n.Expr | None:
    """The operand that decides an ``and``/``or`` that was just evaluated, or None.

    The others were known and neutral, so the whole holds exactly where this one does.
    """
    if type(test) is not n.BoolOp:
        return None
    truths = fr.operands.get(test.pos, ())
    unknown = [at for at, truth in enumerate(truths) if truth is Truth.UNKNOWN]
    neutral = Truth.of(test.op == "and")
    if len(truths) < len(test.values) or len(unknown) != 1 or any(
        truth is not neutral for at, truth in enumerate(truths) if at not in unknown
    ):  # fmt: skip
        return None
    return test.values[unknown[0]]


def _refine_compare(it: Any, fr: Frame, test: n.Compare, holds: bool) -> None:
    op, right = test.ops[0], test.comparators[0]
    if op in BOUNDS:
        _refine_bound(it, fr, test.left, op, right, holds)
        _refine_bound(it, fr, right, SWAPPED[op], test.left, holds)
    if op not in ("is", "is not", "==", "!="):
        return
    if type(right) not in (n.Const, n.Name, n.Attr) or type(test.left) not in (
        n.Name,
        n.Attr,
        n.NamedExpr,
    ):
        return
    target = test.left.target if type(test.left) is n.NamedExpr else test.left
    wanted = Truth.of(holds == (op in ("is", "==")))
    other = it.peek(fr, right)
    if other is None or type(other.d) in (Union, Unknown):
        return
    base = "is" if op in ("is", "is not") else "=="
    _narrow(
        it, fr, target,
        lambda o: it.truth(it.compare(base, o, other)) in (wanted, Truth.UNKNOWN), None,
    )  # fmt: skip
    value = it.peek(fr, target)
    if value is not None and type(value.d) is Unknown and wanted is Truth.TRUE and (
        other.d is None or type(other.d) in (bool, int, str)
    ):  # fmt: skip
        it.write_back(fr, target, V(other.d, value.o))
        if type(other.d) is int:
            learn(it, fr, value.d, other.d, other.d)
    elif value is not None and type(value.d) is Unknown and other.d is None and not value.d.hint:
        known = Unknown(value.d.why, "object", value.d.lib, text=value.d.text)
        it.write_back(fr, target, V(known, value.o))


BOUNDS = {"<": ("hi", -1), "<=": ("hi", 0), ">": ("lo", 1), ">=": ("lo", 0)}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _refine_bound(it: Any, fr: Frame, target: n.Expr, op: str, bound: n.Expr, holds: bool) -> None:
    """``x > 3`` narrows the bounds of an unknown integer ``x``."""
    if type(target) not in (n.Name, n.Attr):
        return
    value, other = it.peek(fr, target), it.peek(fr, bound)
    if value is None or other is None or type(value.d) is not Unknown:
        return
    side, step = BOUNDS[op if holds else NEGATED[op]]
    limit = other.d
    if type(limit) is Unknown:
        limit = limit.hi if side == "hi" else limit.lo
    if type(limit) not in (int, float):
        return
    d = value.d
    limit += step if d.hint == "int" and type(limit) is int else 0
    lo, hi = d.lo, d.hi
    if side == "lo":
        lo = limit if lo is None else max(lo, limit)
    else:
        hi = limit if hi is None else min(hi, limit)
    if (lo, hi) != (d.lo, d.hi):
        new = d.bounded(lo, hi)
        it.write_back(fr, target, V(new, value.o))
        learn(it, fr, d, lo, hi)


def _refine_isinstance(it: Any, fr: Frame, test: n.Call, holds: bool) -> None:
    if len(test.args) != 2 or type(test.args[0]) not in (n.Name, n.Attr):
        return
    classes = it.peek(fr, test.args[1])
    if classes is None:
        return
    _narrow(
        it, fr, test.args[0],
        lambda o: it.isinstance(o, classes) in (Truth.of(holds), Truth.UNKNOWN), None,
    )  # fmt: skip
    value = it.peek(fr, test.args[0])
    if holds and value is not None and type(value.d) is Unknown and type(classes.d) is ClassObj:
        name = classes.d.name
        if name in ("int", "float", "bool", "str", "dict", "list", "tuple"):
            known = Unknown(value.d.why, name, value.d.lib, text=value.d.text)
            it.write_back(fr, test.args[0], V(known, value.o))


def _refine_issubclass(it: Any, fr: Frame, test: n.Call, holds: bool) -> None:
    if len(test.args) != 2 or type(test.args[0]) not in (n.Name, n.Attr):
        return
    classes = it.peek(fr, test.args[1])
    if classes is not None:
        _narrow(
            it, fr, test.args[0],
            lambda o: type(o.d) is not ClassObj
            or it.issubclass(o, classes) in (Truth.of(holds), Truth.UNKNOWN), None,
        )  # fmt: skip


def _narrow(
    it: Any, fr: Frame, target: n.Expr, keep: Callable[[V], bool], holds: bool | None
) -> None:
    value = it.peek(fr, target)
    if value is None:
        return
    d = value.d
    if type(d) is Union:
        kept = [o for o in d.options if o.d is not ABSENT and keep(o)]
        if kept and len(kept) < len(d.options):
            it.write_back(fr, target, V(union(kept).d, value.o))
    elif type(d) is Unknown and holds is not None:
        if d.hint == "bool":
            it.write_back(fr, target, V(holds, value.o))
        elif d.hint == "int" and (not holds or d.lo == 0):
            new = d.bounded(1, d.hi) if holds else d.bounded(0, 0)
            it.write_back(fr, target, V(new, value.o))
            learn(it, fr, d, new.lo, new.hi)
        elif not d.several:
            it.heap.put(it.assumed, d, Truth.of(holds))
        elif type(target) is n.Name:
            one = fresh(value)
            it.write_back(fr, target, one)
            it.heap.put(it.assumed, one.d, Truth.of(holds))
