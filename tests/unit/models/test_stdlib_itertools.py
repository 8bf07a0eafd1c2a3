import pytest

from support.differential import assert_same
from support.unknowns import with_unknown


@pytest.mark.parametrize(
    "expression",
    [
        "list(i.chain([1], (2, 3), 'ab'))", "list(i.chain.from_iterable([[1], [2, 3]]))",
        "list(i.islice([1, 2, 3, 4], 2))", "list(i.islice(range(10), 2, 8, 3))",
        "list(i.islice(i.count(5, 2), 3))", "list(i.product([1, 2], 'ab'))",
        "list(i.product([0, 1], repeat=2))", "list(i.permutations([1, 2, 3], 2))",
        "list(i.combinations('abc', 2))", "list(i.combinations_with_replacement('ab', 2))",
        "list(i.accumulate([1, 2, 3]))", "list(i.accumulate([1, 2, 3], lambda a, b: a * b))",
        "list(i.accumulate([1, 2], initial=10))",
        "list(i.takewhile(lambda x: x < 3, [1, 2, 3, 1]))",
        "list(i.dropwhile(lambda x: x < 3, [1, 2, 3, 1]))", "list(i.pairwise([1, 2, 3]))",
        "list(i.filterfalse(lambda x: x % 2, range(5)))", "list(i.compress('abc', [1, 0, 1]))",
        "list(i.starmap(pow, [(2, 3), (3, 2)]))", "list(i.zip_longest([1], [2, 3], fillvalue=0))",
        "[(k, list(g)) for k, g in i.groupby('aabca')]", "list(i.repeat(1, 3))",
        "[(k, list(g)) for k, g in i.groupby([1, 3, 2], key=lambda x: x % 2)]",
        "[list(t) for t in i.tee([1, 2])]", "list(i.chain())", "next(i.chain([7], [8]))",
    ],
)  # fmt: skip
def test_known_items_give_known_results(expression):
    assert_same(f"import itertools as i\nr = {expression}\n", "r")


def test_iterators_without_an_end_are_stepped_through():
    assert_same(
        """
        import itertools
        c, y, s = itertools.count(), itertools.cycle("ab"), itertools.repeat(4)
        r = [next(c), next(c), next(y), next(y), next(y), next(s), next(s)]
        """,
        "r",
    )


def test_a_loop_over_a_counter_runs_until_it_breaks():
    run = with_unknown(
        """
        import itertools
        for n in itertools.count():
            if n > 3:
                break
        last = n
        """
    )
    assert run.plain("last") == 4


@pytest.mark.parametrize(
    "expression",
    [
        "i.chain([1], u)", "i.islice(u, 2)", "i.islice([1, 2], u)", "i.product([1], u)",
        "i.accumulate(u)", "i.permutations([1, 2], u)", "i.pairwise(u)", "i.groupby(u)",
        "i.takewhile(lambda x: u, [1, 2])", "i.zip_longest([1], u)", "i.compress([1, 2], u)",
        "i.filterfalse(u, [1, 2])", "i.repeat(1, u)", "i.starmap(pow, u)",
    ],
)  # fmt: skip
def test_unknown_items_leave_the_result_open(expression):
    run = with_unknown(f"import itertools as i\nr = len(list({expression}))\n")
    assert run.unknown("r").hint == "int"
