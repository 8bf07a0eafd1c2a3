"""Drawn programs over the heap alone, and the states of all their runs.

``support.heap_runs`` runs them once, abstractly.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

Op = tuple[Any, ...]
Ops = tuple[Op, ...]
State = dict[str, Any]

SCALARS, OBJECTS, LISTS, DICTS = ("x", "y"), ("o", "p"), ("l", "m"), ("d",)
KEYS = ("a", "b")
RUNS = 3
MANY = 300


class Obj:
    """An object of a concrete state."""


def start() -> State:
    """The state at the beginning."""
    shared: list[int] = [1]
    return {"x": 0, "o": Obj(), "p": None, "l": shared, "m": [], "d": {"a": 1}}


# -- drawing -----------------------------------------------------------------------------------

NUMBERS = st.integers(0, 3)
FEW = st.one_of(
    st.tuples(st.just("set"), st.just("x"), NUMBERS),
    st.just(("new", "o", 0)),
    st.tuples(st.just("attr"), st.just("o"), st.just("a"), NUMBERS),
)
"""Few kinds of steps, so that programs are mostly about how they are composed."""
SIMPLE = st.one_of(
    st.tuples(st.just("set"), st.sampled_from(SCALARS), NUMBERS),
    st.tuples(st.just("alias"), st.sampled_from(SCALARS), st.sampled_from(SCALARS)),
    st.tuples(st.just("del"), st.sampled_from(SCALARS)),
    st.tuples(st.just("alias"), st.sampled_from(OBJECTS), st.sampled_from(OBJECTS)),
    st.tuples(st.just("alias"), st.sampled_from(LISTS), st.sampled_from(LISTS)),
    st.tuples(st.just("new"), st.sampled_from(OBJECTS), NUMBERS),
    st.tuples(st.just("list"), st.sampled_from(LISTS)),
    st.tuples(st.just("attr"), st.sampled_from(OBJECTS), st.sampled_from(KEYS), NUMBERS),
    st.tuples(st.just("link"), st.sampled_from(OBJECTS), st.sampled_from(OBJECTS)),
    st.tuples(st.just("append"), st.sampled_from(LISTS), NUMBERS),
    st.tuples(st.just("clear"), st.sampled_from(LISTS)),
    st.tuples(st.just("put"), st.sampled_from(KEYS), NUMBERS),
    st.tuples(st.just("pop"), st.sampled_from(KEYS)),
)
RAISE = st.just(("raise",))


def _nested(inner: st.SearchStrategy[Op], *, loops: bool) -> st.SearchStrategy[Op]:
    block = st.lists(inner, max_size=3).map(tuple)
    fork = st.tuples(
        st.just("fork"), block, block,
        st.sampled_from(["", "", "", "first leaves", "second leaves", "first raises",
                         "second raises"]),
    )  # fmt: skip
    kinds = [fork, fork, fork, st.tuples(st.just("try"), block, block),
             st.tuples(st.just("scope"), block)]  # fmt: skip
    if loops:
        kinds += [st.tuples(st.just("loop"), block)] * 2
    return st.one_of(kinds)


def programs(*, loops: bool = False, few: bool = False) -> st.SearchStrategy[Ops]:
    """Programs, with loops of unknown length or without, of few kinds of steps or of all.

    All of a program stands in a try.
    """
    simple = FEW if few else SIMPLE
    ops = st.recursive(
        st.one_of(simple, simple, RAISE), lambda inner: _nested(inner, loops=loops), max_leaves=14
    )
    blocks = st.lists(ops, min_size=1, max_size=6).map(tuple)
    return blocks.map(watched)


def watched(body: Ops) -> Ops:
    """The whole program: in a try, with a numbered ``see`` wherever the state is of interest."""
    return _watched((("try", body, ()),), [0])


def _watched(ops: Ops, count: list[int]) -> Ops:
    """The steps, with a ``see`` wherever alternatives begin, end or are joined."""
    made: list[Op] = []
    for op in ops:
        blocks = [_watched(part, count) if type(part) is tuple else part for part in op[1:]]
        made.append((op[0], *blocks))
        if any(type(part) is tuple for part in op[1:]):
            made.append(_see(count))
    return (_see(count), *made)


def _see(count: list[int]) -> Op:
    count[0] += 1
    return ("see", count[0])


# -- concrete runs -----------------------------------------------------------------------------


@dataclass
class Paths:
    """The states of all runs at one place: those that go on, that left, and that raised."""

    on: list[State] = field(default_factory=list)
    left: list[State] = field(default_factory=list)
    raised: list[State] = field(default_factory=list)


def _copies(states: list[State]) -> list[State]:
    return [copy.deepcopy(state) for state in states]


def shape(value: Any, known: dict[int, int] | None = None) -> Any:
    """Something whose text is equal for states that cannot be told apart."""
    known = {} if known is None else known
    if not isinstance(value, (Obj, list, dict)):
        return value
    if id(value) in known:
        return ("again", known[id(value)])
    known[id(value)] = len(known)
    content = vars(value) if isinstance(value, Obj) else value
    if isinstance(content, list):
        return content
    return [(name, shape(content[name], known)) for name in sorted(content)]


def distinct(states: list[State]) -> list[State]:
    """The states, each once."""
    found = {repr(shape(state)): state for state in states}
    assume(len(found) <= MANY)
    return list(found.values())


class Concrete:
    """All runs. ``seen``: by number, the states at each ``see``."""

    def __init__(self) -> None:
        self.seen: dict[int, list[State]] = {}

    def run(self, ops: Ops, states: list[State]) -> Paths:
        """The states after ``ops``. What raises outside of any try ends the program."""
        found = Paths(states)
        for op in ops:
            step = self._step(op, found.on)
            found = Paths(
                distinct(step.on), distinct(found.left + step.left),
                distinct(found.raised + step.raised),
            )  # fmt: skip
        return found

    def _step(self, op: Op, states: list[State]) -> Paths:
        kind = op[0]
        if kind == "see":
            self.seen[op[1]] = distinct([*self.seen.get(op[1], []), *_copies(states)])
        elif kind == "fork":
            return self._fork(op, states)
        elif kind == "raise":
            return Paths(states, [], _copies(states))
        elif kind == "try":
            body = self.run(op[1], states)
            handled = self.run(op[2], body.raised)
            return Paths(body.on + handled.on, body.left + handled.left, handled.raised)
        elif kind == "scope":
            body = self.run(op[1], states)
            return Paths(body.on + body.left, [], body.raised)
        elif kind == "loop":
            return self._rounds(op[1], states)
        else:
            for state in states:
                _simple(op, state)
        return Paths(states)

    def _fork(self, op: Op, states: list[State]) -> Paths:
        first, second = self.run(op[1], _copies(states)), self.run(op[2], states)
        left, raised = first.left + second.left, first.raised + second.raised
        if not op[3]:
            return Paths(first.on + second.on, left, raised)
        side, how = op[3].split()
        gone, on = (first.on, second.on) if side == "first" else (second.on, first.on)
        if how == "raises":
            return Paths(on, left, raised + gone)
        return Paths(on, left + gone, raised)

    def _rounds(self, body: Ops, states: list[State]) -> Paths:
        found = Paths(states)
        at = states
        for _ in range(RUNS):
            step = self.run(body, _copies(at))
            at = step.on
            found = Paths(found.on + at, found.left + step.left, found.raised + step.raised)
        return found


def _simple(op: Op, state: State) -> None:
    kind, *args = op
    if kind == "set":
        state[args[0]] = args[1]
    elif kind == "del":
        state.pop(args[0], None)
    elif kind == "alias":
        if args[1] in state:
            state[args[0]] = state[args[1]]
    elif kind == "new":
        state[args[0]] = Obj()
        state[args[0]].a = args[1]
    elif kind == "list":
        state[args[0]] = []
    elif kind == "attr" and state[args[0]] is not None:
        setattr(state[args[0]], args[1], args[2])
    elif kind == "link" and state[args[0]] is not None:
        state[args[0]].link = state[args[1]]
    elif kind == "append":
        state[args[0]].append(args[1])
    elif kind == "clear":
        state[args[0]].clear()
    elif kind == "put":
        state["d"][args[0]] = args[1]
    elif kind == "pop":
        state["d"].pop(args[0], None)
