"""The summaries of the standard library, but for ``enum``, ``dataclasses`` and ``typing``."""

from __future__ import annotations

from mlapath.models import (
    stdlib_abc,
    stdlib_collections,
    stdlib_contextlib,
    stdlib_copy,
    stdlib_functools,
    stdlib_importlib,
    stdlib_itertools,
    stdlib_math,
    stdlib_operator,
    stdlib_os,
    stdlib_platform,
    stdlib_sys,
)
from mlapath.models.api import Library
from mlapath.models.stdlib_general import GENERAL

STDLIB: tuple[Library, ...] = (
    stdlib_functools.LIBRARY,
    stdlib_contextlib.LIBRARY,
    stdlib_abc.LIBRARY,
    stdlib_os.LIBRARY,
    stdlib_sys.LIBRARY,
    stdlib_platform.LIBRARY,
    stdlib_importlib.LIBRARY,
    stdlib_collections.LIBRARY,
    stdlib_operator.LIBRARY,
    stdlib_math.LIBRARY,
    stdlib_itertools.LIBRARY,
    stdlib_copy.LIBRARY,
    *GENERAL,
)
