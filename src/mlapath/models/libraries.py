"""Every library that has a summary."""

from __future__ import annotations

from mlapath.models import (
    stdlib_enum,
    stdlib_functools,
)
from mlapath.models.api import Library

LIBRARIES: tuple[Library, ...] = (
    stdlib_functools.LIBRARY,
    stdlib_enum.LIBRARY,
)
