"""A parser of Python's own ``argparse`` from the arguments that the tree adds.

So prefixes of flags, ``--flag=value``, ``nargs``, negative numbers and the like are what they
are in vLLM. Values are converted and checked by the tree's own functions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from mlapath.base.errors import UsageError
from mlapath.base.nearest import did_you_mean
from mlapath.base.short import shorten
from mlapath.scenario.engine_flags_actions import action_class
from mlapath.scenario.engine_flags_collect import Argument
from mlapath.scenario.engine_flags_statements import PROGRAM_ERRORS
from mlapath.scenario.engine_flags_values import CannotReadError, Foreign, Unread

if TYPE_CHECKING:
    from mlapath.scenario.engine_flags_walker import Walker

MAX_CHOICES = 40
_BUILTIN_NAMES: Mapping[type, str] = MappingProxyType({int: "an integer", float: "a number"})


class FlagParser(argparse.ArgumentParser):
    """Raises UsageError instead of leaving the process."""

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print."""
        raise UsageError(f"engine flags: {' '.join(message.removeprefix('argument ').split())}")

    def spellings(self) -> tuple[str, ...]:
        """Every spelling of every flag."""
        return tuple(self._option_string_actions)


def build_parser(
    walker: Walker, arguments: Sequence[Argument], actions: Mapping[Any, Any], notes: list[str]
) -> FlagParser:
    """The parser; what is used of unread options is told in ``notes`` while it parses.

    ``actions``: action classes that the tree's parser puts in place of argparse's.
    """
    parser = FlagParser(
        prog="engine flags", add_help=False, argument_default=argparse.SUPPRESS,
        conflict_handler="resolve",
    )  # fmt: skip
    for argument in arguments:
        options = {
            name: value
            for name, value in argument.options.items()
            if name in ("nargs", "const", "dest") and not isinstance(value, Unread)
        }
        action = argument.options.get("action")
        action = actions.get(action, action)
        chosen = action_class(walker, action)
        if chosen is not None:
            options["action"] = chosen
        if _takes_value(chosen):
            options["type"] = _converter(walker, argument, notes)
        else:
            options.pop("nargs", None)
        if argument.positional:
            options.pop("dest", None)
        parser.add_argument(*argument.names, **options)
    return parser


def _takes_value(action: Any) -> bool:
    if isinstance(action, str):
        return action in ("store", "append", "extend")
    return not (isinstance(action, type) and issubclass(action, argparse.BooleanOptionalAction))


def _converter(walker: Walker, argument: Argument, notes: list[str]) -> Callable[[str], Any]:
    """What turns a word into the value, checks it, and words the error."""
    flag = max(argument.names, key=len)
    convert = argument.options.get("type", str)
    choices = _known_choices(argument.options.get("choices"))
    if isinstance(convert, Foreign):
        convert = Unread(f"the type is {convert.name}")

    def converted(text: str) -> Any:
        why = argument.why_unread
        value: Any = text
        if isinstance(convert, Unread):
            why = convert.why
        elif isinstance(argument.options.get("action"), Unread):
            why = argument.options["action"].why
        elif why is None:
            try:
                value = walker.call(convert, (text,), {})
            except CannotReadError as error:
                why = str(error)
            except PROGRAM_ERRORS as error:
                raise UsageError(_wrong(flag, text, convert, choices, error)) from None
        if isinstance(value, Unread):
            value, why = text, value.why
        if why is not None or isinstance(choices, Unread):
            reason = why or getattr(choices, "why", "")
            notes.append(f"{flag}: this vLLM's check of the value could not be read ({reason})")
        elif choices is not None and value not in choices:
            raise UsageError(_wrong(flag, text, convert, choices, None))
        return value

    return converted


def _known_choices(choices: Any) -> Any:
    """The choices; unread if one of them is."""
    parts = choices if isinstance(choices, (list, tuple, set)) else [choices]
    for part in parts:
        if isinstance(part, Unread):
            return part
        if isinstance(part, Foreign):
            return Unread(f"a choice is {part.name}")
    return choices


def _wrong(flag: str, text: str, convert: Any, choices: Any, error: BaseException | None) -> str:
    shown = shorten(text)
    if isinstance(choices, (list, tuple, set)) and choices:
        names = [str(choice) for choice in choices if choice is not None]
        more = f" and {len(names) - MAX_CHOICES} more" if len(names) > MAX_CHOICES else ""
        listed = ", ".join(names[:MAX_CHOICES])
        return f"{flag} {shown!r}: choose from {listed}{more}{did_you_mean(text, names)}"
    first = error
    while first is not None and first.__cause__ is not None:
        first = first.__cause__  # what the tree's own function met, before it was reworded
    if isinstance(first, json.JSONDecodeError):
        return f"{flag} {shown!r}: not JSON: {first}"
    for kind, name in _BUILTIN_NAMES.items():
        if convert is kind or str(kind) in str(error) or f" {kind.__name__}()" in str(error):
            return f"{flag} {shown!r}: not {name}"
    return f"{flag} {shown!r}: {shorten(' '.join(str(error).split()), 200)}"
