"""Bring one file of an index into a folder: by ranges, else whole."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from mlapath.base.errors import NetworkError, TreeError
from mlapath.source import limits
from mlapath.source.http import Http, RangesUnsupportedError
from mlapath.source.index import IndexFile
from mlapath.source.keep import Keep, keep_sdist
from mlapath.source.manifest import SITE, Manifest, stamps
from mlapath.source.ports import Progress
from mlapath.source.ranges import RemoteFile
from mlapath.source.session import redacted
from mlapath.source.untar import unpack_sdist
from mlapath.source.unzip import unpack_wheel
from mlapath.source.writer import MemberWriter

SDIST_NOTE = (
    "read from the sdist, since the index has no wheel for the platform: files that only a "
    "build makes (compiled extensions, vendored modules) are missing"
)
_CHUNK = 1024 * 1024


def fetch_into(
    folder: Path, package: str, file: IndexFile, keep: Keep, http: Http, progress: Progress
) -> None:
    """Fill `folder` with `site/` and a manifest. Raises NetworkError or TreeError."""
    site = folder / SITE
    notes: tuple[str, ...] = ()
    writer: MemberWriter | None = None
    if file.is_wheel and file.local_path is None:
        writer = _by_ranges(site, file, keep, http, progress)
    whole = writer is None
    if writer is None:
        writer = _writer(site, file)
        with whole_file(file, http, progress) as stream:
            if file.is_wheel:
                unpack_wheel(stream, file.filename, writer, keep)
            else:
                notes = (SDIST_NOTE,)
                unpack_sdist(stream, file.filename, writer, keep_sdist)
    Manifest(
        package=package,
        version=str(file.version),
        archive=file.filename,
        sha256=file.sha256,
        whole=whole,
        files=writer.listed,
        kept=stamps(site, writer.kept),
        notes=notes,
    ).write(site)


def _by_ranges(
    site: Path, file: IndexFile, keep: Keep, http: Http, progress: Progress
) -> MemberWriter | None:
    """Unpack a remote wheel by ranges; None if the server gives only whole files."""
    writer = _writer(site, file)
    try:
        with RemoteFile(http, file.url, progress) as remote:
            if file.size is not None and remote.size != file.size:
                raise NetworkError(
                    f"{redacted(file.url)} has {remote.size} bytes, the index says {file.size}"
                )
            unpack_wheel(
                cast("IO[bytes]", remote),
                file.filename,
                writer,
                keep,
                lambda spans: remote.prefetch(spans, file.filename),
            )
    except RangesUnsupportedError:
        return None
    return writer


def _writer(site: Path, file: IndexFile) -> MemberWriter:
    """Start over with an empty folder."""
    if site.exists():
        shutil.rmtree(site)
    site.mkdir()
    return MemberWriter(site, file.filename)


@contextmanager
def whole_file(file: IndexFile, http: Http, progress: Progress) -> Iterator[IO[bytes]]:
    """Open the whole file, checked against the sha256 of the index where it gives one."""
    path = file.local_path
    if path is not None:
        with path.open("rb") as stream:
            _check(file, sha256_of(stream))
            stream.seek(0)
            yield stream
        return
    with tempfile.TemporaryFile() as stream:
        _check(file, _download(file, stream, http, progress))
        stream.seek(0)
        yield stream


def _download(file: IndexFile, target: IO[bytes], http: Http, progress: Progress) -> str:
    digest = hashlib.sha256()
    done = 0
    with http.stream(file.url) as response:
        if response.status_code != 200:
            raise NetworkError(f"{redacted(file.url)} answers {response.status_code}")
        length = response.headers.get("Content-Length", "")
        total = int(length) if length.isdecimal() else file.size
        for chunk in response.iter_content(_CHUNK):
            done += len(chunk)
            if done > limits.ARCHIVE_BYTES or (file.size is not None and done > file.size):
                raise TreeError(f"{file.filename} is larger than the index says; refused")
            digest.update(chunk)
            target.write(chunk)
            progress(file.filename, done, total)
        if total is not None and done != total:
            raise NetworkError(f"the answer of {redacted(file.url)} broke off; try again")
    return digest.hexdigest()


def sha256_of(stream: IO[bytes]) -> str:
    """Give the sha256 (hex) of the rest of `stream`."""
    digest = hashlib.sha256()
    while chunk := stream.read(_CHUNK):
        digest.update(chunk)
    return digest.hexdigest()


def _check(file: IndexFile, found: str) -> None:
    if file.sha256 and file.sha256.lower() != found:
        raise TreeError(f"{file.filename} does not match the sha256 of the index; refused")
