"""Every library that has a summary."""

from __future__ import annotations

from mlapath.models import (
    stdlib_dataclasses,
    stdlib_enum,
    stdlib_typing,
)
from mlapath.models.api import Library
from mlapath.models.stdlib import STDLIB
from mlapath.models.third_party import THIRD_PARTY

LIBRARIES: tuple[Library, ...] = (
    *STDLIB,
    stdlib_enum.LIBRARY,
    stdlib_dataclasses.LIBRARY,
    stdlib_typing.LIBRARY,
    *THIRD_PARTY,
)
