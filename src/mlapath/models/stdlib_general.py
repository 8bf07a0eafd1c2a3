"""The summaries of the standard library's general-purpose modules."""

from __future__ import annotations

from mlapath.models import stdlib_logging
from mlapath.models.api import Library

GENERAL: tuple[Library, ...] = (stdlib_logging.LIBRARY,)
