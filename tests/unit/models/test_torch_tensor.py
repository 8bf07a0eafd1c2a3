"""Tensors: shapes, types and small contents, held by what torch 2.13 gives."""

import json
import tracemalloc
from pathlib import Path

import pytest

from mlapath.values.truth import Truth
from mlapath.values.value import Unknown
from support.torches import agrees, known, plain, run_torch

RESULTS = json.loads(Path(__file__).with_name("torch_results.json").read_text("utf-8"))
"""[expression, its value in torch 2.13]."""
NOT_FOLLOWED = 8
"""How many of the expressions have contents that are not followed."""


@pytest.fixture(scope="module")
def evaluated():
    source = "\n".join(f"def f{i}(): return {text}" for i, (text, _) in enumerate(RESULTS))
    calls = "\n".join(f"r{i} = f{i}()" for i in range(len(RESULTS)))
    return run_torch(source + "\n" + calls)


@pytest.mark.parametrize("index", range(len(RESULTS)), ids=[text for text, _ in RESULTS])
def test_agrees_with_torch(evaluated, index):
    found = plain(evaluated, evaluated.value(f"r{index}"))
    assert agrees(found, RESULTS[index][1]), found


def test_most_results_are_fully_known(evaluated):
    unknown = [
        text
        for i, (text, _) in enumerate(RESULTS)
        if not known(plain(evaluated, evaluated.value(f"r{i}")))
    ]
    assert len(unknown) <= NOT_FOLLOWED, unknown


def test_views_share_storage_and_copies_do_not():
    run = run_torch(
        """
        a = torch.zeros(2, 3, dtype=torch.int32)
        row = a[1]
        copy = a.clone()
        row[0] = 5
        a.view(6)[1:3].fill_(7)
        a.t()[2, 1] = 9
        n = a.numpy()
        n[1, 1] = 8
        rows = a.tolist()
        left = copy.sum().item()
        """
    )
    assert run.plain("rows") == [[0, 7, 7], [5, 8, 9]]
    assert run.plain("left") == 0


def test_writes_of_unknown_places_and_values_forget_the_contents():
    run = run_torch(
        """
        a = torch.tensor([1, 2, 3])
        a[u] = 5
        first = a[0].item()
        b = torch.tensor([1, 2, 3])
        some_lib.kernel(b)
        second = b[0].item()
        c = torch.tensor([1, 2, 3])
        c[1] = int(u)
        third = (c[0].item(), c[2].item())
        fourth = c[1].item()
        d = torch.tensor([1, 2])
        torch.add(d, u, out=d)
        fifth = d[0].item()
        """
    )
    for name in ("first", "second", "fourth", "fifth"):
        assert run.unknown(name).hint == "int"
    assert run.plain("third") == (1, 3)


def test_alternatives_of_a_write_are_joined():
    run = run_torch(
        """
        a = torch.tensor([1, 2, 3])
        if u:
            a[0] = 9
        same, maybe = a[1].item(), a[0].item()
        inside = maybe in (1, 9)
        """
    )
    assert run.plain("same") == 2
    assert run.plain("inside") is True


def test_unknown_dimensions_are_carried_through_views():
    run = run_torch(
        """
        n = int(u)
        q = torch.empty(n, 128, 192, dtype=torch.bfloat16)
        nope, pe = q.split([128, 64], dim=-1)
        flat = nope.reshape(-1, 128 * 128)
        dims = [nope.shape[1:], pe.shape[1:], flat.shape[1:], q[:, 0].shape[1:]]
        kept = [nope.shape[0] is q.shape[0], flat.shape[0] is q.shape[0]]
        head = q[:7].shape[0]
        tail = q[u:].shape[0]
        whole = q.view(-1).shape[0]
        """
    )
    dims = plain(run, run.value("dims"))
    assert dims == ["list", [["S", [128, 128]], ["S", [128, 64]], ["S", [16384]], ["S", [192]]]]
    assert (run.unknown("head").lo, run.unknown("head").hi) == (0, 7)
    assert run.unknown("tail").lo == 0
    assert run.unknown("whole").lo == 0


def test_a_prefix_has_the_length_that_was_asked_for():
    run = run_torch(
        """
        def length(n):
            buffer = torch.zeros(64, 8)
            return buffer[:n].shape[0]
        n = len(u)
        m = min(n, 64)
        exact, cut = length(m), length(n)
        """
    )
    assert run.value("exact").d is run.value("m").d
    assert (run.unknown("cut").lo, run.unknown("cut").hi) == (0, 64)


def test_the_truth_of_tensors():
    run = run_torch(
        """
        yes = bool(torch.tensor([3]) > 2)
        no = bool(torch.tensor(0))
        nobody = bool(torch.empty(1) > 0)
        try:
            bool(torch.tensor([1, 2]))
        except RuntimeError:
            ambiguous = True
        """
    )
    assert run.plain("yes") is True
    assert run.plain("no") is False
    assert run.unknown("nobody").hint == "bool"
    assert run.plain("ambiguous") is True


def test_attributes_are_there_or_not():
    run = run_torch(
        """
        p = torch.nn.Parameter(torch.empty(4, 5), requires_grad=False)
        before = hasattr(p, "output_dim"), getattr(p, "weight_loader", 3)
        p.output_dim = 0
        after = p.output_dim, isinstance(p, torch.Tensor), p.requires_grad, p.grad
        there = hasattr(p, "sparse_mask")
        p.data = torch.zeros(2, dtype=torch.int8)
        shown = p.shape, p.dtype, p.output_dim
        """
    )
    assert run.plain("before") == (False, 3)
    assert run.plain("after") == (0, True, False, None)
    assert run.plain("there") is True
    assert plain(run, run.value("shown")) == ["tuple", [["S", [2]], "torch.int8", 0]]


def test_a_method_without_a_summary_gives_a_tensor_of_unknown_shape():
    run = run_torch(
        """
        a = torch.tensor([1, 2])
        r = a.cholesky()
        ok = isinstance(r, torch.Tensor)
        same = a.sinh_() is a
        gone = a[0].item()
        """
    )
    assert run.plain("ok") is True
    assert run.plain("same") is True
    assert plain(run, run.value("r")) == ["T", "?", "?", "?"]
    assert type(run.value("gone").d) is Unknown


def test_subclasses_of_parameters_construct():
    run = run_torch(
        """
        class Scaled(torch.nn.Parameter):
            def __new__(cls, data, **kwargs):
                return super().__new__(cls, data=data, requires_grad=False)
            def __init__(self, data, loader):
                self.loader = loader
        p = Scaled(data=torch.empty(2, 3), loader=7)
        r = p.loader, type(p) is Scaled, p.size(1), isinstance(p, torch.nn.Parameter)
        """
    )
    assert run.plain("r") == (7, True, 3, True)


def test_shapes_are_tuples():
    run = run_torch(
        """
        s = torch.zeros(2, 3).shape
        a, b = s
        r = [s == (2, 3), s[:-1].numel(), len(s), a + b, s[-1], isinstance(s, tuple), str(s)]
        t = s[:1] + (5,)
        many = {s: 1}[(2, 3)]
        other = torch.cat([u]).shape
        unknown = [other == (2, 3), len(other), other[0]]
        """
    )
    assert run.plain("r") == [True, 2, 2, 5, 3, True, "torch.Size([2, 3])"]
    assert plain(run, run.value("t")) == ["S", [2, 5]]
    assert run.plain("many") == 1
    assert [x.d.hint for x in run.value("unknown").d.items] == ["bool", "int", "int"]


def test_wrong_shapes_raise():
    run = run_torch(
        """
        r = []
        for f in (lambda: torch.zeros(2, 3).view(4), lambda: torch.zeros(2)[5],
                  lambda: torch.zeros(2) + torch.zeros(3), lambda: torch.zeros(2, 3).size(2),
                  lambda: torch.zeros(2, 3) @ torch.zeros(2, 3), lambda: torch.zeros(2).item()):
            try:
                f()
            except (RuntimeError, IndexError) as error:
                r.append(type(error).__name__)
        """
    )
    expected = ["RuntimeError", "IndexError", "RuntimeError", "IndexError", "RuntimeError"]
    assert run.plain("r") == [*expected, "RuntimeError"]


def test_the_dict_of_a_tensor_is_what_python_code_has_set():
    run = run_torch(
        """
        p = torch.nn.Parameter(torch.zeros(2), requires_grad=False)
        p.loader = 3
        q = torch.zeros(4)
        q.__dict__ = dict(p.__dict__)
        r = [list(p.__dict__), q.loader, q.shape[0]]
        """
    )
    assert run.plain("r") == [["loader"], 3, 4]


def test_the_running_sum_of_a_single_number_is_that_number():
    run = run_torch("""
    import torch
    r = torch.cumsum(torch.tensor(3), 0).item()
    """)
    assert run.plain("r") == 3


def test_a_shape_of_unknown_length_given_to_a_method_of_a_tensor_is_no_unknown_call():
    run = run_torch(
        """
    import torch
    import some_lib
    t = torch.zeros(2, 3)
    kept = [1]
    r = t.reshape(1, *some_lib.shape())
    """,
        modules={"some_lib": Truth.TRUE},
    )
    assert not run.engine.trace.limits
    assert run.unknown("r").lib


def test_arithmetic_in_place_on_one_of_two_tensors():
    run = run_torch(
        """
        a, b = torch.tensor([1]), torch.tensor([5])
        target = a if u else b
        target += 1
        r = [a.item() in (1, 2), b.item() in (5, 6)]
        maybe = a.item() == 1
        """
    )
    assert run.plain("r") == [True, True]
    assert run.unknown("maybe").hint == "bool"


def test_writes_to_a_tensor_of_very_many_elements_take_no_memory():
    tracemalloc.start()
    try:
        run = run_torch(
            """
            import torch
            big = torch.empty(200_000, 100)
            big.fill_(0)
            big[3:] = 1.0
            big.copy_(torch.ones(100))
            big[:] = [2.0]
            shape = big.shape
            """
        )
        assert tracemalloc.get_traced_memory()[1] < 50 << 20
    finally:
        tracemalloc.stop()
    assert plain(run, run.value("shape")) == ["S", [200_000, 100]]


def test_the_type_of_one_of_several_tensors():
    run = run_torch(
        """
        other = torch.zeros(2, dtype=torch.int32)
        if len(u) > 3: other = torch.zeros(3, dtype=torch.int64)
        dtype = torch.ones(4).to(other).dtype
        """
    )
    assert {option.d.name for option in run.value("dtype").d.options} == {
        "torch.int32", "torch.int64",
    }  # fmt: skip
