"""numpy's scalar types, which here stand for its dtypes too. Scalars are plain numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Fn, make_class
from mlapath.models.array_dtype import DTYPES, fit, unknown
from mlapath.models.array_value import dtype_name, is_array, items_of
from mlapath.values.objects import ClassObj
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

ABSTRACT = {"generic": None, "number": "generic", "integer": "number", "signedinteger": "integer",
            "unsignedinteger": "integer", "inexact": "number", "floating": "inexact",
            "complexfloating": "inexact"}  # fmt: skip
"""Abstract type -> its base."""
BASES = {"b": "generic", "i": "signedinteger", "u": "unsignedinteger", "f": "floating",
         "c": "complexfloating"}  # fmt: skip
CONCRETE = tuple(name for name in DTYPES if not name.startswith(("float8", "float4", "bfloat"))
                 and name != "complex32")  # fmt: skip
ALIASES = {
    "numpy.bool_": "numpy.bool", "numpy.intp": "numpy.int64", "numpy.int_": "numpy.int64",
    "numpy.uintp": "numpy.uint64", "numpy.half": "numpy.float16", "numpy.single": "numpy.float32",
    "numpy.double": "numpy.float64", "numpy.float_": "numpy.float64", "numpy.intc": "numpy.int32",
    "numpy.byte": "numpy.int8", "numpy.ubyte": "numpy.uint8", "numpy.longlong": "numpy.int64",
}  # fmt: skip
PYTHON = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
"""Python's types as dtypes."""


def _instances(python: tuple[type, ...]) -> Callable[[Any, V], Truth]:
    """``isinstance(x, np.integer)``: a number here may be Python's or numpy's."""

    def check(it: Any, value: V) -> Truth:
        kind = type(value.d)
        if kind is Unknown or kind in python:
            return Truth.UNKNOWN
        return Truth.FALSE

    return check


def _python_types(name: str) -> tuple[type, ...]:
    if "int" in name and name != "integer" or name == "integer":
        return (int,)
    if name.startswith("float") or name in ("floating", "inexact"):
        return (float,)
    return (bool,) if name == "bool" else (bool, int, float)


def _construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    """``np.int32(x)``."""
    value = args[0] if args else V(0)
    name = dtype_name(V(cls))
    if is_array(value):
        items = items_of(value)
        if items is None or len(items) != 1:
            return unknown(name, "a number of an unknown array")
        value = items[0]
    if name is None or type(value.d) not in (bool, int, float, Unknown):
        return unknown(name, "a number")
    return fit(value, name)


def _abstract(name: str) -> Callable[[Any], V]:
    def build(it: Any) -> V:
        base = ABSTRACT[name]
        bases = () if base is None else (it.models.symbol(it, f"numpy.{base}").d,)
        checks = {"instances": _instances(_python_types(name))}
        return V(make_class(it, f"numpy.{name}", bases, facts=checks))

    return build


def _concrete(name: str) -> Callable[[Any], V]:
    def build(it: Any) -> V:
        t = DTYPES[name]
        base = it.models.symbol(it, f"numpy.{BASES[t.kind]}").d
        cls = make_class(it, f"numpy.{name}", (base,), construct=_construct,
                         facts={"instances": _instances(_python_types(name))})  # fmt: skip
        cls.ns.update({"itemsize": V(t.size), "kind": V(t.kind), "name": V(name), "type": V(cls),
                       "str": V(f"<{t.kind}{t.size}")})  # fmt: skip
        return V(cls)

    return build


def dtype_symbol(it: Any, value: V | None) -> V | None:
    """The dtype that an argument names: a numpy or Python type or a text; None: not known."""
    if value is None or value.d is None:
        return None
    name = dtype_name(value)
    if name is None and type(value.d) is ClassObj and value.d.module == "builtins":
        name = PYTHON.get(value.d.name)
    if name is None and type(value.d) is str:
        codes = {"i4": "int32", "i8": "int64", "u1": "uint8", "f4": "float32", "f8": "float64"}
        text = value.d.lstrip("<=|")
        name = codes.get(text, text if text in CONCRETE else PYTHON.get(text))
    found: V | None = None if name is None else it.models.symbol(it, f"numpy.{name}")
    return found


def _dtype(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``np.dtype(x)``."""
    found = dtype_symbol(it, args[0] if args else kwargs.get("dtype"))
    return found if found is not None else V(Unknown("a numpy dtype", "", "numpy.dtype()"))


VALUES: dict[str, Callable[[Any], V]] = {
    **{f"numpy.{name}": _abstract(name) for name in ABSTRACT},
    **{f"numpy.{name}": _concrete(name) for name in CONCRETE},
}
FUNCTIONS: dict[str, Fn] = {"numpy.dtype": _dtype}
