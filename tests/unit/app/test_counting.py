from mlapath.app.counting import Counting
from mlapath.app.execution import Execution
from mlapath.app.firing import Firing
from mlapath.app.moments import Moment
from mlapath.app.phases import Graphs, Run
from mlapath.base.verdict import Verdict
from mlapath.findings.fires import Phase
from mlapath.resolve.outline import functions
from support.differential import evaluate

SOURCE = """
def twice(): return 1
def inner(): return twice() + twice()
def model():
    for layer in range(3):
        inner()
    return 1
model()
"""
PATH = "subject.py"


def counted(name, offset=1):
    """How often a line of a function runs when the model is run five times, and its label."""
    engine = evaluate(SOURCE).engine
    counting = Counting(Execution(None, (), (), (Run(engine.trace),), None))
    (function,) = [f for f in functions(engine.program.load(PATH)) if f.qualname == name]
    moment = Moment((), counts=(5,), count=5)
    line = function.line + offset
    return (
        counting.count(moment, {}, "once", PATH, line, function),
        counting.times_around(Phase.PROFILE, function, PATH),
    )


def test_what_one_run_does_once_is_counted():
    assert counted("model", 3) == (5, "once")


def test_a_line_in_a_loop_is_not():
    assert counted("model", 2) == (None, "once")


def test_nor_is_a_function_that_is_called_more_than_once():
    assert counted("inner", 0) == (None, "unknown")
    assert counted("twice", 0) == (None, "unknown")


def test_sizes_of_graphs_that_are_not_known_are_not_nought():
    graphs = Graphs("FULL", "PIECEWISE", (), 1, 16, 4096)
    firing = Firing(Execution(None, (), (), (), graphs), None, [])
    answer = firing._replayed()
    assert answer.fires is Verdict.CONDITIONAL
    assert answer.condition.numbers == {}
