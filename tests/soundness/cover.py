"""Whether an abstract value covers what CPython computed."""

from __future__ import annotations

from collections.abc import Sequence
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

from mlapath.values.concrete import from_py, key_of
from mlapath.values.heap import Heap
from mlapath.values.objects import (
    OPEN,
    BoundMethod,
    ClassObj,
    DictObj,
    FuncObj,
    GeneratorObj,
    Instance,
    ListObj,
    MayHold,
    ModuleObj,
    Native,
)
from mlapath.values.value import ABSENT, External, Union, Unknown, V

HINTS: dict[str, tuple[type, ...]] = {
    "int": (int,), "float": (float, int), "bool": (bool,), "str": (str,), "list": (list,),
    "dict": (dict,), "tuple": (tuple,), "set": (set,), "type": (type,), "bytes": (bytes,),
    "exception": (BaseException,),
}  # fmt: skip
_HEAP = Heap()


def maybe_absent(value: Any) -> bool:
    """Whether a name or key with this value may not be there."""
    if isinstance(value, tuple):
        value = value[1]
    d = value.d
    return d is ABSENT or type(d) is Union and any(o.d is ABSENT for o in d.options)


class Cover:
    """Compares one evaluation with one run; ``why`` says what did not fit."""

    def __init__(self) -> None:
        self.why: list[str] = []
        self.seen: set[tuple[int, int]] = set()

    def fails(self, where: str, value: V, real: Any) -> bool:
        self.why.append(f"{where}: {real!r:.80} is not covered by {value.d!r:.120}")
        return False

    def covers(self, value: V, real: Any, where: str) -> bool:
        d = value.d
        kind = type(d)
        if kind is Unknown:
            return self.unknown(d, real) or self.fails(where, value, real)
        if kind is Union:
            return self.one_of([o for o in d.options if o.d is not ABSENT], real, where)
        if kind in (External, Native):
            return True
        if (id(d), id(real)) in self.seen:
            return True
        if isinstance(d, (ListObj, DictObj, Instance)):
            self.seen.add((id(d), id(real)))
        fits = self.plain(d, real, where)
        return fits or (bool(self.why) or self.fails(where, value, real)) and False

    def unknown(self, d: Unknown, real: Any) -> bool:
        if d.hint == "object":
            return real is not None
        if d.hint in HINTS and not isinstance(real, HINTS[d.hint]):
            return False
        if isinstance(real, (int, float)):
            return (d.lo is None or d.lo <= real) and (d.hi is None or real <= d.hi)
        return True

    def plain(self, d: Any, real: Any, where: str) -> bool:
        kind = type(d)
        if kind is tuple:
            return type(real) is tuple and self.each(d, real, where)
        if kind is ListObj:
            return type(real) is list and self.items(d, real, where)
        if kind is DictObj:
            return self.dict_(d, real, where)
        if kind is Instance:
            return self.instance(d, real, where)
        if kind is FuncObj:
            return type(real) is FunctionType and real.__name__ == getattr(
                d.node, "name", "<lambda>"
            )
        if kind is ClassObj:
            return isinstance(real, type) and real.__qualname__ == d.qualname
        if kind is BoundMethod:
            return isinstance(real, (MethodType, BuiltinFunctionType))
        if kind is GeneratorObj:
            return isinstance(real, GeneratorType) or hasattr(real, "__next__")
        if kind is ModuleObj:
            return isinstance(real, ModuleType)
        return type(real) is kind and (real == d or repr(real) == repr(d))  # nan equals nothing

    def items(self, d: ListObj, real: list[Any], where: str) -> bool:
        if not d.open:
            return self.each(d.items, real, where)
        why = d.cell["open"]
        if type(why) is not MayHold:
            return True
        options = [*d.items, *why.extra]
        return all(self.one_of(options, x, f"{where}[{i}]") for i, x in enumerate(real)) and (
            not why.certain or len(real) >= len(d.items)
        )

    def each(self, values: Sequence[V], real: Sequence[Any], where: str) -> bool:
        return len(values) == len(real) and all(
            self.covers(x, y, f"{where}[{i}]")
            for i, (x, y) in enumerate(zip(values, real, strict=True))
        )

    def one_of(self, options: list[V], real: Any, where: str) -> bool:
        """Whether one of the values covers; the others leave no trace."""
        kept, seen = list(self.why), set(self.seen)
        for option in options:
            self.seen = set(seen)
            if self.covers(option, real, where):
                self.why = kept
                return True
        return False

    def dict_(self, d: DictObj, real: Any, where: str) -> bool:
        if d.kind in ("dict", "defaultdict"):
            if not isinstance(real, dict):
                return False
            pairs = dict(real.items())
        else:
            if not isinstance(real, (set, frozenset)):
                return False
            pairs = {x: x for x in real}
        keys = set()
        for key, item in pairs.items():
            try:
                ident = key_of(from_py(_HEAP, key))
            except TypeError:
                return True  # keys that are objects of the program
            keys.add(ident)
            pair = d.data.get(ident)
            if pair is None:
                if OPEN not in d.data:
                    return self.fails(f"{where}[{key!r}]", V(d), item)
            elif d.kind in ("dict", "defaultdict") and not self.covers(
                pair[1], item, f"{where}[{key!r}]"
            ):
                return False
        if OPEN in d.data:
            return True
        if not d.data.mixed and isinstance(real, dict):
            order = [k for k in d.data if k in keys]
            if order != [key_of(from_py(_HEAP, key)) for key in real]:
                return self.fails(f"{where}: its order", V(d), list(real))
        return all(k in keys or maybe_absent(p) for k, p in d.data.items())

    def instance(self, d: Instance, real: Any, where: str) -> bool:
        if type(real).__name__ != d.cls.name:
            return False
        if isinstance(real, BaseException):
            args = d.attrs.get("args")
            return args is None or self.covers(args, real.args, f"{where}.args")
        if not any(c.path for c in d.cls.mro):
            return True  # what a library's object holds is its own affair
        own = dict(getattr(real, "__dict__", {}))
        for cls in type(real).__mro__:
            slots = vars(cls).get("__slots__", ())
            names = (slots,) if isinstance(slots, str) else slots
            own.update((name, getattr(real, name)) for name in names if hasattr(real, name))
        for name, item in own.items():
            value = d.attrs.get(name)
            if value is None:
                if not d.open:
                    return self.fails(f"{where}.{name}", V(d), item)
            elif not self.covers(value, item, f"{where}.{name}"):
                return False
        return bool(d.open) or all(n in own or maybe_absent(v) for n, v in d.attrs.items())


def names_covered(ns: dict[str, Any], real: dict[str, Any]) -> list[str]:
    """What of a module's final names the evaluator does not cover."""
    problems: list[str] = []
    for name, item in real.items():
        value = ns.get(name)
        if value is None:
            problems.append(f"{name}: not bound, but CPython binds it to {item!r:.80}")
            continue
        cover = Cover()
        if not cover.covers(value, item, name):
            problems += cover.why or [f"{name}: {item!r:.80} is not covered by {value.d!r:.120}"]
    problems += [
        f"{name}: certainly bound, but CPython does not bind it"
        for name, value in ns.items()
        if not name.startswith("_") and name not in real and isinstance(value, V)
        and not maybe_absent(value)
    ]  # fmt: skip
    return problems
