"""``inspect.getsource``: the tree's own text of a class or function."""

from __future__ import annotations

from typing import Any

from mlapath.ir import nodes as n
from mlapath.values.objects import BoundMethod, ClassObj, Descriptor, FuncObj, Native
from mlapath.values.value import Unknown, V


def _definition(value: V) -> tuple[str, Any] | None:
    """The path and the IR node of what defines a value."""
    d = value.d
    if type(d) is ClassObj and d.path and type(d.node) is n.ClassDef:
        return d.path, d.node
    if type(d) is FuncObj and "__wrapped__" not in d.attrs:
        return (d.module.path, d.node) if type(d.node) is n.FunctionDef else None
    inner = None
    if type(d) is BoundMethod:
        inner = d.func if isinstance(d.func, V) else V(d.func)
    elif type(d) is Descriptor:
        inner = d.fget
    elif type(d) in (FuncObj, Native) and d.attrs and "__wrapped__" in d.attrs:
        inner = d.attrs["__wrapped__"]
    return None if inner is None else _definition(inner)


def source_lines(it: Any, value: V) -> tuple[list[str], int] | None:
    """The lines with their ends, decorators first, and the number of the first one."""
    found = _definition(value)
    if found is None:
        return None
    path, node = found
    first = min([node.pos[0], *(d.pos[0] for d in node.decorators)])
    lines = it.program.lines(path)[first - 1 : node.pos[2]]
    return [f"{line}\n" for line in lines], first


def getsource(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``getsource(object)``."""
    value = args[0] if args else kwargs["object"]
    found = source_lines(it, value)
    if found is None:
        _perhaps_absent(it, value)
        return V(Unknown("the source of something", "str"), value.o)
    return V("".join(found[0]), value.o)


def getsourcelines(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``getsourcelines(object)``."""
    value = args[0] if args else kwargs["object"]
    found = source_lines(it, value)
    if found is None:
        _perhaps_absent(it, value)
        return V(Unknown("the source of something", "tuple"), value.o)
    return V((V(it.heap.list([V(line) for line in found[0]])), V(found[1])), value.o)


def _perhaps_absent(it: Any, value: V) -> None:
    """Classes of builtins have no source; of anything else it is not known."""
    d = value.d
    if type(d) is ClassObj and d.module == "builtins":
        it.throw("TypeError", f"<class '{d.name}'> is a built-in class")
    it.may_raise(it.frame, "inspect.getsource")
