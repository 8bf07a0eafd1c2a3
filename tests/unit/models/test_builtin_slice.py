from support.differential import assert_same
from support.unknowns import with_unknown


def test_bounds_and_indices():
    assert_same(
        """
        s = slice(1, 5, 2)
        class Show:
            def __getitem__(self, s): return (s.start, s.stop, s.step, isinstance(s, slice))
        r = [s.start, s.stop, s.step, slice(3).start, slice(3).stop, s.indices(4), Show()[1:],
             type(s) is slice, [0, 1, 2, 3, 4][s]]
        """,
        "r",
    )


def test_unknown_bounds():
    run = with_unknown("n = len(u)\ns = slice(0, n)\nr = s.stop is n\nlow = s.indices(3)[1]\n")
    assert run.value("s").d.upper.d is run.value("n").d
    assert run.unknown("low").hint == "int"
