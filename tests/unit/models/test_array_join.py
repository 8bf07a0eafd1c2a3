"""What an operation makes of many tensors: one that may have the shape of any of them."""

from mlapath.values.union import options
from mlapath.values.value import Unknown
from support.torches import run_torch

SEVERAL = """
def several(rows):
    if some_lib.flag(): return torch.empty(rows, 64, device="cpu")
    if some_lib.flag(): return torch.empty(rows + 1, 64, device="cpu")
    if some_lib.flag(): return torch.empty(rows + 2, 64, device="cpu")
    return torch.empty(rows + 3, 64, device="cpu")

def row():
    if some_lib.flag(): return torch.empty(1, 64)
    if some_lib.flag(): return torch.empty(64)
    return torch.empty(64)
"""
"""One of four tensors whose contents are not followed, and one of three to broadcast."""


def test_a_product_of_alternatives_stays_one_tensor():
    run = run_torch(
        SEVERAL
        + """
a, b = several(100), row()
made = a + b
made = made * 2 + 1
rank, columns, rows = made.dim(), made.shape[1], made.shape[0]
device, kind = made.device.type, made.dtype == torch.float32
"""
    )
    assert [run.value(name).d for name in ("rank", "columns", "device", "kind")] == [
        2, 64, "cpu", True]  # fmt: skip
    assert type(run.value("rows").d) is Unknown


def test_few_alternatives_stay_apart():
    run = run_torch(SEVERAL + "made = several(100) * 2\nrows = made.shape[0]\n")
    assert {o.d for o in options(run.value("rows"))} == {100, 101, 102, 103}


def test_tensors_of_other_types_and_ranks_stay_apart():
    run = run_torch(
        SEVERAL
        + """
def other():
    return several(1) if some_lib.flag() else torch.empty(7, 100, 64, dtype=torch.int32)

made = other() + (several(1) if some_lib.flag() else torch.empty(7, 100, 64))
"""
    )
    kinds = {(len(o.d.attrs["shape"].d.payload)) for o in options(run.value("made"))}
    assert kinds >= {2, 3}


def test_what_the_programs_own_operators_keep_is_not_merged():
    run = run_torch(
        SEVERAL
        + """
kept = []

class Box:
    def __init__(self, tensor):
        self.tensor = tensor
    def __add__(self, other):
        made = self.tensor + other.tensor
        kept.append(made)
        return made

def box(tensor):
    if some_lib.flag(): return Box(tensor + 1)
    if some_lib.flag(): return Box(tensor + 2)
    return Box(tensor + 3)

made = box(torch.empty(100, 64)) + box(torch.empty(1, 64))
own = made is kept[0]
"""
    )
    assert run.value("own").d is not False


def test_tensors_whose_contents_are_followed_stay_apart():
    run = run_torch(
        """
def count():
    if some_lib.flag(): return torch.tensor([1])
    if some_lib.flag(): return torch.tensor([2])
    return torch.tensor([3])

totals = count() * 10 + count()
first = totals[0].item()
"""
    )
    possible = run.value("first")
    expected = {10 * a + b for a in (1, 2, 3) for b in (1, 2, 3)}
    assert type(possible.d) is Unknown or {o.d for o in options(possible)} == expected
