"""``ValidationError`` of pydantic: its lines, its text, raising it in the program.

The text is pydantic's own, without the link that ends each line there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from mlapath.models.api import make_class
from mlapath.models.class_tools import library_class
from mlapath.values.objects import Instance
from mlapath.values.value import V

NAME = "pydantic_core.ValidationError"
MAX_INPUT = 50


@dataclass(frozen=True)
class Line:
    """One fault: where (field names and indices, outermost first), what, and the input.

    raised: the exception of the program's own validator, if that found it.
    """

    loc: tuple[str | int, ...]
    kind: str
    message: str
    input: V
    raised: V | None = None


class Invalid(Exception):  # noqa: N818 - a signal, turned into the program's ValidationError
    """A value is certainly not valid."""

    def __init__(self, *lines: Line) -> None:
        super().__init__(*lines)
        self.lines = lines


def fault(value: V, kind: str, message: str) -> Invalid:
    """One fault of a value as a whole."""
    return Invalid(Line((), kind, message, value))


def under(lines: tuple[Line, ...], *loc: str | int) -> tuple[Line, ...]:
    """The faults of a part, seen from the whole."""
    return tuple(replace(line, loc=(*loc, *line.loc)) for line in lines)


def text_of(it: Any, value: V) -> str:
    """A value's repr as the message shows it: long ones lose their middle."""
    text = it.format_value(value, "r", "")
    if text is None:
        return "{…}"
    return text if len(text) <= MAX_INPUT else f"{text[:25]}...{text[-24:]}"


def message(it: Any, title: str, lines: tuple[Line, ...]) -> str:
    """The text of the error."""
    out = [f"{len(lines)} validation error{'s' if len(lines) > 1 else ''} for {title}"]
    for line in lines:
        if line.loc:
            out.append(".".join(str(part) for part in line.loc))
        shown = text_of(it, line.input)
        out.append(f"  {line.message} [type={line.kind}, input_value={shown}, "
                   f"input_type={it.type_name(line.input)}]")  # fmt: skip
    return "\n".join(out)


def make_error(it: Any, title: str, lines: tuple[Line, ...]) -> V:
    """A ``ValidationError`` of the program."""
    cls = library_class(it, NAME)
    made: V = it.instantiate(cls, [V(message(it, title, lines))], {})
    made.d.site = lines
    it.heap.put(made.d.attrs, "title", V(title))
    return made


def lines_of(value: V) -> tuple[Line, ...] | None:
    """The lines of a ValidationError that a summary made; None for any other exception."""
    d = value.d
    if type(d) is Instance and any(c.full == NAME for c in d.cls.mro):
        return d.site if type(d.site) is tuple and d.site and type(d.site[0]) is Line else None
    return None


def _details(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``error.errors()``."""
    out = []
    for line in lines_of(args[0]) or ():
        made = it.heap.dict()
        for key, value in (("type", V(line.kind)), ("loc", V(tuple(V(x) for x in line.loc))),
                           ("msg", V(line.message)), ("input", line.input)):  # fmt: skip
            it.dict_set(made, V(key), value)
        out.append(V(made))
    return V(it.heap.list(out))


def error_class(it: Any) -> V:
    """``ValidationError``, a ``ValueError``."""
    return V(make_class(
        it, NAME, (it.builtins["ValueError"].d,),
        methods={
            "errors": _details,
            "error_count": lambda i, a, k: V(len(lines_of(a[0]) or ())),
            "__repr__": lambda i, a, k: V(i.message_of(a[0])),
        },
    ))  # fmt: skip
