"""``os.environ`` and ``os.getenv`` over the scenario's environment.

A variable that the scenario does not set is unset, but for a few that every system sets, whose
values are not known.  Each variable that is read is noted in ``it.store["env_reads"]``; ``*``
stands for a look at all of them.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn, argument, make_class
from mlapath.models.support import instance, known, unknown
from mlapath.values.objects import DictObj
from mlapath.values.origin import Origin, merge
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, Union, Unknown, V

SYSTEM = frozenset(
    ["HOME", "HOSTNAME", "LANG", "LOGNAME", "OLDPWD", "PATH", "PWD", "SHELL", "TMPDIR", "USER"]
)
STATE, GONE = "os.environ", "os.environ.gone"


def _state(it: Any) -> DictObj:
    """The variables that are certainly set, and those that may be."""
    found: DictObj | None = it.store.get(STATE)
    if found is None:
        found = it.store[STATE] = it.heap.dict()
        it.store[GONE] = it.heap.dict()
        for name, value in getattr(it.facts, "env", {}).items():
            found.data[name] = (V(name), V(value, Origin("env", label=f"env:{name}", value=value)))
    return found


def _note(it: Any, name: str) -> None:
    it.store.setdefault("env_reads", set()).add(name)


def read(it: Any, name: V) -> V:
    """The value of a variable; ABSENT, or a Union with it, where it is or may be unset."""
    if type(name.d) is Union:
        joined: V = it.each(list(name.d.options), lambda o: read(it, o))
        return joined
    if type(name.d) is not str:
        if type(name.d) is not Unknown:
            it.throw("TypeError", f"str expected, not {it.type_name(name)}")
        _note(it, "*")
        return unknown("a variable of the environment", "", name.o)
    _note(it, name.d)
    found = _state(it).data.get(name.d)
    if found is not None:
        return found[1]  # type: ignore[no-any-return]
    origin = Origin("env", label=f"env:{name.d}")
    if name.d in SYSTEM and name.d not in it.store[GONE].data:
        return V(Unknown(f"the environment variable {name.d}", text=name.d), origin)
    return V(ABSENT, origin)


def get(it: Any, name: V, default: V) -> V:
    """The value, or ``default`` where it is unset."""
    value = read(it, name)
    if value.d is ABSENT:
        return V(default.d, merge(value.o, default.o))
    if type(value.d) is Union and any(o.d is ABSENT for o in value.d.options):
        rest = [o for o in value.d.options if o.d is not ABSENT]
        joined: V = it.union([*rest, default])
        return joined
    if type(value.d) is Unknown and not value.d.hint:
        return V(value.d, merge(value.o, default.o))
    return value


def _get(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return get(it, args[1], argument(args, kwargs, 2, "default") or V(None))


def getenv(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``os.getenv(key, default=None)``."""
    name = argument(args, kwargs, 0, "key") or V(None)
    return get(it, name, argument(args, kwargs, 1, "default") or V(None))


def _getitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    value = read(it, args[1])
    if value.d is ABSENT:
        it.throw_key(args[1])
    if type(value.d) is Union and any(o.d is ABSENT for o in value.d.options):
        joined: V = it.union([o for o in value.d.options if o.d is not ABSENT])
        return joined
    if type(value.d) is Unknown:
        return V(Unknown(value.d.why, "str", text=value.d.text), value.o)
    return value


def _contains(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    value = read(it, args[1])
    if value.d is ABSENT:
        return V(False, value.o)
    options = value.d.options if type(value.d) is Union else ()
    if type(value.d) is Unknown and not value.d.hint or any(o.d is ABSENT for o in options):
        return known(Truth.UNKNOWN, "whether an environment variable is set", value.o)
    return V(True, value.o)


def _setitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    value = args[2]
    if type(value.d) not in (str, Unknown, Union):
        it.throw("TypeError", f"str expected, not {it.type_name(value)}")
    if type(value.d) is Unknown and value.d.hint != "str":
        value = V(Unknown(value.d.why, "str", text=value.d.text), value.o)
    it.dict_set(_state(it), args[1], value)
    return V(None)


def _delitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    _getitem(it, args, kwargs)
    _drop(it, args[1])
    return V(None)


def _drop(it: Any, name: V) -> None:
    state = _state(it)
    if type(name.d) is str:
        it.heap.drop(state.data, name.d)
        it.dict_set(it.store[GONE], name, V(True))
    else:
        it.heap.open_dict(state, "an unknown variable was deleted")


def _pop(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    default = argument(args, kwargs, 2, "default")
    value = _getitem(it, args, {}) if default is None else get(it, args[1], default)
    _drop(it, args[1])
    return value


def _setdefault(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    present = it.truth(_contains(it, args, {}))
    if present is Truth.TRUE:
        return _getitem(it, args, {})
    value = args[2] if present is Truth.FALSE else get(it, args[1], args[2])
    _setitem(it, [args[0], args[1], value], {})
    return value


def _keys(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    _note(it, "*")
    made = it.heap.list([key for key, _ in it.mapping_items(V(_state(it)))])
    if it.is_open(V(_state(it))):
        it.heap.open_list(made, it.is_open(V(_state(it))))
    return V(made)


def _items(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    _keys(it, args, kwargs)
    made = it.heap.list([V(pair) for pair in it.mapping_items(V(_state(it)))])
    if it.is_open(V(_state(it))):
        it.heap.open_list(made, it.is_open(V(_state(it))))
    return V(made)


def _values(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    _keys(it, args, kwargs)
    made = it.heap.list([value for _, value in it.mapping_items(V(_state(it)))])
    it.heap.open_list(made, "variables that the system sets")
    return V(made)


def _copy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    _keys(it, args, kwargs)
    made = it.heap.dict(dict(_state(it).data))
    it.heap.open_dict(made, "variables that the system sets")
    return V(made)


def _update(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    table = it.heap.dict()
    it.call(it.getattr(V(table), "update"), args[1:], kwargs)
    for key, value in it.mapping_items(V(table)):
        _setitem(it, [args[0], key, value], {})
    if it.is_open(V(table)):
        it.heap.open_dict(_state(it), it.is_open(V(table)))
    return V(None)


def environ(it: Any) -> V:
    """The object ``os.environ``."""
    methods: dict[str, Fn] = {
        "get": _get, "__getitem__": _getitem, "__contains__": _contains, "__setitem__": _setitem,
        "__delitem__": _delitem, "pop": _pop, "setdefault": _setdefault, "keys": _keys,
        "__iter__": _keys, "items": _items, "values": _values, "copy": _copy, "update": _update,
        "__len__": lambda it, args, kwargs: unknown("the number of variables", "int", lo=1),
    }  # fmt: skip
    cls = make_class(it, "os._Environ", methods=methods, facts={"frozen": True})
    return instance(it, cls, {})


def _environb(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    _note(it, "*")
    return unknown("os.environb", "bytes")


FUNCTIONS = {"os.getenv": getenv, "os.getenvb": _environb}
VALUES = {"os.environ": environ}
