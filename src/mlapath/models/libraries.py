"""Every library that has a summary."""

from __future__ import annotations

from mlapath.models.api import Library

LIBRARIES: tuple[Library, ...] = ()
