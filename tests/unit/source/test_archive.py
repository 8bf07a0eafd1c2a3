from pathlib import Path

import pytest

from mlapath.base.errors import TreeError
from mlapath.cache import CacheDir
from mlapath.source import open_tree
from support.wheels import SOURCE, make_sdist, make_tar, make_wheel


def test_wheel(tmp_path: Path, cache: CacheDir) -> None:
    path = make_wheel(tmp_path / "vllm-1.2.3-cp38-abi3-manylinux_2_28_x86_64.whl")
    tree = open_tree(str(path), cache=cache)
    assert (tree.version, tree.origin, tree.archive) == ("1.2.3", "archive", path.name)
    assert tree.extensions == ("vllm._C", "vllm.sub._D")
    assert tree.modified == ()
    assert tree.notes == ()
    assert tree.root.is_relative_to(cache.root)
    assert not (tree.root / "vllm/_C.abi3.so").exists()


def test_renamed_wheel_tells_its_version_by_metadata(tmp_path: Path, cache: CacheDir) -> None:
    assert open_tree(make_wheel(tmp_path / "mine.whl"), cache=cache).version == "1.2.3"


def test_sdist(tmp_path: Path, cache: CacheDir) -> None:
    tree = open_tree(make_sdist(tmp_path / "vllm-1.2.3.tar.gz"), cache=cache)
    assert tree.version == "1.2.3"
    assert tree.requires == ("transformers>=4,<5",)
    assert tree.extensions == ()
    assert not tree.built
    assert "sdist" in tree.notes[0]


def test_content_counts_not_the_name(tmp_path: Path, cache: CacheDir) -> None:
    path = make_wheel(tmp_path / "a.whl")
    first = open_tree(path, cache=cache)
    assert open_tree(path, cache=cache).root == first.root
    changed = {**SOURCE, "vllm/config/model.py": b"class M:\n    x = 2\n"}
    make_wheel(path, changed)
    second = open_tree(path, cache=cache)
    assert second.root != first.root
    assert second.read("vllm/config/model.py") == "class M:\n    x = 2\n"


@pytest.mark.parametrize("name", ["a.whl", "a.tar.gz", "a.tgz"])
def test_archive_of_something_else(tmp_path: Path, cache: CacheDir, name: str) -> None:
    path = tmp_path / name
    if name.endswith(".whl"):
        make_wheel(path, {"other/__init__.py": b""}, package="other")
    else:
        make_tar(path, {"other-1/other/__init__.py": b""})
    with pytest.raises(TreeError, match=f"{name} holds no vllm package"):
        open_tree(path, cache=cache)
    assert cache.keys("archives") == ()


def test_other_file(tmp_path: Path, cache: CacheDir) -> None:
    path = tmp_path / "a.txt"
    path.write_text("x")
    with pytest.raises(TreeError, match=r"neither a folder nor a \.whl or \.tar\.gz"):
        open_tree(path, cache=cache)


def test_damaged_archive(tmp_path: Path, cache: CacheDir) -> None:
    path = make_wheel(tmp_path / "a.whl")
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(TreeError, match=r"a\.whl is broken") as caught:
        open_tree(path, cache=cache)
    assert "\n" not in str(caught.value)
