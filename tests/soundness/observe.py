"""What CPython does with a program: lines, calls, final values, the exception that ends it."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass, field
from random import Random
from types import FrameType, ModuleType
from typing import Any

from soundness.scope import INPUTS

PATH = "subject.py"
MODULE = "subject"
FUEL = 3_000
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


def run(source: str, seed: int) -> Sample | None:  # noqa: C901 - one tracer, its closures
    """Run a program on the inputs of a seed; None where it takes too long."""
    sample = Sample()
    classes = _classes(source)
    code = compile(_marked(source), PATH, "exec")
    inputs = Inputs(seed)
    outside = ModuleType("outside")
    outside.given, outside.risky = inputs.given, inputs.risky  # type: ignore[attr-defined]
    fuel = FUEL

    def name_of(frame: FrameType) -> str:
        qualname = HIDDEN.sub("", getattr(frame.f_code, "co_qualname", frame.f_code.co_name))
        qualname = qualname.removesuffix(".<locals>.").removesuffix(".")
        if qualname in ("", "<module>") or qualname in classes:
            return MODULE
        return f"{MODULE}.{qualname}"

    def hit(line: int) -> None:
        nonlocal fuel
        fuel -= 1
        if fuel < 0:
            raise OutOfFuelError
        sample.lines.add(line)

    def tracer(frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code.co_filename == PATH and event == "call":
            _enter(frame)

    def _enter(frame: FrameType) -> None:
        qualname = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)
        if HIDDEN.search(qualname.rpartition(".")[2]) or qualname in ("<module>", *classes):
            return
        if frame.f_code.co_flags & 0x20:  # a generator function
            sample.entered.add(name_of(frame))
            return
        caller = frame.f_back
        while caller is not None and caller.f_code.co_filename != PATH:
            caller = caller.f_back
        if caller is not None:
            sample.calls.add((name_of(caller), caller.f_lineno, name_of(frame)))

    names: dict[str, Any] = {"__name__": MODULE, "_hit": hit}
    saved = sys.modules.get("outside")
    previous = sys.gettrace()
    sys.modules["outside"] = outside
    hook = sys.unraisablehook
    sys.unraisablehook = lambda _: None  # generators that fail while they are closed
    try:
        sys.settrace(tracer)
        exec(code, names)
    except OutOfFuelError:
        return None
    except Exception as error:  # noqa: BLE001 - whatever the program raises
        sample.error = error
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == PATH:
                sample.error_line = trace.tb_lineno
            trace = trace.tb_next
    finally:
        sys.settrace(previous)
        sys.unraisablehook = hook
        if saved is None:
            del sys.modules["outside"]
        else:
            sys.modules["outside"] = saved
    sample.names = {k: v for k, v in names.items() if not k.startswith("_")}
    return sample
