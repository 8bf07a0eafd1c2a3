from support.differential import assert_same
from support.unknowns import with_unknown


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


def test_dicts_with_a_key_that_may_be_absent_are_not_known_to_be_equal():
    run = with_unknown(
        """
        table = {}
        if u:
            table["a"] = 1
        same = table == {"a": 1}
        empty = table == {}
        """
    )
    assert run.unknown("same").hint == "bool"
    assert run.unknown("empty").hint == "bool"
