"""The tree decides: one-line edits along the chain change the answer as they should."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mlapath.base.verdict import Verdict
from mlapath.findings.model import Outcome
from support.realtree import copied_tree, edit, real_tree, report_of, verdict

VERSION = "0.16.0"
LAYER = "vllm/model_executor/layers/attention/mla_attention.py"
WRAPPER = "vllm/model_executor/layers/mla.py"
MODEL = "vllm/model_executor/models/deepseek_v2.py"
BACKEND = "vllm/v1/attention/backend.py"
CUDA = "vllm/platforms/cuda.py"
FLASH_ATTN = "vllm/v1/attention/backends/mla/flashattn_mla.py"
TRITON = "vllm/v1/attention/backends/mla/triton_mla.py"
CACHE = "vllm/config/cache.py"

FEWER = ("num_hidden_layers=4",)
"""Dense and MoE layers, but not sixty of them."""

pytestmark = [pytest.mark.network, pytest.mark.slow]


@dataclass(frozen=True)
class Mutation:
    """Edits (path, old, new) and what must come out for ``model`` on ``device``."""

    name: str
    edits: tuple[tuple[str, str, str], ...]
    model: str
    device: str = "h100"
    flags: tuple[str, ...] = ()
    outcome: Outcome = Outcome.RUNS
    backend: str | None = None
    mha: Verdict | None = None
    mqa: Verdict | None = None
    threshold: int | None = None
    exception: str | None = None
    mha_function: str | None = None
    append: tuple[tuple[str, str], ...] = field(default=())


NEVER, ALWAYS, CONDITIONAL = Verdict.NEVER, Verdict.ALWAYS, Verdict.CONDITIONAL

MUTATIONS = (
    Mutation("unchanged sparse", (), "deepseek-v3.2", backend="FLASHMLA_SPARSE",
             mha=NEVER, mqa=ALWAYS),
    Mutation("unchanged dense", (), "deepseek-v3", backend="FLASH_ATTN_MLA",
             mha=CONDITIONAL, mqa=CONDITIONAL, threshold=512),
    Mutation("guard inverted", ((LAYER, "        if is_sparse_impl:",
                                   "        if not is_sparse_impl:"),),
             "deepseek-v3", mha=NEVER, mqa=ALWAYS),
    Mutation("flag ignored", ((WRAPPER, "use_sparse=self.is_sparse", "use_sparse=False"),),
             "deepseek-v3.2", backend="FLASH_ATTN_MLA", mha=CONDITIONAL),
    Mutation("flag inverted", ((WRAPPER, "use_sparse=self.is_sparse",
                                 "use_sparse=not self.is_sparse"),),
             "deepseek-v3.2", backend="FLASH_ATTN_MLA", mha=CONDITIONAL),
    Mutation("config key not asked for",
             ((MODEL, 'self.is_v32 = hasattr(config, "index_topk")\n\n        if self.is_v32:',
               "self.is_v32 = False\n\n        if self.is_v32:"),),
             "deepseek-v3.2", backend="FLASH_ATTN_MLA", mha=CONDITIONAL),
    Mutation("selector's sparse check removed",
             ((BACKEND, "if use_sparse != cls.is_sparse():", "if False:"),),
             "deepseek-v3.2", "rtx-pro-6000", backend="TRITON_MLA", mha=CONDITIONAL),
    Mutation("priority reordered",
             ((CUDA,
               "            return [\n                AttentionBackendEnum.FLASH_ATTN_MLA,\n",
               ("            return [\n                AttentionBackendEnum.TRITON_MLA,\n"
                "                AttentionBackendEnum.FLASH_ATTN_MLA,\n")),),
             "deepseek-v3", backend="TRITON_MLA", mha=CONDITIONAL, threshold=1),
    Mutation("default threshold changed",
             ((FLASH_ATTN, "reorder_batch_threshold: int = 512",
               "reorder_batch_threshold: int = 64"),),
             "deepseek-v3", threshold=64, mha=CONDITIONAL),
    Mutation("early return",
             ((LAYER, "        num_actual_toks = attn_metadata.num_actual_tokens\n",
               ("        return output\n"
                "        num_actual_toks = attn_metadata.num_actual_tokens\n")),),
             "deepseek-v3", mha=NEVER, mqa=NEVER),
    Mutation("refusal swallowed",
             ((CUDA, "        if len(valid_backends_priorities) == 0:\n",
               ("        if len(valid_backends_priorities) == 0:\n"
                "            return AttentionBackendEnum.TRITON_MLA.get_path()\n")),),
             "deepseek-v3.2", "rtx-pro-6000", backend="TRITON_MLA", mha=CONDITIONAL),
    Mutation("default cache type changed",
             ((CACHE, 'cache_dtype: CacheDType = "auto"', 'cache_dtype: CacheDType = "fp8"'),),
             "deepseek-v3", backend="FLASHMLA", threshold=128, mha=CONDITIONAL),
    Mutation("type test against another class",
             ((LAYER, "isinstance(self.impl, SparseMLAAttentionImpl)",
               "isinstance(self.impl, MLACommonImpl)"),),
             "deepseek-v3", mha=NEVER, mqa=ALWAYS),
    Mutation("call removed",
             ((LAYER, "            self.impl.forward_mha(",
               "            (lambda *a, **k: None)("),),
             "deepseek-v3", mha=NEVER, mqa=CONDITIONAL),
    Mutation("method overridden",
             ((TRITON, "class TritonMLAImpl(MLACommonImpl[MLACommonMetadata]):\n",
               ("class TritonMLAImpl(MLACommonImpl[MLACommonMetadata]):\n"
                "    def forward_mha(self, *args, **kwargs):\n        return None\n\n")),),
             "deepseek-v3", flags=("--attention-config", '{"backend": "TRITON_MLA"}'),
             backend="TRITON_MLA", mha=CONDITIONAL,
             mha_function="vllm.v1.attention.backends.mla.triton_mla.TritonMLAImpl.forward_mha"),
    Mutation("constant in place of the token count",
             ((LAYER, "num_mha_tokens = q.size(0) - num_mqa_tokens", "num_mha_tokens = 0"),),
             "deepseek-v3", mha=NEVER, mqa=CONDITIONAL),
    Mutation("constructor refuses",
             ((LAYER, "        self.q_pad_num_heads = getattr(self.impl",
               ('        raise RuntimeError("no")\n'
                "        self.q_pad_num_heads = getattr(self.impl")),),
             "deepseek-v3", outcome=Outcome.REFUSES, exception="RuntimeError"),
    Mutation("attribute set elsewhere on the path",
             ((WRAPPER, "        self.prefix = prefix\n",
               "        self.prefix = prefix\n        self.mla_attn.impl = self.mla_attn\n"),),
             "deepseek-v3.2", outcome=Outcome.REFUSES, exception="AttributeError"),
    Mutation("far-away write to impl", (), "deepseek-v3.2", mha=Verdict.UNPROVEN,
             append=(("vllm/utils/math_utils.py",
                      "\n\ndef swap(layer, other):\n    layer.impl = other\n"),)),
    Mutation("far-away write to an unrelated attribute", (), "deepseek-v3.2", mha=NEVER,
             append=(("vllm/utils/math_utils.py",
                      "\n\ndef swap(layer, other):\n    layer.unrelated = other\n"),)),
)  # fmt: skip


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_the_tree_decides(mutation: Mutation, tmp_path: Path) -> None:
    tree = copied_tree(VERSION, tmp_path)
    for path, old, new in mutation.edits:
        edit(tree, path, old, new)
    for path, text in mutation.append:
        file = tree.root / path
        file.write_text(file.read_text("utf-8") + text, "utf-8")
    companion = real_tree(VERSION)[1]
    report = report_of(
        tree, companion, mutation.model, mutation.device, mutation.flags, sets=FEWER
    )
    assert report.outcome is mutation.outcome, report.refusal
    if mutation.exception is not None:
        assert report.refusal is not None
        assert report.refusal.exception == mutation.exception
        return
    group = next(g for g in report.attention if g.mla)
    if mutation.backend is not None:
        assert group.backend == mutation.backend
    if mutation.threshold is not None:
        assert group.reorder_batch_threshold == mutation.threshold
    if mutation.mha is not None:
        assert verdict(report, "forward_mha").verdict is mutation.mha
    if mutation.mqa is not None:
        assert verdict(report, "forward_mqa").verdict is mutation.mqa
    if mutation.mha_function is not None:
        assert verdict(report, "forward_mha").function == mutation.mha_function


def test_a_class_renamed_everywhere_changes_nothing(tmp_path: Path) -> None:
    tree = copied_tree(VERSION, tmp_path)
    for name in tree.files:
        file = tree.root / name
        if name.endswith(".py") and file.is_file():
            text = file.read_text("utf-8")
            if "SparseMLAAttentionImpl" in text:
                file.write_text(text.replace("SparseMLAAttentionImpl", "SparseOnly"), "utf-8")
    report = report_of(tree, real_tree(VERSION)[1], "deepseek-v3.2", "h100", sets=FEWER)
    assert verdict(report, "forward_mha").verdict is NEVER
    assert verdict(report, "forward_mqa").verdict is ALWAYS
