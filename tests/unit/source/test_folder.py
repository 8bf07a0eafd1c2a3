import shutil
from pathlib import Path

import pytest

from mlapath.base.errors import TreeError
from mlapath.cache import CacheDir
from mlapath.source import IndexSettings, SourceTree, open_companion, open_tree
from support.wheels import lay_out, metadata, record_line

INIT = {"vllm/__init__.py": "", "vllm/config/model.py": "x = 1\n"}


def site(folder: Path) -> Path:
    record = "".join(record_line(name, text.encode()) for name, text in INIT.items())
    return lay_out(
        folder,
        {
            **INIT,
            "vllm/_C.abi3.so": "",
            "vllm-1.0.dist-info/METADATA": metadata("1.0"),
            "vllm-1.0.dist-info/RECORD": record + "vllm/_C.abi3.so,,\n",
            "torch-2.9.dist-info/METADATA": "",
            "transformers-4.5.dist-info/METADATA": "",
            "transformers/__init__.py": "",
            "plug-1.dist-info/entry_points.txt": "[vllm.general_plugins]\np = q:r\n",
        },
    )


def opened(path: Path | str, cache: CacheDir) -> SourceTree:
    return open_tree(path, cache=cache)


def test_site_packages(tmp_path: Path, cache: CacheDir) -> None:
    root = site(tmp_path / "site-packages")
    tree = opened(str(root), cache)
    assert (tree.version, tree.origin, tree.root) == ("1.0", "directory", root)
    assert tree.extensions == ("vllm._C",)
    assert tree.requires == ("transformers>=4,<5",)
    assert tree.distributions == {
        "vllm": "1.0",
        "torch": "2.9",
        "transformers": "4.5",
        "plug": "1",
    }
    assert [point.distribution for point in tree.plugins] == ["plug"]
    assert tree.modified == ()
    assert tree.built
    companion = open_companion("transformers", tree, cache=cache, offline=True)
    assert companion is not None
    assert (companion.version, companion.root) == ("4.5", root)
    assert open_companion("absent", tree, cache=cache, offline=True) is None


@pytest.mark.parametrize(
    "below", ["vllm", "../..", "../../..", "."], ids=["package", "lib", "venv", "site"]
)
def test_every_folder_of_an_environment(tmp_path: Path, cache: CacheDir, below: str) -> None:
    root = site(tmp_path / "venv" / "lib" / "python3.12" / "site-packages")
    if below == "../..":
        with pytest.raises(TreeError, match="holds no vllm package"):
            opened((root / below).resolve(), cache)
        return
    tree = opened((root / below).resolve(), cache)
    assert (tree.root, tree.version) == (root, "1.0")
    assert tree.distributions is not None


def test_modified_files(tmp_path: Path, cache: CacheDir) -> None:
    root = site(tmp_path / "site-packages")
    clean = opened(root, cache).digest
    (root / "vllm/config/model.py").write_text("x = 2\n")
    (root / "vllm/new.py").write_text("")
    (root / "vllm/__pycache__").mkdir()
    (root / "vllm/__pycache__/new.py").write_text("")
    tree = opened(root, cache)
    assert tree.modified == ("vllm/config/model.py", "vllm/new.py")
    assert tree.digest != clean


@pytest.mark.parametrize("change", ["add", "remove", "edit", "extension", "rename"])
def test_digest_tells_every_change(tmp_path: Path, cache: CacheDir, change: str) -> None:
    root = lay_out(tmp_path / "tree", INIT)
    before = opened(root, cache).digest
    assert opened(root, cache).digest == before
    model = root / "vllm/config/model.py"
    if change == "add":
        (root / "vllm/new.py").write_text("")
    elif change == "remove":
        model.unlink()
    elif change == "edit":
        model.write_text("x = 2\n")
    elif change == "extension":
        (root / "vllm/_C.abi3.so").write_text("")
    else:
        model.rename(root / "vllm/config/other.py")
    assert opened(root, cache).digest != before


def test_digest_does_not_depend_on_the_place(tmp_path: Path, cache: CacheDir) -> None:
    one, two = lay_out(tmp_path / "one", INIT), lay_out(tmp_path / "two", INIT)
    assert opened(one, cache).digest == opened(two, cache).digest


def test_checkout(tmp_path: Path, cache: CacheDir) -> None:
    root = lay_out(
        tmp_path / "vllm",
        {
            **INIT,
            "vllm/_version.py": "__version__ = '0.9'\n",
            "requirements/cuda.txt": "transformers>=4\n",
        },
    )
    tree = opened(root, cache)
    assert (tree.root, tree.version) == (root, "0.9")
    assert tree.distributions is None
    assert tree.requires == ("transformers>=4",)
    assert tree.dist_info is None
    assert tree.modified == ()
    assert not tree.built


def test_checkout_without_a_version_says_so(tmp_path: Path, cache: CacheDir) -> None:
    tree = opened(lay_out(tmp_path / "src", INIT), cache)
    assert tree.version is None
    assert tree.notes == ("the tree does not tell its version",)


def test_checkout_with_egg_info(tmp_path: Path, cache: CacheDir) -> None:
    files = {**INIT, "vllm.egg-info/PKG-INFO": metadata("0.9")}
    tree = opened(lay_out(tmp_path / "src", files), cache)
    assert (tree.version, tree.distributions) == ("0.9", None)


def test_unpacked_sdist_and_the_folder_around_it(tmp_path: Path, cache: CacheDir) -> None:
    root = lay_out(tmp_path / "vllm-1.0", {**INIT, "PKG-INFO": metadata("1.0")})
    for path in (root, tmp_path):
        tree = opened(path, cache)
        assert (tree.root, tree.version) == (root, "1.0")
        assert tree.requires == ("transformers>=4,<5",)


def test_editable_finder_of_a_site_packages(tmp_path: Path, cache: CacheDir) -> None:
    source = lay_out(tmp_path / "src", INIT)
    mapping = {"vllm": str(source / "vllm")}
    venv = tmp_path / "venv"
    folder = lay_out(
        venv / "lib" / "python3.12" / "site-packages",
        {
            "__editable___vllm_1_0_finder.py": f"MAPPING = {mapping!r}\n",
            "vllm-1.0.dist-info/METADATA": metadata("1.0"),
            "torch-2.9.dist-info/METADATA": "",
        },
    )
    for path in (folder, venv):
        tree = opened(path, cache)
        assert (tree.root, tree.version) == (source, "1.0")
        assert tree.distributions == {"vllm": "1.0", "torch": "2.9"}
        assert tree.dist_info is None


def test_copy_of_a_cached_tree_still_knows_its_wheel(
    tmp_path: Path, cache: CacheDir, settings: IndexSettings
) -> None:
    fetched = open_tree("1.2.3", cache=cache, settings=settings)
    copy = tmp_path / "copy"
    shutil.copytree(fetched.root, copy)
    tree = opened(copy, cache)
    assert (tree.origin, tree.version) == ("directory", "1.2.3")
    assert tree.extensions == fetched.extensions
    assert (tree.digest, tree.modified) == (fetched.digest, ())
    (copy / "vllm/new.py").write_text("")
    (copy / "vllm/config/model.py").unlink()
    edited = opened(copy, cache)
    assert edited.modified == ("vllm/config/model.py", "vllm/new.py")
    assert "vllm/new.py" in edited.files
    assert "vllm/config/model.py" not in edited.files
    assert not edited.exists("vllm/config/model.py")
    assert edited.digest != fetched.digest


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "is empty; give site-packages"),
        ({"a.py": ""}, "holds no vllm package; give"),
        ({"__init__.py": "", "engine/x.py": ""}, "must be named vllm"),
        ({"vllm/readme": ""}, "holds no vllm package"),
    ],
)
def test_wrong_folders_are_one_clear_line(
    tmp_path: Path, cache: CacheDir, files: dict[str, str], words: str
) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    with pytest.raises(TreeError, match=words) as caught:
        opened(lay_out(folder, files), cache)
    assert "\n" not in str(caught.value)
    assert str(folder) in str(caught.value)


def test_empty_name(cache: CacheDir) -> None:
    with pytest.raises(TreeError, match="--vllm is empty"):
        opened("", cache)


@pytest.mark.parametrize("spec", ["no/such", "latest", "0.16.x"])
def test_neither_version_nor_path(cache: CacheDir, spec: str) -> None:
    with pytest.raises(TreeError, match="neither a version"):
        opened(spec, cache)
