"""All summaries together: symbols by qualified name, classes outside the tree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mlapath.models import builtin_table
from mlapath.models.api import Library
from mlapath.values.objects import ClassObj, Instance, Native
from mlapath.values.truth import Truth
from mlapath.values.value import External, Unknown, V


class Models:
    """Summaries of libraries, merged. Holds no state of an evaluation."""

    def __init__(self, libraries: Iterable[Library]) -> None:
        self.functions: dict[str, Any] = {}
        self.values: dict[str, Any] = {}
        self.aliases: dict[str, str] = {}
        self.family: dict[str, set[int]] = {}
        self.instances: dict[str, frozenset[str]] = {}
        self.assumed: frozenset[str] = frozenset()
        self.resolve: dict[str, Any] = {}
        self.hooks: dict[str, Any] = {}
        self.parts: dict[str, Any] = {}
        for number, library in enumerate(libraries):
            self.functions.update(library.functions)
            self.values.update(library.values)
            self.aliases.update(library.aliases)
            self.instances.update(library.instances)
            self.resolve.update(library.resolve)
            self.assumed |= library.assumed
            self.hooks.update(library.hooks)
            self.parts.update(library.parts)
            for index, names in enumerate(library.distinct):
                for name in names:
                    self.family.setdefault(name, set()).add(number * 1000 + index)

    def builtins(self, it: Any) -> dict[str, V]:
        """The builtin names."""
        return builtin_table.build(it)

    def symbol(self, it: Any, name: str) -> V | None:
        """The symbol ``name``; None where the library certainly lacks it."""
        patched = it.patched.get(name)
        if patched is not None:
            return patched  # type: ignore[no-any-return]
        known = it.symbols.get(name, it)
        if known is not it:
            return known  # type: ignore[no-any-return]
        real = self.aliases.get(name)
        value = self._make(it, name) if real is None else self.symbol(it, real)
        it.symbols[name] = value
        return value

    def _make(self, it: Any, name: str) -> V | None:
        factory = self.values.get(name)
        if factory is not None:
            return factory(it)  # type: ignore[no-any-return]
        function = self.functions.get(name)
        if function is not None:
            return V(Native(name, function))
        resolve = self.resolve.get(name.partition(".")[0])
        found = resolve(it, name) if resolve is not None else None
        return V(External(name)) if found is None else found

    def part(self, it: Any, text: str, attr: str) -> V | None:
        """What is known of an attribute of an unknown result of a library."""
        read = self.parts.get(text.partition(".")[0])
        return None if read is None else read(it, text, attr)

    def known(self, name: str) -> bool:
        """Whether the library has this name: it has a summary, or a pinned package is asked."""
        name = self.aliases.get(name, name)
        return (
            name in self.values or name in self.functions
            or name.partition(".")[0] in self.assumed
        )  # fmt: skip

    def module(self, it: Any, name: str) -> V | None:
        """A module that a summary stands for; None: look elsewhere."""
        if name in self.values:
            return self.symbol(it, name)
        return None

    def foreign_class(self, it: Any, name: str) -> ClassObj:
        """The class object for a symbol outside the tree that is used as a class."""
        symbol = self.symbol(it, name)
        if symbol is not None and type(symbol.d) is ClassObj:
            return symbol.d
        key = f"class {self.aliases.get(name, name)}"
        found = it.store.get(key)
        if found is None:
            module, _, last = self.aliases.get(name, name).rpartition(".")
            found = it.new_class(last, last, module, (), foreign=name)
            it.store[key] = found
        return found  # type: ignore[no-any-return]

    def instance_of(self, it: Any, value: V, name: str) -> Truth | None:
        """``isinstance`` of a symbol against a class outside the tree, where it is known."""
        name = self.aliases.get(name, name)
        members = self.instances.get(name)
        if members is None:
            return None
        if type(value.d) is External:
            return Truth.of(self.aliases.get(value.d.name, value.d.name) in members)
        if type(value.d) is Unknown:
            return Truth.UNKNOWN
        return Truth.FALSE

    def external_instance(self, it: Any, d: External, cls: ClassObj) -> Truth:
        """``isinstance(symbol, cls)`` for a class of the tree or a summarised one."""
        if cls.full in self.instances:
            return Truth.of(self.aliases.get(d.name, d.name) in self.instances[cls.full])
        if cls is it.builtins["type"].d:  # a symbol may well be a class
            listed = any(d.name in names for names in self.instances.values())
            return Truth.FALSE if listed else Truth.UNKNOWN
        if cls.payload is not None or cls.path or cls.facts.get("closed"):
            return Truth.FALSE
        return Truth.UNKNOWN

    def distinct(self, a: str, b: str) -> Truth:
        """Equality of two symbols with different names."""
        a, b = self.aliases.get(a, a), self.aliases.get(b, b)
        if a == b:
            return Truth.TRUE
        if self.family.get(a, set()) & self.family.get(b, set()):
            return Truth.FALSE
        return Truth.UNKNOWN

    def text(self, it: Any, value: V, conversion: str) -> str | None:
        """``str()`` or ``repr()`` of an instance without one of its own."""
        d: Instance = value.d
        for c in d.cls.mro:
            text = c.facts.get("text")
            if text is not None:
                return text(it, value, conversion)  # type: ignore[no-any-return]
        if d.payload is not None:
            return it.format_value(V(d.payload), conversion, "")  # type: ignore[no-any-return]
        return None

    def type_method(self, it: Any, cls: V, attr: str) -> V | None:
        """A method of a summarised metaclass, for ``super()`` in a derived metaclass."""
        if cls.d.meta is not None:
            for c in cls.d.meta.mro:
                value = c.ns.get(attr)
                if value is not None and type(value.d) is Native:
                    return it.bind(value, cls, cls.d.meta)  # type: ignore[no-any-return]
        return None
