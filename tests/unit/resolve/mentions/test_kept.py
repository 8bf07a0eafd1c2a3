import ast
import inspect
import json
import typing

import pytest

from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.resolve.mentions import Mentions, mentions_of
from mlapath.resolve.mentions import kept as kept_mentions
from mlapath.resolve.mentions.kept import KIND, decode, encode, load_mentions

SOURCE = """
from elsewhere import Named
class Base:
    def __init_subclass__(cls, **more):
        register(cls, *more, key=Handler)
    @wrapped
    def run(self, x, *, y=default):
        def inner():
            return isinstance(x, Asked)
        table.append(inner)
        if self.other.attr:
            return self.go(Kept.made, "a.b.c")
        TABLE[x]()
        held = self.lent
        looks(held)
        return super().run(given(Argument, name=Named))
    def later(self):
        yield lambda: late()
        yield from self.later()
def only_asks(one, two):
    return isinstance(one, two)
"""


@pytest.mark.parametrize(
    "text",
    [SOURCE, "", "x = = 1\ngo()\n", "x = '\\udc80.name'\n",
     *(inspect.getsource(module) for module in (ast, inspect, json.decoder, typing))],
)  # fmt: skip
def test_what_is_read_back_is_what_was_found(text: str):
    found = mentions_of(text)
    assert decode(encode(found)) == found


def test_every_field_is_kept():
    filled = decode(encode(mentions_of(SOURCE)))
    for name in Mentions.__dataclass_fields__:
        assert getattr(filled, name), name


def test_a_text_is_looked_through_once(tmp_path, monkeypatch):
    store = BlobStore(CacheDir(tmp_path), KIND)
    first = load_mentions(SOURCE, store)
    monkeypatch.setattr(kept_mentions, "mentions_of", None)
    assert load_mentions(SOURCE, store) == first
    with pytest.raises(TypeError):
        load_mentions(SOURCE + "\n", store)


def test_a_damaged_entry_is_looked_for_again(tmp_path, caplog):
    store = BlobStore(CacheDir(tmp_path), KIND)
    first = load_mentions(SOURCE, store)
    (entry,) = (tmp_path / KIND).rglob("*")
    entry.write_bytes(entry.read_bytes()[:-1])
    assert load_mentions(SOURCE, store) == first
    assert "is damaged" in caplog.text


def test_without_a_cache_nothing_is_kept():
    assert load_mentions(SOURCE, None) == mentions_of(SOURCE)
