"""``ast``: text that is known is parsed by CPython itself."""

from __future__ import annotations

import ast
from typing import Any

from mlapath.models import ast_visit
from mlapath.models.api import Library
from mlapath.models.ast_trees import NODES, from_tree, node_class
from mlapath.models.support import gives, pure
from mlapath.values.value import V

_LITERAL = pure("ast.literal_eval", ast.literal_eval)


def _literal(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``literal_eval(text)``; text that does not parse raises the program's SyntaxError."""
    text = args[0].d
    if type(text) is not str:
        it.may_raise(it.frame, "ast.literal_eval")
        return _LITERAL(it, args, kwargs)
    try:
        ast.parse(text.lstrip(" \t"), mode="eval")
    except SyntaxError as error:
        it.throw("SyntaxError", str(error))
    return _LITERAL(it, args, kwargs)


_PARSE = gives("ast.parse", raises=True)


def _parse(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``parse(text)``: text of a newer grammar than ours is a tree that is not known."""
    mode = kwargs.get("mode", args[2] if len(args) > 2 else V("exec"))
    if type(args[0].d) is not str or mode.d not in ("exec", "eval", "single"):
        return _PARSE(it, args, kwargs)
    try:
        tree = ast.parse(args[0].d, mode=mode.d)
    except (SyntaxError, ValueError, RecursionError):
        return _PARSE(it, args, kwargs)
    return V(from_tree(it, tree).d, args[0].o)


LIBRARY = Library(
    functions={
        "ast.literal_eval": _literal,
        "ast.parse": _parse,
        "ast.walk": ast_visit.walk,
        "ast.iter_child_nodes": ast_visit.iter_child_nodes,
        "ast.iter_fields": ast_visit.iter_fields,
        "ast.copy_location": ast_visit.copy_location,
        "ast.fix_missing_locations": lambda it, a, k: a[0],
        "ast.dump": ast_visit.text_of("ast.dump", ast.dump),
        "ast.unparse": ast_visit.text_of("ast.unparse", ast.unparse),
        "ast.get_source_segment": gives("ast.get_source_segment"),
        "ast.get_docstring": ast_visit.get_docstring,
    },
    values={
        **{f"ast.{name}": node_class(name) for name in NODES},
        "ast.NodeVisitor": ast_visit.visitor_class,
        "ast.NodeTransformer": ast_visit.transformer_class,
    },
)
