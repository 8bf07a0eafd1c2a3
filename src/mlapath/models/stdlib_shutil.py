"""``shutil.which``: which tools the target machine has."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Library
from mlapath.values.origin import Origin
from mlapath.values.value import Unknown, V

ASSUMED = ("nvcc", "ninja", "gcc", "g++", "cc", "c++")
"""Tools of a machine that serves (A10), unless the scenario says otherwise."""
FOLDER = "/usr/bin"
"""Where they are."""


def which(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """The path of a tool, or None.

    A tool that is absent is in no folder either; one that is there is found under its path, too.
    """
    asked = args[0].d
    if type(asked) is not str:
        return V(Unknown("shutil.which() of an unknown name"))
    folder, slash, name = asked.rpartition("/")
    origin = Origin("package", label=f"package:{name}", value=name not in it.facts.absent)
    if name in it.facts.absent:
        return V(None, origin)
    if (not slash or folder == FOLDER) and (name in ASSUMED or name in it.facts.present):
        return V(f"{FOLDER}/{name}", origin)
    return V(Unknown(f"whether {asked} is on PATH"), origin)


LIBRARY = Library(functions={"shutil.which": which})
