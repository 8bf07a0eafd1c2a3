"""Rounds that do alike are evaluated as one, with the results of evaluating each of them."""

import textwrap

import pytest

from mlapath.engine import rounds
from support.differential import assert_same, evaluate
from support.unknowns import with_unknown

LAYERS = """
from collections import Counter
counts, registry, names, members, owners = Counter(), {}, [], set(), {}
last = None

class Part:
    def __init__(self, prefix, size):
        self.prefix, self.size, self.inner = prefix, size, {"name": f"{prefix}.inner"}
        self.label = lambda: f"<{prefix}>"
        self.bound = self.twice
    def twice(self):
        return self.size * 2

class Layer:
    def __init__(self, prefix):
        global last
        index = int(prefix.split(".")[-1])
        self.index, self.prefix = index, prefix
        self.dense = index < 3
        self.part = Part(f"{prefix}.part", 8 if self.dense else 16)
        self.parts = [self.part, Part(prefix + ".other", index + 1)]
        counts.update(["layer"])
        counts["parts"] += 2
        if prefix in registry:
            raise ValueError(prefix)
        registry[prefix] = self
        members.add(self)
        owners[self.part] = prefix
        if not self.dense:
            names.append(prefix)
        last = self
        assert last is self

layers = [Layer(prefix=f"model.layers.{i}") for i in range(12)]
"""
LOOKED_AT = """
r = [(x.index, x.prefix, x.dense, x.part.size, x.part.inner["name"], x.part.label(),
      x.part.bound(), [p.size for p in x.parts], x.parts[0] is x.part, registry[x.prefix] is x,
      x in members, x.part in members, owners[x.part])
     for x in layers]
s = (dict(counts), list(registry), names, len(members), list(owners.values()),
     last is layers[-1], layers[4].part is layers[5].part)
"""


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MIN_STEPS", 0)


@pytest.mark.usefixtures("eager")
def test_rounds_evaluated_as_one_give_what_each_gives():
    assert_same(LAYERS + LOOKED_AT, "r s")


def steps(source: str) -> int:
    return evaluate(textwrap.dedent(source)).engine.budget.steps


@pytest.mark.usefixtures("eager")
def test_the_cost_follows_the_kinds_of_rounds():
    assert steps(LAYERS.replace("range(12)", "range(200)")) < 1.1 * steps(LAYERS)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize(
    "body",
    [
        "state.append(len(state)); r = len(state)",  # reads what the round before left
        "state[:] = [i]; r = list(state)",
        "box['x'] = i; r = box['x']",
        "r = box.get('x'); box['x'] = i",
        "box[i] = i; r = sorted(box)",  # runs over the keys of all rounds
        "box[i] = i; r = box.get(3)",
        "box[i % 3] = i; r = len(box)",
        "r = ('a' if i % 2 else 'b')",
        "r = 'big' if i > 7 else 'small'",
        "r = i * i - 7 * i",
        "r = [c for c in str(i)]",
        "r = {str(i): i}[str(i)]",
        "r = (i, str(i), -i, i in (3, 4), f'{i:03d}', f'{i!r:>4}')",
        "r = 'x'.join([str(i), 'y']) + str(i)[0]",
        "r = tables[i % 4]",
        "r = max(i, 5) if isinstance(i, int) else None",
        "total[0] += i; r = total[0]",
        "total[0] += 2; r = total[0] > 11",
        "cache.setdefault(i // 5, i); r = cache[i // 5]",
        "r = i.bit_length()",
    ],
)
def test_rounds_that_do_not_do_alike_are_evaluated_one_by_one(body: str):
    assert_same(
        f"""
        state, box, total, cache, tables = [], {{}}, [0], {{}}, ["a", "b", "c", "d"]
        def one(i):
            for _ in range(3):
                pass
            {body}
            return r
        r = [one(i) for i in range(12)]
        s = state, box, total, cache
        """,
        "r s",
    )


@pytest.mark.usefixtures("eager")
def test_what_raises_in_one_round_raises_as_in_cpython():
    assert_same(
        """
        def one(i):
            if i == 9:
                raise ValueError(f"round {i}")
            return str(i)
        try:
            r = [one(i) for i in range(12)]
        except ValueError as error:
            r = str(error)
        """,
        "r",
    )


@pytest.mark.usefixtures("eager")
def test_what_is_learnt_of_one_round_is_not_taken_for_true_of_others():
    run = with_unknown(
        """
        class Layer:
            def __init__(self, index):
                self.index = index
                self.flag = self.other = some_lib.anything()
        def differ(): pass
        def differs_from_itself(): pass
        layers = [Layer(i) for i in range(12)]
        one, two, same = layers[7].flag, layers[9].flag, layers[7].other
        if one:
            if not two: differ()
            if not same: differs_from_itself()
        """
    )
    called = {edge.callee: edge.count for edge in run.engine.trace.calls.values()}
    assert called["subject.Layer.__init__"] < 12
    assert "subject.differ" in called
    assert "subject.differs_from_itself" not in called
