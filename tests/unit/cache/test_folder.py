import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mlapath.base.errors import TreeError
from mlapath.cache import CacheDir


def fill(folder: Path) -> None:
    (folder / "a").write_text("1")


def test_publish_builds_once(tmp_path: Path) -> None:
    cache = CacheDir(tmp_path)
    assert cache.find("trees", "x") is None
    place = cache.publish("trees", "x", fill)
    assert (place / "a").read_text() == "1"

    def never(folder: Path) -> None:
        raise AssertionError("built twice")

    assert cache.publish("trees", "x", never) == place == cache.find("trees", "x")


def test_failed_build_leaves_nothing(tmp_path: Path) -> None:
    cache = CacheDir(tmp_path)

    def fail(folder: Path) -> None:
        fill(folder)
        raise TreeError("no")

    with pytest.raises(TreeError, match="^no$"):
        cache.publish("trees", "x", fail)
    assert cache.find("trees", "x") is None
    assert list((tmp_path / "tmp").iterdir()) == []


def test_the_first_to_publish_wins(tmp_path: Path) -> None:
    cache = CacheDir(tmp_path)

    def slow(folder: Path) -> None:
        (folder / "a").write_text("mine")
        cache.publish("trees", "x", fill)

    place = cache.publish("trees", "x", slow)
    assert (place / "a").read_text() == "1"
    assert list((tmp_path / "tmp").iterdir()) == []


def test_small_files_are_replaced(tmp_path: Path) -> None:
    cache = CacheDir(tmp_path)
    assert cache.read("pins", "k") is None
    cache.write("pins", "k", b"1")
    cache.write("pins", "k", b"2")
    assert cache.read("pins", "k") == b"2"
    assert cache.keys("pins") == ("k",)
    assert cache.keys("nothing") == ()


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", ".hidden", "x" * 300])
def test_names_cannot_leave_the_cache(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="cache name"):
        CacheDir(tmp_path).read("pins", name)


def test_usage_and_clear(tmp_path: Path) -> None:
    cache = CacheDir(tmp_path)
    cache.publish("trees", "x", fill)
    cache.write("pins", "k", b"12345")
    sizes = {usage.kind: (usage.entries, usage.size) for usage in cache.usage()}
    assert sizes["trees"] == (1, 1)
    assert sizes["pins"] == (1, 5)
    assert cache.clear("pins") == 5
    assert cache.find("trees", "x") is not None
    assert cache.clear() == 1
    assert cache.usage() == ()


def test_stale_scratch_goes_and_fresh_scratch_stays(tmp_path: Path) -> None:
    cache = CacheDir(tmp_path)
    old, new = tmp_path / "tmp" / "old", tmp_path / "tmp" / "new"
    old.mkdir(parents=True)
    new.mkdir()
    long_ago = time.time() - 2 * 24 * 3600
    os.utime(old, (long_ago, long_ago))
    cache.write("pins", "k", b"")
    assert not old.exists()
    assert new.exists()


@pytest.mark.skipif(os.name == "nt", reason="processes cannot be asked for there")
def test_what_a_killed_process_left_goes_at_once(tmp_path: Path) -> None:
    code = (
        "import os, sys, pathlib; from mlapath.cache import CacheDir\n"
        "def build(folder): (folder / 'half').write_text(''); os.kill(os.getpid(), 9)\n"
        "CacheDir(pathlib.Path(sys.argv[1])).publish('trees', 'x', build)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False).returncode
    (left,) = (tmp_path / "tmp").iterdir()
    other = left.with_name(f"elsewhere-{left.name.partition('-')[2]}")
    other.mkdir()  # of a machine that shares the folder: it may be at work
    CacheDir(tmp_path).write("pins", "k", b"")
    assert list((tmp_path / "tmp").iterdir()) == [other]
    assert CacheDir(tmp_path).find("trees", "x") is None


def test_unwritable_cache_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TreeError, match="MLAPATH_CACHE_DIR"):
        CacheDir(tmp_path / "file").write("pins", "k", b"")


def test_default_place(tmp_path: Path) -> None:
    assert CacheDir.default({"MLAPATH_CACHE_DIR": str(tmp_path)}) == CacheDir(tmp_path)
    assert CacheDir.default({}).root.is_absolute()
    assert "mlapath" in str(CacheDir.default({}).root)


def test_a_kind_that_is_too_large_loses_what_was_written_first(tmp_path: Path) -> None:
    cache = CacheDir(tmp_path)
    for number in range(10):
        cache.write("ir", f"k{number}", b"x" * 100)
        os.utime(tmp_path / "ir" / f"k{number}", ns=(number, number))
    cache.write("pins", "k", b"x" * 5000)
    cache.trim({"ir": 1000, "nothing": 1})
    assert len(cache.keys("ir")) == 10
    cache.trim({"ir": 900})
    assert cache.keys("ir") == tuple(f"k{number}" for number in range(2, 10))
    assert cache.keys("pins") == ("k",)


def test_a_task_is_due_once_in_a_while(tmp_path: Path) -> None:
    cache = CacheDir(tmp_path)
    assert cache.is_due("trimmed", 600)
    assert not CacheDir(tmp_path).is_due("trimmed", 600)
    os.utime(tmp_path / "trimmed", (0, 0))
    assert cache.is_due("trimmed", 600)
    os.utime(tmp_path / "trimmed", (2**33, 2**33))  # the clock was turned back
    assert cache.is_due("trimmed", 600)
    assert CacheDir(tmp_path / "nowhere").is_due("trimmed", 600)
    assert [usage.kind for usage in cache.usage()] == []
