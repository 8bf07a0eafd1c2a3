"""Attributes: instance dicts, the MRO, descriptors, super(), modules, unions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.values.family import Family
from mlapath.values.heap import NOTHING
from mlapath.values.objects import (
    BoundMethod,
    ClassObj,
    Descriptor,
    DictObj,
    FuncObj,
    GeneratorObj,
    Instance,
    ListObj,
    ModuleObj,
    Native,
    SliceObj,
    SuperObj,
)
from mlapath.values.truth import Truth
from mlapath.values.union import may_be_absent, options, union
from mlapath.values.value import ABSENT, SCALAR_TYPES, External, Union, Unknown, V

MISSING = None


def find(it: Any, base: V, attr: str) -> V | None:
    """The attribute's value, or None where the object certainly lacks it.

    A value that may be absent comes back as a Union with ABSENT.
    """
    d = base.d
    kind = type(d)
    if kind is Instance:
        return _of_instance(it, base, d, attr)
    if kind is ModuleObj:
        return it.module_attr(d, attr)  # type: ignore[no-any-return]
    if kind is ClassObj:
        return _of_class(it, base, d, attr)
    if kind is Unknown:
        return _of_unknown(it, base, d, attr)
    if kind is External:
        return it.external_attr(d, attr)  # type: ignore[no-any-return]
    if kind is Union:
        return _of_union(it, base, attr)
    if kind is SuperObj:
        return _of_super(it, d, attr)
    if kind is FuncObj:
        return _of_function(it, d, attr)
    if kind is BoundMethod:
        if attr == "__self__":
            return d.self_  # type: ignore[no-any-return]
        if attr == "__func__":
            return d.func if isinstance(d.func, V) else V(d.func)
        return find(it, d.func if isinstance(d.func, V) else V(d.func), attr)
    if kind is Family:
        return _of_family(it, base, attr)
    return it.native_attr(base, attr)  # type: ignore[no-any-return]


def class_lookup(cls: ClassObj, attr: str) -> tuple[V, ClassObj] | None:
    """The raw attribute along the MRO, with the class that has it."""
    for c in cls.mro:
        value = c.ns.get(attr)
        if value is not None:
            return value, c
    return None


def _of_instance(it: Any, base: V, d: Instance, attr: str) -> V | None:
    if not d.cls.facts.get("getattribute"):
        return plain_find(it, base, attr)
    reader = class_lookup(d.cls, "__getattribute__")
    if reader is None or type(reader[0].d) is not FuncObj:
        return plain_find(it, base, attr)
    value: V | None = it.call_getattr(bind(it, reader[0], base, d.cls), attr)
    if value is not None and not may_be_absent(value):
        return value
    getter = class_lookup(d.cls, "__getattr__")
    if getter is None:
        return value
    other = it.call_getattr(bind(it, getter[0], base, d.cls), attr)
    if value is None:
        return other  # type: ignore[no-any-return]
    rest = NOTHING if other is None else other
    return union([*(o for o in options(value) if o.d is not ABSENT), rest])


def plain_find(it: Any, base: V, attr: str) -> V | None:
    """An instance's attribute as ``object.__getattribute__`` finds it, then ``__getattr__``."""
    d: Instance = base.d
    own = d.attrs.get(attr)
    found = class_lookup(d.cls, attr)
    if found is not None and type(found[0].d) is Descriptor and found[0].d.kind == "property":
        got: V | None = it.call_property(found[0].d.fget, base)
        if got is not None:
            return got
        getter = class_lookup(d.cls, "__getattr__")
        if getter is None:
            return MISSING
        return it.call_getattr(bind(it, getter[0], base, d.cls), attr)  # type: ignore[no-any-return]
    if own is not None and not may_be_absent(own):
        return own  # type: ignore[no-any-return]
    if own is None:
        return _of_its_class(it, base, d, attr, found)
    bound = [o for o in options(own) if o.d is not ABSENT]
    if not bound:
        return _of_its_class(it, base, d, attr, found)

    def side(there: V) -> V:
        if there.d:
            return union(bound)
        other = _of_its_class(it, base, d, attr, found)
        return NOTHING if other is None else other

    return it.each([V(True), V(False)], side)  # type: ignore[no-any-return]


def _of_its_class(
    it: Any, base: V, d: Instance, attr: str, found: tuple[V, ClassObj] | None
) -> V | None:
    """An attribute that is not in the instance's own namespace."""
    if attr == "__class__":
        return V(d.cls)
    if attr == "__dict__":
        return it.instance_dict(base)  # type: ignore[no-any-return]
    if found is not None:
        return bind(it, found[0], base, d.cls)
    if d.payload is not None:
        inner = it.payload_attr(base, d, attr)
        if inner is not None:
            return inner  # type: ignore[no-any-return]
    getter = class_lookup(d.cls, "__getattr__")
    if getter is not None:
        return it.call_getattr(bind(it, getter[0], base, d.cls), attr)  # type: ignore[no-any-return]
    if d.open:
        return V(Unknown(d.open))
    if d.cls.foreign:
        return it.foreign_attr(d.cls.foreign, attr, base)  # type: ignore[no-any-return]
    return it.object_attr(base, attr)  # type: ignore[no-any-return]


def _of_class(it: Any, base: V, d: ClassObj, attr: str) -> V | None:
    meta = class_lookup(d.meta, attr) if d.meta is not None else None
    if meta is not None and type(meta[0].d) is Descriptor and meta[0].d.kind == "property":
        return bind(it, meta[0], base, d.meta)
    found = class_lookup(d, attr)
    if found is not None:
        value = found[0]
        inner = value.d
        if type(inner) is Descriptor:
            if inner.kind == "classmethod":
                return V(BoundMethod(inner.fget, base))
            if inner.kind == "staticmethod":
                return inner.fget
            return value
        return value
    if meta is not None:
        return bind(it, meta[0], base, d.meta)
    special = it.class_special(d, attr)
    if special is not None:
        return special  # type: ignore[no-any-return]
    if d.meta is not None:
        getter = class_lookup(d.meta, "__getattr__")
        if getter is not None:
            return it.call_getattr(bind(it, getter[0], base, d.meta), attr)  # type: ignore[no-any-return]
    if d.foreign:
        return it.foreign_attr(d.foreign, attr, base)  # type: ignore[no-any-return]
    return MISSING


def bind(it: Any, raw: V, instance: V, cls: ClassObj | None) -> V:
    """What a class attribute becomes when read through an instance."""
    d = raw.d
    kind = type(d)
    if kind is FuncObj:
        return V(BoundMethod(d, instance), raw.o)
    if kind is Native:
        return V(BoundMethod(d, instance)) if d.binds else raw
    if kind is Descriptor:
        if d.kind == "property":
            result: V = it.call(d.fget, [instance], {})
            return result
        if d.kind == "cached_property":
            return it.cached_property(raw, instance)  # type: ignore[no-any-return]
        if d.kind == "classmethod":
            return V(BoundMethod(d.fget, V(cls) if cls is not None else instance))
        return d.fget  # type: ignore[no-any-return]
    if kind is Instance:
        getter = class_lookup(d.cls, "__get__")
        if getter is not None:
            owner = V(cls) if cls is not None else V(None)
            return it.call(bind(it, getter[0], raw, d.cls), [instance, owner], {})  # type: ignore[no-any-return]
    if kind is Union:
        return it.union([bind(it, o, instance, cls) for o in d.options])  # type: ignore[no-any-return]
    return raw


def _of_super(it: Any, d: SuperObj, attr: str) -> V | None:
    owner = it.class_of(d.self_)
    is_class = type(d.self_.d) is ClassObj and d.cls in d.self_.d.mro
    if is_class:
        owner = d.self_.d
    if owner is None:
        return V(Unknown("super() of an unknown object"))
    after = False
    for c in owner.mro:
        if after:
            value = c.ns.get(attr)
            if value is not None:
                if is_class:
                    inner = value.d
                    if type(inner) is Descriptor and inner.kind == "classmethod":
                        return V(BoundMethod(inner.fget, d.self_))
                    if type(inner) is Descriptor and inner.kind == "staticmethod":
                        return inner.fget
                    return value  # type: ignore[no-any-return]
                return bind(it, value, d.self_, owner)
        elif c is d.cls:
            after = True
    special = it.super_special(d, owner, attr)
    if special is not None:
        return special  # type: ignore[no-any-return]
    if owner.foreign:
        return it.foreign_attr(owner.foreign, attr, d.self_)  # type: ignore[no-any-return]
    return MISSING


def _of_function(it: Any, d: FuncObj, attr: str) -> V | None:
    own = d.attrs.get(attr)
    if own is not None:
        return own  # type: ignore[no-any-return]
    return it.function_attr(d, attr)  # type: ignore[no-any-return]


def _of_unknown(it: Any, base: V, d: Unknown, attr: str) -> V:
    known = it.models.part(it, d.lib, attr) if d.lib else None
    known = it.hinted_attr(base, d, attr) if known is None else known
    if known is not None:
        return known  # type: ignore[no-any-return]
    lib = f"{d.lib}.{attr}" if d.lib else ""
    text = f"{d.text}.{attr}" if d.text else ""
    made = Unknown(d.why, lib=lib, text=text)
    made.member = attr
    derived = d.derived(("attr", attr), made)
    return V(derived, base.o)


def _of_family(it: Any, base: V, attr: str) -> V | None:
    """A method of a text or number that differs between rounds evaluated as one."""
    first = V(base.d.members[0])
    if find(it, first, attr) is None:
        return None

    def run(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        return it.call(it.getattr(args[0], attr), args[1:], kwargs)  # type: ignore[no-any-return]

    return V(BoundMethod(Native(f"{type(first.d).__name__}.{attr}", run), base), base.o)


def _of_union(it: Any, base: V, attr: str) -> V | None:
    found: list[V] = []
    missing = False
    for option in base.d.options:
        if option.d is ABSENT:
            continue
        value = find(it, option, attr)
        if value is None:
            missing = True
        else:
            found.append(value if value.o is not None else V(value.d, option.o))
    if not found:
        return MISSING
    if missing:
        found.append(V(ABSENT))
    return it.union(found)  # type: ignore[no-any-return]


def present(value: V | None) -> Truth:
    """The answer of ``hasattr`` for what ``find`` gave."""
    if value is None:
        return Truth.FALSE
    if type(value.d) is Union and any(o.d is ABSENT for o in value.d.options):
        return Truth.UNKNOWN
    return Truth.TRUE


def set_attr(it: Any, base: V, attr: str, value: V) -> None:
    """``base.attr = value``."""
    d = base.d
    kind = type(d)
    if kind is Instance:
        _set_on_instance(it, base, d, attr, value)
    elif kind is ClassObj and attr == "__bases__":
        it.rebase(d, value)
    elif kind is ModuleObj or kind is ClassObj:
        it.heap.put(d.ns, attr, value)
    elif kind is FuncObj:
        it.heap.put(d.attrs, attr, value)
    elif kind is Native:
        if d.attrs is None:
            d.attrs = it.heap.cell()
        it.heap.put(d.attrs, attr, value)
    elif kind is Union:
        options = [o for o in d.options if o.d is not ABSENT]
        it.each(options, lambda o: _nothing(lambda: set_attr(it, o, attr, value)))
    elif kind is Unknown:
        it.write_to_unknown(base, attr, value)
    elif kind is External:
        it.heap.put(it.patched, f"{d.name}.{attr}", value)
    elif kind in SCALAR_TYPES or kind in (tuple, ListObj, DictObj, SliceObj, GeneratorObj):
        it.throw("AttributeError", f"'{it.type_name(base)}' object has no attribute '{attr}'")


def _set_on_instance(it: Any, base: V, d: Instance, attr: str, value: V) -> None:
    found = class_lookup(d.cls, attr)
    if found is not None and type(found[0].d) is Descriptor and found[0].d.kind == "property":
        if found[0].d.fset is not None:
            it.call(found[0].d.fset, [base, value], {})
            return
        it.throw("AttributeError", f"can't set attribute '{attr}'")
    custom = class_lookup(d.cls, "__setattr__")
    if custom is not None and type(custom[0].d) is FuncObj and not it.in_setattr(base):
        it.call_setattr(bind(it, custom[0], base, d.cls), base, [V(attr), value])
    elif custom is not None and type(custom[0].d) is Native:
        custom[0].d.fn(it, [base, V(attr), value], {})
    else:
        it.write_attr(d, attr, value)


def _nothing(run: Callable[[], None]) -> V:
    run()
    return V(None)


def del_attr(it: Any, base: V, attr: str) -> None:
    """``del base.attr``."""
    d = base.d
    if type(d) is Instance:
        found = class_lookup(d.cls, attr)
        if found is not None and type(found[0].d) is Descriptor and found[0].d.kind == "property":
            if found[0].d.fdel is None:
                it.throw("AttributeError", f"property '{attr}' has no deleter")
            it.call(found[0].d.fdel, [base], {})
            return
        custom = class_lookup(d.cls, "__delattr__")
        if custom is not None and type(custom[0].d) is FuncObj and not it.in_setattr(base):
            it.call_setattr(bind(it, custom[0], base, d.cls), base, [V(attr)])
            return
        own = d.attrs.get(attr)
        if own is None and not d.open:
            it.throw("AttributeError", attr)
        if own is None or may_be_absent(own):
            it.may_throw("AttributeError", attr)
        it.heap.drop(d.attrs, attr)
    elif type(d) in (ModuleObj, ClassObj):
        if attr not in d.ns:
            it.throw("AttributeError", attr)
        it.heap.drop(d.ns, attr)
    elif type(d) is Union:
        options = [o for o in d.options if o.d is not ABSENT]
        it.each(options, lambda o: _nothing(lambda: del_attr(it, o, attr)))
