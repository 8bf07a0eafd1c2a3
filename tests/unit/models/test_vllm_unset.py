"""``--unset`` on a miniature vLLM whose configuration class has defaults of its own."""

import shutil

import pytest

from mlapath.app.analyze import analyze_tree
from mlapath.cache import CacheDir
from mlapath.findings.model import Outcome
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import open_companion, open_tree
from support.eras import site

CLASS = "class PretrainedConfig:\n"
MADE = "        config = cls("


@pytest.fixture
def ask(tmp_path, models):
    """The report on a copy of a miniature tree, its configuration class edited."""

    def report(edit, *unsets):
        root = tmp_path / "site-packages"
        shutil.copytree(site("0.16"), root, dirs_exist_ok=True)
        file = root / "transformers" / "configuration_utils.py"
        file.write_text(edit(file.read_text("utf-8")), "utf-8")
        cache = CacheDir.default()
        tree = open_tree(root, cache=cache)
        words = ScenarioWords(
            config=str(models / "glm-5.json"), devices=("rtx-pro-6000",), unsets=unsets
        )
        companion = open_companion("transformers", tree, cache=cache, offline=True)
        return analyze_tree(tree, companion, assemble(words)[0])

    return report


def with_default(text):
    assert CLASS in text
    head, _, rest = text.partition(CLASS)
    lines = rest.splitlines(keepends=True)
    after = 1 if lines[0].lstrip().startswith('"""') else 0
    return head + CLASS + "".join([*lines[:after], "    index_topk = 2048\n", *lines[after:]])


def test_without_a_default_the_key_is_simply_gone(ask):
    found = ask(lambda text: text, "index_topk")
    assert found.attention[0].backend == "TRITON_MLA"
    assert not any("default" in note for note in found.notes)


def test_a_default_of_the_class_is_taken_away_too_and_a_note_says_so(ask):
    found = ask(with_default, "index_topk")
    assert found.attention[0].backend == "TRITON_MLA"
    (note,) = [note for note in found.notes if "default 2048" in note]
    assert "--unset index_topk" in note


def test_what_nobody_unset_keeps_its_default(ask):
    assert ask(with_default).outcome is Outcome.REFUSES
    assert ask(with_default, "n_routed_experts").outcome is Outcome.REFUSES
