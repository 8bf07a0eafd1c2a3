"""Pipeline stages: each is evaluated, and the deployment has the layers of all of them."""

import shutil
from dataclasses import replace

import pytest

from mlapath.app.analyze import analyze_tree
from mlapath.app.stages import joined
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.findings.model import Outcome, Unread
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import open_tree
from support import samples
from support.eras import site

PIPELINE = {
    "config/parallel.py": [
        ("    tensor_parallel_size: int = 1\n",
         "    tensor_parallel_size: int = 1\n    pipeline_parallel_size: int = 1\n"),
        ("return self.tensor_parallel_size",
         "return self.tensor_parallel_size * self.pipeline_parallel_size"),
    ],
    "engine/arg_utils.py": [
        ("    attention_backend: str | None = None\n",
         "    pipeline_parallel_size: int = 1\n    attention_backend: str | None = None\n"),
        ('        group = parser.add_argument_group(title="VllmConfig"',
         """\
        group.add_argument("--pipeline-parallel-size", "-pp", type=int, default=1)
        group = parser.add_argument_group(title="VllmConfig\""""),
        ("ParallelConfig(tensor_parallel_size=self.tensor_parallel_size)",
         "ParallelConfig(self.tensor_parallel_size, self.pipeline_parallel_size)"),
    ],
    "model_executor/models/deepseek_v2.py": [
        ("for i in range(config.num_hidden_layers)",
         "for i in own_layers(vllm_config.parallel_config, config.num_hidden_layers)"),
        ("class DeepseekV2Model(nn.Module):",
         """\
def own_layers(parallel, count):
    import torch
    rank = torch.distributed.get_rank()
    assert rank == parallel.rank
    stage = rank // parallel.tensor_parallel_size
    share = count // parallel.pipeline_parallel_size
    return range(stage * share, (stage + 1) * share)


class DeepseekV2Model(nn.Module):"""),
    ],
}  # fmt: skip
"""Edits to a miniature tree: its layers are shared by pipeline stages."""


def pipeline_tree(tmp_path, *edits):
    root = tmp_path / "site-packages"
    shutil.copytree(site("0.26"), root)
    for name, changes in (*PIPELINE.items(), *edits):
        file = root / "vllm" / name
        text = file.read_text("utf-8")
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        file.write_text(text, "utf-8")
    return open_tree(root, cache=CacheDir.default())


def report(tree, models, *flags):
    words = ScenarioWords(config=str(models / "deepseek-v3.json"), devices=("h100",), engine=flags,
                          sets=("num_hidden_layers=4",))  # fmt: skip
    return analyze_tree(tree, None, assemble(words)[0])


def test_stages_that_are_alike_are_one_group(tmp_path, models):
    tree = pipeline_tree(tmp_path)
    alone, shared = report(tree, models), report(tree, models, "-pp", "2", "-tp", "2")
    (one,), (group,) = alone.attention, shared.attention
    assert one.layers == group.layers
    assert len(group.layers) == 4
    assert (one.pipeline_ranks, group.pipeline_ranks) == ((), (0, 1))
    assert shared.outcome is Outcome.RUNS


def test_a_stage_that_differs_is_a_group_of_its_own(tmp_path, models):
    layer = ("model_executor/models/deepseek_v2.py", [
        ('raise NotImplementedError("this miniature has no other attention for DeepSeek")',
         "pass"),
        ('        self.self_attn = DeepseekV2MLAAttention(',
         """\
        if torch.distributed.get_rank() == 0:
            return
        self.self_attn = DeepseekV2MLAAttention("""),
        ("from torch import nn\n", "import torch\nfrom torch import nn\n"),
    ])  # fmt: skip
    tree = pipeline_tree(tmp_path, layer)
    found = report(tree, models, "-pp", "2")
    (group,) = found.attention
    assert group.layers == ("model.layers.2.self_attn.attn", "model.layers.3.self_attn.attn")
    assert group.pipeline_ranks == (1,)
    assert {t.target for t in group.targets} == {"forward_mha", "forward_mqa"}
    assert report(tree, models).attention == ()


@pytest.mark.parametrize("rank", [0, 1])
def test_a_stage_that_is_refused_refuses_the_deployment(tmp_path, models, rank):
    refusal = ("model_executor/models/deepseek_v2.py", [
        ("    share = count",
         f"    if stage == {rank}: raise ValueError('too small a stage')\n    share = count"),
    ])  # fmt: skip
    found = report(pipeline_tree(tmp_path, refusal), models, "-pp", "2")
    assert found.outcome is Outcome.REFUSES
    assert found.refusal.message == "too small a stage"
    verdicts = [t.verdict for group in found.attention for t in group.targets]
    assert set(verdicts) == ({Verdict.NEVER} if rank else set())


def test_what_one_stage_leaves_open_is_open():
    runs = samples.sparse()
    opened = replace(samples.unproven(), notes=("a stage",))
    found = joined([runs, opened])
    assert found.outcome is Outcome.UNPROVEN
    assert found.notes == (*runs.notes, "a stage")
    assert found.frontier == (*runs.frontier, *opened.frontier)
    assert [g.pipeline_ranks for g in found.attention] == [(0,)] * len(runs.attention) + [
        (1,)] * len(opened.attention)  # fmt: skip


def test_what_any_stage_reads_is_read():
    both, one = Unread("VLLM_A"), Unread("VLLM_B")
    first = replace(samples.sparse(), unread_env=(both, one))
    found = joined([first, replace(first, unread_env=(both,))])
    assert found.unread_env == (both,)


def test_one_stage_is_the_deployment():
    assert joined([samples.sparse()]) == samples.sparse()
