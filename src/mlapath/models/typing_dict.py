"""``TypedDict``: calls give plain dicts; the classes derive from ``dict`` alone."""

from __future__ import annotations

from typing import Any

from mlapath.models.aliases import alias_name
from mlapath.models.api import argument, make_class
from mlapath.models.support import unknown
from mlapath.values.objects import ClassObj
from mlapath.values.truth import Truth
from mlapath.values.value import V

QUALIFIERS = {"Required": "required", "NotRequired": "optional"}


def base(it: Any) -> V:
    """``typing.TypedDict``."""
    cls = make_class(it, "typing.TypedDict", construct=_functional)
    cls.facts["on_subclass"] = _on_subclass
    return V(cls)


def _functional(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    """``TypedDict("D", {"key": type, …}, total=…)``."""
    name = argument(args, kwargs, 0, "typename")
    fields = argument(args, kwargs, 1, "fields", V(it.heap.dict()))
    assert fields is not None
    pairs = it.mapping_items(fields)
    if name is None or type(name.d) is not str or pairs is None or it.is_open(fields):
        return unknown("a typed dict whose fields are not known", "type")
    made: ClassObj = it.new_class(name.d, name.d, it.frame.module.name, (cls,))
    notes = it.heap.dict()
    for key, value in pairs:
        it.dict_set(notes, key, value)
    made.ns["__annotations__"] = V(notes)
    _finish(it, made, {key.d: value for key, value in pairs}, kwargs.get("total", V(True)))
    return V(made)


def _on_subclass(it: Any, cls: ClassObj, keywords: dict[str, V]) -> None:
    """``class D(TypedDict, total=…)``."""
    own = list(cls.facts.get("annotations", ()))
    types: dict[str, V] = {}
    for name, expr, frame in own:
        qualified = not it.postponed(frame) and "Required[" in it.text(frame, expr.pos)
        types[name] = it.annotation_value(frame, expr) if qualified else V(None)
    names = {name for name, _, _ in own}
    inherited: list[tuple[str, Any, Any]] = []
    for c in reversed(cls.bases):
        inherited += [a for a in c.facts.get("annotations", ()) if a[0] not in names]
        names.update(name for name, _, _ in inherited)
    cls.facts["annotations"] = [*inherited, *own]
    _finish(it, cls, types, keywords.pop("total", V(True)))


def _finish(it: Any, cls: ClassObj, own: dict[str, V], total: V) -> None:
    """Sort the keys into required and optional ones; make the class a subclass of ``dict``."""
    keys: dict[str, list[V]] = {"required": [], "optional": []}
    for c in cls.bases:
        for kind, found in keys.items():
            old = c.ns.get(f"__{kind}_keys__")
            found.extend(it.iterate(old) or () if old is not None else ())
    rest = "optional" if it.truth(total) is Truth.FALSE else "required"
    for name, value in own.items():
        for found in keys.values():
            found[:] = [x for x in found if x.d != name]
        keys[QUALIFIERS.get(alias_name(value), rest)].append(V(name))
    it.heap.put(cls.ns, "__total__", total)
    for kind, found in keys.items():
        it.heap.put(cls.ns, f"__{kind}_keys__", it.make_set(found, "frozenset"))
    plain = it.builtins["dict"].d
    generic = tuple(c for c in cls.mro if c.full == "typing.Generic")
    cls.bases = (plain, *generic)
    cls.mro = (cls, plain, *generic, it.object_class)
    cls.payload = dict
    cls.facts.update({"typeddict": True, "on_subclass": _on_subclass, "construct": _make})


def _make(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    return it.call(it.builtins["dict"], args, kwargs)  # type: ignore[no-any-return]


def is_typeddict(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``is_typeddict(tp)``."""
    d = args[0].d
    return V(type(d) is ClassObj and bool(d.facts.get("typeddict")), args[0].o)
