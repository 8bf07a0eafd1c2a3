"""Annotations: their values, read when something asks, with forward references resolved.

A name that is bound nowhere (imported for type checkers only) gives an unknown type; nothing
is raised.
"""

from __future__ import annotations

import ast
from typing import Any

from mlapath.engine.control import Flow, Frame
from mlapath.engine.trycatch import catching
from mlapath.ir import nodes as n
from mlapath.models.aliases import alias_args, alias_name, is_alias, union_of, with_arguments
from mlapath.values.objects import ClassObj, FuncObj, Instance
from mlapath.values.value import External, Unknown, V

VALUES = ("Literal",)


def annotation_value(it: Any, fr: Frame, expr: n.Expr) -> V:
    """The type that an annotation of ``fr`` stands for; strings in it are resolved."""
    return _within(it, _scope(it, fr), expr)


def annotation_raw(it: Any, fr: Frame, expr: n.Expr) -> V:
    """What ``__annotations__`` holds: the text where annotations are not evaluated."""
    if postponed(fr):
        return V(it.text(fr, expr.pos))
    if type(expr) is n.Const:
        return V(expr.value)
    return annotation_value(it, fr, expr)


def postponed(fr: Frame) -> bool:
    """Whether the module has ``from __future__ import annotations``."""
    found = fr.module.ns.get("annotations")
    return found is not None and type(found.d) is External and found.d.name == (
        "__future__.annotations")  # fmt: skip


def function_scope(it: Any, f: FuncObj) -> Frame:
    """A frame in which a function's annotations can be read."""
    return Frame(f.module, it.heap.cell(), f.closure, None, it.frame)


def resolve_forward(it: Any, fr: Frame, value: V) -> V:
    """``value`` with the strings in it (forward references) replaced by what they name."""
    if type(value.d) is str:
        return _text(it, fr, value.d, fr.pos or (1, 0, 1, 0))
    if is_alias(value) and alias_name(value) not in VALUES:
        args = alias_args(value)
        if any(type(x.d) is str or is_alias(x) for x in args):
            return with_arguments(it, value, tuple(resolve_forward(it, fr, x) for x in args))
    return value


def _scope(it: Any, fr: Frame) -> Frame:
    """Class bodies: a field's own name must not hide the type that its annotation names."""
    if fr.owner is None or fr.locals is not fr.owner.ns:
        return fr
    fields = {name for name, _, _ in fr.owner.facts.get("annotations", ())}
    names = it.heap.cell({k: v for k, v in fr.locals.items() if k not in fields})
    scope = Frame(fr.module, names, fr.closure, None, fr.parent)
    scope.pos = fr.pos
    return scope


def _within(it: Any, fr: Frame, expr: n.Expr) -> V:
    """Evaluate in ``fr``; what raises is an unknown type."""
    results: list[V] = []

    def body() -> Flow | None:
        results.append(_value(it, fr, expr))
        return None

    outer, it.frame = it.frame, fr
    try:
        catching(it, fr, [None], body, lambda raised: None)
    finally:
        it.frame = outer
    joined: V = it.union(results) if results else _unknown(it, fr, expr)
    return joined


def _unknown(it: Any, fr: Frame, expr: n.Expr) -> V:
    return V(Unknown(f"the type {it.text(fr, expr.pos) or 'of an annotation'}", "type"))


def _value(it: Any, fr: Frame, expr: n.Expr) -> V:
    kind = type(expr)
    if kind is n.Const:
        if type(expr.value) is str:  # type: ignore[union-attr]
            return _text(it, fr, expr.value, expr.pos)  # type: ignore[union-attr]
        return V(expr.value)  # type: ignore[union-attr]
    if kind is n.BinOp and expr.op == "|":  # type: ignore[union-attr]
        sides = [_value(it, fr, expr.left), _value(it, fr, expr.right)]  # type: ignore[union-attr]
        return union_of(it, sides, pipe=True)
    if kind is n.Subscript:
        return _subscript(it, fr, expr)  # type: ignore[arg-type]
    if kind is n.List:
        return V(it.heap.list([_value(it, fr, x) for x in expr.elts]))  # type: ignore[union-attr]
    if kind is n.Name and it.peek(fr, expr) is None and "*" not in fr.module.ns:
        return _unknown(it, fr, expr)
    value: V = it.eval(fr, expr)
    return resolve_forward(it, fr, value) if is_alias(value) else value


def _subscript(it: Any, fr: Frame, expr: n.Subscript) -> V:
    base = _value(it, fr, expr.value)
    name = _form(base)
    if name in VALUES:
        index: V = it.eval(fr, expr.index)
    elif type(expr.index) is n.Tuple:
        elts = expr.index.elts
        first = [_value(it, fr, elts[0])]
        rest = (it.eval(fr, x) if name == "Annotated" else _value(it, fr, x) for x in elts[1:])
        index = V((*first, *rest))
    else:
        index = _value(it, fr, expr.index)
    fr.pos = expr.pos
    value: V = it.getitem(base, index)
    return value


def _form(base: V) -> str:
    """The name of a special form such as ``Literal``."""
    d = base.d
    if type(d) is External:
        return str(d.name.rpartition(".")[2])
    if type(d) is Instance and "name" in d.attrs and type(d.attrs["name"].d) is str:
        return str(d.attrs["name"].d)
    return ""


def _text(it: Any, fr: Frame, text: str, pos: n.Pos) -> V:
    """The type that a string names."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        expr = _from_ast(tree, pos)
    except (SyntaxError, ValueError, RecursionError, KeyError):
        return V(Unknown(f"the type {text!r}", "type"))
    return _value(it, fr, expr)


def _from_ast(node: ast.expr, pos: n.Pos) -> n.Expr:
    """The expressions that types are made of; KeyError for any other."""
    if isinstance(node, ast.Constant):
        return n.Const(pos, node.value)
    if isinstance(node, ast.Name):
        return n.Name(pos, node.id)
    if isinstance(node, ast.Attribute):
        return n.Attr(pos, _from_ast(node.value, pos), node.attr)
    if isinstance(node, ast.Subscript):
        return n.Subscript(pos, _from_ast(node.value, pos), _from_ast(node.slice, pos))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return n.BinOp(pos, "|", _from_ast(node.left, pos), _from_ast(node.right, pos))
    if isinstance(node, ast.Tuple):
        return n.Tuple(pos, tuple(_from_ast(x, pos) for x in node.elts))
    if isinstance(node, ast.List):
        return n.List(pos, tuple(_from_ast(x, pos) for x in node.elts))
    raise KeyError(type(node).__name__)


def class_annotations(it: Any, d: ClassObj) -> V:
    """``cls.__annotations__``."""
    made = it.heap.dict()
    for name, expr, fr in d.facts.get("annotations", ()):
        it.dict_set(made, V(name), annotation_raw(it, fr, expr))
    return V(made)


def function_annotations(it: Any, f: FuncObj) -> V:
    """``function.__annotations__``."""
    made = it.heap.dict()
    scope = function_scope(it, f)
    for name, expr in annotated_parameters(f):
        it.dict_set(made, V(name), annotation_raw(it, scope, expr))
    return V(made)


def annotated_parameters(f: FuncObj) -> list[tuple[str, n.Expr]]:
    """The annotations of a function in ``__annotations__`` order, ``return`` last."""
    params = f.node.params
    given = [*params.posonly, *params.args, params.vararg, *params.kwonly, params.kwarg]
    out = [(p.name, p.annotation) for p in given if p is not None and p.annotation is not None]
    returns = getattr(f.node, "returns", None)
    return [*out, ("return", returns)] if returns is not None else out
