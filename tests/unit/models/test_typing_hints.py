import sys

import pytest

from mlapath.values.truth import Truth
from support.differential import FakeFacts, assert_same, evaluate

LIB = FakeFacts(modules={"some_lib": Truth.TRUE})

SOURCE = """
from typing import *
class Ann:
    a: int
    b: "str" = "x"
    c: Optional["Ann"] = None
    d: List["Ann"]
    e: Annotated[int, "meta"] = 3
    f: ClassVar[int] = 3
    g: "Ann | None"
    h: None
class Sub(Ann):
    a: str
    z: float
def fn(a: int, b: "Ann", *args: str, c: Annotated[int, 1] = 2, **kw: float) -> None: ...
"""


@pytest.mark.parametrize("future", ["", "from __future__ import annotations\n"])
def test_hints_of_classes_and_functions(future):
    assert_same(
        f"""{future}{SOURCE}
h = get_type_hints(Sub)
of_class = [list(h), h["a"] is str, h["b"] is str, h["c"] == Optional[Ann], h["d"] == List[Ann],
            h["e"] is int, h["g"] == (Ann | None), h["h"] is type(None), h["f"] == ClassVar[int]]
k = get_type_hints(fn, include_extras=True)
of_function = [list(k), k["b"] is Ann, k["c"] == Annotated[int, 1], k["return"] is type(None),
               get_type_hints(fn)["c"] is int, k["args"] is str, k["kw"] is float]
nothing = get_type_hints(lambda x: x)
own = list(Sub.__annotations__), list(fn.__annotations__)
""",
        "of_class of_function nothing own",
    )


def test_a_name_for_type_checkers_only_is_an_unknown_type():
    run = evaluate(
        """
        from __future__ import annotations
        from typing import TYPE_CHECKING, get_type_hints
        if TYPE_CHECKING:
            from some_lib import Thing
        class A:
            x: Thing
            y: int
        h = get_type_hints(A)
        x, y = h["x"], h["y"] is int
        """,
        LIB,
    )
    assert run.unknown("x").hint == "type"
    assert run.plain("y") is True


def test_a_foreign_base_may_have_more_annotations():
    run = evaluate(
        """
        from typing import get_type_hints
        from some_lib import Base
        class A(Base):
            x: int
        h = get_type_hints(A)
        x, other = h["x"] is int, "other" in h
        """,
        LIB,
    )
    assert run.plain("x") is True
    assert run.unknown("other").hint == "bool"


def test_typed_dicts():
    assert_same(
        """
        import typing
        from typing import TypedDict
        class Base(TypedDict):
            a: int
            b: str
        class More(Base, total=False):
            c: float
        made = More(a=1, b="x"), Base({"a": 2, "b": "q"}), type(More(a=1, b="x")) is dict
        keys = [sorted(More.__required_keys__), sorted(More.__optional_keys__), More.__total__,
                Base.__total__, list(More.__annotations__)]
        kinds = [typing.is_typeddict(Base), typing.is_typeddict(More), typing.is_typeddict(dict),
                 typing.is_typeddict(TypedDict), More.__mro__ == (More, dict, object),
                 More.__bases__ == (dict,), issubclass(Base, dict)]
        Fn = TypedDict("Fn", {"in": int, "out": str}, total=False)
        called = [Fn(out="s"), sorted(Fn.__optional_keys__), Fn.__name__,
                  Fn.__annotations__ == {"in": int, "out": str}]
        hints = typing.get_type_hints(More)["a"] is int, list(typing.get_type_hints(More))
        """,
        "made keys kinds called hints",
    )


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Required is new in Python 3.11")
def test_keys_that_say_whether_they_are_required():
    assert_same(
        """
        from typing import NotRequired, Required, TypedDict, get_type_hints
        class A(TypedDict):
            a: int
            b: NotRequired[str]
        class B(TypedDict, total=False):
            c: Required[int]
            d: int
        keys = [sorted(k) for c in (A, B) for k in (c.__required_keys__, c.__optional_keys__)]
        hint = get_type_hints(A)["b"] is str
        """,
        "keys hint",
    )
