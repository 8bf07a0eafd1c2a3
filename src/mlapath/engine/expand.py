"""What several rounds evaluated as one made, for one of the rounds: a copy with its own values."""

from __future__ import annotations

from typing import Any

from mlapath.values.family import Family, NotUniform
from mlapath.values.objects import (
    BoundMethod,
    Cell,
    ClassObj,
    Descriptor,
    DictObj,
    FuncObj,
    Instance,
    ListObj,
    MayHold,
    Native,
    Obj,
    SliceObj,
)
from mlapath.values.value import SCALAR_TYPES, External, Union, Unknown, V

CONSTANT = SCALAR_TYPES | {External}
PLAIN = CONSTANT | {Unknown}


class Expander:
    """Copies of the objects made since ``clock`` for round ``index``; older ones are shared.

    An unknown is another one in each round: what is learnt of one round's says nothing of others.
    """

    def __init__(self, heap: Any, clock: int, index: int) -> None:
        self._heap = heap
        self._clock = clock
        self._index = index
        self._made: dict[int, Any] = {}

    def value(self, value: V) -> V:
        """The value in this round."""
        d = value.d
        if type(d) in CONSTANT:
            return value
        copy = self.content(d)
        return value if copy is d else V(copy, value.o)

    def key(self, key: Any) -> Any:
        """A dict's key in this round."""
        if type(key) is Family:
            return key.members[self._index]
        if type(key) is tuple:
            return tuple(self.key(part) for part in key)
        return self.content(key) if type(key) is Instance else key

    def content(self, d: Any) -> Any:
        """The content of a value, or of a cell, in this round."""
        kind = type(d)
        if kind is V:
            return self.value(d)
        if kind is Family:
            return d.members[self._index]
        if kind is tuple:
            parts = tuple(self.content(x) for x in d)
            return d if all(p is x for p, x in zip(parts, d, strict=True)) else parts
        if kind is list:
            return [self.content(x) for x in d]
        copier = _COPIERS.get(kind)
        if copier is None:
            if isinstance(d, Obj) and not d.shared:
                raise NotUniform(f"each round may make {d!r}")
            return d
        made = self._made.get(id(d))
        return copier(self, d) if made is None else made

    def cell(self, cell: Cell) -> Cell:
        """The copy of a cell; an older one is shared."""
        if cell.born <= self._clock:
            return cell
        made: Cell | None = self._made.get(id(cell))
        if made is None:
            made = self._made[id(cell)] = self._heap.cell()
            made.bound, made.weak = cell.bound, cell.weak
            for key, content in dict.items(cell):
                dict.__setitem__(made, self.key(key), self.content(content))
        return made

    def _keep(self, d: Any, copy: Any) -> Any:
        self._made[id(d)] = copy
        return copy

    def instance(self, d: Instance) -> Instance:
        if d.attrs.born <= self._clock:
            return d
        copy = self._keep(d, Instance(self.content(d.cls), self._heap.cell()))
        copy.open, copy.site = d.open, d.site
        self._made[id(d.attrs)] = copy.attrs
        copy.attrs.bound, copy.attrs.weak = d.attrs.bound, d.attrs.weak
        for key, content in dict.items(d.attrs):
            dict.__setitem__(copy.attrs, self.key(key), self.content(content))
        copy.payload = self.content(d.payload)
        return copy  # type: ignore[no-any-return]

    def listed(self, d: ListObj) -> ListObj:
        cell = self.cell(d.cell)
        return d if cell is d.cell else self._keep(d, ListObj(cell))

    def mapping(self, d: DictObj) -> DictObj:
        data = self.cell(d.data)
        if data is d.data:
            return d
        copy = self._keep(d, DictObj(data, d.kind, d.default and self.value(d.default)))
        copy.of = None if d.of is None else self.cell(d.of)
        if hasattr(d, "attrs"):
            copy.attrs = self.content(d.attrs)
        return copy  # type: ignore[no-any-return]

    def function(self, d: FuncObj) -> FuncObj:
        closure = tuple(self.cell(c) for c in d.closure)
        fresh = d.attrs.born > self._clock
        if not fresh and all(a is b for a, b in zip(closure, d.closure, strict=True)):
            return d
        copy = self._keep(d, FuncObj(
            d.node, d.module, closure, tuple(self.value(x) for x in d.defaults),
            {k: self.value(x) for k, x in d.kwdefaults.items()}, d.qualname, self.cell(d.attrs),
        ))  # fmt: skip
        copy.owner = d.owner
        copy.bound = d.bound
        return copy  # type: ignore[no-any-return]

    def unknown(self, d: Unknown) -> Unknown:
        copy = self._keep(d, Unknown(d.why, d.hint, d.lib, d.lo, d.hi, d.text))
        copy.several = d.several
        return copy  # type: ignore[no-any-return]

    def bound(self, d: BoundMethod) -> BoundMethod:
        func, self_ = self.content(d.func), self.value(d.self_)
        if func is d.func and self_ is d.self_:
            return d
        return self._keep(d, BoundMethod(func, self_))  # type: ignore[no-any-return]

    def slice_(self, d: SliceObj) -> SliceObj:
        return SliceObj(self.value(d.lower), self.value(d.upper), self.value(d.step))

    def union(self, d: Union) -> Union:
        options = tuple(self.value(x) for x in d.options)
        same = all(a is b for a, b in zip(options, d.options, strict=True))
        return d if same else Union(options)

    def may_hold(self, d: MayHold) -> MayHold:
        extra = tuple(self.value(x) for x in d.extra)
        return MayHold.of(d, extra, certain=d.certain)

    def shared(self, d: Any) -> Any:
        """Something that is not copied: it must not be of the rounds."""
        if self._is_new(d):
            raise NotUniform(f"each round makes {d!r}")
        return d

    def _is_new(self, d: Any) -> bool:
        if type(d) is ClassObj:
            return d.ns.born > self._clock
        if type(d) is Native:
            return any(self._holds_new(cell.cell_contents) for cell in _closure(d.fn))
        return True

    def _holds_new(self, held: Any, depth: int = 0) -> bool:
        if depth > 4:
            return True
        if isinstance(held, V):
            held = held.d
        kind = type(held)
        if kind in PLAIN:
            return False
        if kind is Family:
            return True
        if kind in (tuple, list, set, frozenset):
            return any(self._holds_new(x, depth + 1) for x in held)
        if kind is dict:
            return any(self._holds_new(x, depth + 1) for x in held.values())
        if kind is Instance:
            return held.attrs.born > self._clock  # type: ignore[no-any-return]
        if kind in (Cell, ListObj, DictObj):
            cell = held if kind is Cell else held.cell if kind is ListObj else held.data
            return cell.born > self._clock  # type: ignore[no-any-return]
        if kind is BoundMethod:
            return self._holds_new(held.self_) or self._holds_new(held.func)
        if kind in (ClassObj, Native):
            return self._is_new(held)
        if kind is FuncObj:
            return held.attrs.born > self._clock  # type: ignore[no-any-return]
        if callable(held):
            return any(self._holds_new(c.cell_contents, depth + 1) for c in _closure(held))
        return False


def _closure(function: Any) -> Any:
    return getattr(function, "__closure__", None) or ()


_COPIERS: dict[type, Any] = {
    Instance: Expander.instance, ListObj: Expander.listed, DictObj: Expander.mapping,
    FuncObj: Expander.function, BoundMethod: Expander.bound, SliceObj: Expander.slice_,
    Union: Expander.union, MayHold: Expander.may_hold, ClassObj: Expander.shared,
    Native: Expander.shared, Descriptor: Expander.shared, Unknown: Expander.unknown,
}  # fmt: skip

__all__ = ["Expander"]
