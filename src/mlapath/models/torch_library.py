"""Custom operators: ``torch.library`` registers functions, ``torch.ops`` calls them."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn, argument, make_class
from mlapath.models.device_facts import platform
from mlapath.models.torch_schema import infer_schema
from mlapath.models.torch_state import state
from mlapath.values.objects import Cell, ClassObj, FuncObj, Instance, Native
from mlapath.values.value import NONE, Union, V

KEY = "operators"
DISPATCH = {"cuda": "CUDA", "rocm": "CUDA", "cpu": "CPU", "xpu": "XPU"}
"""Platform -> the dispatch key of tensors on its devices."""
NOT_CALLED = ("Meta", "Fake", "Autograd", "AutogradCUDA", "AutogradCPU", "Functionalize")
"""Keys of implementations that only traces and gradients use."""


def registry(it: Any) -> Cell:
    """``namespace::operator`` -> V(tuple of (dispatch key, function))."""
    cell = state(it)
    found: Cell | None = it.store.get(KEY)
    if found is None:
        found = it.store[KEY] = it.heap.cell()
        found.born = cell.born
    return found


def define(it: Any, name: str) -> None:
    """An operator exists from now on."""
    if name not in registry(it):
        it.heap.put(registry(it), name, V(()))


def implement(it: Any, name: str, function: V, key: str) -> None:
    """Register a function as the operator's implementation for a dispatch key."""
    it.trace.register(it.frame, function, name)
    old = registry(it).get(name, V(()))
    entries = old.d if type(old.d) is tuple else ()
    it.heap.put(registry(it), name, V((*entries, V((V(key), function)))))


def implementation(it: Any, name: str) -> V | None:
    """The function that a call on the scenario's device runs."""
    entry = registry(it).get(name)
    if entry is None:
        return None
    options = entry.d.options if type(entry.d) is Union else (entry,)
    pairs = [pair.d for option in options if type(option.d) is tuple for pair in option.d]
    table: dict[str, V] = {key.d: function for key, function in pairs}
    own = DISPATCH[platform(it)]
    for key in (own, "PrivateUse1", "CompositeExplicitAutograd", "CompositeImplicitAutograd", ""):
        if key in table:
            return table[key]
    return next((f for k, f in table.items() if k not in NOT_CALLED), None)


def qualified(namespace: str, name: V) -> str | None:
    """``ns::op`` or ``ns::op.overload`` of a name or schema; None where it is not known."""
    text = name.d
    if type(text) is not str:
        return None
    text = text.partition("(")[0].strip()
    return text if "::" in text else f"{namespace}::{text}"


def _library(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    made = Instance(cls, it.heap.cell())
    made.attrs["ns"] = argument(args, kwargs, 0, "ns") or NONE
    made.attrs["kind"] = argument(args, kwargs, 1, "kind") or NONE
    return V(made)


def _namespace(library: V) -> str:
    ns = library.d.attrs["ns"].d
    return ns if type(ns) is str else "?"


def _define(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Library.define(schema)``."""
    schema = argument(args, kwargs, 1, "schema") or NONE
    name = qualified(_namespace(args[0]), schema)
    if name is not None:
        define(it, name)
    return schema


def _impl(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Library.impl(name, function, dispatch_key)``."""
    name = qualified(_namespace(args[0]), argument(args, kwargs, 1, "op_name") or NONE)
    function = argument(args, kwargs, 2, "fn") or NONE
    key = argument(args, kwargs, 3, "dispatch_key", V("")) or V("")
    if name is None:
        it.trace.escape(function)
    else:
        implement(it, name, function, key.d if type(key.d) is str else "")
    return NONE


def _register_fake(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Library._register_fake(name, function)``."""
    name = qualified(_namespace(args[0]), argument(args, kwargs, 1, "op_name") or NONE)
    _note_fake(it, argument(args, kwargs, 2, "fn") or NONE, name)
    return NONE


def _fake(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A fake implementation: only traces call it."""
    for value in (*args, *kwargs.values()):
        _note_fake(it, value)
    return NONE


def _note_fake(it: Any, value: V, name: str | None = None) -> None:
    """A function stands for an operator in traces; ``name`` of it, where that is known."""
    if name is None:
        it.trace.escape(value)
    else:
        it.trace.register(it.frame, value, name)
    if type(value.d) is FuncObj:
        it.store.setdefault("fakes", set()).add(value.d.full)


def custom_op(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``custom_op(name, function)`` or ``@custom_op(name)``."""
    name = argument(args, kwargs, 0, "name") or NONE
    function = argument(args, kwargs, 1, "fn")
    if function is not None and function.d is not None:
        return _custom(it, name, function)
    return V(Native("torch.library.custom_op", lambda i, a, k: _custom(i, name, a[0])))


def _custom(it: Any, name: V, function: V) -> V:
    full = qualified("", name)
    if full is not None:
        define(it, full)
        implement(it, full, function, "")
    cls = it.store.get("CustomOpDef")
    if cls is None:
        cls = it.store["CustomOpDef"] = make_class(
            it, "torch._library.custom_ops.CustomOpDef",
            methods={"__call__": _call_custom, "register_fake": _registers,
                     "register_kernel": _registers_for, "register_autograd": _fake,
                     "register_vmap": _registers, "set_kernel_enabled": _fake},
        )  # fmt: skip
    made = Instance(cls, it.heap.cell())
    made.attrs["_init_fn"] = function
    made.attrs["_qualname"] = name
    return V(made)


def _call_custom(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    function = args[0].d.attrs["_init_fn"]
    return it.in_operator(lambda: it.call(function, args[1:], kwargs))  # type: ignore[no-any-return]


def _registers(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@op.register_fake``: returns the function."""
    if len(args) > 1:
        _note_fake(it, args[1])
        return args[1]
    return V(Native("a decorator of torch.library", _returned))


def _registers_for(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(Native("a decorator of torch.library", _returned))


def _returned(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    for value in args:
        _note_fake(it, value)
    return args[0]


def register_fake(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``register_fake(name, function)`` or ``@register_fake(name)``."""
    function = argument(args, kwargs, 1, "func")
    if function is not None and function.d is not None:
        _note_fake(it, function)
        return function
    return V(Native("a decorator of torch.library", _returned))


def _function_define(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``torch.library.define(name, schema)``."""
    name = qualified("", args[0])
    if name is not None:
        define(it, name)
    return NONE


def _function_impl(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``impl(name, types, function)``, ``impl(library, name, key)`` or either as a decorator."""
    library = type(args[0].d) is Instance
    name = qualified(_namespace(args[0]) if library else "", args[1] if library else args[0])
    rest = args[2:] if library else args[1:]
    key = rest[0].d if rest and type(rest[0].d) is str else ""
    key = {"cuda": "CUDA", "cpu": "CPU", "default": ""}.get(key, key)

    def register(i: Any, a: list[V], k: dict[str, V]) -> V:
        if name is not None:
            implement(i, name, a[0], key)
        return a[0]

    if len(rest) > 1:
        return register(it, [rest[1]], {})
    return V(Native("torch.library.impl", register))


def build_library(it: Any) -> V:
    """The class ``torch.library.Library``."""
    methods: dict[str, Fn] = {"define": _define, "impl": _impl, "_register_fake": _register_fake,
                              "fallback": _fake, "_impl_with_aoti_compile": _fake,
                              "_destroy": lambda it, a, k: NONE}  # fmt: skip
    return V(make_class(it, "torch.library.Library", construct=_library, methods=methods))


VALUES = {"torch.library.Library": build_library}
FUNCTIONS: dict[str, Fn] = {
    "torch.library.custom_op": custom_op, "torch.library.triton_op": custom_op,
    "torch.library.register_fake": register_fake, "torch.library.impl_abstract": register_fake,
    "torch.library.register_kernel": register_fake, "torch.library.register_autograd": _fake,
    "torch.library.define": _function_define, "torch.library.impl": _function_impl,
    "torch.library.infer_schema": infer_schema,
}  # fmt: skip
ALIASES = {"torch._library.custom_ops.custom_op": "torch.library.custom_op",
           "torch._library.infer_schema.infer_schema": "torch.library.infer_schema"}  # fmt: skip
