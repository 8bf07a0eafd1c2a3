"""Functions of the tree: what a ``def`` gives, and how arguments meet parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mlapath.ir import nodes as ir
from mlapath.scenario.engine_flags_values import Foreign, Frame, Function, Unread

if TYPE_CHECKING:
    from mlapath.scenario.engine_flags_walker import Walker

_KINDS = ("staticmethod", "classmethod", "property")
_TRANSPARENT = (
    "functools.cache", "functools.lru_cache", "functools.wraps", "typing.overload",
    "typing.no_type_check", "typing.dataclass_transform", "typing_extensions.dataclass_transform",
    "warnings.deprecated", "typing_extensions.deprecated",
)  # fmt: skip
"""Decorators that leave what a function computes as it is."""


def define(walker: Walker, frame: Frame, node: ir.FunctionDef) -> Function | Unread:
    """What a ``def`` statement binds; unread where a decorator may change what it computes."""
    for decorator in node.decorators:
        if isinstance(decorator, ir.Name) and decorator.id in _KINDS:
            continue
        plain = decorator.func if isinstance(decorator, ir.Call) else decorator
        value = walker.eval(Frame(frame.scope), plain)
        name = getattr(value, "__module__", "") + "." + getattr(value, "__name__", "")
        name = value.name if isinstance(value, Foreign) else name
        if name not in _TRANSPARENT:
            return Unread(f"{frame.scope.path}:{node.pos[0]}: a decorator of {node.name}")
    defaults = _defaults(walker, frame, node.params)
    enclosing = frame if frame.names or frame.parent is not None else None
    return Function(
        node.name, frame.scope, node.params, node.body, defaults, node.doc, enclosing,
        frame.owner, node.scope.is_generator or node.is_async,
    )  # fmt: skip


def make_lambda(walker: Walker, frame: Frame, node: ir.Lambda) -> Function:
    """What a ``lambda`` gives."""
    body = (ir.Return(node.pos, node.body),)
    defaults = _defaults(walker, frame, node.params)
    return Function("<lambda>", frame.scope, node.params, body, defaults, None, frame, frame.owner)


def _defaults(walker: Walker, frame: Frame, params: ir.Params) -> dict[str, Any]:
    return {
        param.name: walker.eval(frame, param.default)
        for param in (*params.posonly, *params.args, *params.kwonly)
        if param.default is not None
    }


def bind(function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The names that a call starts with. Raises TypeError as Python does."""
    params = function.params
    positional = [*params.posonly, *params.args]
    names = {param.name: value for param, value in zip(positional, args, strict=False)}
    rest = tuple(args[len(positional) :])
    if params.vararg is not None:
        names[params.vararg.name] = rest
    elif rest:
        raise TypeError(f"{function.name}() takes {len(positional)} positional arguments")
    by_name = {param.name for param in (*params.args, *params.kwonly)}
    extra = {name: value for name, value in kwargs.items() if name not in by_name}
    names |= {name: value for name, value in kwargs.items() if name in by_name}
    if params.kwarg is not None:
        names[params.kwarg.name] = extra
    elif extra:
        raise TypeError(f"{function.name}() got an unexpected argument {min(extra)!r}")
    for param in (*positional, *params.kwonly):
        if param.name not in names and param.name not in function.defaults:
            raise TypeError(f"{function.name}() misses the argument {param.name!r}")
        names.setdefault(param.name, function.defaults.get(param.name))
    return names
