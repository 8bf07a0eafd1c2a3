"""Every library that has a summary."""

from __future__ import annotations

from mlapath.models import (
    driver_api,
    huggingface_hub,
    msgspec,
    pydantic,
    ray,
    stdlib_collections_abc,
    stdlib_dataclasses,
    stdlib_enum,
    stdlib_fnmatch,
    stdlib_shutil,
    stdlib_typing,
    transformers,
    vllm_process,
    vllm_unset,
)
from mlapath.models.api import Library
from mlapath.models.stdlib import STDLIB
from mlapath.models.third_party import THIRD_PARTY

LIBRARIES: tuple[Library, ...] = (
    driver_api.LIBRARY,
    transformers.LIBRARY,
    huggingface_hub.LIBRARY,
    vllm_process.LIBRARY,
    vllm_unset.LIBRARY,
    *STDLIB,
    stdlib_enum.LIBRARY,
    stdlib_fnmatch.LIBRARY,
    stdlib_dataclasses.LIBRARY,
    stdlib_shutil.LIBRARY,
    stdlib_typing.LIBRARY,
    pydantic.LIBRARY,
    ray.LIBRARY,
    msgspec.LIBRARY,
    stdlib_collections_abc.LIBRARY,
    *THIRD_PARTY,
)
