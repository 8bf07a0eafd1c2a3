"""``--batch``: the requests of one step."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mlapath.base.errors import UsageError

_PART = re.compile(r"(\d+)(?:@(\d+))?(?:x(\d+))?")
_MOST_TOKENS = 10_000_000
_MOST_REQUESTS = 100_000


@dataclass(frozen=True)
class Requests:
    """``count`` requests of ``query`` new tokens each, with ``context`` tokens in the cache."""

    query: int
    context: int = 0
    count: int = 1


@dataclass(frozen=True)
class Batch:
    """One step's requests, in the order given; ``spec`` is the text they were read from."""

    spec: str
    requests: tuple[Requests, ...]


def parse_batch(spec: str) -> Batch:
    """Read ``Q[@C][xN]`` parts joined by ``+``: ``600+1@100x8`` is a prompt and eight decodes.

    Raises:
        UsageError: not of that form, a part of no tokens, or absurd numbers.
    """
    parts = []
    for text in spec.split("+"):
        match = _PART.fullmatch(text.strip())
        if match is None:
            raise UsageError(
                f"--batch {spec!r}: {text!r} is not Q[@C][xN] (37 is a fresh prompt of 37 tokens, "
                "1@100x8 are eight decodes)"
            )
        part = Requests(int(match[1]), int(match[2] or 0), int(match[3] or 1))
        if part.query < 1 or part.count < 1:
            raise UsageError(f"--batch {spec!r}: {text!r} has no tokens")
        if part.query + part.context > _MOST_TOKENS or part.count > _MOST_REQUESTS:
            raise UsageError(f"--batch {spec!r}: {text!r} is too large")
        parts.append(part)
    return Batch(spec, tuple(parts))
