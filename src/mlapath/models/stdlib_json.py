"""``json``: text to values and back, by CPython's own module."""

from __future__ import annotations

import json
from typing import Any

from mlapath.models.api import Fn, Library, argument, make_class
from mlapath.models.support import ERRORS, gives, origins, throw_like, unknown
from mlapath.values.concrete import NotConcrete, from_py, to_py
from mlapath.values.objects import DictObj, ListObj
from mlapath.values.origin import Origin
from mlapath.values.value import Union, V

Args = list[V]
Kwargs = dict[str, V]
HOOKS = ("cls", "object_hook", "parse_float", "parse_int", "parse_constant", "object_pairs_hook")
PLAIN = ("skipkeys", "ensure_ascii", "check_circular", "allow_nan", "indent", "separators",
         "sort_keys")  # fmt: skip


def loads(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``loads(s, …)``."""
    text = argument(args, kwargs, 0, "s") or V(None)
    if type(text.d) is Union:
        joined: V = it.each(list(text.d.options), lambda o: loads(it, [V(o.d, o.o or text.o)],
                                                                  kwargs))  # fmt: skip
        return joined
    if type(text.d) not in (str, bytes):
        if type(text.d) in (int, float, bool, type(None)):
            it.throw("TypeError", "the JSON object must be str, bytes or bytearray, not "
                     f"{it.type_name(text)}")  # fmt: skip
        it.may_raise(it.frame, "json.loads")
        return unknown("JSON of unknown text", "", text.o)
    if any(kwargs.get(name, V(None)).d is not None for name in HOOKS):
        return gives("json.loads", raises=True)(it, args, kwargs)
    try:
        found = json.loads(text.d)
    except json.JSONDecodeError as error:
        raise it.make_raise(_decode_error(it, error, text)) from error
    return with_origin(from_py(it.heap, found), text.o)


def with_origin(value: V, origin: Origin | None) -> V:
    """The value, and all that is in it, as coming from ``origin``; in place for containers."""
    if origin is None:
        return value
    d = value.d
    if type(d) is ListObj:
        d.cell["items"] = [with_origin(item, origin) for item in d.items]
    elif type(d) is DictObj:
        for key, (name, item) in list(d.data.items()):
            d.data[key] = (name, with_origin(item, origin))
    return V(d, origin)


def _decode_error(it: Any, error: json.JSONDecodeError, text: V) -> V:
    cls = it.models.symbol(it, "json.JSONDecodeError")
    made: V = it.call(cls, [V(error.msg), text, V(error.pos)], {})
    return made


def _error_init(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``JSONDecodeError(msg, doc, pos)``."""
    made, rest = args[0], args[1:]
    attrs = made.d.attrs
    try:
        real = json.JSONDecodeError(*(to_py(a) for a in rest), **{
            k: to_py(v) for k, v in kwargs.items()})  # fmt: skip
    except (NotConcrete, *ERRORS):
        it.heap.put(attrs, "args", V((unknown("the text of a JSON error", "str"),)))
        return V(None)
    it.heap.put(attrs, "args", V((V(str(real)),)))
    for name in ("msg", "doc", "pos", "lineno", "colno"):
        it.heap.put(attrs, name, V(getattr(real, name)))
    return V(None)


def load(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``load(fp, …)``."""
    source = argument(args, kwargs, 0, "fp") or V(None)
    rest = {name: value for name, value in kwargs.items() if name != "fp"}
    return loads(it, [it.call(it.getattr(source, "read"), [], {})], rest)


def dumps(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``dumps(obj, …)``: of plain values; what ``default`` or a class would say is not known."""
    value = argument(args, kwargs, 0, "obj") or V(None)
    origin = origins(args, kwargs)
    try:
        plain = to_py(value)
        options = {name: to_py(v) for name, v in kwargs.items() if name in PLAIN}
    except NotConcrete:
        it.trace.escape(kwargs.get("default", V(None)))
        it.may_raise(it.frame, "json.dumps")
        return unknown("JSON of something unknown", "str", origin)
    own = any(kwargs.get(name, V(None)).d is not None for name in ("cls", "default"))
    try:
        return V(json.dumps(plain, **options), origin)
    except ERRORS as error:
        if own:
            return gives("json.dumps", "str", raises=True)(it, args, kwargs)
        throw_like(it, error)
        raise AssertionError("unreachable") from error


def dump(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``dump(obj, fp, …)``."""
    target = argument(args, kwargs, 1, "fp") or V(None)
    rest = {name: value for name, value in kwargs.items() if name not in ("obj", "fp")}
    text = dumps(it, [argument(args, kwargs, 0, "obj") or V(None)], rest)
    it.call(it.getattr(target, "write"), [text], {})
    return V(None)


def _decoder(it: Any) -> V:
    methods: dict[str, Fn] = {
        "decode": lambda i, a, k: loads(i, a[1:2], {}),
        "raw_decode": gives("JSONDecoder.raw_decode", "tuple", raises=True),
    }
    return V(make_class(it, "json.JSONDecoder", methods=methods, foreign="json.JSONDecoder"))


def _encoder(it: Any) -> V:
    def default(engine: Any, args: Args, kwargs: Kwargs) -> V:
        engine.throw("TypeError", f"Object of type {engine.type_name(args[1])} is not JSON "
                     "serializable")  # fmt: skip
        raise AssertionError("unreachable")

    methods: dict[str, Fn] = {"default": default, "encode": gives("JSONEncoder.encode", "str"),
                              "iterencode": gives("JSONEncoder.iterencode")}  # fmt: skip
    return V(make_class(it, "json.JSONEncoder", methods=methods, foreign="json.JSONEncoder"))


LIBRARY = Library(
    functions={"json.loads": loads, "json.load": load, "json.dumps": dumps, "json.dump": dump},
    values={
        "json.JSONDecodeError": lambda it: V(make_class(
            it, "json.JSONDecodeError", (it.builtins["ValueError"].d,),
            methods={"__init__": _error_init})),
        "json.JSONDecoder": _decoder,
        "json.JSONEncoder": _encoder,
    },
    aliases={"json.decoder.JSONDecodeError": "json.JSONDecodeError",
             "json.decoder.JSONDecoder": "json.JSONDecoder",
             "json.encoder.JSONEncoder": "json.JSONEncoder"},
)  # fmt: skip
