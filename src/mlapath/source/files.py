"""A folder of Python source: read files, find modules."""

from __future__ import annotations

import io
import os
import tokenize
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mlapath.base.errors import TreeError
from mlapath.base.stamps import TOOL_FOLDERS, stat_digest


@dataclass(frozen=True, eq=False)
class FileSet:
    """Files below `root`; names are relative to it, with `/`.

    `listed` are the files of the archive that `root` was unpacked from, also those that were
    not kept; None where `root` itself is all there is. `package` is the top folder of interest.
    """

    package: str
    root: Path
    listed: tuple[str, ...] | None

    @cached_property
    def files(self) -> tuple[str, ...]:
        """All files, sorted: `listed`, else what lies below `root/package` on disk."""
        if self.listed is not None:
            return self.listed
        return scan(self.root, self.package)

    @cached_property
    def stamp(self) -> str:
        """The `stat_digest` of the package as it was when first asked for."""
        return stat_digest(str(self.root), self.package)

    @cached_property
    def unreadable(self) -> tuple[str, ...]:
        """Python files that are listed but cannot be read: what they hold is not known."""
        return tuple(
            name for name in self.files
            if name.endswith(".py") and not os.access(self.root / name, os.R_OK)
        )  # fmt: skip

    @cached_property
    def _names(self) -> frozenset[str]:
        names = set(self.listed or ())
        for name in self.listed or ():
            while name := name.rpartition("/")[0]:
                names.add(name)
        return frozenset(names)

    def read_bytes(self, relpath: str) -> bytes:
        """Give a file's bytes. Raises TreeError if it cannot be read."""
        try:
            return (self.root / relpath).read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            raise TreeError(f"cannot read {relpath} in {self.root}: {reason}") from error

    def read(self, relpath: str) -> str:
        """Give a Python file's text, decoded as Python does (PEP 263; UTF-8 by default).

        Line ends are left as they are, a byte-order mark is dropped. Raises TreeError if the
        file cannot be read or decoded.
        """
        data = self.read_bytes(relpath)
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            return data.decode(encoding)
        except (SyntaxError, UnicodeError, LookupError) as error:
            raise TreeError(f"cannot decode {relpath} in {self.root}: {error}") from error

    def exists(self, relpath: str) -> bool:
        """Tell whether the file or folder exists, kept or not."""
        name = relpath.rstrip("/")
        return name in self._names or os.path.exists(self.root / name)

    def find_module(self, module: str) -> str | None:
        """Give the file that defines a dotted module or package; None if there is none.

        As Python does, a package goes before a module of the same name. Compiled modules and
        folders without `__init__.py` give None.
        """
        path = module.replace(".", "/")
        if not path or path.startswith("/"):
            return None
        base = os.path.join(self.root, path)
        if os.path.isfile(os.path.join(base, "__init__.py")):
            return f"{path}/__init__.py"
        if os.path.isfile(f"{base}.py"):
            return f"{path}.py"
        return None

    def is_package(self, module: str) -> bool:
        """Tell whether a dotted name is a package.

        A folder without `__init__.py` is one too, unless a module of that name goes before it.
        """
        found = self.find_module(module)
        if found is not None:
            return found.endswith("/__init__.py")
        return os.path.isdir(self.root / module.replace(".", "/"))


def scan(root: Path, package: str) -> tuple[str, ...]:
    """List the files below `root/package`, sorted; folders of tools are passed over."""
    found: list[str] = []
    base = str(root)
    for folder, folders, names in os.walk(root / package):
        folders[:] = [name for name in folders if name not in TOOL_FOLDERS]
        prefix = os.path.relpath(folder, base).replace(os.sep, "/")
        found.extend(f"{prefix}/{name}" for name in names)
    return tuple(sorted(found))
