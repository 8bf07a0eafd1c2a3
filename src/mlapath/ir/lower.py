"""Source text to ``ModuleIR``: the entry point of the lowering."""

from __future__ import annotations

import contextlib
import re

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.errors import ParseError
from mlapath.ir.lower_context import Context, LoweringError
from mlapath.ir.lower_positions import (
    ABSENT,
    MisalignedError,
    parse_reference,
    provider_positions,
    reference_positions,
    syntax_error,
)
from mlapath.ir.lower_scope import ScopeBuilder
from mlapath.ir.lower_statements import documented


def lower_module(text: str, path: str, *, use_ast: bool = True) -> ir.ModuleIR:
    """Parse and lower one file.

    Args:
        text: the decoded file; any newline style, a byte-order mark is ignored.
        path: relative to the tree's root, ``/``-separated.
        use_ast: take positions from CPython's parser where it can read the text; else
            (and always with False) from libcst's slower provider.

    Raises:
        ParseError: the text is not Python, or has syntax this version does not lower.
    """
    text = normalised(text)
    module = _parse(text, path)
    try:
        return ir.ModuleIR(path, *_body_and_doc(module, text, use_ast))
    except LoweringError as error:
        raise ParseError(path, error.line, str(error)) from error
    except RecursionError as error:
        raise ParseError(path, 0, "expressions or blocks nested too deeply") from error


def _body_and_doc(
    module: cst.Module, text: str, use_ast: bool
) -> tuple[tuple[ir.Stmt, ...], str | None]:
    reference = parse_reference(text) if use_ast else ABSENT
    if reference is not ABSENT:
        # Two parsers of other ages may disagree about a tree's shape; one is enough.
        with contextlib.suppress(MisalignedError, AttributeError):
            ctx = Context(reference_positions(text), ScopeBuilder(), "", module.default_indent)
            return documented(module.body, reference.body, ctx)
    ctx = Context(provider_positions(module), ScopeBuilder(), "", module.default_indent)
    return documented(module.body, ABSENT, ctx)


def normalised(text: str) -> str:
    r"""Without byte-order mark and with ``\n`` newlines, as Python's tokenizer reads it."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _parse(text: str, path: str) -> cst.Module:
    try:
        return cst.parse_module(text)
    except (cst.ParserSyntaxError, cst.CSTValidationError, cst.CSTLogicError) as error:
        # CPython words the fault better; but the text may be newer than this Python, or
        # (``(x): int``) valid and unknown to libcst.
        line, message = syntax_error(text) or _fault(error)
        raise ParseError(path, line, message) from error


def _fault(error: Exception) -> tuple[int, str]:
    """Line, 0 if unknown, and message."""
    # ``raw_line`` is one too high at times; the parser's text has the right number.
    match = re.search(r"parser error: error at (\d+):", str(error))
    return int(match.group(1)) if match else 0, "libcst cannot parse this"
