"""``TypedDict``: calls give plain dicts."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import argument, make_class
from mlapath.models.support import unknown
from mlapath.values.objects import ClassObj
from mlapath.values.value import V


def base(it: Any) -> V:
    """``typing.TypedDict``."""
    cls = make_class(it, "typing.TypedDict", construct=_construct)
    cls.facts["on_subclass"] = _on_subclass
    return V(cls)


def _construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    if cls.full != "typing.TypedDict":
        return it.call(it.builtins["dict"], args, kwargs)  # type: ignore[no-any-return]
    name = argument(args, kwargs, 0, "typename")
    fields = argument(args, kwargs, 1, "fields", V(it.heap.dict()))
    pairs = it.mapping_items(fields)
    if name is None or type(name.d) is not str or pairs is None or it.is_open(fields):
        return unknown("a typed dict whose fields are not known", "type")
    made = it.new_class(name.d, name.d, it.frame.module.name, (cls,))
    notes = it.heap.dict()
    for key, value in pairs:
        it.dict_set(notes, key, value)
    made.ns["__annotations__"] = V(notes)
    _complete(it, made, [key for key, _ in pairs], [], kwargs)
    return V(made)


def _on_subclass(it: Any, cls: ClassObj, keywords: dict[str, V]) -> None:
    """``class D(TypedDict, total=…)``: its keys and those of its bases; D is a ``dict``."""
    own: list[V] = []
    inherited: list[tuple[str, Any, Any]] = []
    for c in reversed(cls.mro[1:]):
        inherited += [a for a in c.facts.get("annotations", ()) if a not in inherited]
    mine = cls.facts.get("annotations", [])
    own = [V(name) for name, _, _ in mine]
    cls.facts["annotations"] = [a for a in inherited if a[0] not in {n for n, _, _ in mine}] + mine
    _complete(it, cls, own, list(cls.mro[1:]), keywords)


def _complete(
    it: Any, cls: ClassObj, own: list[V], bases: list[ClassObj], keywords: dict[str, V]
) -> None:
    total = keywords.pop("total", V(True))
    keys = {"required": list[V](), "optional": list[V]()}
    for c in bases:
        for kind, found in keys.items():
            old = c.ns.get(f"__{kind}_keys__")
            found.extend(it.iterate(old) or () if old is not None else ())
    keys["required" if it.truth(total).name == "TRUE" else "optional"] += own
    it.heap.put(cls.ns, "__total__", total)
    for kind, found in keys.items():
        it.heap.put(cls.ns, f"__{kind}_keys__", it.make_set(found, "frozenset"))


def is_typeddict(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``is_typeddict(tp)``."""
    d = args[0].d
    found = type(d) is ClassObj and d.full != "typing.TypedDict" and any(
        c.full == "typing.TypedDict" for c in d.mro)  # fmt: skip
    return V(found, args[0].o)
