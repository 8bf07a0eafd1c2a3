import collections.abc

import pytest

from mlapath.models.abc_table import TABLE
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown
from support.differential import FakeFacts, assert_same, evaluate

LIB = FakeFacts(modules={"some_lib": Truth.TRUE})
NAMES = [name for name in TABLE if hasattr(collections.abc, name) and name != "ByteString"]


@pytest.mark.parametrize("name", NAMES)
def test_the_table_is_that_of_cpython(name):
    real, entry = getattr(collections.abc, name), TABLE[name]
    assert tuple(b.__name__ for b in real.__bases__ if b is not object) == entry.bases
    own = {m for m, v in vars(real).items() if getattr(v, "__isabstractmethod__", False)}
    assert own == set(entry.abstract)
    assert ("__subclasshook__" in vars(real)) == bool(entry.hook)


CHECKS = """
import collections.abc as abc
class NoHash:
    def __eq__(self, o): return True
class It:
    def __iter__(self): return iter([1])
class Nx(It):
    def __next__(self): return 1
class Cal:
    def __call__(self): pass
class Full:
    def __len__(self): return 1
    def __iter__(self): return iter([1])
    def __contains__(self, x): return True
class Str(str): pass
class Bare(str):
    __hash__ = None
class Registered: pass
abc.MutableSequence.register(Registered)
class D(dict): pass
def fn(): pass
values = [
    1, 1.5, "s", b"b", None, (1,), [1], {1: 2}, {1}, frozenset(), range(3), fn, len, int,
    NoHash(), NoHash, It(), Nx(), Cal(), Full(), Str("x"), Bare("x"), Registered(), D(),
    Full().__len__,
]
"""


@pytest.mark.parametrize("name", [n for n in NAMES if n != "Generator"])
def test_instances_and_subclasses_are_those_of_cpython(name):
    assert_same(
        f"""{CHECKS}
found = [isinstance(v, abc.{name}) for v in values]
derived = [issubclass(type(v), abc.{name}) for v in values]
among = [issubclass(c, abc.{name}) for c in (abc.Mapping, abc.MutableSet, abc.Sequence,
    abc.Iterator, abc.Callable, abc.Hashable, abc.KeysView, abc.Coroutine, abc.AsyncGenerator)]
""",
        "found derived among",
    )


def test_what_a_foreign_base_may_bring_is_unknown():
    run = evaluate(
        """
        from collections.abc import Iterable, Mapping, Hashable, Sequence
        from some_lib import Base, thing
        class Sub(Base): pass
        class Own(Base):
            def __iter__(self): return iter([])
        a = isinstance(Sub(), Iterable)
        b = isinstance(Own(), Iterable)
        c = isinstance(Own(), Mapping)
        d = isinstance(thing, Sequence)
        e = isinstance(thing(), Sequence)
        """,
        LIB,
    )
    assert run.plain("b") is True
    for name in "acde":
        assert run.unknown(name).hint == "bool"


def test_a_builtin_iterator_may_be_a_generator():
    run = evaluate(
        """
        from collections.abc import Generator, Iterator
        def gen():
            yield 1
        a = isinstance(zip([1], [2]), Generator)
        b = isinstance(gen(), Iterator)
        c = isinstance([1], Generator)
        """
    )
    assert type(run.value("a").d) is Unknown
    assert run.plain("b") is True
    assert run.plain("c") is False


def test_a_tensor_is_iterable_and_no_sequence():
    run = evaluate(
        """
        from collections.abc import Iterable, Sequence, Mapping, Callable
        def check(t):
            return isinstance(t, Iterable), isinstance(t, (Sequence, Mapping, Callable))
        """
    )
    function = run.value("check")
    from mlapath.values.value import V

    result = run.engine.call(function, [V(Unknown("a tensor", "tensor"))], {})
    assert [x.d for x in result.d] == [True, False]


MAPPING = """
from collections.abc import Mapping, MutableMapping
class M(Mapping):
    def __init__(self, d): self.d = d
    def __getitem__(self, k): return self.d[k]
    def __len__(self): return len(self.d)
    def __iter__(self): return iter(self.d)
class MM(M, MutableMapping):
    def __setitem__(self, k, v): self.d[k] = v
    def __delitem__(self, k): del self.d[k]
def error(run):
    try:
        run()
    except (KeyError, ValueError, TypeError) as e:
        return type(e).__name__, str(e)
"""


def test_mixin_methods_of_mappings():
    assert_same(
        f"""{MAPPING}
m = M({{"a": 1, "b": 2}})
read = (m.get("a"), m.get("z"), m.get("z", 5), m.get("z", default=6), "a" in m, "z" in m)
views = (sorted(m.keys()), list(m.values()), list(m.items()), dict(m), dict(**m), len(m), bool(m))
equal = (m == {{"a": 1, "b": 2}}, m != {{"a": 1}}, m == M({{"b": 2, "a": 1}}), m == 3)
n = MM({{}})
n.update({{"x": 1}}, y=2)
n.update([("z", 3)])
n.update(M({{"m": 4}}))
changed = [n.setdefault("x", 9), n.setdefault("w", 9), n.pop("x"), n.pop("x", None), n.popitem()]
left = dict(n)
n.clear()
errors = error(lambda: n.popitem()), error(lambda: m["zz"]), error(lambda: n.pop("q"))
empty = len(n)
""",
        "read views equal changed left errors empty",
    )


def test_a_mapping_over_unknown_keys_stays_unknown():
    run = evaluate(
        f"""{MAPPING}
import some_lib
m = MM(some_lib.load())
a = "x" in m
b = m.get("x")
c = MM({{"x": 1}})
c.update(some_lib.load())
d = "y" in c
""",
        LIB,
    )
    run.unknown("a")
    run.unknown("b")
    run.unknown("d")


def test_a_missing_abstract_method_forbids_instances():
    assert_same(
        f"""{MAPPING}
from collections.abc import Sequence, Callable
class Short(Sequence):
    def __len__(self): return 0
failed = [error(lambda: c())[0] for c in (Mapping, Short, Callable)]
""",
        "failed",
    )
    run = evaluate(
        """
        from collections.abc import Sequence
        class Short(Sequence):
            def __len__(self): return 0
        try:
            Short()
        except TypeError as e:
            text = str(e)
        """
    )
    assert "Short" in run.plain("text")
    assert "__getitem__" in run.plain("text")


def test_mixin_methods_of_sequences():
    assert_same(
        """
        from collections.abc import Sequence, MutableSequence
        class S(Sequence):
            def __init__(self, *x): self.x = list(x)
            def __getitem__(self, i): return self.x[i]
            def __len__(self): return len(self.x)
        class MS(S, MutableSequence):
            def __setitem__(self, i, v): self.x[i] = v
            def __delitem__(self, i): del self.x[i]
            def insert(self, i, v): self.x.insert(i, v)
        s = S(3, 4, 3)
        read = list(s), 4 in s, 9 in s, s.index(4), s.index(3, 1), s.count(3), list(reversed(s))
        loops = [x for x in s], tuple(s), [*s], max(s)
        t = MS(1, 2)
        t.append(3)
        t.extend([4, 5])
        t.remove(2)
        t += [6]
        popped = t.pop(), t.pop(0), list(t)
        t.reverse()
        turned = list(t)
        t.clear()
        empty = len(t)
        try:
            s.index(99)
        except ValueError as e:
            missing = str(e)
        """,
        "read loops popped turned empty missing",
    )


def test_mixin_methods_of_sets():
    assert_same(
        """
        from collections.abc import Set, MutableSet
        class S(Set):
            def __init__(self, x): self.x = frozenset(x)
            def __contains__(self, i): return i in self.x
            def __len__(self): return len(self.x)
            def __iter__(self): return iter(sorted(self.x))
        class MS(S, MutableSet):
            def add(self, v): self.x |= {v}
            def discard(self, v): self.x -= {v}
        a, b = S([1, 2]), S([2, 3])
        made = [sorted(x) for x in (a & b, a | b, a - b, a ^ b, {1, 5} - a, a & [2])]
        kinds = isinstance(a & b, S), isinstance(a, Set), isinstance(a, frozenset)
        order = a <= b, a == S([2, 1]), S([1]) < a, a < a, a >= S([1]), a > a, a == {1, 2}, a == 3
        apart = a.isdisjoint(b), a.isdisjoint([9])
        c = MS([1, 2])
        c.add(5)
        c.remove(1)
        c |= {7}
        c -= {5}
        changed = sorted(c)
        c &= {7}
        last = c.pop(), len(c)
        try:
            c.remove(99)
        except KeyError as e:
            missing = str(e)
        """,
        "made kinds order apart changed last missing",
    )


def test_aliases_show_as_in_cpython():
    assert_same(
        """
        from collections.abc import Callable, Sequence, Mapping
        shown = [repr(x) for x in (
            Callable[[int], str], Callable[..., int], Callable[[], None], Sequence[int],
            Mapping[str, int | None], list[None], dict[str, list["A"]])]
        class Rows(Sequence[int]):
            def __getitem__(self, i): return [0, 1, 4][i]
            def __len__(self): return 3
        rows = list(Rows()), isinstance(Rows(), Sequence), Rows.__name__
        """,
        "shown rows",
    )
