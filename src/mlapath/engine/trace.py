"""What the evaluator saw: calls, guards, lines, refusals, limits.

The only thing that crosses from the engine to the graph.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mlapath.engine.control import Frame, Guard, PyRaise
from mlapath.values.objects import (
    OPEN,
    BoundMethod,
    Descriptor,
    DictObj,
    FuncObj,
    Instance,
    ListObj,
    Native,
)
from mlapath.values.origin import Origin, Pos
from mlapath.values.truth import Truth
from mlapath.values.value import Union, V


@dataclass(slots=True)
class CallEdge:
    """Calls of one function from one place.

    guards: those of the caller that were open, for the least guarded of the calls.
    certain: one of the calls is made on every way through the program that completes.
    covered: some call of the function is made on each of them, this one or another.
    """

    caller: str
    path: str
    pos: Pos | None
    callee: str
    callee_path: str
    callee_line: int
    count: int = 0
    certain: bool = False
    covered: bool = False
    guards: tuple[Guard, ...] = ()
    control: Origin | None = None


@dataclass(slots=True)
class GuardSeen:
    """The outcomes of one guard."""

    function: str
    path: str
    pos: Pos
    truths: set[Truth] = field(default_factory=set)
    origin: Origin | None = None
    control: Origin | None = None
    value: Any = None


@dataclass(slots=True)
class Refusal:
    """An exception that ends the program: certainly, or where an unknown guard holds."""

    raised: PyRaise
    guards: tuple[Guard, ...]


@dataclass(slots=True)
class Observed:
    """A call of a function whose results are kept: its first argument, its locals, its result."""

    function: FuncObj
    receiver: V | None
    arguments: dict[str, V]
    result: V


@dataclass(slots=True)
class Limit:
    """A limit that was hit, or something that could not be looked into.

    kind: ``call`` of something that is not known, ``library``: a call of a library function with
    arguments that are not known, ``write`` to something that is not known, or "": what follows
    may be otherwise than it was evaluated. name: under which a callee was read from something
    that is not known, else "".
    """

    path: str
    line: int
    why: str
    kind: str = ""
    name: str = ""


class Registered(NamedTuple):
    """A function that a library keeps as an operator ``name``, and the call that hands it over.

    name "": the call only looks at the function.
    """

    function: str
    name: str
    path: str
    pos: Pos | None


@dataclass(slots=True)
class LineSeen:
    """A line that ran, in one region of the program.

    covered: it runs on every way through the program that completes. guards: those of its
    function that were open, for the least guarded of the times. way: the alternative that counts
    it already.
    """

    callee: tuple[str, str, int]
    certain: bool = False
    covered: bool = False
    guards: tuple[Guard, ...] | None = None
    way: Any = None


class Trace:
    """A builder of events; one per evaluation.

    parts: (region, path) -> line -> what was seen of it, for the stage that has begun last. A
    region says who runs the code: "" Python, and see ``engine.regions``. stages: all of them.
    """

    def __init__(self) -> None:
        self.calls: dict[tuple[str, str, Pos | None, str], CallEdge] = {}
        self.guards: dict[tuple[str, str, Pos], GuardSeen] = {}
        self.lines: dict[str, set[int]] = {}
        self.refusals: list[Refusal] = []
        self.limits: dict[tuple[str, int, str, str], Limit] = {}
        self.externals: dict[str, int] = {}
        self.escaped: set[str] = set()
        self.registered: set[Registered] = set()
        self.loose: set[tuple[str, str, int]] = set()
        self.functions: dict[str, tuple[str, int]] = {}
        self.observed: list[Observed] = []
        self.parts: dict[tuple[str, str], dict[int, LineSeen]] = {}
        self.stages: dict[str, dict[tuple[str, str], dict[int, LineSeen]]] = {"": self.parts}

    def begin(self, stage: str) -> None:
        """What runs from now on belongs to a stage of the deployment."""
        self.parts = self.stages.setdefault(stage, {})

    def part_of(self, region: str, path: str) -> dict[int, LineSeen]:
        """What was seen of the lines of a file in a region, to be added to."""
        found = self.parts.get((region, path))
        if found is None:
            found = self.parts[region, path] = {}
        return found

    def line(self, region: str, path: str, number: int) -> LineSeen:
        """A line runs for the first time in a region."""
        seen = self.part_of(region, path)[number] = LineSeen((region, path, number))
        self.lines_of(path).add(number)
        return seen

    def lines_of(self, path: str) -> set[int]:
        """The set of executed lines of a file, to be added to."""
        found = self.lines.get(path)
        if found is None:
            found = self.lines[path] = set()
        return found

    def call(self, fr: Frame, f: FuncObj, *, certain: bool) -> CallEdge:
        """A function of the tree is called.

        certain: and entered, on each run that completes normally.
        """
        name = f.full
        key = (fr.name, fr.path, fr.pos, name)
        edge = self.calls.get(key)
        if edge is None:
            line = f.node.pos[0]
            edge = CallEdge(fr.name, fr.path, fr.pos, name, f.module.path, line,
                            guards=tuple(fr.guards), control=fr.control)  # fmt: skip
            self.calls[key] = edge
            self.functions[name] = (f.module.path, line)
        edge.count += 1
        edge.certain = edge.certain or certain
        if len(fr.guards) < len(edge.guards):
            edge.guards = tuple(fr.guards)
            edge.control = fr.control
        return edge

    def guard(self, fr: Frame, test: Any, truth: Truth, value: V, origin: Origin | None) -> None:
        """A guard was decided, or could not be."""
        key = (fr.name, fr.path, test.pos)
        seen = self.guards.get(key)
        if seen is None:
            seen = self.guards[key] = GuardSeen(fr.name, fr.path, test.pos)
        seen.truths.add(truth)
        if origin is not None or seen.origin is None:
            seen.origin = origin
            seen.control = fr.control
        seen.value = value.d

    def unknown_guard(self, fr: Frame, guard: Guard) -> None:
        """A loop of unknown length."""
        key = (fr.name, guard.path, guard.pos)
        seen = self.guards.setdefault(key, GuardSeen(fr.name, guard.path, guard.pos))
        seen.truths.add(Truth.UNKNOWN)

    def refusal(self, raised: PyRaise) -> None:
        """An exception that nothing catches, on an alternative."""
        self.refusals.append(Refusal(raised, raised.guards or ()))

    def limit(self, path: str, line: int, why: str, kind: str = "", name: str = "") -> None:
        """A limit was hit."""
        self.limits.setdefault((path, line, why, name), Limit(path, line, why, kind, name))

    def external(self, fr: Frame, name: str) -> None:
        """Code outside the tree was called without a summary."""
        self.externals[name] = self.externals.get(name, 0) + 1

    def escape(self, value: V) -> None:
        """A function was handed to code that is not looked into: it may be called."""
        queue = [value.d]
        seen: set[int] = set()
        while queue:
            d = queue.pop()
            if id(d) in seen:
                continue
            seen.add(id(d))
            if type(d) is FuncObj:
                self.escaped.add(d.full)
            elif type(d) is Instance and "__call__" in d.cls.ns:
                self.escaped.add(f"{d.cls.full}.__call__")
            queue.extend(_holds(d))

    def register(self, fr: Frame, value: V, name: str) -> None:
        """A library keeps a function as an operator of a name, or as a stand-in for it.

        name "": the call only looks at it.
        """
        if type(value.d) is FuncObj:
            self.registered.add(Registered(value.d.full, name, fr.path, fr.pos))
        elif name:
            self.escape(value)

    def loose_write(self, fr: Frame, attr: str) -> None:
        """An attribute of something unknown was written."""
        self.loose.add((attr, fr.path, fr.pos[0] if fr.pos else 0))


def _holds(d: Any) -> list[Any]:
    """What a value can call, or hand out to be called."""
    kind = type(d)
    if kind is BoundMethod:
        return [d.func.d if isinstance(d.func, V) else d.func]
    if kind is Native:
        return [d.attrs["__wrapped__"].d] if d.attrs and "__wrapped__" in d.attrs else []
    if kind is Instance:
        names = d.cls.facts.get("calls", ())
        return [d.attrs[name].d for name in names if name in d.attrs]
    if kind is Descriptor:
        return [part.d for part in (d.fget, d.fset, d.fdel) if part is not None]
    if kind is tuple:
        return [item.d for item in d]
    if kind is Union:
        return [option.d for option in d.options]
    if kind is ListObj:
        return [item.d for item in d.items]
    if kind is DictObj:
        return [pair[1].d for key, pair in d.data.items() if key is not OPEN]
    return []
