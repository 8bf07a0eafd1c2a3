"""How often the Python of a line runs in a phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from mlapath.app.execution import Execution, LayerRuns
from mlapath.app.moments import Moment
from mlapath.engine.regions import LOOSE, MODEL, OPERATOR, TRACED
from mlapath.engine.trace import Trace
from mlapath.findings.fires import Phase
from mlapath.ir import nodes as n
from mlapath.ir.walk import walk
from mlapath.resolve.locate import module_name
from mlapath.resolve.outline import Function

PER_LAYER = {Phase.PROFILE: "per layer", Phase.WARMUP: "per layer", Phase.CAPTURE: "per layer",
             Phase.STEP: "per layer per step"}  # fmt: skip


@dataclass
class Counting:
    """Counts for one execution, by the calls that its traces hold."""

    execution: Execution
    _entries: dict[int, Counter[str]] = field(default_factory=dict)
    _looped: dict[tuple[str, str], tuple[tuple[int, int], ...]] = field(default_factory=dict)

    def times(
        self, phase: Phase, kind: LayerRuns | None, region: str, function: Function | None
    ) -> str:  # fmt: skip
        """What a line in a layer's own runs counts with: ``PhaseFiring.times``."""
        if kind is None:
            return "once" if function is None else "unknown"
        if region in (MODEL, OPERATOR, TRACED, LOOSE):
            return PER_LAYER.get(phase, "per layer")
        return "per step" if phase is Phase.STEP else "once"

    def times_around(self, phase: Phase, function: Function | None, path: str) -> str:
        """The same of a line around the layers, by the model's own run."""
        full = f"{module_name(path)}.{function.qualname}" if function is not None else ""
        calls = sum(self._entered(run.trace)[full] for run in self.execution.models)
        if calls <= 1:
            return "per step" if phase is Phase.STEP else "once"
        layers = sum(len(kind.layers) for kind in self.execution.kinds)
        return PER_LAYER.get(phase, "per layer") if calls == layers else "unknown"

    def count(
        self, moment: Moment, always: Mapping[int, LayerRuns], times: str,
        path: str, line: int, function: Function | None,
    ) -> int | None:  # fmt: skip
        """How often a line that always runs in a phase does, where that is known.

        always: the layers of the moment that run it, by their place in it; none: it is around
        them. Only what one run of a layer, or of the model, does once is counted.
        """
        if function is None or not moment.counts or self._loops(path, line, function):
            return None
        full = f"{module_name(path)}.{function.qualname}"
        runs = [(moment.layers[at][1], kind.entry) for at, kind in always.items()]
        for trace, through in runs or [(run.trace, "") for run in self.execution.models]:
            entered = self._entered(trace)
            # drivers run a layer within its module, then alone
            if entered[full] != (entered[through] or 1):
                return None
        if not always:
            return moment.count
        if times not in ("once", "per step"):
            return sum(len(kind.layers) * moment.counts[at] for at, kind in always.items())
        alone = len(self.execution.kinds) == 1
        return sum(moment.counts[at] for at in always) if alone else None

    def _entered(self, trace: Trace) -> Counter[str]:
        """How often each function was called in an evaluation."""
        if id(trace) not in self._entries:
            found: Counter[str] = Counter()
            for edge in trace.calls.values():
                found[edge.callee] += edge.count
            self._entries[id(trace)] = found
        return self._entries[id(trace)]

    def _loops(self, path: str, line: int, function: Function) -> bool:
        """Whether a line is in a loop of its function."""
        key = path, function.qualname
        if key not in self._looped:
            self._looped[key] = tuple(
                (node.pos[0], node.pos[2])
                for node in walk(function.node)
                if type(node) in (n.For, n.While)
            )
        return any(first <= line <= last for first, last in self._looped[key])


__all__ = ["Counting"]
