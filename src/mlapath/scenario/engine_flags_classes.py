"""Stand-ins for the tree's classes, and what is asked of configuration classes."""

from __future__ import annotations

import argparse
import dataclasses
import enum
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlapath.ir import nodes as ir
from mlapath.ir.walk import walk
from mlapath.scenario.engine_flags_values import (
    CannotReadError,
    ClassInfo,
    Foreign,
    Frame,
    Function,
    Host,
    Unread,
)

if TYPE_CHECKING:
    from mlapath.scenario.engine_flags_scopes import Scope
    from mlapath.scenario.engine_flags_walker import Walker

_NOT_FIELDS = ("typing.ClassVar", "typing_extensions.ClassVar", "dataclasses.KW_ONLY")
_DATACLASS = ".dataclass"
_KEPT_BASES = (dict, list, tuple, set, str, int, float)


@dataclass(frozen=True)
class FieldFact(Host):
    """A field as ``dataclasses.fields`` gives it. A default is only known to be there or not."""

    name: str
    type: Any
    default: Any
    default_factory: Any


class Classes:
    """All stand-ins made for one tree."""

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._made: dict[tuple[str, ir.Pos], type] = {}
        self._infos: dict[type, ClassInfo] = {}
        self._foreign: dict[str, type] = {}
        self._dataclasses: dict[type, bool] = {}
        self._fields: dict[type, tuple[FieldFact, ...]] = {}

    def make(self, scope: Scope, node: ir.ClassDef) -> type:
        """The stand-in of a class statement at module level; always the same one."""
        key = (scope.path, node.pos)
        if key not in self._made:
            self._made[key] = self._make(scope, node)
        return self._made[key]

    def _make(self, scope: Scope, node: ir.ClassDef) -> type:
        frame = Frame(scope, line=node.pos[0])
        bases = tuple(self._walker.eval(frame, base) for base in node.bases)
        plain = [typing.get_origin(base) or base for base in bases]  # dict[str, int] is a dict
        real = [b for b in plain if isinstance(b, type) and (b in self._infos or b in _KEPT_BASES)]
        attributes = {"__module__": scope.name, "__doc__": node.doc}
        try:
            cls = type(node.name, tuple(dict.fromkeys(real)), attributes)
        except TypeError:  # bases whose layouts or orders conflict
            cls = type(node.name, (), attributes)
        self._infos[cls] = ClassInfo(node.name, scope, node, bases)
        return cls

    def foreign(self, name: str) -> type:
        """The stand-in of a library's class."""
        if name not in self._foreign:
            module, _, short = name.rpartition(".")
            self._foreign[name] = type(short, (), {"__module__": module})
        return self._foreign[name]

    def info(self, cls: Any) -> ClassInfo | None:
        """What is known of a stand-in; None for anything else."""
        return self._infos.get(cls) if isinstance(cls, type) else None

    def lineage(self, cls: type) -> Iterator[ClassInfo]:
        """The infos of a class and its bases in method resolution order."""
        for each in cls.__mro__:
            if each in self._infos:
                yield self._infos[each]

    def find(self, cls: type, name: str, after: ClassInfo | None = None) -> Any:
        """The statement that binds ``name`` in the class or its bases, with its owner, or None.

        ``after``: look only behind this class, as ``super()`` does.
        """
        lineage = list(self.lineage(cls))
        if after is not None:
            lineage = lineage[lineage.index(after) + 1 :]
        for info in lineage:
            for stmt in reversed(info.node.body):
                if _binds(stmt, name):
                    return info, stmt
        return None

    def library_bases(self, cls: type) -> tuple[Any, ...]:
        """Bases that are not of the tree, nearest first."""
        return tuple(
            base
            for info in self.lineage(cls)
            for base in info.bases
            if self.info(base) is None and isinstance(base, (type, Foreign))
        )

    def is_enum(self, cls: type) -> bool:
        """Whether an enumeration is among the bases."""
        return any(
            isinstance(base, type) and issubclass(base, enum.Enum)
            for base in self.library_bases(cls)
        )

    def is_action(self, value: Any) -> bool:
        """Whether a value is an action class of the tree."""
        return isinstance(value, type) and any(
            isinstance(base, type) and issubclass(base, argparse.Action)
            for base in self.library_bases(value)
        )

    # -- what natives ask ------------------------------------------------------------------

    def is_typeddict(self, hint: Any) -> bool:
        """``typing.is_typeddict`` over stand-ins."""
        infos = self.lineage(hint) if isinstance(hint, type) else ()
        return any(typing.TypedDict in info.bases for info in infos)

    def is_dataclass(self, value: Any) -> bool:
        """``dataclasses.is_dataclass`` over stand-ins."""
        if not isinstance(value, type):
            return False
        if value not in self._dataclasses:
            self._dataclasses[value] = any(
                self._decorated(info, _makes_dataclass) for info in self.lineage(value)
            )
        return self._dataclasses[value]

    def forbids_extra(self, cls: type) -> bool:
        """Whether the class's own decorator says that unknown keys are an error."""
        info = self._infos[cls]
        return self._decorated(info, lambda _walker, _scope, node: _forbids(node))

    def fields(self, cls: Any) -> tuple[FieldFact, ...]:
        """``dataclasses.fields`` over stand-ins: bases' fields first."""
        if self.info(cls) is None:
            raise CannotReadError(f"the fields of {cls!r} are not known")
        if cls not in self._fields:
            found: dict[str, FieldFact] = {}
            for info in reversed(list(self.lineage(cls))):
                for fact in self._own_fields(info):
                    found[fact.name] = fact
            self._fields[cls] = tuple(found.values())
        return self._fields[cls]

    def _own_fields(self, info: ClassInfo) -> Iterator[FieldFact]:
        for stmt in info.node.body:
            if not isinstance(stmt, ir.AnnAssign) or not isinstance(stmt.target, ir.Name):
                continue
            hint = self._walker.hint(Frame(info.scope, owner=info), stmt.annotation)
            if isinstance(hint, dataclasses.InitVar) or hint is dataclasses.InitVar:
                continue
            if typing.get_origin(hint) is typing.ClassVar or hint is typing.ClassVar:
                continue
            if isinstance(hint, Foreign) and hint.name in _NOT_FIELDS:
                continue
            name = stmt.target.id
            default = (
                dataclasses.MISSING if stmt.value is None else Unread(f"the default of {name}")
            )
            yield FieldFact(name, hint, default, dataclasses.MISSING)

    def parts(self, hint: Any) -> tuple[Any, ...]:
        """The members of a union, or the annotation itself."""
        origin = typing.get_origin(hint)
        if origin is typing.Annotated:
            return self.parts(typing.get_args(hint)[0])
        if origin in (typing.Union, types.UnionType):
            return typing.get_args(hint)
        return (hint,)

    def init_names(self, cls: type) -> frozenset[str]:
        """The names that the class's constructor may take: every annotated name."""
        return frozenset(
            stmt.target.id
            for info in self.lineage(cls)
            for stmt in info.node.body
            if isinstance(stmt, ir.AnnAssign) and isinstance(stmt.target, ir.Name)
        )

    def _decorated(self, info: ClassInfo, holds: Any) -> bool:
        for decorator in info.node.decorators:
            if holds(self._walker, info.scope, decorator):
                return True
            function = decorator.func if isinstance(decorator, ir.Call) else decorator
            value = self._walker.eval(Frame(info.scope), function)
            if isinstance(value, Function) and any(
                holds(self._walker, value.scope, node)
                for stmt in value.body
                for node in walk(stmt)
            ):
                return True
        return False


def _binds(stmt: ir.Stmt, name: str) -> bool:
    if isinstance(stmt, (ir.FunctionDef, ir.ClassDef)):
        return stmt.name == name
    if isinstance(stmt, ir.AnnAssign):
        return stmt.value is not None and stmt.target[1:] == (name,)
    return isinstance(stmt, ir.Assign) and any(target[1:] == (name,) for target in stmt.targets)


def _makes_dataclass(walker: Walker, scope: Scope, node: Any) -> bool:
    function = node.func if isinstance(node, ir.Call) else node
    if not isinstance(function, (ir.Name, ir.Attr)):
        return False
    named = function.id if isinstance(function, ir.Name) else function.attr
    if named not in scope.bindings and not isinstance(function, ir.Attr):
        return False
    value = walker.eval(Frame(scope), function)
    return isinstance(value, Foreign) and value.name.endswith(_DATACLASS)


def _forbids(node: Any) -> bool:
    return isinstance(node, ir.Call) and any(
        keyword.name == "extra" and keyword.value[1:] == ("forbid",) for keyword in node.keywords
    )
