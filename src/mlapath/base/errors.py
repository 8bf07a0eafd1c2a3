"""Every error a user can meet, each with the exit code of the command contract."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of the command contract."""

    OK = 0
    GATE_FAILED = 1
    USAGE = 2
    INCOMPLETE = 3
    INTERNAL = 4


class MlapathError(Exception):
    """An error with one clear line for the user: what, where, what to do."""

    exit_code = ExitCode.USAGE


class UsageError(MlapathError):
    """A wrong option, device, flag or target name."""


class ConfigError(MlapathError):
    """A model configuration that cannot be read."""


class TreeError(MlapathError):
    """A vLLM source tree that cannot be found, fetched or read."""


class NetworkError(TreeError):
    """The package index cannot be reached."""
