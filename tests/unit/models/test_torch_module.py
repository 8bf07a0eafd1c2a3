from support.torches import plain, run_torch

MODEL = """
import torch.nn as nn
class Inner(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.empty(n, 4, dtype=torch.bfloat16))
        self.register_buffer("buf", torch.zeros(3))
        self.register_parameter("nothing", None)
    def forward(self, x, scale=1):
        return x * scale
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Inner(i) for i in range(3)] + [nn.Identity()])
        self.proj = nn.Linear(4, 8, bias=False)
        self.shared = self.proj
    def forward(self, x):
        for layer in self.layers[:2]:
            x = layer(x, scale=2)
        return self.proj(x)
o = Outer()
"""


def test_calls_go_to_forward():
    run = run_torch(
        MODEL
        + """
y = o(torch.ones(5, 4))
first = o.layers[0](torch.ones(2), scale=3).tolist()
"""
    )
    assert plain(run, run.value("y"))[1] == [5, 8]
    assert run.plain("first") == [3.0, 3.0]
    callees = {edge.callee for edge in run.engine.trace.calls.values()}
    assert {"subject.Outer.forward", "subject.Inner.forward"} <= callees


def test_members_are_named_once_parents_first():
    run = run_torch(
        MODEL
        + """
parameters = [n for n, _ in o.named_parameters()]
modules = [n for n, _ in o.named_modules()]
buffers = [n for n, _ in o.named_buffers(prefix="p")]
counts = [len(list(o.parameters())), len(list(o.modules())), len(list(o.children())),
          [n for n, _ in o.layers.named_children()], list(o.layers[0]._buffers)]
sub = o.get_submodule("layers.1").w.size(0)
"""
    )
    assert run.plain("parameters") == ["layers.0.w", "layers.1.w", "layers.2.w", "proj.weight"]
    assert run.plain("modules") == [
        "", "layers", "layers.0", "layers.1", "layers.2", "layers.3", "proj",
    ]  # fmt: skip
    assert run.plain("buffers") == ["p.layers.0.buf", "p.layers.1.buf", "p.layers.2.buf"]
    assert run.plain("counts") == [4, 7, 2, ["0", "1", "2", "3"], ["buf"]]
    assert run.plain("sub") == 1


def test_attributes_and_modes():
    run = run_torch(
        MODEL
        + """
before = o.training
o.eval()
r = [before, o.training, o.layers[0].training, hasattr(o, "missing"), o.layers[0].nothing,
     isinstance(o, nn.Module), bool(o), bool(nn.ModuleList()), len(o.layers)]
try:
    o.missing
except AttributeError as error:
    message = str(error)
o.half()
kinds = [o.proj.weight.dtype == torch.float16, o.layers[0].buf.dtype == torch.float16]
seen = []
o.apply(lambda m: seen.append(type(m).__name__))
"""
    )
    assert run.plain("r") == [True, False, False, False, None, True, True, False, 4]
    assert run.plain("message") == "'Outer' object has no attribute 'missing'"
    assert run.plain("kinds") == [True, True]
    assert run.plain("seen")[-1] == "Outer"


def test_a_maybe_module_leaves_the_list_of_modules_open():
    run = run_torch(
        """
        class M(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.maybe = torch.nn.Identity() if u else None
        names = [n for n, _ in M().named_modules()]
        """
    )
    assert run.value("names").d.open


def test_containers():
    run = run_torch(
        """
        import torch.nn as nn
        l = nn.ModuleList()
        l.append(nn.Linear(2, 3))
        l.extend([nn.Identity()])
        d = nn.ModuleDict({"a": nn.Linear(1, 1)})
        d["b"] = nn.Identity()
        s = nn.Sequential(nn.Linear(4, 5), nn.ReLU())
        r = [len(l), l[0].out_features, isinstance(l[:1], nn.ModuleList), list(d.keys()),
             "a" in d, len(s), s[0].in_features, [n for n, _ in d.named_parameters()]]
        y = s(torch.zeros(2, 4)).shape
        """
    )
    assert run.plain("r") == [
        2, 3, True, ["a", "b"], True, 2, 4, ["a.weight", "a.bias"],
    ]  # fmt: skip
    assert plain(run, run.value("y")) == ["S", [2, 5]]


def test_a_dict_of_modules_of_which_only_a_part_is_known():
    run = run_torch(
        """
        import torch.nn as nn
        d = nn.ModuleDict({"a": nn.Linear(1, 1)})
        d.update(u)
        names = [n for n, _ in d.named_parameters()]
        """
    )
    assert run.value("names").d.open


def test_layers_without_a_summary_are_modules():
    run = run_torch(
        """
        m = torch.nn.MultiheadAttention(8, 2)
        r = [isinstance(m, torch.nn.Module), isinstance(m(torch.zeros(1)), torch.Tensor)]
        class Mine(torch.nn.MultiheadAttention):
            def __init__(self):
                super().__init__(8, 2)
                self.own = 1
        own = Mine().own
        """
    )
    assert run.plain("r") == [True, True]
    assert run.plain("own") == 1


def test_members_are_iterators():
    run = run_torch(
        MODEL
        + """
first = next(o.parameters()).shape
none = next(nn.Identity().parameters(), None)
"""
    )
    assert plain(run, run.value("first")) == ["S", [0, 4]]
    assert run.plain("none") is None
