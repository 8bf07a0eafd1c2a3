import base64

import pytest

from mlapath.base.errors import NetworkError
from mlapath.source.http import Http
from mlapath.source.index import index_files
from mlapath.source.session import redacted
from mlapath.source.settings import IndexSettings
from support.indexserver import Index


def test_messages_hold_no_secrets() -> None:
    assert redacted("https://me:pw@host:8/a/b?token=1#x") == "https://host:8/a/b"


def test_credentials_of_the_index_go_to_its_files(index: Index) -> None:
    index.password = "Basic " + base64.b64encode(b"me:p w").decode()
    url = index.url.replace("http://", "http://me:p%20w@")
    index.files_url = index.url.replace("/simple/", "/files/")
    settings = IndexSettings((url,), timeout=5)
    with Http(settings) as http:
        (file,) = index_files("vllm", settings, http)
        assert "@" not in file.url
        assert len(http.tail(file.url, 10).data) == 10


def test_without_credentials(index: Index) -> None:
    index.password = "Basic x"
    settings = IndexSettings((index.url,), timeout=5)
    with Http(settings) as http, pytest.raises(NetworkError, match="answers 401") as caught:
        index_files("vllm", settings, http)
    assert "\n" not in str(caught.value)


def test_nobody_listens() -> None:
    settings = IndexSettings(("http://127.0.0.1:9/simple/",), timeout=2)
    with Http(settings) as http, pytest.raises(NetworkError, match="cannot be reached") as caught:
        index_files("vllm", settings, http)
    assert "127.0.0.1" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_proxy_that_refuses() -> None:
    settings = IndexSettings(
        ("http://index.invalid/simple/",), proxy="http://127.0.0.1:9", timeout=2
    )
    with Http(settings) as http, pytest.raises(NetworkError, match="the proxy refuses"):
        index_files("vllm", settings, http)


def test_trusted_hosts_get_their_own_adapter() -> None:
    with Http(IndexSettings((), trusted_hosts=("index.corp", "other:8443"))) as http:
        plain = type(http.session.get_adapter("https://elsewhere/x"))
        for url in ("https://index.corp/x", "https://index.corp:99/x", "https://other:8443/x"):
            assert type(http.session.get_adapter(url)) is not plain
        for url in ("https://index.corp.evil/x", "https://other/x", "https://other:84430/x"):
            assert type(http.session.get_adapter(url)) is plain
