from mlapath.app.moments import beside
from mlapath.app.phases import Graphs
from mlapath.app.sightings import has_lines, sightings
from mlapath.engine.trace import LineSeen
from support.differential import evaluate

SOURCE = """
def shared(): return 1
def inner(): return shared()
def layer(): return inner()
def other(): return shared()
def model():
    layer()
    return other()
model()
"""


def test_what_runs_beside_what_was_entered():
    trace = evaluate(SOURCE).engine.trace
    names = {name.rpartition(".")[2] for name in beside(trace, {"subject.layer"})}
    assert names == {"model", "other", "shared"}
    assert not beside(trace, {"subject.model"})


def graphs(**changes):
    values = {"decode": "FULL", "mixed": "PIECEWISE", "sizes": (1, 2, 4, 8, 16, 24, 32),
              "decode_tokens": 1, "requests": 16, "tokens": 4096, **changes}  # fmt: skip
    return Graphs(**values)


def test_sizes_of_full_graphs():
    assert graphs().full_sizes == (1, 2, 4, 8, 16)
    assert graphs(decode_tokens=4).full_sizes == (4, 8, 16, 24, 32)
    assert graphs(decode="PIECEWISE").full_sizes == ()
    assert graphs().captures
    assert not graphs(decode="NONE", mixed="NONE").captures


def test_the_surest_sighting_of_each_region_counts():
    unsure = LineSeen(("", "a.py", 3), guards=())
    sure = LineSeen(("", "a.py", 3), covered=True)
    parts = [
        {("", "a.py"): {3: unsure}},
        {("", "a.py"): {3: sure}, ("model", "a.py"): {3: unsure}},
    ]
    assert [(x.region, x.sure) for x in sightings(parts, "a.py", 3)] == [
        ("", True), ("model", False),
    ]  # fmt: skip
    assert sightings(parts, "a.py", 4) == ()
    assert has_lines(parts, "a.py", 1, 3)
    assert not has_lines(parts, "a.py", 4, 9)
