"""Source text to ``ModuleIR``: the entry point of the lowering."""

from __future__ import annotations

from typing import TypeAlias

from mlapath.ir import nodes as ir
from mlapath.ir.errors import LoweringError, ParseError
from mlapath.ir.from_ast.module import UnreadableError, body_from_ast

Body: TypeAlias = tuple[tuple[ir.Stmt, ...], str | None]


def lower_module(text: str, path: str) -> ir.ModuleIR:
    """Parse and lower one file: by CPython's own parser if it can read it, else by libcst.

    Args:
        text: the decoded file; any newline style, a byte-order mark is ignored.
        path: relative to the tree's root, ``/``-separated.

    Raises:
        ParseError: the text is not Python, or has syntax this version does not lower.
    """
    text = normalised(text)
    try:
        try:
            body, doc = body_from_ast(text)
        except UnreadableError as error:
            body, doc = _newer(text, error)
    except LoweringError as error:
        raise ParseError(path, error.line, str(error)) from error
    except RecursionError as error:
        raise ParseError(path, 0, "expressions or blocks nested too deeply") from error
    return ir.ModuleIR(path, body, doc)


def _newer(text: str, unreadable: UnreadableError) -> Body:
    """By way of libcst; of a text that it cannot parse either, CPython words the fault better."""
    from mlapath.ir.from_cst.module import UnparsedError, body_from_cst  # slow to import

    try:
        return body_from_cst(text)
    except UnparsedError as error:
        if unreadable.message:
            raise LoweringError(unreadable.line, unreadable.message) from error
        raise


def normalised(text: str) -> str:
    r"""Without byte-order mark and with ``\n`` newlines, as Python's tokenizer reads it."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text
