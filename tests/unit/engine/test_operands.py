from support.differential import assert_same


def test_operands_that_both_refuse_are_a_type_error():
    assert_same(
        """
        class Left:
            def __add__(self, other):
                return NotImplemented if other is None else 1
        class Right:
            def __radd__(self, other): return NotImplemented
        def said(run):
            try:
                return run()
            except TypeError as error:
                return str(error)
        r = said(lambda: Left() + None), said(lambda: Left() + 3), said(lambda: None + Right())
        """,
        "r",
    )
