"""Environments laid out on disk, asked through a stand-in for their interpreter."""

import json
import os
import sys
from pathlib import Path

import pytest

from mlapath.base.errors import TreeError
from mlapath.cache import CacheDir
from mlapath.source import open_companion, open_tree
from mlapath.source.installed import installed_tree
from mlapath.source.probe import candidates, probe
from support.wheels import lay_out, metadata

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stand-ins are shell scripts")

BOMB = "raise SystemExit('imported!')\n"


def interpreter(folder: Path, *path: Path, before: str = "") -> Path:
    """Make a `python` that is ours, without our packages, with `path` at the end of its own."""
    lines = [f"sys.path.append({str(entry)!r})" for entry in path]
    start = "\n".join(
        [
            "import sys",
            "sys.path[:] = [p for p in sys.path if 'site-packages' not in p]",
            *lines,
            before,
        ]
    )
    script = folder / "bin" / "python"
    lay_out(folder, {"start.py": start})
    program = (
        f"import runpy, sys; exec(open({str(folder / 'start.py')!r}).read()); exec(sys.argv[1])"
    )
    text = f'#!/bin/sh\nshift\nexec {sys.executable} -S -c "{program}" "$@"\n'
    lay_out(folder, {"bin/python": text})
    script.chmod(0o755)
    return script


def package(folder: Path, version: str = "1.0") -> Path:
    return lay_out(
        folder,
        {
            "vllm/__init__.py": BOMB,
            "vllm/_C.abi3.so": "",
            f"vllm-{version}.dist-info/METADATA": metadata(version),
            "torch-2.9.dist-info/METADATA": "",
        },
    )


def test_found_without_importing(tmp_path: Path, cache: CacheDir) -> None:
    site = package(tmp_path / "site")
    lay_out(site, {"transformers/__init__.py": BOMB, "transformers-4.5.dist-info/METADATA": ""})
    python = interpreter(tmp_path, site)
    tree = open_tree(None, python=python, cache=cache)
    assert (tree.version, tree.origin, tree.root) == ("1.0", "installed", site)
    assert tree.shadows == ()
    assert tree.extensions == ("vllm._C",)
    assert tree.distributions == {"vllm": "1.0", "torch": "2.9", "transformers": "4.5"}
    assert tree.dist_info == site / "vllm-1.0.dist-info"
    assert tree.python is not None
    companion = open_companion("transformers", tree, cache=cache, offline=True)
    assert companion is not None
    assert companion.root == site


def test_shadow_copies(tmp_path: Path) -> None:
    first = lay_out(tmp_path / "first", {"vllm/__init__.py": ""})
    second = package(tmp_path / "second")
    tree = installed_tree(interpreter(tmp_path, first, second))
    assert tree.root == first
    assert tree.shadows == (second,)
    assert tree.version is None
    assert tree.dist_info is None
    assert any(f"ahead of the installed vllm 1.0 in {second}" in note for note in tree.notes)


def test_later_copy_is_a_shadow_only(tmp_path: Path) -> None:
    first = package(tmp_path / "first")
    second = lay_out(tmp_path / "second", {"vllm/__init__.py": ""})
    tree = installed_tree(interpreter(tmp_path, first, second))
    assert (tree.root, tree.shadows, tree.version) == (first, (second,), "1.0")
    assert tree.notes == ()


def test_folder_without_init_is_no_copy(tmp_path: Path) -> None:
    bare = lay_out(tmp_path / "bare", {"vllm/readme": ""})
    site = package(tmp_path / "site")
    tree = installed_tree(interpreter(tmp_path, bare, site))
    assert (tree.root, tree.shadows) == (site, ())


def editable(site: Path, source: Path, **files: str) -> Path:
    direct = {"url": source.as_uri(), "dir_info": {"editable": True}}
    return lay_out(
        site,
        {
            "vllm-1.0.dist-info/METADATA": metadata("1.0"),
            "vllm-1.0.dist-info/direct_url.json": json.dumps(direct),
            **files,
        },
    )


def test_editable_by_search_path(tmp_path: Path) -> None:
    source = lay_out(tmp_path / "src", {"vllm/__init__.py": BOMB})
    site = editable(tmp_path / "site", source)
    tree = installed_tree(interpreter(tmp_path, site, source))
    assert (tree.root, tree.version) == (source, "1.0")
    assert tree.notes == (f"editable installation: read from {source}",)
    assert tree.shadows == ()


def test_editable_by_links_below_the_source(tmp_path: Path) -> None:
    """The strict mode of setuptools; the source itself is not on the search path."""
    source = lay_out(tmp_path / "src", {"vllm/__init__.py": BOMB})
    links = lay_out(source / "build" / "__editable__.vllm-1.0", {"vllm/config.py": ""})
    (links / "vllm/__init__.py").symlink_to(source / "vllm/__init__.py")
    site = editable(tmp_path / "site", source)
    tree = installed_tree(interpreter(tmp_path, site, links))
    assert (tree.root, tree.version, tree.shadows) == (links, "1.0", ())


def test_editable_by_a_finder(tmp_path: Path) -> None:
    source = lay_out(tmp_path / "src", {"vllm/__init__.py": BOMB})
    site = editable(tmp_path / "site", tmp_path / "moved")
    finder = (
        "import types; m = types.ModuleType('__editable___vllm_1_0_finder');"
        f"m.MAPPING = {{'vllm': {str(source / 'vllm')!r}}}; sys.modules[m.__name__] = m"
    )
    tree = installed_tree(interpreter(tmp_path, site, before=finder))
    assert (tree.root, tree.version) == (source, "1.0")


def test_editable_by_direct_url_alone(tmp_path: Path) -> None:
    source = lay_out(tmp_path / "src", {"vllm/__init__.py": BOMB})
    site = editable(tmp_path / "site", source)
    tree = installed_tree(interpreter(tmp_path, site))
    assert (tree.root, tree.version) == (source, "1.0")


def test_installed_but_gone(tmp_path: Path) -> None:
    site = lay_out(tmp_path / "site", {"vllm-1.0.dist-info/METADATA": metadata("1.0")})
    with pytest.raises(TreeError, match=r"vllm 1\.0 is installed .* but its files are missing"):
        installed_tree(interpreter(tmp_path, site))


def test_none_installed(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="no vllm is installed for") as caught:
        installed_tree(interpreter(tmp_path, tmp_path / "nothing"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "cannot run the interpreter"),
        ("#!/bin/sh\necho oops >&2\nexit 3\n", "does not answer as a Python interpreter: oops"),
        ("#!/bin/sh\nexit 3\n", "exit code 3"),
        ("#!/bin/sh\necho '[]'\n", "does not answer as a Python interpreter"),
    ],
)
def test_no_interpreter(tmp_path: Path, text: str | None, words: str) -> None:
    path = tmp_path / "python"
    if text is not None:
        path.write_text(text)
        path.chmod(0o755)
    with pytest.raises(TreeError, match=words) as caught:
        probe(path)
    assert "\n" not in str(caught.value)


def test_current_folder_is_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a stray json.py nor a vllm folder where the user happens to be counts."""
    lay_out(tmp_path, {"json.py": BOMB, "vllm/__init__.py": ""})
    monkeypatch.chdir(tmp_path)
    found = probe(sys.executable)
    assert tmp_path not in found.path
    assert found.version == tuple(sys.version_info[:3])


def test_environment_folder_stands_for_its_interpreter(tmp_path: Path) -> None:
    site = package(tmp_path / "site")
    interpreter(tmp_path, site)
    assert installed_tree(tmp_path).root == site
    with pytest.raises(TreeError, match="holds no Python interpreter"):
        installed_tree(site)


def test_likely_interpreters(tmp_path: Path) -> None:
    for folder in ("venv", "conda", "path"):
        lay_out(tmp_path, {f"{folder}/bin/python": "", f"{folder}/bin/python3": ""})
        for name in ("python", "python3"):
            (tmp_path / folder / "bin" / name).chmod(0o755)
    env = {
        "VIRTUAL_ENV": str(tmp_path / "venv"),
        "CONDA_PREFIX": str(tmp_path / "conda"),
        "PATH": str(tmp_path / "path" / "bin"),
    }
    assert list(candidates(env)) == [
        tmp_path / "venv/bin/python",
        tmp_path / "venv/bin/python3",
        tmp_path / "conda/bin/python",
        tmp_path / "conda/bin/python3",
        tmp_path / "path/bin/python3",
        tmp_path / "path/bin/python",
        Path(sys.executable),
    ]
    assert list(candidates({"PATH": os.devnull})) == [Path(sys.executable)]


def test_the_first_likely_interpreter_with_vllm(tmp_path: Path) -> None:
    site = package(tmp_path / "site")
    empty = interpreter(tmp_path / "empty").parent.parent
    full = interpreter(tmp_path / "full", site).parent.parent
    env = {"VIRTUAL_ENV": str(empty), "CONDA_PREFIX": str(full), "PATH": os.devnull}
    tree = installed_tree(None, env)
    assert tree.root == site
    assert tree.notes == (f"vllm of {full / 'bin/python'}, since {empty / 'bin/python'} has none",)
