"""The real index, as the user's settings name it."""

import pytest

from mlapath.base.errors import NetworkError
from mlapath.cache import CacheDir
from mlapath.source import list_releases, open_companion, open_tree
from mlapath.source.manifest import Manifest

pytestmark = pytest.mark.network


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    try:
        return list_releases(cache=CacheDir(tmp_path_factory.mktemp("cache")))
    except NetworkError as error:
        pytest.skip(f"NOT TESTED against the package index: {error}")


@pytest.fixture(autouse=True)
def _quiet_network() -> None:
    """Real proxies and credentials count here."""


def test_releases_in_order(releases: tuple[str, ...]) -> None:
    assert releases.index("0.16.0") < releases.index("0.22.1")


@pytest.mark.parametrize("version", ["0.16.0", "0.22.1", "0.26.0", "0.33.0"])
def test_version(releases: tuple[str, ...], version: str, cache: CacheDir) -> None:
    tree = open_tree(version, cache=cache)
    assert tree.version == version
    assert tree.find_module("vllm.model_executor.layers.attention.mla_attention")
    assert "vllm._flashmla_C" in tree.extensions
    assert tree.modified == ()
    assert tree.notes == ()
    assert not Manifest.read(tree.root).whole, "the whole wheel was downloaded"
    assert sum(name.endswith(".py") for name in tree.files) > 1000
    companion = open_companion("transformers", tree, cache=cache)
    assert companion is not None
    assert companion.find_module("transformers.models.deepseek_v3.configuration_deepseek_v3")
    again = open_tree(version, cache=cache, offline=True)
    assert again.digest == tree.digest


def test_no_such_version(releases: tuple[str, ...], cache: CacheDir) -> None:
    from mlapath.base.errors import TreeError

    with pytest.raises(TreeError, match="has no version ==0.16.99"):
        open_tree("0.16.99", cache=cache)
