"""Heap objects: everything with identity or state.

All state is in ``Cell``s, which the heap's undo log can restore.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.values.value import V


class Cell(dict[Any, Any]):
    """A dict whose writes are logged.

    born: the heap's clock when it was made. fresh: of a list, when its items were last copied.
    bound: of a function's locals, the names that are local to it. weak: of an object that stands
    for several ones; writes add to what it holds. mixed: of a dict, its keys may stand in another
    order. dropped: keys that were deleted while a mark was open.
    """

    __slots__ = ("born", "bound", "dropped", "fresh", "mixed", "weak")

    born: int
    fresh: int
    bound: frozenset[str]
    weak: bool
    mixed: bool
    dropped: frozenset[Any]


class Obj:
    """Base of heap objects. ``shared``: no copy of it is ever needed."""

    __slots__ = ()
    shared = False


class ModuleObj(Obj):
    """An imported module of the tree (``path``) or a modelled one (``path`` "")."""

    __slots__ = ("name", "ns", "path", "state")
    shared = True

    def __init__(self, name: str, ns: Cell, path: str = "") -> None:
        self.name = name
        self.ns = ns
        self.path = path
        self.state = "new"  # new | running | done | failed

    def __repr__(self) -> str:
        return f"<module {self.name}>"


class ClassObj(Obj):
    """A class.

    ``bases``/``mro`` hold ClassObj. ``foreign`` names a base outside the tree whose
    attributes are not known: a missing attribute of such a class is unknown, not an error.
    ``payload`` is the Python type whose values instances carry (str, int, dict, …), or None.
    """

    __slots__ = (
        "attrs", "bases", "facts", "foreign", "meta", "module", "mro", "name", "node", "ns",
        "path", "payload", "qualname",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        qualname: str,
        module: str,
        bases: tuple[ClassObj, ...],
        ns: Cell,
        *,
        meta: ClassObj | None = None,
        foreign: str = "",
        payload: type | None = None,
        path: str = "",
        node: object = None,
    ) -> None:
        self.name = name
        self.qualname = qualname
        self.module = module
        self.bases = bases
        self.mro: tuple[ClassObj, ...] = (self,)
        self.ns = ns
        self.meta = meta
        self.foreign = foreign
        self.payload = payload
        self.path = path
        self.node = node
        self.facts: dict[str, Any] = {}  # e.g. "dataclass" -> fields; fixed once the class is made

    @property
    def full(self) -> str:
        """``module.qualname``."""
        return f"{self.module}.{self.qualname}"

    def __repr__(self) -> str:
        return f"<class {self.full}>"


class Instance(Obj):
    """An instance of a class of the tree or of a modelled class.

    ``payload``: the Python-level content (ListObj, DictObj, str, …) of a subclass of a
    builtin; ``open``: attributes that are not there are unknown rather than missing.
    """

    __slots__ = ("attrs", "cls", "open", "payload", "site")

    def __init__(self, cls: ClassObj, attrs: Cell, payload: Any = None) -> None:
        self.cls = cls
        self.attrs = attrs
        self.payload = payload
        self.open = ""
        self.site: object = None

    def __repr__(self) -> str:
        return f"<{self.cls.name} instance>"


class FuncObj(Obj):
    """A function or lambda of the tree, with its closure and evaluated defaults."""

    __slots__ = (
        "attrs", "bound", "closure", "defaults", "kwdefaults", "module", "node", "owner",
        "qualname",
    )  # fmt: skip

    def __init__(
        self,
        node: Any,
        module: ModuleObj,
        closure: tuple[Cell, ...],
        defaults: tuple[V, ...],
        kwdefaults: dict[str, V],
        qualname: str,
        attrs: Cell,
    ) -> None:
        self.node = node
        self.module = module
        self.closure = closure
        self.defaults = defaults
        self.kwdefaults = kwdefaults
        self.qualname = qualname
        self.attrs = attrs
        self.owner: ClassObj | None = None
        scope = getattr(node, "scope", None)
        self.bound: frozenset[str] = frozenset() if scope is None else frozenset(scope.bound)

    @property
    def full(self) -> str:
        """``module.qualname``."""
        return f"{self.module.name}.{self.qualname}"

    def __repr__(self) -> str:
        return f"<function {self.full}>"


class Native(Obj):
    """A function summarised in Python: ``fn(engine, args, kwargs) -> V``.

    ``binds``: found on a class it becomes a bound method. ``opens``: it takes a fourth argument,
    why there may be more arguments than given (""), and is called even then. ``attrs``: what was
    set on it; ``__wrapped__`` in it is the function that it hands its calls to. ``passes``: it
    keeps or hands on its arguments, and does nothing that depends on a text or number in them.
    """

    __slots__ = ("attrs", "binds", "fn", "name", "opens", "passes")

    def __init__(
        self, name: str, fn: Callable[..., V], *, binds: bool = False, opens: bool = False,
        passes: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        self.fn = fn
        self.binds = binds
        self.opens = opens
        self.passes = passes
        self.attrs: Cell | None = None

    def __repr__(self) -> str:
        return f"<native {self.name}>"


class BoundMethod(Obj):
    """``func`` (FuncObj, Native or any callable V) with its first argument."""

    __slots__ = ("func", "self_")

    def __init__(self, func: Any, self_: V) -> None:
        self.func = func
        self.self_ = self_

    def __repr__(self) -> str:
        return f"<bound {self.func!r}>"


class Descriptor(Obj):
    """``kind``: ``property cached_property staticmethod classmethod``."""

    __slots__ = ("fdel", "fget", "fset", "kind")

    def __init__(self, kind: str, fget: V, fset: V | None = None, fdel: V | None = None) -> None:
        self.kind = kind
        self.fget = fget
        self.fset = fset
        self.fdel = fdel


class SuperObj(Obj):
    """``super(cls, self)``."""

    __slots__ = ("cls", "self_")

    def __init__(self, cls: ClassObj, self_: V) -> None:
        self.cls = cls
        self.self_ = self_


class SliceObj(Obj):
    """A slice with abstract bounds."""

    __slots__ = ("lower", "step", "upper")

    def __init__(self, lower: V, upper: V, step: V) -> None:
        self.lower = lower
        self.upper = upper
        self.step = step


class MayHold(str):
    """Why the content of a list is not fully known, where all that it may hold is known.

    extra: what may be there or not, in whatever place, besides the items. certain: the items are
    certainly there; else they, too, may be there or not, any number of them in any order.
    """

    __slots__ = ("certain", "extra")
    certain: bool
    extra: tuple[V, ...]

    @staticmethod
    def of(why: str, extra: tuple[V, ...], *, certain: bool = True) -> MayHold:
        """``why`` with what may be there."""
        made = MayHold(why)
        made.extra = extra
        made.certain = certain
        return made


class ListObj(Obj):
    """``cell["items"]``: a Python list of V, in order.

    ``cell["open"]``: why the content is not fully known, or ""; where it is no ``MayHold``, the
    list may hold anything, and the items are no more than hints.
    """

    __slots__ = ("cell",)

    def __init__(self, cell: Cell) -> None:
        self.cell = cell

    @property
    def items(self) -> list[V]:
        """The known items, in order."""
        items: list[V] = self.cell["items"]
        return items

    @property
    def open(self) -> str:
        """Why the content is not fully known, or ""."""
        why: str = self.cell.get("open", "")
        return str(why)

    @property
    def extra(self) -> tuple[V, ...] | None:
        """What may be in the list besides its items, which are certain then; None: anything."""
        why = self.cell.get("open", "")
        if type(why) is MayHold:
            return why.extra if why.certain else None
        return None if why else ()

    def __repr__(self) -> str:
        return f"<list {self.cell.get('items')!r}>"


class DictObj(Obj):
    """``data`` maps a hashable key to ``(key V, value V)``; ``OPEN`` in it: more may be there.

    ``kind``: ``dict set frozenset defaultdict``; of a set only the keys count. ``of``: the
    namespace whose content it shows (``obj.__dict__``), to which writes are passed on.
    """

    __slots__ = ("attrs", "data", "default", "kind", "of")

    def __init__(self, data: Cell, kind: str = "dict", default: V | None = None) -> None:
        self.data = data
        self.kind = kind
        self.default = default
        self.of: Cell | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {list(self.data)!r}>"


class OpenKey:
    """The key under which a dict keeps why its content is not fully known."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "OPEN"


OPEN = OpenKey()


class GeneratorObj(Obj):
    """A generator that has not run yet, or its collected items.

    ``run(on_yield)`` runs the body, calling ``on_yield(V) -> V`` at each yield. ``cell``:
    "items" and "open" as of a list once it has run, "next": index, "left": it may have been left
    before its end. ``expression``: it is a generator expression. ``anew``: what runs the body from
    its beginning once more, where that is possible.
    """

    __slots__ = ("anew", "cell", "expression", "run")

    def __init__(self, run: Callable[..., V], cell: Cell) -> None:
        self.run = run
        self.cell = cell
        self.expression = False
        self.anew: Callable[..., V] | None = None
