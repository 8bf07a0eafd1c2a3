"""``io`` and ``open``: files to read, and buffers in memory."""

from __future__ import annotations

import io
from typing import Any

from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.models.file_access import CONTENT, open_file
from mlapath.models.support import constants, gives, instance, nothing, some_items, unknown
from mlapath.values.objects import ClassObj
from mlapath.values.value import Unknown, V

Args = list[V]
Kwargs = dict[str, V]


def _open(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``open(file, mode="r", …)``."""
    path = argument(args, kwargs, 0, "file") or V(None)
    return open_file(it, path, argument(args, kwargs, 1, "mode") or V("r"))


def _unknown(value: V) -> V:
    hint = "bytes" if type(value.d) is bytes else "str" if type(value.d) is str else ""
    return unknown("the content of a file", hint, value.o)


def _read(it: Any, args: Args, kwargs: Kwargs) -> V:
    """What is left; after a read of a part, what is left is not followed."""
    value: V = args[0].d.attrs[CONTENT]
    size = argument(args, kwargs, 1, "size") or V(-1)
    if size.d in (-1, None):
        empty: Any = b"" if type(value.d) is bytes else ""
        it.heap.put(args[0].d.attrs, CONTENT, V(empty) if type(value.d) in (str, bytes) else value)
        return value
    if type(value.d) in (str, bytes) and type(size.d) is int and size.d >= 0:
        it.heap.put(args[0].d.attrs, CONTENT, V(value.d[size.d :], value.o))
        return V(value.d[: size.d], value.o)
    it.heap.put(args[0].d.attrs, CONTENT, _unknown(value))
    return _unknown(value)


def _lines(it: Any, args: Args, kwargs: Kwargs) -> V:
    value = _read(it, args[:1], {})
    if type(value.d) in (str, bytes):
        return V(it.heap.list([V(x, value.o) for x in value.d.splitlines(keepends=True)]))
    hint = value.d.hint if type(value.d) is Unknown else ""
    if hint not in ("str", "bytes"):
        return unknown("the lines of a file", "list", value.o)
    line = V(Unknown("a line of a file", hint, "io.TextIOWrapper.readline()"), value.o)
    return some_items(it, "the lines of a file", line)


def _line(it: Any, args: Args, kwargs: Kwargs) -> V:
    value: V = args[0].d.attrs[CONTENT]
    if type(value.d) not in (str, bytes):
        return _unknown(value)
    found = value.d.splitlines(keepends=True)
    first = found[0] if found else value.d
    it.heap.put(args[0].d.attrs, CONTENT, V(value.d[len(first) :], value.o))
    return V(first, value.o)


def _same(it: Any, args: Args, kwargs: Kwargs) -> V:
    return args[0]


def _exit(it: Any, args: Args, kwargs: Kwargs) -> V:
    it.heap.put(args[0].d.attrs, "closed", V(True))
    return V(None)


def _seek(it: Any, args: Args, kwargs: Kwargs) -> V:
    value: V = args[0].d.attrs[CONTENT]
    it.heap.put(args[0].d.attrs, CONTENT, _unknown(value))
    return unknown("a position in a file", "int", lo=0)


def _write(it: Any, args: Args, kwargs: Kwargs) -> V:
    return unknown("the number of characters written", "int", lo=0)


COMMON: dict[str, Fn] = {
    "read": _read, "readlines": _lines, "readline": _line, "__iter__": _lines,
    "__enter__": _same, "__exit__": _exit, "close": _exit, "flush": nothing, "seek": _seek,
    "write": _write, "writelines": nothing, "truncate": _write,
    "tell": gives("tell", "int", lo=0), "fileno": gives("fileno", "int", lo=0),
    "isatty": gives("isatty", "bool"), "readable": gives("readable", "bool"),
    "writable": gives("writable", "bool"),
}  # fmt: skip
MEMORY = "\0written"


def _memory(kind: type) -> Any:
    """``StringIO`` and ``BytesIO``: what is written is appended."""

    def construct(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
        given = argument(args, kwargs, 0, "initial_value") or kwargs.get("initial_bytes")
        start = given if given is not None and given.d is not None else V(kind())
        made = instance(it, cls, {MEMORY: start, CONTENT: start, "closed": V(False)})
        made.d.attrs["\0start"] = V(given is None or start.d == kind())
        return made

    return construct


def _append(it: Any, args: Args, kwargs: Kwargs) -> V:
    attrs = args[0].d.attrs
    old = attrs[MEMORY]
    at_end = attrs["\0start"].d is True  # else the position is inside what was there at first
    written = it.binop("+", old, args[1]) if at_end else _unknown(old)
    it.heap.put(attrs, MEMORY, written)
    it.heap.put(attrs, CONTENT, _unknown(old) if type(old.d) is Unknown else V(type(old.d)()))
    length: V = it.call(it.builtins["len"], [args[1]], {})
    return length


def _rewind(it: Any, args: Args, kwargs: Kwargs) -> V:
    attrs = args[0].d.attrs
    if len(args) == 2 and args[1].d == 0:
        it.heap.put(attrs, CONTENT, attrs[MEMORY])
        it.heap.put(attrs, "\0start", V(False))
        return V(0)
    it.heap.put(attrs, "\0start", V(False))
    return _seek(it, args, kwargs)


def _value(it: Any, args: Args, kwargs: Kwargs) -> V:
    value: V = args[0].d.attrs[MEMORY]
    return value


def _buffer(name: str, kind: type) -> Factory:
    methods: dict[str, Fn] = {**COMMON, "write": _append, "seek": _rewind, "getvalue": _value,
                              "getbuffer": _value}  # fmt: skip
    return lambda it: V(make_class(it, name, methods=methods, construct=_memory(kind)))


FILES = ("TextIOWrapper", "BufferedReader", "BufferedWriter", "FileIO", "IOBase", "RawIOBase",
         "BufferedIOBase", "TextIOBase")  # fmt: skip
LIBRARY = Library(
    functions={"io.open": _open, "io.open_code": _open,
               "io.text_encoding": lambda it, a, k: a[0]},
    values={
        **constants("io", io, "SEEK_SET SEEK_CUR SEEK_END DEFAULT_BUFFER_SIZE"),
        **{f"io.{name}": (lambda it, full=f"io.{name}": V(  # type: ignore[misc]
            make_class(it, full, methods=COMMON, foreign=full))) for name in FILES},
        "io.StringIO": _buffer("io.StringIO", str),
        "io.BytesIO": _buffer("io.BytesIO", bytes),
        "io.UnsupportedOperation": lambda it: V(make_class(
            it, "io.UnsupportedOperation",
            (it.builtins["OSError"].d, it.builtins["ValueError"].d))),
        "io.BlockingIOError": lambda it: it.builtins["BlockingIOError"],
    },
    aliases={"codecs.open": "io.open"},
)  # fmt: skip
