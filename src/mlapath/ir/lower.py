"""Source text to ``ModuleIR``: the entry point of the lowering."""

from __future__ import annotations

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.errors import ParseError
from mlapath.ir.lower_context import Context, Unsupported
from mlapath.ir.lower_positions import (
    ABSENT,
    parse_reference,
    provider_positions,
    reference_positions,
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
    reference = parse_reference(text) if use_ast else ABSENT
    try:
        if reference is not ABSENT:
            return _lower(module, reference, Context(reference_positions(text), ScopeBuilder()), path)
        return _lower(module, ABSENT, Context(provider_positions(module), ScopeBuilder()), path)
    except Unsupported as error:
        raise ParseError(path, error.line, str(error)) from error
    except RecursionError as error:
        raise ParseError(path, 0, "expressions or blocks nested too deeply") from error
    except (SyntaxError, ValueError) as error:
        raise ParseError(path, 0, f"bad literal: {error}") from error


def normalised(text: str) -> str:
    r"""Without byte-order mark and with ``\n`` newlines, as Python's tokenizer reads it."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _parse(text: str, path: str) -> cst.Module:
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise ParseError(path, error.raw_line, error.message) from error


def _lower(module: cst.Module, ref: object, ctx: Context, path: str) -> ir.ModuleIR:
    body, doc = documented(module.body, ref.body, ctx)  # type: ignore[attr-defined]
    return ir.ModuleIR(path, body, doc)
