"""What stands on a line of a file: the statement that Python runs for it, and its scope."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from mlapath.ir import nodes as n

KERNEL = "jit"
"""How the decorator of a Triton kernel is called: its body is compiled, never run by Python."""


class Kind(Enum):
    """What a line holds."""

    CODE = "code"
    DEFINITION = "definition"
    DECORATOR = "decorator"
    LABEL = "label"  # ``else:``, ``try:``, ``finally:``, ``except``: what runs is below it
    STRING = "string"
    ANNOTATION = "annotation"  # of a local name, or ``global``: no code is made of it
    COMMENT = "comment"
    BLANK = "blank"


@dataclass(frozen=True)
class Spot:
    """A line, with what Python runs for it.

    statement: the line of the statement that stands there or that the line is a part of; for a
    label the first one below it; None for lines that are no code. scope: the qualified name in
    the module of the function or class whose body the line is in, "" for the module's own.
    function: the innermost function around it and the line of its ``def``, or "" and 0.
    """

    line: int
    kind: Kind
    statement: int | None
    scope: str = ""
    function: str = ""
    function_line: int = 0
    kernel: bool = False


@dataclass(frozen=True)
class Function:
    """A function of a module; ``last`` is the last line of its body."""

    qualname: str
    line: int
    last: int
    body: int
    node: n.FunctionDef
    owner: str
    kernel: bool


@dataclass(frozen=True)
class _Around:
    scope: str = ""
    function: str = ""
    function_line: int = 0
    kernel: bool = False
    owner: str = ""


def functions(module: n.ModuleIR) -> Iterator[Function]:
    """Every function of a module, nested ones too, in the order of their lines.

    ``owner``: the qualified name of the class that it is a method of, or "".
    """
    yield from _functions(module.body, _Around())


def _functions(body: Sequence[n.Stmt], around: _Around) -> Iterator[Function]:
    for s in body:
        if isinstance(s, n.FunctionDef):
            name = f"{around.scope}{s.name}"
            kernel = around.kernel or is_kernel(s)
            first = s.body[0].pos[0] if s.body else s.pos[0]
            yield Function(name, s.pos[0], s.pos[2], first, s, around.owner, kernel)
            inner = _Around(f"{name}.<locals>.", name, s.pos[0], kernel)
            yield from _functions(s.body, inner)
        elif isinstance(s, n.ClassDef):
            name = f"{around.scope}{s.name}"
            yield from _functions(s.body, replace(around, scope=f"{name}.", owner=name))
        else:
            for block, _ in blocks(s):
                yield from _functions(block, around)


def is_kernel(function: n.FunctionDef) -> bool:
    """Whether a decorator hands the function to Triton's compiler."""
    return any(_last_name(d) == KERNEL and _first_name(d) != "torch" for d in function.decorators)


def _last_name(e: n.Expr) -> str:
    if isinstance(e, n.Call):
        return _last_name(e.func)
    return e.attr if isinstance(e, n.Attr) else e.id if isinstance(e, n.Name) else ""


def _first_name(e: n.Expr) -> str:
    while not isinstance(e, n.Name):
        if isinstance(e, n.Call):
            e = e.func
        elif isinstance(e, n.Attr):
            e = e.value
        else:
            return ""
    return e.id


def blocks(s: n.Stmt) -> Iterator[tuple[Sequence[n.Stmt], bool]]:
    """The blocks of a compound statement; whether a label of its own stands before each."""
    if isinstance(s, n.If | n.While | n.For):
        yield s.body, False
        yield s.orelse, True
    elif isinstance(s, n.With):
        yield s.body, False
    elif isinstance(s, n.Try):
        yield s.body, False
        for handler in s.handlers:
            yield handler.body, True
        yield s.orelse, True
        yield s.finalbody, True
    elif isinstance(s, n.Match):
        for case in s.cases:
            yield case.body, True


def spot(module: n.ModuleIR, lines: Sequence[str], line: int) -> Spot:
    """What stands on a line; ``lines``: the source, ``line`` counts from 1."""
    text = lines[line - 1].strip() if line <= len(lines) else ""
    found = _in(module.body, line, _Around(), lines)
    if found is None:
        inside = _around(module.body, line, _Around())
        kind = Kind.BLANK if not text else Kind.COMMENT if text.startswith("#") else Kind.STRING
        found = _made(line, kind, None, inside)
    return found


def _made(line: int, kind: Kind, statement: int | None, a: _Around) -> Spot:
    return Spot(line, kind, statement, a.scope.rstrip("."), a.function, a.function_line, a.kernel)


def _enter(s: n.Stmt, a: _Around) -> _Around:
    if isinstance(s, n.FunctionDef):
        name = f"{a.scope}{s.name}"
        kernel = a.kernel or is_kernel(s)
        return _Around(f"{name}.<locals>.", name, s.pos[0], kernel)
    if isinstance(s, n.ClassDef):
        return replace(a, scope=f"{a.scope}{s.name}.")
    return a


def _first(s: n.Stmt) -> int:
    """The first line of a statement, its decorators included."""
    if isinstance(s, n.FunctionDef | n.ClassDef) and s.decorators:
        return min(s.pos[0], s.decorators[0].pos[0])
    return s.pos[0]


def _around(body: Sequence[n.Stmt], line: int, a: _Around) -> _Around:
    """The scope around a line that is no code."""
    for s in body:
        if s.pos[0] < line <= s.pos[2]:
            inner = _enter(s, a)
            if isinstance(s, n.FunctionDef | n.ClassDef):
                return _around(s.body, line, inner)
            for block, _ in blocks(s):
                if block and block[0].pos[0] <= line <= block[-1].pos[2]:
                    return _around(block, line, a)
    return a


def _in(
    body: Sequence[n.Stmt], line: int, a: _Around, lines: Sequence[str]
) -> Spot | None:  # fmt: skip
    for s in body:
        if not _first(s) <= line <= s.pos[2]:
            continue
        if isinstance(s, n.FunctionDef | n.ClassDef):
            return _in_definition(s, line, a, lines)
        nested = [(block, label) for block, label in blocks(s) if block]
        if not nested:
            if _is_no_code(s, a):
                return _made(line, Kind.ANNOTATION, None, a)
            return _made(line, Kind.CODE, s.pos[0], a)
        if line < _first(nested[0][0][0]) or (line == s.pos[0]):
            if not isinstance(s, n.Try):
                empty = _empty(lines, line)
                return None if empty else _made(line, Kind.CODE, s.pos[0], a)
            return _label(nested[0][0], line, a, lines)
        for block, label in nested:
            if line <= block[-1].pos[2]:
                if line >= _first(block[0]):
                    return _in(block, line, a, lines)
                return _label(block, line, a, lines) if label else None
        return None
    return None


def _is_no_code(s: n.Stmt, a: _Around) -> bool:
    """Whether Python makes no code of a statement."""
    if isinstance(s, n.Global | n.Nonlocal):
        return True
    local = isinstance(s, n.AnnAssign) and isinstance(s.target, n.Name) and s.value is None
    return local and bool(a.function)


def _label(
    block: Sequence[n.Stmt], line: int, a: _Around, lines: Sequence[str]
) -> Spot | None:  # fmt: skip
    if _empty(lines, line):
        return None
    return _made(line, Kind.LABEL, block[0].pos[0], a)


def _empty(lines: Sequence[str], line: int) -> bool:
    text = lines[line - 1].strip()
    return not text or text.startswith("#")


def _in_definition(
    s: n.FunctionDef | n.ClassDef, line: int, a: _Around, lines: Sequence[str]
) -> Spot | None:  # fmt: skip
    if line < s.pos[0]:
        return None if _empty(lines, line) else _made(line, Kind.DECORATOR, s.pos[0], a)
    if line <= _header_end(s, lines):
        return _made(line, Kind.DEFINITION, s.pos[0], a)
    return _in(s.body, line, _enter(s, a), lines)


def _header_end(s: n.FunctionDef | n.ClassDef, lines: Sequence[str]) -> int:
    """The last line of ``def name(...):``."""
    last = s.pos[0]
    depth = 0
    text = "\n".join(lines[s.pos[0] - 1 : s.pos[2]]) + "\n"
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.OP:
                depth += (token.string in "([{") - (token.string in ")]}")
                if token.string == ":" and not depth:
                    return s.pos[0] + token.start[0] - 1
            if token.type == tokenize.NEWLINE:
                break
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return last
    return last


__all__ = ["Function", "Kind", "Spot", "blocks", "functions", "is_kernel", "spot"]
