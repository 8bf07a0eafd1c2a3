"""Every library that has a summary."""

from __future__ import annotations

from mlapath.models import (
    driver_api,
    pydantic,
    stdlib_collections_abc,
    stdlib_dataclasses,
    stdlib_enum,
    stdlib_typing,
    transformers,
)
from mlapath.models.api import Library
from mlapath.models.stdlib import STDLIB
from mlapath.models.third_party import THIRD_PARTY

LIBRARIES: tuple[Library, ...] = (
    driver_api.LIBRARY,
    transformers.LIBRARY,
    *STDLIB,
    stdlib_enum.LIBRARY,
    stdlib_dataclasses.LIBRARY,
    stdlib_typing.LIBRARY,
    stdlib_collections_abc.LIBRARY,
    pydantic.LIBRARY,
    *THIRD_PARTY,
)
