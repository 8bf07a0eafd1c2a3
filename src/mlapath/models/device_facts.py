"""What the scenario says of its device, as values with their evidence."""

from __future__ import annotations

from typing import Any

from mlapath.scenario.devices import products
from mlapath.values.origin import Origin
from mlapath.values.value import Unknown, V

RUNTIME = {"cuda": "cuda", "rocm": "cuda", "xpu": "xpu"}
"""Platform -> the device type that torch calls its accelerator."""


def platform(it: Any) -> str:
    """``cuda``, ``rocm``, ``xpu`` or ``cpu``."""
    return str(it.facts.device.platform)


def device_type(it: Any) -> str | None:
    """The device type of torch's accelerator; None where there is none."""
    return RUNTIME.get(platform(it))


def origin(label: str, value: object) -> Origin:
    """Evidence: the device that the scenario names."""
    return Origin("device", label=f"device:{label}", value=value)


def flag(it: Any, holds: bool, label: str = "platform") -> V:
    """A bool that rests on the device."""
    return V(holds, origin(label, platform(it)))


def capability(it: Any) -> V:
    """``(major, minor)``."""
    known = it.facts.device.compute_capability
    evidence = origin("compute_capability", known)
    if known is None:
        why = "the compute capability of the device"
        parts = V(Unknown(why, "int", lo=0)), V(Unknown(why, "int", lo=0, hi=9))
        return V(parts, evidence)
    return V((V(known[0], evidence), V(known[1], evidence)), evidence)


def number(it: Any, name: str) -> V:
    """``memory_bytes`` or ``sm_count``; where the scenario does not say, that of some product."""
    known = getattr(it.facts.device, name, None)
    if known is not None:
        return V(known, origin(name, known))
    numbers = [getattr(x, name) for x in products(it.facts.device)]
    low, high = 1, None
    if numbers and None not in numbers:
        low, high = min(numbers), max(numbers)
    return V(Unknown(f"{name} of the device", "int", lo=low, hi=high, text=name),
             origin(name, None))  # fmt: skip


def memory_used(why: str, it: Any) -> V:
    """A number of bytes on the device that only a run tells."""
    total = getattr(it.facts.device, "memory_bytes", None)
    return V(Unknown(why, "int", lo=0, hi=total))


def product(it: Any) -> V:
    """The product's name, as its driver reports it; of a capability, those of its products."""
    name = getattr(it.facts.device, "product_name", None)
    if name is not None:
        return V(name, origin("product_name", name))
    names = [x.product_name for x in products(it.facts.device)]
    evidence = origin("product_name", None)
    if not names:
        return V(Unknown("the name of the device", "str"), evidence)
    return V(it.union([V(each, evidence) for each in names]).d, evidence)


def count(it: Any) -> V:
    """How many devices there are."""
    if device_type(it) is None:
        return V(0, origin("platform", platform(it)))
    number_ = int(getattr(it.facts, "device_count", 1))
    return V(number_, origin("count", number_))


def has_instructions(it: Any, name: str) -> V:
    """Whether the processor has a set of instructions; unknown of the host of another device."""
    known = getattr(it.facts.device, "instructions", None)
    if known is None:
        return V(Unknown(f"whether the host has {name}", "bool", text=f"the host has {name}"))
    return V(name in known, origin("instructions", ", ".join(known)))
