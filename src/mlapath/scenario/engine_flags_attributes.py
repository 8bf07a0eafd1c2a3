"""Attributes of the values that flag code handles."""

from __future__ import annotations

import argparse
import collections
import io
import re
import types
from typing import TYPE_CHECKING, Any

from mlapath.ir import nodes as ir
from mlapath.scenario.engine_flags_functions import define
from mlapath.scenario.engine_flags_natives import Absent, native
from mlapath.scenario.engine_flags_values import (
    Bound,
    CannotReadError,
    ClassInfo,
    Foreign,
    Frame,
    Function,
    Host,
    Instance,
    ModuleRef,
    Super,
    Unread,
)

if TYPE_CHECKING:
    from mlapath.scenario.engine_flags_walker import Walker

_DATA = (
    str, bytes, int, float, list, tuple, dict, set, frozenset, slice, range, BaseException,
    re.Pattern, re.Match, types.MappingProxyType, collections.defaultdict, io.StringIO,
)  # fmt: skip
_OF_TYPES = ("__name__", "__module__", "__doc__", "__origin__", "__args__", "__qualname__")
_FORMATTERS = ("format", "format_map")
"""Methods of str that reach into their arguments' attributes."""


def get_attribute(walker: Walker, value: Any, name: str) -> Any:
    """``value.name``; unread where it is not known. Raises what Python would raise."""
    if isinstance(value, Unread):
        return value
    if isinstance(value, ModuleRef):
        if walker.lacks(value.name, name):
            raise AttributeError(f"module {value.name} has no attribute {name}")
        return walker.resolve(f"{value.name}.{name}")
    if isinstance(value, Foreign):
        full = f"{value.name}.{name}"
        found = native(full)
        return walker.resolve(full) if found is Absent else found
    if isinstance(value, Instance):
        return _of_instance(walker, value, name)
    if isinstance(value, Super):
        return _of_super(walker, value, name)
    if isinstance(value, Function):
        return {"__doc__": value.doc, "__name__": value.name}.get(name, Unread(name))
    if isinstance(value, type) and walker.classes.info(value) is not None:
        return _of_class(walker, value, name)
    return _of_plain(value, name)


def _of_plain(value: Any, name: str) -> Any:
    public = not name.startswith("_")
    if isinstance(value, argparse.Namespace):
        return getattr(value, name)
    if isinstance(value, Host) or (isinstance(value, _DATA) and name not in _FORMATTERS):
        if public or name in _OF_TYPES:
            return getattr(value, name)
    elif name in _OF_TYPES or (isinstance(value, type) and public):
        return getattr(value, name)
    return Unread(f"the attribute {name} of {type(value).__name__}")


def _of_class(walker: Walker, cls: type, name: str) -> Any:
    if name in _OF_TYPES:
        return getattr(cls, name)
    found = walker.classes.find(cls, name)
    if found is None or walker.classes.is_enum(cls):
        return Unread(f"the attribute {name} of {cls.__name__}")
    return class_member(walker, *found, receiver=cls, on_class=True)


def _of_instance(walker: Walker, value: Instance, name: str) -> Any:
    if name in value.attrs:
        return value.attrs[name]
    found = walker.classes.find(value.cls, name)
    if found is not None:
        return class_member(walker, *found, receiver=value, on_class=False)
    if name in value.base:
        return value.base[name]
    return Unread(f"the attribute {name} of {value.cls.__name__}")


def _of_super(walker: Walker, value: Super, name: str) -> Any:
    on_class = isinstance(value.receiver, type)
    cls = value.receiver if on_class else value.receiver.cls
    found = walker.classes.find(cls, name, after=value.owner)
    if found is not None:
        return class_member(walker, *found, receiver=value.receiver, on_class=on_class)
    if isinstance(value.receiver, Instance) and name in value.receiver.base:
        return value.receiver.base[name]
    return Unread(f"super().{name} in {value.owner.name}")


def class_member(
    walker: Walker, info: ClassInfo, stmt: ir.Stmt, *, receiver: Any, on_class: bool
) -> Any:
    """What the statement of a class body gives when it is got through ``receiver``."""
    frame = Frame(info.scope, owner=info)
    if isinstance(stmt, (ir.Assign, ir.AnnAssign)) and stmt.value is not None:
        return walker.eval(frame, stmt.value)
    if not isinstance(stmt, ir.FunctionDef):
        raise CannotReadError(f"{info.scope.path}:{stmt.pos[0]}: a class in {info.name}")
    function = define(walker, frame, stmt)
    if not isinstance(function, Function):
        return function
    kinds = {d.id for d in stmt.decorators if isinstance(d, ir.Name)}
    if "staticmethod" in kinds or (on_class and "classmethod" not in kinds):
        return function
    if "classmethod" in kinds and isinstance(receiver, Instance):
        receiver = receiver.cls
    if "property" in kinds:
        return walker.call(Bound(function, receiver), (), {})
    return Bound(function, receiver)
