import os
import sys
from pathlib import Path

import pytest

from mlapath.source.discover import discover_settings
from mlapath.source.settings import IndexSettings
from support.wheels import lay_out

posix = pytest.mark.skipif(sys.platform != "linux", reason="the places are those of Linux")


def discover(home: Path, **env: str) -> IndexSettings:
    places = {"HOME": str(home), **env}
    return discover_settings(places, prefix=home / "venv", etc=home / "etc")


def test_nothing_set_means_the_public_index(tmp_path: Path) -> None:
    assert discover(tmp_path) == IndexSettings((None,))


def test_pip_variables(tmp_path: Path) -> None:
    found = discover(
        tmp_path,
        PIP_INDEX_URL="https://a/simple",
        PIP_EXTRA_INDEX_URL="https://b/simple https://c/simple",
        PIP_FIND_LINKS="/wheels",
        PIP_TRUSTED_HOST="a b:8",
        PIP_CERT="/c.pem",
        PIP_CLIENT_CERT="/me.pem",
        PIP_PROXY="http://proxy:3128",
        PIP_DEFAULT_TIMEOUT="7",
    )
    assert found == IndexSettings(
        ("https://a/simple", "https://b/simple", "https://c/simple"),
        ("/wheels",),
        ("a", "b:8"),
        "/c.pem",
        "/me.pem",
        "http://proxy:3128",
        7.0,
    )


@posix
def test_pip_files_the_strongest_last(tmp_path: Path) -> None:
    places = [
        "etc/xdg/pip/pip.conf",
        "etc/pip.conf",
        ".pip/pip.conf",
        ".config/pip/pip.conf",
        "venv/pip.conf",
    ]
    for place in places:
        lay_out(tmp_path, {place: f"[global]\nindex-url = https://{place}\n"})
        assert discover(tmp_path).index_urls == (f"https://{place}",)
    assert discover(tmp_path, PIP_INDEX_URL="https://env").index_urls == ("https://env",)
    chosen = lay_out(tmp_path, {"own.conf": "[global]\nindex_url = https://own\n"}) / "own.conf"
    assert discover(tmp_path, PIP_CONFIG_FILE=str(chosen)).index_urls == ("https://own",)
    assert discover(tmp_path, PIP_CONFIG_FILE=os.devnull).index_urls == (None,)


@posix
def test_pip_file_with_lists_and_sections(tmp_path: Path) -> None:
    text = """
[global]
index-url = https://global
extra-index-url =
    https://one
    https://two%(x)s
timeout = soon
[install]
index-url = https://install
trusted-host = h
"""
    lay_out(tmp_path, {".config/pip/pip.conf": text})
    found = discover(tmp_path)
    assert found.index_urls == ("https://install", "https://one", "https://two%(x)s")
    assert found.trusted_hosts == ("h",)
    assert found.timeout == 30.0


@posix
def test_unreadable_file_counts_as_absent(tmp_path: Path) -> None:
    lay_out(tmp_path, {".config/pip/pip.conf": "index-url without a section"})
    assert discover(tmp_path).index_urls == (None,)


def test_no_index(tmp_path: Path) -> None:
    found = discover(tmp_path, PIP_NO_INDEX="1", PIP_FIND_LINKS="/w", PIP_INDEX_URL="https://a")
    assert found.index_urls == ()
    assert found.find_links == ("/w",)


def test_uv_goes_before_pip_and_extras_add_up(tmp_path: Path) -> None:
    found = discover(
        tmp_path,
        UV_DEFAULT_INDEX="https://uv",
        UV_INDEX="corp=https://corp https://other",
        PIP_INDEX_URL="https://pip",
        PIP_EXTRA_INDEX_URL="https://extra",
    )
    assert found.index_urls == ("https://uv", "https://corp", "https://other", "https://extra")
    assert discover(tmp_path, UV_INDEX_URL="https://old").index_urls == ("https://old",)


def test_digest_tells_sources_apart_and_nothing_else() -> None:
    plain = IndexSettings((None,))
    assert plain.digest == IndexSettings((None,), cert="/x", timeout=1).digest
    others = [
        IndexSettings(()),
        IndexSettings(("https://a",)),
        IndexSettings((None, "https://a")),
        IndexSettings((None,), ("https://a",)),
    ]
    assert len({plain.digest, *(other.digest for other in others)}) == 5
