"""The ``add_argument`` calls of the tree, caught as they are walked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlapath.scenario.engine_flags_values import REST, Host, Unread

if TYPE_CHECKING:
    from mlapath.scenario.engine_flags_walker import Walker


@dataclass(frozen=True)
class Argument:
    """One ``add_argument(*names, **options)``.

    ``at``: path and line of the call. ``why_unread``: why options are missing, else None.
    """

    names: tuple[str, ...]
    options: Mapping[str, Any]
    at: tuple[str, int]
    why_unread: str | None = None

    @property
    def positional(self) -> bool:
        """Whether it is a word without a flag."""
        return not self.names[0].startswith("-")

    @property
    def dest(self) -> str:
        """The attribute that argparse stores the value in."""
        chosen = self.options.get("dest")
        if isinstance(chosen, str):
            return chosen
        long = [name for name in self.names if name.startswith("--")]
        return (long or self.names)[0].lstrip("-").replace("-", "_")


class Collector(Host):
    """Takes the place of the parser, and of every group in it."""

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._arguments: list[Argument] = []

    def add_argument(self, *names: Any, **options: Any) -> None:
        """Note an argument. One whose names are not known is noted as passed over."""
        at = self._walker.at
        texts = [name for name in names if isinstance(name, str)]
        if len(texts) < len(names) or not (texts or isinstance(options.get("dest"), str)):
            self._walker.skipped.append(f"{at[0]}:{at[1]}: an argument whose name is not known")
            return
        rest = options.pop(REST, None)
        why = rest.why if isinstance(rest, Unread) else None
        self._arguments.append(Argument(tuple(texts), options, at, why))

    def add_argument_group(self, *_args: Any, **_options: Any) -> Collector:
        """Groups only order the help text."""
        return self

    add_mutually_exclusive_group = add_argument_group

    def set_defaults(self, **_values: Any) -> None:
        """Defaults are the engine's business."""


def arguments_of(collector: Collector) -> tuple[Argument, ...]:
    """What was collected, in order."""
    return tuple(collector._arguments)  # noqa: SLF001 - private to the tree's code, not to us
