"""Classes made by metaclasses of the program: ``__prepare__``, ``__new__``, ``__init__``."""

from __future__ import annotations

from typing import Any

from mlapath.engine.attrs import class_lookup
from mlapath.values.objects import OPEN, BoundMethod, ClassObj, Descriptor, DictObj, FuncObj
from mlapath.values.value import V

Keywords = dict[str, V]


def most_derived(given: ClassObj | None, inherited: ClassObj | None) -> ClassObj | None:
    """The metaclass of a class that names one and inherits another."""
    if given is None or inherited is not None and given in inherited.mro:
        return inherited
    return given


def prepare(it: Any, cls: ClassObj, keywords: Keywords) -> None:
    """Put what ``__prepare__`` gives into the namespace, before the body runs."""
    method = class_lookup(cls.meta, "__prepare__") if cls.meta is not None else None
    if method is None or type(method[0].d) not in (Descriptor, FuncObj):
        return
    name, bases, _ = _arguments(it, cls)
    given = it.call(it.getattr(V(cls.meta), "__prepare__"), [name, bases], keywords)
    pairs = it.mapping_items(given)
    if pairs is None or type(given.d) is not DictObj:
        it.frontier(it.frame, it.frame.pos, f"the namespace of class {cls.name} is not a dict")
    for key, value in pairs or ():
        if type(key.d) is str:
            it.heap.put(cls.ns, key.d, value)


def define(it: Any, cls: ClassObj, keywords: Keywords) -> V:
    """What the metaclass makes of ``cls``, whose body has run."""
    meta = cls.meta
    method = class_lookup(meta, "__new__") if meta is not None else None
    if method is None or type(method[0].d) is not Descriptor:
        value: V = it.finish_class(cls, keywords)
        return initialise(it, value, _arguments(it, cls), keywords)
    arguments = _arguments(it, cls)
    making: list[ClassObj] = it.store.setdefault("classes being made", [])
    making.append(cls)
    try:
        value = it.call(method[0].d.fget, [V(meta), *arguments], keywords)
    finally:
        making.remove(cls) if cls in making else None
    return initialise(it, value, arguments, keywords)


def initialise(it: Any, value: V, arguments: list[V], keywords: Keywords) -> V:
    """Call the metaclass's ``__init__``."""
    d = value.d
    if type(d) is ClassObj and d.meta is not None:
        method = class_lookup(d.meta, "__init__")
        if method is not None and type(method[0].d) is FuncObj:
            it.call(V(BoundMethod(method[0].d, value)), arguments, keywords)
    return value


def _arguments(it: Any, cls: ClassObj) -> list[V]:
    """Name, bases and namespace, as a metaclass gets them."""
    bases = tuple(V(base) for base in cls.bases if base is not it.object_class)
    return [V(cls.name), V(bases), it.namespace(cls.ns)]


def type_new(it: Any, args: list[V], kwargs: Keywords) -> V:
    """``type.__new__(meta, name, bases, namespace, **keywords)``."""
    meta, name, bases, content = args
    making: list[ClassObj] = it.store.setdefault("classes being made", [])
    classes = tuple(b.d for b in it.iterate(bases) or () if type(b.d) is ClassObj)
    if making and making[-1].meta is meta.d:
        cls = making.pop()
        if classes and classes != cls.bases:
            it.rebase(cls, bases)
    else:
        text = name.d if type(name.d) is str else "<unknown>"
        cls = it.new_class(text, text, it.frame.module.name, classes)
        cls.meta = most_derived(meta.d if meta.d is not it.builtins["type"].d else None, cls.meta)
    _fill(it, cls, content)
    made: V = it.finish_class(cls, kwargs)
    return made


def _fill(it: Any, cls: ClassObj, content: V) -> None:
    """Make the namespace what was given for it."""
    if type(content.d) is DictObj and content.d.of is cls.ns:
        return
    pairs = it.mapping_items(content)
    if pairs is None or type(content.d) is DictObj and OPEN in content.d.data:
        it.frontier(it.frame, it.frame.pos, f"the namespace of class {cls.name} is not known")
    given = {key.d: value for key, value in pairs or () if type(key.d) is str}
    for key in [key for key in cls.ns if key not in given]:
        it.heap.drop(cls.ns, key)
    for key, value in given.items():
        it.heap.put(cls.ns, key, value)
