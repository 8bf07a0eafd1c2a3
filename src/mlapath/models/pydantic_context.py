"""What the validation of one input carries along: configuration, mode, and doubts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mlapath.models.class_tools import library_class
from mlapath.models.pydantic_errors import NAME, Line, make_error
from mlapath.values.objects import DictObj
from mlapath.values.truth import Truth
from mlapath.values.value import V


@dataclass(frozen=True)
class Config:
    """The part of ``ConfigDict`` that decides anything."""

    extra: str = "ignore"
    arbitrary: bool = False
    frozen: bool = False
    validate_assignment: bool = False
    validate_default: bool = False
    by_name: bool = False
    strict: bool = False


FLAGS = {
    "arbitrary": "arbitrary_types_allowed", "frozen": "frozen",
    "validate_assignment": "validate_assignment", "validate_default": "validate_default",
    "by_name": "populate_by_name", "strict": "strict",
}  # fmt: skip


def config_from(it: Any, value: V | None, base: Config | None = None) -> Config:
    """Read a ``ConfigDict`` (None: the defaults)."""
    found: dict[str, Any] = dict(vars(base)) if base is not None else {}
    if value is None or type(value.d) is not DictObj:
        return Config(**found)
    given = {k.d: v for k, v in it.mapping_items(value) if type(k.d) is str}
    extra = given.get("extra")
    if extra is not None and type(extra.d) is str:
        found["extra"] = extra.d
    for name, key in FLAGS.items():
        if key in given:
            found[name] = it.truth(given[key]) is Truth.TRUE
    return Config(**found)


Check = Callable[["Context", V, V], V]


@dataclass
class Context:
    """One validation.

    run: ``(context, type, value) -> value``, the check of a value against a type.
    maybe: faults of which it is not known whether they happen.
    unsure: a value or a type is not known, so that any fault may happen.
    """

    it: Any
    config: Config
    run: Check
    strict: bool = False
    maybe: list[Line] = field(default_factory=list)
    unsure: bool = False

    def check(self, tp: V, value: V) -> V:
        """The validated value; raises Invalid."""
        return self.run(self, tp, value)

    def trial(self, *, strict: bool) -> Context:
        """A context for trying one option of a union."""
        return Context(self.it, self.config, self.run, strict)

    def within(self, config: Config) -> Context:
        """The same validation inside a class with a configuration of its own."""
        inner = Context(self.it, config, self.run, self.strict)
        inner.maybe = self.maybe
        return inner

    def accept(self, other: Context) -> None:
        """Take over what is in doubt in ``other``."""
        if other.maybe is not self.maybe:
            self.maybe.extend(other.maybe)
        self.unsure = self.unsure or other.unsure


def raise_error(it: Any, title: str, lines: tuple[Line, ...]) -> None:
    """Raise ValidationError in the program; its cause is what the program's validator raised."""
    raised = it.make_raise(make_error(it, title, lines))
    inner = next((line.raised for line in lines if line.raised is not None), None)
    raised.cause = None if inner is None else it.raises.get(inner.d)
    raise raised


def settle(ctx: Context, title: str) -> None:
    """An input may have faults after all: keep that alternative where a handler would see it."""
    it = ctx.it
    if not ctx.maybe and not ctx.unsure:
        return
    caught = it.tries and it.may_be_caught(it.make_raise(V(it.new_instance(
        library_class(it, NAME)))))  # fmt: skip
    if not ctx.maybe and not caught:
        return
    raised = it.make_raise(make_error(it, title, tuple(ctx.maybe)))
    if ctx.maybe:
        raised.guards = tuple(it.frame.guards)
        it.trace.refusal(raised)
    if caught:
        it.leave_pending_with(raised)
