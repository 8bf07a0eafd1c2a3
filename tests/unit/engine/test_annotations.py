from mlapath.values.truth import Truth
from support.differential import FakeFacts, assert_same, evaluate

LIB = FakeFacts(modules={"some_lib": Truth.TRUE})


def test_annotations_are_values_and_strings_stay_strings():
    assert_same(
        """
        class A:
            x: int = 0
            y: "list[B]" = None
            z: dict[str, int | None] = None
        class B:
            pass
        def f(a: int, *b: "B", c: str | None = None) -> list[int]:
            pass
        notes = A.__annotations__["y"], f.__annotations__["b"], list(f.__annotations__)
        texts = repr(A.__annotations__["z"]), repr(f.__annotations__["return"]), repr(int | None)
        same = (A.__annotations__["x"] is int, list[int] == list[int], list[int] == list[str],
                list[int] in {list[int], str})
        """,
        "notes texts same",
    )


def test_postponed_annotations_are_text():
    assert_same(
        """
        from __future__ import annotations
        class A:
            x: Missing | None = 0
        note = A.__annotations__["x"]
        """,
        "note",
    )


def test_a_fields_own_name_does_not_hide_its_type():
    run = evaluate(
        """
        class A:
            int: int | None = None
            other: int = 0
        """
    )
    cls = run.value("A").d
    _, expr, frame = cls.facts["annotations"][1]
    assert run.engine.annotation_value(frame, expr).d is run.engine.builtins["int"].d


def test_a_name_for_type_checkers_only_is_an_unknown_type():
    run = evaluate(
        """
        class A:
            x: "dict[str, Missing]" = None
        """
    )
    _, expr, frame = run.value("A").d.facts["annotations"][0]
    value = run.engine.annotation_value(frame, expr)
    assert run.engine.format_value(value, "r", "").startswith("dict[str, ")
    assert not run.engine.trace.refusals
