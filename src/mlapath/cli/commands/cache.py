"""``mlapath cache info`` and ``mlapath cache clear``."""

from __future__ import annotations

from typing import Annotated

import typer

from mlapath.base.errors import UsageError
from mlapath.base.nearest import did_you_mean
from mlapath.cache import CacheDir
from mlapath.cli.output import write_stdout

cache_app = typer.Typer(
    help="Look at, or empty, what mlapath keeps on disk.", rich_markup_mode=None
)


@cache_app.command("info")
def info() -> None:
    """Say where the cache is and what it holds."""
    cache = CacheDir.default()
    lines = [f"cache in {cache.root}"]
    usage = cache.usage()
    for kind in usage:
        noun = "entry" if kind.entries == 1 else "entries"
        lines.append(f"  {kind.kind.ljust(16)}{kind.entries} {noun}, {_size(kind.size)}")
    if not usage:
        lines.append("  empty")
    write_stdout("\n".join(lines) + "\n")


@cache_app.command("clear")
def clear(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="KIND", help="One kind, as info lists it. Default: all.", show_default=False
        ),
    ] = None,
) -> None:
    """Empty the cache."""
    cache = CacheDir.default()
    kinds = [usage.kind for usage in cache.usage()]
    if kind is not None and kind not in kinds:
        there = ", ".join(kinds) or "nothing"
        raise UsageError(f"the cache has no {kind!r}{did_you_mean(kind, kinds)} (it has {there})")
    write_stdout(f"freed {_size(cache.clear(kind))}\n")


def _size(number: int) -> str:
    """Give a number of bytes in the largest unit that leaves it above 1."""
    size = float(number)
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
