"""Run the drivers on an engine: configuration, load, and a step of each kind of layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlapath.app.build import MODEL_FOLDER
from mlapath.drivers.files import PREFIX
from mlapath.engine.budget import OutOfBudget
from mlapath.engine.control import PyRaise
from mlapath.engine.interp import Engine
from mlapath.engine.trace import Trace
from mlapath.models.transformers import given_value
from mlapath.scenario.batch import Batch
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.origin import Origin
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

LAYER_BASE = "AttentionLayerBase"
"""The tree's base class of layers that own a KV cache (an entry point of the drivers)."""
SELECTION = frozenset({"validate_configuration"})
"""Functions of the tree whose results say why a backend was turned down."""


TOO_MUCH = (OutOfBudget, RecursionError, MemoryError)
"""What ends an evaluation that is too large for its limits or for the machine."""


@dataclass(frozen=True)
class Stop:
    """The evaluation ended early: an exception of the program, or a limit of ours."""

    stage: str
    raised: PyRaise | None
    why: str = ""


@dataclass(frozen=True)
class StepResult:
    """What one step of one layer showed.

    ``before``: what ran for the layer before the step: its weights, its metadata builder.
    ``batch``: the requests of the step; None: it was a step of any batch.
    """

    trace: Trace
    builder: V | None
    stop: Stop | None
    before: Trace | None = None
    batch: Batch | None = None


@dataclass(frozen=True)
class Layer:
    """An attention layer that was constructed: its name in the model and its object.

    draft: it is one of a model that drafts tokens for the other.
    """

    name: str
    value: V
    backend: V | None
    mla: bool
    draft: bool = False


@dataclass
class Evaluation:
    """Everything that the engine found; filled stage by stage."""

    engine: Engine
    config: V | None = None
    model: V | None = None
    drafter: V | None = None
    """The model that drafts tokens for the other, where there is one."""
    layers: list[Layer] = field(default_factory=list)
    others: dict[str, V] = field(default_factory=dict)
    open: bool = False
    """Whether there may be layers beside these."""
    stages: int | None = 1
    """How many pipeline stages the deployment has."""
    stop: Stop | None = None
    setup: Trace | None = None

    def model_of(self, layer: Layer) -> V:
        """The model that a layer belongs to."""
        model = self.drafter if layer.draft else self.model
        return model or V(None)


def stopped(it: Engine, raised: PyRaise, default: str) -> Stop:
    """What a raise means: a refusal of the program, unless one of our drivers raised it."""
    stage = it.store.get("stage", default)
    if raised.path.startswith(PREFIX):
        said = f"{it.type_name(raised.exc)}: {it.message_of(raised.exc)}"
        line = raised.pos[0] if raised.pos else 0
        return Stop(
            stage, None, f"this tree does not fit the driver at {raised.path}:{line} ({said})"
        )
    return Stop(stage, raised)


def limit_text(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "calls or data nested too deeply to be evaluated"
    if isinstance(error, MemoryError):
        return "not enough memory to evaluate it"
    return str(error)


def engine_arguments(it: Engine, flags: Mapping[str, Any]) -> V:
    """Keyword arguments of EngineArgs, each with ``flag:name`` as its origin."""
    made = it.heap.dict()
    it.dict_set(made, V("model"), V(MODEL_FOLDER))
    for name, value in flags.items():
        it.dict_set(made, V(name), given_value(it, value, name, "flag"))
    return V(made)


def evaluate(it: Engine, flags: Mapping[str, Any], pipeline_rank: int = 0) -> Evaluation:
    """Configuration and load of one pipeline stage; ends early where the program raises."""
    found = Evaluation(it)
    it.observed = SELECTION
    try:
        driver = it.import_module("mlapath_drivers.config")
        given = engine_arguments(it, flags)
        found.config = it.call(it.getattr(driver, "create"), [given], {})
        serve = it.import_module("mlapath_drivers.serve")
        stages = it.call(it.getattr(serve, "pipeline_stages"), [found.config], {})
        found.stages = stages.d if type(stages.d) is int else None
        arguments = [found.config, V(pipeline_rank)]
        found.model = it.call(it.getattr(serve, "load"), arguments, {})
        attention = it.import_module("mlapath_drivers.attention")
        it.call(it.getattr(attention, "prepare"), [found.config, it.store["kept"]["layers"]], {})
    except PyRaise as raised:
        found.stop = stopped(it, raised, "config")
    except TOO_MUCH as error:
        found.stop = Stop(it.store.get("stage", "config"), None, limit_text(error))
    kept = it.store.get("kept", {})
    found.config = found.config or kept.get("vllm_config")
    found.setup = it.trace
    drafter = kept.get("draft_model")
    found.drafter = None if drafter is None or drafter.d is None else drafter
    if "layers" in kept:
        it.trace = Trace()  # our own questions to the layers are nothing that vLLM runs
        _collect(it, found, kept)
        it.trace = found.setup
    return found


def _collect(it: Engine, found: Evaluation, kept: Mapping[str, V]) -> None:
    layers = kept["layers"]
    items = it.mapping_items(layers)
    targets = it.iterate(kept["target_layers"]) if "target_layers" in kept else None
    own = None if targets is None else {name.d for name in targets}
    found.open = items is None or bool(it.is_open(layers)) or found.stages is None
    for key, value in items or ():
        if type(value.d) is not Instance or not _is_attention(value.d.cls):
            found.others[str(key.d)] = value
            continue
        backend = None
        mla = False
        method = it.find_attr(value, "get_attn_backend")
        if method is not None:
            try:
                backend = it.call(method, [], {})
                asked = it.find_attr(backend, "is_mla")
                mla = asked is not None and it.truth(it.call(asked, [], {})) is Truth.TRUE
            except PyRaise:
                backend = None
        has_impl = it.find_attr(value, "impl") is not None
        draft = own is not None and key.d not in own
        found.layers.append(Layer(str(key.d), value, backend, mla and has_impl, draft))


def _is_attention(cls: ClassObj) -> bool:
    return any(c.name == LAYER_BASE for c in cls.mro)


def step_requests(batch: Batch | None) -> V:
    """For the driver: (new tokens, cached tokens, how many) of each kind of request."""
    if batch is None:
        return V(None)
    origin = Origin("flag", label="flag:batch", value=batch.spec)
    return V(tuple(
        V((V(part.query, origin), V(part.context, origin), V(part.count, origin)))
        for part in batch.requests
    ))  # fmt: skip


def step(found: Evaluation, layer: Layer, batch: Batch | None = None) -> StepResult:
    """Run one step of ``layer`` with a trace of its own; without a batch one that is any."""
    it = found.engine
    names_around = related(found, layer)
    it.trace = before = Trace()
    it.subjects = (layer.value.d,)
    builder: V | None = None
    stop: Stop | None = None
    try:
        driver = it.import_module("mlapath_drivers.step")
        table = it.store["kept"]["layers"]
        name = V(layer.name)
        config, model = found.config or V(None), found.model_of(layer)
        arguments = [config, model, table, name, layer.value]
        made: V = it.call(it.getattr(driver, "setup"), arguments, {})
        builder = made
        it.trace = Trace()
        names = V(it.heap.list([V(other) for other in names_around]))
        it.call(
            it.getattr(driver, "run"),
            [config, model, table, name, layer.value, names, made, step_requests(batch)], {},
        )  # fmt: skip
    except PyRaise as raised:
        stop = stopped(it, raised, "step")
    except TOO_MUCH as error:
        stop = Stop(it.store.get("stage", "step"), None, limit_text(error))
    it.region = ""
    trace, it.trace = it.trace, found.setup or Trace()
    return StepResult(trace, builder, stop, before, batch)


def alone(found: Evaluation, method: V) -> StepResult:
    """Run one bound method inside a step with arguments that nobody knows, traced apart."""
    it = found.engine
    params = (
        method.d.func.d.node.params if isinstance(method.d.func, V) else method.d.func.node.params
    )
    positional = (*params.posonly, *params.args)[1:]
    it.trace = Trace()
    stop: Stop | None = None
    try:
        driver = it.import_module("mlapath_drivers.step")
        keywords = it.heap.dict()
        for p in params.kwonly:
            it.dict_set(keywords, V(p.name), V(Unknown(f"any {p.name}")))
        arguments = V(tuple(V(Unknown(f"any {p.name}")) for p in positional))
        anything = V(Unknown("any metadata"))
        config = found.config or V(None)
        given = [config, method, arguments, V(keywords), anything]
        it.call(it.getattr(driver, "alone"), given, {})
    except PyRaise as raised:
        stop = stopped(it, raised, "step")
    except TOO_MUCH as error:
        stop = Stop(it.store.get("stage", "step"), None, limit_text(error))
    trace, it.trace = it.trace, found.setup or Trace()
    return StepResult(trace, None, stop)


def related(found: Evaluation, layer: Layer) -> Sequence[str]:
    """The layer and those that live inside the same attention module (an indexer's cache)."""
    parent = layer.name.rpartition(".")[0] + "."
    return [
        other.name
        for other in found.layers
        if other.name == layer.name or other.name.startswith((parent, layer.name + "."))
    ]
