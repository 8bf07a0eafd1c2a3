"""Comparisons: equality, identity and order, each true, false or unknown."""

from __future__ import annotations

import operator
from typing import Any

from mlapath.engine.ops import (
    ask,
    each_pair,
    is_refusal,
    plain,
    right_goes_first,
    unless_refused,
)
from mlapath.engine.uniform import lifted, lifted_truth
from mlapath.values.concrete import NotConcrete, key_of, to_py
from mlapath.values.family import Family
from mlapath.values.join import same
from mlapath.values.objects import (
    OPEN,
    DictObj,
    Instance,
    ListObj,
)
from mlapath.values.origin import merge
from mlapath.values.summary import cell_of
from mlapath.values.truth import Truth, negate
from mlapath.values.union import options, union
from mlapath.values.value import ABSENT, SCALAR_TYPES, External, Union, Unknown, V

ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
ORDER_SPECIAL = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
MAPPINGS = ("dict", "defaultdict")
SETS = frozenset({"set", "frozenset"})
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def compare(it: Any, op: str, left: V, right: V) -> V:
    """One comparison, as a bool or an unknown bool."""
    if type(left.d) is Family or type(right.d) is Family:
        return lifted(it, lambda x, y: compare(it, op, x, y), left, right)
    if op in ("is", "is not"):
        t = identical(it, left, right)
    elif op in ("==", "!="):
        special = _equality_special(it, op, left, right)
        if special is not None:
            return special
        t = equal(it, left, right)
    elif op in ("in", "not in"):
        t = it.contains(right, left)
    else:
        return _order(it, op, left, right)
    if op in ("is not", "!=", "not in"):
        t = negate(t)
    origin = merge(left.o, right.o)
    if t is Truth.UNKNOWN:
        base = left.d if type(left.d) is Unknown else right.d
        if type(base) is Unknown:
            other = key_of(right if base is left.d else left)
            if other is not None:
                key = (op.replace("is not", "is").replace("!=", "=="), other)
                positive = base.derived(key, Unknown(base.why, "bool"))
                if op in ("is not", "!="):
                    return V(positive.derived("not", Unknown(base.why, "bool")), origin)
                return V(positive, origin)
        return V(Unknown("a comparison of unknown values", "bool"), origin)
    return V(t is Truth.TRUE, origin)


def _equality_special(it: Any, op: str, left: V, right: V) -> V | None:
    """What the operands' own methods say; None where neither has one or wants to say."""
    sides = [(left, right), (right, left)]
    if right_goes_first(left, right):
        sides.reverse()
    return _ask_equality(it, op, sides)


def _ask_equality(it: Any, op: str, sides: list[tuple[V, V]]) -> V | None:
    if not sides:
        return None
    (base, other), *rest = sides
    if type(base.d) is not Instance:
        return _ask_equality(it, op, rest)
    own = it.lookup_special(base, "__ne__") if op == "!=" else None
    method = own if own is not None else it.lookup_special(base, "__eq__")
    if method is None:
        return _ask_equality(it, op, rest)
    given: V = it.call(method, [other], {})

    def others() -> V:
        value = _ask_equality(it, op, rest)
        return _by_identity(it, op, *sides[0]) if value is None else value

    if own is not None or op == "==":
        return unless_refused(it, given, others)
    kept = [o for o in options(given) if not is_refusal(o)]
    if len(kept) == len(options(given)):
        return it.unary("not", given)  # type: ignore[no-any-return]
    if not kept:
        return others()
    return it.each([V(False), V(True)], lambda refused: (  # type: ignore[no-any-return]
        others() if refused.d else it.unary("not", union(kept))
    ))  # fmt: skip


def _by_identity(it: Any, op: str, left: V, right: V) -> V:
    """The comparison where no method has anything to say."""
    t = equal(it, left, right)
    t = negate(t) if op == "!=" else t
    if t is Truth.UNKNOWN:
        return V(Unknown("a comparison of unknown values", "bool"))
    return V(t is Truth.TRUE)


def equal(it: Any, left: V, right: V) -> Truth:
    """``left == right`` without user-defined ``__eq__``."""
    a, b = left.d, right.d
    if type(a) is Instance and a.payload is not None:
        a = a.payload
    if type(b) is Instance and b.payload is not None:
        b = b.payload
    if type(a) in SCALAR_TYPES and type(b) in SCALAR_TYPES:
        return Truth.of(bool(a == b))
    if type(a) is Union or type(b) is Union:
        return _union_truth(it, equal, left, right)
    if type(a) is Unknown or type(b) is Unknown:
        return _equal_unknown(a, b)
    if type(a) is Family or type(b) is Family:
        return lifted_truth(lambda x, y: equal(it, x, y), V(a), V(b))
    if a is b:
        return _itself(a)
    if type(a) is External or type(b) is External:
        return it.equal_external(left, right)  # type: ignore[no-any-return]
    if type(a) is tuple and type(b) is tuple or type(a) is ListObj and type(b) is ListObj:
        return _equal_sequences(it, left, right)
    if type(a) is DictObj and type(b) is DictObj:
        return _equal_dicts(it, a, b)
    if type(a) is Instance and type(b) is Instance and a.cls is b.cls:
        fields = a.cls.facts.get("eq_fields")
        if fields is not None:
            out = Truth.TRUE
            for name in fields:
                x, y = a.attrs.get(name), b.attrs.get(name)
                t = Truth.UNKNOWN if x is None or y is None else it.truth(compare(it, "==", x, y))
                if t is Truth.FALSE:
                    return t
                out = t if t is Truth.UNKNOWN else out
            return out
    return Truth.UNKNOWN if _opaque(a) or _opaque(b) else Truth.FALSE


def _itself(d: Any) -> Truth:
    """Whether an object is itself: one that stands for several may be another of them."""
    several = cell_of(d)
    return Truth.UNKNOWN if several is not None and several.weak else Truth.TRUE


def _opaque(d: Any) -> bool:
    return type(d) is Instance and bool(d.cls.foreign)


def _equal_unknown(a: Any, b: Any) -> Truth:
    if type(a) is type(b) and (a.is_same(b) or a.same is not None and a.same == b.same):
        return Truth.TRUE
    if type(a) is not Unknown:
        a, b = b, a
    if type(b) in (int, float) and (
        a.lo is not None and b < a.lo or a.hi is not None and b > a.hi
    ):
        return Truth.FALSE
    if type(b) in (int, float) and a.lo is not None and a.lo == a.hi == b:
        return Truth.TRUE
    return Truth.UNKNOWN


def _equal_sequences(it: Any, left: V, right: V) -> Truth:
    if it.is_open(left) or it.is_open(right):
        return Truth.UNKNOWN
    xs, ys = it.iterate(left), it.iterate(right)
    if len(xs) != len(ys):
        return Truth.FALSE
    out = Truth.TRUE
    for x, y in zip(xs, ys, strict=True):
        t = it.truth(compare(it, "==", x, y))
        if t is Truth.FALSE:
            return t
        out = t if t is Truth.UNKNOWN else out
    return out


def _equal_dicts(it: Any, a: DictObj, b: DictObj) -> Truth:
    if (a.kind in MAPPINGS) != (b.kind in MAPPINGS):
        return Truth.FALSE
    if OPEN in a.data or OPEN in b.data:
        return Truth.UNKNOWN
    if any(_may_be_absent(value) for d in (a, b) for _, value in d.data.values()):
        return Truth.UNKNOWN
    if set(a.data) != set(b.data):
        return Truth.FALSE
    out = Truth.TRUE
    for key, (_, value) in a.data.items():
        t = it.truth(compare(it, "==", value, b.data[key][1]))
        if t is Truth.FALSE:
            return t
        out = t if t is Truth.UNKNOWN else out
    return out


def _may_be_absent(value: V) -> bool:
    return type(value.d) is Union and any(o.d is ABSENT for o in value.d.options)


def _union_truth(it: Any, op: Any, left: V, right: V) -> Truth:
    lefts = left.d.options if type(left.d) is Union else (left,)
    rights = right.d.options if type(right.d) is Union else (right,)
    found = {
        op(it, x, y) for x in lefts for y in rights if x.d is not ABSENT and y.d is not ABSENT
    }
    return found.pop() if len(found) == 1 else Truth.UNKNOWN


def identical(it: Any, left: V, right: V) -> Truth:
    """``left is right``."""
    a, b = left.d, right.d
    if type(a) is Union or type(b) is Union:
        return _union_truth(it, identical, left, right)
    if type(a) is Unknown or type(b) is Unknown:
        unknown, other = (a, b) if type(a) is Unknown else (b, a)
        if other is None and unknown.hint and unknown.hint != "None":
            return Truth.FALSE
        return Truth.UNKNOWN
    if type(a) is Family or type(b) is Family:
        return lifted_truth(lambda x, y: identical(it, x, y), left, right)
    if a is b:
        return _itself(a)
    if type(a) is External or type(b) is External:
        return it.equal_external(left, right)  # type: ignore[no-any-return]
    if a is None or b is None or type(a) is bool or type(b) is bool:
        return Truth.FALSE
    if type(a) is not type(b):
        return Truth.FALSE
    if type(a) in SCALAR_TYPES:
        return Truth.FALSE if not same(a, b) else Truth.TRUE if _shared(a) else Truth.UNKNOWN
    return Truth.UNKNOWN if type(a) is tuple and same(a, b) else Truth.FALSE


def _shared(d: Any) -> bool:
    """Whether equal values of CPython are one object: small integers, very short texts."""
    return type(d) is int and -5 <= d <= 256 or type(d) in (str, bytes) and len(d) < 2


def _order(it: Any, op: str, left: V, right: V) -> V:
    origin = merge(left.o, right.o)
    a, b = plain(left).d, plain(right).d
    sides = [(left, right, ORDER_SPECIAL[op]), (right, left, ORDER_SPECIAL[SWAPPED[op]])]
    if right_goes_first(left, right):
        sides.reverse()
    special = ask(it, sides, refused=False)
    if special is not None:
        return special
    if type(a) is Union or type(b) is Union:
        return each_pair(it, lambda x, y: _order(it, op, x, y), V(a, left.o), V(b, right.o))
    if type(a) is Unknown or type(b) is Unknown:
        t = _order_bounds(op, a, b)
        if t is not Truth.UNKNOWN:
            return V(t is Truth.TRUE, origin)
        hints = {d.hint if type(d) is Unknown else type(d).__name__ for d in (a, b)}
        if it.tries and not (hints <= {"int", "float", "bool"} or "tensor" in hints):
            it.may_throw("TypeError", f"'{op}' not supported between instances")
        return V(Unknown("a comparison of unknown values", "bool"), origin)
    if type(a) is DictObj and type(b) is DictObj and {a.kind, b.kind} <= SETS:
        t = _set_order(op, a, b)
        if t is not Truth.UNKNOWN:
            return V(t is Truth.TRUE, origin)
        return V(Unknown("an order of sets that are not known", "bool"), origin)
    try:
        return V(bool(ORDER[op](to_py(V(a)), to_py(V(b)))), origin)
    except NotConcrete:
        if it.tries:
            it.may_throw("TypeError", f"'{op}' not supported between instances")
        return V(Unknown("an order that is not known", "bool"), origin)
    except TypeError as error:
        it.throw("TypeError", str(error))
        raise AssertionError("unreachable") from error


def _set_order(op: str, a: DictObj, b: DictObj) -> Truth:
    """Whether one set holds the other: ``<=`` and ``<``, and the other way round."""
    if op in (">", ">="):
        return _set_order(SWAPPED[op], b, a)
    sure = {key for key, entry in a.data.items() if key is not OPEN
            and not _may_be_absent(entry[1])}  # fmt: skip
    if OPEN not in b.data and not sure <= set(b.data):
        return Truth.FALSE
    if any(OPEN in d.data or any(_may_be_absent(v) for _, v in d.data.values()) for d in (a, b)):
        return Truth.UNKNOWN
    return Truth.of(bool(ORDER[op](set(a.data), set(b.data))))


def _bounds(d: Any) -> tuple[float | None, float | None]:
    if type(d) is Unknown:
        return d.lo, d.hi
    if type(d) in (int, float, bool):
        return d, d
    return None, None


def _order_bounds(op: str, a: Any, b: Any) -> Truth:
    (alo, ahi), (blo, bhi) = _bounds(a), _bounds(b)
    if op in (">", ">="):
        return _order_bounds("<" if op == ">" else "<=", b, a)
    strict = op == "<"
    if ahi is not None and blo is not None and (ahi < blo or not strict and ahi == blo):
        return Truth.TRUE
    if alo is not None and bhi is not None and (alo > bhi or strict and alo == bhi):
        return Truth.FALSE
    return Truth.UNKNOWN
