"""What a report of fires says beside its answers, on a miniature tree."""

from mlapath.app.analyze import read_tree
from mlapath.app.evaluate import Evaluation, Stop
from mlapath.app.execution import execute
from mlapath.app.fires import fires_in
from mlapath.base.verdict import Verdict
from mlapath.engine.control import PyRaise
from mlapath.findings.fires import Batch, Phase
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.values.value import Unknown, V
from support.differential import evaluate
from support.eras import era_tree


def asked(models, place, **words):
    chosen = ScenarioWords(config=str(models / "deepseek-v3.2.json"), devices=("h100",), **words)
    return fires_in(read_tree(era_tree("0.16"), None), assemble(chosen)[0], (place,))


def test_a_batch_stands_in_place_of_the_kinds(models):
    found = asked(models, "MLACommonImpl.forward_mha", batch="600+1@8")
    steps = [p for x in found.locations for p in x.phases if p.phase is Phase.STEP]
    assert [p.batch for p in steps] == [Batch.MIXED]
    assert found.step is not None
    assert (found.step.batch, found.step.kind, found.step.tokens) == ("600+1@8", Batch.MIXED, 601)
    assert asked(models, "MLACommonImpl.forward_mha").step is None


def test_what_runs_itself_is_not_said_to_be_replaced_by_what_is_called_alike(models):
    (own,) = asked(models, "DeepseekV2MLAAttention.__init__").locations
    assert own.verdict is Verdict.ALWAYS
    assert not any("you edited" in note for note in own.notes)


def test_a_start_up_that_could_not_be_followed_is_not_refused():
    run = evaluate("error = ValueError('no')\n")
    for raised, refused in (
        (None, False),
        (PyRaise(V(Unknown("an exception")), "vllm/a.py", None), False),
        (PyRaise(run.value("error"), "vllm/a.py", None), True),
    ):
        found = Evaluation(run.engine)
        found.stop = Stop("load", raised, "out of budget")
        assert execute(found).refused is refused
