from mlapath.values.value import Union
from support.torches import run_torch


def test_cond_runs_what_its_predicate_says():
    run = run_torch(
        """
        def yes(x): return x + 1
        def no(x): return x - 1
        r = torch.cond(True, yes, no, (1,)), torch.cond(torch.tensor(0) > 1, yes, no, [1])
        either = torch.cond(u, yes, no, (1,))
        of_both = either in (0, 2)
        """
    )
    assert run.plain("r") == (2, 0)
    assert type(run.value("either").d) is Union
    assert run.plain("of_both") is True
