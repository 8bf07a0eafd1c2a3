"""Drawn programs run once over a heap, with forks, alternatives put aside, and widened loops.

As the engine uses the heap. What it comes to is compared with the states of all runs wherever the
program has a ``see``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.values.heap import NOTHING, Delta, Heap, Mark, Saved
from mlapath.values.join import join_delta, join_deltas, merge_current
from mlapath.values.objects import ClassObj, Instance, ListObj
from mlapath.values.union import may_be_absent, options, union
from mlapath.values.value import ABSENT, V
from mlapath.values.widen import Widening
from soundness.cover import names_covered
from support.heap_programs import Concrete, Ops, State, shape, start

HARD, ROUNDS, MANY = 3, 16, 3


class Abstract:
    """One run over a heap that stands for all runs.

    unseen: by number, the states at each ``see`` that have not been covered there yet.
    """

    def __init__(self, seen: dict[int, list[State]]) -> None:
        self.unseen = dict(seen)
        self.heap = Heap()
        self.cls = ClassObj("Obj", "Obj", "subject", (), self.heap.cell(), path="subject.py")
        o = Instance(self.cls, self.heap.cell())
        self.names = self.heap.cell({
            "x": V(0), "o": V(o), "p": V(None), "l": V(self.heap.list([V(1)])),
            "m": V(self.heap.list([])), "d": V(self.heap.dict({"a": (V("a"), V(1))})),
        })  # fmt: skip
        self.pending: list[tuple[str, Saved, int]] = []  # kind, alternative, clock when it left
        self.tries: list[dict[str, Saved]] = []

    def run(self, ops: Ops) -> None:
        for op in ops:
            getattr(self, f"do_{op[0]}")(*op[1:])

    def uncovered(self, states: list[State]) -> list[str]:
        """What of concrete states the present state does not cover."""
        return [why for state in states for why in names_covered(self.names, state)]

    def do_see(self, number: int) -> None:
        """Strike out the states that are covered here and now."""
        left = [state for state in self.unseen.get(number, []) if self.uncovered([state])]
        self.unseen[number] = left

    # simple steps

    def each(self, name: str, run: Callable[[Any], None]) -> None:
        """Run something on each of the objects that a name may stand for, as an alternative."""
        self._each([o.d for o in options(self.names[name])], run)

    def _each(self, found: list[Any], run: Callable[[Any], None]) -> None:
        if len(found) == 1:
            run(found[0])
            return
        mark = self.heap.fork()
        run(found[0])
        delta = self.heap.take(mark)
        self._each(found[1:], run)
        join_delta(self.heap, mark, delta)
        self.heap.close(mark)

    def do_set(self, name: str, value: int) -> None:
        self.heap.put(self.names, name, V(value))

    def do_del(self, name: str) -> None:
        self.heap.drop(self.names, name)

    def do_alias(self, name: str, other: str) -> None:
        value = self.names.get(other, NOTHING)
        bound = [option for option in options(value) if option.d is not ABSENT]
        if not bound:
            return
        old = [self.names.get(name, NOTHING)] if may_be_absent(value) else []
        self.heap.put(self.names, name, union([*bound, *old]))

    def do_new(self, name: str, value: int) -> None:
        made = Instance(self.cls, self.heap.cell({"a": V(value)}))
        self.heap.put(self.names, name, V(made))

    def do_list(self, name: str) -> None:
        self.heap.put(self.names, name, V(self.heap.list([])))

    def do_attr(self, name: str, attr: str, value: int) -> None:
        self._write(name, attr, V(value))

    def do_link(self, name: str, other: str) -> None:
        self._write(name, "link", self.names[other])

    def _write(self, name: str, attr: str, value: V) -> None:
        def one(d: Any) -> None:
            if type(d) is Instance:
                self.heap.put(d.attrs, attr, value)

        self.each(name, one)

    def do_append(self, name: str, value: int) -> None:
        self.each(name, lambda d: self.heap.items_for_write(d).append(V(value)))

    def do_clear(self, name: str) -> None:
        def one(d: ListObj) -> None:
            self.heap.put(d.cell, "items", [])
            self.heap.put(d.cell, "open", "")

        self.each(name, one)

    def do_put(self, key: str, value: int) -> None:
        self.heap.put(self.names["d"].d.data, key, (V(key), V(value)))

    def do_pop(self, key: str) -> None:
        self.heap.drop(self.names["d"].d.data, key)

    # alternatives

    def do_fork(self, first: Ops, second: Ops, ending: str) -> None:
        """Two alternatives. ending: which one does not go on, and how; "": both do."""
        heap = self.heap
        mark = heap.fork()
        self.run(first)
        delta = heap.take(mark)
        self.run(second)
        if not ending:
            join_delta(heap, mark, delta)
            heap.close(mark)
            return
        side, how = ending.split()
        if side == "second":
            other = heap.take(mark)
            heap.apply(delta)
            delta = other
        if how == "leaves":
            self._leave("left", Saved(mark, delta))
        else:
            self._raised(mark, delta)

    def _raised(self, mark: Mark, delta: Delta) -> None:
        """What an alternative raises joins what is known to be raised in the try."""
        heap = self.heap
        known = self.tries[-1].get("raised") if self.tries else None
        if self.tries and (known is None or not known.alive):
            self.tries[-1]["raised"] = saved = Saved(mark, delta)
            self._leave("raised", saved)
            return
        if known is not None:
            current = heap.take(mark)
            heap.apply(delta)
            merge_current(heap, known)
            heap.take(mark)
            heap.apply(current)
        heap.close(mark)

    def _leave(self, kind: str, saved: Saved) -> None:
        self.heap.save(saved)
        self.pending.append((kind, saved, saved.clock))

    def do_raise(self) -> None:
        if not self.tries:
            return
        known = self.tries[-1].get("raised")
        if known is not None and known.alive:
            merge_current(self.heap, known)
            return
        self.tries[-1]["raised"] = saved = Saved(self.heap.fork(), {})
        self._leave("raised", saved)

    def _since(self, first: int, kind: str) -> list[Saved]:
        """The alternatives of a kind that left since, taken out."""
        found = [saved for k, saved, _ in self.pending[first:] if k == kind]
        self.pending[first:] = [x for x in self.pending[first:] if x[0] != kind]
        return found[::-1]

    def do_try(self, body: Ops, handler: Ops) -> None:
        first = len(self.pending)
        self.tries.append({})
        self.run(body)
        self.tries.pop()
        for saved in self._since(first, "raised"):
            self.heap.release(saved)
            current = self.heap.take(saved.mark)
            self.heap.apply(saved.delta)
            self.run(handler)
            join_delta(self.heap, saved.mark, current)
            self.heap.close(saved.mark)

    def do_scope(self, body: Ops) -> None:
        first = len(self.pending)
        self.run(body)
        left = self._since(first, "left")
        for saved in left if len(left) < MANY else [self._gathered(left)]:
            self.heap.release(saved)
            join_delta(self.heap, saved.mark, saved.delta)
            self.heap.close(saved.mark)

    def _gathered(self, group: list[Saved]) -> Saved:
        """One alternative in the place of several."""
        heap = self.heap
        latest = max(group, key=lambda saved: saved.clock)
        mark = (min(saved.position for saved in group), latest.clock)
        current = heap.take(mark)
        heap.apply(group[0].delta)
        join_deltas(heap, mark, [saved.delta for saved in group[1:]])
        delta = heap.take(mark)
        heap.apply(current)
        for saved in group:
            heap.release(saved)
            if saved is not latest:
                heap.close(saved.mark)
        made = Saved(mark, delta)
        heap.save(made)
        return made

    def do_loop(self, body: Ops) -> None:
        heap = self.heap
        widening = Widening(heap)
        for round_ in range(ROUNDS):
            mark = heap.fork()
            self.run(body)
            wider = widening.widen(mark, hard=round_ >= HARD)
            heap.take(mark)
            if wider is None:
                heap.close(mark)
                return
            for kind, saved, born in list(self.pending):
                if born > mark[1]:
                    self.pending.remove((kind, saved, born))
                    heap.discard(saved)
            heap.close(mark)
            heap.apply(wider)
        raise AssertionError(f"still changes after {ROUNDS} rounds")


def checked(ops: Ops) -> list[str]:
    """What the abstract run of a program misses."""
    whole: Ops = (("scope", ops), ("see", 0))
    concrete = Concrete()
    concrete.run(whole, [start()])
    abstract = Abstract(concrete.seen)
    abstract.run(whole)
    assert not abstract.heap.saved
    assert not abstract.heap.marks
    assert not abstract.heap.log
    return [f"at {number}: {shape(state)}" for number, left in abstract.unseen.items()
            for state in left]  # fmt: skip
