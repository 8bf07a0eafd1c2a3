"""Which mlapath this is, down to its files: what it said counts only while it is the same."""

from __future__ import annotations

import os
from functools import cache
from hashlib import blake2b

from mlapath import __version__
from mlapath.base.stamps import stat_digest


@cache
def own_digest() -> str:
    """A hex digest of the version and of the sizes and times of mlapath's own files.

    An installed release has a version of its own; a checkout that is worked on has not.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    text = f"{__version__} {stat_digest(package, '')}"
    return blake2b(text.encode(), digest_size=16).hexdigest()
