from pathlib import Path

import pytest

from mlapath.base.errors import NetworkError
from mlapath.cache import CacheDir
from mlapath.source import IndexSettings, open_tree
from mlapath.source.open import as_version
from support.wheels import lay_out


@pytest.mark.parametrize(
    ("spec", "version"),
    [
        ("0.16.0", "0.16.0"),
        ("v0.16.0", "0.16.0"),
        ("==0.16", "0.16"),
        ("0.33.0rc1", "0.33.0rc1"),
        ("0.16.0+cu129", "0.16.0+cu129"),
        ("./0.16.0", None),
        ("latest", None),
        (Path("0.16.0"), None),
    ],
)
def test_versions(spec: str | Path, version: str | None) -> None:
    assert as_version(spec) == version


def test_a_folder_named_like_a_version_needs_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: CacheDir
) -> None:
    lay_out(tmp_path, {"1.2/vllm/__init__.py": ""})
    monkeypatch.chdir(tmp_path)
    assert open_tree("./1.2", cache=cache).origin == "directory"
    with pytest.raises(NetworkError):
        open_tree("1.2", cache=cache, offline=True, settings=IndexSettings(()))
