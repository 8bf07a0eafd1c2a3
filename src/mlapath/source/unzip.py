"""Unpack the wanted members of a wheel, local or remote, checking CRCs and RECORD."""

from __future__ import annotations

import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import IO

from mlapath.base.errors import TreeError
from mlapath.source import limits
from mlapath.source.keep import Keep
from mlapath.source.record import RecordEntry, parse_record
from mlapath.source.writer import MemberWriter

Prefetch = Callable[[Sequence[tuple[int, int]]], None]
"""Takes the half-open byte spans that are about to be read."""

_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    RuntimeError,
    ValueError,
    OverflowError,
)


def unpack_wheel(
    stream: IO[bytes],
    archive: str,
    writer: MemberWriter,
    keep: Keep,
    prefetch: Prefetch | None = None,
) -> None:
    """Write the members that `keep` wants.

    Every member's CRC is checked, and its hash wherever RECORD has one. Raises TreeError for
    broken or hostile archives; what was written until then is the caller's to remove.
    """
    try:
        with zipfile.ZipFile(stream) as bundle:
            _unpack(bundle, archive, writer, keep, prefetch)
    except _BROKEN as error:
        raise TreeError(f"{archive} is broken: {error}") from error


def _unpack(
    bundle: zipfile.ZipFile,
    archive: str,
    writer: MemberWriter,
    keep: Keep,
    prefetch: Prefetch | None,
) -> None:
    members = [info for info in bundle.infolist() if not info.is_dir()]
    wanted: list[zipfile.ZipInfo] = []
    for info in members:
        writer.note(info.filename)
        if not keep(info.filename, info.file_size):
            continue
        if stat.S_ISLNK(info.external_attr >> 16):
            raise TreeError(f"{archive}: {info.filename} is a link; refused")
        writer.admit(info.filename, info.file_size)
        wanted.append(info)
    spans = _spans(bundle, wanted)
    if sum(stop - start for start, stop in spans) > limits.KEPT_BYTES:
        raise TreeError(f"{archive} is laid out in an absurd way; refused")
    if prefetch is not None:
        prefetch(spans)
    record = _record(bundle, wanted, archive)
    for info in wanted:
        data = _read(bundle, info, archive)
        entry = record.get(info.filename)
        if entry is not None and entry.matches(data) is False:
            raise TreeError(f"{archive}: {info.filename} does not match its hash in RECORD")
        writer.write(info.filename, data)


def _spans(bundle: zipfile.ZipFile, wanted: list[zipfile.ZipInfo]) -> list[tuple[int, int]]:
    """Give each member's place: from its header to the next header (or the directory)."""
    starts = sorted({info.header_offset for info in bundle.infolist()} | {bundle.start_dir})
    following = dict(pairwise(starts))
    spans = []
    for info in wanted:
        stop = following.get(info.header_offset)
        if stop is None or info.header_offset < 0:
            raise zipfile.BadZipFile(f"{info.filename} lies outside of the archive")
        spans.append((info.header_offset, stop))
    return spans


def _record(
    bundle: zipfile.ZipFile, wanted: list[zipfile.ZipInfo], archive: str
) -> dict[str, RecordEntry]:
    found: dict[str, RecordEntry] = {}
    for info in wanted:
        folder, _, name = info.filename.partition("/")
        if folder.endswith(".dist-info") and name == "RECORD":
            text = _read(bundle, info, archive).decode("utf-8", "replace")
            found.update(parse_record(text))
    return found


def _read(bundle: zipfile.ZipFile, info: zipfile.ZipInfo, archive: str) -> bytes:
    # Bounded read: `ZipFile.read` would let a lying size field unpack without end.
    with bundle.open(info) as member:
        data = member.read(info.file_size) if info.file_size else member.read(1)
    if len(data) != info.file_size:
        raise TreeError(f"{archive}: {info.filename} is not as long as it says")
    return data
