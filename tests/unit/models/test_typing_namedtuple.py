import sys

import pytest

from mlapath.values.truth import Truth
from mlapath.values.value import Unknown
from support.differential import FakeFacts, assert_same, evaluate

LIB = FakeFacts(modules={"some_lib": Truth.TRUE})

POINT = """
from typing import Generic, NamedTuple, TypeVar
T = TypeVar("T")
class Point(NamedTuple):
    \"\"\"Doc\"\"\"
    x: int
    y: int = 2
    label: str = "p"
    def norm(self): return self.x + self.y
    @property
    def twice(self): return self.x * 2
    @classmethod
    def origin(cls): return cls(0, 0)
    @staticmethod
    def helper(a): return a + 1
    def __str__(self): return f"<{self.x}>"
p = Point(1)
def error(run):
    try:
        run()
    except Exception as e:
        return type(e).__name__, str(e)
"""


def test_fields_methods_and_texts():
    assert_same(
        f"""{POINT}
read = [p.x, p.y, p.norm(), p.twice, Point.origin() == (0, 0, "p"), Point.helper(3),
        getattr(p, "label"), hasattr(p, "z")]
texts = [str(p), repr(p), f"{{p}}", f"{{p!r}}", Point.__name__, Point.__doc__]
named = [Point._fields, Point._field_defaults, p._asdict(), p._replace(y=5).y,
         Point._make([1, 2, 3]) == (1, 2, 3), p._replace(x=0) is p, Point(y=4, x=3)._asdict()]
""",
        "read texts named",
    )


def test_an_instance_is_a_tuple():
    assert_same(
        f"""{POINT}
a, b, c = p
used = [p[1], p[-1], p[:2], list(p), tuple(p), len(p), 2 in p, p + (3,), p.index(2), p.count(1),
        bool(p), [*p], dict([p[:2]]), (a, b, c), max(Point(1), Point(3)).x,
        sorted([Point(3), Point(1)])[0].x, {{p: 1}}[(1, 2, "p")], {{(1, 2, "p"): 4}}[p]]
compared = [p == (1, 2, "p"), p == Point(1), p != Point(2), p < Point(2), p == (1, 2), p == 3]
classes = [isinstance(p, tuple), isinstance(p, Point), issubclass(Point, tuple), type(p) is Point,
           Point.__mro__ == (Point, tuple, object), Point.__bases__ == (tuple,)]
match p:
    case Point(x=1, y=found): pass
match p:
    case Point(one, two, three): bound = one, two, three
""",
        "used compared classes found bound",
    )


def test_what_cannot_be_done_raises():
    assert_same(
        f"""{POINT}
def write(): p.x = 4
kinds = [error(run)[0] for run in (
    write, lambda: Point(), lambda: Point(1, 2, 3, 4), lambda: Point(1, z=3), lambda: p.zzz,
    lambda: Point(1, x=3), lambda: p._replace(q=1), lambda: p[9], lambda: Point._make([1]))]
texts = [error(lambda: Point._make([1]))[1], error(lambda: Point())[1],
         error(lambda: Point(1, z=3))[1]]
def order():
    class Late(NamedTuple):
        a: int = 1
        b: int
late = error(order)
""",
        "kinds texts late",
    )


@pytest.mark.skipif(sys.version_info < (3, 11), reason="generic named tuples are new in 3.11")
def test_subclasses_and_generics():
    assert_same(
        f"""{POINT}
class Same(Point):
    def __new__(cls, a): return super().__new__(cls, a, a)
    def extra(self): return self.x * 100
q = Same(4)
derived = [q.x, q.y, q.extra(), isinstance(q, Point), q == (4, 4, "p"), repr(q), Same._fields,
           q.norm(), q._replace(x=1).extra(), type(q).__name__]
class Box(NamedTuple, Generic[T]):
    item: T
boxed = [Box(3).item, Box[int](4).item, Box("x") == ("x",)]
Fn = NamedTuple("Fn", [("a", int), ("b", str)])
f = Fn(1, b="z")
called = [f.a, f.b, f._fields, Fn.__name__, f == (1, "z"), repr(f), Fn.__annotations__["a"] is int]
""",
        "derived boxed called",
    )


def test_unknown_arguments_give_unknown_fields():
    run = evaluate(
        f"""{POINT}
import some_lib
a = Point(some_lib.x(), 5)
b = Point(**some_lib.options())
c = Point(1, **some_lib.options())
ax, ay = a.x, a.y
kind = isinstance(b, Point), len(b)
bx, cx, cy = b.x, c.x, c.y
d = Point._make(some_lib.items())
n = len(d)
equal = a == Point(1, 5)
""",
        LIB,
    )
    assert run.plain("ay") == 5
    assert run.plain("kind") == (True, 3)
    assert run.plain("n") == 3
    for name in ("ax", "bx", "cy", "equal"):
        run.unknown(name)
    assert run.plain("cx") == 1


def test_a_field_carries_where_it_came_from():
    run = evaluate(
        f"""{POINT}
q = Point(len("abc"))
x = q.x
""",
    )
    assert run.plain("x") == 3
    assert run.value("x").o is not None
    assert type(run.value("x").d) is not Unknown


def test_alternatives_of_a_named_tuple_join_by_field():
    run = evaluate(
        f"""{POINT}
import some_lib
q = Point(1, 7) if some_lib.flag() else Point(2, 7)
x, y = q.x, q.y
""",
        LIB,
    )
    assert run.plain("y") == 7
    assert sorted(o.d for o in run.value("x").d.options) == [1, 2]
