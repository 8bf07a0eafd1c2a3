"""The second opinion on NEVER: what the decision rests on must not change behind its back.

A decision in a step rests on facts (attributes) that were set before the step. Each fact is
stable if every write to an attribute of that name, anywhere in the tree, was evaluated, cannot
have that object as its receiver, or stands in the object's constructor, which the evaluation ran
past it. A write that is none of these is a blocker, and the verdict falls to ``unproven``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from mlapath.engine.trace import Trace
from mlapath.resolve.searches import Searches
from mlapath.resolve.writes import WriteSite
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.origin import Origin

CONSTRUCTORS = ("__init__", "__new__")
ASKED = ("which", "callee")
"""Origins of what was found, then of the object or function that was asked for it."""
TARGET = re.compile(r"^(?:\w+\.)*(\w+)\s*(?::[^=]+)?=[^=]")


@dataclass(frozen=True)
class Fact:
    """An attribute that was set at ``path:line`` on an object of class ``holder``."""

    attr: str
    path: str
    line: int


@dataclass(frozen=True)
class Checked:
    """A fact with all writes to its name and those of them that cannot be excluded."""

    fact: Fact
    sites: tuple[WriteSite, ...]
    blockers: tuple[WriteSite, ...]
    why: str


def facts_behind(
    origin: Origin | None, step: Trace, text: Any, held: Sequence[Instance]
) -> list[Fact]:
    """The attributes set before the step on which a guard of the step rests.

    held: the objects that the question is about. Which object was asked for something counts where
    it is one of them: what the configuration hangs on is taken to stay what it is.
    """
    if origin is None:
        return []
    found: dict[tuple[str, int], Fact] = {}
    queue = [(origin, False)]
    seen: set[tuple[int, bool]] = set()
    while queue:
        node, asked = queue.pop()
        if (id(node), asked) in seen:
            continue
        seen.add((id(node), asked))
        if node.kind == "assign" and node.pos is not None and not _ran(step, node):
            match = TARGET.match(text(node.path, node.pos))
            source = text(node.path, node.pos)
            if match is not None and "." in source.partition("=")[0]:
                if not asked or any(node.value is h for h in held):
                    found[(node.path, node.pos[0])] = Fact(match[1], node.path, node.pos[0])
                continue
        which = node.kind in ASKED and len(node.inputs) > 1
        queue.extend((x, asked or which and at > 0) for at, x in enumerate(node.inputs))
        if node.control is not None and _ran(step, node):
            queue.append((node.control, asked))
    return sorted(found.values(), key=lambda f: (f.path, f.line))


def _ran(step: Trace, node: Origin) -> bool:
    return node.pos is not None and node.pos[0] in step.lines.get(node.path, ())


def check(
    fact: Fact, holders: Sequence[Instance], ran: Sequence[Trace], tree: Searches, stored: Any
) -> Checked:  # fmt: skip
    """Hold a fact against every write to its name in the tree.

    holders: the objects that the fact may be an attribute of; a write must be out of the question
    for each of them. A fact that ``self.…`` set is one of those whose class has that code.
    """
    sites = tree.writes(fact.attr)
    owners = {s.owner for s in sites
              if (s.path, s.line, s.receiver) == (fact.path, fact.line, "self")}  # fmt: skip
    holders = [h for h in holders if _classes(h.cls, fact.path) & owners] or holders
    is_part = cache(partial(_is_part_of_construction, tree))
    blockers = [
        s for s in sites
        if not holders or not all(
            _excluded(s, holder, ran, stored)
            or s.receiver == "self" and _function_ran(s, holder, ran) and is_part(s.function)
            for holder in holders
        )
    ]  # fmt: skip
    why = (
        "every other write was evaluated, is to an object of another class, or was passed by "
        "when the object was constructed"
    )
    return Checked(fact, sites, tuple(blockers), why)


def _excluded(site: WriteSite, holder: Instance, ran: Sequence[Trace], stored: Any) -> bool:
    if any(site.line in trace.lines.get(site.path, ()) for trace in ran):
        return True
    if site.receiver == "self":
        if site.owner not in _names(holder.cls):
            return True
        return _passed_by_constructor(site, holder, ran)
    last = site.receiver.rpartition(".")[2]
    if "." in site.receiver and last.isidentifier():
        return not stored(last, holder)
    return False


def _passed_by_constructor(site: WriteSite, holder: Instance, ran: Sequence[Trace]) -> bool:
    """Whether the write stands in a constructor that ran, once for the object, without it.

    Guards that were not decided ran both ways.
    """
    return site.function in CONSTRUCTORS and _function_ran(site, holder, ran)


def _function_ran(site: WriteSite, holder: Instance, ran: Sequence[Trace]) -> bool:
    methods = {f"{c.full}.{site.function}" for c in holder.cls.mro if c.name == site.owner}
    return any(
        full in trace.functions and trace.functions[full][0] == site.path
        for trace in ran
        for full in methods
    )


def _is_part_of_construction(tree: Searches, name: str) -> bool:
    """Whether only constructors call methods of that name, on ``self`` or ``super()``.

    Its own overrides may, too. What such a method writes is passed by when an object is made.
    """
    call = re.compile(rf"(?<![\w.])(?:self|super\(\))\.{re.escape(name)}\(")
    mentions = tree.references(name) if name else ()
    lines = {path: (tree.root / path).read_text("utf-8", "replace").splitlines()
             for path in {m.path for m in mentions}}  # fmt: skip
    return bool(mentions) and all(
        m.function in (*CONSTRUCTORS, name) and call.search(lines[m.path][m.line - 1])
        for m in mentions
    )


def _classes(cls: ClassObj, path: str) -> set[str]:
    """The classes of an object that a file defines."""
    return {c.name for c in cls.mro if c.path == path}


def _names(cls: ClassObj) -> set[str]:
    return {c.name for c in cls.mro}


def stored_under(roots: Iterable[Instance]) -> Any:
    """A test: is an object kept in an attribute of a given name, anywhere below ``roots``?"""
    table: dict[str, set[int]] = {}
    seen: set[int] = set()
    queue: list[Any] = list(roots)
    while queue:
        node = queue.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        for name, value in node.attrs.items():
            if type(value.d) is Instance:
                table.setdefault(name, set()).add(id(value.d))
                queue.append(value.d)

    def stored(name: str, holder: Instance) -> bool:
        return id(holder) in table.get(name, ())

    return stored
