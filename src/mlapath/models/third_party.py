"""The summaries of torch and the other packages that vLLM builds on."""

from __future__ import annotations

from mlapath.models import amdsmi, packaging, pynvml, torch_core
from mlapath.models.api import Library

THIRD_PARTY: tuple[Library, ...] = (
    torch_core.LIBRARY,
    pynvml.LIBRARY,
    packaging.LIBRARY,
    amdsmi.LIBRARY,
)
