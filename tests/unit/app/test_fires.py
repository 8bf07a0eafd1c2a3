"""What a report of fires says beside its answers, on a miniature tree."""

from mlapath.app.analyze import read_tree
from mlapath.app.evaluate import Evaluation, Stop
from mlapath.app.execution import execute
from mlapath.app.fires import fires_in
from mlapath.engine.control import PyRaise
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.values.value import Unknown, V
from support.differential import evaluate
from support.eras import era_tree


def asked(models, place, **words):
    chosen = ScenarioWords(config=str(models / "deepseek-v3.2.json"), devices=("h100",), **words)
    return fires_in(read_tree(era_tree("0.16"), None), assemble(chosen)[0], (place,))


def test_a_batch_that_is_not_used_is_said(models):
    found = asked(models, "MLACommonImpl.forward_mha", batch="600")
    (note,) = [note for note in found.notes if "batch" in note]
    assert note.startswith("the scenario's batch 600 is not used here")
    assert not [x for x in asked(models, "MLACommonImpl.forward_mha").notes if "batch" in x]


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
