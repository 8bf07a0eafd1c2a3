"""The store gives back what was put, or nothing; several processes may use it at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore


@pytest.fixture
def store(tmp_path: Path) -> BlobStore:
    return BlobStore(CacheDir(tmp_path / "cache"), "things")


def entry(store: BlobStore, key: str) -> Path:
    return store.cache.root / store.kind / key


@pytest.mark.parametrize("data", [b"", b"x", bytes(range(256)) * 999])
def test_gives_back_what_was_put(store: BlobStore, data: bytes) -> None:
    assert store.put("k", data)
    assert store.get("k") == data


def test_absent(store: BlobStore) -> None:
    assert store.get("k") is None


def test_later_put_replaces(store: BlobStore) -> None:
    store.put("k", b"old")
    store.put("k", b"new")
    assert store.get("k") == b"new"


def test_kinds_are_apart(store: BlobStore) -> None:
    store.put("k", b"x")
    assert BlobStore(store.cache, "others").get("k") is None


def test_any_damage_is_a_miss(store: BlobStore) -> None:
    store.put("k", b"data")
    path = entry(store, "k")
    good = path.read_bytes()
    for index in range(len(good)):
        path.write_bytes(good[:index] + bytes([good[index] ^ 1]) + good[index + 1 :])
        assert store.get("k") is None
        path.write_bytes(good[:index])
        assert store.get("k") is None
    path.write_bytes(good)
    assert store.get("k") == b"data"


def test_damage_is_logged_in_one_line(store: BlobStore, caplog: pytest.LogCaptureFixture) -> None:
    store.put("k", b"data")
    entry(store, "k").write_bytes(b"other")
    store.get("k")
    store.get("absent")
    assert [record.getMessage() for record in caplog.records] == [
        "mlapath: the cache entry things/k is damaged and made anew"
    ]


def test_entry_under_anothers_name_is_a_miss(store: BlobStore) -> None:
    store.put("k", b"data")
    entry(store, "k").rename(entry(store, "l"))
    assert store.get("l") is None


def test_unreadable_is_a_miss(store: BlobStore) -> None:
    entry(store, "k").mkdir(parents=True)
    assert store.get("k") is None


def test_cache_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"a file where the folder should be")
    store = BlobStore(CacheDir(tmp_path / "cache"), "things")
    assert not store.put("k", b"data")
    assert store.get("k") is None


WRITER = """
import sys
from pathlib import Path
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
store = BlobStore(CacheDir(Path(sys.argv[1])), "things")
mine = sys.argv[2].encode() * 100_000
for _ in range(60):
    store.put("k", mine)
    seen = store.get("k")
    if seen is not None and (len(seen) != 100_000 or len(set(seen)) != 1):
        sys.exit("torn")
    if seen is None and sys.platform != "win32":
        sys.exit("lost")
"""


def test_processes_at_once_never_see_a_torn_entry(store: BlobStore) -> None:
    root = str(store.cache.root)
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, root, letter], stderr=subprocess.PIPE)
        for letter in "abcd"
    ]
    errors = [process.communicate(timeout=60)[1].decode() for process in running]
    assert errors == [""] * 4
    assert [process.returncode for process in running] == [0] * 4
    assert store.get("k") in {letter.encode() * 100_000 for letter in "abcd"}
