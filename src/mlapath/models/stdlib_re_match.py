"""Patterns and matches: known text against known patterns, by CPython's ``re``.

A pattern that ``re`` cannot compile (of the library ``regex``) matches nobody knows what.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mlapath.models.api import Fn, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.support import alternatives, instance, origins, unknown
from mlapath.values.concrete import from_py
from mlapath.values.objects import Instance
from mlapath.values.origin import Origin
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

Args = list[V]
Kwargs = dict[str, V]
FROZEN: dict[str, Any] = {"frozen": True, "truth": lambda it, value: Truth.TRUE}
MATCHES = ("match", "fullmatch", "search")
NAMES = {
    **dict.fromkeys((*MATCHES, "findall", "finditer"), ("string", "pos", "endpos")),
    "split": ("string", "maxsplit"), "sub": ("repl", "string", "count"),
    "subn": ("repl", "string", "count"),
}  # fmt: skip


def real_pattern(value: V) -> re.Pattern[Any] | None:
    """CPython's pattern for one of the program."""
    d = value.d
    if type(d) is not Instance or "pattern" not in d.attrs:
        return None
    text, flags = d.attrs["pattern"].d, d.attrs["flags"].d
    if type(text) not in (str, bytes) or type(flags) is not int:
        return None
    try:
        return re.compile(text, flags)
    except (re.error, OverflowError, RecursionError, ValueError):
        return None


def make_match(it: Any, pattern: V, found: re.Match[Any], origin: Origin | None) -> V:
    """A ``Match`` of the program."""
    texts = (found.group(), *found.groups())
    spans = tuple(V((V(a), V(b))) for a, b in (found.span(i) for i in range(len(texts))))
    return V(instance(it, library_class(it, "re.Match"), {
        "re": pattern, "string": V(found.string, origin), "pos": V(found.pos),
        "endpos": V(found.endpos), "lastindex": V(found.lastindex),
        "lastgroup": V(found.lastgroup), "\0groups": V(tuple(V(t, origin) for t in texts)),
        "\0spans": V(spans),
    }).d, origin)  # fmt: skip


def method(name: str) -> Fn:
    """``Pattern.name``."""
    names = NAMES[name]

    def once(it: Any, args: Args, kwargs: Kwargs) -> V:
        given = {**dict(zip(names, args[1:], strict=False)), **kwargs}
        return _apply(it, name, args[0], given)

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        return alternatives(it, args, kwargs, once)

    return fn


def _apply(it: Any, name: str, pattern: V, given: Kwargs) -> V:
    origin = origins([pattern], given)
    real = real_pattern(pattern)
    string = given.pop("string", V(None))
    text = string.d.payload if type(string.d) is Instance else string.d
    if type(text) in (int, float, bool, type(None)):
        it.throw("TypeError", "expected string or bytes-like object, got "
                 f"'{it.type_name(string)}'")  # fmt: skip
    repl = given.pop("repl", None)
    plain = {key: value.d for key, value in given.items()}
    fixed = all(type(x) is int for x in plain.values())
    if real is None or type(text) is not type(real.pattern) or not fixed:
        return _open(it, name, repl, origin)
    if name in MATCHES:
        found = getattr(real, name)(text, *plain.values())
        return V(None, origin) if found is None else make_match(it, pattern, found, origin)
    if name == "finditer":
        matches = [make_match(it, pattern, m, origin)
                   for m in real.finditer(text, *plain.values())]  # fmt: skip
        generator: V = it.generator_of(V(it.heap.list(matches)))
        return generator
    if repl is not None:
        return _substitute(it, name, pattern, real, repl, text, plain.get("count", 0), origin)
    made = from_py(it.heap, getattr(real, name)(text, *plain.values()))
    for i, item in enumerate(made.d.items):
        made.d.items[i] = V(item.d, origin)
    return V(made.d, origin)


def _open(it: Any, name: str, repl: V | None, origin: Origin | None) -> V:
    """The result for text or a pattern that is not known."""
    why = f"{name}() of unknown text"
    if repl is not None:
        it.trace.escape(repl)
        return unknown(why, "str" if name == "sub" else "tuple", origin)
    if name in MATCHES:
        return V(Unknown(why, lib="re.Match"), origin)
    return unknown(why, "list", origin)


def _substitute(
    it: Any, name: str, pattern: V, real: re.Pattern[Any], repl: V, text: Any, count: int,
    origin: Origin | None,
) -> V:  # fmt: skip
    template = repl.d.payload if type(repl.d) is Instance else repl.d
    if type(template) is type(text):
        try:
            made, number = real.subn(template, text, count)
        except (re.error, IndexError) as error:
            throw_error(it, str(error))
        return _both(name, made, number, origin)
    parts: list[Any] = []
    position = number = 0
    for found in real.finditer(text):
        if count and number == count:
            break
        value = it.call(repl, [make_match(it, pattern, found, origin)], {})
        if type(value.d) is not type(text):
            return _open(it, name, repl, origin)
        parts += [text[position : found.start()], value.d]
        position, number = found.end(), number + 1
    parts.append(text[position:])
    return _both(name, type(text)().join(parts), number, origin)


def _both(name: str, made: Any, number: int, origin: Origin | None) -> V:
    text = V(made, origin)
    return text if name == "sub" else V((text, V(number)), origin)


def throw_error(it: Any, message: str) -> None:
    """Raise the program's ``re.error``."""
    raise it.make_raise(it.call(it.models.symbol(it, "re.error"), [V(message)], {}))


# -- matches -------------------------------------------------------------------------------


def _index(it: Any, match: V, group: V) -> int | None:
    """The number of a group; None where it is not known."""
    count = len(match.d.attrs["\0groups"].d)
    d = group.d
    if type(d) is str:
        real = real_pattern(match.d.attrs["re"])
        number = real.groupindex.get(d) if real is not None else None
        if number is None:
            it.throw("IndexError", "no such group")
        return number
    if type(d) is not int:
        return None
    if not 0 <= d < count:
        it.throw("IndexError", "no such group")
    return d


def _pick(key: str) -> Callable[[Any, V, V], V]:
    def pick(it: Any, match: V, group: V) -> V:
        number = _index(it, match, group)
        if number is None:
            return unknown("a group of a match", "", match.o)
        value: V = match.d.attrs[key].d[number]
        return value

    return pick


_text, _span = _pick("\0groups"), _pick("\0spans")


def _group(it: Any, args: Args, kwargs: Kwargs) -> V:
    wanted = args[1:] or [V(0)]
    found = tuple(_text(it, args[0], group) for group in wanted)
    return found[0] if len(found) == 1 else V(found)


def _default(value: V, args: Args, kwargs: Kwargs) -> V:
    given = args[1] if len(args) > 1 else kwargs.get("default", V(None))
    return given if value.d is None else value


def _groups(it: Any, args: Args, kwargs: Kwargs) -> V:
    rest = args[0].d.attrs["\0groups"].d[1:]
    return V(tuple(_default(value, args, kwargs) for value in rest), args[0].o)


def _group_dict(it: Any, args: Args, kwargs: Kwargs) -> V:
    made = it.heap.dict()
    real = real_pattern(args[0].d.attrs["re"])
    for name in real.groupindex if real is not None else ():
        value = _text(it, args[0], V(name))
        it.dict_set(made, V(name), _default(value, args, kwargs))
    return V(made, args[0].o)


def _edge(number: int) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        span = _span(it, args[0], args[1] if len(args) > 1 else V(0))
        return span.d[number] if type(span.d) is tuple else span

    return fn


def _expand(it: Any, args: Args, kwargs: Kwargs) -> V:
    attrs = args[0].d.attrs
    real, template = real_pattern(attrs["re"]), args[1].d
    start, end = (x.d for x in attrs["\0spans"].d[0].d)
    found = real.match(attrs["string"].d, start) if real is not None else None
    if found is None or found.end() != end or type(template) is not str:
        return unknown("an expanded template", "str", args[0].o)
    return V(found.expand(template), args[0].o)


def match_class(it: Any) -> V:
    """``re.Match``."""
    return V(make_class(
        it, "re.Match", facts=FROZEN,
        methods={"group": _group, "groups": _groups, "groupdict": _group_dict, "expand": _expand,
                 "start": _edge(0), "end": _edge(1), "__getitem__": _group,
                 "span": lambda i, a, k: _span(i, a[0], a[1] if len(a) > 1 else V(0))},
    ))  # fmt: skip
