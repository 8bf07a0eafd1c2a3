from collections.abc import Iterator
from pathlib import Path

import pytest

from mlapath.cache import CacheDir
from mlapath.source.settings import IndexSettings
from support.indexserver import Index, serving
from support.wheels import make_wheel

WHEEL = "vllm-1.2.3-cp38-abi3-manylinux_2_28_x86_64.whl"


@pytest.fixture
def cache(tmp_path: Path) -> CacheDir:
    return CacheDir(tmp_path / "cache")


@pytest.fixture(autouse=True)
def _quiet_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No proxy between the tests and 127.0.0.1, no `.netrc` of the user."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("NETRC", str(tmp_path / "no-netrc"))


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    """An index that offers one wheel of vllm 1.2.3."""
    folder = tmp_path / "offered"
    folder.mkdir()
    make_wheel(folder / WHEEL)
    with serving(Index(folder)) as served:
        yield served


@pytest.fixture
def settings(index: Index) -> IndexSettings:
    return IndexSettings((index.url,), timeout=10)
