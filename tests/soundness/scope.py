"""Names that a random program may use, by the kind of value that they hold."""

from __future__ import annotations

from dataclasses import dataclass, field

KINDS = {"i": "int", "b": "bool", "s": "str", "l": "list", "d": "dict", "e": "set", "o": "obj"}
INPUTS = {"u0": "flag", "u1": "number", "u2": "maybe", "u3": "items", "u4": "word", "u5": "flag"}
"""Inputs of a program: kind of the values that ``given`` gives for each."""


@dataclass
class Function:
    """A function of the program: parameters are ints, the result is of ``result``."""

    name: str
    params: int
    result: str
    raises: bool = False


@dataclass
class Class:
    """A class of the program, with what its instances have."""

    name: str
    fields: list[str] = field(default_factory=list)
    methods: list[Function] = field(default_factory=list)
    properties: list[str] = field(default_factory=list)
    manager: bool = False
    init: int = 0


@dataclass
class Scope:
    """What can be named at one place of the program."""

    names: dict[str, list[str]] = field(default_factory=dict)
    function: bool = False
    generator: bool = False
    loop: bool = False
    method: bool = False
    depth: int = 0

    def inner(self, **changes: object) -> Scope:
        """The scope of a block inside this one; names bound there do not come back."""
        made = Scope({k: list(v) for k, v in self.names.items()}, self.function, self.generator,
                     self.loop, self.method, self.depth + 1)  # fmt: skip
        for name, value in changes.items():
            setattr(made, name, value)
        return made

    def add(self, kind: str, name: str) -> None:
        """A name is bound to a value of ``kind``."""
        if name not in self.names.setdefault(kind, []):
            self.names[kind].append(name)

    def of(self, kind: str) -> list[str]:
        """The names bound to values of ``kind``."""
        return self.names.get(kind, [])
