"""``typing.NamedTuple``, as a base class and called."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import argument, make_class
from mlapath.models.named_tuple import fill, named_tuple_class
from mlapath.models.support import unknown
from mlapath.values.objects import ClassObj
from mlapath.values.value import V


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
    full = f"{it.frame.module.name}.{typename.d}"
    made = named_tuple_class(it, full, [p[0].d for p in pairs], {})
    notes = it.heap.dict()
    for p in pairs:
        it.dict_set(notes, p[0], p[1])
    made.ns["__annotations__"] = V(notes)
    return V(made)
