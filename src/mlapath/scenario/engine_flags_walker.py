"""Reads plain Python of the tree that says how a command line is taken apart.

The code that defines flags is concrete: it fills dictionaries and calls ``add_argument``. It is
walked over its IR with Python's own values; what is beyond that (anything of a library, anything
that depends on the machine) is an ``Unread`` value. Nothing is imported and no code of the tree
is run by Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

from mlapath.ir import nodes as ir
from mlapath.ir.errors import ParseError
from mlapath.scenario.engine_flags_attributes import get_attribute
from mlapath.scenario.engine_flags_calls import call, get_by_name, has_by_name
from mlapath.scenario.engine_flags_classes import Classes
from mlapath.scenario.engine_flags_config_values import Adapter
from mlapath.scenario.engine_flags_expressions import EXPRESSIONS
from mlapath.scenario.engine_flags_functions import define
from mlapath.scenario.engine_flags_names import HOME_PREFIXES, LOGGER_FUNCTION
from mlapath.scenario.engine_flags_natives import BUILTINS, SPECIAL, Absent, native
from mlapath.scenario.engine_flags_scopes import Binding, Scope, absolute, imported, make_scope
from mlapath.scenario.engine_flags_statements import run
from mlapath.scenario.engine_flags_values import (
    CannotReadError,
    Foreign,
    Frame,
    Function,
    Host,
    ModuleRef,
    Unread,
)

MAX_STEPS = 5_000_000


class FlagSource(Protocol):
    """What the reader needs of a program."""

    def find(self, name: str) -> str | None:
        """The path of a module, or None."""
        ...

    def load(self, path: str) -> ir.ModuleIR:
        """The IR of a file; raises ParseError."""
        ...


class Log(Host):
    """A logger whose warnings are kept."""

    def __init__(self, said: list[str]) -> None:
        self._said = said

    def warning(self, message: object, *args: object, **_options: object) -> None:
        """Keep the message, one line."""
        text = str(message)
        if args:
            text = text % args
        self._said.append(" ".join(text.split()))

    warn = warning_once = error = exception = critical = warning

    def info(self, *_args: object, **_options: object) -> None:
        """Nothing that a user must know."""

    debug = info_once = debug_once = info


class Walker:
    """The state of one reading.

    ``tolerant``: a statement that cannot be read is passed over, and noted in ``skipped``;
    otherwise it raises CannotReadError. ``said``: the warnings of the tree's code. ``at``: path
    and line of the call being made. ``active``: names of the functions being walked. ``unsure``:
    the unknown conditions under which statements are being walked.
    """

    def __init__(self, program: FlagSource) -> None:
        self._program = program
        self._scopes: dict[str, Scope | None] = {}
        self._steps = 0
        self._looking: set[tuple[str, str, int]] = set()
        self._values: dict[tuple[str, str, int], Any] = {}
        self.classes = Classes(self)
        self.tolerant = True
        self.skipped: list[str] = []
        self.said: list[str] = []
        self.at: tuple[str, int] = ("", 0)
        self.active: list[str] = []
        self.unsure: list[str] = []
        self.assigned: dict[tuple[str, ir.Pos], tuple[str, ...]] = {}
        log = Log(self.said)
        self._own: Mapping[str, Any] = {
            LOGGER_FUNCTION: lambda *_a, **_k: log,
            "dataclasses.fields": self.classes.fields,
            "dataclasses.is_dataclass": self.classes.is_dataclass,
            "typing.is_typeddict": self.classes.is_typeddict,
            "pydantic.TypeAdapter": partial(Adapter, self),
            "warnings.warn": log.warning,
        }

        self._builtins: Mapping[str, Any] = {
            **BUILTINS,
            **SPECIAL,
            "getattr": partial(get_by_name, self),
            "hasattr": partial(has_by_name, self),
        }

    # -- names -----------------------------------------------------------------------------

    def scope(self, name: str) -> Scope | None:
        """A module of the tree; None if there is none, or it cannot be parsed."""
        if name not in self._scopes:
            self._scopes[name] = None
            path = self._program.find(name)
            if path is not None:
                try:
                    self._scopes[name] = make_scope(name, self._program.load(path))
                except ParseError as error:
                    self.skipped.append(str(error))
        return self._scopes[name]

    def lookup(self, scope: Scope, name: str, line: int | None = None) -> Any:
        """What a name means at the module level of ``scope``.

        ``line``: as the module's own statement there sees it; None means once it has run.
        """
        found = scope.bindings.get(name, ())
        if line is not None and len(found) > 1:
            found = tuple(b for b in found if b.stmt.pos[0] < line) or found
        key = (scope.name, name, len(found))
        if key not in self._values:
            if key in self._looking:
                return Unread(f"{scope.name}.{name} refers to itself")
            self._looking.add(key)
            try:
                self._values[key] = self._lookup(scope, name, found)
            finally:
                self._looking.discard(key)
        return self._values[key]

    def _lookup(self, scope: Scope, name: str, found: Sequence[Binding]) -> Any:
        own = self._own.get(f"{scope.name}.{name}")
        if own is not None:
            return own
        for binding in reversed(found):
            if self._may_hold(scope, binding):
                return self._bound(scope, name, binding)
        for star in scope.stars:
            target = self.scope(star)
            if target is not None and (name in target.bindings or target.stars):
                return self.lookup(target, name)
        if name in ("__name__", "__file__"):
            return scope.name if name == "__name__" else scope.path
        return self._builtins.get(name, Unread(f"{scope.path} does not bind {name}"))

    def _may_hold(self, scope: Scope, binding: Binding) -> bool:
        for test, wanted in binding.conditions:
            try:
                if bool(self.eval(Frame(scope, line=test.pos[0]), test)) != wanted:
                    return False
            except CannotReadError:
                continue
        return True

    def _bound(self, scope: Scope, name: str, binding: Binding) -> Any:
        stmt, alias, _ = binding
        frame = Frame(scope, line=stmt.pos[0])
        if isinstance(stmt, ir.ClassDef):
            return self.classes.make(scope, stmt)
        if isinstance(stmt, ir.FunctionDef):
            return define(self, frame, stmt)
        if isinstance(stmt, ir.ImportFrom) and alias is not None:
            return self.import_from(scope, stmt, alias)
        if isinstance(stmt, ir.Import) and alias is not None:
            return self.resolve(imported(alias)[1].name)
        if isinstance(stmt, (ir.Assign, ir.AnnAssign, ir.TypeAliasStmt)) and stmt.value:
            try:
                return self.eval(frame, stmt.value)
            except CannotReadError as error:
                return Unread(str(error))
        return Unread(f"{scope.path} binds {name} in a way that is not read")

    def import_from(self, scope: Scope, stmt: ir.ImportFrom, alias: ir.Alias) -> Any:
        """The value of one name of a ``from … import``."""
        module = absolute(scope.name, scope.is_package, stmt.module, stmt.level)
        return self.resolve(f"{module}.{alias.name}")

    def resolve(self, name: str) -> Any:
        """The value of a dotted name: of the tree, of the table of natives, or foreign."""
        if name in self._own:
            return self._own[name]
        module, _, last = name.rpartition(".")
        if module and self._program.find(module) is not None:
            scope = self.scope(module)
            if scope is None:
                return Unread(f"{module} cannot be read")
            if last not in scope.bindings and self._program.find(name) is not None:
                return ModuleRef(name)
            return self.lookup(scope, last)
        if self._program.find(name) is not None:
            return ModuleRef(name)
        found = native(name)
        return Foreign(name) if found is Absent else found

    def lacks(self, module: str, name: str) -> bool:
        """Whether a module of the tree certainly has no such attribute."""
        scope = self.scope(module)
        if scope is None or name in scope.bindings or "__getattr__" in scope.bindings:
            return False
        if self._program.find(f"{module}.{name}") is not None:
            return False
        return all(star != module and self.lacks(star, name) for star in scope.stars)

    def may_enter(self, function: Function) -> bool:
        """Whether a function is one that may define flags."""
        return f"{function.scope.name}.".startswith(HOME_PREFIXES)

    # -- walking ---------------------------------------------------------------------------

    def eval(self, frame: Frame, node: ir.Expr) -> Any:
        """The value of an expression."""
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise CannotReadError(f"{frame.scope.path}: reading the flags takes too long")
        handler = EXPRESSIONS.get(type(node))
        if handler is None:
            raise self.beyond(frame, node)
        return handler(self, frame, node)

    def hint(self, frame: Frame, annotation: ir.Expr) -> Any:
        """The value of an annotation; unread where it cannot be read."""
        try:
            value = self.eval(frame, annotation)
        except (CannotReadError, TypeError) as error:
            return Unread(f"{frame.scope.path}:{annotation.pos[0]}: {error}")
        if isinstance(value, str):
            return Unread(f"{frame.scope.path}:{annotation.pos[0]}: an annotation in quotes")
        return type(None) if value is None else value

    def call(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Call a value."""
        return call(self, function, args, kwargs)

    def get(self, value: Any, name: str) -> Any:
        """An attribute of a value."""
        return get_attribute(self, value, name)

    def run(self, frame: Frame, body: Sequence[ir.Stmt]) -> Any:
        """Walk statements; the signal that ended them, or None."""
        return run(self, frame, body)

    def beyond(self, frame: Frame, node: Any) -> CannotReadError:
        """The error for a construct that is not read."""
        what = f"{type(node).__name__} is not read"
        return CannotReadError(f"{frame.scope.path}:{node.pos[0]}: {what}")

    @contextmanager
    def strictly(self) -> Iterator[list[str]]:
        """Read without passing anything over; gives the list of warnings meanwhile."""
        before, self.tolerant = self.tolerant, False
        self.said.clear()
        self._steps = 0
        try:
            yield self.said
        finally:
            self.tolerant = before
