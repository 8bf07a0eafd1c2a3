"""What is known of unknown values by their type hint: attributes, items, arithmetic."""

from __future__ import annotations

from typing import Any

from mlapath.engine.attrs import class_lookup
from mlapath.values.objects import ClassObj, Descriptor, DictObj, Instance, ListObj, Native
from mlapath.values.value import Union, Unknown, V

NUMBERS = ("int", "float", "bool")


def hinted_attr(it: Any, base: V, d: Unknown, attr: str) -> V | None:
    """A method of an unknown value whose type is known."""
    if d.hint in ("str", "int", "float", "list", "dict", "tuple", "bool", "set", "bytes"):
        real = getattr({"str": str, "int": int, "float": float, "list": list, "dict": dict,
                        "tuple": tuple, "bool": bool, "set": set, "bytes": bytes}[d.hint],
                       attr, None)  # fmt: skip
        if real is None:
            return None
        hint = _METHODS.get((d.hint, attr), "")

        def method(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
            for a in args:
                engine.trace.escape(a)
            return V(Unknown(f"{attr}() of an unknown {d.hint}", hint, lib=d.lib), base.o)

        return V(Native(attr, method))
    return None


_TEXT = ("lower", "upper", "strip", "lstrip", "rstrip", "replace", "title", "capitalize",
         "casefold", "removeprefix", "removesuffix", "join", "ljust", "rjust", "center", "zfill",
         "expandtabs", "swapcase", "translate")  # fmt: skip
_ASKED = ("startswith", "endswith", "isdigit", "isspace", "isalpha", "isalnum", "isupper",
          "islower", "istitle", "isascii")  # fmt: skip
_METHODS = {
    **{(kind, name): kind for kind in ("str", "bytes") for name in _TEXT},
    **{(kind, name): "bool" for kind in ("str", "bytes") for name in _ASKED},
    **{(kind, name): "list" for kind in ("str", "bytes")
       for name in ("split", "rsplit", "splitlines")},
    **{(kind, name): "tuple" for kind in ("str", "bytes") for name in ("partition", "rpartition")},
    **{(kind, name): "int" for kind in ("str", "bytes", "list", "tuple")
       for name in ("index", "count")},
    ("str", "encode"): "bytes", ("bytes", "decode"): "str", ("bytes", "hex"): "str",
    ("str", "find"): "int", ("str", "rfind"): "int", ("str", "format"): "str",
    ("dict", "items"): "list", ("dict", "keys"): "list", ("dict", "values"): "list",
    ("int", "bit_length"): "int", ("float", "is_integer"): "bool", ("list", "copy"): "list",
    ("dict", "copy"): "dict", ("set", "copy"): "set",
}  # fmt: skip
"""(type, method) -> the type of what it returns; the others' results are of any type."""


def hinted_item(it: Any, base: V, d: Unknown, index: V) -> V | None:
    """An item of an unknown value whose type is known."""
    if d.hint == "str":
        return V(Unknown(d.why, "str", d.lib), base.o)
    return None


def hinted_items(it: Any, value: V, d: Unknown) -> list[V] | None:
    """The items of an unknown value, where even they are known."""
    return None


def hinted_binop(it: Any, op: str, left: V, right: V) -> Unknown:
    """Arithmetic with an unknown operand."""
    a, b = left.d, right.d
    why = next((d.why for d in (a, b) if type(d) is Unknown), "arithmetic with an unknown value")
    hint = ""
    hints = {_hint(a), _hint(b)}
    if hints <= set(NUMBERS):
        hint = "float" if "float" in hints or op == "/" else "int"
    elif hints == {"str"}:
        hint = "str"
    low, high = _bounds(op, a, b)
    lib = next((d.lib for d in (a, b) if type(d) is Unknown and d.lib), "")
    return Unknown(why, hint, lib if not hint else "", low, high)


def _hint(d: Any) -> str:
    if type(d) is Unknown:
        return d.hint
    return type(d).__name__


def _range(d: Any) -> tuple[float | None, float | None]:
    if type(d) is Unknown:
        return d.lo, d.hi
    if type(d) in (int, float, bool):
        return d, d
    if type(d) is Instance and type(d.payload) in (int, float):
        return d.payload, d.payload
    return None, None


def _bounds(op: str, a: Any, b: Any) -> tuple[float | None, float | None]:
    (alo, ahi), (blo, bhi) = _range(a), _range(b)
    if op == "+":
        return _sum(alo, blo), _sum(ahi, bhi)
    if op == "-":
        return _sum(alo, None if bhi is None else -bhi), _sum(ahi, None if blo is None else -blo)
    if (
        op in ("*", "//", "/", "%")
        and alo is not None
        and blo is not None
        and alo >= 0
        and blo >= 0
    ):
        if op == "*":
            return alo * blo, None if ahi is None or bhi is None else ahi * bhi
        if op == "%":
            return 0, None if bhi is None else bhi
        whole = _hint(b) in ("int", "bool") or blo >= 1  # dividing by less than 1 makes it larger
        return 0, ahi if whole else None
    return None, None


def _sum(x: float | None, y: float | None) -> float | None:
    return None if x is None or y is None else x + y


def class_of(it: Any, value: V) -> Any:
    """The class of a value, or None where it is not known."""
    d = value.d
    kind = type(d)
    if kind is Instance:
        return d.cls
    if kind is ListObj:
        return it.builtins["list"].d
    if kind is DictObj:
        name = {"defaultdict": "dict"}.get(d.kind, d.kind)
        return it.builtins[name].d
    if kind is Unknown:
        found = it.builtins.get(d.hint) if d.hint else None
        return found.d if found is not None and d.hint in ("int", "str", "float", "bool", "list",
                                                           "dict", "tuple") else None  # fmt: skip
    if kind is Union:
        return None
    if kind is ClassObj and d.meta is not None:
        return d.meta
    if kind is Descriptor:
        found = it.builtins.get(d.kind) or it.models.symbol(it, f"functools.{d.kind}")
        return found.d if type(found.d) is ClassObj else None
    found = it.builtins.get(kind.__name__)
    if found is not None and kind.__module__ == "builtins":
        return found.d
    return it.kinds.get(kind)


__all__ = ["class_lookup", "class_of", "hinted_attr", "hinted_binop", "hinted_item",
           "hinted_items"]  # fmt: skip
