"""``torch.cuda``, ``torch.xpu`` and ``torch.accelerator``, by the scenario's device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models import device_facts as facts
from mlapath.models.api import Fn, argument, make_class
from mlapath.models.torch_device import make, parse
from mlapath.models.torch_state import put, state
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.value import FALSE, NONE, TRUE, Unknown, V

OPAQUE = (
    "torch.cuda.Stream", "torch.cuda.ExternalStream", "torch.cuda.Event", "torch.cuda.CUDAGraph",
    "torch.cuda.MemPool", "torch.cuda.CUDAPluggableAllocator", "torch.xpu.Stream",
    "torch.xpu.Event", "torch.xpu.XPUGraph", "torch.Event", "torch.Stream",
)  # fmt: skip
"""Classes whose instances only have effects on the device."""
QUIET = (
    "synchronize", "empty_cache", "reset_peak_memory_stats", "init", "manual_seed",
    "manual_seed_all", "set_sync_debug_mode", "ipc_collect", "reset_max_memory_allocated",
    "set_per_process_memory_fraction", "seed_all", "set_rng_state",
)  # fmt: skip
BYTES = ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved")
INTEGRATED = ("NVIDIA GB10", "NVIDIA Thor")
"""Products whose memory is the host's."""


def _available(kind: str) -> Fn:
    """``torch.cuda.is_available()``: for NVIDIA and AMD devices."""
    return lambda it, args, kwargs: facts.flag(it, facts.device_type(it) == kind)


def _count(kind: str) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        found = facts.count(it)
        return found if facts.device_type(it) == kind else V(0, found.o)

    return fn


def _require(it: Any, kind: str) -> None:
    """Raise the program's RuntimeError where there is no such device."""
    if facts.device_type(it) != kind:
        it.throw("RuntimeError", "No CUDA GPUs are available" if kind == "cuda"
                 else f"no {kind.upper()} device")  # fmt: skip


def _capability(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    _require(it, "cuda")
    return facts.capability(it)


def _name(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    _require(it, "cuda")
    return facts.product(it)


def _properties(kind: str) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        _require(it, kind)
        cls = it.store.get("device properties")
        if cls is None:
            cls = it.store["device properties"] = make_class(
                it, "torch.cuda._CudaDeviceProperties", foreign="torch.cuda.device_properties",
                facts={"truthy": True, "frozen": True})  # fmt: skip
        made = Instance(cls, it.heap.cell())
        evidence = facts.origin("platform", facts.platform(it))
        made.attrs.update({
            "name": facts.product(it), "total_memory": facts.number(it, "memory_bytes"),
            "multi_processor_count": facts.number(it, "sm_count"),
            "gpu_subslice_count": facts.number(it, "sm_count"),
            "warp_size": V(64 if facts.platform(it) == "rocm" else 32, evidence),
            "is_integrated": _integrated(it),
        })  # fmt: skip
        if kind == "cuda":
            parts = facts.capability(it).d
            made.attrs["major"], made.attrs["minor"] = parts
        if facts.platform(it) == "rocm":
            arch = it.facts.device.capability
            made.attrs["gcnArchName"] = V(arch, facts.origin("compute_capability", arch))
        return V(made, evidence)

    return fn


def _integrated(it: Any) -> V:
    name = facts.product(it)
    if type(name.d) is str:
        return V(name.d in INTEGRATED, name.o)
    return V(Unknown("whether the device has memory of its own", "bool"), name.o)


def _current_device(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    index: V = state(it)["current_device"]
    return index


def _set_device(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    given = argument(args, kwargs, 0, "device") or NONE
    index = given
    if type(given.d) not in (int, Unknown):
        device = parse(it, given).d
        index = device.attrs["index"] if type(device) is Instance else V(
            Unknown("the index of a device", "int", lo=0))  # fmt: skip
    if index.d is not None:
        put(it, "current_device", index)
    return NONE


def _memory_info(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """(free, total)."""
    return V((facts.memory_used("free device memory", it), facts.number(it, "memory_bytes")))


def _bytes(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return facts.memory_used("allocated device memory", it)


def _current_stream(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """One stream until another is set."""
    stream = state(it)["stream"]
    if stream.d is None:
        stream = it.call(it.models.symbol(it, "torch.cuda.Stream"), [], {})
        put(it, "stream", stream)
    return stream  # type: ignore[no-any-return]


def _set_stream(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    put(it, "stream", argument(args, kwargs, 0, "stream") or NONE)
    return NONE


def _opaque(full: str) -> Callable[[Any], V]:
    def construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
        made = Instance(cls, it.heap.cell())
        made.attrs["\0"] = NONE
        return V(made)

    def build(it: Any) -> V:
        methods: dict[str, Fn] = {name: lambda i, a, k: NONE for name in (
            "synchronize", "wait", "record", "wait_stream", "wait_event", "replay", "reset",
            "capture_begin", "capture_end", "debug_dump", "__enter__")}  # fmt: skip
        methods["__exit__"] = lambda i, a, k: FALSE
        return V(make_class(it, full, methods=methods, construct=construct, foreign=full,
                            facts={"truthy": True}))  # fmt: skip

    return build


def _accelerator(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``current_accelerator()``: a device without an index, or None."""
    kind = facts.device_type(it)
    evidence = facts.origin("platform", facts.platform(it))
    return V(None, evidence) if kind is None else make(it, V(kind, evidence), NONE)


def _accelerator_available(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return facts.flag(it, facts.device_type(it) is not None)


def _accelerator_count(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return facts.count(it)


def _constant(value: V) -> Fn:
    return lambda it, args, kwargs: value


def _unknown(why: str, hint: str = "") -> Fn:
    return lambda it, args, kwargs: V(Unknown(why, hint, "" if hint else f"torch.{why}"))


def _device_functions(package: str, kind: str) -> dict[str, Fn]:
    common: dict[str, Fn] = {
        "is_available": _available(kind), "device_count": _count(kind),
        "_is_compiled": _available(kind), "is_initialized": _available(kind),
        "current_device": _current_device, "set_device": _set_device, "mem_get_info": _memory_info,
        "get_device_properties": _properties(kind), "get_device_name": _name,
        "current_stream": _current_stream, "set_stream": _set_stream,
        "memory_stats": _unknown("cuda.memory_stats()"), "memory_summary": _unknown("text", "str"),
        "get_rng_state": _unknown("cuda.get_rng_state()"),
        **dict.fromkeys(BYTES, _bytes), **dict.fromkeys(QUIET, _constant(NONE)),
    }  # fmt: skip
    return {f"{package}.{name}": fn for name, fn in common.items()}


FUNCTIONS: dict[str, Fn] = {
    **_device_functions("torch.cuda", "cuda"), **_device_functions("torch.xpu", "xpu"),
    "torch.cuda.get_device_capability": _capability,
    "torch.cuda._device_count_nvml": _count("cuda"), "torch._C._cuda_getDeviceCount":
        _count("cuda"),
    "torch.cuda.default_stream": _current_stream, "torch.cuda.graph_pool_handle":
        _unknown("cuda.graph_pool_handle()"),
    "torch.cuda.can_device_access_peer": _unknown("whether devices reach each other", "bool"),
    "torch.cuda.is_bf16_supported": lambda it, a, k: _at_least(it, 8),
    "torch.cuda.get_arch_list": _unknown("architectures of the build", "list"),
    "torch.cuda.get_sync_debug_mode": _constant(V(0)),
    "torch.cuda.nccl.version": _unknown("cuda.nccl.version()"),
    "torch.cuda.current_blas_handle": _unknown("a handle", "int"),
    "torch.accelerator.is_available": _accelerator_available,
    "torch.accelerator.current_accelerator": _accelerator,
    "torch.accelerator.device_count": _accelerator_count,
    "torch.accelerator.current_device_index": _current_device,
    "torch.accelerator.set_device_index": _set_device,
    "torch.accelerator.set_device_idx": _set_device,
    "torch.accelerator.current_stream": _current_stream,
    "torch.accelerator.set_stream": _set_stream,
    "torch.accelerator.get_memory_info": _memory_info,
    "torch.accelerator.memory_stats": _unknown("accelerator.memory_stats()"),
    **{f"torch.accelerator.{n}": _bytes for n in BYTES},
    **{f"torch.accelerator.{n}": _constant(NONE)
       for n in ("synchronize", "empty_cache", "reset_peak_memory_stats",
                 "reset_accumulated_memory_stats")},
    **{f"torch.{kind}.is_available": _constant(FALSE) for kind in ("mps", "hpu", "npu", "mtia")},
    "torch.backends.mps.is_available": _constant(FALSE),
    "torch.backends.mps.is_built": _constant(FALSE),
}  # fmt: skip


def _at_least(it: Any, major: int) -> V:
    if facts.device_type(it) != "cuda":
        return facts.flag(it, False)
    parts = facts.capability(it)
    if type(parts.d[0].d) is int:
        return V(parts.d[0].d >= major, parts.o)
    return V(Unknown("the compute capability of the device", "bool"), parts.o)


VALUES: dict[str, Callable[[Any], V]] = {
    **{full: _opaque(full) for full in OPAQUE},
    "torch.cuda.has_magma": lambda it: TRUE,
}
ALIASES = {
    "torch.cuda.graphs.CUDAGraph": "torch.cuda.CUDAGraph",
    "torch.cuda.memory.MemPool": "torch.cuda.MemPool",
    "torch.cuda.streams.Stream": "torch.cuda.Stream",
    "torch.cuda.memory.CUDAPluggableAllocator": "torch.cuda.CUDAPluggableAllocator",
}
