"""``copy``: shallow and deep copies that keep classes and shared references."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Library, argument
from mlapath.values.objects import OPEN, Cell, DictObj, Instance, ListObj
from mlapath.values.value import ABSENT, Union, Unknown, V


def copy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``copy.copy(x)``."""
    value = args[0]
    if type(value.d) is Union:
        return _each(it, value, lambda o: copy(it, [o], {}))
    if _one_of_a_kind(value):
        return value
    special = it.lookup_special(value, "__copy__")
    if special is not None:
        result: V = it.call(special, [], {})
        return result
    return _shallow(it, value)


def _one_of_a_kind(value: V) -> bool:
    """Whether copies of an object are the object itself: members of enums."""
    return type(value.d) is Instance and bool(value.d.cls.facts.get("enum"))


def _shallow(it: Any, value: V) -> V:
    d = value.d
    if type(d) is ListObj:
        made = it.heap.list(list(d.items))
        if d.open:
            it.heap.open_list(made, d.open)
        return V(made, value.o)
    if type(d) is DictObj:
        if d.kind == "frozenset":
            return value
        return V(_same_dict(it, d, dict(d.data)), value.o)
    if type(d) is Instance:
        payload = d.payload
        if type(payload) in (ListObj, DictObj):
            payload = _shallow(it, V(payload)).d
        return V(_same_instance(it, d, dict(d.attrs), payload), value.o)
    return value


def _same_dict(it: Any, d: DictObj, data: dict[Any, Any]) -> DictObj:
    made: DictObj = it.heap.dict(data, d.kind)
    made.default = d.default
    return made


def _same_instance(it: Any, d: Instance, attrs: dict[str, Any], payload: Any) -> Instance:
    made = Instance(d.cls, it.heap.cell(attrs), payload)
    made.open = d.open
    made.site = d.site
    return made


def deepcopy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``copy.deepcopy(x, memo=None)``."""
    memo = argument(args, kwargs, 1, "memo") or V(None)
    copier = _Copier(it, memo)
    try:
        return copier.copy(args[0])
    finally:
        if memo.d is None:
            it.store["copy.memo"].pop(copier.memo.d, None)


class _Copier:
    """One ``deepcopy``; ``memo``: the dict that ``__deepcopy__`` methods pass on."""

    def __init__(self, it: Any, memo: V) -> None:
        self.it = it
        self.memo = memo if type(memo.d) is DictObj else V(it.heap.dict())
        table = it.store.setdefault("copy.memo", {})
        self.done: dict[int, tuple[Any, V]] = table.setdefault(self.memo.d, {})

    def copy(self, value: V) -> V:
        d = value.d
        if type(d) is tuple:
            parts = tuple(self.copy(item) for item in d)
            same = all(a.d is b.d for a, b in zip(parts, d, strict=True))
            return value if same else V(parts, value.o)
        if type(d) is Union:
            return _each(self.it, value, self.copy)
        if type(d) not in (ListObj, DictObj, Instance) or _one_of_a_kind(value):
            return value
        known = self.done.get(id(d))
        if known is not None:
            return known[1]
        return self._new(value)

    def _new(self, value: V) -> V:
        d, it = value.d, self.it
        if type(d) is Instance:
            special = it.lookup_special(value, "__deepcopy__")
            if special is not None:
                made: V = it.call(special, [self.memo], {})
                self._keep(d, made)
                return made
            return self._instance(value, d)
        if type(d) is ListObj:
            result = V(it.heap.list([]), value.o)
            self._keep(d, result)
            it.heap.items_for_write(result.d).extend(self.copy(item) for item in list(d.items))
            if d.open:
                it.heap.open_list(result.d, d.open)
            return result
        result = V(_same_dict(it, d, {}), value.o)
        self._keep(d, result)
        for key, pair in list(d.data.items()):
            if key is OPEN:
                it.heap.open_dict(result.d, pair)
            else:
                it.heap.put(result.d.data, key, (pair[0], self._maybe(pair[1])))
        return result

    def _keep(self, d: Any, made: V) -> None:
        self.done[id(d)] = (d, made)  # with d, so that its id is not used again

    def _maybe(self, value: V) -> V:
        """A value that may be absent keeps being so."""
        if type(value.d) is Union and any(o.d is ABSENT for o in value.d.options):
            parts = [o if o.d is ABSENT else self.copy(o) for o in value.d.options]
            joined: V = self.it.union(parts)
            return joined
        return self.copy(value)

    def _instance(self, value: V, d: Instance) -> V:
        made = _same_instance(self.it, d, {}, d.payload)
        result = V(made, value.o)
        self._keep(d, result)
        if isinstance(d.payload, (ListObj, DictObj, tuple)):
            made.payload = self.copy(V(d.payload)).d
        attrs: Cell = made.attrs
        for name, item in list(d.attrs.items()):
            self.it.heap.put(attrs, name, self._maybe(item))
        return result


def _each(it: Any, value: V, run: Any) -> V:
    options = [o for o in value.d.options if o.d is not ABSENT]
    joined: V = it.each(options, run)
    return joined


def replace(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``copy.replace(obj, **changes)``: by ``__replace__``."""
    special = it.lookup_special(args[0], "__replace__")
    if special is None:
        if type(args[0].d) is Unknown:
            return V(Unknown(args[0].d.why), args[0].o)
        it.throw("TypeError", f"replace() does not support {it.type_name(args[0])} objects")
    result: V = it.call(special, args[1:], kwargs)
    return result


LIBRARY = Library(
    functions={"copy.copy": copy, "copy.deepcopy": deepcopy, "copy.replace": replace},
)
