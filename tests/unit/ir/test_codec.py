"""IR survives the round trip; whatever else comes back from a disk is a CodecError."""

from __future__ import annotations

import gc
import marshal
from hashlib import blake2b
from typing import Any

import pytest

from mlapath.ir import codec, nodes, patterns
from mlapath.ir.codec_schema import SCHEMA
from mlapath.ir.errors import CodecError
from mlapath.ir.lower import lower_module
from mlapath.ir.stored import StoredBody
from support.ir_snippets import NEWER, SNIPPETS
from support.ir_trees import comparable

FROZEN = (3, "7f5baf9ba51cdc78")
"""``CODEC_VERSION`` and a digest of what the lowering makes of the snippets.  If the lowering
gives other nodes for the same text, raise CODEC_VERSION; then put the new digest here."""


def module(*body: nodes.Stmt) -> nodes.ModuleIR:
    return nodes.ModuleIR("p.py", body, None)


@pytest.mark.parametrize("name", [*SNIPPETS, *NEWER])
def test_round_trip(name: str) -> None:
    lowered = lower_module({**SNIPPETS, **NEWER}[name], "a/b.py")
    decoded = codec.decode(codec.encode(lowered))
    assert decoded == lowered
    assert comparable(decoded) == comparable(lowered)  # the types of nodes and constants too


@pytest.mark.parametrize(
    "value", [None, True, 0, -1, 2**100, 0.0, -0.0, 1e400, 2j, "", "é\ud800", b"\xff", ...]
)
def test_constants_keep_value_and_type(value: object) -> None:
    pos = (1, 2, 3, 4)
    encoded = codec.encode(module(nodes.ExprStmt(pos, nodes.Const(pos, value))))
    (statement,) = codec.decode(encoded).body
    assert isinstance(statement, nodes.ExprStmt)
    assert isinstance(statement.value, nodes.Const)
    assert repr(statement.value.value) == repr(value)
    assert type(statement.value.value) is type(value)


def test_a_function_body_is_decoded_when_it_is_looked_at() -> None:
    lowered = lower_module("def f():\n    def g():\n        return 1\n    return g\n", "p.py")
    (function,) = codec.decode(codec.encode(lowered)).body
    assert isinstance(function, nodes.FunctionDef)
    assert isinstance(function.body, StoredBody)
    assert isinstance(lowered.body[0], nodes.FunctionDef)
    assert function.body == lowered.body[0].body
    assert hash(function.body) == hash(lowered.body[0].body)
    assert repr(function.body) == repr(lowered.body[0].body)
    assert len(function.body) == 2
    assert isinstance(function.body[-1], nodes.Return)
    assert function.body != lowered.body


def test_opaque_round_trip() -> None:
    lowered = module(nodes.ExprStmt((1, 0, 1, 1), nodes.Opaque((1, 0, 1, 1), "why")))
    assert codec.decode(codec.encode(lowered)) == lowered


def test_schema_names_every_node_and_field() -> None:
    names = {**vars(nodes), **vars(patterns)}
    kinds = {kind for kind in names.values() if hasattr(kind, "_fields")}
    assert {cls for cls, _ in SCHEMA} == kinds
    assert len(SCHEMA) == len(kinds)
    assert [cls for cls, letters in SCHEMA if len(letters) != len(cls._fields)] == []


def test_the_version_is_raised_when_the_lowering_changes() -> None:
    digest = blake2b(digest_size=8)
    for text in SNIPPETS.values():
        digest.update(repr(lower_module(text, "p.py")).encode())
    assert (codec.CODEC_VERSION, digest.hexdigest()) == FROZEN


# -- what is not an encoded module ---------------------------------------------------------


def test_any_changed_byte_is_noticed() -> None:
    data = codec.encode(lower_module("x = f(1)\n", "p.py"))
    for index in range(len(data)):
        changed = data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :]
        with pytest.raises(CodecError):
            codec.decode(changed)


def test_any_truncation_is_noticed() -> None:
    data = codec.encode(lower_module("x = f(1)\n", "p.py"))
    for size in range(len(data)):
        with pytest.raises(CodecError):
            codec.decode(data[:size])
    with pytest.raises(CodecError):
        codec.decode(data + b"\0")


def signed(payload: bytes) -> bytes:
    """A payload with a right checksum, as only a fault in ``encode`` could leave."""
    key = codec.FORMAT.encode()[:64]
    return blake2b(payload, digest_size=16, key=key).digest() + payload


@pytest.mark.parametrize(
    "data",
    [
        (), (0,), (0, 1), (999, 1), (-999,), None, 7, "x", (0, (1, 0, 1, 1), 1), (1, 2, 3),
        (66, "p", ((31, (1, 0, 1, 1), 5),), None), (66, "p", 5, None),
    ],
)  # fmt: skip
def test_any_other_shape_is_noticed(data: Any) -> None:
    with pytest.raises(CodecError):
        codec.decode(signed(marshal.dumps(data)))


def test_bytes_that_are_no_marshal_are_noticed() -> None:
    with pytest.raises(CodecError):
        codec.decode(signed(b"("))


def test_another_version_is_no_module(monkeypatch: pytest.MonkeyPatch) -> None:
    data = codec.encode(lower_module("x = 1\n", "p.py"))
    monkeypatch.setattr(codec, "FORMAT", codec.FORMAT + "-other")
    with pytest.raises(CodecError):
        codec.decode(data)


def test_format_names_the_version_and_python() -> None:
    import sys

    assert codec.FORMAT.startswith(f"ir{codec.CODEC_VERSION}-")
    assert codec.FORMAT.endswith(f"-{sys.implementation.cache_tag}")
    assert len(codec.FORMAT.encode()) <= 64  # or the checksum would not cover all of it


def test_too_deep_to_store() -> None:
    value: nodes.Expr = nodes.Const((1, 0, 1, 1), 1)
    for _ in range(20_000):
        value = nodes.Await((1, 0, 1, 1), value)
    with pytest.raises(CodecError):
        codec.encode(module(nodes.ExprStmt((1, 0, 1, 1), value)))


@pytest.mark.parametrize("enabled", [True, False])
def test_leaves_the_garbage_collector_as_it_was(enabled: bool) -> None:
    data = codec.encode(lower_module("x = 1\n", "p.py"))
    was = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        codec.decode(data)
        assert gc.isenabled() is enabled
        with pytest.raises(CodecError):
            codec.decode(signed(b"("))
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was else gc.disable)()
