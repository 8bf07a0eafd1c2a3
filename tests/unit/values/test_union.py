"""Laws of sameness, union and cover, held against the meaning of values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mlapath.values.join import join
from mlapath.values.objects import FuncObj, ModuleObj
from mlapath.values.origin import Origin, ancestors
from mlapath.values.union import (
    MAX_OBJECTS,
    MAX_UNION,
    covers,
    library_of,
    may_be_absent,
    options,
    same,
    union,
)
from mlapath.values.value import ABSENT, Union, Unknown, V
from support.values import (
    ANY,
    BOUND,
    CONTENTS,
    EXTERNALS,
    HEAP,
    METHODS,
    OBJECTS,
    SCALARS,
    SINGLE,
    contents_of,
    identical,
    lifted,
    stands_for,
)


def equivalent(a: V, b: V) -> bool:
    return covers(a, b) and covers(b, a)


@given(CONTENTS, CONTENTS)
@example(range(0), range(2, 2))
@example(0.0, -0.0)
@example(complex(0, 0), complex(0, -0.0))
@example(1, True)
@example(float("nan"), float("nan"))
def test_same_is_what_the_program_cannot_tell_apart(a: Any, b: Any) -> None:
    assert same(lifted(a).d, lifted(b).d) == identical(a, b)


@given(ANY)
def test_same_and_covers_are_reflexive(value: V) -> None:
    assert same(value.d, value.d)
    assert covers(value, value)
    assert covers(value, V(value.d))


@given(ANY, ANY)
def test_same_is_symmetric_and_implies_covers(a: V, b: V) -> None:
    assert same(a.d, b.d) == same(b.d, a.d)
    if same(a.d, b.d):
        assert equivalent(a, b)


@given(ANY, ANY)
def test_covers_is_what_it_says(a: V, b: V) -> None:
    if covers(a, b):
        assert all(stands_for(a, content) for content in contents_of(b))


@given(ANY, CONTENTS)
def test_a_known_content_is_covered_where_it_is_stood_for(a: V, content: Any) -> None:
    assert covers(a, lifted(content)) == stands_for(a, content)


@given(SINGLE, SINGLE, SINGLE)
def test_covers_is_transitive(a: V, b: V, c: V) -> None:
    ab = union([a, b])
    abc = union([ab, c])
    assert covers(abc, ab)
    assert covers(ab, a)
    assert covers(abc, a)
    if covers(a, b) and covers(b, c):
        assert covers(a, c)


@given(ANY)
def test_union_is_idempotent(value: V) -> None:
    assert same(union([value]).d, value.d)
    assert equivalent(union([value, value]), value)


@given(ANY, ANY)
def test_union_is_commutative(a: V, b: V) -> None:
    left, right = union([a, b]), union([b, a])
    assert equivalent(left, right)
    assert may_be_absent(left) == may_be_absent(right)


@given(ANY, ANY, ANY)
def test_union_is_associative(a: V, b: V, c: V) -> None:
    left, right, whole = union([union([a, b]), c]), union([a, union([b, c])]), union([a, b, c])
    assert all(covers(each, part) for each in (left, right, whole) for part in (a, b, c))
    if sum(len(options(value)) for value in (a, b, c)) <= MAX_UNION:
        assert equivalent(left, right)
        assert equivalent(left, whole)


@given(st.lists(ANY, min_size=1, max_size=6))
def test_union_stands_for_each_member(members: list[V]) -> None:
    joined = union(members)
    for member in members:
        assert covers(joined, member)
        assert all(stands_for(joined, content) for content in contents_of(member))


@given(st.lists(ANY, min_size=1, max_size=6))
def test_absent_is_kept_and_not_made_up(members: list[V]) -> None:
    assert may_be_absent(union(members)) == any(may_be_absent(member) for member in members)


@given(st.lists(ANY, min_size=1, max_size=6))
def test_a_union_is_flat_and_holds_each_once(members: list[V]) -> None:
    found = options(union(members))
    assert all(type(option.d) is not Union for option in found)
    assert not any(same(x.d, y.d) for i, x in enumerate(found) for y in found[:i])
    bound = [option for option in found if option.d is not ABSENT]
    assert len(bound) == 1 or not any(type(option.d) is Unknown for option in bound)
    assert len(bound) <= MAX_OBJECTS


@given(st.lists(SCALARS, min_size=MAX_UNION + 1, max_size=14))
def test_too_many_values_are_bounded_by_what_they_were(contents: list[Any]) -> None:
    joined = union([V(content) for content in contents])
    assert all(stands_for(joined, content) for content in contents)
    if type(joined.d) is Unknown and joined.d.hint:
        assert {type(content).__name__ for content in contents} == {joined.d.hint}


def test_more_than_the_limit_is_an_unknown_with_bounds() -> None:
    joined = union([V(i) for i in range(MAX_UNION + 1)]).d
    assert (joined.hint, joined.lo, joined.hi) == ("int", 0, MAX_UNION)


def test_so_many_objects_stay_apart() -> None:
    lists = [V(HEAP.list([])) for _ in range(MAX_OBJECTS)]
    assert len(options(union(lists))) == MAX_OBJECTS
    assert type(union([*lists, V(HEAP.list([]))]).d) is Unknown


def test_what_is_of_the_tree_is_not_taken_for_a_librarys() -> None:
    outside = V(Unknown("what a library gave", lib="library.one"))
    own, foreign = V(OBJECTS[0]), V(OBJECTS[2])
    assert union([outside, foreign]).d.lib == "library.one"
    assert union([outside, own]).d.lib == ""
    assert not covers(outside, own)


@given(BOUND)
def test_the_library_of_a_value_has_all_of_it(value: V) -> None:
    library = library_of(value)
    if library:
        assert covers(V(Unknown("anything of it", lib=library)), value)


def test_methods_are_the_same_by_function_and_object() -> None:
    first, second = METHODS
    assert not same(first, second)
    assert same(type(first)(first.func, first.self_), first)


def test_functions_of_one_def_are_the_same_with_equal_defaults_and_scopes() -> None:
    module = ModuleObj("subject", HEAP.cell(), "subject.py")
    node, scope = object(), HEAP.cell()

    def made(default: int, *closure: Any) -> FuncObj:
        return FuncObj(node, module, closure, (V(default),), {}, "f", HEAP.cell())

    assert same(made(1, scope), made(1, scope))
    assert not same(made(1, scope), made(2, scope))
    assert not same(made(1, scope), made(1, HEAP.cell()))
    changed = made(1, scope)
    changed.attrs["calls"] = V(0)
    assert not same(made(1, scope), changed)


def test_externals_are_the_same_by_name() -> None:
    first, second = EXTERNALS
    assert same(first, type(first)(first.name))
    assert not same(first, second)


@pytest.mark.parametrize("join_two", [lambda a, b: union([a, b]), join])
@pytest.mark.parametrize("equal", [False, None, 7, "auto"])
def test_a_value_that_two_alternatives_share_rests_on_the_origins_of_both(equal, join_two):
    first, second = Origin("config", label="config:a"), Origin("flag", label="flag:b")
    joined = join_two(V(equal, first), V(equal, second))
    assert same(joined.d, equal)
    assert {o.label for o in ancestors(joined.o)} >= {"config:a", "flag:b"}
    assert join_two(V(equal), V(equal, second)).o is second
    assert join_two(V(equal, first), V(equal)).o is first
