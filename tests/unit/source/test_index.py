from pathlib import Path

import pytest
from packaging.version import Version

from mlapath.base.errors import NetworkError, TreeError
from mlapath.source.http import Http
from mlapath.source.index import IndexFile, index_files, local_path, parse_file
from mlapath.source.settings import IndexSettings
from support.indexserver import Index
from support.wheels import make_sdist, make_wheel


def ask(settings: IndexSettings, project: str = "vllm") -> tuple[IndexFile, ...]:
    with Http(settings) as http:
        return index_files(project, settings, http)


@pytest.mark.parametrize("as_json", [True, False])
def test_both_forms_of_the_page(index: Index, settings: IndexSettings, as_json: bool) -> None:
    index.as_json = as_json
    make_sdist(index.folder / "vllm-1.2.3.tar.gz")
    (index.folder / "vllm-1.2.3.exe").write_bytes(b"")
    wheel, sdist = sorted(ask(settings), key=lambda file: not file.is_wheel)
    assert wheel.version == sdist.version == Version("1.2.3")
    assert wheel.sha256 is not None
    assert wheel.url.startswith("http://127.0.0.1")
    assert wheel.size == ((index.folder / wheel.filename).stat().st_size if as_json else None)
    assert not sdist.is_wheel


def test_no_such_project(settings: IndexSettings) -> None:
    with pytest.raises(TreeError, match="no package index has nothing"):
        ask(settings, "nothing")


def test_broken_index(index: Index, settings: IndexSettings) -> None:
    index.manner = "broken"
    with pytest.raises(NetworkError):
        ask(settings)


def test_something_else_than_an_index(index: Index) -> None:
    (index.folder / "page-1").write_text("x")
    settings = IndexSettings((index.url.replace("/simple/", "/files/page-1/#"),), timeout=5)
    with pytest.raises(TreeError):
        ask(settings)


def test_local_index_and_links(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    name = "vllm-1.2.3-cp38-abi3-manylinux_2_28_x86_64.whl"
    make_wheel(wheels / name)
    (wheels / "other-1-py3-none-any.whl").write_bytes(b"")
    page = tmp_path / "simple" / "vllm" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text(f'<a href="../../wheels/{name}#sha256=ab">{name}</a>')
    for settings in (
        IndexSettings(((tmp_path / "simple").as_uri(),)),
        IndexSettings((str(tmp_path / "simple"),)),
        IndexSettings((), find_links=(str(wheels),)),
        IndexSettings((), find_links=(wheels.as_uri(),)),
    ):
        (file,) = ask(settings)
        assert file.local_path == wheels / name
        assert file.sha256 == (None if settings.find_links else "ab")


def test_linked_page(index: Index) -> None:
    (index.folder / "links-1.html").write_text('<a href="vllm-2.0.tar.gz">vllm-2.0.tar.gz</a>')
    place = index.url.replace("/simple/", "/files/links-1.html")
    (file,) = ask(IndexSettings((), find_links=(place,), timeout=5))
    assert file.version == Version("2.0")


def test_first_index_without_the_project_is_passed_over(index: Index, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    settings = IndexSettings((str(tmp_path / "empty"), index.url), timeout=5)
    assert len(ask(settings)) == 1


@pytest.mark.parametrize(
    "name",
    [
        "vllm-1.0.exe",
        "vllm-x-y.whl",
        "vllm-1.0-py3-none-any.whl.metadata",
        "vllm_extra-1.0.tar.gz",
        "vllm.tar.gz",
    ],
)
def test_other_files_are_none(name: str) -> None:
    assert parse_file(name, "u", "vllm") is None


def test_build_number_and_tags() -> None:
    file = parse_file("vllm-0.20.1-1-cp38-abi3-manylinux_2_35_x86_64.whl", "u", "vllm")
    assert file is not None
    assert file.build == (1, "")
    assert {tag.platform for tag in file.tags} == {"manylinux_2_35_x86_64"}


def test_local_path_of_urls() -> None:
    assert local_path("https://host/x") is None
    assert local_path("file:///a%20b/c") == Path("/a b/c")
