"""``match`` statements."""

from __future__ import annotations

from typing import Any

from mlapath.engine.attrs import class_lookup
from mlapath.engine.control import Flow, Frame, Guard
from mlapath.engine.fork import fork
from mlapath.engine.stmt import block, store_name
from mlapath.ir import nodes as n
from mlapath.values.objects import ClassObj, DictObj, Instance, ListObj
from mlapath.values.truth import Truth, both
from mlapath.values.value import Unknown, V


def match(it: Any, fr: Frame, s: n.Match) -> Flow | None:
    return _cases(it, fr, s, it.eval(fr, s.subject), 0)


def _cases(it: Any, fr: Frame, s: n.Match, subject: V, i: int) -> Flow | None:
    if i == len(s.cases):
        return None
    case = s.cases[i]
    bindings: dict[str, V] = {}
    truth = matches(it, fr, case.pattern, subject, bindings)
    if truth is Truth.FALSE:
        return _cases(it, fr, s, subject, i + 1)
    for name, value in bindings.items():
        store_name(it, fr, name, value)
    if case.guard is not None:
        value = it.eval(fr, case.guard)
        truth = both(truth, it.guard(fr, case.guard, value))
        if truth is Truth.FALSE:
            return _cases(it, fr, s, subject, i + 1)
    if truth is Truth.TRUE:
        return block(it, fr, case.body)
    guard = Guard(fr.path, case.pattern.pos, it.text(fr, case.pattern.pos), True, subject.o)
    it.trace.unknown_guard(fr, guard)
    return fork(
        it, fr, guard, lambda: block(it, fr, case.body),
        lambda: _cases(it, fr, s, subject, i + 1),
    )  # fmt: skip


def matches(it: Any, fr: Frame, p: n.Pattern, subject: V, out: dict[str, V]) -> Truth:
    """Whether a pattern matches; what it binds goes to ``out``."""
    kind = type(p)
    if isinstance(p, n.MatchValue):
        return it.truth(it.compare("==", subject, it.eval(fr, p.value)))  # type: ignore[no-any-return]
    if isinstance(p, n.MatchSingleton):
        return it.truth(it.compare("is", subject, V(p.value)))  # type: ignore[no-any-return]
    if isinstance(p, n.MatchAs):
        truth = Truth.TRUE if p.pattern is None else matches(it, fr, p.pattern, subject, out)
        if p.name is not None and truth is not Truth.FALSE:
            out[p.name] = subject
        return truth
    if isinstance(p, n.MatchOr):
        result = Truth.FALSE
        for option in p.patterns:
            truth = matches(it, fr, option, subject, out)
            if truth is Truth.TRUE:
                return truth
            result = truth if truth is Truth.UNKNOWN else result
        return result
    if isinstance(p, n.MatchSequence):
        return _sequence(it, fr, p, subject, out)
    if isinstance(p, n.MatchMapping):
        return _mapping(it, fr, p, subject, out)
    if isinstance(p, n.MatchClass):
        return _class(it, fr, p, subject, out)
    raise AssertionError(kind)


def _sequence(it: Any, fr: Frame, p: n.MatchSequence, subject: V, out: dict[str, V]) -> Truth:
    d = subject.d
    if type(d) is Unknown:
        for part in p.patterns:
            if type(part) is not n.MatchStar:
                matches(it, fr, part, V(Unknown(d.why), subject.o), out)
        return Truth.UNKNOWN
    if type(d) not in (tuple, ListObj) and not (
        type(d) is Instance and type(d.payload) in (tuple, ListObj)
    ):
        return Truth.FALSE
    items = it.iterate(subject)
    star = next((i for i, x in enumerate(p.patterns) if type(x) is n.MatchStar), None)
    if items is None or it.is_open(subject):
        return Truth.UNKNOWN
    if star is None and len(items) != len(p.patterns) or len(items) < len(p.patterns) - 1:
        return Truth.FALSE
    result = Truth.TRUE
    if star is None:
        pairs = list(zip(p.patterns, items, strict=True))
    else:
        after = len(p.patterns) - star - 1
        pairs = list(zip(p.patterns[:star], items[:star], strict=True))
        if after:
            pairs += list(zip(p.patterns[star + 1 :], items[-after:], strict=True))
        name = p.patterns[star].name  # type: ignore[union-attr]
        if name is not None:
            out[name] = V(it.heap.list(items[star : len(items) - after]))
    for part, item in pairs:
        result = both(result, matches(it, fr, part, item, out))
    return result


def _mapping(it: Any, fr: Frame, p: n.MatchMapping, subject: V, out: dict[str, V]) -> Truth:
    d = subject.d.payload if type(subject.d) is Instance else subject.d
    if type(d) is not DictObj:
        return Truth.UNKNOWN if type(subject.d) is Unknown else Truth.FALSE
    result = Truth.TRUE
    for key, part in zip(p.keys, p.patterns, strict=True):
        index = it.eval(fr, key)
        present = it.contains(V(d), index)
        if present is Truth.FALSE:
            return present
        result = both(result, present)
        result = both(result, matches(it, fr, part, it.getitem(V(d), index), out))
    if p.rest is not None:
        out[p.rest] = V(Unknown("the rest of a mapping pattern", "dict"))
    return result


def _class(it: Any, fr: Frame, p: n.MatchClass, subject: V, out: dict[str, V]) -> Truth:
    cls = it.eval(fr, p.cls)
    result: Truth = it.isinstance(subject, cls)
    if result is Truth.FALSE:
        return result
    names: list[str] = []
    if p.patterns and type(cls.d) is ClassObj:
        if cls.d.payload is not None and class_lookup(cls.d, "__match_args__") is None:
            return both(result, matches(it, fr, p.patterns[0], subject, out))
        found = class_lookup(cls.d, "__match_args__")
        listed = it.iterate(found[0]) if found is not None else None
        if listed is None:
            return Truth.UNKNOWN
        names = [x.d for x in listed]
    pairs = [*zip(names, p.patterns, strict=False), *zip(p.kwd_attrs, p.kwd_patterns, strict=True)]
    for name, part in pairs:
        value = it.find_attr(subject, name)
        if value is None:
            return Truth.FALSE
        result = both(result, matches(it, fr, part, value, out))
    return result


MATCHES: dict[type, Any] = {n.Match: match}
