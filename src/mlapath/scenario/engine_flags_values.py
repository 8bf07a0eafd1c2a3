"""What the flag reader computes with, beside plain Python values and ``typing`` forms.

Classes of the analysed tree are represented by *stand-ins*: empty Python classes of the same
name, module and bases, so that ``typing`` itself does the algebra of annotations. Nothing of the
tree is ever run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from mlapath.ir.nodes import ClassDef, Params, Stmt
    from mlapath.scenario.engine_flags_scopes import Scope


REST = "**"
"""The keyword under which a call passes on a ``**mapping`` that is not known."""


class CannotReadError(Exception):
    """The reader met something beyond it; the message says what and where."""


@dataclass(frozen=True, eq=False)
class Unread:
    """A value that is not known, and why. It has no truth and equals nothing."""

    why: str

    def __bool__(self) -> NoReturn:
        raise CannotReadError(self.why)

    def __eq__(self, other: object) -> NoReturn:
        raise CannotReadError(self.why)

    def __iter__(self) -> NoReturn:
        raise CannotReadError(self.why)

    __hash__ = object.__hash__


@dataclass(frozen=True)
class Foreign:
    """A name of a library that is not part of the tree, such as ``torch.dtype``."""

    name: str


@dataclass(frozen=True)
class ModuleRef:
    """A module of the tree, by its dotted name."""

    name: str


@dataclass(eq=False)
class Frame:
    """The names of one function call, over those of the enclosing functions and the module.

    ``line``: where a statement of the module itself is evaluated; it sees what is bound before.
    """

    scope: Scope
    names: dict[str, Any] = field(default_factory=dict)
    parent: Frame | None = None
    owner: ClassInfo | None = None
    me: Any = None
    line: int | None = None


@dataclass(frozen=True, eq=False)
class Function:
    """A function or lambda of the tree; ``defaults`` by parameter name."""

    name: str
    scope: Scope
    params: Params
    body: Sequence[Stmt]
    defaults: Mapping[str, Any]
    doc: str | None = None
    closure: Frame | None = None
    owner: ClassInfo | None = None
    is_generator: bool = False


@dataclass(frozen=True, eq=False)
class Bound:
    """A method with its receiver."""

    function: Function
    receiver: Any


@dataclass(frozen=True, eq=False)
class ClassInfo:
    """What is known of a stand-in: where it is defined, and its bases (stand-ins and names)."""

    name: str
    scope: Scope
    node: ClassDef
    bases: tuple[Any, ...]


@dataclass(eq=False)
class Instance:
    """An object of a tree's class that the reader itself made.

    ``base``: the methods of the library class below, by name.
    """

    cls: type
    attrs: dict[str, Any]
    base: Mapping[str, Callable[..., Any]]


@dataclass(frozen=True, eq=False)
class Super:
    """``super()`` in a method of ``owner`` called on ``receiver``."""

    owner: ClassInfo
    receiver: Any


class Host:
    """Base of the reader's own objects whose public attributes the tree's code may use."""
