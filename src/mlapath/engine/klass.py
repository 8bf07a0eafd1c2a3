"""Classes: creation, C3 linearisation, instantiation."""

from __future__ import annotations

from typing import Any

from mlapath.engine import metaclass
from mlapath.engine.attrs import class_lookup
from mlapath.engine.control import Frame
from mlapath.engine.fork import hand_on
from mlapath.engine.names import store_name
from mlapath.engine.stmt import block
from mlapath.ir import nodes as n
from mlapath.values.objects import BoundMethod, ClassObj, Descriptor, FuncObj, Instance, Native
from mlapath.values.value import External, Union, Unknown, V


def c3(cls: ClassObj) -> tuple[ClassObj, ...] | None:
    """The method resolution order, or None where the bases have no consistent one."""
    sequences = [list(b.mro) for b in cls.bases] + [list(cls.bases)]
    order = [cls]
    while True:
        sequences = [s for s in sequences if s]
        if not sequences:
            return tuple(order)
        for s in sequences:
            head = s[0]
            if not any(head in other[1:] for other in sequences):
                break
        else:
            return None
        order.append(head)
        for s in sequences:
            if s[0] is head:
                del s[0]


def class_def(it: Any, fr: Frame, s: n.ClassDef) -> None:
    bases, foreign, given = _bases(it, fr, s)
    keywords = {k.name: it.eval(fr, k.value) for k in s.keywords if k.name is not None}
    meta = keywords.pop("metaclass", None)
    owner = fr.func is None and fr.owner
    prefix = f"{fr.owner.qualname}." if owner and fr.owner is not None else (
        f"{fr.func.qualname}.<locals>." if fr.func is not None else "")  # fmt: skip
    cls = new_class(
        it, s.name, prefix + s.name, fr.module.name, bases, foreign=foreign, path=fr.path, node=s
    )
    if meta is not None:
        if type(meta.d) is ClassObj:
            cls.meta = metaclass.most_derived(meta.d, cls.meta)
        elif type(meta.d) is not External:
            it.frontier(fr, s.pos, "a metaclass that is not known")
    if s.doc is not None:
        cls.ns["__doc__"] = V(s.doc)
    cls.ns["__module__"] = V(fr.module.name)
    cls.ns["__qualname__"] = V(cls.qualname)
    if any(type(base.d) is Instance for base in given):
        cls.ns["__orig_bases__"] = V(given)
    metaclass.prepare(it, cls, keywords)
    body = Frame(fr.module, cls.ns, fr.captured(), None, fr, "class")
    body.owner = cls
    outer, it.frame = it.frame, body
    try:
        block(it, body, s.body)
    finally:
        it.frame = outer
        for pending in list(body.pending):
            hand_on(pending, fr)
    value = metaclass.define(it, cls, keywords)
    for decorator in reversed(s.decorators):
        function = it.eval(fr, decorator)
        fr.pos = decorator.pos
        value = it.call(function, [value], {})
    store_name(it, fr, s.name, value)


def _bases(it: Any, fr: Frame, s: n.ClassDef) -> tuple[tuple[ClassObj, ...], str, tuple[V, ...]]:
    """The bases as classes, what is not known of them, and the bases as written."""
    bases: list[ClassObj] = []
    foreign = ""
    given = [it.eval(fr, expr) for expr in s.bases]
    for position, value in enumerate(given):
        d = value.d
        if type(d) is Union:
            classes = [o.d for o in d.options if type(o.d) is ClassObj]
            it.frontier(fr, s.pos, f"class {s.name} has one of several bases")
            d = classes[0] if classes else Unknown("a base class")
            foreign = foreign or f"one of several bases of {s.name}"
        entries = it.mro_entries(value, given, position)
        if entries is not None:
            bases.extend(c for c in entries if c not in bases)
        elif type(d) is ClassObj:
            if d not in bases:
                bases.append(d)
        elif type(d) is External:
            bases.append(it.models.foreign_class(it, d.name))
        else:
            foreign = d.lib if type(d) is Unknown and d.lib else f"an unknown base of {s.name}"
    return tuple(bases), foreign, tuple(given)


def new_class(
    it: Any, name: str, qualname: str, module: str, bases: tuple[ClassObj, ...], *,
    foreign: str = "", path: str = "", node: object = None,
) -> ClassObj:  # fmt: skip
    """A class object with its MRO, its namespace still empty."""
    if not bases:
        bases = (it.object_class,)
    cls = ClassObj(name, qualname, module, bases, it.heap.cell(), path=path, node=node)
    order = c3(cls)
    if order is None:
        it.throw("TypeError", "Cannot create a consistent method resolution order (MRO)")
    cls.mro = order or (cls,)
    cls.foreign = foreign or next((c.foreign for c in cls.mro[1:] if c.foreign), "")
    cls.meta = next((c.meta for c in cls.mro[1:] if c.meta is not None), None)
    cls.payload = next((c.payload for c in cls.mro[1:] if c.payload is not None), None)
    return cls


def rebase(it: Any, cls: ClassObj, bases: V) -> None:
    """``cls.__bases__ = bases``, on every alternative."""
    items = it.iterate(bases)
    if items is None or it.maybe or any(type(b.d) not in (ClassObj, External) for b in items):
        it.frontier(it.frame, it.frame.pos, f"the bases of {cls.name} are changed")
        cls.foreign = cls.foreign or f"unknown bases of {cls.name}"
        return
    old = cls.bases
    cls.bases = tuple(
        b.d if type(b.d) is ClassObj else it.models.foreign_class(it, b.d.name) for b in items
    )
    order = c3(cls)
    if order is None:
        cls.bases = old
        it.throw("TypeError", "Cannot create a consistent method resolution order (MRO)")
        raise AssertionError("unreachable")
    cls.mro = order
    cls.facts.pop("abstract", None)
    cls.foreign = cls.foreign or next((c.foreign for c in cls.mro[1:] if c.foreign), "")


def finish_class(it: Any, cls: ClassObj, keywords: dict[str, V]) -> V:
    """What ``type.__new__`` does after the body: owners, __set_name__, __init_subclass__."""
    for name, value in list(cls.ns.items()):
        _own(value, cls)
        if type(value.d) is Instance:
            special = class_lookup(value.d.cls, "__set_name__")
            if special is not None and type(special[0].d) is FuncObj:
                it.call(V(BoundMethod(special[0].d, value)), [V(cls), V(name)], {})
        elif type(value.d) is FuncObj and name in ("__init_subclass__", "__class_getitem__"):
            it.heap.put(cls.ns, name, V(Descriptor("classmethod", value)))
        elif type(value.d) is FuncObj and name == "__new__":
            it.heap.put(cls.ns, name, V(Descriptor("staticmethod", value)))
    for c in cls.mro[1:]:
        hook = c.facts.get("on_subclass")
        if hook is not None:
            hook(it, cls, keywords)
            break
    for c in cls.mro[1:]:
        value = c.ns.get("__init_subclass__")
        if value is not None:
            inner = value.d.fget if type(value.d) is Descriptor else value
            if type(inner.d) is FuncObj:
                it.call(V(BoundMethod(inner.d, V(cls))), [], keywords)
            break
    return V(cls)


def _own(value: V, cls: ClassObj) -> None:
    d = value.d
    if type(d) is FuncObj and d.owner is None:
        d.owner = cls
    elif type(d) is Descriptor:
        for part in (d.fget, d.fset, d.fdel):
            if part is not None:
                _own(part, cls)
    elif type(d) is BoundMethod and isinstance(d.func, FuncObj):
        _own(V(d.func), cls)
    elif type(d) is Native and d.attrs is not None and "__wrapped__" in d.attrs:
        _own(d.attrs["__wrapped__"], cls)


def instantiate(
    it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V], opened: str = ""
) -> V:
    """``cls(*args, **kwargs)``."""
    if cls.meta is not None:
        special = class_lookup(cls.meta, "__call__")
        if special is not None and type(special[0].d) is FuncObj:
            return it.call(V(BoundMethod(special[0].d, V(cls))), args, kwargs, opened)  # type: ignore[no-any-return]
    return type_call(it, cls, args, kwargs, opened)


def type_call(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V], opened: str = "") -> V:
    """``type.__call__``: __new__, then __init__; a class that a summary made has its own way."""
    own = cls.facts.get("construct")
    if own is not None:
        return _construct(it, own, cls, args, kwargs, opened)
    constructor = class_lookup(cls, "__new__")
    if constructor is not None and type(constructor[0].d) is Descriptor:
        made = it.call(constructor[0].d.fget, [V(cls), *args], dict(kwargs), opened)
        if it.certainly_instance(made, cls):
            initialise(it, made, args, kwargs, opened)
        return made  # type: ignore[no-any-return]
    for c in cls.mro:
        construct = c.facts.get("construct")
        if construct is not None:
            return _construct(it, construct, cls, args, kwargs, opened)
    made = V(new_instance(it, cls))
    if cls.payload is not None:
        it.fill_payload(made.d, args, kwargs)
    initialise(it, made, args, kwargs, opened)
    return made


def _construct(
    it: Any, construct: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V], opened: str
) -> V:
    if opened:
        return it.opaque_call(V(cls), args, kwargs, opened)  # type: ignore[no-any-return]
    return construct(it, cls, args, kwargs)  # type: ignore[no-any-return]


def new_instance(it: Any, cls: ClassObj) -> Instance:
    """``object.__new__(cls)``; an abstract class raises the program's TypeError."""
    missing = abstract_methods(cls)
    if missing:
        names = ", ".join(f"'{m}'" for m in missing)
        plural = "s" if len(missing) > 1 else ""
        it.throw("TypeError", f"Can't instantiate abstract class {cls.name} without an "
                 f"implementation for abstract method{plural} {names}")  # fmt: skip
    instance = Instance(cls, it.heap.cell())
    instance.site = it.site()
    if cls not in it.made:
        it.made.update(cls.mro)
    return instance


def abstract_methods(cls: ClassObj) -> list[str]:
    """The abstract methods that nothing overrides, sorted; none unless an ABCMeta made it."""
    if cls.meta is None or not any(c.name == "ABCMeta" for c in cls.meta.mro):
        return []
    cached: list[str] | None = cls.facts.get("abstract")
    if cached is None:
        names = {name for c in cls.mro for name, v in c.ns.items() if _is_abstract(v)}
        cached = sorted(name for name in names if _is_abstract(class_lookup(cls, name)[0]))  # type: ignore[index]
        cls.facts["abstract"] = cached
    return cached


def _is_abstract(value: V) -> bool:
    d = value.d
    if type(d) is Descriptor:
        return _is_abstract(d.fget)
    attrs = d.attrs if type(d) in (FuncObj, Native) else None
    return attrs is not None and "__isabstractmethod__" in attrs


def initialise(it: Any, made: V, args: list[V], kwargs: dict[str, V], opened: str) -> None:
    """Call ``__init__``."""
    d = made.d
    if type(d) is not Instance:
        return
    found = class_lookup(d.cls, "__init__")
    if found is not None:
        it.call(V(BoundMethod(found[0].d, made)), args, kwargs, opened)
    elif d.cls.foreign and not (args or kwargs or opened):
        return  # what its attributes hold is of the library's own making
    elif d.cls.foreign:
        d.open = d.open or f"attributes set by {d.cls.foreign}"
    elif (args or kwargs) and d.payload is None:
        it.throw("TypeError", f"{d.cls.name}() takes no arguments")


CLASSES: dict[type, Any] = {n.ClassDef: class_def}
