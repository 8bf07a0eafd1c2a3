"""Outcomes of evaluations that could not look into everything, on a miniature tree."""

import shutil

import pytest

from mlapath.app.analyze import analyze_tree
from mlapath.cache import CacheDir
from mlapath.engine.interp import Engine
from mlapath.findings.model import Outcome
from mlapath.findings.strict import is_complete
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import open_tree
from support.eras import era_report, site

LAYER = "vllm/model_executor/layers/attention/mla_attention.py"


def copied(tmp_path, broken=None):
    root = tmp_path / "site-packages"
    shutil.copytree(site("0.16"), root)
    if broken is not None:
        with (root / broken).open("a", encoding="utf-8") as file:
            file.write("\ndef (\n")
    return open_tree(root, cache=CacheDir.default())


def report(tree, models, model="deepseek-v3.2"):
    words = ScenarioWords(config=str(models / f"{model}.json"), devices=("h100",))
    return analyze_tree(tree, None, assemble(words)[0])


def test_a_file_on_the_path_that_cannot_be_parsed_leaves_the_outcome_open(tmp_path, models):
    found = report(copied(tmp_path, LAYER), models)
    assert found.outcome is Outcome.UNPROVEN
    assert found.refusal is None
    assert not is_complete(found)
    (note,) = [n for n in found.notes if LAYER in n]
    assert "cannot be parsed" in note


def test_a_file_off_the_path_does_not_matter(tmp_path, models):
    elsewhere = "vllm/v1/attention/backends/mla/triton_mla.py"
    assert report(copied(tmp_path, elsewhere), models).outcome is not Outcome.REFUSES
    assert "cannot be parsed" not in " ".join(report(copied(tmp_path / "b"), models).notes)


@pytest.mark.parametrize(
    ("error", "said"), [(RecursionError, "nested too deeply"), (MemoryError, "not enough memory")]
)
def test_what_is_too_large_to_evaluate_ends_it_early(monkeypatch, error, said):
    def fail(self, name):
        raise error

    monkeypatch.setattr(Engine, "import_module", fail)
    found = era_report("0.16", "deepseek-v3.2", "h100")
    assert found.outcome is Outcome.UNPROVEN
    assert any(said in note for note in found.notes)


def test_more_layers_than_can_be_counted():
    found = era_report("0.16", "deepseek-v3.2", "h100", sets=(f"num_hidden_layers={10**30}",))
    assert found.outcome is Outcome.UNPROVEN


ONE_OF_TWO = """        if torch.cuda.mem_get_info()[0] > 8:
            raise ValueError("the one")
        raise NotImplementedError("the other")
"""


def test_one_of_two_refusals_is_a_refusal(tmp_path, models):
    tree = copied(tmp_path)
    file = tmp_path / "site-packages" / LAYER
    text = file.read_text("utf-8")
    last = "        self.kv_cache = torch.tensor([])\n"
    assert text.count(last) == 1
    file.write_text(text.replace(last, ONE_OF_TWO), "utf-8")
    found = report(tree, models)
    assert found.outcome is Outcome.REFUSES
    assert found.refusal is not None
    assert found.refusal.exception in ("ValueError", "NotImplementedError")
