from support.differential import assert_same
from support.unknowns import with_unknown


def test_heaps():
    assert_same(
        """
        import heapq
        h = [5, 3, 8, 1]
        heapq.heapify(h)
        heapq.heappush(h, 2)
        class Job:
            def __init__(self, n): self.n = n
            def __lt__(self, other): return self.n < other.n
        jobs = []
        for n in (3, 1, 2):
            heapq.heappush(jobs, Job(n))
        out = [heapq.heappop(h), heapq.heappop(h), heapq.heapreplace(h, 9),
               heapq.heappushpop(h, 0)]
        try:
            heapq.heappop([])
        except IndexError:
            empty = True
        r = [out, h, heapq.heappop(jobs).n, heapq.nsmallest(2, [3, 1, 2]),
             heapq.nlargest(1, ["a", "bbb"], key=len), empty]
        """,
        "r",
    )


def test_bisection():
    assert_same(
        """
        import bisect
        a = [1, 3, 3, 7]
        bisect.insort(a, 4)
        b = [("a", 1), ("b", 5)]
        bisect.insort(b, ("c", 3), key=lambda x: x[1])
        r = [bisect.bisect_left(a, 3), bisect.bisect_right(a, 3), bisect.bisect(a, 9), a, b,
             bisect.bisect_left([1, 2, 3], 2, 2), bisect.bisect_left(b, 4, key=lambda x: x[1])]
        """,
        "r",
    )


def test_the_tower_of_numbers():
    assert_same(
        """
        import numbers, statistics
        things = [1, 1.5, True, 2j, "x", None, [1]]
        kinds = [numbers.Number, numbers.Real, numbers.Integral, numbers.Rational]
        r = [[isinstance(x, k) for x in things] for k in kinds]
        s = [issubclass(int, numbers.Integral), statistics.mean([1, 2, 3])]
        """,
        "r s",
    )


def test_what_is_not_known():
    run = with_unknown(
        """
        import bisect, heapq
        i = bisect.bisect_left([1, 2], u)
        h = [1]
        heapq.heappush(h, u)
        n = len(h)
        first = heapq.heappop([u, 1])
        """
    )
    assert run.unknown("i").lo == 0
    run.unknown("n")
    run.unknown("first")
