"""The builtin functions."""

from __future__ import annotations

import builtins
import functools
from typing import Any

from mlapath.models.builtin_attributes import delattr_, getattr_, hasattr_, setattr_
from mlapath.models.builtin_iterators import (
    enumerate_,
    filter_,
    iter_,
    map_,
    next_,
    reversed_,
    zip_,
)
from mlapath.values.concrete import key_of
from mlapath.values.heap import NOTHING
from mlapath.values.objects import (
    OPEN,
    BoundMethod,
    ClassObj,
    Descriptor,
    DictObj,
    FuncObj,
    GeneratorObj,
    Instance,
    ListObj,
    ModuleObj,
    Native,
    SliceObj,
    SuperObj,
)
from mlapath.values.origin import merge
from mlapath.values.truth import Truth, negate
from mlapath.values.value import ABSENT, SCALAR_TYPES, External, Union, Unknown, V

Args = list[V]
Kwargs = dict[str, V]


def known(truth: Truth, why: str, origin: Any = None, text: str = "") -> V:
    """A bool, or an unknown one."""
    if truth is Truth.UNKNOWN:
        return V(Unknown(why, "bool", text=text), origin)
    return V(truth is Truth.TRUE, origin)


def len_(it: Any, args: Args, kwargs: Kwargs) -> V:
    value = args[0]
    d = value.d
    if type(d) is Instance:
        special = it.lookup_special(value, "__len__")
        if special is not None:
            return it.call(special, [], {})  # type: ignore[no-any-return]
        if d.payload is not None:
            return len_(it, [V(d.payload, value.o)], {})
    if type(d) in (str, bytes, tuple, range):
        return V(len(d), value.o)
    if type(d) in (ListObj, DictObj):
        origin = merge(value.o, d.cell.get("o")) if type(d) is ListObj else value.o
        return V(it.call(it.getattr(value, "__len__"), [], {}).d, origin)
    if type(d) is ClassObj:
        special = it.lookup_special(value, "__len__")
        if special is not None:
            return it.call(special, [], {})  # type: ignore[no-any-return]
        items = it.iterate(value)
        return V(len(items)) if items is not None else V(Unknown("len of a class", "int", lo=0))
    if type(d) is Union:
        options = [o for o in d.options if o.d is not ABSENT and o.d is not None]
        if len(options) < len(d.options):  # a guard on something else may have ruled None out
            it.may_throw("TypeError", "object of type 'NoneType' has no len()")
        return it.each(options, lambda o: len_(it, [o], {}))  # type: ignore[no-any-return]
    if d is None or type(d) in (int, bool, float):
        it.throw("TypeError", f"object of type '{it.type_name(value)}' has no len()")
    if type(d) is Unknown and d.hint in ("", "object", "int", "float", "bool"):
        it.may_throw("TypeError", "object has no len()")
    text = f"len({d.text})" if type(d) is Unknown and d.text else ""
    return V(Unknown("the length of something unknown", "int", lo=0, text=text), value.o)


def isinstance_(it: Any, args: Args, kwargs: Kwargs) -> V:
    if type(args[1].d) in (Unknown, Union):
        it.may_throw("TypeError", "isinstance() arg 2 must be a type or tuple of types")
    origin = merge(args[0].o, args[1].o)
    return known(it.isinstance(args[0], args[1]), "isinstance of an unknown value", origin)


def issubclass_(it: Any, args: Args, kwargs: Kwargs) -> V:
    return known(it.issubclass(args[0], args[1]), "issubclass of an unknown class", args[0].o)


def callable_(it: Any, args: Args, kwargs: Kwargs) -> V:
    d = args[0].d
    if type(d) in (FuncObj, Native, BoundMethod, ClassObj, External):
        return V(True)
    if type(d) is Instance:
        if it.lookup_special(args[0], "__call__") is not None:
            return V(True)
        return V(Unknown("callable", "bool")) if d.cls.foreign or d.open else V(False)
    if type(d) in (Unknown, Union):
        return V(Unknown("callable of an unknown value", "bool"), args[0].o)
    return V(False)


def type_(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    if len(args) == 1:
        return it.type_of(args[0])  # type: ignore[no-any-return]
    if len(args) != 3:
        it.throw("TypeError", "type() takes 1 or 3 arguments")
    made = it.type_new([V(cls), *args], kwargs)
    return it.initialise_class(made, args, kwargs)  # type: ignore[no-any-return]


def minmax(name: str) -> Any:
    pick = getattr(builtins, name)

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        key = kwargs.get("key")
        items = args if len(args) > 1 else it.iterate(args[0])
        origin = merge(*(it.content_origin(a) for a in args))
        extra = _may_hold(it, args[0]) if len(args) == 1 else ()
        if items is None or extra is None or not items and extra and "default" in kwargs:
            return V(Unknown(f"{name}() of unknown items"), origin)
        if not items and not extra:
            if "default" in kwargs:
                return kwargs["default"]
            it.throw("ValueError", f"{name}() arg is an empty sequence")

        def rank(x: V) -> tuple[V, V]:
            return (it.call(key, [x], {}) if key is not None and key.d is not None else x, x)

        op = "<" if name == "min" else ">"
        if not items:  # it raises ValueError where none of them is there
            return V(it.union(list(extra)).d, origin)
        ranked = [rank(x) for x in items]
        best = ranked[0]
        for candidate in ranked[1:]:
            truth = it.truth(it.compare(op, candidate[0], best[0]))
            if truth is Truth.UNKNOWN:
                return _bounded(name, pick, [x for _, x in ranked], origin)
            if truth is Truth.TRUE:
                best = candidate
        worse = {"<": ">", ">": "<"}[op]
        rivals = [x for r, x in map(rank, extra)
                  if it.truth(it.compare(worse, r, best[0])) is not Truth.TRUE]  # fmt: skip
        joined = it.union([best[1], *rivals])
        return V(joined.d, merge(joined.o, origin))

    return fn


def _may_hold(it: Any, value: V) -> tuple[V, ...] | None:
    """What an iterable may hold besides its items; None where that is not known."""
    if not it.is_open(value):
        return ()
    return value.d.extra if type(value.d) is ListObj else None


def _bounded(name: str, pick: Any, items: Args, origin: Any) -> V:
    los = [x.d.lo if type(x.d) is Unknown else x.d if type(x.d) in (int, float) else None
           for x in items]  # fmt: skip
    his = [x.d.hi if type(x.d) is Unknown else x.d if type(x.d) in (int, float) else None
           for x in items]  # fmt: skip
    kinds = {x.d.hint if type(x.d) is Unknown else type(x.d).__name__ for x in items}
    hint = kinds.pop() if len(kinds) == 1 else ""
    if name == "max":
        known_los = [x for x in los if x is not None]
        lo = max(known_los) if known_los else None
        hi = None if None in his else max(x for x in his if x is not None)
    else:
        known_his = [x for x in his if x is not None]
        hi = min(known_his) if known_his else None
        lo = None if None in los else min(x for x in los if x is not None)
    return V(Unknown(f"{name}() of unknown values", hint, lo=lo, hi=hi), origin)


def sum_(it: Any, args: Args, kwargs: Kwargs) -> V:
    items = it.iterate(args[0])
    total = args[1] if len(args) > 1 else kwargs.get("start", V(0))
    if items is None or it.is_open(args[0]):
        return V(Unknown("the sum of unknown items"), args[0].o)
    if type(total.d) in (str, bytes):
        it.throw("TypeError", f"sum() can't sum {it.type_name(total)} [use join() instead]")
    for item in items:
        total = it.binop("+", total, item)
    return total


def any_(it: Any, args: Args, kwargs: Kwargs) -> V:
    return _decided(it, args[0], Truth.TRUE, "any")


def all_(it: Any, args: Args, kwargs: Kwargs) -> V:
    return _decided(it, args[0], Truth.FALSE, "all")


def _decided(it: Any, iterable: V, decisive: Truth, name: str) -> V:
    """``any`` and ``all``: the first item whose truth is ``decisive`` ends the iteration."""
    source = it.iterator(iterable)
    why = f"{name}() of unknown items"
    origins = [iterable.o]

    def choose(item: V) -> Truth:
        truth = it.truth(item)
        origins.append(item.o)
        return truth if decisive is Truth.TRUE else negate(truth)

    if type(source.d) is GeneratorObj and "items" not in source.d.cell:
        found, ended = it.first_of(source, choose)
        out = Truth.UNKNOWN if found and ended else decisive if found else negate(decisive)
        if found and not ended and it.truth(found[-1]) is not decisive:
            out = Truth.UNKNOWN
        return known(out, why, merge(*origins))
    items = it.iterate(source)
    opened = items is None or bool(it.is_open(source))
    out = Truth.UNKNOWN if opened else negate(decisive)
    for item, _ in it.advancing(source, [(item, True) for item in items or ()]):
        truth = choose(item)
        if truth is Truth.TRUE and not opened:
            return V(decisive is Truth.TRUE, item.o)
        if truth is Truth.UNKNOWN:
            out = truth
    return known(out, why, merge(*origins))


def sorted_(it: Any, args: Args, kwargs: Kwargs) -> V:
    items = it.iterate(args[0])
    if items is None:
        lib = args[0].d.lib if type(args[0].d) is Unknown else ""
        return V(Unknown("a sort of unknown items", "list", lib), args[0].o)
    opened = it.is_open(args[0])
    if opened:
        items = it.candidates(args[0])
    key = kwargs.get("key")
    reverse = it.truth(kwargs.get("reverse", V(False))) is Truth.TRUE
    ranked = [(_rank(it, key, x, opened), x) for x in items]
    unknown: list[bool] = []

    def order(a: Any, b: Any) -> int:
        if reverse:
            a, b = b, a
        less = it.truth(it.compare("<", a[0], b[0]))
        more = Truth.FALSE if less is Truth.TRUE else it.truth(it.compare("<", b[0], a[0]))
        if less is Truth.UNKNOWN or more is Truth.UNKNOWN:
            unknown.append(True)
        return -1 if less is Truth.TRUE else 1 if more is Truth.TRUE else 0

    if opened:
        made = it.heap.list([x for _, x in ranked])
        it.heap.open_list(made, opened, NOTHING)
        return V(made, args[0].o)
    ranked.sort(key=functools.cmp_to_key(order))
    found = [x for _, x in ranked]
    if unknown:  # each place may hold any of them
        found = [it.union(found)] * len(found)
    return V(it.heap.list(found), args[0].o)


def _rank(it: Any, key: V | None, item: V, opened: str) -> V:
    """What an item is sorted by."""
    if key is None or key.d is None:
        return item
    if not opened:
        return it.call(key, [item], {})  # type: ignore[no-any-return]
    return it.each([V(True), V(False)], lambda o: it.call(key, [item], {}) if o.d else V(None))  # type: ignore[no-any-return]


def slice_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    bounds = [V(None), args[0], V(None)] if len(args) == 1 else [*args, V(None), V(None)][:3]
    return V(SliceObj(*bounds))


def super_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    if args:
        owner = args[0].d
        if type(owner) is not ClassObj:
            return V(Unknown("super() of something unknown"))
        return V(SuperObj(owner, args[1])) if len(args) > 1 else V(Unknown("unbound super()"))
    frame = it.frame
    while frame is not None and (frame.owner is None or frame.self_ is None):
        frame = frame.parent
    if frame is None or frame.func is None:
        it.throw("RuntimeError", "super(): no arguments")
    return V(SuperObj(frame.owner, frame.self_))


def unknown_object(name: str) -> Any:
    return lambda it, cls, args, kwargs: V(Unknown(f"a {name}"))


def constructor(name: str) -> Any:
    """The constructor of a builtin class that is a function in all but name."""
    table = {"slice": slice_, "enumerate": enumerate_, "zip": zip_, "map": map_,
             "filter": filter_, "reversed": reversed_, "super": super_}  # fmt: skip
    return table.get(name) or unknown_object(name)


def descriptor(kind: str) -> Any:
    """``property`` and friends as decorators."""

    def construct(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
        parts = [*args, *(kwargs[k] for k in ("fget", "fset", "fdel") if k in kwargs)]
        return V(Descriptor(kind, *parts[:3]))

    return construct


def accessor(part: str) -> Any:
    """``prop.setter`` and ``prop.deleter``."""

    def bind(it: Any, args: Args, kwargs: Kwargs) -> V:
        old: Descriptor = args[0].d
        new = Descriptor(old.kind, old.fget, old.fset, old.fdel)
        setattr(new, part, args[1])
        return V(new)

    return bind


def repr_(it: Any, args: Args, kwargs: Kwargs) -> V:
    text = it.format_value(args[0], "r", "")
    if text is None:
        return V(Unknown("repr() of something unknown", "str"), args[0].o)
    return V(text, args[0].o)


def plain(name: str, hint: str) -> Any:
    """A builtin of scalars, computed by CPython itself."""
    real = getattr(builtins, name)
    whole = name in ("hex", "oct", "bin", "chr")

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        args = [it.index(a) for a in args] if whole else args
        values = [a.d.payload if type(a.d) is Instance and a.d.payload is not None else a.d
                  for a in args]  # fmt: skip
        origin = merge(*(a.o for a in args))
        if type(args[0].d) is Instance and args[0].d.payload is None:
            special = it.lookup_special(args[0], f"__{name}__")
            if special is not None:
                return it.call(special, args[1:], kwargs)  # type: ignore[no-any-return]
        if all(type(v) in SCALAR_TYPES for v in values):
            try:
                result = real(*values, **{k: v.d for k, v in kwargs.items()})
            except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
                it.throw(type(error).__name__, str(error))
            if type(result) is tuple:
                return V(tuple(V(x) for x in result), origin)
            return V(result, origin)
        it.may_raise_of(("TypeError", "ValueError"), V(name))
        lo = 0 if name == "abs" else None
        return V(Unknown(f"{name}() of something unknown", hint, lo=lo), origin)

    return fn


def hash_(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``hash(x)``: unknown, as CPython salts it, but the same for equal values."""
    special = it.lookup_special(args[0], "__hash__")
    if special is not None and type(special.d) is BoundMethod:
        return it.call(special, [], {})  # type: ignore[no-any-return]
    it.hashable(args[0])
    return V(Unknown("a hash", "int", same=key_of(args[0])), args[0].o)


def print_(it: Any, args: Args, kwargs: Kwargs) -> V:
    for value in args:
        it.format_value(value, "s", "")  # which may be code of the program
    return V(None)


def opaque(name: str, hint: str = "") -> Any:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        return V(Unknown(f"{name}()", hint))

    return fn


def open_(it: Any, args: Args, kwargs: Kwargs) -> V:
    return it.call(it.models.symbol(it, "io.open"), args, kwargs)  # type: ignore[no-any-return]


def execute(name: str) -> Any:
    """``exec`` and ``eval``: a limit."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        it.frontier(it.frame, it.frame.pos, f"{name}() is not evaluated")
        return V(Unknown(f"the result of {name}()"))

    return fn


def vars_(it: Any, args: Args, kwargs: Kwargs) -> V:
    if not args:
        return locals_(it, args, kwargs)
    return it.getattr(args[0], "__dict__")  # type: ignore[no-any-return]


def dir_(it: Any, args: Args, kwargs: Kwargs) -> V:
    d = args[0].d if args else None
    names: set[str] = set()
    if type(d) is ModuleObj:
        names = {k for k in d.ns if k != "*"}
    elif type(d) is Instance:
        names = set(d.attrs) | {k for c in d.cls.mro for k in c.ns}
    elif type(d) is ClassObj:
        names = {k for c in d.mro for k in c.ns}
    else:
        return V(Unknown("dir() of something unknown", "list"))
    return V(it.heap.list([V(k) for k in sorted(names)]))


def locals_(it: Any, args: Args, kwargs: Kwargs) -> V:
    made = it.heap.dict()
    for key, value in it.frame.locals.items():
        it.dict_set(made, V(key), value)
    return V(made)


def globals_(it: Any, args: Args, kwargs: Kwargs) -> V:
    return it.namespace(it.frame.module.ns)  # type: ignore[no-any-return]


def import_(it: Any, args: Args, kwargs: Kwargs) -> V:
    if type(args[0].d) is not str:
        return V(Unknown("__import__ of an unknown name"))
    return it.import_module(args[0].d)  # type: ignore[no-any-return]


def format_(it: Any, args: Args, kwargs: Kwargs) -> V:
    spec = args[1].d if len(args) > 1 and type(args[1].d) is str else ""
    text = it.format_value(args[0], "", spec)
    return V(Unknown("format() of something unknown", "str") if text is None else text, args[0].o)


def id_(it: Any, args: Args, kwargs: Kwargs) -> V:
    d = args[0].d
    if type(d) is Unknown:
        return V(d.derived("id", Unknown("an id", "int", lo=1)))
    return V(Unknown("an id", "int", lo=1))


FUNCTIONS: dict[str, Any] = {
    "len": len_, "isinstance": isinstance_, "issubclass": issubclass_, "getattr": getattr_,
    "hasattr": hasattr_, "setattr": setattr_, "delattr": delattr_, "callable": callable_,
    "min": minmax("min"), "max": minmax("max"), "sum": sum_, "any": any_, "all": all_,
    "sorted": sorted_, "next": next_, "iter": iter_, "repr": repr_, "hash": hash_,
    "print": print_, "vars": vars_, "dir": dir_, "locals": locals_, "globals": globals_,
    "__import__": import_, "format": format_, "id": id_, "exec": execute("exec"),
    "eval": execute("eval"), "open": open_, "input": opaque("input", "str"),
    "compile": opaque("compile"), "breakpoint": print_, "exit": opaque("exit"),
    "anext": next_, "aiter": iter_,
    **{name: plain(name, hint) for name, hint in (
        ("abs", ""), ("round", ""), ("pow", ""), ("divmod", "tuple"), ("ord", "int"),
        ("chr", "str"), ("hex", "str"), ("bin", "str"), ("oct", "str"), ("ascii", "str"))},
}  # fmt: skip

__all__ = ["FUNCTIONS", "OPEN", "accessor"]
