"""``match`` statements."""

from __future__ import annotations

from typing import Any

from mlapath.engine.attrs import class_lookup
from mlapath.engine.control import Flow, Frame, Guard
from mlapath.engine.fork import fork
from mlapath.engine.names import store_name
from mlapath.engine.stmt import block
from mlapath.ir import nodes as n
from mlapath.ir import patterns
from mlapath.values.objects import ClassObj, DictObj, Instance, ListObj
from mlapath.values.truth import Truth, both
from mlapath.values.union import options
from mlapath.values.value import ABSENT, External, Union, Unknown, V

MAPPINGS = ("dict", "defaultdict")
NO_ITEM = External("<no item>")

Names = dict[str, V]


def match(it: Any, fr: Frame, s: n.Match) -> Flow | None:
    return _cases(it, fr, s, it.eval(fr, s.subject), 0)


def _cases(it: Any, fr: Frame, s: n.Match, subject: V, i: int) -> Flow | None:
    if i == len(s.cases):
        return None
    case = s.cases[i]
    names: Names = {}
    fr.pos = case.pattern.pos
    truth = matches(it, fr, case.pattern, subject, names)
    if truth is Truth.FALSE:
        return _cases(it, fr, s, subject, i + 1)
    if truth is Truth.TRUE:
        return _matched(it, fr, s, subject, i, names)
    guard = Guard(fr.path, case.pattern.pos, it.text(fr, case.pattern.pos), True, subject.o)
    it.trace.unknown_guard(fr, guard)

    def side(holds: bool) -> Flow | None:
        _refine(it, fr, s.subject, case.pattern, holds)
        if holds:
            return _matched(it, fr, s, subject, i, names)
        return _cases(it, fr, s, subject, i + 1)

    return fork(it, fr, guard, lambda: side(True), lambda: side(False))


def _matched(it: Any, fr: Frame, s: n.Match, subject: V, i: int, names: Names) -> Flow | None:
    """The pattern matched: its names are bound, then the case's own guard decides."""
    case = s.cases[i]
    for name, value in names.items():
        store_name(it, fr, name, value)
    if case.guard is None:
        return block(it, fr, case.body)
    value = it.eval(fr, case.guard)
    truth = it.guard(fr, case.guard, value)
    if truth is Truth.TRUE:
        return block(it, fr, case.body)
    if truth is Truth.FALSE:
        return _cases(it, fr, s, subject, i + 1)

    def side(holds: bool) -> Flow | None:
        it.refine(fr, case.guard, holds)
        return block(it, fr, case.body) if holds else _cases(it, fr, s, subject, i + 1)

    guard = it.guard_of(fr, case.guard, value)
    return fork(it, fr, guard, lambda: side(True), lambda: side(False))


def _refine(it: Any, fr: Frame, subject: n.Expr, p: patterns.Pattern, holds: bool) -> None:
    """A literal pattern says of a name what a comparison would."""
    if type(subject) is n.Name and isinstance(p, patterns.MatchValue):
        it.refine(fr, n.Compare(p.pos, subject, ("==",), (p.value,)), holds)
    elif type(subject) is n.Name and isinstance(p, patterns.MatchSingleton):
        it.refine(fr, n.Compare(p.pos, subject, ("is",), (n.Const(p.pos, p.value),)), holds)


def matches(it: Any, fr: Frame, p: patterns.Pattern, subject: V, out: Names) -> Truth:
    """Whether a pattern matches; what it binds goes to ``out``."""
    if isinstance(p, patterns.MatchAs):
        truth = Truth.TRUE if p.pattern is None else matches(it, fr, p.pattern, subject, out)
        if p.name is not None and truth is not Truth.FALSE:
            out[p.name] = subject
        return truth
    if type(subject.d) is Union:
        options = [o for o in subject.d.options if o.d is not ABSENT]
        found = [_apart(it, fr, p, option) for option in options]
        truths = {truth for truth, _ in found}
        _gather(it, [names for truth, names in found if truth is not Truth.FALSE], out)
        return truths.pop() if len(truths) == 1 else Truth.UNKNOWN
    if isinstance(p, patterns.MatchValue):
        return it.truth(it.compare("==", subject, it.eval(fr, p.value)))  # type: ignore[no-any-return]
    if isinstance(p, patterns.MatchSingleton):
        return it.truth(it.compare("is", subject, V(p.value)))  # type: ignore[no-any-return]
    if isinstance(p, patterns.MatchOr):
        return _either(it, fr, p, subject, out)
    if isinstance(p, patterns.MatchSequence):
        return _sequence(it, fr, p, subject, out)
    if isinstance(p, patterns.MatchMapping):
        return _mapping(it, fr, p, subject, out)
    if isinstance(p, patterns.MatchClass):
        return _class(it, fr, p, subject, out)
    raise AssertionError(type(p))


def _apart(it: Any, fr: Frame, p: patterns.Pattern, subject: V) -> tuple[Truth, Names]:
    names: Names = {}
    return matches(it, fr, p, subject, names), names


def _gather(it: Any, found: list[Names], out: Names) -> None:
    """Each name is what one of the alternatives binds it to."""
    for name in {name: None for names in found for name in names}:
        out[name] = it.union([names[name] for names in found if name in names])


def _either(it: Any, fr: Frame, p: patterns.MatchOr, subject: V, out: Names) -> Truth:
    possible: list[Names] = []
    result = Truth.FALSE
    for option in p.patterns:
        truth, names = _apart(it, fr, option, subject)
        if truth is Truth.FALSE:
            continue
        possible.append(names)
        result = truth
        if truth is Truth.TRUE:
            break
    _gather(it, possible, out)
    return result


def _sequence(it: Any, fr: Frame, p: patterns.MatchSequence, subject: V, out: Names) -> Truth:
    kind = _is_a(it, subject, "Sequence")
    if kind is Truth.FALSE or type(subject.d) in (str, bytes):
        return Truth.FALSE
    items = _items(it, subject) if kind is Truth.TRUE else None
    if items is None:
        return _items_unknown(it, fr, p, subject, out)
    star = next((i for i, x in enumerate(p.patterns) if type(x) is patterns.MatchStar), None)
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


def _is_a(it: Any, subject: V, name: str) -> Truth:
    """Whether a subject is a ``Sequence`` or a ``Mapping``, as patterns take them."""
    d = subject.d
    if type(d) in (tuple, ListObj, range):
        return Truth.of(name == "Sequence")
    if type(d) is DictObj:
        return Truth.of(name == "Mapping" and d.kind in MAPPINGS)
    if type(d) is Instance and d.payload is not None:
        return _is_a(it, V(d.payload), name)
    if type(d) is Unknown:
        return Truth.UNKNOWN
    abstract = it.models.symbol(it, f"collections.abc.{name}")
    return it.isinstance(subject, abstract)  # type: ignore[no-any-return]


def _items(it: Any, subject: V) -> list[V] | None:
    """The items of a sequence; None where they are not known."""
    d = subject.d
    if type(d) is Instance and d.payload is None:
        it.call(it.builtins["len"], [subject], {})
    items: list[V] | None = it.iterate(subject)
    return None if it.is_open(subject) else items


def _items_unknown(it: Any, fr: Frame, p: patterns.MatchSequence, subject: V, out: Names) -> Truth:
    """A sequence of unknown length, or perhaps no sequence at all."""
    result = Truth.UNKNOWN
    for part in p.patterns:
        element = V(it.element_of(subject), subject.o)
        if type(part) is patterns.MatchStar:
            if part.name is not None:
                rest = it.heap.list([])
                it.heap.open_list(rest, "the rest of an unknown sequence", element)
                out[part.name] = V(rest)
        elif matches(it, fr, part, element, out) is Truth.FALSE:
            result = Truth.FALSE
    return result


def _mapping(it: Any, fr: Frame, p: patterns.MatchMapping, subject: V, out: Names) -> Truth:
    kind = _is_a(it, subject, "Mapping")
    if kind is Truth.FALSE:
        return kind
    d = subject.d.payload if type(subject.d) is Instance else subject.d
    if kind is Truth.TRUE and d is None and p.keys:
        it.call(it.builtins["len"], [subject], {})
    known = kind is Truth.TRUE and type(d) is DictObj
    result: Truth = kind
    for key, part in zip(p.keys, p.patterns, strict=True):
        index = it.eval(fr, key)
        if kind is not Truth.TRUE:
            item = V(Unknown("an item of an unknown mapping"), subject.o)
        elif known:
            present = it.contains(V(d), index)
            if present is Truth.FALSE:
                return present
            result = both(result, present)
            item = it.present_item(V(d), d, index)
        else:
            item = it.call(it.getattr(subject, "get"), [index, V(NO_ITEM)], {})
            found = [o for o in options(item) if o.d != NO_ITEM]
            if not found:
                return Truth.FALSE
            if len(found) < len(options(item)):
                result = both(result, Truth.UNKNOWN)
            item = it.union(found)
        result = both(result, matches(it, fr, part, item, out))
    if p.rest is not None:
        out[p.rest] = _rest(it, d, [it.eval(fr, key) for key in p.keys]) if known else V(
            Unknown("the rest of a mapping pattern", "dict"))  # fmt: skip
    return result


def _rest(it: Any, d: DictObj, keys: list[V]) -> V:
    """A dict without some of its keys."""
    made: V = it.call(it.getattr(V(d), "copy"), [], {})
    for key in keys:
        it.call(it.getattr(made, "pop"), [key, V(None)], {})
    return made


def _class(it: Any, fr: Frame, p: patterns.MatchClass, subject: V, out: Names) -> Truth:
    cls = it.eval(fr, p.cls)
    result: Truth = it.isinstance(subject, cls)
    if result is Truth.FALSE:
        return result
    names: list[str | None] = [None] * len(p.patterns)
    if p.patterns and type(cls.d) is ClassObj:
        found = class_lookup(cls.d, "__match_args__")
        if cls.d.payload is not None and found is None:
            return both(result, matches(it, fr, p.patterns[0], subject, out))
        listed = it.iterate(found[0]) if found is not None else None
        if listed is not None:
            names = [x.d for x in listed]
    pairs = [*zip(names, p.patterns, strict=False), *zip(p.kwd_attrs, p.kwd_patterns, strict=True)]
    for name, part in pairs:
        value = None if name is None else it.find_attr(subject, name)
        if name is not None and value is None:
            return Truth.FALSE
        if value is None:  # which attribute it is, is not known
            value = V(Unknown("an attribute of an unknown object"), subject.o)
            result = both(result, Truth.UNKNOWN)
        elif type(value.d) is Union and any(o.d is ABSENT for o in value.d.options):
            result = both(result, Truth.UNKNOWN)
        result = both(result, matches(it, fr, part, value, out))
    return result


MATCHES: dict[type, Any] = {n.Match: match}
