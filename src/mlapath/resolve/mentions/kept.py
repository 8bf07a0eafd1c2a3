"""What files mention, from the cache where it is there."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any

from mlapath.base.own import own_digest
from mlapath.cache.store import BlobStore
from mlapath.resolve.mentions.model import Asked, Given, Mention, Mentions, Of, Read
from mlapath.resolve.mentions.reader import mentions_of
from mlapath.resolve.mentions.uses import Lent, Passed, Returned

KIND = "mentions"
"""The kind of the cache's entries that hold what files mention."""

FOUND = (
    "names", "own", "kept", "inner", "inner_kept", "late", "defined", "generators", "picked",
    "consumed",
)  # fmt: skip
"""The fields of ``Mentions`` that are mentions by word."""
GIVEN = ("given", "handed", "decorated", "lent")
ASKED = ("functions", "methods")


def load_mentions(text: str, store: BlobStore | None) -> Mentions:
    """What a file's text mentions, looked for only if ``store`` does not have it."""
    if store is None:
        return mentions_of(text)
    key = _key(text)
    data = store.get(key)
    if data is not None:
        return decode(data)
    found = mentions_of(text)
    store.put(key, encode(found))
    return found


@cache
def _made_by() -> bytes:
    """What the entries depend on beside the text: mlapath itself, and Python's grammar."""
    return f"{own_digest()} {sys.implementation.cache_tag}".encode()


def _key(text: str) -> str:
    digest = blake2b(_made_by() + b"\0", digest_size=20)
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def encode(found: Mentions) -> bytes:
    """The bytes of what a file mentions: JSON, each place written once."""
    places: dict[tuple[str, str], int] = {}

    def flat(mentions: Sequence[Mention]) -> list[int]:
        return [x for line, *place in mentions
                for x in (line, places.setdefault((place[0], place[1]), len(places)))]  # fmt: skip

    plain: dict[str, Any] = {
        name: {word: flat(mentions) for word, mentions in getattr(found, name).items()}
        for name in FOUND
    }
    plain["telling"] = flat(found.telling)
    plain["calls"] = [[*key, sorted(words)] for key, words in found.calls.items()]
    plain["read"] = {word: [[*flat((r.mention,)), r.attr, r.own] for r in reads]
                     for word, reads in found.read.items()}  # fmt: skip
    plain["of"] = {word: [[*flat((of.mention,)), of.name] for of in ofs]
                   for word, ofs in found.of.items()}  # fmt: skip
    for name in GIVEN:
        plain[name] = {word: [[*flat((g.mention,)), g.callee, g.parameter] for g in given]
                       for word, given in getattr(found, name).items()}  # fmt: skip
    for name in ASKED:
        plain[name] = {function: [
            [a.places, sorted(a.asked), sorted(a.called), a.loose, a.given, sorted(a.keywords),
             a.passed, sorted(a.looked), a.lent] for a in asked]
                       for function, asked in getattr(found, name).items()}  # fmt: skip
    plain["imported"], plain["parsed"] = found.imported, found.parsed
    plain["places"] = list(places)
    return json.dumps(plain, separators=(",", ":")).encode()


def decode(data: bytes) -> Mentions:
    """What a file mentions, of the bytes that ``encode`` gave."""
    plain = json.loads(data)
    places = [(owner, function) for owner, function in plain["places"]]

    def mentions(flat: list[int]) -> list[Mention]:
        return [Mention(line, *places[at]) for line, at in zip(flat[::2], flat[1::2], strict=True)]

    def givens(rows: list[Any]) -> list[Given]:
        return [Given(Mention(line, *places[at]), *more) for line, at, *more in rows]

    def read(rows: list[Any]) -> list[Read]:
        return [Read(Mention(line, *places[at]), *more) for line, at, *more in rows]

    def ofs(rows: list[Any]) -> list[Of]:
        return [Of(Mention(line, *places[at]), name) for line, at, name in rows]

    def asked(rows: list[Any]) -> list[Asked]:
        return [
            Asked(tuple(names), frozenset(asking), frozenset(called),
                  tuple((name, line) for name, line in loose),
                  tuple(Returned(*x) for x in given), frozenset(keywords),
                  tuple(Passed(*x) for x in passed), frozenset(looked),
                  tuple(Lent(*x) for x in lent))
            for names, asking, called, loose, given, keywords, passed, looked, lent in rows
        ]  # fmt: skip

    found = Mentions(telling=mentions(plain["telling"]), imported=plain["imported"],
                     parsed=plain["parsed"])  # fmt: skip
    found.calls.update(((owner, method), set(words)) for owner, method, words in plain["calls"])
    for fields, decoded in (
        (FOUND, mentions), (GIVEN, givens), (ASKED, asked), (("read",), read), (("of",), ofs),
    ):  # fmt: skip
        for name in fields:
            setattr(found, name, _Later(plain[name], decoded))
    return found


class _Later(dict[str, Any]):
    """Rows by word, decoded when they are asked for: of most words nobody asks."""

    def __init__(self, rows: dict[str, Any], decoded: Callable[[Any], Any]) -> None:
        super().__init__(rows)
        self._decoded = decoded
        self._rows = set(rows)

    def __getitem__(self, word: str) -> Any:
        if word in self._rows:
            self._rows.discard(word)
            self[word] = self._decoded(super().__getitem__(word))
        return super().__getitem__(word)

    def get(self, word: str, default: Any = None) -> Any:
        if word not in self:
            return default
        return self[word]

    def items(self) -> Any:
        return self._whole().items()

    def values(self) -> Any:
        return self._whole().values()

    def __eq__(self, other: object) -> bool:
        return self._whole() == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def _whole(self) -> dict[str, Any]:
        return {word: self[word] for word in self}


__all__ = ["KIND", "decode", "encode", "load_mentions"]
