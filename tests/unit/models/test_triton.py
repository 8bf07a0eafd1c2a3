from mlapath.scenario.devices import parse_device
from support.torches import run_torch


def test_a_launch_writes_contents_and_nothing_else():
    run = run_torch(
        """
        import triton
        import triton.language as tl
        @triton.autotune(configs=[triton.Config({"B": 64}, num_warps=4)], key=["n"])
        @triton.heuristics({"E": lambda args: True})
        @triton.jit
        def kernel(x, n, B: tl.constexpr):
            raise ValueError("never run")
        t = torch.tensor([1, 2])
        state = {"a": 1}
        r = [kernel[(1,)](t, 2, B=64), state["a"], kernel.__name__, bool(kernel)]
        first = t[0].item()
        """
    )
    assert run.plain("r") == [None, 1, "kernel", True]
    assert run.unknown("first").hint == "int"


def test_helpers():
    run = run_torch(
        """
        import triton
        r = [triton.cdiv(7, 2), triton.next_power_of_2(5), triton.next_power_of_2(8),
             triton.next_power_of_2(1), triton.cdiv(8, 4)]
        n = triton.cdiv(len(u), 4)
        """
    )
    assert run.plain("r") == [4, 8, 8, 1, 2]
    assert run.unknown("n").lo == 0


DRIVERS = """
from triton.backends import backends
active = [n for n, x in backends.items() if x.driver and x.driver.is_active()]
"""


def test_drivers_are_active_by_platform():
    assert run_torch(DRIVERS).plain("active") == ["nvidia"]
    assert run_torch(DRIVERS, device=parse_device("mi300x")).plain("active") == ["amd"]
    assert run_torch(DRIVERS, device=parse_device("cpu")).plain("active") == []
