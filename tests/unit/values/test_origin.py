from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mlapath.values.origin import Origin, ancestors, merge

LEAVES = tuple(Origin("config", label=f"config:{i}") for i in range(20))
SOME = st.lists(st.one_of(st.none(), st.sampled_from(LEAVES)), max_size=20)


@st.composite
def graphs(draw: st.DrawFn) -> Origin:
    """An origin with others behind it, some of them shared."""
    nodes = [LEAVES[0], LEAVES[1]]
    for i in range(draw(st.integers(1, 8))):
        inputs = tuple(draw(st.lists(st.sampled_from(nodes), max_size=3)))
        control = draw(st.one_of(st.none(), st.sampled_from(nodes)))
        nodes.append(Origin("assign", "m.py", (i, 0, i, 1), inputs, control))
    return nodes[-1]


@given(SOME)
def test_a_merge_rests_on_what_it_was_made_of_and_on_nothing_else(
    given_: list[Origin | None],
) -> None:
    known = list(dict.fromkeys(o for o in given_ if o is not None))
    merged = merge(*given_)
    if not known:
        assert merged is None
    elif len(known) == 1:
        assert merged is known[0]
    else:
        assert merged is not None
        assert merged.inputs == tuple(known)


@given(SOME)
def test_a_merge_with_itself_is_itself(given_: list[Origin | None]) -> None:
    merged = merge(*given_)
    assert merge(merged, merged) is merged
    assert merge(merged, None) is merged


@given(graphs())
def test_ancestors_are_each_origin_behind_it_once_itself_first(origin: Origin) -> None:
    found = list(ancestors(origin))
    assert found[0] is origin
    assert len({id(node) for node in found}) == len(found)
    expected = {id(origin)}
    queue = [origin]
    for node in queue:
        parents = [*node.inputs, *([node.control] if node.control else [])]
        queue += [parent for parent in parents if id(parent) not in expected]
        expected |= {id(parent) for parent in parents}
    assert {id(node) for node in found} == expected


@given(graphs())
def test_nearer_ancestors_come_first(origin: Origin) -> None:
    distance = {id(origin): 0}
    for node in ancestors(origin):
        parents = [*node.inputs, *([node.control] if node.control else [])]
        for parent in parents:
            distance.setdefault(id(parent), distance[id(node)] + 1)
    steps = [distance[id(node)] for node in ancestors(origin)]
    assert steps == sorted(steps)


def test_nothing_has_no_ancestors() -> None:
    assert list(ancestors(None)) == []


def test_a_step_outside_the_tree_shows_its_label() -> None:
    assert repr(LEAVES[0]) == "<config config:0 None>"
    assert repr(Origin("assign", "m.py", (3, 0, 3, 1), value=1)) == "<assign m.py:3 1>"
