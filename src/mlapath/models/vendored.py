"""Kernel libraries that the tree carries: how far into them the evaluation goes.

The module that builds FlashAttention's CuTe kernels is left opaque where the compiler that it
needs is installed: its functions compute tensors and are never asked what path to take. The
compiled half of DeepGEMM is loaded by a search for its file, which an index's listing answers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Library
from mlapath.values.truth import Truth
from mlapath.values.value import NONE, External, V

KERNELS = {"vllm.vllm_flash_attn.cute.interface": ("cutlass", "cuda", "quack")}
"""Module of the tree that is left opaque -> the packages that it imports."""
DEEP_GEMM = "vllm.third_party.deep_gemm._C"


def _opaque(name: str, needs: tuple[str, ...]) -> Callable[[Any], V | None]:
    def build(it: Any) -> V | None:
        if it.program.find(name) is None or any(
            it.facts.has_module(package) is not Truth.TRUE for package in needs
        ):
            return None  # not there, or its import fails as its source says
        return V(External(name))

    return build


def _load_extension(it: Any, function: Any, args: list[V], kwargs: dict[str, V]) -> V | None:
    """``_load_extension()`` of DeepGEMM: succeeds where the compiled module is listed."""
    if it.facts.has_module(f"{DEEP_GEMM}_extension") is Truth.TRUE:
        return NONE
    return None


LIBRARY = Library(
    values={name: _opaque(name, needs) for name, needs in KERNELS.items()},
    hooks={f"{DEEP_GEMM}._load_extension": _load_extension},
)
