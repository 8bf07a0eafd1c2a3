"""Hand-written reports: one for each kind of answer. The code they quote is made up."""

from __future__ import annotations

from mlapath.base.verdict import Verdict
from mlapath.findings.model import (
    Assumption,
    AttentionGroup,
    Candidate,
    Condition,
    EvidenceKind,
    EvidenceStep,
    FrontierItem,
    Obligation,
    Outcome,
    Place,
    Reason,
    Refusal,
    Report,
    ScenarioInfo,
    SettingChange,
    Settings,
    TargetVerdict,
    TreeInfo,
    Unread,
    Unresolved,
)
from mlapath.findings.tree_model import Plugin, TreeReport
from mlapath.scenario.devices import parse_device
from mlapath.scenario.packages import PackageFacts

LAYER = "vllm/model_executor/layers/attention/mla_attention.py"
MODEL = "vllm/model_executor/models/deepseek_v2.py"
CUDA = "vllm/platforms/cuda.py"
TREE = TreeInfo("0.16.0", "index", "cache/trees/vllm-0.16.0", "blake2b:00ff", ())
OWN_CLASS = "vllm.model_executor.layers.attention.mla_attention.MLAAttention"


def scenario(device: str = "h100", **changes: object) -> ScenarioInfo:
    values: dict[str, object] = {
        "config": "models/glm-5.json",
        "architectures": ("GlmMoeDsaForCausalLM",),
        "device": parse_device(device),
        **changes,
    }
    return ScenarioInfo(**values)  # type: ignore[arg-type]


SPARSE_CHAIN = (
    EvidenceStep(None, "index_topk=2048", None, EvidenceKind.CONFIG),
    EvidenceStep(
        f"{MODEL}:832",
        'self.is_v32 = hasattr(config, "index_topk")',
        "True",
        EvidenceKind.ASSIGN,
        ("config:index_topk=2048",),
    ),
    EvidenceStep(
        f"{LAYER}:533",
        "isinstance(self.impl, SparseMLAAttentionImpl)",
        "True",
        EvidenceKind.GUARD,
        (f"{MODEL}:832",),
    ),
    EvidenceStep(f"{LAYER}:535", "num_mha_tokens = 0", "0", EvidenceKind.ASSIGN),
    EvidenceStep(f"{LAYER}:548", "num_mha_tokens > 0", "False", EvidenceKind.GUARD),
    EvidenceStep(f"{LAYER}:549", "self.impl.forward_mha(…)", None, EvidenceKind.NO_CALL),
)


def sparse() -> Report:
    """Sparse MLA: one target never, with a proof; the other always."""
    never = TargetVerdict(
        "forward_mha",
        Verdict.NEVER,
        "vllm.model_executor.layers.attention.mla_attention.MLACommonImpl.forward_mha",
        f"{LAYER}:2365",
        (f"{LAYER}:549",),
        evidence=SPARSE_CHAIN,
        assumptions=("A3",),
        because="a sparse implementation sends every token to forward_mqa",
        instead=(
            Place(
                "vllm/v1/attention/backends/mla/flashmla_sparse.py:812",
                "FlashMLASparseImpl.forward_mqa",
                "runs once per MLA layer in each step",
            ),
        ),
        proof=(
            Obligation("MLAAttention.impl", (f"{LAYER}:311",), "its only write was evaluated"),
        ),
    )
    always = TargetVerdict(
        "forward_mqa",
        Verdict.ALWAYS,
        "vllm.v1.attention.backends.mla.flashmla_sparse.FlashMLASparseImpl.forward_mqa",
        "vllm/v1/attention/backends/mla/flashmla_sparse.py:812",
        (f"{LAYER}:575",),
        because="num_mqa_tokens is the number of tokens of the step",
    )
    group = AttentionGroup(
        layers=tuple(f"model.layers.{i}.self_attn.attn" for i in range(78)),
        layer_class=OWN_CLASS,
        mla=True,
        backend="FLASHMLA_SPARSE",
        backend_class="vllm.v1.attention.backends.mla.flashmla_sparse.FlashMLASparseBackend",
        impl_class="vllm.v1.attention.backends.mla.flashmla_sparse.FlashMLASparseImpl",
        sparse=True,
        kv_cache_dtype="auto",
        block_size=64,
        indexer_backend="DEEPSEEK_V32_INDEXER",
        metadata_builder=(
            "vllm.v1.attention.backends.mla.flashmla_sparse.FlashMLASparseMetadataBuilder"
        ),
        reorder_batch_threshold=1,
        candidates=(
            Candidate("FLASH_ATTN_MLA", False, (Reason("sparse not supported", f"{CUDA}:300"),)),
            Candidate(
                "FLASHMLA",
                False,
                (Reason("sparse not supported", f"{CUDA}:300"), Reason("block size 16")),
            ),
            Candidate("FLASHMLA_SPARSE", True),
        ),
        targets=(never, always),
        head_size=576,
    )
    return Report(
        TREE,
        scenario(
            env={"VLLM_ATTENTION_BACKEND": "FLASHMLA"},
            engine_args={"tensor_parallel_size": 8},
            packages=PackageFacts({"deep_gemm": "2.1"}, ("flashinfer",)),
        ),
        Outcome.RUNS,
        settings=Settings(
            True,
            "bfloat16",
            "auto",
            64,
            "FULL_AND_PIECEWISE",
            False,
            "vllm.model_executor.models.deepseek_v2.GlmMoeDsaForCausalLM",
            "v1",
            (
                SettingChange(
                    "block_size", 16, 64, f"{CUDA}:210", "FLASHMLA_SPARSE needs blocks of 64"
                ),
            ),
        ),
        attention=(group,),
        assumptions=(
            Assumption("A1", "no platform plugin is installed", confirmed=True),
            Assumption("A3", "nothing outside the tree patches vLLM"),
        ),
        unread_env=(Unread("VLLM_ATTENTION_BACKEND", ("VLLM_ATTENTION_CONFIG",)),),
    )


def refused() -> Report:
    """vLLM refuses the deployment before a layer is reached."""
    return Report(
        TREE,
        scenario("rtx-pro-6000"),
        Outcome.REFUSES,
        refusal=Refusal(
            "ValueError",
            "No valid attention backend found for cuda with AttentionSelectorConfig(…)",
            f"{CUDA}:347",
            (
                SPARSE_CHAIN[0],
                SPARSE_CHAIN[1],
                EvidenceStep(
                    f"{CUDA}:347",
                    "raise ValueError(…)",
                    None,
                    EvidenceKind.RAISE,
                    (f"{MODEL}:832", "device:capability=12.0"),
                ),
            ),
            stage="load",
        ),
        settings=Settings(use_mla=True, dtype="bfloat16"),
    )


def dense() -> Report:
    """Dense MLA: both targets conditional, two groups of layers, edits, a late refusal."""
    condition = Condition(
        "q.size(0) - attn_metadata.num_decode_tokens > 0",
        "a request of the step has more than 1 new token",
        {"reorder_batch_threshold": 1},
    )
    targets = (
        TargetVerdict(
            "forward_mha",
            Verdict.CONDITIONAL,
            "vllm.model_executor.layers.attention.mla_attention.MLACommonImpl.forward_mha",
            f"{LAYER}:2365",
            (f"{LAYER}:549",),
            condition,
            (EvidenceStep(f"{LAYER}:548", "num_mha_tokens > 0", None, EvidenceKind.GUARD),),
        ),
        TargetVerdict(
            "forward_mqa",
            Verdict.CONDITIONAL,
            condition=Condition("num_mqa_tokens > 0", "the step decodes"),
        ),
    )
    mla = AttentionGroup(
        tuple(f"model.layers.{i}.self_attn.attn" for i in (3, 7, 11)),
        OWN_CLASS,
        True,
        "TRITON_MLA",
        impl_class="vllm.v1.attention.backends.mla.triton_mla.TritonMLAImpl",
        sparse=False,
        reorder_batch_threshold=1,
        prefill_backend="FLASH_ATTN",
        targets=targets,
        pipeline_ranks=(0, 1),
    )
    linear = AttentionGroup(
        ("model.layers.0.linear_attn", "model.layers.1.linear_attn"),
        "vllm.model_executor.layers.kda.KimiDeltaAttention",
        False,
        "GDN_ATTN",
        pipeline_ranks=(0,),
    )
    return Report(
        TREE,
        scenario("12.0", edits=("--unset index_topk",)),
        Outcome.RUNS,
        settings=Settings(True, "bfloat16", "auto", 16, "PIECEWISE", False),
        attention=(mla, linear),
        conditional_refusals=(
            Refusal(
                "AssertionError",
                "",
                f"{LAYER}:1571",
                stage="step",
                condition=Condition("num_spec > 0", "a draft is verified"),
            ),
        ),
    )


def plain() -> Report:
    """No MLA layer at all."""
    group = AttentionGroup(
        ("model.layers.0.self_attn.attn", "model.layers.1.self_attn.attn"),
        "vllm.attention.layer.Attention",
        False,
        "FLASH_ATTN",
    )
    return Report(
        TREE,
        scenario(config="models/llama.json", architectures=("LlamaForCausalLM",), batch="37"),
        Outcome.RUNS,
        settings=Settings(use_mla=False, dtype="bfloat16"),
        attention=(group,),
    )


def unproven() -> Report:
    """Nothing settled, with hostile text in every place that quotes."""
    hostile = "x\x1b[31m | `y`\n[bold]z\r\u202e"
    target = TargetVerdict(
        "forward_mha",
        Verdict.UNPROVEN,
        evidence=(EvidenceStep(f"{LAYER}:1", hostile, hostile, EvidenceKind.GUARD),),
        blockers=(f"unresolved call {hostile}",),
    )
    group = AttentionGroup(("attn",), OWN_CLASS, True, None, targets=(target,))
    return Report(
        TreeInfo(None, "directory", "checkout", "blake2b:01", ("vllm/envs.py",)),
        scenario(config=hostile, architectures=(hostile,)),
        Outcome.UNPROVEN,
        attention=(group,),
        unread_env=(Unread("VLLM_NO_SUCH"),),
        unread_flags=(Unread("--no-such", ("--such",)),),
        unresolved=(Unresolved(f"{LAYER}:7", hostile, "the value of `size`"),),
        notes=(hostile,),
        frontier=(FrontierItem(f"{LAYER}:9", "call depth", "recursion was cut"),),
    )


def all_reports() -> dict[str, Report]:
    return {
        "sparse": sparse(),
        "refused": refused(),
        "dense": dense(),
        "plain": plain(),
        "unproven": unproven(),
    }


def tree() -> TreeReport:
    return TreeReport(
        "0.16.0",
        "installed",
        "site-packages",
        "blake2b:00ff",
        ("vllm._C", "vllm._flashmla_C"),
        ("torch==2.9.1",),
        ("vllm/envs.py",),
        ("other/site-packages/vllm",),
        (Plugin("vllm.general_plugins", "extra"),),
    )
