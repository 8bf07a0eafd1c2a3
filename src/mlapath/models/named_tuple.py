"""Classes of named tuples, for ``collections.namedtuple`` and ``typing.NamedTuple``.

An instance is a tuple with names: its payload is the Python tuple of its values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mlapath.models.signature import Parameter, bind
from mlapath.models.support import unknown
from mlapath.values.objects import ClassObj, Descriptor, Instance, Native
from mlapath.values.value import V


def named_tuple_class(
    it: Any, full: str, names: Sequence[str], defaults: Mapping[str, V]
) -> ClassObj:
    """The class ``full`` (``module.Name``); ``defaults`` of the last fields."""
    module, _, name = full.rpartition(".")
    cls: ClassObj = it.new_class(name, name, module, (it.builtins["tuple"].d,))
    cls.facts["closed"] = True
    fill(it, cls, names, defaults)
    return cls


def fill(it: Any, cls: ClassObj, names: Sequence[str], defaults: Mapping[str, V]) -> None:
    """Give a class whose base is ``tuple`` the fields, constructor and methods."""
    put = it.heap.put
    for position, name in enumerate(names):
        put(cls.ns, name, V(_field(position, name)))
    made = it.heap.dict()
    for name in names:
        if name in defaults:
            it.dict_set(made, V(name), defaults[name])
    put(cls.ns, "_fields", V(tuple(V(n) for n in names)))
    put(cls.ns, "__match_args__", V(tuple(V(n) for n in names)))
    put(cls.ns, "_field_defaults", V(made))
    put(cls.ns, "__new__", V(Descriptor("staticmethod", V(Native(
        f"{cls.full}.__new__", _constructor(names, defaults), opens=True)))))  # fmt: skip
    put(cls.ns, "_make", V(Descriptor("classmethod", V(Native(f"{cls.full}._make", _make)))))
    for name, fn in (
        ("_replace", _replace),
        ("__replace__", _replace),
        ("_asdict", _asdict),
        ("__getnewargs__", lambda i, a, k: V(a[0].d.payload, a[0].o)),
    ):
        put(cls.ns, name, V(Native(f"{cls.full}.{name}", fn, binds=True)))
    if "__repr__" not in cls.ns:
        put(cls.ns, "__repr__", V(Native(f"{cls.full}.__repr__", _repr, binds=True)))


def _field(position: int, name: str) -> Descriptor:
    def get(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        payload = args[0].d.payload if type(args[0].d) is Instance else None
        if type(payload) is not tuple or position >= len(payload):
            return unknown(f"{name} of a named tuple that is not known", "", args[0].o)
        value: V = payload[position]
        return value if value.o is not None else V(value.d, args[0].o)

    return Descriptor("property", V(Native(name, get)))


def _constructor(names: Sequence[str], defaults: Mapping[str, V]) -> Any:
    parameters = [Parameter(name, name not in defaults) for name in names]

    def new(it: Any, args: list[V], kwargs: dict[str, V], opened: str = "") -> V:
        cls: ClassObj = args[0].d
        title = f"{cls.name}.__new__"
        bound = bind(it, title, parameters, args[1:], kwargs, opened)
        return _instance(it, cls, [bound[n] if n in bound else defaults[n] for n in names])

    return new


def _instance(it: Any, cls: ClassObj, values: list[V]) -> V:
    made = it.new_instance(cls)
    made.payload = tuple(values)
    return V(made)


def _make(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    cls: ClassObj = args[0].d
    count = len(it.getattr(args[0], "_fields").d)
    items = it.iterate(args[1])
    if items is None or it.is_open(args[1]):
        why = f"a {cls.name} made of unknown items"
        return _instance(it, cls, [unknown(why, "", args[1].o) for _ in range(count)])
    if len(items) != count:
        it.throw("TypeError", f"Expected {count} arguments, got {len(items)}")
    return _instance(it, cls, list(items))


def _replace(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    d: Instance = args[0].d
    names = [n.d for n in it.getattr(V(d.cls), "_fields").d]
    rest = [key for key in kwargs if key not in names]
    if rest:
        it.throw("ValueError", f"Got unexpected field names: {rest!r}")
    values = [kwargs.get(name, old) for name, old in zip(names, d.payload, strict=True)]
    return _instance(it, d.cls, values)


def _asdict(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    d: Instance = args[0].d
    made = it.heap.dict()
    for name, value in zip(it.getattr(V(d.cls), "_fields").d, d.payload, strict=True):
        it.dict_set(made, name, value)
    return V(made, args[0].o)


def _repr(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    d: Instance = args[0].d
    parts = []
    for name, value in zip(it.getattr(V(d.cls), "_fields").d, d.payload, strict=True):
        text = it.format_value(value, "r", "")
        if text is None:
            return unknown("repr of a named tuple", "str", args[0].o)
        parts.append(f"{name.d}={text}")
    return V(f"{d.cls.name}({', '.join(parts)})", args[0].o)
