"""In which phases the Python of one line runs, and what a print there would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mlapath.app.absence import Absence
from mlapath.app.conditions import condition_of
from mlapath.app.counting import Counting
from mlapath.app.execution import Execution, LayerRuns, Parts
from mlapath.app.moments import Moment, moments
from mlapath.app.sightings import Sighting, has_lines, sightings
from mlapath.base.verdict import Verdict
from mlapath.engine.control import Guard
from mlapath.engine.regions import LOOSE, MODEL, OPERATOR, TRACED
from mlapath.engine.trace import Trace
from mlapath.findings.fires import Batch, Phase, PhaseFiring
from mlapath.findings.model import Condition
from mlapath.graph.build import build
from mlapath.query.reach import reach
from mlapath.resolve.locate import module_name
from mlapath.resolve.outline import Function

STRENGTH = {Verdict.NEVER: 0, Verdict.UNPROVEN: 1, Verdict.CONDITIONAL: 2, Verdict.ALWAYS: 3}

FIRST = Condition("the first time", "in the first step of all")


@dataclass(frozen=True)
class Answer:
    """Whether something runs, and why."""

    fires: Verdict
    because: str
    condition: Condition | None = None


REPLAYED = Answer(
    Verdict.NEVER, "a CUDA graph of the whole model is replayed: no Python of it runs"
)
DRAFTED = Answer(
    Verdict.CONDITIONAL, "in the model that drafts tokens, where it runs and no graph is replayed",
    Condition("the model of speculative_config runs", "tokens are drafted and no CUDA graph of "
              "the model that drafts them is replayed"),
)  # fmt: skip


@dataclass
class Firing:
    """Answers for the lines of one execution; of steps of given requests, for the first.

    numbers: those that decide, per kind. of_step: what such a step alone leaves out; None: it is
    as in any phase.
    """

    execution: Execution
    absence: Absence
    numbers: Sequence[dict[str, int]]
    of_step: Absence | None = None
    _graphs: dict[int, Any] = field(default_factory=dict)
    _routes: dict[tuple[int, str], tuple[Guard, ...]] = field(default_factory=dict)
    _absences: dict[tuple[str, int, Phase], Answer] = field(default_factory=dict)

    def phases(self, path: str, line: int, function: Function | None) -> list[PhaseFiring]:
        """The answer for each phase, in their order."""
        return [self.phase(path, line, function, phase, batch) for phase, batch in self.moments]

    def regions(self, path: str, line: int) -> set[str]:
        """The regions that a line was seen in, in any phase of the worker."""
        found: set[str] = set()
        for moment in list(self.moments.values())[2:]:
            parts = [p for _, _, layer in moment.layers for p in layer]
            parts.extend(p for level, _ in moment.around for p in level)
            found.update(s.region for s in sightings(parts, path, line))
        return found

    @cached_property
    def _counting(self) -> Counting:
        return Counting(self.execution)

    @cached_property
    def moments(self) -> dict[tuple[Phase, Batch | None], Moment]:
        """What runs in each phase."""
        return moments(self.execution)

    def phase(
        self, path: str, line: int, function: Function | None, phase: Phase, batch: Batch | None
    ) -> PhaseFiring:  # fmt: skip
        """The answer for one phase; a step by its kind of batch."""
        moment = self.moments[phase, batch]
        process = "api" if phase is Phase.CONFIG else "worker"
        nothing = self._nothing(phase)
        if nothing is not None:
            return PhaseFiring(phase, batch, Verdict.NEVER, nothing, process=process)
        answers: list[tuple[Answer, str]] = []
        inner = False
        always: dict[int, LayerRuns] = {}
        for index, (kind, trace, parts) in enumerate(moment.layers):
            inner = inner or _holds(parts, path, function)
            for seen in sightings(parts, path, line):
                answer = self._seen(
                    seen,
                    function,
                    path,
                    moment,
                    trace,
                    index,
                    draft=kind is not None and kind.layers[0].draft,
                )
                times = self._counting.times(phase, kind, seen.region, function)
                answers.append((answer, times))
                if kind is not None and answer.fires is Verdict.ALWAYS:
                    always[index] = kind
        if not inner:
            full = f"{module_name(path)}.{function.qualname}" if function is not None else ""
            level = next((p for p, names in moment.around if full in names), ())
            for seen in sightings(level, path, line):
                answer = self._seen(seen, function, path, moment, None, 0)
                answers.append((answer, self._counting.times_around(phase, function, path)))
        if not answers and any(sightings(parts, path, line) for _, _, parts in moment.first):
            answers.append((Answer(Verdict.CONDITIONAL, "only the first time", FIRST), "once"))
        if phase is Phase.COMPILE:
            return self._compile(path, line, function, answers, process)
        if not answers:
            answer = self._absent(path, line, function, phase)
            if phase is Phase.CAPTURE and self._graphs_unknown and answer.fires is Verdict.NEVER:
                answer = Answer(Verdict.UNPROVEN, "what CUDA graphs are captured is not known")
            return PhaseFiring(phase, batch, answer.fires, answer.because, process=process)
        best, times = max(answers, key=lambda pair: STRENGTH[pair[0].fires])
        if moment.unsure and best.fires is Verdict.ALWAYS:
            best = Answer(Verdict.CONDITIONAL, moment.unsure)
        certain = not moment.unsure and all(a.fires is Verdict.ALWAYS for a, _ in answers)
        count = (
            self._counting.count(moment, always, times, path, line, function) if certain else None
        )
        return PhaseFiring(phase, batch, best.fires, best.because, times, process, best.condition,
                           count)  # fmt: skip

    def _nothing(self, phase: Phase) -> str | None:
        """Why nothing at all runs in a phase."""
        stop = self.execution.found.stop
        if self.execution.refused and stop is not None and phase not in (
            Phase.CONFIG, Phase.LOAD
        ):  # fmt: skip
            return f"vLLM refuses this deployment ({stop.stage}): it does not come this far"
        if phase is Phase.STEP and self.execution.ends_at_capture:
            return "vLLM refuses this deployment (capture): it does not come this far"
        if self.execution.start.runs is False and phase in (Phase.PROFILE, Phase.WARMUP):
            return "this worker does not run the model before the first step"
        graphs = self.execution.graphs
        if phase is Phase.CAPTURE and graphs is not None and not graphs.captures:
            return "no CUDA graph is captured in this deployment"
        if phase is Phase.COMPILE and stop is None and not self.compiled:
            return "nothing is compiled in this deployment"
        return None

    @property
    def _graphs_unknown(self) -> bool:
        graphs = self.execution.graphs
        return graphs is None or graphs.decode is None or graphs.mixed is None

    @cached_property
    def compiled(self) -> frozenset[str]:
        """The files of which any line was seen inside one compiled graph."""
        moment = self.moments[Phase.PROFILE, None]
        parts = [*(p for _, _, layer in moment.layers for p in layer)]
        parts.extend(p for level, _ in moment.around for p in level)
        return frozenset(path for part in parts for region, path in part if region == TRACED)

    def _seen(
        self, seen: Sighting, function: Function | None, path: str, moment: Moment,
        trace: Trace | None, index: int, *, draft: bool = False,
    ) -> Answer:  # fmt: skip
        if seen.region == TRACED:
            return Answer(Verdict.NEVER, "torch.compile made code of its own of it: what runs is "
                          "that code, not this Python")  # fmt: skip
        if seen.region == LOOSE:
            return Answer(
                Verdict.CONDITIONAL,
                "torch.compile made code of its own of it; its Python runs only where that breaks",
                Condition("torch.compile breaks the graph here",
                          "where Dynamo cannot trace the line"),
            )  # fmt: skip
        if draft and (seen.sure or seen.region in (MODEL, OPERATOR)):
            return DRAFTED  # whether it drafts, and with what graphs, the runner decides
        if seen.region in (MODEL, OPERATOR):
            if moment.replayed:
                return REPLAYED if moment.exact else self._replayed()
            if moment.replayed is None:
                return Answer(Verdict.UNPROVEN, "whether CUDA graphs are replayed is not known")
        if seen.sure:
            return Answer(Verdict.ALWAYS, "nothing that is not known leads past it")
        guards = list(seen.guards[::-1])
        name = "" if function is None else function.node.name
        if trace is not None and function is not None:
            full = f"{module_name(path)}.{function.qualname}"
            guards.extend(g for g in self._route(trace, full) if g not in guards)
        numbers = self.numbers[index] if index < len(self.numbers) else {}
        condition = condition_of(guards, name or "it", numbers) if guards else None
        because = (
            f"when {condition.meaning}" if condition else "something that is not known decides"
        )
        return Answer(Verdict.CONDITIONAL, because.replace("when in", "in"), condition)

    def _route(self, trace: Trace, full: str) -> tuple[Guard, ...]:
        """The guards that every way to a function passes."""
        key = (id(trace), full)
        if key not in self._routes:
            if id(trace) not in self._graphs:
                self._graphs[id(trace)] = build(trace)
            self._routes[key] = reach(self._graphs[id(trace)], full).guards
        return self._routes[key]

    def _replayed(self) -> Answer:
        """In a step that a full graph may be replayed for."""
        graphs = self.execution.graphs
        assert graphs is not None
        sizes, requests, tokens = graphs.full_sizes, graphs.requests, graphs.decode_tokens
        if graphs.mixed == "FULL":
            sizes = graphs.sizes
        if sizes and requests and tokens and sizes[-1] >= requests * tokens:
            return REPLAYED
        if not graphs.sizes:
            return Answer(
                Verdict.CONDITIONAL, f"{REPLAYED.because}, where one was captured for its size",
                Condition("no graph of the size", "no graph was captured for so many tokens; "
                          "which sizes are captured is not known"),
            )  # fmt: skip
        largest = sizes[-1] if sizes else 0
        return Answer(
            Verdict.CONDITIONAL,
            f"{REPLAYED.because}, unless the step is larger than any that was captured",
            Condition(f"num_tokens > {largest}",
                      f"the step has more than {largest} tokens, the largest captured size",
                      {"max_cudagraph_capture_size": largest}),
        )  # fmt: skip

    def _absent(self, path: str, line: int, function: Function | None, phase: Phase) -> Answer:
        """Of a line that a phase did not run: why, or what keeps that from being proved."""
        alike = {Phase.CONFIG: Phase.LOAD, Phase.LOAD: Phase.LOAD, Phase.STEP: Phase.STEP}
        key = (path, line, alike.get(phase, Phase.PROFILE))
        if key not in self._absences:
            own = self.of_step if phase is Phase.STEP else None
            self._absences[key] = self._missing(path, line, function, own or self.absence, key[2])
        return self._absences[key]

    def _missing(
        self, path: str, line: int, function: Function | None, absence: Absence, phase: Phase
    ) -> Answer:  # fmt: skip
        starting, stepping = phase is Phase.LOAD, phase is Phase.STEP
        blockers = absence.blockers(path, function, line, starting=starting, stepping=stepping)
        if blockers:
            return Answer(Verdict.UNPROVEN, f"not reached, but not excluded: {blockers[0]}")
        barriers = absence.barriers(path, function, line)
        if barriers:
            seen = barriers[0].guard
            text = self.execution.found.engine.program.text(seen.path, seen.pos)
            short = " ".join(text.split())[:80]
            truth = "false" if barriers[0].needed else "true"
            return Answer(Verdict.NEVER, f"{short} is {truth} ({seen.path}:{seen.pos[0]})")
        if function is None:
            return Answer(Verdict.NEVER, "nothing that is imported runs it")
        return Answer(Verdict.NEVER, "nothing calls it there")

    def blockers(
        self, path: str, function: Function | None, line: int
    ) -> tuple[str, ...]:  # fmt: skip
        """What keeps a line that was not seen from being proved dead."""
        own = self.of_step
        found = self.absence.blockers(path, function, line)
        return found or (own.blockers(path, function, line) if own is not None else ())

    def _compile(
        self, path: str, line: int, function: Function | None,
        answers: list[tuple[Answer, str]], process: str,
    ) -> PhaseFiring:  # fmt: skip
        fakes = self.execution.found.engine.store.get("fakes", set())
        full = "" if function is None else f"{module_name(path)}.{function.qualname}"
        if full in fakes:
            return PhaseFiring(
                Phase.COMPILE, None, Verdict.CONDITIONAL,
                "Dynamo calls the operator's fake implementation where it traces",
                "per layer", process,
                Condition("not cached", "the compile cache of this model is cold"),
            )  # fmt: skip
        traced = any("torch.compile" in a.because for a, _ in answers)
        because = (
            "Dynamo reads the code; it does not run it" if traced else "Dynamo does not come here"
        )
        if not answers and self.blockers(path, function, line):
            return PhaseFiring(Phase.COMPILE, None, Verdict.UNPROVEN, "not reached, but not "
                               "excluded", process=process)  # fmt: skip
        return PhaseFiring(Phase.COMPILE, None, Verdict.NEVER, because, process=process)


def _holds(parts: tuple[Parts, ...], path: str, function: Function | None) -> bool:
    """Whether any line of a function's body ran."""
    return function is not None and has_lines(parts, path, function.line + 1, function.last)


__all__ = ["Answer", "Firing", "Moment"]
