from pathlib import Path

import pytest

from mlapath.base.errors import TreeError
from mlapath.source.files import FileSet
from support.wheels import lay_out


@pytest.fixture
def tree(tmp_path: Path) -> FileSet:
    lay_out(
        tmp_path,
        {
            "vllm/__init__.py": "",
            "vllm/both.py": "module",
            "vllm/both/__init__.py": "package",
            "vllm/bare/inner.py": "",
            "vllm/one.py": "",
            "vllm/__pycache__/one.pyc": "",
            "vllm/latin.py": "# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"),
            "vllm/bom.py": b"\xef\xbb\xbfx = 1\r\n",
            "vllm/bad.py": b"x = '\xff'\n",
            "vllm/odd.py": b"# coding: no-such-codec\n",
            "other/x.py": "",
        },
    )
    return FileSet("vllm", tmp_path, None)


@pytest.mark.parametrize(
    ("module", "path", "package"),
    [
        ("vllm", "vllm/__init__.py", True),
        ("vllm.both", "vllm/both/__init__.py", True),
        ("vllm.one", "vllm/one.py", False),
        ("vllm.bare", None, True),
        ("vllm.bare.inner", "vllm/bare/inner.py", False),
        ("vllm.none", None, False),
        ("", None, True),
        ("other.x", "other/x.py", False),
    ],
)
def test_find_module(tree: FileSet, module: str, path: str | None, package: bool) -> None:
    assert tree.find_module(module) == path
    assert tree.is_package(module) is package


def test_decoding_follows_python(tree: FileSet) -> None:
    assert "é" in tree.read("vllm/latin.py")
    assert tree.read("vllm/bom.py") == "x = 1\r\n"


@pytest.mark.parametrize("name", ["bad", "odd"])
def test_undecodable_is_one_line(tree: FileSet, name: str) -> None:
    with pytest.raises(TreeError, match=f"cannot decode vllm/{name}.py"):
        tree.read(f"vllm/{name}.py")


def test_unreadable_is_one_line(tree: FileSet) -> None:
    with pytest.raises(TreeError, match=r"cannot read vllm/gone\.py"):
        tree.read("vllm/gone.py")


def test_files_that_are_listed_and_gone_are_named(tree: FileSet) -> None:
    assert tree.unreadable == ()
    listed = FileSet(tree.package, tree.root, (*tree.files, "vllm/lost.py", "vllm/lost.so"))
    assert listed.unreadable == ("vllm/lost.py",)


def test_files_of_the_package_without_caches(tree: FileSet) -> None:
    assert "vllm/one.py" in tree.files
    assert list(tree.files) == sorted(tree.files)
    assert not [name for name in tree.files if "pycache" in name or name.startswith("other")]


def test_listed_files_exist_though_not_kept(tmp_path: Path) -> None:
    lay_out(tmp_path, {"vllm/__init__.py": ""})
    tree = FileSet("vllm", tmp_path, ("vllm/__init__.py", "vllm/sub/_C.abi3.so"))
    assert tree.exists("vllm/sub/_C.abi3.so")
    assert tree.exists("vllm/sub")
    assert tree.exists("vllm/sub/")
    assert tree.exists("vllm")
    assert not tree.exists("vllm/su")
    assert tree.files == ("vllm/__init__.py", "vllm/sub/_C.abi3.so")
