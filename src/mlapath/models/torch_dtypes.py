"""``torch.dtype``: the types, their attributes, ``finfo`` and ``iinfo``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Fn, argument, make_class
from mlapath.models.array_dtype import DTYPES, FINFO, limits
from mlapath.models.array_value import dtype_name
from mlapath.models.torch_state import put, state
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.value import External, Unknown, V

ALIASES = {
    "torch.half": "torch.float16", "torch.float": "torch.float32", "torch.double": "torch.float64",
    "torch.short": "torch.int16", "torch.int": "torch.int32", "torch.long": "torch.int64",
    "torch.chalf": "torch.complex32", "torch.cfloat": "torch.complex64",
    "torch.cdouble": "torch.complex128",
}  # fmt: skip
SMALL = (
    *(f"{p}int{n}" for p in ("", "u") for n in range(1, 8)),
    "quint8", "qint8", "qint32", "quint4x2", "quint2x4", "bits8", "bits16", "bits1x8", "bits2x4",
    "bits4x2",
)  # fmt: skip
"""Types that are only compared."""
NAMES = frozenset(f"torch.{name}" for name in (*DTYPES, *SMALL))


def _constant(value: Any) -> Callable[[Any], V]:
    return lambda it: V(value)


def _values() -> dict[str, Callable[[Any], V | None]]:
    table: dict[str, Callable[[Any], V | None]] = {}
    for name in (*DTYPES, *SMALL):
        full = f"torch.{name}"
        table[full] = lambda it, full=full: V(External(full))  # type: ignore[misc]
        t = DTYPES.get(name)
        if t is None:
            continue
        table[f"{full}.itemsize"] = _constant(t.size)
        table[f"{full}.is_floating_point"] = _constant(t.kind == "f")
        table[f"{full}.is_complex"] = _constant(t.kind == "c")
        signed = t.kind != "u" and name not in ("bool", "float8_e8m0fnu")
        table[f"{full}.is_signed"] = _constant(signed)
    table["torch.dtype"] = lambda it: V(External("torch.dtype"))
    return table


def _to_real(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def _info(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V], fields: Any) -> V:
    dtype = argument(args, kwargs, 0, "type") or kwargs.get("dtype") or state(it)["default_dtype"]
    name = dtype_name(dtype)
    made = V(Instance(cls, it.heap.cell()), dtype.o)
    values = None if name is None else fields(name)
    if name is not None and values is None:
        it.throw("TypeError", f"torch.{cls.name}() does not take {name}")
    for key in ("max", "min", "eps", "tiny", "smallest_normal", "resolution", "bits", "dtype"):
        if values is None:
            hint = {"bits": "int", "dtype": "str"}.get(key, "" if cls.name == "iinfo" else "float")
            made.d.attrs[key] = V(Unknown(f"{key} of an unknown type", hint), dtype.o)
        elif key in values:
            made.d.attrs[key] = V(values[key], dtype.o)
    return made


def _float_fields(name: str) -> dict[str, Any] | None:
    if name not in FINFO:
        return None
    high, low, eps, tiny, resolution = FINFO[name]
    return {"max": high, "min": low, "eps": eps, "tiny": tiny, "smallest_normal": tiny,
            "resolution": resolution, "bits": 8 * DTYPES[name].size, "dtype": name}  # fmt: skip


def _int_fields(name: str) -> dict[str, Any] | None:
    if DTYPES[name].kind not in "iu":
        return None
    low, high = limits(name)
    return {"max": high, "min": low, "bits": 8 * DTYPES[name].size, "dtype": name}


def _info_class(name: str, fields: Any) -> Callable[[Any], V]:
    def construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
        return _info(it, cls, args, kwargs, fields)

    return lambda it: V(make_class(it, f"torch.{name}", construct=construct))


def _get_default(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    dtype: V = state(it)["default_dtype"]
    return dtype


def _set_default(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    dtype = argument(args, kwargs, 0, "d")
    if dtype is not None:
        put(it, "default_dtype", dtype)
    return V(None)


VALUES = {
    **_values(),
    "torch.finfo": _info_class("finfo", _float_fields),
    "torch.iinfo": _info_class("iinfo", _int_fields),
}
FUNCTIONS: dict[str, Fn] = {
    "torch.get_default_dtype": _get_default, "torch.set_default_dtype": _set_default,
}  # fmt: skip
DISTINCT = (NAMES,)
INSTANCES = {"torch.dtype": NAMES}
