"""The name that a node of a syntax tree mentions, and how."""

from __future__ import annotations

import ast

OWN = frozenset({"self", "cls"})


def is_reference(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute | ast.Lambda)


def is_own(node: ast.AST) -> bool:
    """Whether a node is an attribute of the object whose method it stands in."""
    if not isinstance(node, ast.Attribute):
        return False
    of = node.value
    if isinstance(of, ast.Call):
        return isinstance(of.func, ast.Name) and of.func.id == "super"
    return isinstance(of, ast.Name) and of.id in OWN


def last_name(target: ast.expr) -> str:
    if isinstance(target, ast.Subscript):
        return last_name(target.value)
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else ""


def mentioned(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, ast.Load) else ""
    if isinstance(node, ast.Attribute):
        return node.attr if isinstance(node.ctx, ast.Load) else ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        last = node.value.rpartition(".")[2].rpartition(":")[2]
        if not last.isidentifier():
            return ""
        return in_text(last) if last == node.value else in_path(last)
    return ""


def in_text(name: str) -> str:
    """The key of texts that are just a name."""
    return f"'{name}"


def in_path(name: str) -> str:
    """The key of texts that end in a name, such as dotted paths."""
    return f".{name}"


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and (
        node.value.isidentifier()
    )  # fmt: skip


__all__ = [
    "OWN", "in_path", "in_text", "is_own", "is_reference", "is_text", "last_name", "mentioned",
]  # fmt: skip
