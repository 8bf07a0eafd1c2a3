"""Unpack the wanted members of an sdist (`.tar.gz`), in one pass over the stream."""

from __future__ import annotations

import gzip
import tarfile
import zlib
from typing import IO

from mlapath.base.errors import TreeError
from mlapath.source import limits
from mlapath.source.keep import Keep
from mlapath.source.writer import MemberWriter


def unpack_sdist(stream: IO[bytes], archive: str, writer: MemberWriter, keep: Keep) -> None:
    """Write the members that `keep` wants, without the sdist's own top folder.

    Links are never followed or made: one in the place of a wanted file is refused. Raises
    TreeError for broken or hostile archives.
    """
    try:
        with gzip.GzipFile(fileobj=stream) as plain:
            with tarfile.open(fileobj=plain, mode="r|") as bundle:
                _unpack(bundle, archive, writer, keep)
            _drain(plain, archive)
    except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError) as error:
        raise TreeError(f"{archive} is broken: {error}") from error


def _drain(plain: gzip.GzipFile, archive: str) -> None:
    """Read what follows the last member: only at the end is gzip's CRC checked."""
    rest = 0
    while chunk := plain.read(1024 * 1024):
        rest += len(chunk)
        if rest > limits.MEMBER_BYTES:
            raise TreeError(f"{archive} has more than {rest} bytes after its last file; refused")


def _unpack(bundle: tarfile.TarFile, archive: str, writer: MemberWriter, keep: Keep) -> None:
    top: str | None = None
    passed = 0
    for member in bundle:
        passed += member.size
        if passed > limits.UNPACKED_BYTES:
            raise TreeError(f"{archive} unpacks to more than {limits.UNPACKED_BYTES} bytes")
        if member.isdir():
            continue
        first, _, name = member.name.removeprefix("./").partition("/")
        if top is None:
            top = first
        if first != top or not name:
            raise TreeError(f"{archive} is no sdist: {member.name!r} lies outside of {top!r}")
        writer.note(name)
        if not keep(name, member.size):
            continue
        if not member.isreg():
            raise TreeError(f"{archive}: {name} is a link or device; refused")
        writer.admit(name, member.size)
        content = bundle.extractfile(member)
        assert content is not None
        data = content.read()
        if len(data) != member.size:
            raise TreeError(f"{archive} is broken: it ends within {name}")
        writer.write(name, data)
