"""The graph of a step, and of a refusal, on a miniature tree."""

import shutil

import pytest

from mlapath.app.analyze import read_tree
from mlapath.app.graph import graph_in
from mlapath.base.errors import MlapathError
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.findings.graph import GuardTruth, NodeKind
from mlapath.findings.model import Outcome
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import open_tree
from support.eras import era_tree, site

LAYER = "vllm/model_executor/layers/attention/mla_attention.py"


def drawn(models, model="deepseek-v3.2", device="h100", tree=None, *, whole=False, **words):
    chosen = ScenarioWords(config=str(models / f"{model}.json"), devices=(device,), **words)
    reading = read_tree(tree or era_tree("0.16"), None)
    return graph_in(reading, assemble(chosen)[0], whole=whole)


def into(graph, name):
    return [e for e in graph.edges if e.target.rpartition(".")[2] == name]


def test_a_target_that_is_kept_away_hangs_behind_the_guard_that_does_it(models):
    (graph,) = drawn(models).graphs
    assert len(graph.layers) == 61
    (edge,) = into(graph, "forward_mha")
    assert (edge.verdict, edge.when, edge.count) == (Verdict.NEVER, True, 0)
    (guard,) = [n for n in graph.nodes if n.id == edge.source]
    assert (guard.kind, guard.truth) == (NodeKind.GUARD, GuardTruth.FALSE)
    assert guard.evidence[0].at is None
    assert guard.evidence[-1].text == guard.text
    assert any("isinstance(self.impl" in step.text for step in guard.evidence)


def test_a_target_that_some_steps_reach_hangs_behind_what_is_not_known(models):
    (graph,) = drawn(models, "deepseek-v3").graphs
    (edge,) = into(graph, "forward_mha")
    assert edge.verdict is Verdict.CONDITIONAL
    assert edge.count > 0
    (guard,) = [n for n in graph.nodes if n.id == edge.source]
    assert guard.truth is GuardTruth.UNKNOWN
    assert guard.evidence == ()


def test_every_node_is_on_a_way_from_the_entry_and_the_whole_has_more(models):
    (graph,) = drawn(models).graphs
    ends = {e.target for e in graph.edges}
    assert [n.id for n in graph.nodes if n.id not in ends] == ["<entry>"]
    (whole,) = drawn(models, whole=True).graphs
    assert {n.id for n in graph.nodes} < {n.id for n in whole.nodes}
    assert not any(n.text.endswith("flash_mla") for n in graph.nodes)


def test_of_a_refusal_the_way_to_the_exception(models):
    found = drawn(models, device="12.0")
    assert found.outcome is Outcome.REFUSES
    (graph,) = found.graphs
    assert graph.layers == ()
    (place,) = [n for n in graph.nodes if n.kind is NodeKind.RAISE]
    assert place.at == found.refusal.at
    assert place.text.startswith("raise ")
    (edge,) = [e for e in graph.edges if e.target == place.id]
    assert edge.source != "<entry>"


def test_the_tree_decides(models, tmp_path):
    """A guard that holds leads to a call that the implementation has no method for."""
    root = tmp_path / "site-packages"
    shutil.copytree(site("0.16"), root)
    file = root / LAYER
    text = file.read_text("utf-8")
    file.write_text(text.replace("num_mha_tokens > 0", "num_mha_tokens >= 0"), "utf-8")
    found = drawn(models, tree=open_tree(root, cache=CacheDir.default()))
    assert found.outcome is Outcome.REFUSES
    (graph,) = found.graphs
    (place,) = [n for n in graph.nodes if n.kind is NodeKind.RAISE]
    (edge,) = [e for e in graph.edges if e.target == place.id]
    (guard,) = [n for n in graph.nodes if n.id == edge.source]
    assert (guard.text, edge.when) == ("num_mha_tokens >= 0", True)
    assert guard.truth is GuardTruth.TRUE


def test_an_unknown_target_is_an_error(models):
    with pytest.raises(MlapathError, match="forward_mhb"):
        drawn(models, targets=("forward_mhb",))
