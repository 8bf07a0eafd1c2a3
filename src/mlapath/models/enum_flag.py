"""Flags: members made of bits, their operators and pseudo-members (CPython 3.12)."""

from __future__ import annotations

import operator
from typing import Any

from mlapath.models.class_tools import fact, text_or_unknown
from mlapath.models.enum_body import maps
from mlapath.models.enum_lookup import invalid
from mlapath.values.objects import OPEN, ClassObj, Instance
from mlapath.values.origin import merge
from mlapath.values.value import External, Unknown, V

OPERATORS = {"or": operator.or_, "and": operator.and_, "xor": operator.xor}
NOT_IMPLEMENTED = External("NotImplemented")


def bits_of(value: V) -> int | None:
    """The value of a flag, or None where it is not known."""
    d = value.d
    own = d.attrs.get("_value_") if type(d) is Instance else value
    return own.d if own is not None and type(own.d) in (int, bool) else None


def _named(cls: ClassObj) -> list[tuple[str, int]] | None:
    """The single-bit members in order; None where a member is not known."""
    names, by_name, _ = maps(cls)
    if names.open or OPEN in by_name.data:
        return None
    out: list[tuple[str, int]] = []
    for name in names.items:
        bits = bits_of(by_name.data[name.d][1])
        if bits is None:
            return None
        out.append((name.d, bits))
    return out


def _mask(cls: ClassObj) -> int | None:
    mask = 0
    for _, member in maps(cls)[1].data.values():
        bits = bits_of(member)
        if bits is None:
            return None
        mask |= bits
    return mask


def _boundary(cls: ClassObj) -> str:
    chosen = fact(cls, "boundary")
    if chosen is None:
        return "KEEP" if cls.payload is int else "STRICT"
    return str(chosen.d.rpartition(".")[2]) if type(chosen.d) is str else "STRICT"


def missing(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Flag._missing_``: the pseudo-member of several bits."""
    cls: ClassObj = args[0].d
    value = args[1]
    bits = bits_of(value)
    singles, mask = _named(cls), _mask(cls)
    if singles is None or mask is None or type(value.d) is Unknown:
        return V(Unknown("a combination of flags"), value.o)
    if bits is None:
        invalid(it, cls, value)
        raise AssertionError("unreachable")
    whole = (1 << mask.bit_length()) - 1
    boundary = _boundary(cls)
    if not ~whole <= bits <= whole or bits & (whole ^ mask) and bits >= 0:
        if boundary == "STRICT":
            invalid(it, cls, value)
        if boundary == "EJECT":
            return V(bits, value.o)
        if boundary == "CONFORM":
            bits &= mask
        elif bits < 0:
            bits += max(whole + 1, 1 << bits.bit_length())
    if bits < 0:
        bits = whole + 1 + bits if boundary == "KEEP" else mask & bits
    return pseudo(it, cls, bits)


def pseudo(it: Any, cls: ClassObj, bits: int) -> V:
    """The one member object for these bits."""
    table = maps(cls)[2]
    if bits in table.data:
        member: V = table.data[bits][1]
        return member
    names, rest = [], bits
    for name, single in _named(cls) or ():
        if bits & single:
            names.append(name)
            rest &= ~single
    made = Instance(cls, it.heap.cell(), bits if cls.payload is int else None)
    title = "|".join([*names, str(rest)] if rest and names else names)
    made.attrs.update({
        "_value_": V(bits), "_name_": V(title or None), "__objclass__": V(cls),
    })  # fmt: skip
    it.heap.put(table.data, bits, (V(bits), V(made)))
    return V(made)


def binary(op: str) -> Any:
    """``| & ^`` of flags."""
    compute = OPERATORS[op]

    def method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        left, right = args
        cls: ClassObj = left.d.cls
        origin = merge(left.o, right.o)
        if type(right.d) is Unknown:
            return V(Unknown(right.d.why, text=right.d.text), origin)
        same = type(right.d) is Instance and right.d.cls is cls
        if not same and not (cls.payload is int and bits_of(right) is not None):
            return V(NOT_IMPLEMENTED)
        a, b = bits_of(left), bits_of(right)
        if a is None or b is None:
            return V(Unknown("an operation on flags that are not known"), origin)
        result = it.call(V(cls), [V(compute(a, b))], {})
        return V(result.d, origin)

    return method


def invert(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``~flag``: the bits of the other members (with KEEP, of the whole width)."""
    cls: ClassObj = args[0].d.cls
    bits, mask, singles = bits_of(args[0]), _mask(cls), _named(cls)
    if bits is None or mask is None or singles is None:
        return V(Unknown("the complement of flags that are not known"), args[0].o)
    if _boundary(cls) in ("EJECT", "KEEP"):
        value = ~bits
    else:
        known = 0
        for _, single in singles:
            known |= single
        value = known & ~bits
    result = it.call(V(cls), [V(value)], {})
    return V(result.d, args[0].o)


def contains(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``flag in flags``."""
    whole, part = args
    if type(part.d) is not Instance or part.d.cls is not whole.d.cls:
        if type(part.d) is Unknown:
            return V(Unknown(part.d.why, "bool"), part.o)
        it.throw("TypeError", "unsupported operand type(s) for 'in'")
    a, b = bits_of(whole), bits_of(part)
    origin = merge(whole.o, part.o)
    if a is None or b is None:
        return V(Unknown("membership of a flag that is not known", "bool"), origin)
    return V(a & b == b, origin)


def members_in(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """Iteration over a flag: its single-bit members in order of definition."""
    cls: ClassObj = args[0].d.cls
    bits, singles = bits_of(args[0]), _named(cls)
    if bits is None or singles is None:
        return V(Unknown("the members of a flag that is not known", "list"), args[0].o)
    by_name = maps(cls)[1]
    return V(it.heap.list([by_name.data[name][1] for name, bit in singles if bits & bit]))


def length(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``len(flag)``: how many bits are set."""
    bits = bits_of(args[0])
    if bits is None:
        return V(Unknown("the length of a flag that is not known", "int", lo=0), args[0].o)
    return V(bits.bit_count(), args[0].o)


def truth(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``bool(flag)``."""
    bits = bits_of(args[0])
    if bits is None:
        return V(Unknown("a flag that is not known", "bool"), args[0].o)
    return V(bits != 0, args[0].o)


def representation(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``repr(flag)``."""
    attrs, cls = args[0].d.attrs, args[0].d.cls
    value = it.format_value(attrs["_value_"], "r", "")
    name = attrs["_name_"].d
    title = cls.name if name is None else f"{cls.name}.{name}"
    return text_or_unknown(value and f"<{title}: {value}>", "repr of a flag", args[0])


def text(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``str(flag)``."""
    attrs, cls = args[0].d.attrs, args[0].d.cls
    if attrs["_name_"].d is not None:
        return V(f"{cls.name}.{attrs['_name_'].d}", args[0].o)
    value = it.format_value(attrs["_value_"], "r", "")
    return text_or_unknown(value and f"{cls.name}({value})", "str of a flag", args[0])


METHODS = {
    **{f"__{name}__": binary(name) for name in OPERATORS},
    **{f"__r{name}__": binary(name) for name in OPERATORS},
    "__invert__": invert, "__contains__": contains, "__iter__": members_in, "__len__": length,
    "__bool__": truth, "__repr__": representation, "__str__": text,
}  # fmt: skip
