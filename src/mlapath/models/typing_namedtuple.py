"""``NamedTuple``, as a base class and called; ``collections.namedtuple`` builds on it.

An instance is a tuple with names: its payload is the Python tuple of its values.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import argument, make_class
from mlapath.models.support import unknown
from mlapath.values.objects import ClassObj, Descriptor, Instance, Native
from mlapath.values.value import Unknown, V


def base(it: Any) -> V:
    """``typing.NamedTuple``."""
    cls = make_class(it, "typing.NamedTuple", (it.builtins["tuple"].d,), construct=_functional)
    cls.facts["on_subclass"] = _on_subclass
    return V(cls)


def _on_subclass(it: Any, cls: ClassObj, keywords: dict[str, V]) -> None:
    """``class P(NamedTuple)``: P derives from ``tuple`` alone (and ``Generic``)."""
    names = [name for name, _, _ in cls.facts.get("annotations", ())]
    defaults = {name: cls.ns[name] for name in names if name in cls.ns}
    required = True
    for name in names:
        if name in defaults:
            required = False
        elif not required:
            it.throw("TypeError", f"Non-default namedtuple field {name} cannot follow default "
                     f"field{'s' if len(defaults) > 1 else ''} {', '.join(defaults)}")  # fmt: skip
    cls.bases = tuple(it.builtins["tuple"].d if b.full == "typing.NamedTuple" else b
                      for b in cls.bases)  # fmt: skip
    cls.mro = tuple(c for c in cls.mro if c.full != "typing.NamedTuple")
    fill(it, cls, names, defaults)


def _functional(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    """``NamedTuple("P", [("x", int), …])``."""
    typename = argument(args, kwargs, 0, "typename")
    fields = argument(args, kwargs, 1, "fields", V(()))
    items = it.iterate(fields) if fields is not None else None
    pairs = [it.iterate(item) for item in items or ()]
    known = items is not None and not it.is_open(fields) and all(
        p is not None and len(p) == 2 and type(p[0].d) is str for p in pairs)  # fmt: skip
    if typename is None or type(typename.d) is not str or not known:
        return unknown("a named tuple whose fields are not known", "type")
    made = new_class(it, typename.d, [p[0].d for p in pairs], {})
    notes = it.heap.dict()
    for p in pairs:
        it.dict_set(notes, p[0], p[1])
    made.ns["__annotations__"] = V(notes)
    return V(made)


def new_class(it: Any, name: str, names: list[str], defaults: dict[str, V]) -> ClassObj:
    """A named tuple class."""
    cls: ClassObj = it.new_class(name, name, it.frame.module.name, (it.builtins["tuple"].d,))
    cls.facts["closed"] = True
    fill(it, cls, names, defaults)
    return cls


def fill(it: Any, cls: ClassObj, names: list[str], defaults: dict[str, V]) -> None:
    """Give a class the fields, the constructor and the methods of a named tuple."""
    cls.facts["namedtuple"] = tuple(names)
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


def _constructor(names: list[str], defaults: dict[str, V]) -> Any:
    def new(it: Any, args: list[V], kwargs: dict[str, V], opened: str = "") -> V:
        cls: ClassObj = args[0].d
        given = args[1:]
        values = dict(zip(names, given, strict=False))
        if len(given) > len(names):
            it.throw("TypeError", f"{cls.name}.__new__() takes {len(names) + 1} positional "
                     f"arguments but {len(given) + 1} were given")  # fmt: skip
        for key, value in kwargs.items():
            if key not in names:
                it.throw(
                    "TypeError", f"{cls.name}.__new__() got an unexpected keyword argument '{key}'"
                )
            if key in values and not opened:
                it.throw(
                    "TypeError", f"{cls.name}.__new__() got multiple values for argument '{key}'"
                )
            values[key] = value
        for name in names:
            if name in values:
                continue
            if opened:
                values[name] = V(Unknown(opened))
            elif name in defaults:
                values[name] = defaults[name]
        missing = [name for name in names if name not in values]
        if missing:
            plural = "s" if len(missing) > 1 else ""
            it.throw("TypeError", f"{cls.name}.__new__() missing {len(missing)} required "
                     f"positional argument{plural}: {_listed(missing)}")  # fmt: skip
        return _instance(it, cls, [values[name] for name in names])

    return new


def _listed(names: list[str]) -> str:
    quoted = [repr(name) for name in names]
    if len(quoted) < 3:
        return " and ".join(quoted)
    return f"{', '.join(quoted[:-1])}, and {quoted[-1]}"


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
