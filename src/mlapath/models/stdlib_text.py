"""Modules of functions of plain text and bytes, computed by CPython itself.

``string``, ``textwrap``, ``shlex``, ``fnmatch``, ``html``, ``difflib``, ``pprint``,
``unicodedata``, ``urllib.parse``, ``base64``, ``binascii``, ``struct``, ``zlib``.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.models.standard import late, modules
from mlapath.models.support import (
    ERRORS,
    gives,
    instance,
    nothing,
    opaque_class,
    origins,
    pure,
    throw_like,
    unknown,
)
from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.objects import ClassObj
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]
PURE: tuple[tuple[str, str, str], ...] = (
    ("textwrap", "dedent indent fill shorten", "str"), ("textwrap", "wrap", "list"),
    ("string", "capwords", "str"),
    ("shlex", "quote join", "str"), ("shlex", "split", "list"),
    ("fnmatch", "fnmatch fnmatchcase", "bool"), ("fnmatch", "filter", "list"),
    ("fnmatch", "translate", "str"),
    ("html", "escape unescape", "str"),
    ("difflib", "get_close_matches", "list"),
    ("unicodedata", "name category normalize", "str"),
    ("urllib.parse", "quote quote_plus unquote unquote_plus urlencode", "str"),
    ("urllib.parse", "urljoin urlunparse urlunsplit", "str"),
    ("urllib.parse", "parse_qs", "dict"), ("urllib.parse", "parse_qsl", "list"),
    ("base64", "b64encode b64decode urlsafe_b64encode urlsafe_b64decode", "bytes"),
    ("base64", "standard_b64encode standard_b64decode b32encode b32decode", "bytes"),
    ("base64", "b16encode b16decode b85encode b85decode encodebytes decodebytes", "bytes"),
    ("binascii", "hexlify unhexlify b2a_hex a2b_hex a2b_base64 b2a_base64", "bytes"),
    ("struct", "pack", "bytes"), ("struct", "unpack unpack_from", "tuple"),
    ("struct", "calcsize", "int"),
    ("zlib", "crc32 adler32", "int"), ("zlib", "compress decompress", "bytes"),
)  # fmt: skip


def _functions() -> dict[str, Fn]:
    found: dict[str, Fn] = {}
    for module, names, hint in PURE:
        for name in names.split():
            found[f"{module}.{name}"] = pure(f"{module}.{name}", late(module, name), hint)
    return found


# -- urllib.parse: results with names -------------------------------------------------------

PARTS = {
    "urlparse": ("ParseResult", ("scheme", "netloc", "path", "params", "query", "fragment")),
    "urlsplit": ("SplitResult", ("scheme", "netloc", "path", "query", "fragment")),
}
EXTRA = {"hostname": "str", "port": "int", "username": "str", "password": "str"}


def _split(name: str) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        title, fields = PARTS[name]
        cls = it.models.symbol(it, f"urllib.parse.{title}").d
        origin = origins(args, kwargs)
        try:
            real = late("urllib.parse", name)(
                *(to_py(a) for a in args), **{k: to_py(v) for k, v in kwargs.items()}
            )
            values = {field: V(getattr(real, field), origin) for field in (*fields, *EXTRA)}
            whole = V(real.geturl(), origin)
        except NotConcrete:
            why = "a part of an unknown address"
            values = {field: unknown(why, "str", origin) for field in fields}
            values.update({field: unknown(why, "", origin) for field in EXTRA})
            whole = unknown(why, "str", origin)
        except ERRORS as error:
            throw_like(it, error)
            raise AssertionError("unreachable") from error
        payload = tuple(values[field] for field in fields)
        made = instance(it, cls, {**values, "\0whole": whole}, payload)
        return V(made.d, origin)

    return fn


def _result_class(title: str) -> Factory:
    def whole(it: Any, args: Args, kwargs: Kwargs) -> V:
        text: V = args[0].d.attrs["\0whole"]
        return text

    full = f"urllib.parse.{title}"
    fields = next(fields for name, fields in PARTS.values() if name == title)

    def construct(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
        values = {f: argument(args, kwargs, i, f) or V("") for i, f in enumerate(fields)}
        text = unknown("an address made of parts", "str")
        return instance(it, cls, {**values, "\0whole": text}, tuple(values.values()))

    def replace(it: Any, args: Args, kwargs: Kwargs) -> V:
        given = {f: kwargs.get(f, args[0].d.attrs[f]) for f in fields}
        plain = [v.d for v in given.values()]
        if any(type(x) is not str for x in plain):
            return construct(it, args[0].d.cls, [], given)
        join = late("urllib.parse", "urlunparse" if len(fields) == 6 else "urlunsplit")
        name = next(name for name, (own, _) in PARTS.items() if own == title)
        return _split(name)(it, [V(join(plain), origins(args, kwargs))], {})

    return lambda it: V(make_class(
        it, full, (it.builtins["tuple"].d,), construct=construct,
        methods={"geturl": whole, "_replace": replace}, facts={"frozen": True}))  # fmt: skip


# -- string.Template, struct.Struct ---------------------------------------------------------


def _template(name: str) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        text, origin = args[0].d.attrs["template"], origins(args, kwargs)
        try:
            mapping = [to_py(a) for a in args[1:]]
            named = {k: to_py(v) for k, v in kwargs.items()}
            made = getattr(late("string", "Template")(to_py(text)), name)(*mapping, **named)
        except NotConcrete:
            return unknown("a template with unknown values", "str", origin)
        except ERRORS as error:
            throw_like(it, error)
            raise AssertionError("unreachable") from error
        return V(made, origin)

    return fn


def _template_class(it: Any) -> V:
    def construct(engine: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
        return instance(engine, cls, {"template": argument(args, kwargs, 0, "template") or V("")})

    methods = {name: _template(name) for name in ("substitute", "safe_substitute")}
    return V(make_class(it, "string.Template", construct=construct, methods=methods))


def _struct_class(it: Any) -> V:
    def construct(engine: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
        size = pure("struct.calcsize", late("struct", "calcsize"), "int")(engine, args[:1], {})
        return instance(engine, cls, {"format": args[0], "size": size})

    def through(name: str, hint: str) -> Fn:
        compute = pure(f"struct.{name}", late("struct", name), hint)
        return lambda i, a, k: compute(i, [a[0].d.attrs["format"], *a[1:]], k)

    methods = {"pack": through("pack", "bytes"), "unpack": through("unpack", "tuple"),
               "unpack_from": through("unpack_from", "tuple"), "pack_into": nothing}  # fmt: skip
    return V(make_class(it, "struct.Struct", construct=construct, methods=methods))


def _constant(name: str) -> Factory:
    return lambda it: V(getattr(modules()["string"], name))


def _error(full: str, base: str = "Exception") -> Factory:
    return lambda it: V(make_class(it, full, (it.builtins[base].d,)))


LIBRARY = Library(
    functions={
        **_functions(),
        **{f"urllib.parse.{name}": _split(name) for name in PARTS},
        "pprint.pprint": nothing, "pprint.pp": nothing,
        "pprint.pformat": gives("pprint.pformat", "str"),
        "struct.pack_into": nothing,
        "difflib.unified_diff": gives("difflib.unified_diff", "list"),
        "locale.setlocale": gives("locale.setlocale", "str"),
        "locale.getpreferredencoding": gives("locale.getpreferredencoding", "str"),
    },
    values={
        **{f"string.{name}": _constant(name) for name in (
            "ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "hexdigits",
            "octdigits", "printable", "punctuation", "whitespace")},
        **{f"urllib.parse.{title}": _result_class(title) for title, _ in PARTS.values()},
        "string.Template": _template_class,
        "string.Formatter": opaque_class("string.Formatter"),
        "struct.Struct": _struct_class,
        "struct.error": _error("struct.error"),
        "binascii.Error": _error("binascii.Error", "ValueError"),
        "zlib.error": _error("zlib.error"),
    },
)  # fmt: skip
