"""``Generic``, ``Protocol`` and the classes that ``typing`` itself defines."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Factory, make_class
from mlapath.models.class_tools import library_class
from mlapath.values.objects import ClassObj
from mlapath.values.value import V

SUPPORTS = {
    "SupportsInt": "__int__", "SupportsFloat": "__float__", "SupportsComplex": "__complex__",
    "SupportsBytes": "__bytes__", "SupportsIndex": "__index__", "SupportsAbs": "__abs__",
    "SupportsRound": "__round__",
}  # fmt: skip


def any_(it: Any) -> V:
    """``Any``: a class since Python 3.11."""
    cls = make_class(it, "typing.Any")
    cls.facts["construct"] = _any
    cls.meta = make_class(it, "typing._AnyMeta", (it.builtins["type"].d,), methods={
        "__repr__": lambda i, a, k: V(
            "typing.Any" if a[0].d is cls else f"<class '{a[0].d.full}'>")})  # fmt: skip
    return V(cls)


def _any(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    if cls.full == "typing.Any":
        it.throw("TypeError", "Any cannot be instantiated")
    made = V(it.new_instance(cls))
    it.initialise(made, args, kwargs, "")
    return made


def generic(it: Any) -> V:
    """``Generic``: subscripting is what any class does."""
    return V(make_class(it, "typing.Generic"))


def protocol(it: Any) -> V:
    """``Protocol``: direct subclasses are protocols, others implement them."""
    cls = make_class(it, "typing.Protocol", (library_class(it, "typing.Generic"),))
    cls.meta = library_class(it, "abc.ABCMeta")
    cls.facts["on_subclass"] = _on_subclass
    return V(cls)


def _on_subclass(it: Any, cls: ClassObj, keywords: dict[str, V]) -> None:
    direct = any(base.full == "typing.Protocol" for base in cls.bases)
    cls.facts["protocol"] = direct
    it.heap.put(cls.ns, "_is_protocol", V(direct))


def runtime_checkable(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``runtime_checkable(cls)``."""
    if type(args[0].d) is ClassObj:
        it.heap.put(args[0].d.ns, "_is_runtime_protocol", V(True))
    return args[0]


def supports(name: str) -> Factory:
    """A protocol of one method: ``SupportsInt`` and its like."""

    def make(it: Any) -> V:
        cls = make_class(it, f"typing.{name}", (library_class(it, "typing.Protocol"),),
                         methods={SUPPORTS[name]: lambda i, a, k: V(None)})  # fmt: skip
        cls.facts.update({"protocol": True, "closed": False})
        cls.ns["_is_runtime_protocol"] = V(True)
        return V(cls)

    return make


def plain(name: str, base: str = "") -> Factory:
    """A class of which only its place in annotations counts: ``IO``, ``TextIO``."""

    def make(it: Any) -> V:
        bases = (library_class(it, base),) if base else (library_class(it, "typing.Generic"),)
        return V(make_class(it, f"typing.{name}", bases))

    return make
