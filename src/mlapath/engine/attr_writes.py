"""Writing and deleting attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.attrs import bind, class_lookup
from mlapath.values.objects import (
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
)
from mlapath.values.union import may_be_absent
from mlapath.values.value import ABSENT, SCALAR_TYPES, External, Union, Unknown, V


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
    custom = class_lookup(d.cls, "__setattr__")
    if custom is not None and type(custom[0].d) is FuncObj:
        it.call(bind(it, custom[0], base, d.cls), [V(attr), value], {})
    else:
        native = custom[0].d if custom is not None and type(custom[0].d) is Native else None
        plain_set(it, base, attr, value, native)


def plain_set(it: Any, base: V, attr: str, value: V, native: Native | None = None) -> None:
    """``object.__setattr__(base, attr, value)``, or what a summary has in its place."""
    found = class_lookup(base.d.cls, attr)
    if found is not None and type(found[0].d) is Union:
        options = list(found[0].d.options)
        it.each(options, lambda o: _nothing(lambda: _set_with(it, base, attr, value, o, native)))
    else:
        _set_with(it, base, attr, value, None if found is None else found[0], native)


def _set_with(it: Any, base: V, attr: str, value: V, raw: V | None, native: Native | None) -> None:
    """The same where the class has ``raw`` under the name."""
    d: Instance = base.d
    inner = None if raw is None else raw.d
    if type(inner) is Descriptor and inner.kind == "property":
        if inner.fset is None:
            it.throw("AttributeError", f"can't set attribute '{attr}'", name=V(attr), obj=base)
        it.call(inner.fset, [base, value], {})
        return
    if raw is not None and type(inner) is Instance:
        setter = class_lookup(inner.cls, "__set__")
        if setter is not None:
            it.call(bind(it, setter[0], raw, inner.cls), [base, value], {})
            return
    if native is not None:
        native.fn(it, [base, V(attr), value], {})
        return
    if not _has_place(it, d.cls, attr):
        it.throw("AttributeError", f"'{d.cls.name}' object has no attribute '{attr}'",
                 name=V(attr), obj=base)  # fmt: skip
    it.write_attr(d, attr, value)


def _has_place(it: Any, cls: ClassObj, attr: str) -> bool:
    """Whether instances can have the attribute: not where all classes have ``__slots__``."""
    for c in cls.mro:
        if c is it.object_class:
            continue
        slots = c.ns.get("__slots__")
        if slots is None or c.foreign:
            return True
        names = [slots] if type(slots.d) is str else it.iterate(slots)
        if names is None or it.is_open(slots):
            return True
        if any(type(x.d) is not str or x.d in (attr, "__dict__") for x in names):
            return True
    return False


def _nothing(run: Callable[[], None]) -> V:
    run()
    return V(None)


def del_attr(it: Any, base: V, attr: str) -> None:
    """``del base.attr``."""
    d = base.d
    if type(d) is Instance:
        custom = class_lookup(d.cls, "__delattr__")
        if custom is not None and type(custom[0].d) is FuncObj:
            it.call(bind(it, custom[0], base, d.cls), [V(attr)], {})
        else:
            plain_delete(it, base, attr)
    elif type(d) in (ModuleObj, ClassObj):
        own = d.ns.get(attr)
        if own is None or own.d is ABSENT:
            it.throw("AttributeError", attr)
        if may_be_absent(own):
            it.may_throw("AttributeError", attr)
        it.heap.drop(d.ns, attr)
    elif type(d) is FuncObj and attr in d.attrs:
        it.heap.drop(d.attrs, attr)
    elif type(d) is Union:
        options = [o for o in d.options if o.d is not ABSENT]
        it.each(options, lambda o: _nothing(lambda: del_attr(it, o, attr)))


def plain_delete(it: Any, base: V, attr: str) -> None:
    """``object.__delattr__(base, attr)``."""
    d: Instance = base.d
    found = class_lookup(d.cls, attr)
    raw = None if found is None else found[0].d
    if type(raw) is Descriptor and raw.kind == "property":
        if raw.fdel is None:
            it.throw("AttributeError", f"property '{attr}' has no deleter")
        it.call(raw.fdel, [base], {})
        return
    if found is not None and type(raw) is Instance:
        deleter = class_lookup(raw.cls, "__delete__")
        if deleter is not None:
            it.call(bind(it, deleter[0], found[0], raw.cls), [base], {})
            return
    own = d.attrs.get(attr)
    if (own is None or own.d is ABSENT) and not d.open:
        it.throw("AttributeError", attr)
    if own is None or may_be_absent(own):
        it.may_throw("AttributeError", attr)
    it.heap.drop(d.attrs, attr)
