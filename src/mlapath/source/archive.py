"""A tree from an archive on this disk, unpacked into the cache once."""

from __future__ import annotations

import hashlib
from pathlib import Path

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    parse_sdist_filename,
    parse_wheel_filename,
)

from mlapath.base.errors import TreeError
from mlapath.source.fetch import sha256_of
from mlapath.source.keep import keep_sdist, keep_source
from mlapath.source.manifest import SITE, Manifest, Stamp, stamps
from mlapath.source.ports import Store
from mlapath.source.tree import SourceTree
from mlapath.source.unpacked import tree_from
from mlapath.source.untar import unpack_sdist
from mlapath.source.unzip import unpack_wheel
from mlapath.source.writer import MemberWriter

ARCHIVES = "archives"
SUFFIXES = (".whl", ".tar.gz", ".tgz")
_PINS = "archive-pins"
_SDIST_NOTE = (
    "read from an sdist: files that only a build makes (compiled extensions, vendored modules) "
    "are missing"
)


def archive_tree(path: Path, cache: Store) -> SourceTree:
    """Open the wheel or sdist at `path`. Raises TreeError."""
    if not path.name.lower().endswith(SUFFIXES):
        raise TreeError(f"{path} is neither a folder nor a .whl or .tar.gz archive")
    try:
        digest = _content_digest(path, cache)
    except OSError as error:
        raise TreeError(f"cannot read {path}: {error.strerror or error}") from error
    place = cache.publish(ARCHIVES, digest[:32], lambda folder: _unpack(path, digest, folder))
    return tree_from(place / SITE, "archive")


def _content_digest(path: Path, cache: Store) -> str:
    """Give the archive's sha256; taken from the cache while its stamp and path are the same."""
    stamp = Stamp.of(path)
    text = f"{path.absolute()}\0{stamp}"
    pin = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    known = cache.read(_PINS, pin)
    if known is not None:
        return known.decode("ascii", "replace")
    with path.open("rb") as stream:
        digest = sha256_of(stream)
    cache.write(_PINS, pin, digest.encode())
    return digest


def _unpack(path: Path, digest: str, folder: Path) -> None:
    site = folder / SITE
    site.mkdir()
    writer = MemberWriter(site, path.name)
    notes: tuple[str, ...] = ()
    with path.open("rb") as stream:
        if path.name.lower().endswith(".whl"):
            unpack_wheel(stream, path.name, writer, keep_source)
        else:
            unpack_sdist(stream, path.name, writer, keep_sdist)
            notes = (_SDIST_NOTE,)
    if not (site / "vllm" / "__init__.py").is_file():
        raise TreeError(f"{path.name} holds no vllm package; give a wheel or sdist of vLLM")
    Manifest(
        package="vllm",
        version=_version(path.name),
        archive=path.name,
        sha256=digest,
        whole=True,
        files=writer.listed,
        kept=stamps(site, writer.kept),
        notes=notes,
    ).write(site)


def _version(filename: str) -> str:
    """Give the version in a standard file name; empty for another name."""
    try:
        if filename.endswith(".whl"):
            return str(parse_wheel_filename(filename)[1])
        return str(parse_sdist_filename(filename)[1])
    except (InvalidSdistFilename, InvalidWheelFilename):
        return ""
