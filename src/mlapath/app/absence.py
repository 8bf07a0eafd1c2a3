"""Why a line that the evaluation never saw is not run, or what keeps that from being proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from mlapath.app.execution import Execution
from mlapath.app.kept import Barrier, Kept
from mlapath.app.proof import failures, open_calls, unread_files
from mlapath.engine.trace import GuardSeen, Trace
from mlapath.findings.evidence import steps
from mlapath.findings.model import EvidenceKind, EvidenceStep
from mlapath.query.callers import Callers, Ran
from mlapath.query.chain import chain
from mlapath.query.operators import operators
from mlapath.query.stepping import Stepping, named_from, stepping
from mlapath.query.texts import was_read, was_run
from mlapath.resolve.locate import module_name
from mlapath.resolve.outline import Function
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.origin import Origin

PROGRAMS = frozenset({"vllm/entrypoints/cli/main.py", "vllm/entrypoints/openai/api_server.py"})
"""Where the programs begin that the drivers stand for: ``vllm``, ``python -m``."""
WORKERS = "vllm/v1/worker/"
REQUESTS = frozenset({
    "capture_model", "compile_or_warm_up_model", "determine_available_memory",
    "elastic_ep_execute", "finish_weight_update", "get_kv_cache_spec", "init_device",
    "initialize_from_config", "initialize_kv_cache", "load_model", "profile_run",
    "reinitialize_distributed", "reload_weights", "save_sharded_state", "save_tensorized_model",
    "shutdown", "sleep", "start_draft_weight_update", "start_weight_update", "update_weights",
    "wake_up",
})  # fmt: skip
"""What workers and their model runners are asked to do at start-up or between two steps."""
SCALING = tuple(f"vllm/distributed/elastic_ep/elastic_{x}.py" for x in ("execute", "state"))
"""What ``elastic_ep_execute`` leads to: how an engine changes its size, between steps."""
LOADING = frozenset({"load_weights"})
"""What models and loaders, of any file, are asked to do with weights; never in a step either."""
STEPS = frozenset({"execute_model", "sample_tokens"})
"""What they are asked to do in one."""
IN_STEPS = frozenset({"decode step", "first step", "step", "module", "model"})
"""The traces of steps; the model around its layers does the same in each."""


@dataclass
class Absence:
    """Answers for one execution; keeps what it looked up.

    whole: the answers for all of the deployment, where these are for a step of given requests:
    ``execution`` then has the runs that count for it. Who may call what is asked of the whole.
    """

    execution: Execution
    whole: Absence | None = None

    def blockers(
        self, path: str, function: Function | None, line: int, *,
        starting: bool = False, stepping: bool = False,
    ) -> tuple[str, ...]:  # fmt: skip
        """What keeps a line that was not seen from being proved dead; stepping: in a step."""
        left_open = self.left_open(path, starting=starting)
        if left_open:
            return left_open
        if function is None:
            if self.imported(path):
                return ()
            why = self.callers.module(path)
        else:
            why = self.outside(path, function, stepping=stepping)
        if why is not None:
            return (why,)
        return self.unstable(path, function, line)

    def left_open(self, path: str, *, starting: bool) -> tuple[str, ...]:
        """What was not looked into, or failed: it may lead anywhere.

        starting: also alternatives of the start-up that fail; they lead to no other model. What
        the run of the model around its layers leaves open counts for the files that it alone
        enters.
        """
        everywhere, start_up, around = self._left_open
        found = (*everywhere, *(start_up if starting else ()))
        return (*found, *around) if path in self._around_only else found

    @cached_property
    def _around_only(self) -> frozenset[str]:
        """Files that the run of the model entered, and no run of a layer."""
        inner = {p for k in self.execution.kinds for _, run in k.runs for p in run.trace.lines}
        return frozenset(p for run in self.execution.models for p in run.trace.lines) - inner

    @cached_property
    def _left_open(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
        found: list[str] = []
        failed: list[str] = []
        around: list[str] = []
        of_models = [run.stop for run in self.execution.models]
        for stop in self.execution.stops():
            into = around if any(stop is other for other in of_models) else found
            if stop.raised is None:
                into.append(f"the evaluation ended early ({stop.stage}): {stop.why}")
            elif not stop.raised.explicit:  # what the program itself raises ends it there
                line = stop.raised.pos[0] if stop.raised.pos else 0
                into.append(f"{stop.raised.path}:{line} raises in the evaluation ({stop.stage})")
        for what, trace in self.execution.traces():
            into = around if what == "model" else found
            opened = open_calls(self.execution.found, trace)
            into.extend(f"{text} ({what})" for text in opened)
            into = failed if what in ("start-up", "weights") else into
            into.extend(f"{text} ({what})" for text in failures(trace))
        found.extend((*self._beyond(), *unread_files(self.execution.found)))
        once = [tuple(dict.fromkeys(texts)) for texts in (found, failed, around)]
        return once[0], once[1], once[2]

    def _beyond(self) -> Iterator[str]:
        """Parts of the deployment that no driver runs."""
        found = self.execution.found
        if found.stop is not None:
            return
        if (found.stages or 2) > 1:
            yield "other pipeline stages are not looked into"
        if found.open:
            yield "there may be other layers than those that are known"
        if found.drafter is not None and type(found.drafter.d) is not Instance:
            yield "the model that drafts (speculative_config) is not looked into"

    @cached_property
    def callers(self) -> Callers:
        """Who may call what, beside the code that was evaluated."""
        if self.whole is not None:
            return self.whole.callers
        program = self.execution.found.engine.program
        modules = {path for _, trace in self.execution.traces() for path in trace.lines}
        found = self.execution.found
        used = [layer.backend.d for layer in found.layers if layer.backend is not None]
        classes = found.engine.made.union(*(d.mro for d in used if type(d) is ClassObj))
        made = {(c.path, c.name) for c in classes}
        traces = [trace for _, trace in self.execution.traces()]
        everything = Ran(
            self._ran(traces), frozenset(modules), frozenset(made), operators(traces, program),
            lambda path, line: was_read(traces, program.load(path).body, path, line),
            lambda path, line: was_run(traces, program.load(path).body, path, line), PROGRAMS,
        )  # fmt: skip
        return Callers(program.names, everything)

    @cached_property
    def stepping(self) -> Stepping:
        """The same in a step."""
        if self.whole is not None:
            return self.whole.stepping
        stepped = [trace for what, trace in self.execution.traces() if what in IN_STEPS]
        workers = [path for path in self.callers.names.paths if path.startswith(WORKERS)]
        said = named_from(self.callers.names, workers, STEPS)
        between = frozenset((
            *((path, name) for path in workers for name in REQUESTS - said),
            *((path, name) for path in self.callers.names.paths for name in LOADING - said),
            *((path, name) for path in SCALING
              for name in self.callers.names.index(path).defined.keys() - said),
        ))  # fmt: skip
        return stepping(self.callers, self._ran(stepped), between)

    @staticmethod
    def _ran(traces: Iterable[Trace]) -> frozenset[tuple[str, str, str]]:
        """The functions that traces entered: path, class or "", name."""
        found: set[tuple[str, str, str]] = set()
        for trace in traces:
            for full, (path, _) in trace.functions.items():
                *_, owner, name = ("", *full.removeprefix(module_name(path)).split("."))
                found.add((path, "" if owner == "<locals>" else owner, name))
        return frozenset(found)

    @cached_property
    def entries(self) -> frozenset[str]:
        """Functions that drivers call: they stand for every caller outside."""
        return frozenset(
            edge.callee for _, trace in self.execution.traces()
            for edge in trace.calls.values() if edge.path.startswith("<")
        )  # fmt: skip

    def function(self, path: str, line: int) -> Function | None:
        """The function whose ``def`` is on a line."""
        known = self.execution.found.engine.program.functions(path)
        return next((f for f in known if f.line == line), None)

    def outside(self, path: str, function: Function, *, stepping: bool = False) -> str | None:
        """Why code that was not evaluated may call a function; None if none can.

        stepping: in a step.
        """
        full = f"{module_name(path)}.{function.qualname}"
        ran = any(full in trace.functions for _, trace in self.execution.traces())
        if ran and (full in self.entries or function.node.name == "forward"):
            return None
        if "<locals>" in function.qualname:
            return self._around(path, function)
        owner, name = function.owner.rpartition(".")[2], function.node.name
        callers = self.stepping if stepping else self.callers
        why = callers.outside(path, owner, name)
        if why is None or not owner or name.startswith("__"):
            return why
        # Who calls a method names it: it is enough that every such call is kept from being made.
        if self.callers.by_name(path, owner, name) is None:
            barriers = self.kept.before_calls(function)
            unstable = self.kept.unstable(barriers or ())
            if barriers:
                return unstable[0] if unstable else None
        return why

    def _around(self, path: str, function: Function) -> str | None:
        """Of a nested function: who may call the one around it; or it, where that one ran."""
        outer = function.qualname.rpartition(".<locals>.")[0]
        found = self.execution.found.engine.program.functions(path)
        around = next((f for f in found if f.qualname == outer), None)
        if around is None:
            return f"what defines {function.qualname} is not known"
        if not self.kept.ran(path, around):
            return self.outside(path, around)
        owner, name = function.owner.rpartition(".")[2], function.node.name
        if owner:  # a method of a class that is defined there
            return self.callers.outside(path, owner, name)
        beside = {f.node.name for f in found if f.qualname.startswith(f"{outer}.<locals>.")
                  and not self.kept.ran(path, f)}  # fmt: skip
        names = [name]
        for one in names:  # what may be called may call those that it names
            handed_on = self.callers.made_in(path, one)
            if handed_on:
                return handed_on
            within = self.callers.callers_within(path, one)
            names.extend(x for x in within if x in beside and x not in names)
        return self.outside(path, around)

    def imported(self, path: str) -> bool:
        """Whether the module was imported by anything that was evaluated."""
        return path in self.callers.ran.modules

    @cached_property
    def kept(self) -> Kept:
        """What kept lines from running."""
        return Kept(self.execution, lambda name: self.callers.mentions(name)[0], self.outside)

    def barriers(self, path: str, function: Function | None, line: int) -> tuple[Barrier, ...]:
        """The decided guards that kept a line from running, a step's first.

        Of a function that was not entered: those that kept its calls from being made. Empty
        where no guard is the reason.
        """
        if function is None:
            return ()
        if self.kept.ran(path, function):
            return self.kept.before(path, function, line) or ()
        return self.kept.before_calls(function) or ()

    def unstable(self, path: str, function: Function | None, line: int) -> tuple[str, ...]:
        """Writes in the tree that could make a line run that was not reached."""
        barriers = self.barriers(path, function, line)
        if barriers or function is None or self.kept.ran(path, function):
            return self.kept.unstable(barriers)
        return self.kept.receivers(function)

    def evidence(self, guard: GuardSeen, at: str) -> tuple[EvidenceStep, ...]:
        """The chain from a given fact to the guard, and what it keeps from running."""
        program = self.execution.found.engine.program
        inputs = (guard.origin,) if guard.origin else ()
        origin = Origin("guard", guard.path, guard.pos, inputs, guard.control, value=guard.value)
        result = list(steps(chain(origin) or (origin,), program))
        rests_on = (result[-1].at,) if result and result[-1].at else ()
        result.append(
            EvidenceStep(at, "the line is not reached", None, EvidenceKind.NO_CALL, rests_on)
        )
        return tuple(result)


__all__ = ["Absence"]
