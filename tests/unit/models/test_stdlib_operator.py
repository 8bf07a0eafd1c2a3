from support.differential import assert_same
from support.unknowns import with_unknown


def test_operators_and_getters():
    assert_same(
        """
        import operator as o
        from operator import attrgetter, itemgetter, methodcaller
        class A:
            def __init__(self, x): self.x = x
            def f(self, y, z=0): return (self.x, y, z)
        a = A(A(5))
        d = {"k": 1, "l": 2}
        items = [1]
        o.setitem(d, "m", 3)
        o.delitem(d, "l")
        r = [o.add(1, 2), o.mul("a", 3), o.or_(1, 2), o.iadd(items, [2]), items, o.lt(1, 2),
             o.is_(None, None), o.not_(0), o.neg(3), o.contains([1], 1), o.getitem(d, "k"), d,
             itemgetter("k")(d), itemgetter(0, 1)("ab"), attrgetter("x.x")(a), o.truth([]),
             attrgetter("x.x", "x.x")(a), methodcaller("f", 1, z=2)(a.x), o.countOf([1, 1], 1),
             sorted([(1, "b"), (0, "c")], key=itemgetter(1)), o.index(4), o.xor(6, 3)]
        """,
        "r",
    )


def test_unknown_operands():
    run = with_unknown(
        """
        import operator
        r, s = operator.add(u, 1), operator.attrgetter("a.b")(u)
        n = operator.countOf([u, 1], 1)
        """
    )
    run.unknown("r")
    run.unknown("s")
    assert run.unknown("n").lo == 0
