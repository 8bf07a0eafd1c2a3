"""The summaries of the standard library's general-purpose modules."""

from __future__ import annotations

from mlapath.models import stdlib_inspect, stdlib_logging, stdlib_types
from mlapath.models.api import Library

GENERAL: tuple[Library, ...] = (
    stdlib_logging.LIBRARY,
    stdlib_types.LIBRARY,
    stdlib_inspect.LIBRARY,
)
