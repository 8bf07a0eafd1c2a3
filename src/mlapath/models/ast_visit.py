"""Walking syntax trees: ``walk``, ``NodeVisitor``, ``NodeTransformer`` and helpers."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mlapath.models.api import make_class
from mlapath.models.ast_trees import PLACE, child_values, children, is_node, to_tree
from mlapath.models.class_tools import library_class
from mlapath.values.concrete import NotConcrete
from mlapath.values.objects import ListObj
from mlapath.values.value import Unknown, V


def walk(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``walk(tree)``: every node, breadth first."""
    if not is_node(args[0]):
        return V(Unknown("the nodes of an unknown tree"), args[0].o)
    queue = [args[0]]
    for value in queue:
        inner = children(it, value)
        if inner is None:
            return V(Unknown("the nodes of a tree that is not fully known"), args[0].o)
        queue.extend(inner)
    return it.generator_of(V(it.heap.list(queue)))  # type: ignore[no-any-return]


def iter_child_nodes(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``iter_child_nodes(node)``."""
    inner = children(it, args[0]) if is_node(args[0]) else None
    if inner is None:
        return V(Unknown("the children of an unknown node"), args[0].o)
    return it.generator_of(V(it.heap.list(inner)))  # type: ignore[no-any-return]


def iter_fields(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``iter_fields(node)``."""
    if not is_node(args[0]):
        return V(Unknown("the fields of an unknown node"), args[0].o)
    pairs = [V((V(name), item)) for name, item in child_values(args[0])]
    return it.generator_of(V(it.heap.list(pairs)))  # type: ignore[no-any-return]


def copy_location(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``copy_location(new, old)``."""
    new, old = args
    if is_node(new) and is_node(old):
        for name in PLACE:
            if name in old.d.attrs:
                it.heap.put(new.d.attrs, name, old.d.attrs[name])
    return new


def text_of(name: str, real: Callable[..., str]) -> Any:
    """``unparse`` and ``dump``: by CPython itself."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        try:
            options = {k: v.d for k, v in kwargs.items()}
            return V(real(to_tree(args[0]), *(a.d for a in args[1:]), **options), args[0].o)
        except (NotConcrete, TypeError, ValueError, AttributeError, RecursionError):
            return V(Unknown(f"{name}() of a tree that is not fully known", "str"), args[0].o)

    return fn


def _visit(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    visitor, node = args
    if not is_node(node):
        return V(Unknown("what a visitor gives for an unknown node"), node.o)
    method = it.find_attr(visitor, f"visit_{node.d.cls.name}")
    if method is None:
        method = it.getattr(visitor, "generic_visit")
    result: V = it.call(method, [node], {})
    return result


def _visit_children(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    visitor, node = args
    for child in (children(it, node) if is_node(node) else None) or ():
        it.call(it.getattr(visitor, "visit"), [child], {})
    return V(None)


def _transform_children(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    visitor, node = args
    if not is_node(node):
        return V(Unknown("what a transformer gives for an unknown node"), node.o)

    def visit(x: V) -> V:
        result: V = it.call(it.getattr(visitor, "visit"), [x], {})
        return result

    for name, item in child_values(node):
        if type(item.d) is ListObj:
            kept: list[V] = []
            for x in item.d.items:
                made = visit(x) if is_node(x) else x
                if type(made.d) is ListObj:
                    kept.extend(made.d.items)
                elif made.d is not None:
                    kept.append(made)
            it.heap.put(item.d.cell, "items", kept)
        elif is_node(item):
            made = visit(item)
            if made.d is None:
                it.heap.drop(node.d.attrs, name)
            else:
                it.heap.put(node.d.attrs, name, made)
    return node


def visitor_class(it: Any) -> V:
    """``NodeVisitor``."""
    return V(make_class(it, "ast.NodeVisitor",
                        methods={"visit": _visit, "generic_visit": _visit_children}))  # fmt: skip


def transformer_class(it: Any) -> V:
    """``NodeTransformer``."""
    return V(make_class(it, "ast.NodeTransformer", (library_class(it, "ast.NodeVisitor"),),
                        methods={"generic_visit": _transform_children}))  # fmt: skip


def get_docstring(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``get_docstring(node)``."""
    try:
        return V(ast.get_docstring(to_tree(args[0])), args[0].o)
    except (NotConcrete, TypeError):
        return V(Unknown("the docstring of an unknown tree"), args[0].o)
