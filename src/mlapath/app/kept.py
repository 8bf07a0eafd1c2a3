"""What keeps a line from running: the guards before it, and whether these are stable."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from mlapath.app.execution import Execution
from mlapath.app.proof import holders, stable
from mlapath.engine.trace import GuardSeen, Trace
from mlapath.ir import nodes as n
from mlapath.query.closure import Fact, check, stored_under
from mlapath.query.lines import blocking
from mlapath.query.sites import PassedBy, calls_in
from mlapath.resolve.locate import module_name
from mlapath.resolve.outline import Function
from mlapath.resolve.references import Reference
from mlapath.resolve.writes import WriteSite
from mlapath.values.objects import Instance


@dataclass(frozen=True)
class Barrier:
    """A guard that kept a line from running, in the trace that decided it."""

    trace: Trace
    guard: GuardSeen
    needed: bool


@dataclass
class Kept:
    """Answers for one execution; keeps what it looked up.

    mentions: the places that name something. outside: why code that was not evaluated may call a
    function, None if none can.
    """

    execution: Execution
    mentions: Callable[[str], Iterable[Reference]]
    outside: Callable[[str, Function], str | None]
    _unstable: dict[int, tuple[tuple[str, ...], tuple[Barrier, ...]]] = field(default_factory=dict)
    _before: dict[int, tuple[Barrier, ...] | None] = field(default_factory=dict)
    _written: dict[str, tuple[tuple[str, ...], tuple[Barrier, ...]]] = field(default_factory=dict)

    def ran(self, path: str, function: Function) -> bool:
        """Whether anything that was evaluated entered a function."""
        full = f"{module_name(path)}.{function.qualname}"
        return any(full in trace.functions for trace in self._traces)

    def before(self, path: str, function: Function, line: int) -> tuple[Barrier, ...] | None:
        """A barrier for each trace that entered a function, a step's first.

        None where one of them shows none: something else kept the line from running.
        """
        full = f"{module_name(path)}.{function.qualname}"
        found: list[Barrier] = []
        for trace in self._traces:
            if full in trace.functions:
                seen = blocking(trace, full, path, function.node, line)
                if seen is None:
                    return None
                found.append(Barrier(trace, *seen))
        return tuple(found)

    def before_calls(self, function: Function) -> tuple[Barrier, ...] | None:
        """The barriers before each call by a function's name in code that was evaluated.

        None where one of the calls is made, or kept from being made by something else.
        """
        key = id(function.node)  # the program keeps it
        if key not in self._before:
            self._before[key] = self._before_calls(function)
        return self._before[key]

    def _before_calls(self, function: Function) -> tuple[Barrier, ...] | None:
        found: list[Barrier] = []
        for ref in self.mentions(function.node.name):
            caller = self._function_around(ref.path, ref.line) if ref.function else None
            if caller is None or caller.node.name == function.node.name:
                continue
            barriers = self.before(ref.path, caller, ref.line)
            if barriers is None:
                return None
            found.extend(barriers)
        return tuple(found)

    def receivers(self, function: Function) -> tuple[str, ...]:
        """Writes that could give the calls by a function's name, which went elsewhere, to it.

        Of calls such as ``x.impl.f()``: those of an attribute ``impl`` of the objects that
        compute attention.
        """
        name = function.node.name
        owners = {
            call.func.value.attr
            for ref in self.mentions(name) for call in self._calls_made(ref, name)
            if isinstance(call.func, n.Attr) and isinstance(call.func.value, n.Attr)
        }  # fmt: skip
        written = [self._writes_of(attr) for attr in sorted(owners)]
        texts = [text for found, _ in written for text in found]
        return (*texts, *self.unstable(b for _, barriers in written for b in barriers))

    def _calls_made(self, ref: Reference, name: str) -> list[n.Call]:
        """Calls by a name at a place that ran."""
        made = any(ref.line in trace.lines.get(ref.path, ()) for trace in self._traces)
        caller = self._function_around(ref.path, ref.line) if ref.function and made else None
        found = [] if caller is None else [c for s in caller.node.body for c in calls_in(s, name)]
        return [call for call in found if call.pos[0] <= ref.line <= call.pos[2]]

    def _writes_of(self, attr: str) -> tuple[tuple[str, ...], tuple[Barrier, ...]]:
        """Writes to an attribute that may be made, and what keeps others from being made."""
        if attr not in self._written:
            tree = self.execution.found.engine.program.searches
            found = check(Fact(attr, "", 0), self._held, self._traces, tree,
                          stored_under(self._held)) if self._held else None  # fmt: skip
            kept: list[Barrier] = []
            self._written[attr] = () if found is None else tuple(
                f"{w.path}:{w.line} may write {w.receiver or 'setattr'}.{attr}"
                for w in found.blockers if not self._is_kept(w, kept)
            ), tuple(kept)  # fmt: skip
        return self._written[attr]

    def unstable(self, barriers: Iterable[Barrier]) -> tuple[str, ...]:
        """Writes in the tree that could turn a guard behind the evaluation's back.

        A write that guards keep from being made counts as they do. It may be one of those that
        would turn them: the first write of all that is made would need another one before it.
        """
        texts: list[str] = []
        queue = list(barriers)
        seen: set[int] = set()
        for barrier in queue:
            if id(barrier.guard) not in seen:
                seen.add(id(barrier.guard))
                found, further = self._writes(barrier)
                texts.extend(found)
                queue.extend(further)
        return tuple(dict.fromkeys(texts))

    def _writes(self, barrier: Barrier) -> tuple[tuple[str, ...], tuple[Barrier, ...]]:
        """Writes that may turn a guard, and what keeps others that could from being made."""
        key = id(barrier.guard)
        if key not in self._unstable:
            guard = barrier.guard
            site = PassedBy(guard.function, guard.path, guard.pos[0], guard, barrier.needed)
            kept: list[Barrier] = []
            proof = stable(self.execution.found, self._traces, self._held,
                           [(site, barrier.trace)], lambda w: self._is_kept(w, kept))  # fmt: skip
            self._unstable[key] = proof.blockers, tuple(kept)
        return self._unstable[key]

    def _is_kept(self, write: WriteSite, by: list[Barrier]) -> bool:
        """Whether a write stands where nothing leads: no call, or guards, which ``by`` gets."""
        function = self._function_around(write.path, write.line)
        if function is None or self.outside(write.path, function) is not None:
            return False
        if not self.ran(write.path, function):
            return True
        barriers = self.before(write.path, function, write.line)
        by.extend(barriers or ())
        return bool(barriers)

    @cached_property
    def _traces(self) -> tuple[Trace, ...]:
        """Every trace; what a step does tells more than what was done before it."""
        ordered = sorted(self.execution.traces(), key=lambda item: item[0] != "step")
        return tuple(trace for _, trace in ordered)

    @cached_property
    def _held(self) -> tuple[Instance, ...]:
        """The objects that compute attention: layers, implementations, metadata builders."""
        found = [held for kind in self.execution.kinds for held in holders(kind.layers[0])]
        builders = [kind.builder.d for kind in self.execution.kinds if kind.builder is not None]
        return (*found, *(d for d in builders if type(d) is Instance))

    def _function_around(self, path: str, line: int) -> Function | None:
        """The innermost function that holds a line."""
        known = self.execution.found.engine.program.functions(path)
        around = [f for f in known if f.node.pos[0] <= line <= f.node.pos[2]]
        return max(around, key=lambda f: f.node.pos[0], default=None)


__all__ = ["Barrier", "Kept"]
