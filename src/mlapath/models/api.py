"""What a library summary is made of.

A summary function is ``fn(engine, args, kwargs) -> V``; a value is a factory
``(engine) -> V | None`` (None: the library certainly has no such name).  Names are fully
qualified.  What a library has no summary for is an ``External`` symbol; a call of one gives
an unknown and, by assumption, writes to no object of the analysed program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mlapath.values.objects import Cell, ClassObj, Descriptor, Native
from mlapath.values.value import V

Fn: TypeAlias = Callable[[Any, list[V], dict[str, V]], V]
Factory: TypeAlias = Callable[[Any], "V | None"]


@dataclass(frozen=True)
class Library:
    """The summary of one library.

    functions: qualified name -> summary function.
    values: qualified name -> factory of a constant, a class or a module.
    aliases: other qualified names of the same symbol.
    distinct: families of symbols that are pairwise different objects.
    instances: qualified class name -> names of symbols that are its instances.
    resolve: package -> ``fn(engine, name) -> V | None`` for names of it without a summary.
    parts: package -> ``fn(engine, text, attr) -> V | None``: what is known of an attribute of an
        unknown result that the library gave (``text`` says how: ``pkg.fn()[]``).
    assumed: packages that the tree pins: by assumption they have every name that it asks for.
    hooks: qualified name of a function of the tree -> ``fn(engine, function, args, kwargs)`` to
        run in its place (None: run the function itself), for what its body cannot tell.
    """

    functions: Mapping[str, Fn] = field(default_factory=dict)
    values: Mapping[str, Factory] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    distinct: tuple[frozenset[str], ...] = ()
    instances: Mapping[str, frozenset[str]] = field(default_factory=dict)
    resolve: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, Any] = field(default_factory=dict)
    assumed: frozenset[str] = frozenset()
    hooks: Mapping[str, Any] = field(default_factory=dict)


def make_class(
    it: Any, full: str, bases: tuple[ClassObj, ...] = (), *,
    methods: Mapping[str, Fn] | None = None, class_methods: Mapping[str, Fn] | None = None,
    static: Mapping[str, Fn] | None = None, properties: Mapping[str, Fn] | None = None,
    construct: Any = None, foreign: str = "", payload: type | None = None,
    facts: Mapping[str, Any] | None = None,
) -> ClassObj:  # fmt: skip
    """A summarised class named ``full`` (``module.Name``).

    construct: ``fn(engine, cls, args, kwargs) -> V`` in place of ``__new__`` and ``__init__``.
    """
    module, _, name = full.rpartition(".")
    cls: ClassObj = it.new_class(name, name, module, bases)
    cls.foreign = foreign
    if payload is not None:
        cls.payload = payload
    ns: Cell = cls.ns
    for key, fn in (methods or {}).items():
        ns[key] = V(Native(f"{full}.{key}", fn, binds=True))
    for key, fn in (class_methods or {}).items():
        ns[key] = V(Descriptor("classmethod", V(Native(f"{full}.{key}", fn))))
    for key, fn in (static or {}).items():
        ns[key] = V(Descriptor("staticmethod", V(Native(f"{full}.{key}", fn))))
    for key, fn in (properties or {}).items():
        ns[key] = V(Descriptor("property", V(Native(f"{full}.{key}", fn))))
    if construct is not None:
        cls.facts["construct"] = construct
    cls.facts["closed"] = not foreign
    cls.facts.update(facts or {})
    return cls


def argument(
    args: list[V], kwargs: Mapping[str, V], index: int, name: str, default: V | None = None
) -> V | None:
    """A parameter given by position or by name."""
    if index < len(args):
        return args[index]
    return kwargs.get(name, default)
