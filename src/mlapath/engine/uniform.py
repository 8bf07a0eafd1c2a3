"""Operations on values that differ between rounds evaluated as one: done for each round.

The rounds go on as one only where the outcomes allow it; ``NotUniform`` says that they do not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.values.family import Family, NotUniform, family_of, has_family, member
from mlapath.values.objects import ClassObj, Instance, ListObj, Native
from mlapath.values.truth import Truth
from mlapath.values.union import same
from mlapath.values.value import SCALAR_TYPES, V

PURE = frozenset({"abs", "chr", "isinstance", "len", "max", "min", "ord", "repr", "sorted"})
"""Summaries of functions that only compute with their arguments; so are the methods of str."""
SCALAR_CLASSES = frozenset({"builtins.int", "builtins.str", "builtins.float", "builtins.bool"})
KEEPERS = frozenset({"functools.partial"})
PASSES = frozenset({
    "builtins.dict.__setitem__", "builtins.list.append", "builtins.object.__setattr__",
    "builtins.setattr",
})  # fmt: skip
"""Summaries that hand an argument on without a look at it; so do those of loggers."""


def each_round(run: Callable[..., Any], *values: V) -> list[Any]:
    """What ``run`` gives in each round."""
    rounds = next(len(v.d.members) for v in map(_widest, values) if type(v.d) is Family)
    return [run(*(member(value, i) for value in values)) for i in range(rounds)]


def _widest(value: V) -> V:
    if type(value.d) is tuple:
        return next((_widest(x) for x in value.d if has_family(x)), value)
    return value


def lifted(it: Any, run: Callable[..., V], *values: V) -> V:
    """The value of ``run`` in every round as one value."""
    return folded(it, each_round(run, *values))


def lifted_truth(run: Callable[..., Truth], *values: V) -> Truth:
    """The truth of ``run``, the same in every round."""
    truths = each_round(run, *values)
    agree = next((i for i, t in enumerate(truths) if t is not truths[0]), len(truths))
    if agree < len(truths):
        raise NotUniform("a guard holds in some rounds only", agree)
    return truths[0]  # type: ignore[no-any-return]


def folded(it: Any, results: list[V]) -> V:
    """The values of the rounds as one."""
    first = results[0]
    d = first.d
    if all(same(r.d, d) for r in results):
        return first
    if type(d) in SCALAR_TYPES:
        return V(family_of([r.d for r in results]), first.o)
    kinds = {type(r.d) for r in results}
    if kinds == {tuple} and len({len(r.d) for r in results}) == 1:
        return V(tuple(folded(it, list(c)) for c in zip(*(r.d for r in results), strict=True)),
                 first.o)  # fmt: skip
    if kinds == {ListObj} and len({len(r.d.items) for r in results if not r.d.open}) == 1:
        columns = zip(*(r.d.items for r in results), strict=True)
        return V(it.heap.list([folded(it, list(c)) for c in columns]), first.o)
    agree = next((i for i, r in enumerate(results) if not same(r.d, d)), 0)
    raise NotUniform("another object in each round", agree)


def call_lifted(it: Any, d: Any, args: list[V], kwargs: dict[str, V]) -> V | None:
    """The result of something called with arguments that differ between the rounds.

    None: it may be called as it is.
    """
    if type(d) is Native:
        return _call_native(it, d, args, kwargs)
    return _call_class(it, d, args, kwargs) if type(d) is ClassObj else None


def _call_native(it: Any, d: Native, args: list[V], kwargs: dict[str, V]) -> V | None:
    if d.passes or d.name in PASSES or d.name.startswith("logging.Logger."):
        return None
    values = (*args, *kwargs.values())
    if not any(_differs(value) for value in values):
        return None
    if d.name.removeprefix("builtins.") in PURE or d.name.startswith(("str.", "int.")):
        names = list(kwargs)
        count = len(args)

        def run(*given: V) -> V:
            named = dict(zip(names, given[count:], strict=True))
            return d.fn(it, list(given[:count]), named)

        return lifted(it, run, *(_as_tuple(value) for value in values))
    raise NotUniform(f"{d.name}() of a value that differs between the rounds")


def _call_class(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V | None:
    if any(c.path for c in cls.mro):  # it runs code of the tree
        return None
    if not any(map(_differs, (*args, *kwargs.values()))):
        return None
    if cls.full in KEEPERS:
        return None
    if cls.full in SCALAR_CLASSES and not kwargs:
        return lifted(it, lambda *given: it.instantiate(cls, list(given), {}), *args)
    raise NotUniform(f"{cls.full}() of a value that differs between the rounds")


def _differs(value: V) -> bool:
    d = value.d
    return has_family(value) or type(d) is ListObj and any(has_family(x) for x in d.items)


def _as_tuple(value: V) -> V:
    """A list that is only read, as a tuple."""
    d = value.d
    if type(d) is ListObj and _differs(value):
        if d.open:
            raise NotUniform("a list that is not fully known")
        return V(tuple(d.items), value.o)
    return value


def differs(exc: V) -> bool:
    """Whether what an exception says differs between the rounds."""
    d = exc.d
    args = d.attrs.get("args") if type(d) is Instance else None
    return args is not None and has_family(args)


def key_content(data: Any, key: Family) -> Any:
    """The entry of a dict under a key that differs between the rounds, or None.

    A tuple ``(key, value)``; None where no round has the key.
    """
    own = dict.get(data, key)
    if own is not None:
        return own
    members = set(key.members)
    for other in dict.__iter__(data):
        if type(other) is Family and not members.isdisjoint(other.members):
            raise NotUniform("keys of several rounds that overlap")
    found = [dict.get(data, m) for m in key.members]
    if all(pair is None for pair in found):
        return None
    missing = [pair is None for pair in found]
    agree = next((i for i, m in enumerate(missing) if m is not missing[0]), 0)
    raise NotUniform("a key that some rounds find", agree)


__all__ = ["call_lifted", "differs", "each_round", "folded", "key_content", "lifted",
           "lifted_truth"]  # fmt: skip
