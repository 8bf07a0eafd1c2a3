"""Compiled extension modules, told from file names."""

from __future__ import annotations

import re
from collections.abc import Iterable

_EXTENSION = re.compile(
    r"(?P<stem>[A-Za-z_]\w*)(?:\.(?:abi3|cpython-[\w-]+|cp\d+-\w+|pypy[\w-]+))?\.(?:so|pyd)"
)


def extension_modules(files: Iterable[str]) -> tuple[str, ...]:
    """Give the dotted names of compiled modules among `files`, sorted.

    `vllm/_C.abi3.so` is `vllm._C`. Plain shared libraries (`x.libs/libfoo-1a2b.so.3`) are none.
    """
    found = set()
    for name in files:
        if not name.endswith((".so", ".pyd")):
            continue
        *folders, last = name.split("/")
        match = _EXTENSION.fullmatch(last)
        if match and all(folder.isidentifier() for folder in folders):
            found.add(".".join([*folders, match["stem"]]))
    return tuple(sorted(found))
