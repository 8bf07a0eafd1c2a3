"""The intermediate representation: what the evaluator walks instead of syntax trees.

Nodes are named tuples: immutable, compact, cheap to build and to decode.  Dispatch on
``type(node)``.  ``pos`` is ``(line, col, end_line, end_col)`` in the *file*: lines count
from 1, columns from 0 in characters, the end is exclusive (as in CPython's ``ast``, but in
characters instead of UTF-8 bytes).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from mlapath.ir.patterns import Pattern

Pos: TypeAlias = tuple[int, int, int, int]


# -- expressions ---------------------------------------------------------------------------


class Const(NamedTuple):
    """A literal: None, bool, int, float, complex, str, bytes or Ellipsis."""

    pos: Pos
    value: object


class Name(NamedTuple):
    pos: Pos
    id: str


class Attr(NamedTuple):
    pos: Pos
    value: Expr
    attr: str


class Subscript(NamedTuple):
    """``value[index]``; several indices are one ``Tuple``, a slice is a ``Slice``."""

    pos: Pos
    value: Expr
    index: Expr  # type: ignore[assignment]  # tuple.index is never wanted on a node


class Slice(NamedTuple):
    pos: Pos
    lower: Expr | None
    upper: Expr | None
    step: Expr | None


class Keyword(NamedTuple):
    """A keyword argument; ``name`` is None for ``**value``."""

    name: str | None
    value: Expr


class Call(NamedTuple):
    """``func(*args, **keywords)``; a ``*x`` argument is a ``Starred``."""

    pos: Pos
    func: Expr
    args: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]


class BinOp(NamedTuple):
    """``op`` is the operator's token: ``+ - * / // % ** @ << >> & | ^``."""

    pos: Pos
    op: str
    left: Expr
    right: Expr


class UnaryOp(NamedTuple):
    """``op`` is one of ``not - + ~``."""

    pos: Pos
    op: str
    operand: Expr


class BoolOp(NamedTuple):
    """``op`` is ``and`` or ``or``; ``values`` holds two or more operands, flattened as in ast."""

    pos: Pos
    op: str
    values: tuple[Expr, ...]


class Compare(NamedTuple):
    """``ops`` are tokens: ``== != < <= > >= is``, ``is not``, ``in``, ``not in``."""

    pos: Pos
    left: Expr
    ops: tuple[str, ...]
    comparators: tuple[Expr, ...]


class IfExp(NamedTuple):
    pos: Pos
    test: Expr
    body: Expr
    orelse: Expr


class Lambda(NamedTuple):
    pos: Pos
    params: Params
    body: Expr


class Tuple(NamedTuple):
    pos: Pos
    elts: tuple[Expr, ...]


class List(NamedTuple):
    pos: Pos
    elts: tuple[Expr, ...]


class Set(NamedTuple):
    pos: Pos
    elts: tuple[Expr, ...]


class Dict(NamedTuple):
    """``items`` are (key, value); key None is ``**value``."""

    pos: Pos
    items: tuple[tuple[Expr | None, Expr], ...]


class CompFor(NamedTuple):
    target: Expr
    iter: Expr
    ifs: tuple[Expr, ...]
    is_async: bool


class Comp(NamedTuple):
    """A comprehension; ``kind`` is ``list set dict gen``; ``value`` only for dict."""

    pos: Pos
    kind: str
    elt: Expr
    value: Expr | None
    generators: tuple[CompFor, ...]


class Await(NamedTuple):
    pos: Pos
    value: Expr


class Yield(NamedTuple):
    pos: Pos
    value: Expr | None


class YieldFrom(NamedTuple):
    pos: Pos
    value: Expr


class FormattedValue(NamedTuple):
    """``{value!conversion:spec}``; conversion is ``"" s r a``, ``r`` for a bare ``{x=}``.

    ``spec`` stands from its colon up to the ``}``.
    """

    pos: Pos
    value: Expr
    conversion: str
    spec: JoinedStr | None


class JoinedStr(NamedTuple):
    """An f-string, implicit concatenation included; parts are ``str`` or ``FormattedValue``.

    No part is empty and no two texts are neighbours; the text of ``{x=}`` is one before it.
    """

    pos: Pos
    parts: tuple[str | FormattedValue, ...]


class NamedExpr(NamedTuple):
    pos: Pos
    target: Name
    value: Expr


class Starred(NamedTuple):
    pos: Pos
    value: Expr


class Opaque(NamedTuple):
    """Something this version cannot lower; it evaluates to an unknown that says ``why``."""

    pos: Pos
    why: str


Expr: TypeAlias = (
    Const | Name | Attr | Subscript | Slice | Call | BinOp | UnaryOp | BoolOp | Compare | IfExp
    | Lambda | Tuple | List | Set | Dict | Comp | Await | Yield | YieldFrom | JoinedStr
    | NamedExpr | Starred | Opaque
)  # fmt: skip


# -- functions and their parameters --------------------------------------------------------


class Param(NamedTuple):
    name: str
    annotation: Expr | None
    default: Expr | None


class Params(NamedTuple):
    posonly: tuple[Param, ...]
    args: tuple[Param, ...]
    vararg: Param | None
    kwonly: tuple[Param, ...]
    kwarg: Param | None


class Scope(NamedTuple):
    """What a function body binds; every tuple is sorted.

    ``bound``: names local to the function (parameters, assignments, imports, loop targets,
    defs, except/with/match targets, walrus in comprehensions), without those declared
    global or nonlocal.
    """

    bound: tuple[str, ...]
    globals: tuple[str, ...]
    nonlocals: tuple[str, ...]
    is_generator: bool


# -- statements ----------------------------------------------------------------------------


class ExprStmt(NamedTuple):
    pos: Pos
    value: Expr


class Assign(NamedTuple):
    """``a = b = value``: every target in order."""

    pos: Pos
    targets: tuple[Expr, ...]
    value: Expr


class AugAssign(NamedTuple):
    """``target op= value``; ``op`` as in ``BinOp``."""

    pos: Pos
    target: Expr
    op: str
    value: Expr


class AnnAssign(NamedTuple):
    pos: Pos
    target: Expr
    annotation: Expr
    value: Expr | None


class Return(NamedTuple):
    pos: Pos
    value: Expr | None


class Raise(NamedTuple):
    pos: Pos
    exc: Expr | None
    cause: Expr | None


class Assert(NamedTuple):
    pos: Pos
    test: Expr
    msg: Expr | None


class If(NamedTuple):
    pos: Pos
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


class While(NamedTuple):
    pos: Pos
    test: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]


class For(NamedTuple):
    pos: Pos
    target: Expr
    iter: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    is_async: bool


class WithItem(NamedTuple):
    context: Expr
    target: Expr | None


class With(NamedTuple):
    pos: Pos
    items: tuple[WithItem, ...]
    body: tuple[Stmt, ...]
    is_async: bool


class Handler(NamedTuple):
    pos: Pos
    type: Expr | None
    name: str | None
    body: tuple[Stmt, ...]


class Try(NamedTuple):
    pos: Pos
    body: tuple[Stmt, ...]
    handlers: tuple[Handler, ...]
    orelse: tuple[Stmt, ...]
    finalbody: tuple[Stmt, ...]
    is_star: bool


class Alias(NamedTuple):
    name: str
    asname: str | None


class Import(NamedTuple):
    pos: Pos
    names: tuple[Alias, ...]


class ImportFrom(NamedTuple):
    """``from ..module import names``: ``level`` dots; ``*`` is one alias named ``*``."""

    pos: Pos
    module: str
    names: tuple[Alias, ...]
    level: int


class Global(NamedTuple):
    pos: Pos
    names: tuple[str, ...]


class Nonlocal(NamedTuple):
    pos: Pos
    names: tuple[str, ...]


class Pass(NamedTuple):
    pos: Pos


class Break(NamedTuple):
    pos: Pos


class Continue(NamedTuple):
    pos: Pos


class Delete(NamedTuple):
    pos: Pos
    targets: tuple[Expr, ...]


class FunctionDef(NamedTuple):
    """``pos`` starts at ``def``/``async``; the docstring is in ``doc``, not in ``body``."""

    pos: Pos
    name: str
    params: Params
    body: Sequence[Stmt]
    decorators: tuple[Expr, ...]
    returns: Expr | None
    is_async: bool
    scope: Scope
    doc: str | None


class ClassDef(NamedTuple):
    """``body`` is without the docstring; ``keywords`` has ``metaclass=`` and the like."""

    pos: Pos
    name: str
    bases: tuple[Expr, ...]
    keywords: tuple[Keyword, ...]
    body: tuple[Stmt, ...]
    decorators: tuple[Expr, ...]
    doc: str | None


class Case(NamedTuple):
    pattern: Pattern
    guard: Expr | None
    body: tuple[Stmt, ...]


class Match(NamedTuple):
    pos: Pos
    subject: Expr
    cases: tuple[Case, ...]


class TypeAliasStmt(NamedTuple):
    """``type name = value`` (value is evaluated lazily in Python)."""

    pos: Pos
    name: str
    value: Expr


Stmt: TypeAlias = (
    ExprStmt | Assign | AugAssign | AnnAssign | Return | Raise | Assert | If | While | For | With
    | Try | Import | ImportFrom | Global | Nonlocal | Pass | Break | Continue | Delete
    | FunctionDef | ClassDef | Match | TypeAliasStmt
)  # fmt: skip


class ModuleIR(NamedTuple):
    """One file.  ``path`` is relative to the tree's root, ``/``-separated."""

    path: str
    body: tuple[Stmt, ...]
    doc: str | None
