"""What the commands ask of the use cases."""

from __future__ import annotations

from dataclasses import dataclass

from mlapath.scenario.scenario import Scenario


@dataclass(frozen=True)
class TreeRequest:
    """Which vLLM to read.

    ``vllm``: a version, a folder or an archive as the user gave it; None means the vLLM that
    ``python`` would import. ``python``: an interpreter or environment folder; None means the
    active one.
    """

    vllm: str | None = None
    python: str | None = None
    use_cache: bool = True


@dataclass(frozen=True)
class AnalyzeRequest:
    """One tree and one scenario."""

    tree: TreeRequest
    scenario: Scenario
