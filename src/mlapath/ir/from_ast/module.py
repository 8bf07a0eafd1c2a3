"""Source text to the statements of a module by way of CPython's own parser."""

from __future__ import annotations

import ast
import warnings

from mlapath.ir import nodes as ir
from mlapath.ir.from_ast.context import Context, positions
from mlapath.ir.from_ast.fstring_positions import MisplacedError
from mlapath.ir.from_ast.statements import documented
from mlapath.ir.scope import ScopeBuilder


class UnreadableError(Exception):
    """The running Python cannot parse a text, which newer ones may.

    Attributes:
        line: 1-based; 0 if unknown.
        message: what the running Python objects to; "" if nothing.
    """

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(message)


def body_from_ast(text: str) -> tuple[tuple[ir.Stmt, ...], str | None]:
    r"""The statements and the docstring of a module.

    Args:
        text: with ``\n`` newlines and no byte-order mark.

    Raises:
        UnreadableError: another parser may read the text.
        LoweringError: the text has syntax without IR.
        RecursionError: nested too deeply.
    """
    lines = text.split("\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes in the analysed source
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            raise UnreadableError(error.lineno or 0, error.msg) from error
        except MemoryError as error:  # CPython's word for more than its parser's stack takes
            raise RecursionError(str(error)) from error
        except ValueError as error:
            raise UnreadableError(0, str(error)) from error
        try:
            return documented(tree.body, Context(positions(lines), ScopeBuilder(), lines))
        except MisplacedError as error:
            raise UnreadableError(0, "") from error
