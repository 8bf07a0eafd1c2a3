"""Verdicts where the evaluation could not follow the step, on miniature trees."""

import shutil

import pytest

from mlapath.app.analyze import analyze_tree
from mlapath.app.evaluate import Stop
from mlapath.app.verdicts import stopped_before
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.engine.control import PyRaise
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import open_tree
from mlapath.values.value import Unknown, V
from support.eras import site

LAYER = "vllm/model_executor/layers/attention/mla_attention.py"
CALL = "            self.impl.forward_mha(\n"


def judged(tmp_path, models, edits, model="deepseek-v3", lost=()):
    """The verdict on forward_mha on the miniature 0.16, with edits (old, new) of the layer.

    lost: files that are there and cannot be read.
    """
    root = tmp_path / "site-packages"
    shutil.copytree(site("0.16"), root)
    for name in lost:
        (root / name).symlink_to(root / "nowhere")
    text = (root / LAYER).read_text("utf-8")
    for old, new in edits:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (root / LAYER).write_text(text, "utf-8")
    words = ScenarioWords(config=str(models / f"{model}.json"), devices=("h100",))
    report = analyze_tree(open_tree(root, cache=CacheDir.default()), None, assemble(words)[0])
    (group,) = [g for g in report.attention if g.mla and g.targets]
    return next(t for t in group.targets if t.target == "forward_mha")


def test_a_file_that_cannot_be_read_may_hold_anything(tmp_path, models):
    whole = judged(tmp_path / "whole", models, [], "deepseek-v3.2")
    assert (whole.verdict, whole.blockers) == (Verdict.NEVER, ())
    found = judged(tmp_path / "part", models, [], "deepseek-v3.2", ["vllm/lost.py"])
    assert (found.verdict, found.blockers) == (Verdict.UNPROVEN, ("vllm/lost.py cannot be read",))


def test_a_limit_of_ours_proves_nothing():
    found = stopped_before("forward_mha", Stop("load", None, "out of budget"))
    assert found.verdict is Verdict.UNPROVEN
    assert found.blockers == ("out of budget",)


def test_a_refusal_of_the_program_is_never():
    raised = PyRaise(V(Unknown("an exception")), "vllm/a.py", None)
    found = stopped_before("forward_mha", Stop("load", raised))
    assert found.verdict is Verdict.NEVER
    assert "load" in found.because


@pytest.mark.parametrize("beside", ["", 'if num_tokens > 3: raise ValueError("too many")'])
def test_a_call_behind_an_operation_that_fails_is_not_never(tmp_path, models, beside):
    fails = f"            {beside}\n            len(None)\n"
    found = judged(tmp_path, models, [(CALL, fails + CALL)])
    assert found.verdict is Verdict.UNPROVEN
    assert [b for b in found.blockers if "fails on an alternative" in b]


@pytest.mark.parametrize("statement", ['raise ValueError("no prompts")', "self.impl.missing"])
def test_a_call_behind_what_vllm_raises_is_never(tmp_path, models, statement):
    raises = f"            {statement}\n"
    assert judged(tmp_path, models, [(CALL, raises + CALL)]).verdict is Verdict.NEVER


SPARSE = "        num_tokens = attn_metadata.num_actual_tokens\n"
PLAIN = "\n\n@dataclass\nclass MLACommonMetadata:\n"
ELSEWHERE = """

def other(layer, *args):
    layer.impl.forward_mha(*args)
"""
ANYTHING = "        anything = getattr(self, str(attn_metadata.num_actual_tokens))\n"
FAILS = "        if anything:\n            len(None)\n"


def added(tmp_path, models, statements, elsewhere=""):
    """The verdict on forward_mha of a sparse layer, with statements added to its step."""
    edits = [(SPARSE, statements + SPARSE), (PLAIN, elsewhere + PLAIN)]
    return judged(tmp_path, models, edits, "deepseek-v3.2")


def test_a_call_that_no_argument_can_lead_to_needs_nothing_of_the_step(tmp_path, models):
    found = added(tmp_path, models, ANYTHING + "        anything()\n")
    assert (found.verdict, found.blockers) == (Verdict.NEVER, ())
    assert [fact for fact in found.proof if fact.fact == "every place that names forward_mha"]


@pytest.mark.parametrize("statement", ["        anything()\n", FAILS])
def test_a_place_that_may_call_it_needs_the_step_to_be_followed(tmp_path, models, statement):
    found = added(tmp_path, models, ANYTHING + statement, ELSEWHERE)
    assert found.verdict is Verdict.UNPROVEN
    assert found.blockers


@pytest.mark.parametrize(
    ("name", "verdict"), [("frobnicate", Verdict.NEVER), ("build", Verdict.UNPROVEN)]
)
def test_a_name_that_the_tree_does_not_bind_is_a_librarys(tmp_path, models, name, verdict):
    found = added(tmp_path, models, f"{ANYTHING}        anything.{name}(1)\n", ELSEWHERE)
    assert found.verdict is verdict
    assert bool(found.blockers) is (verdict is Verdict.UNPROVEN)


def test_a_target_that_is_handed_to_a_library_may_be_called(tmp_path, models):
    handed = "            torch.vmap(self.impl.forward_mha)\n"
    raises = '            raise ValueError("no prompts")\n'
    found = judged(tmp_path, models, [(CALL, handed + raises + CALL)])
    assert found.verdict is Verdict.UNPROVEN
    assert [b for b in found.blockers if "handed" in b]


GUARDED = "        if num_mha_tokens > 0:\n" + CALL
THROUGH = """        if self.wants_mha and num_mha_tokens > 0:
            self.all_of_it(q, kv_c_normed, k_pe, kv_cache, attn_metadata, output)
        if False:
            self.impl.other(
"""
METHOD = "    def process_weights_after_loading(self, act_dtype):\n"
ALL_OF_IT = """    def all_of_it(self, *args):
        self.impl.forward_mha(*args)

"""
LATE = "\n\ndef later(layer):\n    layer.wants_mha = True\n"


@pytest.mark.parametrize(("late", "verdict"), [("", Verdict.NEVER), (LATE, Verdict.UNPROVEN)])
def test_a_caller_that_is_never_called_rests_on_facts_too(tmp_path, models, late, verdict):
    last = "        self.kv_cache = torch.tensor([])\n"
    edits = [
        (GUARDED, THROUGH),
        (METHOD, ALL_OF_IT + METHOD),
        (last, "        self.wants_mha = False\n" + last),
        (PLAIN, late + PLAIN),
    ]
    found = judged(tmp_path, models, edits)
    assert found.verdict is verdict
    assert [fact for fact in found.proof if fact.fact.startswith("wants_mha as set at")]
    assert found.because is not None
    assert "keeps the call from being made" in found.because
    assert [b for b in found.blockers if "wants_mha" in b] == [
        b for b in found.blockers if verdict is Verdict.UNPROVEN
    ]


IMPL = "isinstance(self.impl, SparseMLAAttentionImpl)"
SWAP = "\n\ndef swap(layer, other):\n    layer.impl = other\n"


@pytest.mark.parametrize("guard", ["self.impl.num_heads > 0", "self.impl.accepts(num_tokens)"])
def test_a_guard_that_asks_an_object_rests_on_which_one_it_is(tmp_path, models, guard):
    accepts = (
        "\n\ndef accepts(impl, count):\n    return impl.scale < 2 and count >= 0\n"
        "\n\nSparseMLAAttentionImpl.accepts = accepts\n"
    )
    edits = [(IMPL, guard), (PLAIN, accepts + PLAIN)]
    alone = judged(tmp_path / "alone", models, edits, "deepseek-v3.2")
    assert (alone.verdict, alone.blockers) == (Verdict.NEVER, ())
    swapped = [*edits[:1], (PLAIN, accepts + SWAP + PLAIN)]
    found = judged(tmp_path / "swapped", models, swapped, "deepseek-v3.2")
    assert found.verdict is Verdict.UNPROVEN
    assert any("may write layer.impl" in b for b in found.blockers)
