"""What flags mean is read once, and then kept for the tree."""

from dataclasses import replace

import pytest

from mlapath.app import flags as flags_module
from mlapath.app.analyze import read_tree
from mlapath.app.flags import KIND, Flags
from mlapath.base.errors import UsageError
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from support.eras import era_tree

WORDS = ("--tensor-parallel-size", "2", "--kv-cache-dtype=fp8", "--enforce-eager")


@pytest.fixture
def tree():
    return era_tree("0.16")


def flags_of(tree, store):
    return Flags(tree, read_tree(tree, None).program, store)


def test_it_is_the_same_from_the_cache(tree, tmp_path, monkeypatch):
    store = BlobStore(CacheDir(tmp_path), KIND)
    plain = flags_of(tree, None).parse(WORDS)
    assert flags_of(tree, store).parse(WORDS) == plain
    monkeypatch.setattr(flags_module, "read_flag_table", None)
    assert flags_of(tree, store).parse(WORDS) == plain


def test_other_words_and_another_tree_are_other_entries(tree, tmp_path):
    store = BlobStore(CacheDir(tmp_path), KIND)
    flags_of(tree, store).parse(WORDS)
    assert dict(flags_of(tree, store).parse(()).engine) == {}
    flags_of(replace(tree, version="0.0.1"), store).parse(WORDS)
    assert len(CacheDir(tmp_path).keys(KIND)) == 3


def test_a_flag_that_names_a_file_is_read_each_time(tree, tmp_path, monkeypatch):
    store = BlobStore(CacheDir(tmp_path / "cache"), KIND)
    (tmp_path / "2").touch()
    monkeypatch.chdir(tmp_path)
    flags_of(tree, store).parse(WORDS)
    assert CacheDir(tmp_path / "cache").keys(KIND) == ()


def test_what_the_tree_does_not_take_is_not_kept(tree, tmp_path):
    store = BlobStore(CacheDir(tmp_path), KIND)
    for _ in range(2):
        with pytest.raises(UsageError, match="no engine flag"):
            flags_of(tree, store).parse(("--no-such-flag",))
    assert CacheDir(tmp_path).keys(KIND) == ()
