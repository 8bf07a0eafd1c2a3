"""Operators and truth over abstract values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from mlapath.engine.origins import content_origin
from mlapath.engine.relations import made_of
from mlapath.engine.text_format import percent
from mlapath.engine.uniform import lifted, lifted_truth
from mlapath.values.family import Family, has_family
from mlapath.values.heap import NOTHING
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
from mlapath.values.truth import Truth
from mlapath.values.union import options
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
    if kind is Family:
        return lifted_truth(lambda x: truth(it, x), value)
    return Truth.UNKNOWN


def _truth_of_unknown(it: Any, d: Unknown) -> Truth:
    if d.lo is not None and d.lo > 0 or d.hi is not None and d.hi < 0:
        return Truth.TRUE
    if d.lo == 0 and d.hi == 0:
        return Truth.FALSE
    assumed: Truth | None = it.assumed.get(d, it.assumed.get(d.root))
    return Truth.UNKNOWN if assumed is None else assumed


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
    if type(value.d) is Union:
        found = [o for o in value.d.options if o.d is not ABSENT]
        return it.each(found, lambda o: unary(it, op, o))  # type: ignore[no-any-return]
    d = value.d.payload if type(value.d) is Instance and value.d.payload is not None else value.d
    if type(d) is Family:
        return lifted(it, lambda x: unary(it, op, x), value)
    if type(d) in (bool, int, float, complex):
        table: dict[str, Any] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
        if op != "~" or type(d) in (bool, int):
            return V(table[op](d), value.o)
    if type(d) is Instance:
        name = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}[op]
        special = it.lookup_special(value, name)
        if special is not None:
            return it.call(special, [], {})  # type: ignore[no-any-return]
    if type(d) is Unknown:
        if d.hint not in ("int", "bool", "float", "tensor"):
            it.may_throw("TypeError", f"bad operand type for unary {op}")
        low, high = (None if x is None else -x for x in (d.hi, d.lo))
        bounds = (low, high) if op == "-" else (d.lo, d.hi) if op == "+" else (None, None)
        return V(Unknown(d.why, d.hint, d.lib, *bounds), value.o)
    if type(d) in REFUSING:
        it.throw("TypeError", f"bad operand type for unary {op}: '{it.type_name(value)}'")
    return V(Unknown(f"unary {op} of a {it.type_name(value)}"), value.o)


def plain(value: V) -> V:
    """What an instance of a subclass of a builtin holds; other values as they are."""
    d = value.d
    if type(d) is Instance and d.payload is not None:
        return V(d.payload, value.o)
    return value


REFUSING = (str, bytes, range, float, complex, type(None), type(...), tuple, ListObj, DictObj)
KNOWN_OPERANDS = (
    tuple, ListObj, DictObj, type(None), type(...), str, bytes, int, float, complex, bool, range,
    FuncObj,
)  # fmt: skip
REFUSED = V(External("NotImplemented"))


def binop(it: Any, op: str, left: V, right: V) -> V:
    a, b = left.d, right.d
    if type(a) in SCALAR_TYPES and type(b) in SCALAR_TYPES:
        return _scalars(it, op, left, right)
    origin = merge(left.o, right.o)
    if has_family(left) or has_family(right):
        return lifted(it, lambda x, y: binop(it, op, x, y), left, right)
    if op == "%" and type(a) is str:
        return percent(it, a, right, origin)
    if type(a) is Instance or type(b) is Instance:
        special = _special(it, op, left, right)
        if special is not None and special is not REFUSED:
            return special
        if type(plain(left).d) is not Instance and type(plain(right).d) is not Instance:
            return binop(it, op, plain(left), plain(right))
        if special is REFUSED:
            _unsupported(it, op, left, right)
        return V(it.hinted_binop(op, left, right), origin)
    if type(a) is Union or type(b) is Union:
        return each_pair(it, lambda x, y: binop(it, op, x, y), left, right)
    if type(a) is Unknown or type(b) is Unknown or type(a) is External or type(b) is External:
        if op == "*" and ListObj in (type(a), type(b)):
            repeated = _repeated(it, a, b)
            if repeated is not None:
                return V(repeated, origin)
        if op == "-" and type(a) is Unknown and type(b) is Unknown and a.is_same(b):
            return V(0, origin)
        if it.tries:
            _may_fail(it, op, a, b)
        unknown = it.hinted_binop(op, left, right)
        made_of(op, left, right, unknown)
        return V(unknown, origin)
    return _containers(it, op, left, right, origin)


def _repeated(it: Any, a: Any, b: Any) -> ListObj | None:
    """A list repeated so many times as nobody knows; None where it may be something else."""
    items, count = (a, b) if type(a) is ListObj else (b, a)
    if type(count) is not Unknown or count.hint not in ("int", "bool"):
        return None
    made: ListObj = it.heap.list([])
    if items.open:
        it.heap.open_list(made, str(items.open))
    for item in items.items:
        it.heap.open_list(made, "a list repeated an unknown number of times", item)
    return made


def _may_fail(it: Any, op: str, a: Any, b: Any) -> None:
    """Arithmetic with an unknown operand fails for operands of other types, or of value 0."""
    hints = {d.hint if type(d) is Unknown else type(d).__name__ for d in (a, b)}
    if "tensor" in hints:
        return
    names = () if hints <= {"int", "float", "bool"} or hints == {"str"} else ("TypeError",)
    if op in ("/", "//", "%"):
        lo = b.lo if type(b) is Unknown else b if type(b) in (int, float) else None
        if lo is None or lo <= 0:
            names = (*names, "ZeroDivisionError")
    if names:
        it.may_raise_of(names, V(f"operands of {op}"))


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
    sides = [(left, right, f"__{name}__"), (right, left, f"__r{name}__")]
    if right_goes_first(left, right, f"__r{name}__"):
        sides.reverse()
    return ask(it, sides, refused=True)


def ask(it: Any, sides: list[tuple[V, V, str]], *, refused: bool) -> V | None:
    """Ask the methods in order, until one does not give NotImplemented."""
    if not sides:
        return REFUSED if refused else None
    (base, other, special), *rest = sides
    method = it.lookup_special(base, special) if type(base.d) is Instance else None
    if method is None:
        known = type(base.d) in KNOWN_OPERANDS
        return ask(it, rest, refused=refused and known)
    result: V = it.call(method, [other], {})
    return unless_refused(it, result, lambda: ask(it, rest, refused=refused))


def unless_refused(it: Any, result: V, others: Callable[[], V | None]) -> V | None:
    """The result of a method, or what ``others`` give where it is NotImplemented.

    Where it may be either, in an alternative each.
    """
    refusals = [o for o in options(result) if is_refusal(o)]
    if not refusals:
        return result
    given = [o for o in options(result) if not is_refusal(o)]
    if not given:
        return others()

    def side(refused: V) -> V:
        value = others() if refused.d else it.union(given)
        return V(Unknown("an operation that both operands may refuse")) if value is None else value

    joined: V = it.each([V(False), V(True)], side)
    return joined


def is_refusal(value: V) -> bool:
    return type(value.d) is External and value.d.name == "NotImplemented"


def right_goes_first(left: V, right: V, method: str = "") -> bool:
    """Whether the right operand is asked first.

    Its class derives from the left one's; of operators, it also has ``method`` differently.
    """
    a, b = left.d, right.d
    if type(a) is not Instance or type(b) is not Instance or a.cls is b.cls:
        return False
    return a.cls in b.cls.mro and (not method or _own(b.cls, method) is not _own(a.cls, method))


def _own(cls: ClassObj, special: str) -> Any:
    return next((c.ns[special].d for c in cls.mro if special in c.ns), None)


def _containers(it: Any, op: str, left: V, right: V, origin: Any) -> V:
    a, b = left.d, right.d
    if op == "+" and type(a) is tuple and type(b) is tuple:
        return V(a + b, origin)
    if op == "+" and type(a) is ListObj and type(b) is ListObj:
        opened = a.open or b.open
        if not opened:
            return V(it.heap.list([*a.items, *b.items]), origin)
        made = it.heap.list([*it.candidates(left), *it.candidates(right)])
        it.heap.open_list(made, opened, NOTHING)
        return V(made, origin)
    if op == "*" and type(a) in (int, bool):
        a, b, left, right = b, a, right, left
    if op == "*" and type(b) in (int, bool) and type(a) in (tuple, ListObj):
        count = len(a if type(a) is tuple else a.items)
        if count * b > MAX_BITS:
            return V(Unknown("a sequence too long to build", it.type_name(left)), origin)
        if type(a) is tuple:
            return V(a * b, origin)
        if not a.open:
            return V(it.heap.list(a.items * b), origin)
        made = it.heap.list(it.candidates(left))
        it.heap.open_list(made, a.open, NOTHING)
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
    if type(a) is Union:
        found = [o for o in a.options if o.d is not ABSENT]
        return it.each(found, lambda o: inplace(it, op, o, right))  # type: ignore[no-any-return]
    if type(a) is Unknown:
        it.may_change(left)
    if type(a) is ListObj and op == "+":
        it.call(it.getattr(left, "extend"), [right], {})
        return left
    if type(a) is ListObj and op == "*":
        made = binop(it, op, left, right)
        if type(made.d) is ListObj:
            it.heap.put(a.cell, "items", list(made.d.items))
            it.heap.put(a.cell, "open", made.d.cell.get("open", ""))
        else:
            it.heap.open_list(a, "repeated an unknown number of times", NOTHING)
        return left
    if type(a) is DictObj and op in ("|", "&", "-", "^"):
        it.dict_inplace(op, left, right)
        return left
    if type(a) is Instance:
        special = it.lookup_special(left, f"__i{SPECIAL[op]}__")
        if special is not None:
            result: V = it.call(special, [right], {})
            return unless_refused(it, result, lambda: binop(it, op, left, right)) or result
    return binop(it, op, left, right)


def each_pair(it: Any, op: Any, left: V, right: V) -> V:
    """``op`` of every pair of the operands' alternatives, each on its own state; joined."""
    lefts = [o for o in left.d.options if o.d is not ABSENT] if type(left.d) is Union else [left]
    rights = (
        [o for o in right.d.options if o.d is not ABSENT] if type(right.d) is Union else [right]
    )
    pairs = [V((x, y), merge(x.o, y.o)) for x in lefts for y in rights]
    joined: V = it.each(pairs, lambda pair: op(pair.d[0], pair.d[1]))
    return V(joined.d, merge(left.o, right.o))
