"""Action classes of the tree, as actions of Python's ``argparse``."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mlapath.scenario.engine_flags_statements import PROGRAM_ERRORS
from mlapath.scenario.engine_flags_values import (
    CannotReadError,
    Instance,
    Unread,
)

if TYPE_CHECKING:
    from mlapath.scenario.engine_flags_walker import Walker


def action_class(walker: Walker, action: Any) -> Any:
    """What to give argparse as ``action``; None for the default one.

    A class of the tree that derives from one of argparse's becomes one whose ``__init__`` and
    ``__call__`` are walked. Where they cannot be read it acts as its base does, or stores.
    """
    if action is None or isinstance(action, (str, Unread)):
        return None if isinstance(action, Unread) else action
    if not walker.classes.is_action(action):
        return action
    bases = walker.classes.library_bases(action)
    base = next(b for b in bases if isinstance(b, type) and issubclass(b, argparse.Action))
    return _make(walker, action, base)


def _make(walker: Walker, cls: type, base: type[argparse.Action]) -> type[argparse.Action]:
    class TreeAction(base):  # type: ignore[valid-type,misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            def construct(*given: Any, **named: Any) -> None:
                base.__init__(self, *given, **named)

            # the attributes that the tree's code sets are the action's own
            self._mlapath = Instance(cls, self.__dict__, {"__init__": construct})
            own = walker.classes.find(cls, "__init__")
            try:
                if own is None:
                    construct(*args, **kwargs)
                else:
                    method = walker.get(self._mlapath, "__init__")
                    walker.call(method, args, kwargs)
            except (CannotReadError, *PROGRAM_ERRORS):
                construct(*args, **kwargs)

        def __call__(
            self, parser: Any, namespace: Any, values: Any, option_string: str | None = None
        ) -> None:
            own = walker.classes.find(cls, "__call__")
            if own is not None:
                try:
                    method = walker.get(self._mlapath, "__call__")
                    walker.call(method, (parser, namespace, values, option_string), {})
                except (CannotReadError, *PROGRAM_ERRORS):
                    own = None
                else:
                    return
            if base is argparse.Action:
                setattr(namespace, self.dest, values)
            else:
                base.__call__(self, parser, namespace, values, option_string)

    return TreeAction


def replaced_actions(walker: Walker, parser_class: Any) -> Mapping[Any, Any]:
    """The actions that the parser's constructor puts in place of argparse's own.

    Read from its ``self.register("action", argparse's, its own)`` calls.
    """
    found: dict[Any, Any] = {}

    def register(kind: Any, key: Any, value: Any) -> None:
        if kind == "action":
            found[key] = value

    ignore = {"__init__": lambda *_a, **_k: None, "register": register}
    if parser_class is not None and walker.classes.find(parser_class, "__init__") is not None:
        instance = Instance(parser_class, {}, ignore)
        walker.call(walker.get(instance, "__init__"), (), {})
    return found
