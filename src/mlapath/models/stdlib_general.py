"""The summaries of the standard library's general-purpose modules."""

from __future__ import annotations

from mlapath.models import (
    stdlib_argparse,
    stdlib_ast,
    stdlib_asyncio,
    stdlib_files,
    stdlib_inspect,
    stdlib_io,
    stdlib_json,
    stdlib_logging,
    stdlib_numbers,
    stdlib_pathlib,
    stdlib_processes,
    stdlib_random,
    stdlib_re,
    stdlib_text,
    stdlib_threading,
    stdlib_time,
    stdlib_types,
    stdlib_warnings,
    stdlib_weakref,
)
from mlapath.models.api import Library

GENERAL: tuple[Library, ...] = (
    stdlib_logging.LIBRARY,
    stdlib_types.LIBRARY,
    stdlib_inspect.LIBRARY,
    stdlib_json.LIBRARY,
    stdlib_re.LIBRARY,
    stdlib_io.LIBRARY,
    stdlib_pathlib.LIBRARY,
    stdlib_warnings.LIBRARY,
    stdlib_text.LIBRARY,
    stdlib_numbers.LIBRARY,
    stdlib_time.LIBRARY,
    stdlib_random.LIBRARY,
    stdlib_threading.LIBRARY,
    stdlib_asyncio.LIBRARY,
    stdlib_weakref.LIBRARY,
    stdlib_processes.LIBRARY,
    stdlib_files.LIBRARY,
    stdlib_ast.LIBRARY,
    stdlib_argparse.LIBRARY,
)
