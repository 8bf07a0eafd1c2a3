"""``torch.nn.Module``: calls go to ``forward``, attributes are plain ones.

Which attributes are parameters, buffers and submodules is told by their values and by the names
that ``register_buffer`` was given, not by registries of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlapath.models.api import Fn, argument, make_class
from mlapath.models.array_value import array_class, dtype_name, is_array
from mlapath.models.tensor_arguments import truth
from mlapath.models.tensor_convert import converted
from mlapath.models.tensor_meta import set_data
from mlapath.values.objects import OPEN, ClassObj, DictObj, Instance, ListObj, Native
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, FALSE, NONE, TRUE, External, Union, Unknown, V

BUFFERS = "\0buffers"
TRANSIENT = "\0buffers that are not saved"
PREFIX = "torch.nn.Module"
Named = list[tuple[str, V]]


def module_class(it: Any) -> ClassObj:
    """The class object of ``torch.nn.Module``."""
    return array_class(it, "torch.nn.modules.module.Module")


def options(value: V) -> tuple[V, ...]:
    """The alternatives of a value."""
    if type(value.d) is Union:
        return tuple(o for o in value.d.options if o.d is not ABSENT)
    return (value,)


def is_module(it: Any, value: V) -> bool:
    """Whether a value is certainly a module."""
    return type(value.d) is Instance and module_class(it) in value.d.cls.mro


def is_parameter(it: Any, value: V) -> bool:
    """Whether a value is certainly a parameter."""
    cls = array_class(it, "torch.nn.parameter.Parameter")
    return type(value.d) is Instance and cls in value.d.cls.mro


def attributes(module: V) -> Iterator[tuple[str, V]]:
    """Attributes by name, items of a list or dict of modules among them."""
    yield from [(k, v) for k, v in module.d.attrs.items() if not k.startswith("\0")]
    content = module.d.payload
    if type(content) is ListObj:
        yield from [(str(i), v) for i, v in enumerate(content.items)]
    elif type(content) is DictObj:
        pairs = [pair for key, pair in content.data.items() if key is not OPEN]
        yield from [(str(k.d), v) for k, v in pairs if type(k.d) is str]


def opened(it: Any, module: V) -> str:
    """Why there may be other attributes, or ""."""
    why: str = module.d.open or ""
    if not why and module.d.payload is not None:
        why = it.is_open(V(module.d.payload))
    if not why and any(len(options(v)) > 1 and any(is_array(o) or is_module(it, o)
                       for o in options(v)) for _, v in attributes(module)):  # fmt: skip
        why = "an attribute that is a module or a parameter, or not"
    return why


def children(it: Any, module: V) -> Named:
    """Direct submodules."""
    return [(k, o) for k, v in attributes(module) for o in options(v) if is_module(it, o)]


def walk(it: Any, module: V, prefix: str = "", seen: set[int] | None = None) -> Named:
    """The module and everything below it, each once, parents first."""
    seen = set() if seen is None else seen
    if id(module.d) in seen:
        return []
    seen.add(id(module.d))
    found = [(prefix, module)]
    for name, child in children(it, module):
        found.extend(walk(it, child, f"{prefix}.{name}" if prefix else name, seen))
    return found


def own_parameters(it: Any, module: V) -> Named:
    return [(k, o) for k, v in attributes(module) for o in options(v) if is_parameter(it, o)]


def own_buffers(it: Any, module: V) -> Named:
    names = module.d.attrs.get(BUFFERS, V(())).d
    known = {n.d for n in names} if type(names) is tuple else set()
    return [(k, v) for k, v in attributes(module) if k in known and v.d is not None]


def below(it: Any, module: V, own: Any, prefix: str, *, recurse: bool) -> Named:
    """What ``own`` gives for the module and those below it, each once."""
    seen: set[int] = set()
    found: Named = []
    for path, inner in walk(it, module, prefix) if recurse else [(prefix, module)]:
        for name, value in own(it, inner):
            if id(value.d) not in seen:
                seen.add(id(value.d))
                found.append((f"{path}.{name}" if path else name, value))
    return found


def listed(it: Any, module: V, pairs: Named, *, named: bool) -> V:
    """An iterator over values, or over (name, value)."""
    made = it.heap.list([V((V(k), v)) if named else v for k, v in pairs])
    why = opened(it, module)
    if why:
        it.heap.open_list(made, why)
    return it.generator_of(V(made))  # type: ignore[no-any-return]


def _members(own: Any, *, named: bool) -> Fn:
    """``named_parameters`` and the like."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        at = 1 if named else 0
        prefix = argument(args, kwargs, 1, "prefix", V("")) if named else V("")
        recurse = truth(it, argument(args, kwargs, at + 1, "recurse"), default=True)
        text = prefix.d if prefix is not None and type(prefix.d) is str else ""
        pairs = below(it, args[0], own, text, recurse=recurse is not False)
        return listed(it, args[0], pairs, named=named)

    return fn


def _modules(*, named: bool) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        prefix = argument(args, kwargs, 2, "prefix", V(""))
        text = prefix.d if prefix is not None and type(prefix.d) is str else ""
        return listed(it, args[0], walk(it, args[0], text), named=named)

    return fn


def _children(*, named: bool) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        once = {id(v.d): (k, v) for k, v in reversed(children(it, args[0]))}
        return listed(it, args[0], list(once.values())[::-1], named=named)

    return fn


def _init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.heap.put(args[0].d.attrs, "training", TRUE)
    return NONE


def _call(it: Any, args: list[V], kwargs: dict[str, V], why: str) -> V:
    """``module(…)``: its ``forward``."""
    forward = it.getattr(args[0], "forward")
    return it.call(forward, args[1:], kwargs, why)  # type: ignore[no-any-return]


def _forward(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = it.type_name(args[0])
    it.throw("NotImplementedError", f'Module [{name}] is missing the required "forward" function')
    raise AssertionError("unreachable")


def register_buffer(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``register_buffer(name, tensor)``."""
    module = args[0]
    name = argument(args, kwargs, 1, "name") or V(Unknown("a name"))
    value = argument(args, kwargs, 2, "tensor") or NONE
    lists = [BUFFERS]
    if truth(it, argument(args, kwargs, 3, "persistent"), default=True) is False:
        lists.append(TRANSIENT)
    for key in lists if type(name.d) is str else ():
        known = module.d.attrs.get(key, V(()))
        if type(known.d) is tuple:
            it.heap.put(module.d.attrs, key, V((*known.d, name)))
    return _register(it, module, name, value)


def _register_named(second: str) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        name = argument(args, kwargs, 1, "name") or V(Unknown("a name"))
        return _register(it, args[0], name, argument(args, kwargs, 2, second) or NONE)

    return fn


def _register(it: Any, module: V, name: V, value: V) -> V:
    if type(name.d) is not str:
        it.havoc(module, "an attribute was registered under an unknown name")
    elif type(module.d) is Instance:
        it.heap.put(module.d.attrs, name.d, value)
    return NONE


def _getattr(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """The registries as dicts; items of containers by their number."""
    module, name = args[0], args[1].d
    d = module.d
    registries = {"_parameters": own_parameters, "_buffers": own_buffers, "_modules": children}
    if name in registries:
        made = it.heap.dict()
        for key, value in registries[name](it, module):
            it.dict_set(made, V(key), value)
        if opened(it, module):
            it.heap.open_dict(made, opened(it, module))
        return V(made)
    if name == "_non_persistent_buffers_set":
        names = d.attrs.get(TRANSIENT, V(())).d
        return it.make_set(list(names) if type(names) is tuple else [])  # type: ignore[no-any-return]
    found = dict(attributes(module)).get(name)
    if found is not None:
        return found
    if d.open:
        return V(Unknown(d.open))
    if d.cls.foreign:
        return it.foreign_attr(d.cls.foreign, name, module)  # type: ignore[no-any-return]
    plain = it.object_attr(module, name)
    if plain is not None:
        return plain  # type: ignore[no-any-return]
    if name.startswith("_") and name.endswith("_hooks"):
        return V(it.heap.dict())
    it.throw("AttributeError", f"'{d.cls.name}' object has no attribute '{name}'")
    raise AssertionError("unreachable")


def get_submodule(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``get_submodule("a.0.b")``."""
    target = argument(args, kwargs, 1, "target") or NONE
    if type(target.d) is not str:
        return V(Unknown("a submodule with an unknown name"), args[0].o)
    value = args[0]
    for part in target.d.split(".") if target.d else ():
        value = it.getattr(value, part)
    return value


def _train(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    mode = argument(args, kwargs, 1, "mode", TRUE) or TRUE
    for _, module in walk(it, args[0]):
        it.heap.put(module.d.attrs, "training", mode)
    return args[0]


def _eval(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _train(it, [args[0], FALSE], {})


def _converted(device: V | None, dtype: V | None) -> Fn:
    """``cuda()``, ``half()`` and the like: every parameter and buffer, in place."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        where, kind = device, dtype
        if where is None and kind is None:
            for value in [*args[1:], *kwargs.values()]:
                if dtype_name(value) is not None or type(value.d) is External:
                    kind = value
                elif not is_array(value) and type(value.d) is not bool:
                    where = value
        for own in (own_parameters, own_buffers):
            for _, value in below(it, args[0], own, "", recurse=True):
                if is_array(value):
                    set_data(it, [value, converted(it, value, where, kind)], {})
        return args[0]

    return fn


def _requires_grad(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    flag = argument(args, kwargs, 1, "requires_grad", TRUE) or TRUE
    for _, value in below(it, args[0], own_parameters, "", recurse=True):
        it.setattr(value, "requires_grad", flag)
    return args[0]


def _apply(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    for _, module in reversed(walk(it, args[0])):
        it.call(args[1], [module], {})
    return args[0]


def _state_dict(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    made = it.heap.dict()
    for own in (own_parameters, own_buffers):
        for name, value in below(it, args[0], own, "", recurse=True):
            it.dict_set(made, V(name), value)
    it.heap.open_dict(made, "the state of a module")
    return V(made)


def _hook(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A hook is kept by code outside the tree, which may call it."""
    for value in args[1:]:
        it.trace.escape(value)
    return V(Unknown("a handle of a hook", "object", "torch.utils.hooks.RemovableHandle"))


def _nothing(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return NONE


def _self(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def _load(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(Unknown("keys that do not match", "", "torch.nn.Module.load_state_dict()"))


HOOKS = ("register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook",
         "register_load_state_dict_post_hook", "register_state_dict_pre_hook",
         "register_full_backward_pre_hook", "register_load_state_dict_pre_hook",
         "_register_load_state_dict_pre_hook", "register_state_dict_post_hook")  # fmt: skip
DTYPES = {"float": "float32", "half": "float16", "bfloat16": "bfloat16", "double": "float64"}


def _compile(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``module.compile(fullgraph=…)``: its ``forward`` is compiled."""
    fullgraph = kwargs.get("fullgraph")
    whole = fullgraph is not None and it.truth(fullgraph) is Truth.TRUE
    it.compile_function(it.getattr(args[0], "forward"), fullgraph=whole)
    return NONE


METHODS: dict[str, Fn] = {
    "__init__": _init, "forward": _forward, "__getattr__": _getattr,
    "register_buffer": register_buffer, "register_parameter": _register_named("param"),
    "register_module": _register_named("module"), "add_module": _register_named("module"),
    "parameters": _members(own_parameters, named=False),
    "named_parameters": _members(own_parameters, named=True),
    "buffers": _members(own_buffers, named=False),
    "named_buffers": _members(own_buffers, named=True),
    "modules": _modules(named=False), "named_modules": _modules(named=True),
    "children": _children(named=False), "named_children": _children(named=True),
    "get_submodule": get_submodule, "get_parameter": get_submodule, "get_buffer": get_submodule,
    "train": _train, "eval": _eval, "to": _converted(None, None), "apply": _apply,
    "cuda": _converted(V("cuda"), None), "cpu": _converted(V("cpu"), None),
    "xpu": _converted(V("xpu"), None), "to_empty": _converted(None, None),
    "type": _converted(None, None), "requires_grad_": _requires_grad, "zero_grad": _nothing,
    "state_dict": _state_dict, "load_state_dict": _load, "share_memory": _self,
    "extra_repr": lambda it, a, k: V(""), "compile": _compile,
    **{name: _converted(None, V(External(f"torch.{dtype}"))) for name, dtype in DTYPES.items()},
    **dict.fromkeys(HOOKS, _hook),
}  # fmt: skip


def build(it: Any) -> V:
    """The class ``torch.nn.Module``."""
    cls = make_class(it, "torch.nn.modules.module.Module", methods=METHODS,
                     facts={"text": _text, "truthy": True})  # fmt: skip
    cls.ns["__call__"] = V(Native(f"{PREFIX}.__call__", _call, binds=True, opens=True))
    cls.ns["_call_impl"] = cls.ns["__call__"]
    cls.ns["dump_patches"] = FALSE
    cls.ns["call_super_init"] = FALSE
    return V(cls)


def _text(it: Any, value: V, conversion: str) -> None:
    """The text of a module is not followed."""
    return


VALUES = {"torch.nn.modules.module.Module": build}
ALIASES = {"torch.nn.Module": "torch.nn.modules.module.Module",
           "torch.nn.modules.Module": "torch.nn.modules.module.Module"}  # fmt: skip
