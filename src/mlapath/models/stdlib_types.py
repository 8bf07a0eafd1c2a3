"""``types``: namespaces, read-only views, modules and methods made at run time, names of types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models import builtin_dict
from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.models.support import gives, known, opaque_class, unknown
from mlapath.values.objects import (
    BoundMethod,
    ClassObj,
    DictObj,
    FuncObj,
    GeneratorObj,
    Instance,
    ModuleObj,
    Native,
)
from mlapath.values.value import Union, Unknown, V

Args = list[V]
Kwargs = dict[str, V]


# -- SimpleNamespace -----------------------------------------------------------------------


def _namespace_init(it: Any, args: Args, kwargs: Kwargs, opened: str = "") -> V:
    args[0].d.open = opened
    for source in args[1:]:
        for key, value in it.mapping_items(source) or ():
            it.setattr(args[0], key.d, value)
        if it.is_open(source) or it.mapping_items(source) is None:
            args[0].d.open = it.is_open(source) or "attributes from an unknown mapping"
    for key, value in kwargs.items():
        it.setattr(args[0], key, value)
    return V(None)


def _namespace_equal(it: Any, args: Args, kwargs: Kwargs) -> V:
    left, right = (a.d for a in args)
    if type(right) is not Instance or not any("namespace" in c.facts for c in right.cls.mro):
        if type(right) in (Union, Unknown):
            return unknown("equality with something unknown", "bool")
        return V(False)
    why = "equality of namespaces that are not fully known"
    if left.open or right.open:
        return unknown(why, "bool")
    tables = [it.getattr(a, "__dict__") for a in args]
    return known(it.equal(*tables), why)


def _namespace_text(it: Any, value: V, conversion: str) -> str | None:
    if value.d.open:
        return None
    parts = [(name, it.format_value(v, "r", "")) for name, v in value.d.attrs.items()]
    if any(text is None for _, text in parts):
        return None
    title = "namespace" if value.d.cls.module == "types" else value.d.cls.name
    return f"{title}({', '.join(f'{name}={text}' for name, text in parts)})"


def simple_namespace(it: Any) -> V:
    """``types.SimpleNamespace``."""
    cls = make_class(
        it, "types.SimpleNamespace", methods={"__eq__": _namespace_equal},
        facts={"text": _namespace_text, "namespace": True},
    )  # fmt: skip
    cls.ns["__init__"] = V(Native("types.SimpleNamespace.__init__", _namespace_init, binds=True,
                                  opens=True))  # fmt: skip
    return V(cls)


# -- MappingProxyType ----------------------------------------------------------------------


def _proxy(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    value = argument(args, kwargs, 0, "mapping") or V(None)
    if type(value.d) is Union:
        joined: V = it.each(list(value.d.options), lambda o: _proxy(it, cls, [o], {}))
        return joined
    held = value.d.payload if type(value.d) is Instance else value.d
    if type(held) is not DictObj or held.kind not in ("dict", "defaultdict"):
        if type(held) in (int, str, float, bool, type(None)):
            it.throw("TypeError", "mappingproxy() argument must be a mapping, not "
                     f"{it.type_name(value)}")  # fmt: skip
        return value if type(value.d) is Instance else unknown(
            "a view of an unknown mapping", "", value.o)  # fmt: skip
    return V(Instance(cls, it.heap.cell(), held), value.o)


def _refuse(it: Any, args: Args, kwargs: Kwargs) -> V:
    it.throw("TypeError", "'mappingproxy' object does not support item assignment")
    raise AssertionError("unreachable")


def _view(name: str) -> Fn:
    method: Fn = builtin_dict.DICT_METHODS[name]
    return lambda it, a, k: method(it, [V(a[0].d.payload), *a[1:]], k)


def _plain_get(it: Any, args: Args, kwargs: Kwargs) -> V:
    item: V = it.getitem(V(args[0].d.payload), args[1])
    return item


def mapping_proxy(it: Any) -> V:
    """``types.MappingProxyType``: shares the dict, and takes no writes."""
    names = ("get", "keys", "values", "items", "copy", "__contains__", "__iter__", "__len__")
    return V(make_class(
        it, "types.MappingProxyType", construct=_proxy,
        methods={**{name: _view(name) for name in names}, "__getitem__": _plain_get,
                 "__setitem__": _refuse, "__delitem__": _refuse},
    ))  # fmt: skip


# -- classes of things that the evaluator has kinds for -------------------------------------


def _kind(kind: type, prepare: Callable[[ClassObj], None] | None = None) -> Factory:
    """The class of all values of a kind."""

    def factory(it: Any) -> V:
        cls: ClassObj = it.kinds[kind]
        if prepare is not None:
            prepare(cls)
        return V(cls)

    return factory


def _module_init(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``ModuleType(name, doc=None)``."""
    d = args[0].d
    names = d.ns if type(d) is ModuleObj else d.attrs
    name = argument(args, kwargs, 1, "name")
    if name is None:
        it.throw("TypeError", "module() missing required argument 'name' (pos 1)")
    doc = argument(args, kwargs, 2, "doc") or V(None)
    given = {"__name__": name or V(None), "__doc__": doc, "__package__": V(None),
             "__loader__": V(None), "__spec__": V(None)}  # fmt: skip
    for key, value in given.items():
        it.heap.put(names, key, value)
    return V(None)


def _module(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    if cls is not it.kinds[ModuleObj]:
        made = V(Instance(cls, it.heap.cell()))
        it.initialise(made, args, kwargs, "")
        return made
    name = argument(args, kwargs, 0, "name")
    text = name.d if name is not None and type(name.d) is str else "<a module made at run time>"
    module = ModuleObj(text, it.heap.cell())
    module.state = "done"
    _module_init(it, [V(module), *args], kwargs)
    return V(module)


def _prepare_module(cls: ClassObj) -> None:
    cls.facts["construct"] = _module
    cls.ns["__init__"] = V(Native("types.ModuleType.__init__", _module_init, binds=True))


def _method(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    """``MethodType(function, instance)``."""
    if len(args) != 2:
        it.throw("TypeError", f"method expected 2 arguments, got {len(args)}")
    function, target = args
    if target.d is None:
        it.throw("TypeError", "instance must not be None")
    return V(BoundMethod(function.d if type(function.d) is FuncObj else function, target))


def _prepare_method(cls: ClassObj) -> None:
    cls.facts["construct"] = _method


def _function(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    """``FunctionType(code, globals, …)``: code objects are not followed."""
    it.frontier(it.frame, it.frame.pos, "a function is made of a code object")
    return unknown("a function made of a code object")


def _prepare_function(cls: ClassObj) -> None:
    cls.facts["construct"] = _function


def _new_class(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``new_class(name, bases=(), kwds=None, exec_body=None)``."""
    bases = argument(args, kwargs, 1, "bases") or V(())
    body = argument(args, kwargs, 3, "exec_body") or V(None)
    options = argument(args, kwargs, 2, "kwds") or V(None)
    named = {k.d: v for k, v in (it.mapping_items(options) or ()) if type(k.d) is str}
    meta = named.pop("metaclass", it.builtins["type"])
    names = V(it.heap.dict())
    if body.d is not None:
        it.call(body, [names], {})
    made: V = it.call(meta, [args[0], bases, names], named)
    return made


OPAQUE = ("CodeType", "FrameType", "TracebackType", "CoroutineType", "AsyncGeneratorType",
          "CellType", "GetSetDescriptorType", "MemberDescriptorType", "WrapperDescriptorType",
          "MethodWrapperType", "MethodDescriptorType", "ClassMethodDescriptorType",
          "EllipsisType", "NotImplementedType", "CapsuleType")  # fmt: skip

LIBRARY = Library(
    functions={
        "types.new_class": _new_class,
        "types.coroutine": lambda it, a, k: a[0],
        "types.get_original_bases": lambda it, a, k: (
            it.find_attr(a[0], "__orig_bases__") or it.getattr(a[0], "__bases__")),
        "types.resolve_bases": gives("types.resolve_bases", "tuple"),
        "types.prepare_class": gives("types.prepare_class", "tuple"),
    },
    values={
        "types.SimpleNamespace": simple_namespace,
        "types.MappingProxyType": mapping_proxy,
        "types.ModuleType": _kind(ModuleObj, _prepare_module),
        "types.MethodType": _kind(BoundMethod, _prepare_method),
        "types.FunctionType": _kind(FuncObj, _prepare_function),
        "types.BuiltinFunctionType": _kind(Native),
        "types.GeneratorType": _kind(GeneratorObj),
        "types.DynamicClassAttribute": lambda it: it.builtins["property"],
        **{f"types.{name}": opaque_class(f"types.{name}") for name in OPAQUE},
    },
    aliases={"types.LambdaType": "types.FunctionType",
             "types.BuiltinMethodType": "types.BuiltinFunctionType"},
)  # fmt: skip
