import json

import pytest

from mlapath.cache import CacheDir


@pytest.fixture
def checkout(tmp_path):
    package = tmp_path / "checkout" / "vllm"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "_version.py").write_text("__version__ = version = '0.16.0'\n")
    return package.parent


def test_tree_text_and_json(run, checkout, tmp_path):
    ran = run("tree", str(checkout))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("vLLM 0.16.0\n")
    assert "(directory)" in ran.out
    file = tmp_path / "tree.json"
    assert run("tree", str(checkout), "--output", f"json:{file}").out == ""
    encoded = json.loads(file.read_text())
    assert encoded["schema"] == "mlapath.tree/1"
    assert encoded["root"] == str(checkout)
    assert json.loads(run("tree", encoded["root"], "--format", "json").out) == encoded


@pytest.mark.parametrize("where", ["none/at/all", "."])
def test_no_tree_is_one_line(run, tmp_path, monkeypatch, where):
    monkeypatch.chdir(tmp_path)
    ran = run("tree", where)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1


def test_cache(run):
    assert run("cache", "info").out.endswith("  empty\n")
    cache = CacheDir.default()
    cache.write("pins", "a", b"x" * 1500)
    cache.write("trees", "b", b"x" * 2_000_000)
    cache.write("trees", "c", b"x")
    out = run("cache", "info").out
    assert out.startswith(f"cache in {cache.root}\n")
    assert "pins            1 entry, 1.5 KB\n" in out
    assert "trees           2 entries, 2.0 MB\n" in out
    ran = run("cache", "clear", "tree")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean trees?" in ran.err
    assert run("cache", "clear", "pins").out == "freed 1.5 KB\n"
    assert cache.keys("trees") == ("b", "c")
    assert run("cache", "clear").out == "freed 2.0 MB\n"
    assert cache.keys("trees") == ()
