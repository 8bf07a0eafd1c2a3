"""The machine that the analysed program runs on, where the facts say nothing else.

The facts may offer ``python`` (major, minor, micro), ``machine`` (``platform.machine()``),
``platform`` (``sys.platform``) and ``argv``; what they do not offer is assumed to be as here.
"""

from __future__ import annotations

from typing import Any

from mlapath.values.origin import Origin
from mlapath.values.value import V

PYTHON = (3, 12, 0)
"""The version of the interpreter that runs the analysed program."""
MACHINE = "x86_64"
PLATFORM = "linux"
ARGV = ("vllm", "serve")
UNAME = {"node": "localhost", "release": "6.8.0", "version": "#1 SMP PREEMPT_DYNAMIC"}
"""What else ``uname`` says: a plain Linux kernel, not one inside another system."""


def python(it: Any) -> tuple[int, int, int]:
    """Version of the interpreter."""
    version: tuple[int, int, int] = getattr(it.facts, "python", PYTHON)
    return version


def machine(it: Any) -> V:
    """The processor architecture."""
    return _fact(it, "machine", MACHINE)


def platform(it: Any) -> V:
    """``sys.platform``."""
    return _fact(it, "platform", PLATFORM)


def system(it: Any) -> V:
    """``platform.system()``."""
    name = platform(it)
    names = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}
    return V(names.get(name.d, name.d), name.o)


def uname(it: Any, name: str) -> V:
    """``node``, ``release`` or ``version`` of the system."""
    return V(UNAME[name], Origin("default", label=f"host:{name}", value=UNAME[name]))


def argv(it: Any) -> tuple[str, ...]:
    """The command line of the process."""
    words: tuple[str, ...] = getattr(it.facts, "argv", ARGV)
    return words


def _fact(it: Any, name: str, default: str) -> V:
    value: str = getattr(it.facts, name, default)
    return V(value, Origin("default", label=f"host:{name}", value=value))
