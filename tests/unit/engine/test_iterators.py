from mlapath.values.truth import Truth
from support.differential import FakeFacts, assert_same, evaluate

LIB = FakeFacts(modules={"some_lib": Truth.TRUE})

COUNT = """
from collections.abc import Iterator
class Count:
    def __init__(self, end): self.n, self.end = 0, end
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        if self.n > self.end: raise StopIteration
        return self.n
class Lazy(Iterator):
    def __init__(self, end): self.n, self.end = 0, end
    def __next__(self):
        self.n += 1
        if self.n > self.end: raise StopIteration
        return self.n
class Both:
    def __iter__(self): return Count(2)
"""


def test_user_defined_iterators_run_until_stop_iteration():
    assert_same(
        f"""{COUNT}
listed = list(Count(3)), list(Lazy(2)), [x for x in Both()], [*Both()], tuple(zip(Lazy(2), "ab"))
c = iter(Count(3))
stepped = next(c), next(c), c.n, list(c), next(c, "end"), iter(c) is c
total = 0
for x in Count(4):
    total += x
class Old:
    def __iter__(self): return iter([1, 2])
old = iter(Old())
first = next(old), list(old)
""",
        "listed stepped total first",
    )


def test_an_iterator_left_early_has_run_that_far():
    run = evaluate(
        f"""{COUNT}
c = Count(5)
for x in c:
    if x == 2:
        break
n = c.n
""",
    )
    assert run.plain("x") == 2
    assert run.plain("n") == 2


def test_an_endless_or_unknown_iterator_gives_unknown_items():
    run = evaluate(
        f"""{COUNT}
import some_lib
class Endless:
    def __iter__(self): return self
    def __next__(self): return 1
class Wraps:
    def __iter__(self): return iter(some_lib.items())
def choose(it):
    for x in it:
        return "some"
    return "none"
a, b, c = choose(Endless()), choose(Count(some_lib.end())), choose(Wraps())
""",
        LIB,
    )
    assert run.plain("a") == "some"
    for name in "bc":
        assert {o.d for o in run.value(name).d.options} == {"some", "none"}


def test_items_of_something_unknown_may_be_missing():
    run = evaluate(
        """
        import some_lib
        table, where = some_lib.table(), some_lib.index()
        try:
            a = table["k"]
        except KeyError:
            a = "missing"
        try:
            b = [1, 2][where]
        except IndexError:
            b = "missing"
        known = [1, 2][1]
        """,
        LIB,
    )
    run.unknown("a")
    assert {o.d for o in run.value("b").d.options} == {1, 2, "missing"}
    assert run.plain("known") == 2
