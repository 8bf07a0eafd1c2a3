"""What a source tree without installation metadata tells of itself."""

from __future__ import annotations

import re
from pathlib import Path

_LITERAL = re.compile(
    r"""^(?:__version__\s*(?::[^=]+)?=\s*)(?:version\s*=\s*)?["']([^"']+)["']""", re.MULTILINE
)
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def version_in(root: Path) -> str | None:
    """Give the version; None if nothing tells it.

    Asked in turn: `vllm/_version.py` (written by a build), a literal in `vllm/version.py`, a git
    tag on the commit that is checked out.
    """
    for name in ("_version.py", "version.py"):
        match = _LITERAL.search(_text(root / "vllm" / name))
        if match:
            return match[1]
    return _tagged(root / ".git")


def required_by(root: Path) -> tuple[str, ...]:
    """Give the requirement lines that a CUDA build of this checkout would declare.

    They stand in `requirements/cuda.txt`, which refers to `common.txt` beside it.
    """
    folder = root / "requirements"
    seen: set[str] = set()

    def lines(name: str) -> list[str]:
        if name in seen or "/" in name or "\\" in name:
            return []
        seen.add(name)
        found: list[str] = []
        for line in _text(folder / name).splitlines():
            text = line.partition(" #")[0].strip()
            if text.startswith(("-r ", "--requirement ")):
                found.extend(lines(text.split(maxsplit=1)[1]))
            elif text and not text.startswith(("#", "-")):
                found.append(text)
        return found

    return tuple(lines("cuda.txt") or lines("common.txt"))


def _tagged(git: Path) -> str | None:
    if git.is_file():
        git = git.parent / _text(git).removeprefix("gitdir:").strip()
    head = _text(git / "HEAD").strip()
    if head.startswith("ref:"):
        name = head.removeprefix("ref:").strip()
        head = _text(git / name).strip() or _packed(git).get(name, "")
    if not _SHA.fullmatch(head):
        return None
    tags = {name: commit for name, commit in _packed(git).items() if name.startswith("refs/tags/")}
    for path in (git / "refs" / "tags").glob("*"):
        tags[f"refs/tags/{path.name}"] = _text(path).strip()
    names = [name.rpartition("/")[2] for name, commit in tags.items() if commit == head]
    versions = [name[1:] for name in names if re.fullmatch(r"v\d[\w.]*", name)]
    return min(versions, key=lambda text: ("rc" in text, text), default=None)


def _packed(git: Path) -> dict[str, str]:
    """Read packed references; an annotated tag stands for the commit it points to."""
    found: dict[str, str] = {}
    last = ""
    for line in _text(git / "packed-refs").splitlines():
        if line.startswith("^"):
            found[last] = line[1:].strip()
        elif not line.startswith("#"):
            commit, _, last = line.strip().partition(" ")
            found[last] = commit
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
