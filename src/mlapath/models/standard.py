"""CPython's own modules that summaries compute with, imported when the first one is needed."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any


@functools.cache
def modules() -> dict[str, ModuleType]:
    """The modules by name."""
    import base64
    import binascii
    import difflib
    import fnmatch
    import hashlib
    import html
    import shlex
    import statistics
    import string
    import struct
    import textwrap
    import unicodedata
    import urllib.parse
    import uuid
    import zlib

    found = (base64, binascii, difflib, fnmatch, hashlib, html, shlex, statistics, string, struct,
             textwrap, unicodedata, urllib.parse, uuid, zlib)  # fmt: skip
    return {module.__name__: module for module in found}


def late(module: str, name: str) -> Callable[..., Any]:
    """The function ``module.name``; the module is imported when it is called."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(modules()[module], name)(*args, **kwargs)

    return call
