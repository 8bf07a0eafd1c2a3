"""Modules come from the store where it has them, and the store never makes them differ."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.ir import load, lower
from mlapath.ir.errors import ParseError
from mlapath.ir.load import KIND, cache_key, load_module
from mlapath.ir.lower import lower_module

TEXT = "def f(x):\n    return f'{x}' + 'é'\n"


@pytest.fixture
def store(tmp_path: Path) -> BlobStore:
    return BlobStore(CacheDir(tmp_path / "cache"), KIND)


@pytest.fixture
def no_lowering(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(text: str, path: str) -> None:
        raise AssertionError("lowered again")

    monkeypatch.setattr(lower, "lower_module", never)


def test_without_a_store() -> None:
    assert load_module(TEXT, "a.py", None) == lower_module(TEXT, "a.py")


def test_second_load_does_not_lower(store: BlobStore, request: pytest.FixtureRequest) -> None:
    first = load_module(TEXT, "a.py", store)
    request.getfixturevalue("no_lowering")
    assert load_module(TEXT, "a.py", store) == first


def test_same_text_elsewhere_keeps_its_own_path(
    store: BlobStore, request: pytest.FixtureRequest
) -> None:
    first = load_module("", "a/__init__.py", store)
    request.getfixturevalue("no_lowering")
    assert load_module("", "b/__init__.py", store) == first._replace(path="b/__init__.py")


def test_other_text_is_another_entry(store: BlobStore) -> None:
    load_module("x = 1\n", "a.py", store)
    assert load_module("x = 2\n", "a.py", store) == lower_module("x = 2\n", "a.py")


def test_damaged_entry_is_made_anew(store: BlobStore, request: pytest.FixtureRequest) -> None:
    store.put(cache_key(TEXT), b"not IR")
    expected = lower_module(TEXT, "a.py")
    assert load_module(TEXT, "a.py", store) == expected
    request.getfixturevalue("no_lowering")
    assert load_module(TEXT, "a.py", store) == expected


def test_parse_errors_are_not_stored(store: BlobStore) -> None:
    for path in ("a.py", "b.py"):
        with pytest.raises(ParseError, match=path):
            load_module("x = = 1\n", path, store)
    assert store.get(cache_key("x = = 1\n")) is None


def test_what_cannot_be_stored_is_still_loaded(
    store: BlobStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_deep(module: object) -> bytes:
        raise load.CodecError("too deep")

    monkeypatch.setattr(load, "encode", too_deep)
    assert load_module(TEXT, "a.py", store) == lower_module(TEXT, "a.py")
    assert store.get(cache_key(TEXT)) is None


def test_key_depends_on_the_format(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache_key(TEXT)
    monkeypatch.setattr(load, "FORMAT", "other")
    assert cache_key(TEXT) != before
    cache_key("\ud800")  # as a file decoded with surrogateescape may have


def test_a_warm_load_imports_no_libcst(store: BlobStore) -> None:
    load_module(TEXT, "a.py", store)
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from mlapath.cache import CacheDir\n"
        "from mlapath.cache.store import BlobStore\n"
        "from mlapath.ir.load import KIND, load_module\n"
        f"store = BlobStore(CacheDir(Path({str(store.cache.root)!r})), KIND)\n"
        f"print(load_module({TEXT!r}, 'a.py', store).path, 'libcst' in sys.modules)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["a.py", "False"]
