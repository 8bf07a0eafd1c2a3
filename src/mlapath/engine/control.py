"""Control flow of the analysed program: frames, flows, raised exceptions, pending alternatives."""

from __future__ import annotations

from typing import Any, NamedTuple

from mlapath.values.heap import Delta, Mark, Saved
from mlapath.values.objects import Cell, ClassObj, FuncObj, ModuleObj
from mlapath.values.origin import Origin, Pos
from mlapath.values.truth import Truth
from mlapath.values.value import V


class Flow(NamedTuple):
    """How a block ended other than by falling through: ``return break continue``."""

    kind: str
    value: V | None = None


BREAK = Flow("break")
CONTINUE = Flow("continue")


class PyRaise(Exception):  # noqa: N818 - it is the analysed program's exception, not an error
    """The analysed program certainly raises here.

    explicit: by ``raise`` or ``assert``, or because an object that is all the tree's lacks an
    attribute; not by another operation that failed.
    possible: only what an operation may raise; the program goes on without it, too.
    feared: that, or what handling that raises.
    parts: those that were joined, where it is one of several.
    """

    def __init__(self, exc: V, path: str, pos: Pos | None, stack: tuple[str, ...] = ()) -> None:
        super().__init__(repr(exc))
        self.exc = exc
        self.path = path
        self.pos = pos
        self.stack = stack
        self.cause: PyRaise | None = None
        self.guards: tuple[Guard, ...] | None = None  # under which it is raised, once it is known
        self.control: Origin | None = None  # the guards that led here
        self.explicit = False
        self.parts: tuple[PyRaise, ...] = ()
        self._possible = False
        self._feared = False

    @property
    def possible(self) -> bool:
        return all(part.possible for part in self.parts) if self.parts else self._possible

    @possible.setter
    def possible(self, value: bool) -> None:
        self._possible = value

    @property
    def feared(self) -> bool:
        if self.parts:
            return all(part.feared for part in self.parts)
        return self._feared or self._possible

    @feared.setter
    def feared(self, value: bool) -> None:
        self._feared = value


class Abandon(Exception):  # noqa: N818 - control flow, not an error
    """The analysed program leaves a generator at a yield.

    Its consumer (``owner``) needs no more items and goes on with ``outcome``.
    """

    def __init__(self, owner: object, outcome: Outcome) -> None:
        super().__init__()
        self.owner = owner
        self.outcome = outcome


class Try:
    """An active try.

    classes: what its handlers name; None catches everything. opaque: whether what code that is
    not looked into may raise is of interest. pending: by what is raised, the alternative in
    which an operation of its body raised that; one stands for all of them.
    """

    __slots__ = ("classes", "opaque", "pending")

    def __init__(self, classes: list[V | None], *, opaque: bool) -> None:
        self.classes = classes
        self.opaque = opaque
        self.pending: dict[str, Pending] = {}


class Outcome(NamedTuple):
    """How an alternative ended: ``normal return break continue raise abandon``."""

    kind: str
    value: Any = None


NORMAL = Outcome("normal")


class Guard(NamedTuple):
    """A guard whose outcome is not known, and the side that the code at hand is on."""

    path: str
    pos: Pos
    text: str
    side: bool
    origin: Origin | None


class Pending(Saved):
    """An alternative that left the straight path, kept until its target joins it.

    guard: the entry of the frame's guards that says that the code at hand runs only where this
    alternative was not taken. frame: where it is pending. born: the clock when it was made.
    target: the try that it is for; None: any.
    """

    __slots__ = ("born", "frame", "guard", "outcome", "target")

    def __init__(
        self, outcome: Outcome, delta: Delta, mark: Mark, guard: Guard | None = None
    ) -> None:
        super().__init__(mark, delta)
        self.outcome = outcome
        self.guard = guard
        self.frame: Frame | None = None
        self.born = mark[1]
        self.target: Try | None = None


class Frame:
    """One activation of a function, class body, comprehension or module.

    kind: ``function class comp module``; only names of functions and comprehensions are seen
    from the functions inside them. outlived: something that was made here may see its names
    when it has ended. operands: for each ``and``/``or`` (by its position), the
    truths that the operands of its last evaluation had, as far as they were evaluated.
    """

    __slots__ = (
        "closure", "control", "func", "globals_", "guards", "handled", "kind", "locals", "module",
        "nonlocals", "on_yield", "operands", "outlived", "owner", "parent", "passed", "path",
        "pending", "pos", "self_",
    )  # fmt: skip

    def __init__(
        self,
        module: ModuleObj,
        locals_: Cell,
        closure: tuple[Cell, ...] = (),
        func: FuncObj | None = None,
        parent: Frame | None = None,
        kind: str = "",
    ) -> None:
        self.kind = kind or ("module" if locals_ is module.ns else "function")
        self.module = module
        self.path = module.path
        self.locals = locals_
        self.closure = closure
        self.func = func
        self.owner: ClassObj | None = func.owner if func is not None else None
        self.self_: V | None = None
        self.parent = parent
        self.pos: Pos | None = None
        self.control: Origin | None = None
        self.passed: list[Origin] = []  # the guards decided last, for what rests on their skipping
        self.guards: list[Guard] = []
        self.pending: list[Pending] = []
        self.on_yield: Any = None
        self.outlived = False
        self.handled: PyRaise | None = None
        self.globals_: frozenset[str] = frozenset()
        self.nonlocals: frozenset[str] = frozenset()
        self.operands: dict[Pos, tuple[Truth, ...]] = {}

    @property
    def visible(self) -> tuple[Cell, ...]:
        """The scopes that functions and comprehensions made here see, innermost first."""
        if self.kind in ("function", "comp"):
            return (self.locals, *self.closure)
        return self.closure

    def captured(self) -> tuple[Cell, ...]:
        """``visible``, for what may be run when this activation has ended."""
        frame: Frame = self
        frame.outlived = True
        while frame.kind == "comp" and frame.parent is not None:
            frame = frame.parent
            frame.outlived = True
        return self.visible

    @property
    def name(self) -> str:
        """``module.qualname`` of the function, or of the module."""
        return self.func.full if self.func is not None else self.module.name

    def stack(self) -> tuple[str, ...]:
        """``path:line name`` of the active frames, innermost first."""
        lines: list[str] = []
        frame: Frame | None = self
        while frame is not None:
            line = frame.pos[0] if frame.pos else 0
            lines.append(f"{frame.path}:{line} {frame.name}")
            frame = frame.parent
        return tuple(lines)
