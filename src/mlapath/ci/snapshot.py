"""What a baseline keeps of an answer: no line numbers, no paths, nothing that layout changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

Scalar: TypeAlias = "bool | int | float | str | None"


class Step(NamedTuple):
    """A step of an evidence chain: ``kind`` is an ``EvidenceKind``, ``value`` as printed."""

    kind: str
    text: str
    value: str | None = None

    def __str__(self) -> str:
        return self.text if self.value is None else f"{self.text} → {self.value}"


@dataclass(frozen=True)
class TargetSnapshot:
    """A target in one group. ``condition`` is in the program's terms, ``meaning`` in a user's."""

    verdict: str
    function: str | None = None
    condition: str | None = None
    meaning: str | None = None
    numbers: Mapping[str, Scalar] = field(default_factory=dict)
    chain: tuple[Step, ...] = ()


@dataclass(frozen=True)
class RefusalSnapshot:
    """An exception of vLLM's."""

    exception: str
    message: str
    stage: str | None = None
    condition: str | None = None
    chain: tuple[Step, ...] = ()


@dataclass(frozen=True)
class GroupSnapshot:
    """Layers that behave alike.

    ``layers``: few texts for all names, ``model.layers.{0-60}.self_attn.attn``. ``candidates``:
    ``NAME: why it was rejected``, in the order in which they were looked at. ``facts``: the other
    scalar facts of the group by their name in the report. ``classes``: by role.
    ``threshold_chain``, ``prefill_chain``: where ``reorder_batch_threshold`` and the prefill
    backend come from.
    """

    layers: tuple[str, ...]
    mla: bool = False
    draft: bool = False
    backend: str | None = None
    prefill_backend: str | None = None
    facts: Mapping[str, Scalar] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)
    candidates: tuple[str, ...] = ()
    prefill_candidates: tuple[str, ...] = ()
    targets: Mapping[str, TargetSnapshot] = field(default_factory=dict)
    threshold_chain: tuple[Step, ...] = ()
    prefill_chain: tuple[Step, ...] = ()


class Fact(Enum):
    """A fact of a group that has a chain of its own."""

    THRESHOLD = "threshold_chain"
    PREFILL = "prefill_chain"

    def chain(self, group: GroupSnapshot) -> tuple[Step, ...]:
        """Where the fact comes from; empty in baselines that are older than the chain."""
        found: tuple[Step, ...] = getattr(group, self.value)
        return found


@dataclass(frozen=True)
class Snapshot:
    """One answer.

    ``adjusted``: settings that vLLM changed by itself, ``from -> to``. ``inputs``: the given facts
    that the chains start from, such as ``config:index_topk``. ``unread``: what was given and is
    never read. ``functions``: signatures of the functions on the path, by qualified name.
    ``companions``: versions of the packages that were read along with vLLM.
    """

    outcome: str
    refusal: RefusalSnapshot | None = None
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    adjusted: Mapping[str, str] = field(default_factory=dict)
    groups: tuple[GroupSnapshot, ...] = ()
    late_refusals: tuple[RefusalSnapshot, ...] = ()
    inputs: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    functions: Mapping[str, str] = field(default_factory=dict)
    companions: Mapping[str, str] = field(default_factory=dict)
