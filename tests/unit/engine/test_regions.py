"""Who runs a line: Python, what torch.compile made of it, or an operator that it calls."""

from support.torches import run_torch

SOURCE = """
lib = torch.library.Library("own", "FRAGMENT")
lib.define("op(Tensor x) -> Tensor")
def op(x):
    inside = 1
    return helper(x)
def fake(x):
    never = 1
    return x
lib.impl("op", op, "CUDA")
lib._register_fake("op", fake)
def helper(x):
    return x
class Model(torch.nn.Module):
    def forward(self, x):
        guarded = torch.compiler.is_compiling()
        if not guarded:
            silent = 1
        return torch.ops.own.op(helper(x))
class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Model()
        self.inner.compiled = torch.compile(self.inner.forward, fullgraph={fullgraph})
    def forward(self, x):
        return self.inner(x)
x = torch.empty(2)
outer = Outer()
outer(x)
Model()(x)
"""


def regions(fullgraph=True):
    run = run_torch(SOURCE.replace("{fullgraph}", str(fullgraph)))
    lines = run.engine.program.lines("subject.py")
    found = {}
    for (region, path), seen in run.engine.trace.parts.items():
        if path == "subject.py":
            for number in seen:
                found.setdefault(lines[number - 1].strip(), set()).add(region)
    return found


def test_a_compiled_method_is_traced_on_its_object_alone():
    found = regions()
    assert found["guarded = torch.compiler.is_compiling()"] == {"traced", ""}
    assert found["silent = 1"] == {""}


def test_an_operator_is_python_again():
    found = regions()
    assert found["inside = 1"] == {"operator", ""}
    assert found["return helper(x)"] == {"operator", ""}
    assert found["return x"] == {"traced", "operator", ""}
    assert "never = 1" not in found
    assert found["return self.inner(x)"] == {""}


def test_a_graph_that_may_break_is_told_apart():
    assert regions(fullgraph=False)["silent = 1"] == {""}
    assert "traced loosely" in regions(fullgraph=False)["return x"]


def test_fakes_are_noted():
    run = run_torch(SOURCE.replace("{fullgraph}", "True"))
    assert run.engine.store["fakes"] == {"subject.fake"}
