"""The same snippet in CPython and in the evaluator."""

from __future__ import annotations

import sys
import textwrap
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlapath.engine.interp import Engine, run_deep
from mlapath.ir.lower import lower_module
from mlapath.models.libraries import LIBRARIES
from mlapath.models.registry import Models
from mlapath.resolve.program import Program
from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.objects import ModuleObj
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V


@dataclass
class Sources:
    """A tree in memory: path -> text."""

    files: Mapping[str, str]
    root: Path = Path("/tree")
    package: str = "subject"

    def read(self, path: str) -> str:
        return self.files[path]

    def exists(self, path: str) -> bool:
        return path in self.files or any(name.startswith(f"{path}/") for name in self.files)

    def find_module(self, name: str) -> str | None:
        base = name.replace(".", "/")
        found = (f"{base}/__init__.py", f"{base}.py")
        return next((path for path in found if path in self.files), None)


@dataclass
class FakeFacts:
    """Facts of a test: the standard library is there, ``modules`` as said, the rest absent."""

    env: Mapping[str, str] = field(default_factory=dict)
    modules: Mapping[str, Truth] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    present: frozenset[str] = frozenset()

    def has_module(self, name: str) -> Truth:
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names:
            return Truth.TRUE
        return self.modules.get(name, self.modules.get(top, Truth.FALSE))

    def version(self, name: str) -> str | None:
        return self.versions.get(name)

    def has_distribution(self, name: str) -> Truth:
        return Truth.TRUE if name in self.versions else self.modules.get(name, Truth.FALSE)

    def path_kind(self, path: str) -> str | None:
        return "file" if path in self.files else None


@dataclass
class Run:
    """An evaluated module."""

    engine: Engine
    module: ModuleObj

    def value(self, name: str) -> V:
        found: V = self.module.ns[name]
        return found

    def plain(self, name: str) -> Any:
        """The plain Python value of a name; fails where it is not fully known."""
        value = self.value(name)
        try:
            return to_py(value)
        except NotConcrete:
            raise AssertionError(f"{name} is not concrete: {value.d!r}") from None

    def unknown(self, name: str) -> Unknown:
        """The Unknown that a name is bound to; fails where it is anything else."""
        value = self.value(name)
        assert type(value.d) is Unknown, f"{name} is {value.d!r}"
        return value.d


def evaluate(
    source: str, facts: FakeFacts | None = None, others: Mapping[str, str] | None = None
) -> Run:
    """Evaluate ``source`` as the module ``subject``, beside other files."""
    files = {"subject.py": textwrap.dedent(source), **(others or {})}
    program = Program([Sources(files)], lower_module)
    engine = Engine(program, Models(LIBRARIES), facts or FakeFacts())
    module = run_deep(lambda: engine.import_module("subject"))
    return Run(engine, module.d)


def executed(source: str) -> dict[str, Any]:
    """The names that CPython binds, running ``source`` as the module ``subject``."""
    module = types.ModuleType("subject")
    sys.modules["subject"] = module  # some of the standard library asks there
    try:
        code = compile(textwrap.dedent(source), "subject.py", "exec", dont_inherit=True)
        exec(code, vars(module))
    finally:
        del sys.modules["subject"]
    return vars(module)


def assert_same(source: str, names: str | Iterable[str], facts: FakeFacts | None = None) -> Run:
    """Assert that the evaluator binds ``names`` to the plain values that CPython binds them to."""
    real = executed(source)
    run = evaluate(source, facts)
    for name in names.split() if isinstance(names, str) else names:
        expected, found = real[name], run.plain(name)
        assert found == expected, f"{name}: {found!r}, but CPython gives {expected!r}"
        assert type(found) is type(expected), f"{name}: {type(found)}, not {type(expected)}"
    return run
