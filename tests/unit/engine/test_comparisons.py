from support.differential import assert_same


def test_inequality_asks_for_its_own_method_first():
    assert_same(
        """
        class Both:
            def __eq__(self, other): return "equal"
            def __ne__(self, other): return "different"
        class One:
            def __eq__(self, other): return other == 1
        class Shy:
            def __ne__(self, other): return NotImplemented
        r = [Both() != 1, 1 != Both(), Both() == 1, One() != 1, One() != 2, Shy() != 3,
             Shy() != Both()]
        """,
        "r",
    )
