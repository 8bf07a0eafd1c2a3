"""Statements of flag code. Each handler: ``(walker, frame, node) -> signal``.

A signal tells how a statement ended otherwise than by going on to the next one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from mlapath.ir import nodes as ir
from mlapath.ir.walk import walk
from mlapath.scenario.engine_flags_expressions import assign_name
from mlapath.scenario.engine_flags_functions import define
from mlapath.scenario.engine_flags_operators import as_hint, binary
from mlapath.scenario.engine_flags_scopes import bound_names, imported
from mlapath.scenario.engine_flags_values import CannotReadError, Frame, Instance, Unread

if TYPE_CHECKING:
    from mlapath.scenario.engine_flags_walker import Walker

PROGRAM_ERRORS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, NameError, OSError,
    RuntimeError, StopIteration, TypeError, ValueError,
    argparse.ArgumentError, argparse.ArgumentTypeError,
)  # fmt: skip
"""What code of the tree may raise while it is walked."""


@dataclass(frozen=True)
class Returned:
    """The function returned ``value``."""

    value: Any


class Leave:
    """``break``."""


class Again:
    """``continue``."""


def run(walker: Walker, frame: Frame, body: Sequence[ir.Stmt], *, guarded: bool = False) -> Any:
    """Walk statements in order; the signal of the one that ended them, or None.

    ``guarded``: the statements stand in a ``try``, so what they raise is for its handlers.
    """
    for stmt in body:
        try:
            handler = STATEMENTS.get(type(stmt))
            if handler is None:
                raise walker.beyond(frame, stmt)
            signal = handler(walker, frame, stmt)
        except CannotReadError as error:
            if not walker.tolerant:
                raise
            _skip(walker, frame, stmt, error)
        except PROGRAM_ERRORS as error:
            if guarded or not walker.tolerant:
                raise
            _skip(walker, frame, stmt, error)
        else:
            if signal is not None:
                return signal
    return None


def _skip(walker: Walker, frame: Frame, stmt: ir.Stmt, error: Exception) -> None:
    why = f"{frame.scope.path}:{stmt.pos[0]}: {error}"
    walker.skipped.append(why)
    _forget(walker, frame, stmt, why)


def _forget(walker: Walker, frame: Frame, stmt: ir.Stmt, why: str) -> None:
    key = (frame.scope.path, stmt.pos)
    if key not in walker.assigned:
        walker.assigned[key] = tuple(dict.fromkeys(_assigned(stmt)))
    for name in walker.assigned[key]:
        frame.names[name] = Unread(why)


def _assigned(stmt: ir.Stmt) -> Iterator[str]:
    for node in walk(stmt):
        if isinstance(node, ir.Assign):
            targets: tuple[Any, ...] = node.targets
        elif isinstance(node, (ir.AnnAssign, ir.AugAssign, ir.For, ir.NamedExpr, ir.WithItem)):
            targets = (node.target,)
        else:
            if isinstance(node, (ir.Import, ir.ImportFrom)):
                yield from (name for name, _ in bound_names(node))
            continue
        for target in targets:
            yield from _names(target)


def _names(target: ir.Expr | None) -> Iterator[str]:
    """The names that an assignment to ``target`` binds; those it only reads are left out."""
    if isinstance(target, ir.Name):
        yield target.id
    elif isinstance(target, (ir.Tuple, ir.List)):
        for part in target.elts:
            yield from _names(part.value if isinstance(part, ir.Starred) else part)


# -- assignments ---------------------------------------------------------------------------


def _assign(walker: Walker, frame: Frame, node: ir.Assign) -> None:
    value = walker.eval(frame, node.value)
    for target in node.targets:
        _store(walker, frame, target, value)


def _ann_assign(walker: Walker, frame: Frame, node: ir.AnnAssign) -> None:
    if node.value is not None:
        _store(walker, frame, node.target, walker.eval(frame, node.value))


def _aug_assign(walker: Walker, frame: Frame, node: ir.AugAssign) -> None:
    before = walker.eval(frame, node.target)
    value = walker.eval(frame, node.value)
    _store(walker, frame, node.target, binary(walker, node.op, before, value, in_place=True))


def _store(walker: Walker, frame: Frame, target: ir.Expr, value: Any) -> None:
    if isinstance(target, ir.Subscript):
        container = walker.eval(frame, target.value)
        index = walker.eval(frame, target.index)
        if not isinstance(container, (dict, list)) or isinstance(index, Unread):
            raise CannotReadError(f"{frame.scope.path}:{target.pos[0]}: an item is assigned")
        container[index] = Unread(walker.unsure[0]) if walker.unsure else value
    elif isinstance(target, ir.Attr):
        receiver = walker.eval(frame, target.value)
        if not isinstance(receiver, Instance):
            raise CannotReadError(f"{frame.scope.path}:{target.pos[0]}: an attribute is assigned")
        receiver.attrs[target.attr] = value
    else:
        assign_name(walker, frame, target, value)


def _delete(walker: Walker, frame: Frame, node: ir.Delete) -> None:
    for target in node.targets:
        if not isinstance(target, ir.Subscript) or walker.unsure:
            raise walker.beyond(frame, node)
        container = walker.eval(frame, target.value)
        if isinstance(container, Unread):
            raise CannotReadError(container.why)
        del container[walker.eval(frame, target.index)]


# -- control flow --------------------------------------------------------------------------


def _return(walker: Walker, frame: Frame, node: ir.Return) -> Returned:
    return Returned(None if node.value is None else walker.eval(frame, node.value))


def _raise(walker: Walker, frame: Frame, node: ir.Raise) -> None:
    error = frame.names.get(ACTIVE) if node.exc is None else walker.eval(frame, node.exc)
    if isinstance(error, type) and issubclass(error, PROGRAM_ERRORS):
        error = walker.call(error, (), {})
    if not isinstance(error, PROGRAM_ERRORS):
        raise CannotReadError(f"{frame.scope.path}:{node.pos[0]}: an exception of the tree's own")
    cause = None if node.cause is None else walker.eval(frame, node.cause)
    raise error from (cause if isinstance(cause, BaseException) else None)


def _assert(walker: Walker, frame: Frame, node: ir.Assert) -> None:
    test = walker.eval(frame, node.test)
    if not isinstance(test, Unread) and not test:
        raise AssertionError("" if node.msg is None else walker.eval(frame, node.msg))


def _if(walker: Walker, frame: Frame, node: ir.If) -> Any:
    test = walker.eval(frame, node.test)
    if not isinstance(test, Unread):
        return walker.run(frame, node.body if test else node.orelse)
    if not walker.tolerant:
        raise CannotReadError(test.why)
    walker.unsure.append(test.why)
    try:
        ends = [walker.run(frame, part) for part in (node.body, node.orelse)]
    finally:
        walker.unsure.pop()
    _forget(walker, frame, node, test.why)
    if any(end is not None for end in ends):
        raise CannotReadError(f"the function may end here: {test.why}")
    return None


def _for(walker: Walker, frame: Frame, node: ir.For) -> Any:
    items = walker.eval(frame, node.iter)
    if isinstance(items, Unread):
        raise CannotReadError(items.why)
    for item in items:
        assign_name(walker, frame, node.target, item)
        signal = walker.run(frame, node.body)
        if signal is Leave:
            return None
        if isinstance(signal, Returned):
            return signal
    return walker.run(frame, node.orelse)


def _while(walker: Walker, frame: Frame, node: ir.While) -> Any:
    while walker.eval(frame, node.test):
        signal = walker.run(frame, node.body)
        if signal is Leave:
            return None
        if isinstance(signal, Returned):
            return signal
    return walker.run(frame, node.orelse)


def _with(walker: Walker, frame: Frame, node: ir.With) -> Any:
    for item in node.items:
        value = walker.eval(frame, item.context)
        if item.target is not None:
            _store(walker, frame, item.target, value)
    return walker.run(frame, node.body)


ACTIVE = "the exception being handled"


def _try(walker: Walker, frame: Frame, node: ir.Try) -> Any:
    try:
        signal = run(walker, frame, node.body, guarded=True)
        if signal is None:
            signal = walker.run(frame, node.orelse)
    except PROGRAM_ERRORS as error:
        handler = next((h for h in node.handlers if _catches(walker, frame, h, error)), None)
        if handler is None:
            raise
        frame.names[ACTIVE] = error
        if handler.name is not None:
            frame.names[handler.name] = error
        signal = walker.run(frame, handler.body)
    finally:
        walker.run(frame, node.finalbody)
    return signal


def _catches(walker: Walker, frame: Frame, handler: ir.Handler, error: BaseException) -> bool:
    if handler.type is None:
        return True
    kinds = walker.eval(frame, handler.type)
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if isinstance(kind, Unread):
            raise CannotReadError(kind.why)
        if isinstance(error, as_hint(walker, kind)):
            return True
    return False


# -- names ---------------------------------------------------------------------------------


def _import(walker: Walker, frame: Frame, node: ir.Import) -> None:
    for alias in node.names:
        name, module = imported(alias)
        frame.names[name] = walker.resolve(module.name)


def _import_from(walker: Walker, frame: Frame, node: ir.ImportFrom) -> None:
    for alias in node.names:
        frame.names[alias.asname or alias.name] = walker.import_from(frame.scope, node, alias)


def _function(walker: Walker, frame: Frame, node: ir.FunctionDef) -> None:
    frame.names[node.name] = define(walker, frame, node)


def _expression(walker: Walker, frame: Frame, node: ir.ExprStmt) -> None:
    walker.eval(frame, node.value)


STATEMENTS: Mapping[type, Callable[..., Any]] = MappingProxyType(
    {
        ir.ExprStmt: _expression,
        ir.Assign: _assign,
        ir.AnnAssign: _ann_assign,
        ir.AugAssign: _aug_assign,
        ir.Delete: _delete,
        ir.Return: _return,
        ir.Raise: _raise,
        ir.Assert: _assert,
        ir.If: _if,
        ir.For: _for,
        ir.While: _while,
        ir.With: _with,
        ir.Try: _try,
        ir.Import: _import,
        ir.ImportFrom: _import_from,
        ir.FunctionDef: _function,
        ir.Pass: lambda *_: None,
        ir.Break: lambda *_: Leave,
        ir.Continue: lambda *_: Again,
    }
)
