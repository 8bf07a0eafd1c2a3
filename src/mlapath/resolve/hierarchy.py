"""Which classes of a tree may have a descendant in common, by the names in their headers."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable
from dataclasses import dataclass

CLASS = re.compile(rb"^[ \t]*class[ \t]+(\w+)[ \t]*(?:\(([^:]*?)\))?[ \t]*:", re.MULTILINE)
ADDED = re.compile(rb"^.*\b__bases__\b.*$", re.MULTILINE)
WORD = re.compile(r"[A-Za-z_]\w*")
COMMENT = re.compile(r"#[^\n]*")


@dataclass(frozen=True)
class Hierarchy:
    """Classes by name; those of one name count as one.

    heirs: name -> the classes that may inherit from it, itself included. loose: classes whose
    bases are not all known by name, or that become bases while the program runs. variables: the
    bases that are not known by name: variables, or what functions give.
    """

    heirs: dict[str, frozenset[str]]
    loose: frozenset[str]
    variables: frozenset[str]

    def ancestors(self, name: str) -> frozenset[str]:
        """The classes that one may inherit from, itself included."""
        return frozenset(one for one, heirs in self.heirs.items() if name in heirs)

    def foreign(self, name: str) -> frozenset[str]:
        """The ancestors of a class that no file defines."""
        return frozenset(one for one in self.ancestors(name) if one not in self.heirs[one])

    def related(self, one: str, other: str) -> bool:
        """Whether an object may have both classes; "" stands for no class at all."""
        if not one or not other:
            return True
        ones, others = (self.heirs.get(x, frozenset((x,))) for x in (one, other))
        return bool(ones & others or ones & self.loose or others & self.loose)


def hierarchy_of(texts: Iterable[bytes]) -> Hierarchy:
    """Read the headers of all classes of some files."""
    bases: dict[str, set[str]] = {}
    plain: set[str] = set()
    added: set[str] = set()
    for data in texts:
        for match in CLASS.finditer(data):
            found = _bases((match[2] or b"").decode("utf-8", "replace"))
            plain.update(base for base in found if "." not in base)
            names = bases.setdefault(match[1].decode(), set())
            names.update(base.rpartition(".")[2] for base in found)
        for line in ADDED.findall(data):
            added.update(WORD.findall(line.decode("utf-8", "replace")))
    heirs: dict[str, set[str]] = {}
    for name in bases:
        for ancestor in _ancestors(name, bases):
            heirs.setdefault(ancestor, set()).add(name)
    named = set().union(*bases.values()) - bases.keys() - set(dir(builtins))
    unknown = {base for base in named if base.lstrip("_")[:1].islower()}
    loose = {name for name in bases if bases[name] & unknown} | (added & bases.keys())
    return Hierarchy({name: frozenset(known) for name, known in heirs.items()},
                     frozenset(loose), frozenset(unknown & plain))  # fmt: skip


def _bases(text: str) -> list[str]:
    """The names of the bases in a header: ``a.B[C], metaclass=M`` has ``a.B``."""
    found: list[str] = []
    depth, part = 0, ""
    for sign in (*COMMENT.sub("", text), ","):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            words = WORD.findall(re.split(r"[\[(]", part)[0])
            if words and "=" not in part:
                found.append(".".join(words))
            part = ""
        else:
            part += sign
    return found


def _ancestors(name: str, bases: dict[str, set[str]]) -> set[str]:
    found = {name}
    queue = [name]
    for one in queue:
        for base in bases.get(one, ()):
            if base not in found:
                found.add(base)
                queue.append(base)
    return found


__all__ = ["Hierarchy", "hierarchy_of"]
