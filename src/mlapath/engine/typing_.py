"""Types at run time: isinstance, classes of values, generic aliases, annotations."""

from __future__ import annotations

from typing import Any

from mlapath.engine import protocols
from mlapath.engine.attrs import class_lookup
from mlapath.engine.control import Frame
from mlapath.ir import nodes as n
from mlapath.models.aliases import arguments, make_alias, union_of
from mlapath.values.family import Family
from mlapath.values.objects import (
    BoundMethod,
    ClassObj,
    DictObj,
    FuncObj,
    Instance,
    ListObj,
    ModuleObj,
    Native,
)
from mlapath.values.truth import Truth, either
from mlapath.values.value import ABSENT, External, Union, Unknown, V

TYPE_NAMES = {
    type(None): "NoneType", FuncObj: "function", BoundMethod: "method", ModuleObj: "module",
    ClassObj: "type", Native: "builtin_function_or_method",
}  # fmt: skip


def is_instance(it: Any, value: V, classes: V) -> Truth:
    """``isinstance(value, classes)``."""
    d = classes.d
    if type(d) is tuple:
        result = Truth.FALSE
        for c in d:
            result = either(result, is_instance(it, value, c))
        return result
    options = _union_options(classes)
    if options is not None:
        return is_instance(it, value, V(tuple(options)))
    if type(value.d) is Family:
        return is_instance(it, V(value.d.members[0]), classes)
    if type(value.d) is Union:
        found = {is_instance(it, o, classes) for o in value.d.options if o.d is not ABSENT}
        return found.pop() if len(found) == 1 else Truth.UNKNOWN
    if type(d) is External:
        known = it.models.instance_of(it, value, d.name)
        if known is not None:
            return known  # type: ignore[no-any-return]
        return _isinstance_class(it, value, it.models.foreign_class(it, d.name))
    if type(d) is ClassObj:
        return _isinstance_class(it, value, d)
    if d is None:
        return Truth.of(value.d is None) if type(value.d) is not Unknown else Truth.UNKNOWN
    return Truth.UNKNOWN


def _union_options(classes: V) -> list[V] | None:
    d = classes.d
    if type(d) is Instance and d.cls.facts.get("alias"):
        if d.attrs["name"].d in ("Union", "Optional"):
            return list(d.attrs["args"].d)
        origin = d.attrs.get("origin")
        return [origin] if origin is not None else None
    return None


def _isinstance_class(it: Any, value: V, cls: ClassObj) -> Truth:
    d = value.d
    if cls is it.object_class:
        return Truth.TRUE
    check = class_lookup(cls.meta, "__instancecheck__") if cls.meta is not None else None
    if check is not None and type(check[0].d) is FuncObj:
        return it.truth(it.call(V(BoundMethod(check[0].d, V(cls))), [value], {}))  # type: ignore[no-any-return]
    if type(d) is External:
        return it.models.external_instance(it, d, cls)  # type: ignore[no-any-return]
    abstract = cls.facts.get("instances")
    if abstract is not None:
        answer: Truth = abstract(it, value)
        return answer
    own = it.class_of(value)
    if own is None:
        return _unknown_instance(d, cls)
    if cls.facts.get("protocol") and cls not in own.mro:
        return protocols.is_instance(it, value, cls)
    return _subclass(it, own, cls)


def _unknown_instance(d: Any, cls: ClassObj) -> Truth:
    if type(d) is Unknown and d.hint == "tensor":
        hints = cls.facts.get("hints")
        if hints is not None:
            return hints.get("tensor", Truth.UNKNOWN)  # type: ignore[no-any-return]
        return Truth.TRUE if cls.full == "torch.Tensor" else (
            Truth.UNKNOWN if cls.foreign else Truth.FALSE)  # fmt: skip
    return Truth.UNKNOWN


def _subclass(it: Any, own: ClassObj, cls: ClassObj) -> Truth:
    if cls in own.mro:
        return Truth.TRUE
    decide = cls.facts.get("subclasses")
    if decide is not None:
        return decide(it, own)  # type: ignore[no-any-return]
    virtual = cls.facts.get("virtual")
    if virtual is not None and any(c.full in virtual for c in own.mro):
        return Truth.TRUE
    if own.foreign and cls.foreign and own.full != cls.full:
        return Truth.UNKNOWN if not own.facts.get("closed") else Truth.FALSE
    return Truth.FALSE


def is_subclass(it: Any, value: V, classes: V) -> Truth:
    """``issubclass(value, classes)``."""
    if type(value.d) is Union:
        kinds = [o for o in value.d.options if o.d is not ABSENT]
        if not all(type(o.d) in (ClassObj, External) for o in kinds):
            return Truth.UNKNOWN
        found = {is_subclass(it, kind, classes) for kind in kinds}
        return found.pop() if len(found) == 1 else Truth.UNKNOWN
    d = classes.d
    if type(d) is tuple:
        result = Truth.FALSE
        for c in d:
            result = either(result, is_subclass(it, value, c))
        return result
    options = _union_options(classes)
    if options is not None:
        return is_subclass(it, value, V(tuple(options)))
    if type(value.d) is External:
        value = V(it.models.foreign_class(it, value.d.name))
    if type(d) is External:
        d = it.models.foreign_class(it, d.name)
    if type(value.d) is ClassObj and type(d) is ClassObj:
        if d is it.object_class:
            return Truth.TRUE
        if d.facts.get("protocol") and d not in value.d.mro:
            return protocols.is_subclass(it, value.d, d)
        return _subclass(it, value.d, d)
    if type(value.d) is Unknown or type(d) in (Unknown, Union):
        return Truth.UNKNOWN
    if type(value.d) is not ClassObj:
        it.throw("TypeError", "issubclass() arg 1 must be a class")
    return Truth.UNKNOWN


def type_of(it: Any, value: V) -> V:
    """``type(value)``."""
    d = value.d
    if type(d) is Family:
        return type_of(it, V(d.members[0]))
    if type(d) is ClassObj:
        return V(d.meta) if d.meta is not None else it.builtins["type"]
    if type(d) is Union:
        return it.union([type_of(it, o) for o in d.options if o.d is not ABSENT])  # type: ignore[no-any-return]
    cls = it.class_of(value)
    if cls is not None:
        return V(cls, value.o)
    return V(Unknown(f"the type of {type_name(it, value)}", "type"), value.o)


def type_name(it: Any, value: V) -> str:
    """The name of a value's type, for messages."""
    d = value.d
    if type(d) is Instance:
        return d.cls.name
    cls = it.class_of(value)
    if cls is not None:
        return cls.name  # type: ignore[no-any-return]
    return TYPE_NAMES.get(type(d), type(d).__name__)


def equal_external(it: Any, left: V, right: V) -> Truth:
    """Equality (and identity) where at least one side is a symbol outside the tree."""
    a, b = left.d, right.d
    if type(a) is External and type(b) is External:
        if a.name == b.name:
            return Truth.TRUE
        return it.models.distinct(a.name, b.name)  # type: ignore[no-any-return]
    other = b if type(a) is External else a
    if type(other) in (Unknown, Union):
        return Truth.UNKNOWN
    return Truth.FALSE


def certainly_instance(it: Any, made: V, cls: ClassObj) -> bool:
    """Whether ``__init__`` runs after ``__new__`` gave ``made``."""
    return type(made.d) is Instance and cls in made.d.cls.mro


def mro_entries(it: Any, value: V, bases: list[V], position: int) -> list[ClassObj] | None:
    """What a base that is not a class (a generic alias) stands for, among all the bases.

    ``Generic[…]`` gives way to an alias of a generic class after it; an alias of ``typing``
    brings ``Generic`` along unless a later base does.
    """
    d = value.d
    if type(d) is not Instance or not d.cls.facts.get("alias"):
        return None
    origin = d.attrs.get("origin")
    if origin is None or type(origin.d) is not ClassObj:
        return []
    generic = it.models.symbol(it, "typing.Generic")
    after = bases[position + 1 :]
    if origin.d is generic.d:
        protocol = any(type(b.d) is ClassObj and b.d.full == "typing.Protocol" for b in bases)
        return [] if protocol or any(_generic_alias(b, generic.d) for b in after) else [origin.d]
    if (
        _of_typing(d)
        and type(generic.d) is ClassObj
        and not any(
            _generic_alias(b, generic.d) or type(b.d) is ClassObj and generic.d in b.d.mro
            for b in after
        )
    ):
        return [origin.d, generic.d]
    return [origin.d]


def _of_typing(d: Instance) -> bool:
    """Whether an alias is one of ``typing``: ``List`` or ``List[int]``."""
    form = d.attrs.get("form")
    return form is None or bool(form.d)


def _generic_alias(value: V, generic: ClassObj) -> bool:
    d = value.d
    if type(d) is not Instance or not d.cls.facts.get("alias"):
        return False
    origin = d.attrs.get("origin", V(None)).d
    return _of_typing(d) or type(origin) is ClassObj and generic in origin.mro


def union_type(it: Any, options: list[V]) -> Any:
    """``X | Y`` of types."""
    return union_of(it, options, pipe=True).d


def class_getitem(it: Any, base: V, index: V) -> V:
    """``cls[index]``: metaclass ``__getitem__``, ``__class_getitem__``, or a generic alias."""
    d: ClassObj = base.d
    if d.meta is not None:
        found = class_lookup(d.meta, "__getitem__")
        if found is not None:
            return it.call(it.bind(found[0], base, d.meta), [index], {})  # type: ignore[no-any-return]
    found = class_lookup(d, "__class_getitem__")
    if found is not None:
        method = it.getattr(base, "__class_getitem__")
        return it.call(method, [index], {})  # type: ignore[no-any-return]
    return make_alias(it, d.name, base, arguments(index))


def iterate_class(it: Any, value: V) -> list[V] | None:
    """Iteration over a class: by its metaclass."""
    d: ClassObj = value.d
    if d.meta is not None:
        found = class_lookup(d.meta, "__iter__")
        if found is not None:
            return it.iterate(it.call(it.bind(found[0], value, d.meta), [], {}))  # type: ignore[no-any-return]
    it.throw("TypeError", f"'type' object is not iterable ({d.name})")
    return None


def annotate(it: Any, fr: Frame, name: str, expr: n.Expr) -> None:
    """Keep a class-level annotation unevaluated, for dataclasses and the like."""
    if fr.owner is not None and fr.locals is fr.owner.ns:
        fr.owner.facts.setdefault("annotations", []).append((name, expr, fr))


def type_method(it: Any, cls: V, attr: str) -> V | None:
    """``super().__getitem__`` and the like in a metaclass: the modelled metaclass's."""
    method = it.models.type_method(it, cls, attr)
    if method is not None:
        return method  # type: ignore[no-any-return]
    if attr == "__setattr__":
        return V(Native("type.__setattr__", lambda i, a, k: i.heap.put(cls.d.ns, a[0].d, a[1])
                        or V(None)))  # fmt: skip
    return V(Native(f"type.{attr}", lambda i, a, k: V(None)))


def foreign_attr(it: Any, lib: str, attr: str, base: V) -> V:
    """An attribute that a base class outside the tree may have."""
    return V(Unknown(f"{attr} of {lib}", lib=f"{lib}.{attr}"), base.o)


def truthy_foreign(it: Any, cls: ClassObj) -> bool:
    """Whether instances of a class outside the tree are always true."""
    return bool(cls.facts.get("truthy"))


def instance_truth(it: Any, value: V) -> Truth | None:
    """The truth of instances of modelled classes with a truth of their own."""
    for c in value.d.cls.mro:
        decide = c.facts.get("truth")
        if decide is not None:
            return decide(it, value)  # type: ignore[no-any-return]
    return None


def fill_payload(it: Any, d: Instance, args: list[V], kwargs: dict[str, V]) -> None:
    """The content of an instance of a subclass of a builtin."""
    kind = d.cls.payload
    base = it.builtins.get(kind.__name__) if kind is not None else None
    if base is None:
        return
    made = it.instantiate(base.d, args, kwargs)
    d.payload = made.d


def payload_attr(it: Any, base: V, d: Instance, attr: str) -> V | None:
    """A method of the builtin that an instance's class derives from."""
    if type(d.payload) in (ListObj, DictObj) or d.payload is not None:
        return it.native_attr(V(d.payload, base.o), attr)  # type: ignore[no-any-return]
    return None
