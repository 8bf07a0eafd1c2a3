"""Source text to the statements of a module by way of libcst."""

from __future__ import annotations

import re

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.errors import LoweringError
from mlapath.ir.from_cst.context import Context
from mlapath.ir.from_cst.positions import provider_positions
from mlapath.ir.from_cst.statements import documented
from mlapath.ir.scope import ScopeBuilder


class UnparsedError(LoweringError):
    """libcst cannot parse the text at all."""


def body_from_cst(text: str) -> tuple[tuple[ir.Stmt, ...], str | None]:
    r"""The statements and the docstring of a module.

    Args:
        text: with ``\n`` newlines and no byte-order mark.

    Raises:
        UnparsedError: libcst cannot parse the text.
        LoweringError: it has syntax without IR, or a literal without value.
        RecursionError: nested too deeply.
    """
    try:
        module = cst.parse_module(text)
    except (cst.ParserSyntaxError, cst.CSTValidationError, cst.CSTLogicError) as error:
        # ``raw_line`` is one too high at times; the parser's text has the right number.
        match = re.search(r"parser error: error at (\d+):", str(error))
        line = int(match.group(1)) if match else 0
        raise UnparsedError(line, "libcst cannot parse this") from error
    return documented(module.body, Context(provider_positions(module), ScopeBuilder()))
