"""Whole fetches from a local index: by ranges, whole, by sdist; twice, at once, offline."""

import subprocess
import sys
from pathlib import Path

import pytest

from mlapath.base.errors import NetworkError, TreeError
from mlapath.cache import CacheDir
from mlapath.source import IndexSettings, list_releases, open_companion, open_tree
from mlapath.source.manifest import FILE_NAME, Manifest
from support.indexserver import Index
from support.wheels import SOURCE, make_sdist, make_wheel

WHEEL = "vllm-1.2.3-cp38-abi3-manylinux_2_28_x86_64.whl"


def test_by_ranges(index: Index, settings: IndexSettings, cache: CacheDir) -> None:
    big = {"vllm/big.abi3.so": bytes(range(256)) * 10_000, **SOURCE}
    make_wheel(index.folder / WHEEL, big)
    told: list[int] = []
    tree = open_tree(
        "1.2.3",
        cache=cache,
        settings=settings,
        progress=lambda what, done, total: told.append(done),
    )
    assert (tree.version, tree.origin, tree.archive) == ("1.2.3", "index", WHEEL)
    assert all(value and value.startswith("bytes=") for value in index.fetched())
    assert tree.extensions == ("vllm._C", "vllm.big", "vllm.sub._D")
    assert tree.requires == ("transformers>=4,<5",)
    assert [(point.group, point.name, point.value) for point in tree.plugins] == [
        ("vllm.general_plugins", "mine", "a.b:C")
    ]
    assert tree.read("vllm/config/model.py") == SOURCE["vllm/config/model.py"].decode()
    assert tree.exists("vllm/_C.abi3.so")
    assert not (tree.root / "vllm" / "_C.abi3.so").exists()
    assert set(big) < set(tree.files)
    assert tree.modified == ()
    assert tree.notes == ()
    assert tree.built
    assert not Manifest.read(tree.root).whole
    assert told


@pytest.mark.parametrize("manner", ["whole", "no-suffix", "other"])
def test_every_manner_gives_the_same_tree(
    index: Index, settings: IndexSettings, cache: CacheDir, tmp_path: Path, manner: str
) -> None:
    expected = open_tree("1.2.3", cache=CacheDir(tmp_path / "other"), settings=settings)
    index.manner = manner
    tree = open_tree("1.2.3", cache=cache, settings=settings)
    assert tree.digest == expected.digest
    assert tree.files == expected.files
    assert Manifest.read(tree.root).whole == (manner != "no-suffix")


def test_whole_file_is_held_against_the_index(
    index: Index, settings: IndexSettings, cache: CacheDir
) -> None:
    index.manner = "whole"
    index.sha256[WHEEL] = "0" * 64
    with pytest.raises(TreeError, match="does not match the sha256 of the index"):
        open_tree("1.2.3", cache=cache, settings=settings)
    assert cache.keys("trees") == ()


@pytest.mark.parametrize("manner", ["ranges", "whole"])
def test_wrong_size_is_refused(
    index: Index, settings: IndexSettings, cache: CacheDir, manner: str
) -> None:
    index.manner = manner
    index.sizes[WHEEL] = 1000
    with pytest.raises(TreeError):
        open_tree("1.2.3", cache=cache, settings=settings)


def test_second_time_asks_nobody(index: Index, settings: IndexSettings, cache: CacheDir) -> None:
    first = open_tree("1.2.3", cache=cache, settings=settings)
    index.requests.clear()
    second = open_tree("1.2.3", cache=cache, settings=settings, offline=True)
    assert index.requests == []
    assert second.root == first.root
    assert second.digest == first.digest


def test_sdist_is_the_last_resort_and_says_so(
    index: Index, settings: IndexSettings, cache: CacheDir
) -> None:
    make_sdist(index.folder / "vllm-1.2.3.tar.gz")
    tree = open_tree("1.2.3", cache=cache, settings=settings, platform="aarch64")
    assert tree.archive == "vllm-1.2.3.tar.gz"
    assert len(tree.notes) == 1
    assert "sdist" in tree.notes[0]
    assert not tree.built
    assert tree.requires == ("transformers>=4,<5",)
    assert open_tree("1.2.3", cache=cache, settings=settings).notes == ()


def test_offline_is_one_clear_line(cache: CacheDir, settings: IndexSettings) -> None:
    with pytest.raises(NetworkError, match=r"vllm ==1\.2\.3 is not in the cache") as caught:
        open_tree("1.2.3", cache=cache, settings=settings, offline=True)
    assert "\n" not in str(caught.value)


def test_unreachable_index_and_empty_cache(cache: CacheDir) -> None:
    nobody = IndexSettings(("http://127.0.0.1:9/simple/",), timeout=2)
    with pytest.raises(NetworkError, match="cannot be reached"):
        open_tree("1.2.3", cache=cache, settings=nobody)


def test_unreachable_index_and_a_version_cached_under_other_settings(
    settings: IndexSettings, cache: CacheDir
) -> None:
    first = open_tree("1.2.3", cache=cache, settings=settings)
    nobody = IndexSettings(("http://127.0.0.1:9/simple/",), timeout=2)
    tree = open_tree("1.2.3", cache=cache, settings=nobody)
    assert tree.root == first.root
    assert "other index settings" in tree.notes[0]
    with pytest.raises(NetworkError):
        open_tree("1.2.3", cache=cache, settings=nobody, platform="aarch64")


def test_other_index_settings_are_asked_anew(
    index: Index, settings: IndexSettings, cache: CacheDir, tmp_path: Path
) -> None:
    """A private index may hold another file of the same name."""
    first = open_tree("1.2.3", cache=cache, settings=settings)
    folder = tmp_path / "private"
    folder.mkdir()
    make_wheel(folder / WHEEL, {"vllm/__init__.py": b"# private\n"})
    private = IndexSettings((), find_links=(str(folder),))
    tree = open_tree("1.2.3", cache=cache, settings=private)
    assert tree.read("vllm/__init__.py") == "# private\n"
    assert tree.digest != first.digest


def test_broken_off_fetch_leaves_nothing_and_can_be_repeated(
    index: Index, settings: IndexSettings, cache: CacheDir
) -> None:
    make_wheel(index.folder / WHEEL, {"vllm/big.so": noise(2_000_000), **SOURCE})
    index.manner = "short"
    with pytest.raises(NetworkError):
        open_tree("1.2.3", cache=cache, settings=settings)
    assert cache.keys("trees") == ()
    assert list((cache.root / "tmp").iterdir()) == []
    index.manner = "ranges"
    assert open_tree("1.2.3", cache=cache, settings=settings).modified == ()


def noise(count: int) -> bytes:
    import random

    return random.Random(1).randbytes(count)


def test_two_processes_at_once(index: Index, settings: IndexSettings, cache: CacheDir) -> None:
    code = (
        "import sys; from pathlib import Path; from mlapath.cache import CacheDir;"
        "from mlapath.source import IndexSettings, open_tree;"
        "sys.stdin.readline();"
        "tree = open_tree('1.2.3', cache=CacheDir(Path(sys.argv[1])),"
        " settings=IndexSettings((sys.argv[2],)));"
        "print(tree.root, tree.digest, tree.modified)"
    )
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(cache.root), index.url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=worker_environment(),
        )
        for _ in range(3)
    ]
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    answers = {worker.communicate(timeout=60)[0] for worker in workers}
    assert [worker.returncode for worker in workers] == [0, 0, 0]
    (answer,) = answers
    assert answer.strip().endswith("()")
    assert len(cache.keys("trees")) == 1
    assert list((cache.root / "tmp").iterdir()) == []


def worker_environment() -> dict[str, str]:
    import os

    import mlapath

    source = str(Path(mlapath.__file__).resolve().parent.parent)
    return {**os.environ, "PYTHONPATH": source}


def test_edited_cache_is_noticed(settings: IndexSettings, cache: CacheDir) -> None:
    tree = open_tree("1.2.3", cache=cache, settings=settings)
    before = tree.digest
    (tree.root / "vllm" / "config" / "model.py").write_text("class M: x = 2\n")
    (tree.root / "vllm" / "__init__.py").unlink()
    again = open_tree("1.2.3", cache=cache, settings=settings)
    assert again.modified == ("vllm/__init__.py", "vllm/config/model.py")
    assert again.digest != before


def test_damaged_manifest_is_one_clear_line(settings: IndexSettings, cache: CacheDir) -> None:
    tree = open_tree("1.2.3", cache=cache, settings=settings)
    (tree.root / FILE_NAME).write_text("{")
    with pytest.raises(TreeError, match="is damaged .* run `mlapath cache clear`"):
        open_tree("1.2.3", cache=cache, settings=settings)


def test_damaged_pin_is_asked_anew(settings: IndexSettings, cache: CacheDir) -> None:
    open_tree("1.2.3", cache=cache, settings=settings)
    (pin,) = cache.keys("pins")
    cache.write("pins", pin, b"[")
    assert open_tree("1.2.3", cache=cache, settings=settings).version == "1.2.3"


def test_releases(index: Index, settings: IndexSettings, cache: CacheDir) -> None:
    for version in ("1.10.0", "1.9.0", "2.0rc1"):
        (index.folder / f"vllm-{version}.tar.gz").write_bytes(b"")
    assert list_releases(cache=cache, settings=settings) == ("1.2.3", "1.9.0", "1.10.0")
    with pytest.raises(NetworkError):
        list_releases(cache=cache, settings=settings, offline=True)


TRANSFORMERS = {
    "transformers/__init__.py": b"",
    "transformers/configuration_utils.py": b"class PretrainedConfig: ...\n",
    "transformers/models/__init__.py": b"",
    "transformers/models/auto/configuration_auto.py": b"",
    "transformers/models/x/__init__.py": b"",
    "transformers/models/x/configuration_x.py": b"index_topk = 1\n",
    "transformers/models/x/modeling_x.py": b"class Model: ...\n",
    "transformers/utils/hub.py": b"",
    "transformers/data/table.json": b"{}",
}


def test_companion_of_a_tree(index: Index, settings: IndexSettings, cache: CacheDir) -> None:
    for version in ("3.9", "4.1", "4.2", "4.3rc1", "5.0"):
        make_wheel(
            index.folder / f"transformers-{version}-py3-none-any.whl",
            TRANSFORMERS,
            version=version,
            package="transformers",
        )
    tree = open_tree("1.2.3", cache=cache, settings=settings)
    companion = open_companion("transformers", tree, cache=cache, settings=settings)
    assert companion is not None
    assert (companion.name, companion.version) == ("transformers", "4.2")
    found = companion.find_module("transformers.models.x.configuration_x")
    assert found == "transformers/models/x/configuration_x.py"
    assert companion.read(found) == "index_topk = 1\n"
    assert companion.find_module("transformers.models.x.modeling_x") is None
    assert companion.exists("transformers/models/x/modeling_x.py")
    index.requests.clear()
    again = open_companion("transformers", tree, cache=cache, settings=settings, offline=True)
    assert again is not None
    assert again.root == companion.root
    older = open_companion("transformers", "3.9", cache=cache, settings=settings)
    assert older is not None
    assert older.version == "3.9"
    newer = open_companion("transformers", ">4.2", cache=cache, settings=settings)
    lower = open_companion("transformers", "<4.2", cache=cache, settings=settings)
    assert newer is not None
    assert lower is not None
    assert (newer.version, lower.version) == ("5.0", "4.1")


def test_companion_that_nothing_requires(settings: IndexSettings, cache: CacheDir) -> None:
    tree = open_tree("1.2.3", cache=cache, settings=settings)
    assert open_companion("numpy", tree, cache=cache, settings=settings) is None


def test_companion_of_a_bad_requirement(settings: IndexSettings, cache: CacheDir) -> None:
    with pytest.raises(TreeError, match="not a version or requirement: '@@'"):
        open_companion("transformers", "@@", cache=cache, settings=settings)
