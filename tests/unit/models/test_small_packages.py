from mlapath.values.truth import Truth
from support.torches import run_torch

INSTALLED = dict.fromkeys(
    ("tqdm", "tqdm.auto", "numba", "psutil", "einops", "cloudpickle"), Truth.TRUE
)


def test_progress_bars_show_what_they_iterate():
    run = run_torch(
        """
        from tqdm.auto import tqdm
        import tqdm as package
        class Silent(tqdm):
            def __init__(self, *args, **kwargs):
                super().__init__(*args, **kwargs, disable=True)
        r = [list(tqdm([1, 2], desc="x")), [i for i in Silent(range(3))],
             list(package.tqdm("ab"))]
        with tqdm(total=5) as bar:
            bar.update(1)
        """,
        modules=INSTALLED,
    )
    assert run.plain("r") == [[1, 2], [0, 1, 2], ["a", "b"]]


def test_compiled_loops_are_the_functions():
    run = run_torch(
        """
        import numba
        @numba.jit(nopython=True)
        def f(n): return sum(numba.prange(n))
        @numba.njit
        def g(x): return x + 1
        r = f(4), g(1)
        """,
        modules=INSTALLED,
    )
    assert run.plain("r") == (6, 2)


def test_the_machine_is_not_known():
    run = run_torch(
        """
        import psutil, einops
        free = psutil.virtual_memory().available
        cpus = psutil.cpu_count()
        t = einops.rearrange(torch.zeros(2, 3), "a b -> b a")
        ok = isinstance(t, torch.Tensor)
        """,
        modules=INSTALLED,
    )
    assert (run.unknown("free").hint, run.unknown("free").lo) == ("int", 0)
    assert run.unknown("cpus").lo == 1
    assert run.plain("ok") is True
