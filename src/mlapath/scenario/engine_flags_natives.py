"""The parts of the standard library that the tree's flag code may use: data, no side effects.

A name that is not here stays foreign, and calling it gives an unread value.
"""

from __future__ import annotations

import argparse
import builtins
import collections
import collections.abc
import dataclasses
import enum
import functools
import io
import itertools
import json
import pathlib
import re
import types
import typing
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

from mlapath.scenario.engine_flags_values import Host

_BUILTIN_NAMES = (
    "abs", "all", "any", "bool", "bytes", "dict", "enumerate", "filter", "float", "frozenset",
    "int", "isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "next",
    "object", "range", "repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple",
    "type", "zip", "AssertionError", "AttributeError", "Ellipsis", "Exception",
    "FileNotFoundError", "ImportError", "IndexError", "KeyError", "NotImplementedError",
    "OSError", "RuntimeError", "StopIteration", "TypeError", "ValueError",
)  # fmt: skip
_RE_NAMES = (
    "DOTALL", "IGNORECASE", "MULTILINE", "Match", "Pattern", "VERBOSE", "compile", "error",
    "escape", "findall", "finditer", "fullmatch", "match", "search", "split", "sub",
)  # fmt: skip

BUILTINS: Mapping[str, Any] = MappingProxyType(
    {name: getattr(builtins, name) for name in _BUILTIN_NAMES}
    | {"True": True, "False": False, "None": None, "__debug__": True}
)

MAX_FILE_BYTES = 1024**2

_SAME = {"regex": "re", "typing_extensions": "typing"}
"""Packages that offer another module's names."""

_MODULES = {"typing": typing, "types": types, "collections.abc": collections.abc}
"""Modules that hold only types: all of their public names may be used."""


class ValidationError(ValueError):
    """Stands for pydantic's error; its ``repr`` is the message, as that is what is shown."""

    def __repr__(self) -> str:
        return str(self)


class System(Host):
    """``sys`` of a process started as ``vllm serve``, as far as flags ask."""

    argv = ("vllm", "serve")
    modules: Mapping[str, Any] = MappingProxyType({})


class SkipValidation:
    """pydantic's marker: an annotation that is not validated."""

    def __class_getitem__(cls, item: Any) -> Any:
        return Annotated[item, cls]


def _copied(value: Any) -> Any:
    """A deep copy of containers; what they hold is immutable to the tree's code."""
    if isinstance(value, dict):
        return type(value)((key, _copied(each)) for key, each in value.items())
    if isinstance(value, (list, set)):
        return type(value)(_copied(each) for each in value)
    return value


def _set_attribute(target: Any, name: str, value: Any) -> None:
    if not isinstance(target, argparse.Namespace):
        raise TypeError("only a namespace's attributes are set")
    setattr(target, name, value)


def _open(path: str, *_mode: Any, **_options: Any) -> io.StringIO:
    """A text file that the user named, to read."""
    file = pathlib.Path(path).expanduser()
    if file.stat().st_size > MAX_FILE_BYTES:
        raise OSError(f"{path} is larger than {MAX_FILE_BYTES} bytes")
    return io.StringIO(file.read_text("utf-8"))


def _load_yaml(file: io.StringIO) -> Any:
    import yaml

    try:
        return yaml.safe_load(file)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None


SPECIAL: Mapping[str, Any] = MappingProxyType(
    {"globals": dict, "open": _open, "setattr": _set_attribute}
)
"""Builtins in a harmless form."""

_TABLE: Mapping[str, Any] = MappingProxyType(
    {
        "argparse.Action": argparse.Action,
        "argparse.ArgumentError": argparse.ArgumentError,
        "argparse.ArgumentParser": argparse.ArgumentParser,
        "argparse.ArgumentTypeError": argparse.ArgumentTypeError,
        "argparse.BooleanOptionalAction": argparse.BooleanOptionalAction,
        "argparse.Namespace": argparse.Namespace,
        "argparse.REMAINDER": argparse.REMAINDER,
        "argparse.SUPPRESS": argparse.SUPPRESS,
        "collections.OrderedDict": collections.OrderedDict,
        "collections.defaultdict": collections.defaultdict,
        "copy.deepcopy": _copied,
        "dataclasses.InitVar": dataclasses.InitVar,
        "dataclasses.MISSING": dataclasses.MISSING,
        "enum.Enum": enum.Enum,
        "enum.IntEnum": enum.IntEnum,
        "functools.partial": functools.partial,
        "itertools.chain": itertools.chain,
        "itertools.permutations": itertools.permutations,
        "itertools.product": itertools.product,
        "json.JSONDecodeError": json.JSONDecodeError,
        "json.decoder.JSONDecodeError": json.JSONDecodeError,
        "json.dumps": json.dumps,
        "json.loads": json.loads,
        "pathlib.Path": pathlib.Path,
        "pydantic.SkipValidation": SkipValidation,
        "pydantic.ValidationError": ValidationError,
        "pydantic.functional_validators.SkipValidation": SkipValidation,
        "sys": System(),
        "sys.argv": System.argv,
        "sys.modules": System.modules,
        "typing.TYPE_CHECKING": False,
        "yaml.safe_load": _load_yaml,
    }
    | {f"re.{name}": getattr(re, name) for name in _RE_NAMES}
)


class Absent:
    """Marks that the table has no such name."""


def native(name: str) -> Any:
    """The value of a library's name, or ``Absent``."""
    package, _, rest = name.partition(".")
    name = f"{_SAME[package]}.{rest}" if package in _SAME and rest else name
    if name in _TABLE:
        return _TABLE[name]
    module, _, attribute = name.rpartition(".")
    if module in _MODULES and not attribute.startswith("_"):
        return getattr(_MODULES[module], attribute, Absent)
    return Absent
