"""``"…" % values`` and ``"…".format(…)``: the objects' own texts are asked for."""

from __future__ import annotations

import re
import string
from typing import Any

from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.objects import DictObj, Instance
from mlapath.values.origin import Origin, merge
from mlapath.values.value import Unknown, V

FIELD = re.compile(r"%(?:\((\w*)\))?([#0\- +]*)(\*|\d+)?(?:\.(\*|\d+))?[hlL]?(.)", re.DOTALL)
WHY = "a format of unknown values"


def percent(it: Any, text: str, right: V, origin: Origin | None) -> V:
    """``text % right``."""
    try:
        return V(text % _with_texts(it, text, right), origin)
    except NotConcrete:
        it.may_raise_of(("TypeError", "ValueError"), V("not enough arguments for format string"))
        return V(Unknown(WHY, "str"), origin)
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        it.throw(type(error).__name__, str(error))
        raise AssertionError("unreachable") from error


def _with_texts(it: Any, text: str, right: V) -> Any:
    """The values with the objects among them replaced by what ``%s`` and ``%r`` make of them."""
    kinds = [m[5] for m in FIELD.finditer(text) if m[5] != "%"]
    if type(right.d) is Instance and type(right.d.payload) in (tuple, DictObj):
        right = V(right.d.payload, right.o)
    if type(right.d) is tuple:
        if "*" in text or len(kinds) != len(right.d):
            return to_py(right)
        texts = [_text_of(it, kind, x) for kind, x in zip(kinds, right.d, strict=True)]
        return tuple(
            to_py(x) if made is None else made for made, x in zip(texts, right.d, strict=True)
        )
    made = None if type(right.d) is DictObj or not kinds else _text_of(it, kinds[0], right)
    return to_py(right) if made is None else made


def _text_of(it: Any, kind: str, value: V) -> str | None:
    """What a field makes of a value that may be an object; None: what CPython makes of it."""
    if kind not in ("s", "r", "a") or type(value.d) in (str, int, float, bool):
        return None
    made = it.format_value(value, kind, "")
    return None if made is None else _Text(made)


class _Text(str):
    """A text that ``%r`` leaves as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def formatted(it: Any, text: str, args: list[V], kwargs: dict[str, V]) -> V:
    """``text.format(*args, **kwargs)``."""
    origin = merge(*(a.o for a in args), *(k.o for k in kwargs.values()))
    try:
        made = _fields(it, text, args, kwargs, [0])
    except (ValueError, IndexError, KeyError) as error:
        it.throw(type(error).__name__, str(error))
        raise AssertionError("unreachable") from error
    return V(Unknown(WHY, "str") if made is None else made, origin)


def _fields(
    it: Any, text: str, args: list[V], kwargs: dict[str, V], count: list[int]
) -> str | None:
    """The text with its fields filled in; None where one of them is not known."""
    parts: list[str | None] = []
    for literal, name, spec, conversion in string.Formatter().parse(text):
        parts.append(literal)
        if name is None:
            continue
        if name == "" or name[0] in ".[":
            name = f"{count[0]}{name}"  # noqa: PLW2901 - numbered as they come
            count[0] += 1
        value = _field(it, name, args, kwargs)
        inner = _fields(it, spec or "", args, kwargs, count)
        parts.append(it.format_value(value, conversion or "", inner))
    return None if None in parts else "".join(x for x in parts if x is not None)


def _field(it: Any, name: str, args: list[V], kwargs: dict[str, V]) -> V:
    first, rest = re.match(r"([^.\[]*)(.*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    value = args[int(first)] if first.isdigit() else kwargs[first]
    for attr, index in re.findall(r"\.([^.\[]+)|\[([^\]]*)\]", rest):
        if attr:
            value = it.getattr(value, attr)
        else:
            value = it.getitem(value, V(int(index) if index.isdigit() else index))
    return value
