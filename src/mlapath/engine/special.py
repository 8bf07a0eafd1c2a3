"""The attributes that every object has, and lookups of special methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from mlapath.engine.annotations import function_annotations
from mlapath.engine.attr_writes import plain_delete, plain_set
from mlapath.engine.attrs import bind, class_lookup, find, plain_attr
from mlapath.engine.control import PyRaise
from mlapath.engine.namespaces import namespace
from mlapath.engine.text_format import formatted
from mlapath.models.builtin_functions import accessor
from mlapath.values.concrete import NotConcrete, from_py, to_py
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
    Native,
    SuperObj,
)
from mlapath.values.origin import merge
from mlapath.values.union import may_be_absent
from mlapath.values.value import ABSENT, SCALAR_TYPES, External, Union, Unknown, V

IMMUTABLE = (int, float, complex, str, bytes, tuple, frozenset)


def lookup_special(it: Any, value: V, name: str) -> V | None:
    """The bound special method of an instance, looked up on its class; of a class, on its own."""
    d = value.d
    cls = d.cls if type(d) is Instance else d.meta if type(d) is ClassObj else None
    found = None if cls is None else class_lookup(cls, name)
    if cls is None or found is None:
        return None
    if type(found[0].d) is Union and may_be_absent(found[0]):
        it.frontier(it.frame, it.frame.pos, f"{cls.name} may have {name} or not")
    return bind(it, found[0], value, cls)


def get_attr(it: Any, base: V, attr: str) -> V:
    """``base.attr``; raises the program's AttributeError."""
    it.missing = None
    return _present(it, base, attr, find(it, base, attr))


def _present(it: Any, base: V, attr: str, value: V | None) -> V:
    """A value that was found; raises AttributeError where none was, also where it may not be."""
    if value is None or value.d is ABSENT:
        _throw_missing(it, base, attr)
    if type(value.d) is Union and any(o.d is ABSENT for o in value.d.options):
        rest = [o for o in value.d.options if o.d is not ABSENT]
        it.may_throw("AttributeError", attr)
        joined: V = it.union(rest)
        return joined
    if it.tries and type(value.d) is Unknown and _may_lack(base.d, attr):
        it.may_throw("AttributeError", attr)
    return value


def _throw_missing(it: Any, base: V, attr: str) -> NoReturn:
    if it.missing is not None:
        it.missing.explicit = it.missing.explicit or _is_trees(base.d)
        raise it.missing
    what = f"'{it.type_name(base)}' object"
    if type(base.d) is ClassObj:
        what = f"type object '{base.d.name}'"
    try:
        it.throw("AttributeError", f"{what} has no attribute '{attr}'", name=V(attr), obj=base)
    except PyRaise as raised:
        raised.explicit = _is_trees(base.d)
        raise
    raise AssertionError("unreachable")


def _is_trees(d: Any) -> bool:
    """Whether an object is all the tree's: what it lacks is not for a library to have."""
    return (
        type(d) is Instance and bool(d.cls.path) and not d.open
        and not any(c.foreign for c in d.cls.mro)
    )  # fmt: skip


def _may_lack(d: Any, attr: str) -> bool:
    """Whether an object of which not all is known may lack an attribute."""
    if type(d) is Instance:
        return bool(d.open or d.cls.foreign) and attr not in d.attrs
    return type(d) is Unknown and d.hint in ("", "object")


def call_getattr(it: Any, getter: V, attr: str) -> V | None:
    """``__getattr__(attr)``: None where it raises AttributeError, perhaps ABSENT where it may."""
    return lacking(it, lambda: it.call(getter, [V(attr)], {}))


def lacking(it: Any, run: Callable[[], V]) -> V | None:
    """What code that computes an attribute gives; None where it raises AttributeError.

    ``get_attr`` re-raises that, ``getattr`` with a default takes it for a missing attribute.
    """
    value, error = it.attempt(run, it.builtins["AttributeError"], opaque=False)
    if error is None:
        return value  # type: ignore[no-any-return]
    it.missing = it.caught
    return None if value is None else it.union([NOTHING, value])


def cached_property(it: Any, raw: V, instance: V) -> V:
    """Compute once, then keep it in the instance."""
    value: V = it.call(raw.d.fget, [instance], {})
    if type(instance.d) is Instance:
        name = next((k for c in instance.d.cls.mro for k, v in c.ns.items() if v.d is raw.d), "")
        if name:
            it.heap.put(instance.d.attrs, name, value)
    return value


def instance_dict(it: Any, base: V) -> V:
    """``obj.__dict__``."""
    return namespace(it, base.d.attrs, base.d.open)


def object_attr(it: Any, base: V, attr: str) -> V | None:
    """Attributes that ``object`` gives to every instance."""
    table = {
        "__init__": lambda i, a, k: V(None),
        "__setattr__": lambda i, a, k: _plain_set(i, base, a[0], a[1]),
        "__getattribute__": lambda i, a, k: _plain_get(i, base, a[0]),
        "__delattr__": lambda i, a, k: _plain_delete(i, base, a[0]),
        "__repr__": lambda i, a, k: V(Unknown("a repr", "str")),
        "__str__": lambda i, a, k: V(Unknown("a str", "str")),
        "__hash__": lambda i, a, k: V(Unknown("a hash", "int")),
        "__eq__": lambda i, a, k: i.compare("==", base, a[0]),
        "__ne__": lambda i, a, k: i.compare("!=", base, a[0]),
        "__init_subclass__": lambda i, a, k: V(None),
        "__reduce__": lambda i, a, k: V(Unknown("a reduction")),
    }
    fn = table.get(attr)
    if fn is not None:
        return V(Native(f"object.{attr}", fn))
    if attr == "__module__" and type(base.d) is Instance:
        return V(base.d.cls.module)
    if attr == "__doc__":
        return V(None)
    return None


def _plain_set(it: Any, base: V, name: V, value: V) -> V:
    if type(base.d) is Instance and type(name.d) is str:
        plain_set(it, base, name.d, value)
    elif type(base.d) is Instance:
        it.set_some_attr(base, value)
    return V(None)


def _plain_get(it: Any, base: V, name: V) -> V:
    if type(name.d) is not str:
        return V(Unknown("an attribute of unknown name"), base.o)
    if type(base.d) is not Instance:
        return get_attr(it, base, name.d)
    return _present(it, base, name.d, plain_attr(it, base, base.d, name.d))


def _plain_delete(it: Any, base: V, name: V) -> V:
    if type(base.d) is Instance and type(name.d) is str:
        plain_delete(it, base, name.d)
    elif type(base.d) is Instance:
        it.havoc(base, "an attribute of unknown name was deleted")
    return V(None)


def class_special(it: Any, d: ClassObj, attr: str) -> V | None:
    """``__name__`` and the like of a class."""
    plain = {
        "__name__": d.name,
        "__qualname__": d.qualname,
        "__module__": d.module,
        "__doc__": None,
    }
    if attr in plain:
        return V(plain[attr])
    if attr == "__mro__":
        return V(tuple(V(c) for c in d.mro))
    if attr == "__bases__":
        return V(tuple(V(c) for c in d.bases))
    if attr == "__base__":
        return V(d.bases[0]) if d.bases else V(None)
    if attr == "__dict__":
        made = it.heap.dict()
        for key, value in d.ns.items():
            it.dict_set(made, V(key), value)
        return V(made)
    if attr == "__class__":
        return V(d.meta if d.meta is not None else it.builtins["type"].d)
    if attr == "__annotations__":
        return it.class_annotations(d)  # type: ignore[no-any-return]
    if attr == "__abstractmethods__":
        names = it.abstract_methods(d)
        return it.make_set([V(name) for name in names], "frozenset")  # type: ignore[no-any-return]
    if attr == "__subclasses__":
        return V(Native("type.__subclasses__", lambda i, a, k: V(Unknown("subclasses", "list"))))
    if attr == "__new__":
        return V(Native("object.__new__", _new))
    if attr in ("__init__", "__setattr__", "__getattribute__", "__repr__", "__str__", "__eq__",
                "__hash__", "__delattr__", "__init_subclass__"):  # fmt: skip
        return V(Native(f"object.{attr}", lambda i, a, k: _unbound(i, attr, a, k)))
    if attr == "mro":
        return V(Native("type.mro", lambda i, a, k: V(i.heap.list([V(c) for c in d.mro]))))
    return None


def _new(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``object.__new__(cls)``, ``str.__new__(cls, text)``: immutable builtins take content."""
    if not args or type(args[0].d) is not ClassObj:
        return V(Unknown("object.__new__"))
    if len(args) == 4 and it.builtins["type"].d in args[0].d.mro:
        return it.type_new(args, kwargs)  # type: ignore[no-any-return]
    made = it.new_instance(args[0].d)
    payload = args[0].d.payload
    if payload is not None:
        it.fill_payload(made, args[1:] if payload in IMMUTABLE else [], {})
    return V(made)


def _unbound(it: Any, attr: str, args: list[V], kwargs: dict[str, V]) -> V:
    method = object_attr(it, args[0], attr)
    called: V = V(None) if method is None else it.call(method, args[1:], kwargs)
    return called


def super_special(it: Any, d: SuperObj, owner: ClassObj, attr: str) -> V | None:
    """``super().__init__`` and the like when they come down to ``object`` or ``type``."""
    if owner.foreign and attr not in ("__setattr__", "__getattribute__", "__new__"):
        return None
    is_class = type(d.self_.d) is ClassObj
    if attr == "__new__":
        return class_special(it, owner, "__new__")
    if attr == "__call__" and is_class:
        cls = d.self_.d
        return V(Native("type.__call__", lambda i, a, k: i.type_call(cls, a, k)))
    if attr == "__init_subclass__":
        return V(Native("object.__init_subclass__", lambda i, a, k: V(None)))
    if is_class and attr in ("__init__", "__getitem__", "__setattr__", "__iter__", "__contains__",
                             "__dir__", "__instancecheck__"):  # fmt: skip
        return it.type_method(d.self_, attr)  # type: ignore[no-any-return]
    payload = d.self_.d.payload if type(d.self_.d) is Instance else None
    if payload is not None and attr not in ("__init__", "__setattr__"):
        inner = find(it, V(payload), attr)
        if inner is not None:
            return inner
    if attr == "__init__" and payload is not None:
        return V(Native("__init__", lambda i, a, k: i.fill_payload(d.self_.d, a, k) or V(None)))
    return object_attr(it, d.self_, attr)


def function_attr(it: Any, d: FuncObj, attr: str) -> V | None:
    """``__name__`` and the like of a function."""
    if attr == "__name__":
        return V(getattr(d.node, "name", "<lambda>"))
    if attr == "__qualname__":
        return V(d.qualname)
    if attr == "__module__":
        return V(d.module.name)
    if attr == "__doc__":
        return V(getattr(d.node, "doc", None))
    if attr == "__dict__":
        return namespace(it, d.attrs)
    if attr == "__call__":
        return V(d)
    if attr == "__get__":
        return V(Native("function.__get__", lambda i, a, k: bind(i, V(d), a[0], None)))
    if attr == "__annotations__":
        return function_annotations(it, d)
    if attr == "__globals__":
        return namespace(it, d.module.ns)
    if attr in ("__code__", "__defaults__", "__kwdefaults__", "__closure__", "__type_params__"):
        return V(Unknown(f"{attr} of a function"))
    return None


def native_attr(it: Any, base: V, attr: str) -> V | None:
    """Attributes of scalars, builtin containers and the rest."""
    d = base.d
    cls = it.class_of(base)
    if cls is not None:
        found = class_lookup(cls, attr)
        if found is not None:
            return bind(it, found[0], base, cls)
    if type(d) in SCALAR_TYPES or type(d) is tuple:
        return _scalar_attr(it, base, attr)
    if type(d) is Native:
        if d.attrs is not None and attr in d.attrs:
            return d.attrs[attr]  # type: ignore[no-any-return]
        if attr in ("__name__", "__qualname__"):
            return V(d.name.rpartition(".")[2])
        if attr == "__dict__":
            if d.attrs is None:
                d.attrs = it.heap.cell()
            return namespace(it, d.attrs)
        return object_attr(it, base, attr) if attr in ("__doc__", "__class__") else None
    if attr == "__class__" and cls is not None:
        return V(cls)
    if type(d) is Descriptor:
        return _descriptor_attr(d, base, attr)
    if type(d) is GeneratorObj:
        found_method = _generator_attr(base, attr)
        if found_method is not None:
            return found_method
    if type(d) in (ListObj, DictObj):
        return object_attr(it, base, attr)
    if attr.startswith("__"):
        return object_attr(it, base, attr)
    return None


def _generator_attr(base: V, attr: str) -> V | None:
    if attr in ("__iter__", "__enter__"):
        return V(Native(attr, lambda i, a, k: base))
    if attr == "close":
        return V(Native(attr, lambda i, a, k: V(None)))
    if attr in ("send", "throw"):
        return V(Native(attr, lambda i, a, k: _by_hand(i, attr, base)))
    return None


def _by_hand(it: Any, attr: str, generator: V) -> V:
    """``generator.send(…)``: what the code after the yield makes of it is not looked into."""
    it.frontier(it.frame, it.frame.pos, f"{attr}() of a generator")
    if "items" not in generator.d.cell:
        it.iterate(generator)
    it.may_raise(it.frame, f"{attr}() of a generator")
    return V(Unknown(f"the result of {attr}() of a generator"), generator.o)


PARTS = {"setter": "fset", "deleter": "fdel", "getter": "fget"}


def _descriptor_attr(d: Descriptor, base: V, attr: str) -> V | None:
    """``prop.setter`` and the like, and the functions behind a descriptor."""
    if attr in PARTS:
        return V(BoundMethod(Native(attr, accessor(PARTS[attr])), base))
    if attr in ("fget", "__func__", "__wrapped__", "func"):
        return d.fget
    if attr in ("fset", "fdel"):
        part: V | None = getattr(d, attr)
        return part if part is not None else V(None)
    return V(None) if attr == "__doc__" else None


def _scalar_attr(it: Any, base: V, attr: str) -> V | None:
    d = base.d
    real = getattr(d, attr, ABSENT)
    if real is ABSENT:
        return None
    if attr == "__class__":
        return V(it.class_of(base))
    if not callable(real):
        return V(real, base.o) if type(real) in SCALAR_TYPES else None

    def method(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        if type(d) is str and attr == "format":
            return formatted(engine, d, args, kwargs)
        origin = merge(base.o, *(a.o for a in args))
        if attr == "join" and len(args) == 1:
            args = [_as_tuple(engine, args[0])]
        try:
            plain = [to_py(a) for a in args]
            named = {k: to_py(v) for k, v in kwargs.items()}
            receiver = to_py(base)
        except NotConcrete:
            if attr == "join":
                items = engine.iterate(args[0])
                if items is not None and not engine.is_open(args[0]):
                    for x in items:
                        if type(x.d) not in (str, Unknown, Union, Instance):
                            engine.throw("TypeError", "sequence item: expected str instance")
            return V(Unknown(f"{attr}() with unknown arguments", _result_hint(d, attr)), origin)
        try:
            result = getattr(receiver, attr)(*plain, **named)
            return V(from_py(engine.heap, result).d, origin)
        except (TypeError, ValueError, LookupError, OverflowError, UnicodeError) as error:
            engine.throw(type(error).__name__, str(error))
            raise AssertionError("unreachable") from error

    return V(Native(attr, method))


def _as_tuple(it: Any, value: V) -> V:
    """The items of a known iterable, run once."""
    if type(value.d) in SCALAR_TYPES or type(value.d) in (tuple, Unknown, Union, External):
        return value
    items = it.iterate(value)
    if items is None or it.is_open(value):
        return V(Unknown("unknown items"), value.o)
    return V(tuple(items), value.o)


def _result_hint(d: Any, attr: str) -> str:
    if attr in ("startswith", "endswith", "isdigit", "isnumeric", "isalpha", "islower", "isupper"):
        return "bool"
    if attr in ("split", "rsplit", "splitlines"):
        return "list"
    if attr in ("find", "rfind", "index", "count", "bit_length"):
        return "int"
    return "str" if type(d) is str and attr not in ("partition", "rpartition", "encode") else ""
