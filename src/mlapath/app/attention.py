"""The attention entries of a report: one for each kind of layer."""

from __future__ import annotations

from dataclasses import dataclass

from mlapath.app.evaluate import Evaluation, Layer, StepResult, Stop, step
from mlapath.app.grouping import group
from mlapath.app.selection import backend_name, candidates
from mlapath.app.verdicts import judge, scene, stopped_before
from mlapath.engine.control import PyRaise
from mlapath.engine.interp import Engine
from mlapath.engine.trace import Trace
from mlapath.findings.evidence import steps
from mlapath.findings.model import AttentionGroup, EvidenceStep, TargetVerdict
from mlapath.query.chain import chain, written
from mlapath.scenario.scenario import Scenario
from mlapath.values.objects import BoundMethod, ClassObj, FuncObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import V


@dataclass(frozen=True)
class Attention:
    """The groups, and what ended a step early."""

    groups: tuple[AttentionGroup, ...]
    stops: tuple[Stop, ...]


def attention_groups(found: Evaluation, scenario: Scenario) -> Attention:
    """Every kind of attention layer, MLA or not, with its verdicts."""
    groups: list[AttentionGroup] = []
    stops: list[Stop] = []
    for layers in group(found.layers):
        first = layers[0]
        result = None
        if first.mla and found.stop is None:
            result = step(found, first, scenario.batch)
            if result.stop is not None:
                stops.append(result.stop)
        groups.append(_group(found, scenario, layers, result))
    return Attention(tuple(groups), tuple(stops))


def _group(
    found: Evaluation, scenario: Scenario, layers: list[Layer], result: StepResult | None
) -> AttentionGroup:
    it = found.engine
    first = layers[0]
    implementation = attribute(first.value, "impl")
    builder = result.builder if result is not None else None
    threshold = number(it, builder, "reorder_batch_threshold")
    sparse = _sparse(it, first)
    numbers = numbers_of(found, first, builder)
    targets: tuple[TargetVerdict, ...] = ()
    if first.mla and result is not None:
        seen = scene(found, first, result, numbers)
        targets = tuple(judge(seen, target) for target in scenario.targets)
    elif first.mla and found.stop is not None:
        targets = tuple(stopped_before(target, found.stop) for target in scenario.targets)
    setup, prefill = found.setup or Trace(), _prefill(first)
    return AttentionGroup(
        layers=tuple(layer.name for layer in layers),
        draft=first.draft,
        layer_class=class_name(first.value) or "",
        mla=first.mla,
        backend=backend_name(it, first.backend),
        backend_class=class_name(first.backend),
        impl_class=class_name(implementation),
        sparse=sparse,
        kv_cache_dtype=text(it, first.value, "kv_cache_dtype"),
        block_size=number(it, _cache_config(it, found), "block_size"),
        prefill_backend=None if prefill is None else _prefill_name(it, prefill),
        indexer_backend=_indexer_backend(it, found, layers),
        metadata_builder=class_name(builder),
        reorder_batch_threshold=threshold,
        candidates=candidates(it, setup, class_of(first.backend), mla=first.mla),
        targets=targets,
        prefill_candidates=()
        if prefill is None or type(prefill.d) is BoundMethod
        else candidates(it, setup, class_of(prefill), mla=None),
        head_size=number(it, first.value, "head_size"),
        threshold_evidence=_origin_of(
            it, None if builder is None else it.find_attr(builder, "reorder_batch_threshold")
        ),
        prefill_evidence=_origin_of(it, prefill),
    )


def numbers_of(found: Evaluation, layer: Layer, builder: V | None) -> dict[str, int]:
    """The numbers that decide between the methods of a layer, by the program's names."""
    numbers: dict[str, int] = {}
    threshold = number(found.engine, builder, "reorder_batch_threshold")
    if threshold is not None:
        numbers["reorder_batch_threshold"] = threshold
    topk = _topk(found.engine, found) if _sparse(found.engine, layer) else None
    if topk is not None:
        numbers["index_topk"] = topk
    return numbers


def attribute(value: V | None, name: str) -> V | None:
    """An instance attribute, read without effects."""
    if value is None or type(value.d) is not Instance:
        return None
    return value.d.attrs.get(name)


def class_of(value: V | None) -> ClassObj | None:
    """A class, or an instance's class."""
    if value is None:
        return None
    if type(value.d) is ClassObj:
        return value.d
    return value.d.cls if type(value.d) is Instance else None


def class_name(value: V | None) -> str | None:
    """``module.Class`` of a class or of an instance's class."""
    found = class_of(value)
    return None if found is None else found.full


def number(it: Engine, value: V | None, name: str) -> int | None:
    """An integer attribute, or None where it is absent or not known."""
    found = None if value is None else it.find_attr(value, name)
    return found.d if found is not None and type(found.d) is int else None


def _origin_of(it: Engine, value: V | None) -> tuple[EvidenceStep, ...]:
    """How a value came about, from what was given or where it is written."""
    if value is None or value.o is None:
        return ()
    return steps(chain(value.o) or written(value.o), it.program)


def text(it: Engine, value: V | None, name: str) -> str | None:
    """A string attribute, or None."""
    found = None if value is None else it.find_attr(value, name)
    return found.d if found is not None and type(found.d) is str else None


def _cache_config(it: Engine, found: Evaluation) -> V | None:
    return None if found.config is None else it.find_attr(found.config, "cache_config")


def _sparse(it: Engine, layer: Layer) -> bool | None:
    if layer.backend is None or not layer.mla:
        return None
    method = it.find_attr(layer.backend, "is_sparse")
    if method is None:
        return None
    try:
        truth = it.truth(it.call(method, [], {}))
    except PyRaise:
        return None
    return None if truth is Truth.UNKNOWN else truth is Truth.TRUE


def _topk(it: Engine, found: Evaluation) -> int | None:
    model = None if found.config is None else it.find_attr(found.config, "model_config")
    config = None if model is None else it.find_attr(model, "hf_text_config")
    return number(it, config, "index_topk")


def _prefill(layer: Layer) -> V | None:
    """The prefill backend; up to 0.20 the implementation's method that stands for one."""
    implementation = attribute(layer.value, "impl")
    for holder in (layer.value, implementation):
        backend = attribute(holder, "prefill_backend")
        if backend is not None and backend.d is not None:
            return backend
    method = attribute(implementation, "_run_prefill_new_tokens")
    if method is None or type(method.d) is not BoundMethod:
        return None
    return method if type(method.d.func) is FuncObj else None


def _prefill_name(it: Engine, backend: V) -> str | None:
    if type(backend.d) is BoundMethod:
        function: FuncObj = backend.d.func
        return function.qualname.rpartition(".")[2]
    method = it.find_attr(backend, "get_name")
    name = None if method is None else it.call(method, [], {}).d
    return name if isinstance(name, str) else class_name(backend)


def _indexer_backend(it: Engine, found: Evaluation, layers: list[Layer]) -> str | None:
    prefix = layers[0].name.rpartition(".")[0] + "."
    for other in found.layers:
        if "indexer" in other.name and other.name.startswith(prefix):
            return backend_name(it, other.backend)
    return None
