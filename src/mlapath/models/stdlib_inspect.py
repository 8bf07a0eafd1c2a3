"""``inspect``: what kind of thing a value is, its members, its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mlapath.models.api import Fn, Library, argument, make_class
from mlapath.models.callable_parameters import CallSignature, signature_of
from mlapath.models.class_tools import lookup
from mlapath.models.inspect_source import getsource, getsourcelines
from mlapath.models.stdlib_inspect_signature import VALUES, signature
from mlapath.models.support import gives, instance, known, pure, unknown
from mlapath.values.objects import (
    BoundMethod,
    ClassObj,
    Descriptor,
    FuncObj,
    GeneratorObj,
    Instance,
    ModuleObj,
    Native,
)
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, External, Union, Unknown, V

Args = list[V]
Kwargs = dict[str, V]
Ask = Callable[[Any, V], Truth]


def _predicate(name: str, ask: Ask) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        value = (args or list(kwargs.values()))[0]
        return known(decide(it, value, ask), f"inspect.{name}() of an unknown value", value.o)

    return fn


def decide(it: Any, value: V, ask: Ask) -> Truth:
    """The answer for a value, or for all of its alternatives."""
    if type(value.d) is Union:
        found = {decide(it, o, ask) for o in value.d.options if o.d is not ABSENT}
        return found.pop() if len(found) == 1 else Truth.UNKNOWN
    if type(value.d) is Unknown:
        return Truth.UNKNOWN if value.d.hint in ("", "object", "type") else Truth.FALSE
    return Truth.UNKNOWN if type(value.d) is External else ask(it, value)


def _of(*kinds: type) -> Ask:
    return lambda it, value: Truth.of(type(value.d) in kinds)


def _is_function(it: Any, value: V) -> Truth:
    """A summary stands for a function or for a builtin: which, only the library knows."""
    if type(value.d) is Native:
        return Truth.FALSE if value.d.name in it.builtins else Truth.UNKNOWN
    return Truth.of(type(value.d) is FuncObj)


def _is_method(it: Any, value: V) -> Truth:
    return Truth.of(type(value.d) is BoundMethod)


def _is_abstract(it: Any, value: V) -> Truth:
    return Truth.of(type(value.d) is ClassObj and bool(it.abstract_methods(value.d)))


def _function(value: V) -> Any:
    d = value.d
    while type(d) is BoundMethod:
        d = d.func.d if isinstance(d.func, V) else d.func
    return d


def _body(wanted: Callable[[Any], bool]) -> Ask:
    def ask(it: Any, value: V) -> Truth:
        d = _function(value)
        if type(d) is FuncObj:
            marked = "_is_coroutine_mark" in d.attrs
            return Truth.UNKNOWN if marked else Truth.of(wanted(d.node))
        return Truth.UNKNOWN if type(d) is Native else Truth.FALSE

    return ask


def _generates(node: Any) -> bool:
    scope = getattr(node, "scope", None)
    return scope is not None and bool(scope.is_generator)


def _asynchronous(node: Any) -> bool:
    return bool(getattr(node, "is_async", False))


def _members(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``getmembers(object, predicate=None)``; without one, what ``object`` has is left open."""
    value, predicate = args[0], argument(args, kwargs, 1, "predicate") or V(None)
    listed = it.call(it.builtins["dir"], [value], {})
    names = it.iterate(listed) if type(listed.d) is not Unknown else None
    if names is None:
        return unknown("the members of something unknown", "list", value.o)
    made = it.heap.list([])
    opened = it.is_open(listed) or _more(value, predicate)
    for name in names:
        member = it.find_attr(value, name.d)
        if member is None:
            continue
        truth = Truth.TRUE
        if predicate.d is not None:
            truth = it.truth(it.call(predicate, [member], {}))
        if truth is Truth.UNKNOWN:
            opened = opened or "a member that may not pass"
        if truth is not Truth.FALSE:
            made.items.append(V((name, member)))
    if opened:
        it.heap.open_list(made, opened)
    return V(made, value.o)


def _more(value: V, predicate: V) -> str:
    d = value.d
    if type(d) is ModuleObj:
        return "names of a module that is not looked into" if "*" in d.ns else ""
    if type(d) is Instance and (d.open or d.cls.foreign):
        return d.open or f"members of {d.cls.foreign}"
    if type(d) is ClassObj and d.foreign:
        return f"members of {d.foreign}"
    return "" if predicate.d is not None else "members that every object has"


def _getattr_static(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``getattr_static(obj, attr[, default])``: nothing is bound or called."""
    d, name = args[0].d, args[1].d
    default = argument(args, kwargs, 2, "default")
    if type(d) in (Unknown, Union, External) or type(name) is not str:
        return unknown("an attribute of something unknown", "", args[0].o)
    found: V | None = d.attrs.get(name) if type(d) is Instance else None
    if found is None and type(d) in (Instance, ClassObj):
        found = lookup(d if type(d) is ClassObj else d.cls, name)
    elif type(d) is ModuleObj:
        found = d.ns.get(name)
    if found is not None:
        return found
    if type(d) not in (Instance, ClassObj, ModuleObj) or _more(args[0], V(True)):
        return unknown("an attribute that may be absent", "", args[0].o)
    if default is None:
        it.throw("AttributeError", name)
    return default or V(None)


def _unwrap(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``unwrap(func, *, stop=None)``."""
    value: V = args[0]
    stop = kwargs.get("stop", V(None))
    for _ in range(100):
        if stop.d is not None and it.truth(it.call(stop, [value], {})) is not Truth.FALSE:
            break
        attrs = getattr(value.d, "attrs", None)
        if type(value.d) not in (FuncObj, Native, Instance) or "__wrapped__" not in (attrs or {}):
            break
        value = attrs["__wrapped__"]  # type: ignore[index]
    return value


def _path(value: V) -> str:
    d = _function(value)
    if type(d) is FuncObj:
        return str(d.module.path)
    return str(d.path) if type(d) in (ClassObj, ModuleObj) else ""


def _file(it: Any, args: Args, kwargs: Kwargs) -> V:
    path = _path(args[0])
    if path:
        return V(f"{it.program.root}/{path}", args[0].o)
    return gives("inspect.getfile", "str", raises=True)(it, args, kwargs)


def _module(it: Any, args: Args, kwargs: Kwargs) -> V:
    d = _function(args[0])
    if type(d) is ModuleObj:
        return args[0]
    if type(d) is FuncObj:
        return V(d.module)
    if type(d) is ClassObj and d.module in it.modules:
        return V(it.modules[d.module])
    return unknown("a module", "", args[0].o)


def _mark(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``markcoroutinefunction(func)``."""
    it.setattr(args[0], "_is_coroutine_mark", V(True))
    return args[0]


def _doc(it: Any, args: Args, kwargs: Kwargs) -> V:
    found = it.find_attr(args[0], "__doc__")
    if found is not None and type(found.d) is str:
        return V(inspect.cleandoc(found.d), found.o)
    if found is not None and found.d is None and type(args[0].d) in (FuncObj, ModuleObj):
        return V(None)
    return unknown("documentation", "", args[0].o)


def _full_spec(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``getfullargspec(func)``."""
    value = args[0]
    found = signature_of(it, value, follow=False)
    if not isinstance(found, CallSignature):
        return unknown("the parameters of something that is not looked into", "", value.o)
    by_kind: dict[int, list[Any]] = {kind: [] for kind in range(5)}
    for p in found.parameters:
        by_kind[p.kind].append(p)
    single = [*by_kind[0], *by_kind[1]]
    given = tuple(p.default for p in single if p.default is not None)
    keyword = it.heap.dict()
    for p in by_kind[3]:
        if p.default is not None:
            it.dict_set(keyword, V(p.name), p.default)
    notes = it.find_attr(value, "__annotations__") or V(it.heap.dict())
    cls = it.models.symbol(it, "inspect.FullArgSpec").d
    return instance(it, cls, {
        "args": V(it.heap.list([V(p.name) for p in single])),
        "varargs": V(by_kind[2][0].name if by_kind[2] else None),
        "varkw": V(by_kind[4][0].name if by_kind[4] else None),
        "defaults": V(given) if given else V(None),
        "kwonlyargs": V(it.heap.list([V(p.name) for p in by_kind[3]])),
        "kwonlydefaults": V(keyword) if keyword.data else V(None),
        "annotations": notes,
    })  # fmt: skip


def _descriptor(it: Any, value: V) -> Truth:
    return Truth.of(type(value.d) is Descriptor and value.d.kind == "property")


PREDICATES: dict[str, Ask] = {
    "isclass": _of(ClassObj), "ismodule": _of(ModuleObj), "isfunction": _is_function,
    "ismethod": _is_method, "isabstract": _is_abstract, "isdatadescriptor": _descriptor,
    "isroutine": _of(FuncObj, BoundMethod, Native), "isgenerator": _of(GeneratorObj),
    "iscoroutinefunction": _body(lambda n: _asynchronous(n) and not _generates(n)),
    "isgeneratorfunction": _body(lambda n: _generates(n) and not _asynchronous(n)),
    "isasyncgenfunction": _body(lambda n: _generates(n) and _asynchronous(n)),
}  # fmt: skip
ASKED = ("isbuiltin", "iscode", "isframe", "istraceback", "iscoroutine", "isawaitable",
         "isasyncgen", "ismethoddescriptor", "isgetsetdescriptor")  # fmt: skip

LIBRARY = Library(
    functions={
        **{f"inspect.{name}": _predicate(name, ask) for name, ask in PREDICATES.items()},
        **{f"inspect.{name}": gives(f"inspect.{name}", "bool") for name in ASKED},
        "inspect.signature": signature,
        "inspect.getmembers": _members,
        "inspect.getattr_static": _getattr_static,
        "inspect.unwrap": _unwrap,
        "inspect.markcoroutinefunction": _mark,
        "inspect.getfile": _file,
        "inspect.getsourcefile": _file,
        "inspect.getabsfile": _file,
        "inspect.getmodule": _module,
        "inspect.getdoc": _doc,
        "inspect.getfullargspec": _full_spec,
        "inspect.cleandoc": pure("inspect.cleandoc", inspect.cleandoc, "str"),
        "inspect.getmro": lambda it, a, k: it.getattr(a[0], "__mro__"),
        "inspect.get_annotations": lambda it, a, k: it.getattr(a[0], "__annotations__"),
        "inspect.getsource": getsource,
        "inspect.getsourcelines": getsourcelines,
        "inspect.stack": gives("inspect.stack", "list"),
        "inspect.currentframe": gives("inspect.currentframe"),
        "inspect.getframeinfo": gives("inspect.getframeinfo"),
    },
    values={
        **VALUES,
        "inspect.FullArgSpec": lambda it: V(make_class(it, "inspect.FullArgSpec")),
    },
    aliases={"asyncio.iscoroutinefunction": "inspect.iscoroutinefunction"},
)
