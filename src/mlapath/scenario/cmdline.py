"""What stands after ``--``: engine flags, or a whole pasted ``vllm serve`` command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath, PureWindowsPath

from mlapath.base.errors import UsageError

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_PYTHON = re.compile(r"python(\d+(\.\d+)*)?(\.exe)?")
_SERVER_MODULES = (
    "vllm.entrypoints.openai.api_server",
    "vllm.entrypoints.api_server",
)
_CLI_MODULES = ("vllm", "vllm.entrypoints.cli.main")
_LAUNCHERS = (("uv", "run"), ("uvx",), ("poetry", "run"), ("env",), ("nohup",), ("exec",))


@dataclass(frozen=True)
class CommandLine:
    """The parts of a command line.

    ``flags``: the engine flags as vLLM takes them, without the model. ``model``: the model's name
    or folder, None where the line has none. ``env``: the assignments before the command.
    """

    flags: tuple[str, ...] = ()
    model: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)


def split_command_line(tokens: Sequence[str]) -> CommandLine:
    """Split what the user gave after ``--``.

    Understood: bare flags; ``[VAR=x …] vllm serve [MODEL] [flags]``; ``python -m
    vllm.entrypoints.openai.api_server [flags]``; each also as one quoted token, with line
    continuations. ``--model NAME`` is taken out of the flags as vLLM's ``serve`` does: a
    positional model wins over it.

    Raises:
        UsageError: unbalanced quotes, or a command other than these.
    """
    words = _unquote(tokens)
    env, words = _take_env(words)
    words = _after_command(words, pasted=bool(env))
    positional = None
    if words and not words[0].startswith("-"):
        positional, words = words[0], words[1:]
    flags, named = _take_model(words)
    return CommandLine(tuple(flags), positional or named, env)


def _unquote(tokens: Sequence[str]) -> list[str]:
    if len(tokens) != 1 or not re.search(r"\s", tokens[0].strip()):
        return [token for token in tokens if token not in ("\n", "\r\n")]
    text = re.sub(r"\\\r?\n", " ", tokens[0])
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"cannot split the command line after --: {error}") from None


def _take_env(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Take launchers and ``VAR=value`` words off the front."""
    env: dict[str, str] = {}
    while words:
        match = _ASSIGNMENT.fullmatch(words[0])
        launcher = next((n for n in _LAUNCHERS if tuple(words[: len(n)]) == n), None)
        if match is not None:
            env[match[1]] = match[2]
            words = words[1:]
        elif launcher is not None:
            words = words[len(launcher) :]
        else:
            break
    return env, words


def _after_command(words: list[str], *, pasted: bool) -> list[str]:
    """Drop ``vllm serve`` or ``python -m …`` from the front; bare flags pass."""
    if not words or words[0].startswith("-"):
        return words
    program = _program(words[0])
    if program == "vllm":
        return _after_serve(words[1:])
    if _PYTHON.fullmatch(program) and len(words) > 2 and words[1] == "-m":
        if words[2] in _SERVER_MODULES:
            return words[3:]
        if words[2] in _CLI_MODULES:
            return _after_serve(words[3:])
    shown = " ".join(words[:3])
    what = "the pasted command" if pasted else "what follows --"
    raise UsageError(
        f"{what} starts with {shown!r}: expected engine flags, 'vllm serve …' or "
        f"'python -m {_SERVER_MODULES[0]} …'"
    )


def _after_serve(words: list[str]) -> list[str]:
    if not words or words[0] != "serve":
        found = f"'vllm {words[0]}'" if words else "'vllm'"
        raise UsageError(f"{found} is not a server command: only 'vllm serve' lines are read")
    return words[1:]


def _program(word: str) -> str:
    return PureWindowsPath(word).name if "\\" in word else PurePath(word).name


def _take_model(words: Sequence[str]) -> tuple[list[str], str | None]:
    flags: list[str] = []
    model = None
    at = 0
    while at < len(words):
        name, equals, value = words[at].partition("=")
        if name != "--model":
            flags.append(words[at])
        elif equals:
            model = value
        elif at + 1 < len(words):
            at += 1
            model = words[at]
        else:
            raise UsageError("--model has no value")
        at += 1
    return flags, model
