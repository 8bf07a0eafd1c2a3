"""``fnmatch``: computed by CPython where the texts are known."""

from __future__ import annotations

import fnmatch
from typing import Any

from mlapath.models.api import Library
from mlapath.values.origin import merge
from mlapath.values.value import Unknown, V


def matcher(name: str) -> Any:
    """``fnmatch`` or ``fnmatchcase`` of two texts."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        text, pattern = args[0], args[1]
        origin = merge(text.o, pattern.o)
        if type(text.d) is str and type(pattern.d) is str:
            return V(fnmatch.fnmatchcase(text.d, pattern.d), origin)
        return V(Unknown("whether a name fits a pattern", "bool"), origin)

    return fn


LIBRARY = Library(functions={f"fnmatch.{n}": matcher(n) for n in ("fnmatch", "fnmatchcase")})
