"""Operators and truth over abstract values."""

from __future__ import annotations

import operator
from typing import Any

from mlapath.engine.attrs import class_lookup
from mlapath.engine.origins import content_origin
from mlapath.values.concrete import NotConcrete, from_py, key_of, to_py
from mlapath.values.join import same
from mlapath.values.objects import (
    OPEN,
    BoundMethod,
    ClassObj,
    DictObj,
    FuncObj,
    GeneratorObj,
    Instance,
    ListObj,
    ModuleObj,
    Native,
)
from mlapath.values.origin import merge
from mlapath.values.truth import Truth, negate
from mlapath.values.value import ABSENT, SCALAR_TYPES, External, Union, Unknown, V

BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "@": operator.matmul,
    "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_, "|": operator.or_,
    "^": operator.xor,
}  # fmt: skip
SPECIAL = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod",
    "**": "pow", "@": "matmul", "<<": "lshift", ">>": "rshift", "&": "and", "|": "or",
    "^": "xor",
}  # fmt: skip
ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
ORDER_SPECIAL = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
ALWAYS_TRUE = (FuncObj, BoundMethod, Native, ClassObj, ModuleObj, GeneratorObj)
MAX_BITS = 100_000


def truth(it: Any, value: V) -> Truth:
    """The truth value of any value."""
    d = value.d
    kind = type(d)
    if kind in SCALAR_TYPES or kind is tuple:
        return Truth.TRUE if d else Truth.FALSE
    if kind is Unknown:
        return _truth_of_unknown(it, d)
    if kind is ListObj:
        if d.open:
            return Truth.TRUE if d.items and d.extra is not None else Truth.UNKNOWN
        return Truth.TRUE if d.items else Truth.FALSE
    if kind is DictObj:
        if OPEN in d.data:
            return Truth.UNKNOWN
        if any(type(v.d) is Union and any(o.d is ABSENT for o in v.d.options)
               for _, v in d.data.values()):  # fmt: skip
            return Truth.UNKNOWN
        return Truth.TRUE if d.data else Truth.FALSE
    if kind is Instance:
        return _truth_of_instance(it, value, d)
    if kind is Union:
        found = {truth(it, o) for o in d.options if o.d is not ABSENT}
        return found.pop() if len(found) == 1 else Truth.UNKNOWN
    if kind in ALWAYS_TRUE:
        return Truth.TRUE
    if kind is External:
        return Truth.UNKNOWN if d.name.endswith("[]") else Truth.TRUE
    return Truth.UNKNOWN


def _truth_of_unknown(it: Any, d: Unknown) -> Truth:
    if d.lo is not None and d.lo > 0 or d.hi is not None and d.hi < 0:
        return Truth.TRUE
    if d.lo == 0 and d.hi == 0:
        return Truth.FALSE
    assumed = it.assumed.get(d)
    return Truth.UNKNOWN if assumed is None else assumed  # type: ignore[no-any-return]


def _truth_of_instance(it: Any, value: V, d: Instance) -> Truth:
    special = it.lookup_special(value, "__bool__")
    if special is not None:
        return truth(it, it.call(special, [], {}))
    if d.payload is not None:
        return truth(it, V(d.payload))
    special = it.lookup_special(value, "__len__")
    if special is not None:
        return truth(it, it.call(special, [], {}))
    known = it.instance_truth(value)
    if known is not None:
        return known  # type: ignore[no-any-return]
    return Truth.UNKNOWN if d.cls.foreign and not it.truthy_foreign(d.cls) else Truth.TRUE


def unary(it: Any, op: str, value: V) -> V:
    if op == "not":
        t = truth(it, value)
        if t is Truth.UNKNOWN:
            d = value.d
            if type(d) is Unknown:
                text = f"not {d.text}" if d.text else ""
                return V(d.derived("not", Unknown(d.why, "bool", text=text)), value.o)
            return V(Unknown("the negation of an unknown value", "bool"), value.o)
        return V(t is Truth.FALSE, content_origin(value))
    d = value.d.payload if type(value.d) is Instance and value.d.payload is not None else value.d
    if type(d) in (bool, int, float, complex):
        table = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
        return V(table[op](d), value.o)
    if type(d) is Instance:
        name = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}[op]
        special = it.lookup_special(value, name)
        if special is not None:
            return it.call(special, [], {})  # type: ignore[no-any-return]
    if type(d) is Unknown:
        low, high = (None if x is None else -x for x in (d.hi, d.lo))
        bounds = (low, high) if op == "-" else (d.lo, d.hi) if op == "+" else (None, None)
        return V(Unknown(d.why, d.hint, d.lib, *bounds), value.o)
    if op == "-" and type(d) in (str, tuple, type(None), ListObj, DictObj):
        it.throw("TypeError", f"bad operand type for unary {op}: '{it.type_name(value)}'")
    return V(Unknown(f"unary {op} of a {it.type_name(value)}"), value.o)


def _plain(value: V) -> V:
    d = value.d
    if type(d) is Instance and d.payload is not None:
        return V(d.payload, value.o)
    return value


KNOWN_OPERANDS = (tuple, ListObj, DictObj, type(None), str, bytes, int, float, bool, FuncObj)
REFUSED = V(External("NotImplemented"))


def binop(it: Any, op: str, left: V, right: V) -> V:
    a, b = left.d, right.d
    if type(a) in SCALAR_TYPES and type(b) in SCALAR_TYPES:
        return _scalars(it, op, left, right)
    origin = merge(left.o, right.o)
    if type(a) is Instance or type(b) is Instance:
        special = _special(it, op, left, right)
        if special is not None and special is not REFUSED:
            return special
        if type(_plain(left).d) is not Instance and type(_plain(right).d) is not Instance:
            return binop(it, op, _plain(left), _plain(right))
        if special is REFUSED:
            _unsupported(it, op, left, right)
        return V(it.hinted_binop(op, left, right), origin)
    if type(a) is Union or type(b) is Union:
        return _each(it, lambda x, y: binop(it, op, x, y), left, right)
    if type(a) is Unknown or type(b) is Unknown or type(a) is External or type(b) is External:
        if op == "%" and type(a) is str:
            return V(Unknown("a format of unknown values", "str"), origin)
        return V(it.hinted_binop(op, left, right), origin)
    return _containers(it, op, left, right, origin)


def _scalars(it: Any, op: str, left: V, right: V) -> V:
    a, b = left.d, right.d
    if op in ("**", "<<") and type(a) is int and type(b) is int and (
        b > MAX_BITS or op == "**" and abs(a) > 1 and b * a.bit_length() > MAX_BITS
    ):  # fmt: skip
        return V(Unknown("a number too large to compute", "int"), merge(left.o, right.o))
    if (
        op == "*"
        and type(a) is not type(b)
        and (type(a) in (str, bytes) or type(b) in (str, bytes))
    ):
        count = b if type(a) in (str, bytes) else a
        if type(count) is int and count > MAX_BITS:
            return V(Unknown("a string too long to build", "str"), merge(left.o, right.o))
    try:
        return V(BINARY[op](a, b), merge(left.o, right.o))
    except (TypeError, ZeroDivisionError, ValueError, OverflowError) as error:
        it.throw(type(error).__name__, str(error))
        raise AssertionError("unreachable") from error


def _unsupported(it: Any, op: str, left: V, right: V) -> None:
    it.throw("TypeError", f"unsupported operand type(s) for {op}: '{it.type_name(left)}' and "
             f"'{it.type_name(right)}'")  # fmt: skip


def _special(it: Any, op: str, left: V, right: V) -> V | None:
    """What the operands' methods give; REFUSED where each that may have one says no."""
    name = SPECIAL[op]
    refused = True
    for base, other, special in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
        if type(base.d) is Instance:
            method = it.lookup_special(base, special)
            if method is not None:
                result: V = it.call(method, [other], {})
                if not (type(result.d) is External and result.d.name == "NotImplemented"):
                    return result
            else:
                refused = False
        elif type(base.d) not in KNOWN_OPERANDS:
            refused = False
    return REFUSED if refused else None


def _containers(it: Any, op: str, left: V, right: V, origin: Any) -> V:
    a, b = left.d, right.d
    if op == "%" and type(a) is str:
        try:
            return V(a % to_py(right), origin)
        except NotConcrete:
            return V(Unknown("a format of unknown values", "str"), origin)
        except (TypeError, ValueError) as error:
            it.throw(type(error).__name__, str(error))
    if op == "+" and type(a) is tuple and type(b) is tuple:
        return V(a + b, origin)
    if op == "+" and type(a) is ListObj and type(b) is ListObj:
        made = it.heap.list([*a.items, *b.items])
        if a.open or b.open:
            it.heap.open_list(made, a.open or b.open)
        return V(made, origin)
    if op == "*" and type(a) is int:
        a, b, left, right = b, a, right, left
    if op == "*" and type(b) is int and type(a) in (tuple, ListObj):
        count = len(a if type(a) is tuple else a.items)
        if count * b > MAX_BITS:
            return V(Unknown("a sequence too long to build", it.type_name(left)), origin)
        if type(a) is tuple:
            return V(a * b, origin)
        made = it.heap.list(a.items * b)
        if a.open:
            it.heap.open_list(made, a.open)
        return V(made, origin)
    if type(a) is DictObj and type(b) is DictObj and op in ("|", "&", "-", "^"):
        return it.dict_op(op, left, right)  # type: ignore[no-any-return]
    if op == "|" and (type(a) in (ClassObj, type(None)) or type(b) in (ClassObj, type(None))):
        return V(it.union_type([left, right]), origin)
    if type(a) in KNOWN_OPERANDS and type(b) in KNOWN_OPERANDS:
        _unsupported(it, op, left, right)
    return V(Unknown(f"{it.type_name(left)} {op} {it.type_name(right)}"), origin)


def inplace(it: Any, op: str, left: V, right: V) -> V:
    """``left op= right``: lists, sets and dicts change in place."""
    a = left.d
    if type(a) is ListObj and op == "+":
        items = it.iterate(right)
        if items is None or it.is_open(right):
            it.heap.open_list(a, "extended by an unknown iterable")
        it.heap.items_for_write(a).extend(items or ())
        return left
    if type(a) is DictObj and op in ("|", "&", "-", "^"):
        it.dict_inplace(op, left, right)
        return left
    if type(a) is Instance:
        special = it.lookup_special(left, f"__i{SPECIAL[op]}__")
        if special is not None:
            return it.call(special, [right], {})  # type: ignore[no-any-return]
    return binop(it, op, left, right)


def _each(it: Any, op: Any, left: V, right: V) -> V:
    lefts = [o for o in left.d.options if o.d is not ABSENT] if type(left.d) is Union else [left]
    rights = (
        [o for o in right.d.options if o.d is not ABSENT] if type(right.d) is Union else [right]
    )
    pairs = [V((x, y), merge(x.o, y.o)) for x in lefts for y in rights]
    joined: V = it.each(pairs, lambda pair: op(pair.d[0], pair.d[1]))
    return V(joined.d, merge(left.o, right.o))


def compare(it: Any, op: str, left: V, right: V) -> V:
    """One comparison, as a bool or an unknown bool."""
    if op in ("is", "is not"):
        t = identical(it, left, right)
    elif op in ("==", "!="):
        special = _equality_special(it, op, left, right)
        if special is not None:
            return special
        t = equal(it, left, right)
    elif op in ("in", "not in"):
        t = contains(it, right, left)
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
    for base, other in ((left, right), (right, left)):
        if type(base.d) is Instance:
            if op == "!=":
                method = it.lookup_special(base, "__ne__")
                if method is not None:
                    differs: V = it.call(method, [other], {})
                    if type(differs.d) is External and differs.d.name == "NotImplemented":
                        continue
                    return differs
            method = it.lookup_special(base, "__eq__")
            if method is not None:
                result: V = it.call(method, [other], {})
                if type(result.d) is External and result.d.name == "NotImplemented":
                    continue
                return unary(it, "not", result) if op == "!=" else result
    return None


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
    if a is b:
        return Truth.TRUE
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


def _opaque(d: Any) -> bool:
    return type(d) is Instance and bool(d.cls.foreign)


def _equal_unknown(a: Any, b: Any) -> Truth:
    if type(a) is type(b) and a.same is not None and a.same == b.same:
        return Truth.TRUE
    if type(a) is not Unknown:
        a, b = b, a
    if type(b) in (int, float) and (
        a.lo is not None and b < a.lo or a.hi is not None and b > a.hi
    ):
        return Truth.FALSE
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
    if OPEN in a.data or OPEN in b.data:
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
    if a is b:
        return Truth.TRUE
    if type(a) is External or type(b) is External:
        return it.equal_external(left, right)  # type: ignore[no-any-return]
    if a is None or b is None or type(a) is bool or type(b) is bool:
        return Truth.FALSE
    if type(a) in SCALAR_TYPES and type(b) in SCALAR_TYPES:
        return Truth.of(type(a) is type(b) and a == b)
    if type(a) is tuple and type(b) is tuple:
        return Truth.TRUE if same(a, b) else Truth.UNKNOWN
    return Truth.FALSE


def contains(it: Any, container: V, item: V) -> Truth:
    """``item in container``."""
    d = container.d
    kind = type(d)
    if kind is Instance:
        special = it.lookup_special(container, "__contains__")
        if special is not None:
            return truth(it, it.call(special, [item], {}))
        if d.payload is not None:
            return contains(it, V(d.payload), item)
    if kind is ClassObj and d.meta is not None:
        found = class_lookup(d.meta, "__contains__")
        if found is not None:
            return truth(it, it.call(it.bind(found[0], container, d.meta), [item], {}))
    if kind is Union:
        found = {contains(it, o, item) for o in d.options if o.d not in (ABSENT, None)}
        return found.pop() if len(found) == 1 else Truth.UNKNOWN
    if kind is DictObj:
        return _in_dict(it, d, item)
    if kind is str:
        text = _plain(item).d
        if type(text) is str:
            return Truth.of(text in d)
        return Truth.UNKNOWN
    if kind is range and type(item.d) is int:
        return Truth.of(item.d in d)
    if kind is Unknown or kind is External:
        return Truth.UNKNOWN
    if d is None or kind in (bool, int, float):
        it.throw("TypeError", f"argument of type '{it.type_name(container)}' is not iterable")
    if type(item.d) is Union:
        found = {contains(it, container, o) for o in item.d.options if o.d is not ABSENT}
        return found.pop() if len(found) == 1 else Truth.UNKNOWN
    items = it.iterate(container)
    if items is None:
        return Truth.UNKNOWN
    opened = it.is_open(container)
    out = Truth.UNKNOWN if opened else Truth.FALSE
    for x in items:
        t = identical(it, x, item) if x.d is item.d else it.truth(compare(it, "==", x, item))
        if t is Truth.TRUE:
            return Truth.UNKNOWN if opened else t
        if t is Truth.UNKNOWN:
            out = t
    return out


def _in_dict(it: Any, d: DictObj, item: V) -> Truth:
    key = key_of(item)
    if key is None:
        if type(item.d) is Union:
            found = {_in_dict(it, d, o) for o in item.d.options}
            return found.pop() if len(found) == 1 else Truth.UNKNOWN
        return Truth.UNKNOWN if d.data else Truth.FALSE
    pair = d.data.get(key)
    if pair is None:
        return Truth.UNKNOWN if OPEN in d.data else Truth.FALSE
    value = pair[1].d
    if type(value) is Union and any(o.d is ABSENT for o in value.options):
        return Truth.UNKNOWN
    return Truth.TRUE


def _order(it: Any, op: str, left: V, right: V) -> V:
    origin = merge(left.o, right.o)
    a, b = _plain(left).d, _plain(right).d
    for base, other, o in ((left, right, op), (right, left, SWAPPED[op])):
        if type(base.d) is Instance:
            method = it.lookup_special(base, ORDER_SPECIAL[o])
            if method is not None:
                result: V = it.call(method, [other], {})
                if not (type(result.d) is External and result.d.name == "NotImplemented"):
                    return result
    if type(a) is Union or type(b) is Union:
        return _each(it, lambda x, y: _order(it, op, x, y), V(a, left.o), V(b, right.o))
    if type(a) is Unknown or type(b) is Unknown:
        t = _order_bounds(op, a, b)
        if t is not Truth.UNKNOWN:
            return V(t is Truth.TRUE, origin)
        return V(Unknown("a comparison of unknown values", "bool"), origin)
    try:
        return V(bool(ORDER[op](to_py(V(a)), to_py(V(b)))), origin)
    except NotConcrete:
        return V(Unknown("an order that is not known", "bool"), origin)
    except TypeError as error:
        if type(a) in SCALAR_TYPES and type(b) in SCALAR_TYPES:
            it.throw("TypeError", str(error))
        return V(Unknown("an order that is not known", "bool"), origin)


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


__all__ = ["binop", "compare", "contains", "equal", "from_py", "identical", "inplace", "truth",
           "unary"]  # fmt: skip
