"""``ray``: not running in the process that is analysed."""

from __future__ import annotations

from mlapath.models.api import Library
from mlapath.values.value import V

LIBRARY = Library(functions={"ray.is_initialized": lambda it, a, k: V(False)})
