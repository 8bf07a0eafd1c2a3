"""Between abstract values and plain objects: there and back, and keys."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlapath.values.concrete import NotConcrete, from_py, key_of, to_py
from mlapath.values.heap import Heap
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.value import ABSENT, External, Union, Unknown, V
from support.values import unknowns

HEAP = Heap()
HASHABLE_SCALARS = st.one_of(
    st.integers(-3, 3), st.booleans(), st.none(), st.sampled_from(["", "a", b"a", ..., 2.5, -1.0]),
    st.sampled_from([0.0, 1.0, 1j, complex(1, 0), range(2), range(0, 2, 1)]),
)  # fmt: skip
KEYS = st.recursive(
    HASHABLE_SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=2).map(tuple), st.frozensets(inner, max_size=2)
    ),
    max_leaves=4,
)
PLAIN = st.recursive(
    KEYS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3),
        st.lists(inner, max_size=2).map(tuple), st.sets(KEYS, max_size=3),
    ),
    max_leaves=6,
)  # fmt: skip


@given(PLAIN)
def test_there_and_back(plain: Any) -> None:
    back = to_py(from_py(HEAP, plain))
    assert back == plain
    assert type(back) is type(plain)


@given(st.dictionaries(KEYS, st.integers(), max_size=5))
def test_the_order_of_a_dict_is_kept(plain: dict[Any, int]) -> None:
    assert list(to_py(from_py(HEAP, plain))) == list(plain)


@given(KEYS, KEYS)
def test_keys_are_equal_where_python_takes_them_for_equal(a: Any, b: Any) -> None:
    first, second = key_of(from_py(HEAP, a)), key_of(from_py(HEAP, b))
    assert first is not None
    assert (first == second) == (a == b)
    if a == b:
        assert hash(first) == hash(second)


@given(KEYS, unknowns())
def test_what_is_not_known_is_no_key(plain: Any, unknown: V) -> None:
    assert key_of(unknown) is None
    assert key_of(V((from_py(HEAP, plain), unknown))) is None
    assert key_of(V(Union((V(1), V(2))))) is None
    assert key_of(V(Union((V(ABSENT), V(1))))) is None
    assert key_of(V(HEAP.list([]))) is None
    assert key_of(V(HEAP.dict())) is None


@given(PLAIN, unknowns())
def test_what_is_not_known_is_not_plain(plain: Any, unknown: V) -> None:
    for value in (unknown, V((from_py(HEAP, plain), unknown)), V(External("library.symbol"))):
        with pytest.raises(NotConcrete):
            to_py(value)


def test_an_open_container_is_not_plain() -> None:
    items, table = HEAP.list([V(1)]), HEAP.dict()
    HEAP.open_list(items, "longer")
    HEAP.open_dict(table, "larger")
    for value in (V(items), V(table)):
        with pytest.raises(NotConcrete):
            to_py(value)


def test_unknowns_that_are_surely_equal_are_equal_keys() -> None:
    a, b, c = (V(Unknown("a hash", "int", same=x)) for x in ("k", "k", "other"))
    assert key_of(a) == key_of(b) != key_of(c)


def test_objects_are_keys_by_identity_unless_the_program_says_what_equals() -> None:
    plain = ClassObj("Plain", "Plain", "subject", (), HEAP.cell())
    a, b = (V(Instance(plain, HEAP.cell())) for _ in range(2))
    assert key_of(a) == key_of(a) != key_of(b)
    data = ClassObj("Data", "Data", "subject", (), HEAP.cell())
    data.facts["hash_fields"] = ("x",)
    c, d, e = (V(Instance(data, HEAP.cell({"x": V(x)}))) for x in (1, 1, 2))
    assert key_of(c) == key_of(d) != key_of(e)


def test_subclasses_of_builtins_are_what_they_derive_from() -> None:
    class Number(IntEnum):
        ONE = 1

    class Text(str):
        __slots__ = ()

    assert type(from_py(HEAP, Number.ONE).d) is int
    assert type(from_py(HEAP, Text("a")).d) is str
    with pytest.raises(TypeError):
        from_py(HEAP, object())


def test_an_object_of_a_subclass_of_a_builtin_is_its_content() -> None:
    cls = ClassObj("Text", "Text", "subject", (), HEAP.cell(), payload=str)
    assert to_py(V(Instance(cls, HEAP.cell(), "text"))) == "text"
    items = HEAP.list([V(1)])
    assert to_py(V(Instance(cls, HEAP.cell(), items))) == [1]
    assert math.isnan(to_py(V(math.nan)))
