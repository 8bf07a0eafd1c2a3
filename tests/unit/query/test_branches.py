from mlapath.graph.build import ENTRY, build
from mlapath.query.branches import Before, leading_to
from support.differential import evaluate

SOURCE = """
def last():
    return 1

def way(x):
    if x:
        return 0
    if not x:
        return last()

def other():
    return 2

other()
way(0)
"""


def test_the_functions_that_lead_to_one_and_the_guards_before_its_call():
    run = evaluate(SOURCE)
    graph = build(run.engine.trace)
    names = {n.rpartition(".")[2]: n for n in graph}
    last, way, other = names["last"], names["way"], names["other"]
    assert leading_to(graph, [last]) == {ENTRY, way, last}
    assert leading_to(graph, [other]) == {ENTRY, other}
    assert leading_to(graph, ["nothing"]) == set()
    (call,) = [e for e in run.engine.trace.calls.values() if e.callee == last]
    line = run.engine.trace.functions[way][1]
    before = Before(run.engine.program).guards(call.path, line, call.pos[0])
    assert [(test.pos[0], test.needed) for test in before] == [(6, False), (8, True)]
