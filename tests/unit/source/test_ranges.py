import zipfile
from pathlib import Path
from typing import IO, cast

import pytest

from mlapath.base.errors import NetworkError
from mlapath.source.http import Http, RangesUnsupportedError
from mlapath.source.ranges import RemoteFile, coalesce
from mlapath.source.settings import IndexSettings
from support.indexserver import Index


@pytest.mark.parametrize(
    ("spans", "gap", "joined"),
    [
        ([], 5, []),
        ([(10, 20), (0, 5)], 4, [(0, 5), (10, 20)]),
        ([(10, 20), (0, 5)], 5, [(0, 20)]),
        ([(0, 10), (2, 3), (9, 12)], 0, [(0, 12)]),
    ],
)
def test_coalesce(spans: list[tuple[int, int]], gap: int, joined: list[tuple[int, int]]) -> None:
    assert coalesce(spans, gap) == joined


@pytest.fixture
def big(index: Index) -> tuple[str, bytes]:
    data = bytes(n % 251 for n in range(3_000_000))
    (index.folder / "big-1.bin").write_bytes(data)
    return f"{index.url}../files/big-1.bin", data


@pytest.fixture
def http(settings: IndexSettings) -> Http:
    return Http(settings)


def url_of(index: Index, name: str = "big-1.bin") -> str:
    return index.url.replace("/simple/", f"/files/{name}")


def test_random_access(index: Index, http: Http, big: tuple[str, bytes]) -> None:
    data = big[1]
    with http, RemoteFile(http, url_of(index)) as remote:
        assert remote.size == len(data)
        assert remote.seek(-5, 2) == len(data) - 5
        assert remote.read() == data[-5:]
        assert len(index.fetched()) == 1
        remote.seek(100)
        assert remote.read(50) == data[100:150]
        assert remote.tell() == 150
        assert remote.read(50) == data[150:200]
        assert len(index.fetched()) == 2
        remote.seek(len(data) + 10)
        assert remote.read(5) == b""


def test_prefetch_joins_near_pieces(index: Index, http: Http, big: tuple[str, bytes]) -> None:
    told: list[tuple[str, int, int | None]] = []
    with http, RemoteFile(http, url_of(index), lambda *args: told.append(args)) as remote:
        remote.prefetch([(0, 10), (1000, 1010), (900_000, 900_010)], "big")
        assert index.fetched()[1:] == ["bytes=0-1009", "bytes=900000-900009"]
        remote.seek(1000)
        assert remote.read(10) == big[1][1000:1010]
        assert len(index.fetched()) == 3
    assert told[-1] == ("big", 1020, 1020)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def test_prefetch_asks_nothing_twice(index: Index, http: Http, big: tuple[str, bytes]) -> None:
    with http, RemoteFile(http, url_of(index)) as remote:
        remote.prefetch([(remote.size - 10, remote.size)], "big")
        assert len(index.fetched()) == 1


def test_server_without_suffix_ranges(index: Index, http: Http, big: tuple[str, bytes]) -> None:
    index.manner = "no-suffix"
    with http, RemoteFile(http, url_of(index)) as remote:
        remote.seek(5)
        assert remote.read(3) == big[1][5:8]
        assert sum(len(data) for _, data in remote._segments) < 1_200_000


@pytest.mark.parametrize("manner", ["whole", "other"])
def test_server_without_ranges(
    index: Index, http: Http, big: tuple[str, bytes], manner: str
) -> None:
    index.manner = manner
    with http, pytest.raises(RangesUnsupportedError):
        http.span(url_of(index), 0, 10_000)


def test_file_that_changes_is_noticed(index: Index, http: Http, big: tuple[str, bytes]) -> None:
    index.manner = "changing"
    with http, RemoteFile(http, url_of(index)) as remote:
        remote.seek(0)
        with pytest.raises(NetworkError, match="the file changed on the server"):
            remote.read(10)


def test_answer_that_breaks_off_is_an_error(
    index: Index, http: Http, big: tuple[str, bytes]
) -> None:
    with http, RemoteFile(http, url_of(index)) as remote:
        index.manner = "short"
        remote.seek(10)
        with pytest.raises(NetworkError, match="broke off"):
            remote.read(10)
    assert len(index.fetched()) == 4


def test_missing_file(index: Index, http: Http) -> None:
    with http, pytest.raises(NetworkError, match="answers 404"):
        RemoteFile(http, url_of(index, "gone-1.bin"))


def test_zipfile_reads_it(index: Index, http: Http, tmp_path: Path) -> None:
    path = index.folder / "big-1.bin"
    with zipfile.ZipFile(path, "w") as bundle:
        bundle.writestr("far", bytes(3_000_000))
        bundle.writestr("near", b"here")
    with (
        http,
        RemoteFile(http, url_of(index)) as remote,
        zipfile.ZipFile(cast("IO[bytes]", remote)) as bundle,
    ):
        assert bundle.read("near") == b"here"
        assert bundle.read("far") == bytes(3_000_000)
