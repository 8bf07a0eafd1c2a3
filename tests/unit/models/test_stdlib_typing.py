import sys

import pytest

from mlapath.values.truth import Truth
from support.differential import FakeFacts, assert_same, evaluate

LIB = FakeFacts(modules={"some_lib": Truth.TRUE, "typing_extensions": Truth.TRUE})
TYPES_OF_3_12 = pytest.mark.skipif(
    not (3, 11) <= sys.version_info < (3, 14), reason="types as in CPython 3.12"
)

COMMON = """
import types
import typing
import collections.abc as abc
from typing import *
T, K = TypeVar("T"), TypeVar("K", bound=int)
P = ParamSpec("P")
def error(run):
    try:
        run()
    except Exception as e:
        return type(e).__name__
"""


@TYPES_OF_3_12
def test_types_show_as_in_cpython():
    assert_same(
        f"""{COMMON}
shown = [repr(x) for x in (
    Optional["A"], Union[int, None], Union[int, str, None], Optional[Union[int, str]],
    Union[int, int, str], List[Optional[int]], Callable[P, T], Callable[..., Any],
    Callable[[], None], Callable[[int, str], "A"], Callable[Concatenate[int, P], T], Tuple[()],
    Tuple[int, ...], tuple[int, ...], Type[int], Literal[1, "a", None, True], ClassVar[int],
    Annotated[Optional[int], 1, "x"], Annotated[Annotated[int, 1], 2], dict[str, List[int]],
    int | List[int], Optional[int] | str, Literal["a"] | None, T | None, list[T], list["A"],
    Final[int], NoReturn, Deque[int], DefaultDict[str, int], Pattern[str], IO[str], List, Sequence,
    Union, Literal, Any, Any | None, int | None, TypeGuard[int], list[None], Dict[str, None],
    T, P, AnyStr, Mapping[str, abc.Callable[[int], str]], ForwardRef("x"))]
""",
        "shown",
    )


@TYPES_OF_3_12
def test_origins():
    assert_same(
        f"""{COMMON}
origins = [get_origin(x) is y for x, y in (
    (List[int], list), (Dict[str, int], dict), (Tuple[int], tuple), (Sequence[int], abc.Sequence),
    (Optional[int], Union), (int | None, types.UnionType), (Annotated[int, 1], Annotated),
    (Literal["a"], Literal), (ClassVar[int], ClassVar), (Callable[[], int], abc.Callable),
    (list[int], list), (int, None), (List, list), (Generic[T], Generic), (Generic, Generic),
    (Type[int], type), (Final[int], Final), (Any, None), (None, None), (T, None))]
attributes = [
    Annotated[int, "m"].__metadata__, Annotated[int, "m"].__origin__ is int,
    List[int].__origin__ is list, List[int].__args__ == (int,), Optional[int].__origin__ is Union,
    list[int].__origin__ is list, (int | str).__args__ == (int, str)]
""",
        "origins attributes",
    )


def test_arguments():
    assert_same(
        f"""{COMMON}
arguments = [get_args(x) == y for x, y in (
    (List[int], (int,)), (Optional[int], (int, type(None))), (int | None, (int, type(None))),
    (Literal["a", "b"], ("a", "b")), (Callable[[int, str], float], ([int, str], float)),
    (Callable[..., int], (..., int)), (Callable[P, int], (P, int)), (Annotated[int, 1], (int, 1)),
    (int, ()), (Dict[str, int], (str, int)), (Literal[Literal["a"], "b", "a"], ("a", "b")),
    (Union[int, Union[str, None]], (int, str, type(None))), (tuple[int, ...], (int, ...)),
    (abc.Callable[[int], str], ([int], str)), (List["A"], (ForwardRef("A"),)))]
literal = get_args(Literal["auto", "fp8", None])
""",
        "arguments literal",
    )


@TYPES_OF_3_12
def test_equality_identity_and_keys_of_types():
    assert_same(
        f"""{COMMON}
equal = [
    Optional[int] == Union[int, None], Optional[int] == int | None, (int | str) == (str | int),
    Union[int, str] == Union[str, int], List[int] == list[int], Sequence[int] == abc.Sequence[int],
    Literal["a", "b"] == Literal["b", "a"], Literal[1] == Literal[True], List[int] == List[str],
    List[int] == List[int], list[int] == list[int], Annotated[int, 1] == Annotated[int, 1],
    Optional[int] == int, Optional[int] is Optional[int], Union[int] is int,
    Optional[None] is type(None), Literal is Literal, Union is Optional]
found = [{{Optional[int]: 1}}[Union[None, int]], {{List[int]: 2}}.get(List[int]),
         {{List[int]: 2}}.get(list[int]), int in get_args(Optional[int])]
""",
        "equal found",
    )


@TYPES_OF_3_12
def test_isinstance_of_types():
    assert_same(
        f"""{COMMON}
by_type = [
    isinstance([], List), isinstance((), Tuple), isinstance({{}}, Mapping),
    isinstance(3, Optional[int]), isinstance(None, int | None), issubclass(list, Sequence),
    isinstance("x", (int, Optional[str])), issubclass(bool, Optional[int]),
    issubclass(bool, int | str),
    isinstance([1], Iterable), isinstance(len, Callable), isinstance(3, SupportsInt),
    isinstance("3", SupportsInt), isinstance(2.5, SupportsFloat), isinstance(3, SupportsIndex)]
of_types = [
    isinstance(int | str, types.UnionType), isinstance(Optional[int], types.UnionType),
    isinstance(list[int], types.GenericAlias), isinstance(int, type), isinstance(T, TypeVar),
    callable(List[int]), callable(Optional), isinstance(Any, type)]
""",
        "by_type of_types",
    )


def test_type_variables_are_replaced():
    assert_same(
        f"""{COMMON}
replaced = [
    List[T][int] == List[int], Dict[str, T][int] == Dict[str, int],
    Optional[T][int] == Optional[int], Union[T, K][int, str] == Union[int, str],
    Callable[[T], K][int, str] == Callable[[int], str], list[T][int] == list[int],
    List[List[T]][int] == List[List[int]], error(lambda: List[int][str]),
    error(lambda: Dict[T, K][int]), List[T].__parameters__ == (T,),
    Dict[T, K].__parameters__ == (T, K), Dict[T, T].__parameters__ == (T,)]
variables = (T.__name__, K.__bound__ is int, TypeVar("C", int, str).__constraints__ == (int, str),
             T.__bound__, P.__name__, P.args.__origin__ is P)
""",
        "replaced variables",
    )


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Any is a class since Python 3.11")
def test_calls_of_types():
    assert_same(
        f"""{COMMON}
UserId = NewType("UserId", int)
called = [UserId(3), UserId.__name__, UserId.__supertype__ is int, cast("list[str]", 5),
          cast(typ=int, val=6), list[int]((1, 2)), dict[str, int](a=1)]
failed = [error(run) for run in (
    lambda: Optional[int](), lambda: Any(), lambda: Union(), lambda: List(), lambda: Never[int],
    lambda: NewType("X"), lambda: assert_never(3))]
""",
        "called failed",
    )


def test_generic_classes():
    assert_same(
        f"""{COMMON}
class Base(Generic[T]):
    kind: ClassVar[int] = 3
    def get(self): return self
    @classmethod
    def make(cls): return cls.__name__
class Sub(Base[int]): pass
class Two(Generic[T, K], Base[T]): pass
class Three(Generic[T], Sequence[T]):
    def __getitem__(self, i): return [7, 8][i]
    def __len__(self): return 2
class Four(Base[T], Generic[T]): pass
class Five(Generic[T], abc.Mapping):
    def __getitem__(self, k): return k
    def __len__(self): return 0
    def __iter__(self): return iter(())
class Six(List[int]): pass
orders = [[c.__name__ for c in x.__mro__] for x in (Sub, Two, Three, Four, Five, Six)]
used = [
    isinstance(Base[int](), Base), Base[int].make(), Base[int].kind, isinstance(Sub(), Base),
    list(Three()), Sub.__orig_bases__ == (Base[int],), issubclass(Sub, Base),
    Six((1, 2)) == [1, 2],
    get_origin(Base[int]) is Base, get_args(Base[str]) == (str,), repr(Base[int]),
    error(lambda: Base[int].nothing), Base[int] == Base[int], Base[int] == Sub]
""",
        "orders used",
    )


def test_protocols():
    assert_same(
        f"""{COMMON}
@runtime_checkable
class Runs(Protocol):
    def run(self) -> int: ...
@runtime_checkable
class Has(Protocol):
    name: str
    flag: ClassVar[bool] = True
class Plain(Protocol):
    def run(self): ...
@runtime_checkable
class Both(Runs, Protocol):
    def stop(self): ...
@runtime_checkable
class Iterates(Protocol):
    def __iter__(self): ...
@runtime_checkable
class Gets(Protocol[T]):
    def get(self) -> T: ...
class R:
    def run(self): return 1
class RS(R):
    def stop(self): ...
class N:
    run = None
class H:
    flag = False
    def __init__(self): self.name = "h"
class Explicit(Runs):
    def run(self): return 5
class G:
    def get(self): return 1
instances = [isinstance(v, p) for v in (R(), N(), 3, H(), Explicit(), RS(), [], G(), R)
             for p in (Runs, Has, Both, Iterates, Gets)]
derived = [issubclass(c, p) for c in (R, H, Explicit, RS, list) for p in (Runs, Both, Iterates)]
failed = error(lambda: isinstance(R(), Plain)), error(lambda: issubclass(H, Has))
marks = Runs._is_protocol, Explicit._is_protocol, Explicit().run()
order = [c.__name__ for c in Both.__mro__]
""",
        "instances derived failed marks order",
    )


def test_a_foreign_base_may_bring_a_protocols_members():
    run = evaluate(
        """
        from typing import Protocol, runtime_checkable
        from some_lib import Base, thing
        @runtime_checkable
        class Runs(Protocol):
            def run(self): ...
        class A(Base): pass
        class B(Base):
            def run(self): ...
        class C:
            run = None if thing else 1
        a, b = isinstance(A(), Runs), isinstance(B(), Runs)
        c, d = issubclass(A, Runs), issubclass(B, Runs)
        """,
        LIB,
    )
    assert run.plain("b") is True
    assert run.plain("d") is True
    assert run.unknown("a").hint == run.unknown("c").hint == "bool"


def test_abstract_methods_of_protocols_forbid_instances():
    assert_same(
        f"""{COMMON}
from abc import abstractmethod
class Runs(Protocol):
    @abstractmethod
    def run(self): ...
class Half(Runs): pass
class Whole(Runs):
    def run(self): return 3
made = error(lambda: Half()), Whole().run()
""",
        "made",
    )


def test_overloads_and_decorators():
    assert_same(
        f"""{COMMON}
@overload
def g(x: int) -> int: ...
@overload
def g(x: str) -> str: ...
def g(x): return x
@final
class F: pass
@no_type_check
def plain(x): return x
used = [g(4), error(lambda: overload(plain)(1)), F.__name__, plain(2), TYPE_CHECKING,
        typing.TYPE_CHECKING]
""",
        "used",
    )


def test_typing_extensions_stands_for_typing():
    run = evaluate(
        """
        import typing
        import typing_extensions as te
        from typing_extensions import (
            Self, TypeAliasType, TypeIs, Unpack, assert_never, dataclass_transform, deprecated,
            get_overloads, overload, override)
        same = [te.Literal is typing.Literal, te.Protocol is typing.Protocol,
                te.TypedDict is typing.TypedDict, te.Annotated is typing.Annotated,
                te.TYPE_CHECKING, te.runtime_checkable is typing.runtime_checkable]
        @deprecated("use new", category=None)
        def old(x): return x + 1
        @deprecated("gone")
        class Old:
            @override
            def f(self) -> Self: return 3
        @dataclass_transform(kw_only_default=True)
        def build(cls): return cls
        @overload
        def pick(x: int): ...
        @overload
        def pick(x: str): ...
        def pick(x): return x
        Rows = TypeAliasType("Rows", list[int])
        used = [old(1), old.__deprecated__, Old().f(), Old.f.__override__, build(Old) is Old,
                len(get_overloads(pick)), Rows.__name__, Rows.__value__ == list[int], repr(Rows),
                typing.get_origin(TypeIs[int]) is TypeIs, typing.get_args(Unpack[Old]) == (Old,)]
        try:
            assert_never("x")
        except AssertionError as e:
            text = str(e)
        """,
        LIB,
    )
    assert run.plain("same") == [True, True, True, True, False, True]
    assert run.plain("used") == [2, "use new", 3, True, True, 2, "Rows", True, "Rows", True, True]
    assert run.plain("text") == "Expected code to be unreachable, but got: 'x'"


def test_an_unknown_type_has_unknown_origin_and_arguments():
    run = evaluate(
        """
        from typing import get_args, get_origin, Optional
        from some_lib import load
        a, b = get_origin(load()), get_args(load())
        c = get_args(Optional[load()])[1] is type(None)
        d = Optional[load()] == Optional[int]
        """,
        LIB,
    )
    run.unknown("a")
    run.unknown("d")
    assert run.unknown("b").hint == "tuple"
    assert run.plain("c") is True


def test_types_that_configuration_code_reads():
    assert_same(
        f"""{COMMON}
Mode = Literal["auto", "fp8"]
def check(x: str):
    if x not in get_args(Mode):
        raise ValueError(x)
    return x
class Config:
    mode: Mode = "auto"
    other: Optional[Mode] = None
    sizes: "list[int] | None" = None
hints = get_type_hints(Config)
read = [check("fp8"), error(lambda: check("x")), get_args(hints["mode"]),
        [get_args(t) for t in get_args(hints["other"]) if get_origin(t) is Literal],
        get_origin(hints["sizes"]) in (Union, types.UnionType),
        type(None) in get_args(hints["sizes"])]
Alias: TypeAlias = dict[str, list[int]]
from dataclasses import dataclass, field, fields
@dataclass
class Box(Generic[T]):
    value: T
    kind: ClassVar[int] = 2
    rest: List[int] = field(default_factory=list)
boxed = [Box("x").value, Box[str]("y").value, Box(1).rest, Box.kind, repr(Box("q")),
         [f.name for f in fields(Box)], get_args(Alias)[1] == list[int], get_origin(Alias) is dict]
class P(NamedTuple):
    a: int = 1
    b: Optional["P"] = None
tuples = [P(b=P(2)).b.a, P._field_defaults, get_type_hints(P)["b"] == Optional[P],
          (lambda a, b: a)(*P(5)), "%s-%s" % P(1, None), P(1) in [P(1)], P(3) > P(2), P(1) * 2]
""",
        "read boxed tuples",
    )
