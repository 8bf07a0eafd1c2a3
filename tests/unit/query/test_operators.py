import pytest

from mlapath.query.operators import operators
from support.torches import run_torch

REGISTER = """
from torch.library import Library, infer_schema
lib = Library("vllm", "FRAGMENT")
kept = []
def register(name, function, fake=None, *, key="CUDA"):
    lib.define(name + "() -> ()")
    if fake is not None:
        lib._register_fake(name, fake)
    infer_schema(function, mutates_args=[])
    {more}
    lib.impl(name, function, dispatch_key=key)
def handed(function): kept.append(function)
def run(): pass
def stand_in(): pass
def other(): pass
register("op", {run}, fake=stand_in)
"""


def found(more="pass", run="run"):
    engine = run_torch(REGISTER.format(more=more, run=run)).engine
    places = operators([engine.trace], engine.program)
    return {name: names for (path, _, name), names in places.items() if path == "subject.py"}


def test_functions_that_a_library_keeps_as_operators():
    assert found() == {"run": ("op",), "stand_in": ("op",)}


@pytest.mark.parametrize(
    "more",
    [
        "kept.append(function)",
        "x = function",  # kept under another name
        "function()",
        "other = lambda: function",
        "some_lib.keep(function)",
        "handed(function)",
    ],
)
def test_functions_that_go_elsewhere_too(more):
    assert found(more) == {"stand_in": ("op",)}


def test_another_function_than_the_one_registered():
    assert "other" not in found(run="run if True else other")


DECORATED = """
def eager(fn):
    def wrapper(*args): return fn(*args)
    MORE
    return wrapper
@eager
def run(): pass
@eager
def again(): pass
"""


@pytest.mark.parametrize(("more", "known"), [("pass", True), ("some_lib.keep(wrapper)", False)])
def test_what_a_decorator_gave_for_a_function(more, known):
    text = REGISTER.format(more="pass", run="run") + 'register("op2", again)\n'
    engine = run_torch(text.replace("def run(): pass\n", DECORATED.replace("MORE", more))).engine
    places = operators([engine.trace], engine.program)
    names = {name: names for (path, _, name), names in places.items() if path == "subject.py"}
    assert names == {"stand_in": ("op",), **({"run": ("op",), "again": ("op2",)} if known else {})}
