"""``torch.cpu``: the processor as the scenario's device describes it."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn
from mlapath.models.device_facts import has_instructions
from mlapath.models.support import nothing
from mlapath.values.value import Unknown, V

SUPPORTED = {
    "_is_avx2_supported": "avx2", "_is_avx512_supported": "avx512",
    "_is_avx512_bf16_supported": "avx512_bf16", "_is_amx_tile_supported": "amx",
    "_is_vnni_supported": "avx512_bf16", "_is_avx512_vnni_supported": "avx512_bf16",
    "_is_cpu_support_avx2": "avx2", "_is_cpu_support_avx512": "avx512",
    "_is_cpu_support_avx512_vnni": "avx512_bf16", "_init_amx": "amx",
}  # fmt: skip
"""Queries of the processor -> the set of instructions that they ask for."""


def _asks(name: str) -> Fn:
    return lambda it, args, kwargs: has_instructions(it, name)


def _amx_fp16(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """AMX for float16 is newer than AMX: certainly absent only where that is."""
    tile = has_instructions(it, "amx")
    if tile.d is False:
        return tile
    return V(Unknown("whether the processor has AMX for float16", "bool", text="AMX for float16"))


def _capabilities(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``get_capabilities()``: a dict of facts by names that differ between architectures."""
    made = it.heap.dict()
    it.heap.open_dict(made, "capabilities of the processor")
    return V(made)


def _one(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(1)


def _yes(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(True)


def _name(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V("cpu")


FUNCTIONS: dict[str, Fn] = {
    **{f"torch.cpu.{query}": _asks(name) for query, name in SUPPORTED.items()},
    **{f"torch.cpu.{name}": nothing for name in ("synchronize", "set_device", "empty_cache")},
    "torch.cpu._is_amx_fp16_supported": _amx_fp16,
    "torch.cpu.get_capabilities": _capabilities, "torch.cpu.device_count": _one,
    "torch.cpu.is_available": _yes, "torch.cpu.is_initialized": _yes,
    "torch.cpu.current_device": _name,
}  # fmt: skip
