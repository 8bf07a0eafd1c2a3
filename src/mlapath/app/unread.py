"""Environment variables that were given and that this tree never reads."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mlapath.base.nearest import nearest
from mlapath.engine.interp import Engine
from mlapath.findings.model import Unread

NAME = re.compile(rb"['\"]([A-Z][A-Z0-9_]{3,})['\"]")


def unread_env(env: Mapping[str, str], it: Engine) -> tuple[Unread, ...]:
    """The given names that occur nowhere in the tree's source as a text, with look-alikes."""
    if not env:
        return ()
    tree = it.program.trees[0]
    known: set[str] = set()
    for path in tree.files:
        if path.endswith(".py"):
            try:
                data = (tree.root / path).read_bytes()
            except OSError:
                continue
            known.update(m.decode() for m in NAME.findall(data))
    return tuple(Unread(name, tuple(nearest(name, sorted(known))[:2]))
                 for name in sorted(env) if name not in known)  # fmt: skip
