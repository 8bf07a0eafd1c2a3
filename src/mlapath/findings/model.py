"""What an analysis found.

Every ``at`` is ``path:line`` relative to the tree's root with forward slashes. None means "not
known" or "does not apply", never a default. Collections are in their final order: renderers do
not sort.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from mlapath.base.verdict import Verdict
from mlapath.scenario.config_file import JsonValue
from mlapath.scenario.devices import Device
from mlapath.scenario.packages import PackageFacts


class Outcome(Enum):
    """What becomes of the deployment: it serves, vLLM refuses it, or it could not be told."""

    RUNS = "runs"
    REFUSES = "refuses"
    UNPROVEN = "unproven"


class EvidenceKind(Enum):
    """What a step of the evidence is: a given fact, or a place in the code."""

    CONFIG = "config"
    FLAG = "flag"
    ENV = "env"
    DEVICE = "device"
    PACKAGE = "package"
    DEFAULT = "default"
    ASSIGN = "assign"
    CALL = "call"
    RETURN = "return"
    GUARD = "guard"
    RAISE = "raise"
    NO_CALL = "no_call"


@dataclass(frozen=True)
class EvidenceStep:
    """One link of the chain from what was given to what was decided.

    ``text``: the source text, or the fact for a step that is not code (``at`` is then None).
    ``value``: what it evaluates to, printed; None where it has none. ``sources``: what the value
    was made of, each ``config:KEY=VALUE``, ``flag:…``, ``env:…``, ``device:…``, ``package:…``,
    ``default:…`` or the ``at`` of an earlier step.
    """

    at: str | None
    text: str
    value: str | None
    kind: EvidenceKind
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Condition:
    """When something conditional happens.

    ``program``: in the program's own terms. ``meaning``: in a user's. ``numbers``: the numbers
    that decide, by the program's name for them.
    """

    program: str
    meaning: str
    numbers: Mapping[str, int | float] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """A function (and line) where a print would tell something, and why there."""

    at: str
    function: str
    why: str


@dataclass(frozen=True)
class Obligation:
    """A fact that a ``never`` rests on, and what was checked to make sure that it is stable.

    ``places``: every write to it that the tree has. ``why``: why none of them can change it.
    """

    fact: str
    places: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class TargetVerdict:
    """Whether ``target``, as asked for, computes in a step.

    ``function``: the qualified name it stands for in the selected implementation, None where
    that has none. ``because``: the verdict's reason in one sentence. ``assumptions``: ids.
    ``blockers``: for an unproven verdict, what stands in the way of a proof.
    """

    target: str
    verdict: Verdict
    function: str | None = None
    defined_at: str | None = None
    called_at: tuple[str, ...] = ()
    condition: Condition | None = None
    evidence: tuple[EvidenceStep, ...] = ()
    assumptions: tuple[str, ...] = ()
    because: str | None = None
    instead: tuple[Place, ...] = ()
    proof: tuple[Obligation, ...] = ()
    blockers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reason:
    """Why a candidate was rejected, and the place that says so."""

    text: str
    at: str | None = None


@dataclass(frozen=True)
class Candidate:
    """A backend that the selection looked at."""

    backend: str
    chosen: bool
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class AttentionGroup:
    """Attention layers that behave alike.

    ``layers``: all their names, in the model's order. ``draft``: they belong to a speculative
    draft model. ``pipeline_ranks``: the pipeline stages that have such layers, where there are
    several. Layers that are not MLA have no targets. ``threshold_evidence`` and
    ``prefill_evidence``: where ``reorder_batch_threshold`` and the prefill backend come from.
    """

    layers: tuple[str, ...]
    layer_class: str
    mla: bool
    backend: str | None
    backend_class: str | None = None
    impl_class: str | None = None
    sparse: bool | None = None
    kv_cache_dtype: str | None = None
    block_size: int | None = None
    prefill_backend: str | None = None
    indexer_backend: str | None = None
    metadata_builder: str | None = None
    reorder_batch_threshold: int | None = None
    candidates: tuple[Candidate, ...] = ()
    targets: tuple[TargetVerdict, ...] = ()
    prefill_candidates: tuple[Candidate, ...] = ()
    head_size: int | None = None
    draft: bool = False
    pipeline_ranks: tuple[int, ...] = ()
    threshold_evidence: tuple[EvidenceStep, ...] = ()
    prefill_evidence: tuple[EvidenceStep, ...] = ()


@dataclass(frozen=True)
class Refusal:
    """An exception of vLLM that ends the deployment.

    ``stage``: when, such as ``config``, ``load``, ``kv-cache`` or ``step``. ``condition``: only
    for a refusal that depends on what happens at run time.
    """

    exception: str
    message: str
    at: str
    evidence: tuple[EvidenceStep, ...] = ()
    stage: str | None = None
    condition: Condition | None = None


@dataclass(frozen=True)
class SettingChange:
    """A setting that vLLM changed on its way from the flags to the layers."""

    setting: str
    before: JsonValue
    after: JsonValue
    at: str | None
    because: str


@dataclass(frozen=True)
class Settings:
    """The resolved settings that bear on attention; None where they were not resolved."""

    use_mla: bool | None = None
    dtype: str | None = None
    kv_cache_dtype: str | None = None
    block_size: int | None = None
    cudagraph_mode: str | None = None
    enforce_eager: bool | None = None
    model_class: str | None = None
    model_runner: str | None = None
    changes: tuple[SettingChange, ...] = ()


@dataclass(frozen=True)
class TreeInfo:
    """The vLLM source that was read.

    ``origin``: ``index``, ``installed``, ``directory`` or ``archive``. ``modified``: files that
    differ from what was installed. ``companions``: packages whose source was read along with it,
    with their versions.
    """

    version: str | None
    origin: str
    root: str
    digest: str
    modified: tuple[str, ...] = ()
    companions: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class ScenarioInfo:
    """The deployment that was asked about, as understood.

    ``engine_args``: the engine flags by field name, as given, not the defaults. ``env``: what
    was set. ``edits``: ``--set`` and ``--unset`` as given.
    """

    config: str
    architectures: tuple[str, ...]
    device: Device
    engine_args: Mapping[str, JsonValue] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    packages: PackageFacts = field(default_factory=PackageFacts)
    batch: str | None = None
    edits: tuple[str, ...] = ()


@dataclass(frozen=True)
class Assumption:
    """Something taken for granted; ``confirmed`` where the tree or the user vouches for it."""

    id: str
    text: str
    confirmed: bool = False


@dataclass(frozen=True)
class Unread:
    """A name that the user gave and the tree never reads, with those it reads that look alike."""

    name: str
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unresolved:
    """A guard that stayed unknown, and what would decide it."""

    at: str
    guard: str
    needs: str


@dataclass(frozen=True)
class FrontierItem:
    """A limit that the evaluation hit: beyond it everything was taken to be possible."""

    at: str | None
    limit: str
    text: str


@dataclass(frozen=True)
class Report:
    """The answer for one tree and one scenario.

    ``conditional_refusals``: exceptions that only some steps or inputs raise. ``notes``: what
    was skipped or is worth knowing, one sentence each.
    """

    tree: TreeInfo
    scenario: ScenarioInfo
    outcome: Outcome
    refusal: Refusal | None = None
    settings: Settings = field(default_factory=Settings)
    attention: tuple[AttentionGroup, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    unread_env: tuple[Unread, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    conditional_refusals: tuple[Refusal, ...] = ()
    unread_flags: tuple[Unread, ...] = ()
    unread_override_keys: tuple[Unread, ...] = ()
    notes: tuple[str, ...] = ()
    frontier: tuple[FrontierItem, ...] = ()
