"""Ask a simple package index (HTML or JSON, http or file) for the files of a project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from packaging.tags import Tag
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version

from mlapath.base.errors import NetworkError, TreeError
from mlapath.source.http import Http
from mlapath.source.session import redacted, unreachable
from mlapath.source.settings import IndexSettings

if TYPE_CHECKING:
    from pypi_simple import ProjectPage


@dataclass(frozen=True)
class IndexFile:
    """A wheel (`tags` not empty) or sdist that an index offers."""

    filename: str
    url: str
    version: Version
    tags: frozenset[Tag] = frozenset()
    build: tuple[()] | tuple[int, str] = ()
    sha256: str | None = None
    size: int | None = None
    yanked: bool = False

    @property
    def is_wheel(self) -> bool:
        return bool(self.tags)

    @property
    def local_path(self) -> Path | None:
        """The file's path if the index lies on this disk."""
        return local_path(self.url)


def local_path(url: str) -> Path | None:
    """Give the path that a `file:` URL or a plain path names; None for other URLs."""
    parts = urlsplit(url)
    if parts.scheme == "file":
        from urllib.request import url2pathname

        return Path(url2pathname(unquote(parts.path)))
    if "://" in url:
        return None
    return Path(url).expanduser()


def index_files(project: str, settings: IndexSettings, http: Http) -> tuple[IndexFile, ...]:
    """List the files of `project` on all indexes and find-links places, in their order.

    An index that does not have the project is passed over. Raises NetworkError if one cannot
    be reached, TreeError if none has the project.
    """
    name = canonicalize_name(project)
    found: list[IndexFile] = []
    urls = [url or _public_index() for url in settings.index_urls]
    for url in urls:
        page = _project_page(name, url, http)
        if page is not None:
            found.extend(_usable(page, name))
    for place in settings.find_links:
        found.extend(_linked(name, place, http))
    if not found:
        where = ", ".join(redacted(url) for url in (*urls, *settings.find_links))
        raise TreeError(f"no package index has {name} (asked: {where or 'none'})")
    return tuple(found)


def parse_file(
    filename: str,
    url: str,
    project: str,
    *,
    sha256: str | None = None,
    size: int | None = None,
    yanked: bool = False,
) -> IndexFile | None:
    """Read a file name; None if it is neither wheel nor sdist of `project`."""
    try:
        if filename.endswith(".whl"):
            name, version, build, tags = parse_wheel_filename(filename)
        elif filename.endswith((".tar.gz", ".zip")):
            name, version = parse_sdist_filename(filename)
            build, tags = (), frozenset()
        else:
            return None
    except (InvalidWheelFilename, InvalidSdistFilename):
        return None
    if name != project:
        return None
    return IndexFile(filename, url, version, tags, build, sha256, size, yanked)


def _public_index() -> str:
    from pypi_simple import PYPI_SIMPLE_ENDPOINT

    return PYPI_SIMPLE_ENDPOINT


def _project_page(project: str, index_url: str, http: Http) -> ProjectPage | None:
    import requests
    from pypi_simple import (
        NoSuchProjectError,
        ProjectPage,
        PyPISimple,
        UnsupportedContentTypeError,
        UnsupportedRepoVersionError,
    )

    folder = local_path(index_url)
    if folder is not None:
        page = folder / project / "index.html"
        if not page.is_file():
            return None
        return ProjectPage.from_html(project, page.read_bytes(), page.absolute().as_uri())
    client = PyPISimple(index_url, session=http.session)
    try:
        return client.get_project_page(project, timeout=http.timeout)
    except NoSuchProjectError:
        return None
    except requests.HTTPError as error:
        status = error.response.status_code if error.response is not None else "an error"
        raise NetworkError(f"the package index {redacted(index_url)} answers {status}") from error
    except requests.RequestException as error:
        raise NetworkError(unreachable(index_url, error)) from error
    except (UnsupportedContentTypeError, UnsupportedRepoVersionError, ValueError) as error:
        raise NetworkError(f"{redacted(index_url)} does not answer as a package index") from error


def _usable(page: ProjectPage, project: str) -> Iterator[IndexFile]:
    for package in page.packages:
        file = parse_file(
            package.filename,
            package.url,
            project,
            sha256=package.digests.get("sha256"),
            size=package.size,
            yanked=package.is_yanked,
        )
        if file is not None:
            yield file


def _linked(project: str, place: str, http: Http) -> Iterator[IndexFile]:
    folder = local_path(place)
    if folder is None:
        with http.stream(place) as response:
            if response.status_code != 200:
                return
            content = response.content
        from pypi_simple import ProjectPage

        yield from _usable(ProjectPage.from_html(project, content, place), project)
    elif folder.is_dir():
        for path in sorted(folder.iterdir()):
            file = parse_file(path.name, path.absolute().as_uri(), project)
            if file is not None:
                yield file
