"""``ast``: literals are read by CPython itself; trees are code that is not looked into."""

from __future__ import annotations

import ast
from typing import Any

from mlapath.models.api import Library
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


LIBRARY = Library(
    functions={
        "ast.literal_eval": _literal,
        "ast.parse": gives("ast.parse", raises=True),
        "ast.walk": gives("ast.walk"),
        "ast.dump": gives("ast.dump", "str"),
        "ast.unparse": gives("ast.unparse", "str"),
        "ast.get_source_segment": gives("ast.get_source_segment"),
        "ast.get_docstring": gives("ast.get_docstring"),
    },
)
