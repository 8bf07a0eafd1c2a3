"""What to do about a print that stays silent: why, and where one would show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mlapath.app.firing import STRENGTH, Firing
from mlapath.base.verdict import Verdict
from mlapath.engine.attrs import class_lookup
from mlapath.engine.regions import LOOSE, TRACED
from mlapath.findings.fires import Effect, LocationFiring, Phase, PhaseFiring, PrintEffect
from mlapath.findings.model import Place
from mlapath.resolve.locate import module_name
from mlapath.resolve.outline import Function
from mlapath.values.objects import ClassObj, Descriptor, FuncObj, Instance
from mlapath.values.value import V

STARTUP = (Phase.CONFIG, Phase.LOAD, Phase.PROFILE, Phase.COMPILE, Phase.WARMUP, Phase.CAPTURE)


def print_effect(
    firing: Firing, path: str, line: int, verdict: Verdict, phases: Sequence[PhaseFiring]
) -> PrintEffect:  # fmt: skip
    """What a print before that line does."""
    regions = firing.regions(path, line)
    if TRACED in regions:
        return PrintEffect(
            Effect.ABORTS,
            "torch.compile traces it as one graph (fullgraph): print, a logger or a write to "
            "stderr there ends the start-up with torch._dynamo's Unsupported; behind "
            "`if not torch.compiler.is_compiling()` it starts, and never prints",
        )
    if LOOSE in regions:
        return PrintEffect(Effect.PRINTS, "torch.compile breaks the graph at the print")
    if verdict is Verdict.UNPROVEN:
        return PrintEffect(Effect.UNPROVEN, "whether the line runs is not known")
    if verdict is Verdict.NEVER:
        return PrintEffect(Effect.SILENT, "the line runs in no phase")
    where = [p for p in phases if p.fires in (Verdict.ALWAYS, Verdict.CONDITIONAL)]
    if all(p.phase in STARTUP for p in where):
        names = ", ".join(dict.fromkeys(p.phase.value for p in where))
        if any(p.phase is Phase.STEP and p.fires is Verdict.UNPROVEN for p in phases):
            return PrintEffect(Effect.PRINTS, f"while the server starts ({names}); whether in "
                               "steps, too, is not known")  # fmt: skip
        return PrintEffect(Effect.PRINTS, f"only while the server starts ({names}), in no step")
    return PrintEffect(Effect.PRINTS, _in_steps(where))


def _in_steps(where: Sequence[PhaseFiring]) -> str:
    steps = [p for p in where if p.phase is Phase.STEP and p.batch is not None]
    kinds = ", ".join(
        f"{p.batch.value} ({p.fires.value})" for p in steps if p.batch is not None
    )  # fmt: skip
    return f"in steps: {kinds}"


def holders(firing: Firing) -> Iterator[tuple[str, ClassObj]]:
    """The classes of the objects that compute attention here, with what they are."""
    for kind in firing.execution.kinds:
        layer = kind.layers[0]
        found = [("implementation", _attr(layer.value, "impl")), ("layer", layer.value),
                 ("metadata builder", kind.builder)]  # fmt: skip
        for what, value in found:
            if value is not None and type(value.d) is Instance:
                yield what, value.d.cls
        if layer.backend is not None and type(layer.backend.d) is ClassObj:
            yield "backend", layer.backend.d


def _attr(value: V, name: str) -> V | None:
    return value.d.attrs.get(name) if type(value.d) is Instance else None


def _method(cls: ClassObj, name: str) -> FuncObj | None:
    found = class_lookup(cls, name)
    if found is None:
        return None
    d = found[0].d
    while type(d) is Descriptor:
        d = d.fget.d
    return d if type(d) is FuncObj else None


def replacements(firing: Firing, path: str, function: Function) -> list[tuple[str, FuncObj, bool]]:
    """What runs in place of a method: (what it is of, the method, whether it overrides it)."""
    if not function.owner:
        return []
    full = f"{module_name(path)}.{function.qualname}"
    owner = function.owner.rpartition(".")[2]
    result: list[tuple[str, FuncObj, bool]] = []
    for what, cls in holders(firing):
        method = _method(cls, function.node.name)
        if method is None or method.full == full or method in [m for _, m, _ in result]:
            continue
        overrides = any(c.name == owner and c.path == path for c in cls.mro)
        if overrides or _alike(owner, cls.name):
            result.append((what, method, overrides))
    return result


def _alike(owner: str, name: str) -> bool:
    """Whether two class names say the same kind of thing: such as ``Impl`` or ``Builder``."""
    words = re.findall(r"[A-Z][a-z]+", owner)
    return bool(words) and name.endswith(words[-1])


def instead_of(
    firing: Firing, path: str, function: Function, answer: LocationFiring
) -> tuple[Place, ...]:  # fmt: skip
    """Where a print would show in place of this one."""
    if answer.verdict is Verdict.ALWAYS and any(
        p.phase is Phase.STEP and p.fires is Verdict.ALWAYS for p in answer.phases
    ):
        return ()
    found: list[Place] = []
    full = f"{module_name(path)}.{function.qualname}"
    candidates = [m for _, m, _ in replacements(firing, path, function)]
    if not candidates and not function.node.name.startswith("forward"):
        return ()
    for _, cls in holders(firing):
        for c in cls.mro:
            for name, value in c.ns.items():
                d = value.d
                if name.startswith("forward") and type(d) is FuncObj:
                    candidates.append(d)
    for d in candidates:
        if d.full == full or any(place.function == d.full for place in found):
            continue
        why = _shows(firing, d)
        if why:
            first = d.node.body[0].pos[0] if d.node.body else d.node.pos[0]
            found.append(Place(f"{d.module.path}:{first}", d.full, why))
    return tuple(found[:5])


def _shows(firing: Firing, d: FuncObj) -> str:
    """When the first line of a function runs in steps; "" if it does not."""
    own = firing.absence.function(d.module.path, d.node.pos[0])
    if own is None:
        return ""
    phases = [p for p in firing.phases(d.module.path, own.body, own) if p.phase is Phase.STEP]
    shown = [p for p in phases if STRENGTH[p.fires] >= STRENGTH[Verdict.CONDITIONAL]]
    if not shown:
        return ""
    kinds = ", ".join(
        f"{p.batch.value if p.batch else ''}: {p.fires.value}"
        + (f" ({p.condition.meaning})" if p.condition else "")
        for p in shown
    )  # fmt: skip
    return f"runs {shown[0].times}; {kinds}"


def notes_for(
    firing: Firing, path: str, line: int, function: Function, answer: LocationFiring
) -> tuple[str, ...]:  # fmt: skip
    """What else keeps a print from being seen, the likeliest first."""
    notes: list[str] = []
    runs = answer.verdict in (Verdict.ALWAYS, Verdict.CONDITIONAL)
    for what, method, overrides in replacements(firing, path, function):
        if runs and not overrides:
            continue  # of a class that is only called alike
        place = f"{method.owner.name}.{method.node.name}" if method.owner else method.qualname
        own = function.qualname
        how = "which overrides it" if overrides else f"as its {what}"
        notes.append(f"you edited {own}; this deployment runs {place}, {how}")
    steps = [p for p in answer.phases if p.phase is Phase.STEP]
    early = [p.phase.value for p in answer.phases if p.phase in STARTUP
             and p.fires in (Verdict.ALWAYS, Verdict.CONDITIONAL)]  # fmt: skip
    if early and all(p.fires is Verdict.NEVER for p in steps):
        notes.append(f"it runs only while the server starts: {', '.join(dict.fromkeys(early))}")
    for p in steps:
        threshold = p.condition.numbers.get("reorder_batch_threshold") if p.condition else None
        if threshold is not None and threshold > 1:
            notes.append(f"a prompt of at most {threshold} tokens counts as a decode here "
                         "(reorder_batch_threshold)")  # fmt: skip
            break
    if path in firing.compiled and _hashes_files(firing.execution.found.config):
        notes.append("any edit of this file makes the next start compile the model anew: its "
                     "compile cache goes by the content of the files that are traced")  # fmt: skip
    text = firing.execution.found.engine.program.lines(path)[line - 1]
    if "_once(" in text:
        notes.append("a …_once call writes each text once in the life of the process")
    if re.search(r"\blogger\.debug\(", text):
        notes.append("logger.debug is shown only with VLLM_LOGGING_LEVEL=DEBUG")
    if answer.verdict is not Verdict.NEVER and early + [
        p for p in steps if p.fires is not Verdict.NEVER
    ]:
        notes.append("it runs in a worker process: look at that process's output, where lines "
                     "begin with its name (EngineCore, Worker)")  # fmt: skip
    return tuple(dict.fromkeys(notes))


def _hashes_files(config: V | None) -> bool:
    """Whether this vLLM keeps the names of traced files, to hash them for its compile cache."""
    compilation = _attr(config, "compilation_config") if config is not None else None
    return compilation is not None and _attr(compilation, "traced_files") is not None


__all__ = ["instead_of", "notes_for", "print_effect", "replacements"]
