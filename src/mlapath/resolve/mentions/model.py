"""Every name that a file's code mentions, with the class and the function around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from mlapath.resolve.mentions.uses import Lent, Passed, Returned

HANDED_ON = "<handed on>"


class Mention(NamedTuple):
    """A line, with the class and the innermost function around it, or ""."""

    line: int
    owner: str
    function: str


class Read(NamedTuple):
    """``name.attr``: of what is mentioned, an attribute is read; own: ``self.name.attr``."""

    mention: Mention
    attr: str
    own: bool


class Of(NamedTuple):
    """``name.attr``, where what is mentioned is the attribute."""

    mention: Mention
    name: str


class Given(NamedTuple):
    """``callee(…, name, …)``: the place of the argument, or the keyword."""

    mention: Mention
    callee: str
    parameter: int | str


class Asked(NamedTuple):
    """A function: its parameters by place, and those that it uses only to ask for a class.

    called: parameters that it does nothing with but to call them, or to pass them on as
    ``passed`` says. loose, given: as for ``Uses``, of the parameters. keywords: what
    it takes by name, "**" for any other. looked: parameters that it does nothing with but to look
    at them, or to give them to functions as ``lent`` says.
    """

    places: tuple[str, ...]
    asked: frozenset[str]
    called: frozenset[str]
    loose: tuple[tuple[str, int], ...]
    given: tuple[Returned, ...]
    keywords: frozenset[str]
    passed: tuple[Passed, ...]
    looked: frozenset[str]
    lent: tuple[Lent, ...]


Found = dict[str, list[Mention]]


@dataclass
class Mentions:
    """What a file mentions, by name.

    names: names, attributes, and texts that end in a name after a dot. What the code of a module
    or class stores and does not call is mentioned by the variable that it is stored in; by
    ``HANDED_ON`` where it is an argument of something. What reads that may call it. Texts have
    keys of their own: those that are just a name ``'name``, others ``.name``.
    own: attributes of ``self``, ``cls`` and ``super()``. calls: the same by (class, method), and
    those of the class by its name, with "" where the method does something else with these.
    read: names, and attributes of others, that an attribute is read of, without calling them.
    given: arguments of functions. All of these are none of ``names``. kept: what a function
    mentions but does not call there, in addition.
    inner, inner_kept: the same as ``names`` and ``kept``, of functions that the one around it
    defines.
    decorated: functions, where decorators get them that may keep them: as an argument, 0, or, by
    1, of what the decorator's own call gives.
    late: what is mentioned in lambdas and generator expressions, in addition: it is used when
    these run. defined: functions and methods. generators: those that a call does not run yet;
    consumed: where what such a call gives is run at once. picked: names of which an item is
    called at once. handed: references that a function
    gets by a keyword, all of them ``kept``.
    of: attributes of plain names that are spelt as classes are, in addition; not of variables.
    telling: where classes define ``__init_subclass__``. functions: those that the module defines,
    its classes' not; methods: those that it defines elsewhere. imported: names by the module that
    they are imported of, anywhere in the file. parsed: whether it is Python that could be read; if
    not, it may define anything that it names.

    Not: definitions, imports, annotations, classes that are only asked for, and names that are
    variables of the function around them: what these hold was mentioned where it came from.
    """

    names: Found = field(default_factory=dict)
    own: Found = field(default_factory=dict)
    calls: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    kept: Found = field(default_factory=dict)
    inner: Found = field(default_factory=dict)
    inner_kept: Found = field(default_factory=dict)
    read: dict[str, list[Read]] = field(default_factory=dict)
    given: dict[str, list[Given]] = field(default_factory=dict)
    decorated: dict[str, list[Given]] = field(default_factory=dict)
    late: Found = field(default_factory=dict)
    defined: Found = field(default_factory=dict)
    generators: Found = field(default_factory=dict)
    consumed: Found = field(default_factory=dict)
    picked: Found = field(default_factory=dict)
    handed: dict[str, list[Given]] = field(default_factory=dict)
    lent: dict[str, list[Given]] = field(default_factory=dict)
    of: dict[str, list[Of]] = field(default_factory=dict)
    telling: list[Mention] = field(default_factory=list)
    functions: dict[str, list[Asked]] = field(default_factory=dict)
    methods: dict[str, list[Asked]] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)
    parsed: bool = True


__all__ = ["HANDED_ON", "Asked", "Found", "Given", "Mention", "Mentions", "Of", "Read"]
