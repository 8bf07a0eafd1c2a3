"""What CPython does with a program: lines, calls, final values, the exception that ends it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random
from types import FrameType, GeneratorType, ModuleType
from typing import Any

from soundness.scope import INPUTS

PATH = "subject.py"
MODULE = "subject"
FUEL = 3_000
GENERATOR = 0x20
HIDDEN = re.compile(r"<(genexpr|listcomp|setcomp|dictcomp)>(\.<locals>)?\.?")


class OutOfFuelError(BaseException):
    """The program runs too long to be of use."""


Call = tuple[str, int, str]
"""(caller, line, callee), in the evaluator's names."""


@dataclass
class Sample:
    """One run. ``entered``: generator functions that started, whose caller is not compared."""

    lines: set[int] = field(default_factory=set)
    calls: set[Call] = field(default_factory=set)
    entered: set[str] = field(default_factory=set)
    names: dict[str, Any] = field(default_factory=dict)
    error: BaseException | None = None
    error_line: int = 0


class Inputs:
    """The module ``outside``: unknown to the evaluator, here given by a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.count = 0
        self.kinds = tuple(INPUTS.values())

    def given(self, number: int) -> Any:
        self.count += 1
        rng = Random(f"{self.seed}/{number}/{self.count}")
        kind = self.kinds[number]
        if kind == "flag":
            return rng.random() < 0.5
        if kind == "number":
            return rng.randint(0, 3)
        if kind == "maybe":
            return rng.choice([None, None, 0, 1, 2])
        if kind == "items":
            return [rng.randint(0, 3) for _ in range(rng.randint(0, 3))]
        return rng.choice(["x", "y", "z"])

    def risky(self, number: int) -> Any:
        value = self.given(1)
        if value > 1:
            raise (ValueError if value == 2 else KeyError)("risky")
        return value


class _Marking(ast.NodeTransformer):
    """Puts ``_hit(line)`` before each statement: CPython's own line events include lines of
    clean-up code that do not run."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                setattr(node, name, [x for stmt in body for x in (_hit(stmt), stmt)])
        return node


def _hit(stmt: ast.stmt) -> ast.stmt:
    line = ast.Constant(stmt.lineno)
    call = ast.Call(ast.Name("_hit", ast.Load()), [line], [])
    made = ast.copy_location(ast.Expr(call), stmt)
    return ast.fix_missing_locations(made)


def _marked(source: str) -> ast.Module:
    tree: ast.Module = _Marking().visit(ast.parse(source))
    return tree


def _classes(source: str) -> set[str]:
    found: set[str] = set()

    def walk(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, ast.ClassDef):
                found.add(prefix + child.name)
                inner = f"{prefix}{child.name}."
            elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                inner = f"{prefix}{child.name}.<locals>."
            walk(child, inner)

    walk(ast.parse(source), "")
    return found


class _Recorder:
    """Notes the lines and calls of one run."""

    def __init__(self, source: str) -> None:
        self.sample = Sample()
        self.classes = _classes(source)
        self.fuel = FUEL

    def hit(self, line: int) -> None:
        """A statement is about to run."""
        self.fuel -= 1
        if self.fuel < 0:
            raise OutOfFuelError
        self.sample.lines.add(line)

    def trace(self, frame: FrameType, event: str, arg: Any) -> None:
        """The function for ``sys.settrace``."""
        if frame.f_code.co_filename != PATH or event != "call":
            return
        qualname = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)
        if HIDDEN.search(qualname.rpartition(".")[2]) or qualname in ("<module>", *self.classes):
            return
        if frame.f_code.co_flags & GENERATOR:
            self.sample.entered.add(self.name_of(frame))
            return
        caller = frame.f_back
        while caller is not None and caller.f_code.co_filename != PATH:
            caller = caller.f_back
        if caller is not None:
            call = (self.name_of(caller), caller.f_lineno, self.name_of(frame))
            self.sample.calls.add(call)

    def name_of(self, frame: FrameType) -> str:
        """The function, as the evaluator names it."""
        qualname = HIDDEN.sub("", getattr(frame.f_code, "co_qualname", frame.f_code.co_name))
        qualname = qualname.removesuffix(".<locals>.").removesuffix(".")
        if qualname in ("", "<module>") or qualname in self.classes:
            return MODULE
        return f"{MODULE}.{qualname}"


@contextmanager
def _surroundings(inputs: Inputs, module: ModuleType) -> Iterator[None]:
    """The modules ``outside`` and ``subject``, for whom asks ``sys.modules``.

    Quiet where a generator fails while it is closed.
    """
    outside = ModuleType("outside")
    outside.given, outside.risky = inputs.given, inputs.risky  # type: ignore[attr-defined]
    for number, kind in enumerate(INPUTS.values()):
        setattr(outside, kind, partial(inputs.given, number))
    hook, tracing = sys.unraisablehook, sys.gettrace()
    saved = {name: sys.modules.get(name) for name in ("outside", MODULE)}
    sys.modules.update({"outside": outside, MODULE: module})
    sys.unraisablehook = lambda _: None
    try:
        yield
    finally:
        sys.settrace(tracing)
        sys.unraisablehook = hook
        for name, old in saved.items():
            sys.modules.pop(name)
            if old is not None:
                sys.modules[name] = old


def run(source: str, seed: int) -> Sample | None:
    """Run a program on the inputs of a seed; None where it takes too long."""
    recorder = _Recorder(source)
    sample = recorder.sample
    code = compile(_marked(source), PATH, "exec")
    module = ModuleType(MODULE)
    names = vars(module)
    names.update(__name__=MODULE, _hit=recorder.hit)
    with _surroundings(Inputs(seed), module):
        sys.settrace(recorder.trace)
        try:
            exec(code, names)
        except OutOfFuelError:
            return None
        except Exception as error:  # noqa: BLE001 - whatever the program raises
            sample.error_line = _line_of(error)
            sample.error = error.with_traceback(None)
            sample.error.__context__ = None
        sys.settrace(None)
        for value in names.values():
            if isinstance(value, GeneratorType):
                with suppress(Exception):
                    value.close()
    sample.names = {k: v for k, v in names.items() if not k.startswith("_")}
    return sample


def _line_of(error: BaseException) -> int:
    """The innermost line of the program in a traceback."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == PATH:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
