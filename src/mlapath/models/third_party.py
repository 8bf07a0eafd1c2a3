"""The summaries of torch and the other packages that vLLM builds on."""

from __future__ import annotations

from mlapath.models import (
    amdsmi,
    deep_gemm,
    flashinfer,
    numpy,
    packaging,
    pynvml,
    small_packages,
    torch_core,
    triton,
    vendored,
)
from mlapath.models.api import Library

THIRD_PARTY: tuple[Library, ...] = (
    torch_core.LIBRARY,
    numpy.LIBRARY,
    triton.LIBRARY,
    pynvml.LIBRARY,
    packaging.LIBRARY,
    amdsmi.LIBRARY,
    flashinfer.LIBRARY,
    deep_gemm.LIBRARY,
    vendored.LIBRARY,
    small_packages.LIBRARY,
)
