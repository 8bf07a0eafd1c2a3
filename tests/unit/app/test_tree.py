from mlapath.app.request import TreeRequest
from mlapath.app.tree import describe_tree
from mlapath.cache import CacheDir


def test_a_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(CacheDir, "default", classmethod(lambda cls: cls(tmp_path / "cache")))
    package = tmp_path / "vllm"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "_C.abi3.so").write_bytes(b"")
    found = describe_tree(TreeRequest(str(tmp_path)))
    assert (found.origin, found.root) == ("directory", str(tmp_path))
    assert found.extensions == ("vllm._C",)
    assert found.digest
    assert not (tmp_path / "cache").exists()
