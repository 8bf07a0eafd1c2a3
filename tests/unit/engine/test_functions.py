from mlapath.values.truth import Truth
from support.differential import FakeFacts, assert_same, evaluate

LIB = FakeFacts(modules={"some_lib": Truth.TRUE})


def test_content_of_containers_shows_by_its_own_repr():
    assert_same(
        """
        import enum
        class Color(str, enum.Enum):
            RED = "r"
        class Named(str):
            def __repr__(self): return "named"
        class Plain:
            def __repr__(self): return "plain"
            def __str__(self): return "never inside"
        things = [Color.RED, Named("x"), Plain(), 1]
        shown = [repr([x]) for x in things] + [str((x,)) for x in things]
        shown += [f"{{'k': x}}" for x in things] + [repr({"k": [x]}) for x in things]
        sets = repr(set()), repr(frozenset()), repr({1}), repr(frozenset([1])), str({Named("y")})
        empty = repr([]), repr(()), repr({}), f"{[]}"
        """,
        "shown sets empty",
    )


def test_what_is_not_known_has_no_text():
    run = evaluate(
        """
        import some_lib
        def gen():
            yield 1
        g = gen()
        texts = f"{g}", repr([some_lib.load()])
        first = next(g)
        a, b = texts
        """,
        LIB,
    )
    assert run.unknown("a").hint == run.unknown("b").hint == "str"
    assert run.plain("first") == 1


def test_the_text_of_a_set_does_not_depend_on_the_run():
    run = evaluate(
        """
        names = {"b": 1, "a": 2, "d": 3, "c": 4}
        text, inside = f"{names.keys()}", repr([{"y", "x", "z"}])
        """
    )
    assert run.plain("text") == "{'b', 'a', 'd', 'c'}"
    assert run.plain("inside") == "[{'y', 'x', 'z'}]"
