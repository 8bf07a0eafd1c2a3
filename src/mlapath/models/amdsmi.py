"""``amdsmi``: there where the scenario's device is AMD's."""

from __future__ import annotations

from typing import Any

from mlapath.models import device_facts as facts
from mlapath.models.api import Fn, Library, make_class
from mlapath.values.value import NONE, External, Unknown, V


def _module(it: Any) -> V | None:
    """The module comes with AMD's driver stack."""
    return V(External("amdsmi")) if facts.platform(it) == "rocm" else None


def _handles(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    number = facts.count(it)
    return V(it.heap.list([V(f"handle {i}") for i in range(number.d)]), number.o)


def _asic(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``amdsmi_get_gpu_asic_info``: name and architecture."""
    made = it.heap.dict()
    arch = it.facts.device.capability
    it.dict_set(made, V("market_name"), facts.product(it))
    it.dict_set(made, V("target_graphics_version"),
                V(arch, facts.origin("compute_capability", arch)))  # fmt: skip
    it.dict_set(made, V("num_compute_units"), facts.number(it, "sm_count"))
    it.heap.open_dict(made, "facts of the device")
    return V(made)


def _link(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(Unknown("how devices are linked", "", "amdsmi.link"))


FUNCTIONS: dict[str, Fn] = {
    "amdsmi_init": lambda it, a, k: NONE, "amdsmi_shut_down": lambda it, a, k: NONE,
    "amdsmi_get_processor_handles": _handles, "amdsmi_get_gpu_asic_info": _asic,
    "amdsmi_topo_get_link_type": _link,
    "amdsmi_get_gpu_device_uuid": lambda it, a, k: V(Unknown("an identifier", "str")),
    "amdsmi_topo_get_numa_node_number": lambda it, a, k: V(Unknown("a node", "int", lo=-1)),
}  # fmt: skip
LIBRARY = Library(
    functions={f"amdsmi.{name}": fn for name, fn in FUNCTIONS.items()},
    values={"amdsmi": _module, "amdsmi.AmdSmiException": lambda it: V(
        make_class(it, "amdsmi.AmdSmiException", (it.builtins["Exception"].d,)))},
)  # fmt: skip
