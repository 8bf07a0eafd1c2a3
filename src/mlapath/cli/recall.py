"""Command lines that were run before, with all they rest on as it was: what was said, again.

A kept answer stands for the same words in the same folder, with the same variables, terminal and
mlapath, as long as no file that it was made from has changed (by name, size and time of change).
It is given before anything is imported that is slow to import.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from mlapath.base.own import own_digest
from mlapath.base.stamps import Folder, stamp_of, stat_digest

KIND = "said"
"""The kind of the cache's entries that hold what was said."""
COMMAND = "analyze"
NEEDED = ("--vllm", "--device")
"""Without them the machine that runs mlapath counts."""
BARRED = ("--output", "--inherit-env", "--no-cache", "--help")
"""Options of answers that are not only said, or rest on more than is watched."""
VARIABLES = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM", "COLORTERM", "TTY_COMPATIBLE",
             "MLAPATH_CACHE_DIR", "MLAPATH_DEBUG")  # fmt: skip
PREFIXES = ("PIP_", "UV_")
"""Variables that bear on what is said: how it looks, where the index is."""


def replay(words: Sequence[str]) -> int | None:
    """Say what was said to these words, and give the exit code; None: they have to be run."""
    if not _may_recall(words):
        return None
    from mlapath.cache import CacheDir
    from mlapath.cache.store import BlobStore

    data = BlobStore(CacheDir.default(), KIND).get(_key(words))
    if data is None:
        return None
    try:
        kept = json.loads(zlib.decompress(data))
        files, folders = kept["files"], kept["folders"]
        out, err, code = str(kept["out"]), str(kept["err"]), int(kept["code"])
    except (zlib.error, ValueError, KeyError, TypeError):
        return None
    if any(list(stamp_of(name) or ()) != stamp for name, stamp in files):
        return None
    if any(stat_digest(root, package) != digest for root, package, digest in folders):
        return None
    from mlapath.cli.output import write_stdout

    write_stdout(out)
    sys.stderr.write(err)
    return code


def keep(
    words: Sequence[str], files: Iterable[str], folders: Iterable[Folder],
    said: tuple[str, str, int],
) -> None:  # fmt: skip
    """Keep what was said.

    files: those that were read, and those that would have been if they were there.
    said: standard output, standard error and the exit code.
    """
    if not _may_recall(words):
        return
    from mlapath.cache import CacheDir
    from mlapath.cache.store import BlobStore

    out, err, code = said
    kept = {
        "files": [[name, stamp_of(name) or ()] for name in files],
        "folders": list(folders), "out": out, "err": err, "code": code,
    }  # fmt: skip
    BlobStore(CacheDir.default(), KIND).put(
        _key(words), zlib.compress(json.dumps(kept).encode(), 1)
    )


def _may_recall(words: Sequence[str]) -> bool:
    if not words or words[0] != COMMAND:
        return False
    cut = words.index("--") if "--" in words else len(words)
    ours = [word.partition("=")[0] for word in words[:cut]]
    return (
        all(name in ours for name in NEEDED)
        and not any(name in ours for name in BARRED)
        and not any(os.path.exists(_as_path(word)) for word in words[cut + 1 :])
    )


def _places(words: Sequence[str]) -> list[str]:
    """What the words lead to that are paths, through links too."""
    return [os.path.realpath(p) for p in map(_as_path, words) if os.path.exists(p)]


def _as_path(word: str) -> str:
    """A word, or the value of an option that it gives, as the path that it may be."""
    return os.path.expanduser(word.partition("=")[2] or word)


def _key(words: Sequence[str]) -> str:
    terminal = sys.stdout.isatty()
    facts = [
        own_digest(), list(words), _places(words), os.getcwd(), terminal, sys.stderr.isatty(),
        list(os.get_terminal_size(sys.stdout.fileno())) if terminal else None,
        sys.stdout.encoding, [os.environ.get(name) for name in VARIABLES],
        sorted(item for item in os.environ.items() if item[0].startswith(PREFIXES)),
    ]  # fmt: skip
    return blake2b(json.dumps(facts).encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()
