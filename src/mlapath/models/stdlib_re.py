"""``re``, and ``regex`` as far as ``re`` can stand in for it."""

from __future__ import annotations

import re
from typing import Any

from mlapath.models.api import Fn, Library, argument, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.stdlib_re_match import (
    FROZEN,
    NAMES,
    match_class,
    method,
    real_pattern,
    throw_error,
)
from mlapath.models.support import alternatives, instance, nothing, pure, unknown
from mlapath.values.objects import Instance
from mlapath.values.origin import merge
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]
FLAGS = {
    "A": 256, "ASCII": 256, "DEBUG": 128, "I": 2, "IGNORECASE": 2, "L": 4, "LOCALE": 4, "M": 8,
    "MULTILINE": 8, "S": 16, "DOTALL": 16, "U": 32, "UNICODE": 32, "X": 64, "VERBOSE": 64,
    "NOFLAG": 0,
}  # fmt: skip


def _compile(library: str) -> Fn:
    """``compile(pattern, flags=0)`` of ``re`` or ``regex``."""

    def once(it: Any, args: Args, kwargs: Kwargs) -> V:
        pattern = argument(args, kwargs, 0, "pattern") or V(None)
        if type(pattern.d) is Instance and "pattern" in pattern.d.attrs:
            return pattern
        flags = argument(args, kwargs, 1, "flags") or V(0)
        return _make(it, library, pattern, flags)

    return lambda it, args, kwargs: alternatives(it, args, kwargs, once)


def _make(it: Any, library: str, pattern: V, flags: V) -> V:
    text = pattern.d.payload if type(pattern.d) is Instance else pattern.d
    number = flags.d.payload if type(flags.d) is Instance else flags.d
    origin = merge(pattern.o, flags.o)
    if type(text) in (int, float, bool, type(None)):
        it.throw("TypeError", "first argument must be string or compiled pattern")
    given = {"pattern": V(text, pattern.o), "flags": V(number, flags.o),
             "groups": unknown("the groups of a pattern", "int", lo=0),
             "groupindex": unknown("the names of a pattern's groups", "dict")}  # fmt: skip
    made = V(instance(it, library_class(it, "re.Pattern"), given).d, origin)
    if type(text) not in (str, bytes) or type(number) is not int:
        it.may_raise(it.frame, f"{library}.compile")
        return made
    made.d.attrs["flags"] = V(number & ~FLAGS["DEBUG"], flags.o)
    real = real_pattern(made)
    if real is None:
        if library == "re":
            throw_error(it, f"a pattern that is not valid: {text!r}")
        return made
    table = it.heap.dict()
    for name, index in real.groupindex.items():
        it.dict_set(table, V(name), V(index))
    made.d.attrs.update({"groups": V(real.groups), "groupindex": V(table),
                         "flags": V(int(real.flags), flags.o)})  # fmt: skip
    return made


def _function(library: str, name: str) -> Fn:
    """``re.name(pattern, string, …, flags=0)``."""
    compiled, apply = _compile(library), method(name)
    count = len([n for n in NAMES[name] if n not in ("pos", "endpos")])

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        named = dict(kwargs)
        flags = named.pop("flags", args[count + 1] if len(args) > count + 1 else V(0))
        pattern = args[0] if args else named.pop("pattern")
        options = [pattern.d] if type(pattern.d) is Instance else []
        if options and "pattern" in options[0].attrs and flags.d != 0:
            it.throw("ValueError", "cannot process flags argument with a compiled pattern")
        made = compiled(it, [pattern, flags], {})
        return apply(it, [made, *args[1 : count + 1]], named)

    return fn


def _pattern_class(it: Any) -> V:
    fields = ("pattern", "flags")
    return V(make_class(
        it, "re.Pattern", methods={name: method(name) for name in NAMES},
        facts={**FROZEN, "hash_fields": fields, "eq_fields": fields},
    ))  # fmt: skip


def _both(name: str) -> dict[str, Fn]:
    return {f"{library}.{name}": _function(library, name) for library in ("re", "regex")}


LIBRARY = Library(
    functions={
        **{key: fn for name in NAMES for key, fn in _both(name).items()},
        "re.compile": _compile("re"),
        "regex.compile": _compile("regex"),
        "re.escape": pure("re.escape", re.escape, "str"),
        "re.purge": nothing,
    },
    values={
        **{f"re.{name}": (lambda it, n=number: V(n)) for name, number in FLAGS.items()},  # type: ignore[misc]
        "re.Pattern": _pattern_class,
        "re.Match": match_class,
        "re.error": lambda it: V(make_class(it, "re.error", (it.builtins["Exception"].d,))),
    },
    aliases={
        "re.PatternError": "re.error",
        **{f"regex.{name}": f"re.{name}" for name in (*FLAGS, "Pattern", "Match", "error",
                                                      "purge", "escape")},
    },
)  # fmt: skip
