"""IR to bytes and back: marshalled nested tuples behind a checksum.

A node becomes ``(tag, field, ...)``, tag being its type's place in ``SCHEMA``; the body of a
function becomes bytes of its own, which are decoded only when it is looked at.  ``marshal``
is quick but not made for foreign bytes, so nothing reaches it whose checksum, which covers
``FORMAT`` too, is wrong: truncated, damaged, or written by another version or Python.  The
checksum guards against accidents, not against someone who can write to the cache folder.
"""

from __future__ import annotations

import gc
import marshal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, Final

from mlapath.ir import nodes as ir
from mlapath.ir.codec_schema import SCHEMA
from mlapath.ir.errors import CodecError
from mlapath.ir.stored import StoredBody

CODEC_VERSION: Final = 3
"""Raise it when the same text must give other bytes: when the lowering makes other nodes of
it, or when this module writes them in another way.  (A change of the nodes' names or fields
changes ``FORMAT`` by itself.)"""


def _format() -> str:
    fields = ";".join(f"{cls.__name__}:{kinds}:{cls._fields}" for cls, kinds in SCHEMA)
    digest = blake2b(fields.encode(), digest_size=6).hexdigest()
    return f"ir{CODEC_VERSION}-{digest}-{sys.implementation.cache_tag}"


FORMAT: Final = _format()
"""Names everything the bytes depend on besides the text; part of every cache key."""

_DIGEST_SIZE = 16


def encode(module: ir.ModuleIR) -> bytes:
    """The bytes of a module.

    Raises:
        CodecError: the module is nested too deeply to be stored.
    """
    try:
        payload = marshal.dumps(_encoded(module))
    except (ValueError, RecursionError) as error:
        raise CodecError(f"cannot store {module.path}: {error}") from error
    return _digest(payload) + payload


def decode(data: bytes) -> ir.ModuleIR:
    """The module that ``encode`` was given.

    Raises:
        CodecError: not bytes that ``encode`` of this version, under this Python, returned.
    """
    payload = data[_DIGEST_SIZE:]
    if data[:_DIGEST_SIZE] != _digest(payload):
        raise CodecError("damaged, or written by another version")
    try:
        with _no_garbage_collection():
            module = _decoded(marshal.loads(payload))  # noqa: S302  # checksum checked above
    except (ValueError, EOFError, TypeError, LookupError, RecursionError) as error:
        raise CodecError(f"not an encoded module: {error!r}") from error
    if not isinstance(module, ir.ModuleIR):
        raise CodecError("not an encoded module")
    return module


def _digest(payload: bytes) -> bytes:
    return blake2b(payload, digest_size=_DIGEST_SIZE, key=FORMAT.encode()[:64]).digest()


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Building a large tree of tuples would set the collector off again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


# -- encoding ------------------------------------------------------------------------------


def _encoded(value: Any) -> Any:
    """Nodes as tagged tuples, plain tuples item by item, anything else as it is."""
    tag = _TAGS.get(type(value))
    if tag is not None:
        return _encoded_node(tag, value)
    if type(value) is tuple:
        return tuple([_encoded(item) for item in value])
    return value


def _encoded_node(tag: int, node: Any) -> tuple[Any, ...]:
    kinds = SCHEMA[tag][1]
    return (
        tag,
        *[
            marshal.dumps(_encoded(tuple(field))) if kind == "b" else _encoded(field)
            for kind, field in zip(kinds, node, strict=True)
        ],
    )


_TAGS: dict[type[Any], int] = {cls: tag for tag, (cls, _) in enumerate(SCHEMA)}


# -- decoding ------------------------------------------------------------------------------

_Decoder = Callable[[Any], Any]
_new = tuple.__new__


def _decoded(data: Any) -> Any:
    return _DECODERS[data[0]](data)


def _optional(data: Any) -> Any:
    return None if data is None else _DECODERS[data[0]](data)


def _many(data: Any) -> Any:
    return tuple([_DECODERS[item[0]](item) for item in data])


def _pairs(data: Any) -> Any:
    return tuple([(_optional(key), _decoded(value)) for key, value in data])


def _parts(data: Any) -> Any:
    return tuple([part if type(part) is str else _decoded(part) for part in data])


def _raw(data: Any) -> Any:
    return data


def _body(data: bytes) -> StoredBody:
    return StoredBody(data, _statements)


def _statements(data: bytes) -> tuple[ir.Stmt, ...]:
    with _no_garbage_collection():
        return _many(marshal.loads(data))  # type: ignore[no-any-return]  # noqa: S302


_FIELD_DECODERS: dict[str, _Decoder] = {
    "r": _raw,
    "n": _decoded,
    "o": _optional,
    "m": _many,
    "d": _pairs,
    "p": _parts,
    "b": _body,
}


def _decoder(cls: type[Any], kinds: str) -> _Decoder:
    """The decoder of one node type; the frequent shapes have one of their own for speed."""
    if set(kinds) == {"r"}:
        return lambda t: _new(cls, t[1:])
    if kinds == "rn":
        return lambda t: _new(cls, (t[1], _DECODERS[t[2][0]](t[2])))
    if kinds == "rnr":
        return lambda t: _new(cls, (t[1], _DECODERS[t[2][0]](t[2]), t[3]))
    if kinds == "rnn":
        return lambda t: _new(cls, (t[1], _decoded(t[2]), _decoded(t[3])))
    if kinds == "rnmm":
        return lambda t: _new(cls, (t[1], _decoded(t[2]), _many(t[3]), _many(t[4])))
    fields = [_FIELD_DECODERS[kind] for kind in kinds]
    return lambda t: _new(cls, [f(x) for f, x in zip(fields, t[1:], strict=True)])


_DECODERS: list[_Decoder] = [_decoder(cls, kinds) for cls, kinds in SCHEMA]
