"""NVIDIA's management library, as the scenario's device answers it.

vLLM carries its Python binding (``vllm/third_party/pynvml.py``), whose functions all end in a
shared library: they are summarised under both names. Facts: the NVML reference.
"""

from __future__ import annotations

from typing import Any

from mlapath.models import device_facts
from mlapath.models.api import Library, make_class
from mlapath.values.value import External, Unknown, V

NAMES = ("vllm.third_party.pynvml", "pynvml")


def error_class(it: Any) -> V:
    """``NVMLError``."""
    found = it.store.get("NVMLError")
    if found is None:
        found = V(make_class(it, "pynvml.NVMLError", (it.builtins["Exception"].d,)))
        it.store["NVMLError"] = found
    result: V = found
    return result


def init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``nvmlInit()``: fails where there is no NVIDIA driver."""
    if device_facts.platform(it) != "cuda":
        raise it.make_raise(
            it.instantiate(error_class(it).d, [V("NVML Shared Library Not Found")], {})
        )
    return V(None)


def record(it: Any, **fields: V) -> V:
    """A C structure with these fields."""
    made = V(it.new_instance(make_class(it, "pynvml.c_struct")))
    for name, value in fields.items():
        it.setattr(made, name, value)
    return made


def memory(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``nvmlDeviceGetMemoryInfo()``."""
    used = V(Unknown("memory in use", "int", lo=0))
    total = device_facts.number(it, "memory_bytes")
    return record(it, total=total, free=it.binop("-", total, used), used=used)


def capability(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``nvmlDeviceGetCudaComputeCapability()``: a list in newer bindings, a pair in older."""
    return device_facts.capability(it)


def count(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``nvmlDeviceGetCount()``."""
    return V(it.facts.device_count, device_facts.origin("count", it.facts.device_count))


def nothing(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A call for its effect."""
    return V(None)


def handle(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A device handle."""
    return V(External("pynvml.handle"))


def unknown(what: str, hint: str = "") -> Any:
    """A query whose answer only the machine has."""
    return lambda it, args, kwargs: V(Unknown(what, hint))


FUNCTIONS: dict[str, Any] = {
    "nvmlInit": init,
    "nvmlShutdown": nothing,
    "nvmlDeviceGetCount": count,
    "nvmlDeviceGetHandleByIndex": handle,
    "nvmlDeviceGetHandleByUUID": handle,
    "nvmlDeviceGetCudaComputeCapability": capability,
    "nvmlDeviceGetName": lambda it, a, k: device_facts.product(it),
    "nvmlDeviceGetUUID": unknown("the device's UUID", "str"),
    "nvmlDeviceGetMemoryInfo": memory,
    "nvmlDeviceGetP2PStatus": lambda it, a, k: V(0),
    "nvmlDeviceGetTopologyCommonAncestor": unknown("the devices' topology", "int"),
    "nvmlSystemGetDriverVersion": unknown("the driver's version", "str"),
    "nvmlSystemGetCudaDriverVersion": unknown("the driver's CUDA version", "int"),
    "nvmlDeviceGetNumaNodeId": unknown("the device's NUMA node", "int"),
    "nvmlDeviceGetIndex": unknown("the device's index", "int"),
}
CONSTANTS: dict[str, int] = {
    "NVML_P2P_CAPS_INDEX_READ": 0, "NVML_P2P_CAPS_INDEX_WRITE": 1,
    "NVML_P2P_CAPS_INDEX_NVLINK": 2, "NVML_P2P_CAPS_INDEX_ATOMICS": 3, "NVML_P2P_STATUS_OK": 0,
}  # fmt: skip


def module(name: str) -> Any:
    """A factory of the module itself: a symbol whose functions are summarised."""
    return lambda it: V(External(name))


def constant(value: int) -> Any:
    """A factory of a constant."""
    return lambda it: V(value)


LIBRARY = Library(
    functions={f"{n}.{name}": fn for n in NAMES for name, fn in FUNCTIONS.items()},
    values={
        **{n: module(n) for n in NAMES},
        **{f"{n}.NVMLError": error_class for n in NAMES},
        **{f"{n}.NVMLError_LibraryNotFound": error_class for n in NAMES},
        **{f"{n}.{name}": constant(value) for n in NAMES for name, value in CONSTANTS.items()},
    },
)
