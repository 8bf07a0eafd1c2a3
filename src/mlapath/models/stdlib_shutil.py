"""``shutil.which``: which tools the target machine has."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Library
from mlapath.values.origin import Origin
from mlapath.values.value import Unknown, V

ASSUMED = ("nvcc", "ninja", "gcc", "g++", "cc", "c++")
"""Tools of a machine that serves (A10), unless the scenario says otherwise."""


def which(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """The path of a tool, or None."""
    name = args[0].d
    if type(name) is not str:
        return V(Unknown("shutil.which() of an unknown name"))
    origin = Origin("package", label=f"package:{name}", value=name not in it.facts.absent)
    if name in it.facts.absent:
        return V(None, origin)
    if name in ASSUMED or name in it.facts.present:
        return V(f"/usr/bin/{name}", origin)
    return V(Unknown(f"whether {name} is on PATH"), origin)


LIBRARY = Library(functions={"shutil.which": which})
