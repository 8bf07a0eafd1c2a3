"""Attributes: instance dicts, the MRO, descriptors, super(), modules, unions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mlapath.values.family import Family
from mlapath.values.heap import NOTHING
from mlapath.values.objects import (
    BoundMethod,
    ClassObj,
    Descriptor,
    FuncObj,
    Instance,
    ModuleObj,
    Native,
    SuperObj,
)
from mlapath.values.truth import Truth
from mlapath.values.union import may_be_absent, options, union
from mlapath.values.value import ABSENT, External, Union, Unknown, V

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
    """The raw attribute along the MRO, with the class that has it.

    Where that class may lack it, it may be that of a later one, too; ABSENT is among the values
    where each of them may lack it.
    """
    for c in cls.mro:
        value = c.ns.get(attr)
        if value is not None:
            return (value, c) if type(value.d) is not Union else (_perhaps(cls.mro, attr), c)
    return None


def _perhaps(mro: Iterable[ClassObj], attr: str) -> V:
    """What the classes along an MRO have under a name, up to one that certainly has it."""
    found: list[V] = []
    for c in mro:
        value = c.ns.get(attr)
        if value is not None:
            found += [o for o in options(value) if o.d is not ABSENT]
            if not may_be_absent(value):
                return union(found)
    return union([NOTHING, *found])


def _there(value: V) -> V | None:
    """The value; None where it is certainly absent."""
    return MISSING if value.d is ABSENT else value


def is_data(raw: Any) -> bool:
    """Whether a class attribute takes precedence over what the instance has under its name."""
    if type(raw) is Descriptor:
        return bool(raw.kind == "property")
    return type(raw) is Instance and any(
        class_lookup(raw.cls, name) is not None for name in ("__set__", "__delete__")
    )


def computed(raw: Any) -> bool:
    """Whether a class attribute is code that runs when it is read through an instance."""
    if type(raw) is Descriptor:
        return raw.kind in ("property", "cached_property")
    return type(raw) is Instance and class_lookup(raw.cls, "__get__") is not None


def _of_instance(it: Any, base: V, d: Instance, attr: str) -> V | None:
    custom = class_lookup(d.cls, "__getattribute__")
    if custom is not None and type(custom[0].d) is FuncObj:
        got = it.lacking(lambda: it.call(bind(it, custom[0], base, d.cls), [V(attr)], {}))
        return _or_getattr(it, base, d, attr, got)
    return plain_attr(it, base, d, attr)


def plain_attr(it: Any, base: V, d: Instance, attr: str) -> V | None:
    """``object.__getattribute__(base, attr)``, and what ``__getattr__`` makes of its failure."""
    found = class_lookup(d.cls, attr)
    if found is None or type(found[0].d) is not Union:
        return _with(it, base, d, attr, None if found is None else found[0])

    def one(raw: V) -> V:
        value = _with(it, base, d, attr, None if raw.d is ABSENT else raw)
        return NOTHING if value is None else value

    return _there(it.each(list(found[0].d.options), one))


def _with(it: Any, base: V, d: Instance, attr: str, raw: V | None) -> V | None:
    """The attribute where the class has ``raw`` under its name."""
    own = d.attrs.get(attr)
    if raw is not None and is_data(raw.d) and (own is None or computed(raw.d)):
        return _of_its_class(it, base, d, attr, raw)
    if own is not None and not may_be_absent(own):
        return own  # type: ignore[no-any-return]
    if own is None:
        return _of_its_class(it, base, d, attr, raw)
    bound = [o for o in options(own) if o.d is not ABSENT]
    if not bound:
        return _of_its_class(it, base, d, attr, raw)

    def side(there: V) -> V:
        if there.d:
            return union(bound)
        other = _of_its_class(it, base, d, attr, raw)
        return NOTHING if other is None else other

    return _there(it.each([V(True), V(False)], side))


def _of_its_class(it: Any, base: V, d: Instance, attr: str, raw: V | None) -> V | None:
    """An attribute that is not in the instance's own namespace."""
    if raw is not None and computed(raw.d):
        got = it.lacking(lambda: bind(it, raw, base, d.cls))
        return _or_getattr(it, base, d, attr, got)
    if attr == "__class__":
        return V(d.cls)
    if attr == "__dict__":
        return it.instance_dict(base)  # type: ignore[no-any-return]
    if raw is not None:
        return bind(it, raw, base, d.cls)
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


def _or_getattr(it: Any, base: V, d: Instance, attr: str, got: V | None) -> V | None:
    """What ``__getattr__`` gives where the ordinary way certainly, or perhaps, fails."""
    if got is not None and not may_be_absent(got):
        return got
    getter = class_lookup(d.cls, "__getattr__")
    if getter is None:
        return got

    def ask() -> V | None:
        return it.call_getattr(bind(it, getter[0], base, d.cls), attr)  # type: ignore[no-any-return]

    bound = [] if got is None else [o for o in options(got) if o.d is not ABSENT]
    if not bound:
        return ask()

    def side(there: V) -> V:
        value = union(bound) if there.d else ask()
        return NOTHING if value is None else value

    return _there(it.each([V(True), V(False)], side))


def _of_class(it: Any, base: V, d: ClassObj, attr: str) -> V | None:
    meta = class_lookup(d.meta, attr) if d.meta is not None else None
    if meta is not None and is_data(meta[0].d):
        return bind(it, meta[0], base, d.meta)
    found = class_lookup(d, attr)
    if found is None or type(found[0].d) is not Union:
        return _class_with(it, base, d, attr, None if found is None else found[0], meta)

    def one(raw: V) -> V:
        value = _class_with(it, base, d, attr, None if raw.d is ABSENT else raw, meta)
        return NOTHING if value is None else value

    return _there(it.each(list(found[0].d.options), one))


def _class_with(
    it: Any, base: V, d: ClassObj, attr: str, raw: V | None, meta: tuple[V, ClassObj] | None
) -> V | None:
    """The attribute of a class whose MRO has ``raw`` under its name."""
    if raw is not None:
        return through_class(it, raw, base)
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


def through_class(it: Any, raw: V, cls: V) -> V:
    """What a class attribute becomes when read through the class ``cls``."""
    d = raw.d
    if type(d) is Descriptor and d.kind == "classmethod":
        return V(BoundMethod(d.fget, cls))
    if type(d) is Descriptor and d.kind == "staticmethod":
        return d.fget
    if type(d) is Instance:
        getter = class_lookup(d.cls, "__get__")
        if getter is not None:
            return it.call(bind(it, getter[0], raw, d.cls), [V(None), cls], {})  # type: ignore[no-any-return]
    if type(d) is Union:
        return it.each(list(d.options), lambda o: through_class(it, o, cls))  # type: ignore[no-any-return]
    return raw


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
        if any(computed(o.d) for o in d.options):
            return it.each(list(d.options), lambda o: bind(it, o, instance, cls))  # type: ignore[no-any-return]
        return union([bind(it, o, instance, cls) for o in d.options])
    return raw


def _of_super(it: Any, d: SuperObj, attr: str) -> V | None:
    owner = it.class_of(d.self_)
    is_class = type(d.self_.d) is ClassObj and d.cls in d.self_.d.mro
    if is_class:
        owner = d.self_.d
    if owner is None:
        return V(Unknown("super() of an unknown object"))
    mro = owner.mro[owner.mro.index(d.cls) + 1 :] if d.cls in owner.mro else ()
    found = _perhaps(mro, attr) if any(attr in c.ns for c in mro) else NOTHING

    def one(raw: V) -> V | None:
        if raw.d is not ABSENT:
            return through_class(it, raw, d.self_) if is_class else bind(it, raw, d.self_, owner)
        special = it.super_special(d, owner, attr)
        if special is not None:
            return special  # type: ignore[no-any-return]
        if owner.foreign:
            return it.foreign_attr(owner.foreign, attr, d.self_)  # type: ignore[no-any-return]
        return MISSING

    if type(found.d) is not Union:
        return one(found)

    def alternative(raw: V) -> V:
        value = one(raw)
        return NOTHING if value is None else value

    return _there(it.each(list(found.d.options), alternative))


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
