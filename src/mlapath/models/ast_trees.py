"""Syntax trees of the analysed program: the node classes of ``ast``, to and from CPython's own."""

from __future__ import annotations

import ast
from typing import Any

from mlapath.models.api import Factory, make_class
from mlapath.models.class_tools import library_class
from mlapath.values.concrete import from_py, to_py
from mlapath.values.objects import ClassObj, Instance, ListObj
from mlapath.values.value import Unknown, V

NODES: dict[str, type[ast.AST]] = {
    name: cls for name, cls in vars(ast).items()
    if isinstance(cls, type) and issubclass(cls, ast.AST) and cls.__name__ == name
}  # fmt: skip
"""Node classes by name; deprecated ones that stand for ``Constant`` are among them."""
PLACED = (ast.expr, ast.stmt, ast.arg, ast.keyword, ast.alias, ast.excepthandler)
PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def node_class(name: str) -> Factory:
    """The class ``ast.name``."""
    real = NODES[name]

    def construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
        made = Instance(cls, it.heap.cell())
        fields = [x.d for x in it.iterate(it.getattr(V(cls), "_fields")) or ()]
        made.attrs.update(zip(fields, args, strict=False))
        made.attrs.update(kwargs)
        return V(made)

    def make(it: Any) -> V:
        bases = tuple(library_class(it, f"ast.{b.__name__}") for b in real.__bases__
                      if b.__name__ in NODES)  # fmt: skip
        cls = make_class(it, f"ast.{name}", bases, construct=construct)
        names = V(tuple(V(field) for field in real._fields))
        places = V(tuple(V(a) for a in PLACE if issubclass(real, PLACED)))
        cls.ns.update({"_fields": names, "__match_args__": names, "_attributes": places})
        return V(cls)

    return make


def is_node(value: V) -> bool:
    """Whether a value is a syntax tree."""
    d = value.d
    return type(d) is Instance and any(c.full == "ast.AST" for c in d.cls.mro)


def from_tree(it: Any, node: Any) -> V:
    """The program's tree for one of CPython's."""
    if isinstance(node, list):
        return V(it.heap.list([from_tree(it, x) for x in node]))
    if not isinstance(node, ast.AST):
        return from_py(it.heap, node)
    made = Instance(library_class(it, f"ast.{type(node).__name__}"), it.heap.cell())
    for name in node._fields:
        made.attrs[name] = from_tree(it, getattr(node, name, None))
    for name in PLACE:
        if hasattr(node, name):
            made.attrs[name] = V(getattr(node, name))
    return V(made)


def to_tree(value: V) -> Any:
    """CPython's tree for one of the program's; raises NotConcrete."""
    d = value.d
    if type(d) is ListObj and not d.open:
        return [to_tree(x) for x in d.items]
    if not is_node(value):
        return to_py(value)
    real = NODES[next(c.name for c in d.cls.mro if c.full == f"ast.{c.name}")]
    made = real(**{k: to_tree(d.attrs[k]) for k in real._fields if k in d.attrs})
    return ast.fix_missing_locations(made)


def child_values(value: V) -> list[tuple[str, V]]:
    """The fields of a node that are there, in order."""
    names = NODES[next(c.name for c in value.d.cls.mro if c.full == f"ast.{c.name}")]._fields
    return [(name, value.d.attrs[name]) for name in names if name in value.d.attrs]


def children(it: Any, value: V) -> list[V] | None:
    """The direct child nodes; None where they are not known."""
    out: list[V] = []
    for _, item in child_values(value):
        if is_node(item):
            out.append(item)
        elif type(item.d) is ListObj:
            if item.d.open:
                return None
            out.extend(x for x in item.d.items if is_node(x))
        elif type(item.d) is Unknown:
            return None
    return out
