"""From what a user types to lines and functions of the tree: files, ranges, qualified names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from mlapath.base.errors import UsageError
from mlapath.base.nearest import did_you_mean
from mlapath.resolve.outline import Function, Kind, Spot, functions, spot

FILE_LINE = re.compile(r"^(?P<file>.+?):(?P<first>\d+)(?:-(?P<last>\d+))?$")
LIMIT = 60
"""How many functions one name may stand for."""


@dataclass(frozen=True)
class Location:
    """A place that was asked for.

    asked: as the user wrote it. spot: the line; for a function that of its first statement.
    name: the function's qualified name in its module, "" outside of functions. is_function: the
    question is about the function, not about a line. notes: what is to be said of the place.
    """

    asked: str
    path: str
    spot: Spot
    is_function: bool = False
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.spot.function


def locate(program: Any, asked: str) -> tuple[Location, ...]:
    """The places that a text stands for.

    Raises:
        UsageError: no such file, line or function; with names that look like it.
    """
    match = FILE_LINE.match(asked)
    if match is not None:
        first = int(match["first"])
        last = int(match["last"] or first)
        return _lines(program, asked, match["file"], first, last)
    if asked.endswith(".py"):
        raise UsageError(f"{asked}: which line? Ask for FILE:LINE, FILE:A-B or a function")
    return _functions(program, asked)


def _lines(
    program: Any, asked: str, file: str, first: int, last: int
) -> tuple[Location, ...]:  # fmt: skip
    path, notes = find_file(program, file)
    lines = program.lines(path)
    if not 1 <= first <= last:
        raise UsageError(f"{asked}: lines count from 1, and a range goes upwards")
    if last > len(lines):
        raise UsageError(f"{asked}: {path} has {len(lines)} lines")
    module = program.load(path)
    found = [spot(module, lines, line) for line in range(first, last + 1)]
    if first == last:
        return (Location(asked, path, found[0], notes=notes),)
    code: dict[int, Spot] = {}
    for one in found:
        if one.statement is not None and one.kind is not Kind.LABEL:
            code.setdefault(one.statement, one)
    chosen = list(code.values()) or found[:1]
    return tuple(Location(asked, path, one, notes=notes) for one in chosen)


def find_file(program: Any, file: str) -> tuple[str, tuple[str, ...]]:
    """The tree's file that a path or a basename means, and what is to be said of that.

    Raises:
        UsageError: no file, or several.
    """
    tree = program.trees[0]
    files = [f for f in tree.files if f.endswith(".py")]
    known = set(files)
    wanted = _posix(file)
    root = _posix(str(tree.root))
    if wanted.startswith(f"{root}/"):
        wanted = wanted[len(root) + 1 :]
    notes: tuple[str, ...] = ()
    if _is_absolute(file) and wanted == _posix(file):
        wanted, notes = _of_a_copy(file, wanted, known, root)
    for candidate in (wanted, f"{tree.package}/{wanted}"):
        if candidate in known:
            return candidate, notes
    ending = f"/{wanted.removeprefix('./')}"
    found = [f for f in files if f.endswith(ending)]
    if len(found) == 1:
        return found[0], notes
    if found:
        raise UsageError(f"{file} could be any of {_some(found)}: say more of its path")
    name = PurePosixPath(wanted).name
    by_name = {PurePosixPath(f).name: f for f in files}
    same = [f for f in files if PurePosixPath(f).name == name]
    if same:
        raise UsageError(f"this vLLM has no file {file}; did you mean {_some(same)}?")
    raise UsageError(f"this vLLM has no file {file}{did_you_mean(name, by_name)}")


def _of_a_copy(
    file: str, wanted: str, known: Iterable[str], root: str
) -> tuple[str, tuple[str, ...]]:  # fmt: skip
    """The tree's own file that another copy's stands for, and a note that it is another one."""
    real = _posix(str(Path(file).resolve()))
    if real.startswith(f"{_posix(str(Path(root).resolve()))}/"):
        return real[len(_posix(str(Path(root).resolve()))) + 1 :], ()
    parts = PurePosixPath(wanted).parts
    for at in range(1, len(parts)):
        inside = "/".join(parts[at:])
        if inside in known:
            note = (
                f"{file} is not the file that this deployment imports, which is {root}/{inside}: "
                "an edit in the other copy is never seen"
            )
            return inside, (note,)
    return wanted, ()


def _functions(program: Any, asked: str) -> tuple[Location, ...]:
    tree = program.trees[0]
    if not re.fullmatch(r"[^\W\d]\w*(\.([^\W\d]\w*|<locals>))*", asked):
        raise UsageError(f"{asked!r} is neither FILE:LINE nor the name of a function")
    *before, name = asked.split(".")
    needle = re.compile(rb"^[ \t]*(?:async[ \t]+)?def[ \t]+" + re.escape(name.encode()) + rb"\b",
                        re.MULTILINE)  # fmt: skip
    holding = _holding(tree, needle)
    if not before and len(holding) > LIMIT:
        raise UsageError(_too_many(asked, [f"{module_name(path)}.{name}" for path in holding]))
    found: list[tuple[str, Function]] = []
    for path in holding:
        module = module_name(path)
        if before and not _may_hold(program, path, before):
            continue
        for function in functions(program.load(path)):
            full = f"{module}.{function.qualname}"
            plain = full.replace(".<locals>", "")
            if full.endswith(f".{asked}") or plain.endswith(f".{asked}") or asked in (full, plain):
                found.append((path, function))
    if not found:
        raise UsageError(_no_function(tree, asked, before, name))
    if len(found) > LIMIT:
        some = [f"{module_name(p)}.{f.qualname}" for p, f in found]
        raise UsageError(_too_many(asked, some))
    return tuple(_at(asked, path, function) for path, function in found)


def _too_many(asked: str, names: Sequence[str]) -> str:
    return (
        f"{asked} could be any of {len(names)} functions or more ({_some(names)}): "
        "put its class or module before it"
    )


def _at(asked: str, path: str, function: Function) -> Location:
    here = Spot(function.body, Kind.CODE, function.body, function.qualname, function.qualname,
                function.line, function.kernel)  # fmt: skip
    return Location(asked, path, here, is_function=True)


def _holding(tree: Any, needle: re.Pattern[bytes]) -> list[str]:
    result: list[str] = []
    for path in tree.files:
        if not path.endswith(".py"):
            continue
        try:
            data = (tree.root / path).read_bytes()
        except OSError:
            continue
        if needle.search(data):
            result.append(path)
    return result


def _may_hold(program: Any, path: str, before: Sequence[str]) -> bool:
    """Whether what stands before a function's name may be its class or its module."""
    last = before[-1]
    if last in module_name(path).split("."):
        return True
    return any(re.match(rf"\s*(class|(async\s+)?def)\s+{last}\b", x) for x in program.lines(path))


def module_name(path: str) -> str:
    """``vllm/a/b.py`` is ``vllm.a.b``, ``vllm/a/__init__.py`` is ``vllm.a``."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _no_function(tree: Any, asked: str, before: Sequence[str], name: str) -> str:
    names: set[str] = set()
    owners: set[str] = set()
    pattern = re.compile(rb"^[ \t]*(?:async[ \t]+)?(def|class)[ \t]+(\w+)", re.MULTILINE)
    for path in tree.files:
        if path.endswith(".py"):
            try:
                data = (tree.root / path).read_bytes()
            except OSError:
                continue
            owners.add(module_name(path).rpartition(".")[2])
            for kind, word in pattern.findall(data):
                (names if kind == b"def" else owners).add(word.decode())
    if name in names and before:
        hint = did_you_mean(before[-1], owners) if before[-1] not in owners else ""
        return f"this vLLM has no function {asked}, though others are called {name}{hint}"
    if name in owners:
        return (
            f"{asked} is a class or a module of this vLLM; ask for a function, such as {asked}.…"
        )
    return f"this vLLM defines no function {name!r}{did_you_mean(name, names)}"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:4])
    return f"{shown}, …" if len(names) > 4 else shown


def _posix(path: str) -> str:
    return path.replace("\\", "/")


def _is_absolute(path: str) -> bool:
    return PurePosixPath(path).is_absolute() or PureWindowsPath(path).is_absolute()


__all__ = ["Location", "find_file", "locate", "module_name"]
