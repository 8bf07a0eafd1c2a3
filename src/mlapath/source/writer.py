"""Write kept members below one folder, within the limits, and remember what was written."""

from __future__ import annotations

from pathlib import Path

from mlapath.base.errors import TreeError
from mlapath.source import limits
from mlapath.source.names import safe_name


class MemberWriter:
    """Collects the members of `archive` (its name, for messages) under `folder`.

    Each name is written once. Names that differ only by case are refused among kept files,
    since on some systems one would overwrite the other.
    """

    def __init__(self, folder: Path, archive: str) -> None:
        self._folder = folder
        self._archive = archive
        self._listed: set[str] = set()
        self._folded: set[str] = set()
        self._made: set[Path] = set()
        self._total = 0
        self.kept: list[str] = []

    @property
    def listed(self) -> tuple[str, ...]:
        """Names of all members met so far, sorted."""
        return tuple(sorted(self._listed))

    def note(self, name: str) -> None:
        """Take a member's name into the list, checked. Raises TreeError."""
        safe_name(name, self._archive)
        if name in self._listed:
            raise TreeError(f"{self._archive} holds {name} twice; refused")
        self._listed.add(name)
        if len(self._listed) > limits.MEMBERS:
            raise TreeError(f"{self._archive} holds more than {limits.MEMBERS} files; refused")

    def admit(self, name: str, size: int) -> None:
        """Check that a noted member of `size` unpacked bytes may be kept. Raises TreeError."""
        if size > limits.MEMBER_BYTES:
            raise TreeError(f"{self._archive}: {name} would be {size} bytes; refused")
        self._total += size
        if self._total > limits.KEPT_BYTES:
            raise TreeError(
                f"{self._archive} would unpack to more than {limits.KEPT_BYTES} bytes; refused"
            )
        folded = name.casefold()
        if folded in self._folded:
            raise TreeError(f"{self._archive} holds two files that differ by case: {name}")
        self._folded.add(folded)

    def write(self, name: str, data: bytes) -> None:
        """Write an admitted member. Raises TreeError if it collides with a folder."""
        path = self._folder / name
        try:
            if path.parent not in self._made:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._made.add(path.parent)
            with open(path, "xb") as stream:
                stream.write(data)
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
            raise TreeError(
                f"{self._archive}: {name} is both a file and a folder; refused"
            ) from error
        self.kept.append(name)
