"""Ask an interpreter where it would look for packages, without importing any of them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mlapath.base.errors import TreeError

_TIMEOUT_SECONDS = 60.0
# The empty entry (the current folder) goes before anything is imported: `vllm serve` is a script
# in another folder, and a stray json.py here must not run.
_SCRIPT = """
import sys
sys.path[:] = [p for p in sys.path if p]
import json
found = {}
for name, module in list(sys.modules.items()):
    if name.startswith("__editable__"):
        mapping = getattr(module, "MAPPING", None)
        if isinstance(mapping, dict):
            found.update((str(k), str(v)) for k, v in mapping.items())
sys.stdout.write("\\n" + json.dumps({
    "executable": sys.executable, "prefix": sys.prefix, "path": sys.path,
    "mapping": found, "version": list(sys.version_info[:3]),
}))
"""


@dataclass(frozen=True)
class Interpreter:
    """One Python: its search path, and what editable finders add to it (module to folder)."""

    executable: Path
    prefix: Path
    version: tuple[int, ...]
    path: tuple[Path, ...]
    mapping: Mapping[str, str]


def probe(python: str | Path) -> Interpreter:
    """Run `python`, a program or the folder of an environment, briefly.

    Raises TreeError if it cannot be run.
    """
    if os.path.isdir(python):
        found = next((path for path in _programs(Path(python)) if path.is_file()), None)
        if found is None:
            raise TreeError(f"{python} holds no Python interpreter")
        python = found
    try:
        done = subprocess.run(
            [os.fspath(python), "-c", _SCRIPT],
            capture_output=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or "no answer in time"
        raise TreeError(f"cannot run the interpreter {python}: {reason}") from error
    try:
        data = json.loads(done.stdout.rpartition(b"\n")[2])
        return Interpreter(
            executable=Path(data["executable"] or python),
            prefix=Path(data["prefix"]),
            version=tuple(data["version"]),
            path=tuple(dict.fromkeys(Path(entry) for entry in data["path"])),
            mapping=data["mapping"],
        )
    except (ValueError, KeyError, TypeError) as error:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = words[-1] if words else f"exit code {done.returncode}"
        raise TreeError(f"{python} does not answer as a Python interpreter: {reason}") from error


def candidates(env: Mapping[str, str]) -> Iterator[Path]:
    """Give the interpreters that may be meant if none is named, the likeliest first.

    The active virtual or conda environment, `python3` and `python` on PATH, our own.
    """
    seen: set[Path] = set()
    for path in _places(env):
        if path is not None and path not in seen and path.is_file():
            seen.add(path)
            yield path


def _places(env: Mapping[str, str]) -> Iterator[Path | None]:
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if env.get(variable):
            yield from _programs(Path(env[variable]))
    for name in ("python3", "python"):
        found = shutil.which(name, path=env.get("PATH"))
        yield Path(found) if found else None
    yield Path(sys.executable)


def _programs(prefix: Path) -> Iterator[Path]:
    """Give the places of an environment's interpreter."""
    yield prefix / "bin" / "python"
    yield prefix / "bin" / "python3"
    yield prefix / "Scripts" / "python.exe"
    yield prefix / "python.exe"
