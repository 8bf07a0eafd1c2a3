"""``msgspec.Struct``, against the real msgspec."""

import textwrap

import pytest

from mlapath.values.truth import Truth
from support import differential
from support.differential import FakeFacts, evaluate

pytest.importorskip("msgspec")

FACTS = FakeFacts(modules=dict.fromkeys(("msgspec", "some_lib"), Truth.TRUE))
PRELUDE = """
import msgspec
from typing import ClassVar
def message(run):
    try:
        run()
    except Exception as error:
        return type(error).__name__, str(error)
    return "valid"
class A(msgspec.Struct):
    x: int
    y: str = "a"
    z: list = []
    w: dict = msgspec.field(default_factory=dict)
class B(A, kw_only=True, frozen=True, tag=True):
    k: int
    m: int = 3
"""


def assert_same(source: str, names: str) -> None:
    differential.assert_same(PRELUDE + textwrap.dedent(source), names, FACTS)


def test_fields_defaults_and_messages():
    assert_same(
        """
        texts = [message(f) for f in (
            lambda: A(), lambda: A(1, q=2), lambda: A(1, 2, 3, 4, 5), lambda: A(1, x=2),
            lambda: B(1), lambda: B(1, "a", [], {}, 5))]
        def late():
            class C(msgspec.Struct):
                x: int = 1
                y: int
        def mutable():
            class C(msgspec.Struct):
                x: list = [1]
        wrong = message(late), message(mutable)
        told = B.__struct_fields__, A.__match_args__, B.__struct_config__.frozen
        fresh = A(1).z is A(1).z, A(1).z, A(1).w, A("unchecked").x, hasattr(A(1), "q")
        class R(A):
            x: int = 4
            c: ClassVar[int] = 9
        order = R.__struct_fields__, R.c, R().x
        """,
        "texts wrong told fresh order",
    )


def test_equality_order_hash_and_text():
    assert_same(
        """
        class O(msgspec.Struct, order=True):
            a: int
        class E(msgspec.Struct, eq=False):
            a: int
        class F(msgspec.Struct, frozen=True):
            a: int
            def __post_init__(self):
                msgspec.structs.force_setattr(self, "a", self.a + 1)
        b = B(1, k=2)
        def write():
            b.x = 3
        facts = (A(1) == A(1), A(1) == A(2), O(1) < O(2), E(1) == E(1), {F(1): 3}[F(1)],
                 b == B(1, k=2), message(write), repr(b), F(3).a)
        """,
        "facts",
    )


def test_helpers():
    assert_same(
        """
        from msgspec import structs
        a = A(1)
        facts = (structs.asdict(a), structs.astuple(a), structs.replace(a, x=5).x,
                 message(lambda: structs.replace(a, q=3)),
                 [(f.name, f.required) for f in structs.fields(A)],
                 structs.fields(A)[0].type is int,
                 structs.fields(A)[0].default is msgspec.NODEFAULT,
                 issubclass(msgspec.ValidationError, msgspec.MsgspecError), isinstance(a, A))
        """,
        "facts",
    )


def test_what_is_decoded_is_not_known():
    run = evaluate(
        PRELUDE
        + textwrap.dedent(
            """
            import some_lib
            decoded = msgspec.msgpack.decode(b"x")
            encoded = msgspec.msgpack.Encoder().encode(A(1))
            opened = A(1, **some_lib.anything()).y
            """
        ),
        FACTS,
    )
    for name in ("decoded", "encoded", "opened"):
        assert run.unknown(name)
