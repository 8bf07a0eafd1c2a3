"""Validation of values against types, against the real pydantic."""

import pytest

from support.pydantic_snippets import assert_same, run_of

pytest.importorskip("pydantic")


def test_plain_types():
    assert_same(
        """
        class S(str, enum.Enum):
            A = "a"
        class I(enum.IntEnum):
            A = 1
        ints = tried(int, [True, 1.0, 1.5, "3", " 4 ", "x", None, I.A, [1], "1.0", "1e3", "-2"])
        floats = tried(float, [1, True, "2.5", None, "x", 2.5])
        bools = tried(bool, [1, 0, 2, "true", "YES", "f", 1.0, "2", None, True])
        strings = tried(str, [1, S.A, b"x", None, True, "s"])
        nothing = tried(None, [None, 3])
        anything = tried(Any, [3, None])
        """,
        "ints floats bools strings nothing anything",
    )


def test_literals_and_enums():
    assert_same(
        """
        class S(str, enum.Enum):
            A = "a"
            B = "b"
        class E(enum.Enum):
            A = "a"
            B = 2
            @classmethod
            def _missing_(cls, value):
                return cls.A if value == "first" else None
        class I(enum.IntEnum):
            A = 1
            B = 2
        literals = tried(Literal["a", "b"], ["a", "c", S.A, 1])
        mixed = tried(Literal[1, 2, None], [1, True, "1", 3, None])
        strings = tried(S, ["a", S.A, "c", E.A])
        plain = tried(E, ["a", 2, "2", 3, None, E.B, "first"])
        numbers = tried(I, [1, "1", 5, 1.0])
        """,
        "literals mixed strings plain numbers",
    )


def test_unions_take_the_exact_option_first():
    assert_same(
        """
        @dataclasses.dataclass
        class Std:
            x: int = 0
        class E(enum.Enum):
            A = "a"
        found = [
            tried(int | None, [None, "3", "x"]), tried(int | str, ["3", 3, True, 2.5]),
            tried(str | int, [3, "3"]), tried(float | int, [1, 1.0, "1"]),
            tried(bool | str, ["true", 1]), tried(Literal["auto"] | int, ["auto", "5", "x", 3]),
            tried(Std | str, ["a", {"x": 2}, 3]), tried(E | str | None, ["a", "zz", None, E.A]),
            tried(Optional[Std], [None, {"x": 1}, 3]), tried(list[int] | int, [["1"], "2"]),
            tried(Union[dict[str, int], Std], [{"x": 3}, Std(4)]),
        ]
        """,
        "found",
    )


def test_containers():
    assert_same(
        """
        found = [
            tried(list[int], [[1, "2"], (1, 2), {1}, "12", 3, ["x"]]),
            tried(tuple[int, ...], [[1], (1,)]), tried(tuple[int, str], [(1, "a"), (1,)]),
            tried(set[int], [[1, 1]]), tried(list, [[1], (1,)]), tried(dict, [{"a": 1}, 3]),
            tried(dict[str, int], [{"a": "1"}, {"a": "x"}, [("a", 1)], None]),
            tried(dict[str, list[int]], [{"a": ["1"]}, {"a": ["x", 2, "y"]}]),
            tried(Sequence[int], [[1], (1,)]), tried(Mapping[str, int], [{"a": 1}]),
            tried(frozenset[str], [["a"]]),
        ]
        """,
        "found",
    )


def test_classes_and_callables():
    assert_same(
        """
        class Opaque:
            def __repr__(self):
                return "Opaque()"
        class Child(Opaque):
            pass
        config = ConfigDict(arbitrary_types_allowed=True)
        opaque = tried(Opaque, [Opaque(), Child(), 3], config=config)
        functions = tried(Callable[[int], str], [3])
        kinds = [x if isinstance(x, str) else x[1] for x in tried(type[int], [int, bool, str, 3])]
        """,
        "opaque functions kinds",
    )


def test_metadata():
    assert_same(
        """
        def double(v):
            if v > 100:
                raise ValueError("too big")
            return v * 2
        found = [
            tried(Annotated[int, Field(ge=1, le=5)], [0, 3, 9]),
            tried(Annotated[str, Field(min_length=2, pattern="^a")], ["a", "ab", "bb"]),
            tried(Annotated[list[int], Field(min_length=1)], [[], [1]]),
            tried(Annotated[int, Field(multiple_of=4)], [6, 8]),
            tried(Annotated[float, Field(gt=0, lt=1)], [0, 1, 0.5]),
            tried(SkipValidation[int], ["x"]), tried(PositiveInt, [0, "1"]),
            tried(StrictInt, ["1", 1]), tried(Annotated[int, AfterValidator(double)], ["4", 101]),
            tried(Annotated[int, BeforeValidator(lambda v: len(v))], ["four"]),
            tried(Annotated[int, PlainValidator(lambda v: v)], ["kept"]),
            tried(Annotated[int, WrapValidator(lambda v, h: h(v) + 1)], ["4", "x"]),
        ]
        """,
        "found",
    )


def test_core_schemas_of_the_program():
    assert_same(
        """
        from pydantic_core import core_schema
        class Options(dict):
            @classmethod
            def __get_pydantic_core_schema__(cls, source, handler):
                return core_schema.no_info_after_validator_function(
                    cls, handler.generate_schema(dict[str, int]))
        def named(v):
            return {"one": 1}[v]
        Key = Annotated[int | None, GetPydanticSchema(
            lambda source, handler: core_schema.no_info_plain_validator_function(named))]
        options = TypeAdapter(Options).validate_python({"a": "1"})
        kinds = type(options).__name__, options["a"], TypeAdapter(Key).validate_python("one")
        """,
        "kinds",
    )


def test_json_text_is_parsed_first():
    assert_same(
        """
        @dataclass
        class A:
            x: int = 0
            y: list[str] = field(default_factory=list)
        a = TypeAdapter(A).validate_json('{"x": 3, "y": ["q"]}')
        facts = a.x, a.y, message(lambda: TypeAdapter(A).validate_json('{"x": "z"}'))
        kind = message(lambda: TypeAdapter(A).validate_json("{")).partition("\\n")[0]
        """,
        "facts kind",
    )


def test_types_and_values_that_are_not_known_are_left_alone():
    run = run_of(
        """
        import some_lib
        v = some_lib.anything()
        free = TypeAdapter(some_lib.Kind).validate_python("kept")
        boxed = TypeAdapter(list[some_lib.Kind]).validate_python(["kept"])[0]
        known = TypeAdapter(list[int]).validate_python(v)
        size = TypeAdapter(Annotated[int, Field(gt=3, le=9)]).validate_python(v)
        one = TypeAdapter(Literal["a", "b"]).validate_python(v)
        """
    )
    assert run.plain("free") == run.plain("boxed") == "kept"
    assert run.unknown("known").hint == "list"
    size = run.unknown("size")
    assert (size.hint, size.lo, size.hi) == ("int", 4, 9)
    assert run.unknown("one")
