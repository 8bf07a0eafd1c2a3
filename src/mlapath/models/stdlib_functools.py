"""``functools``: partial application, wrapping, ordering, reduction."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Library, argument, make_class
from mlapath.models.class_tools import lookup
from mlapath.models.stdlib_functools_cache import FUNCTIONS as CACHES
from mlapath.models.stdlib_functools_dispatch import FUNCTIONS as DISPATCH
from mlapath.models.support import COPIED, call_perhaps, copy_attributes, instance, unknown
from mlapath.values.objects import BoundMethod, ClassObj, Descriptor, FuncObj, Native
from mlapath.values.truth import Truth, either, negate
from mlapath.values.value import Unknown, V


def partial_class(it: Any) -> V:
    """``functools.partial``."""
    cls = make_class(it, "functools.partial", construct=_partial,
                     facts={"calls": ("func", "args", "keywords"), "frozen": True})  # fmt: skip
    cls.ns["__call__"] = V(Native("functools.partial.__call__", _call_partial, binds=True,
                                  opens=True, passes=True))  # fmt: skip
    return V(cls)


def _partial(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    if not args:
        it.throw("TypeError", "type 'partial' takes at least one argument")
    func, given, named = args[0], args[1:], kwargs
    d = func.d
    if type(getattr(d, "cls", None)) is ClassObj and d.cls is cls:
        func = d.attrs["func"]
        given = [*d.attrs["args"].d, *given]
        named = {**_keywords(it, d)[0], **kwargs}
    keywords = it.heap.dict()
    for key, value in named.items():
        it.dict_set(keywords, V(key), value)
    return instance(it, cls, {"func": func, "args": V(tuple(given)), "keywords": V(keywords)})


def _keywords(it: Any, d: Any) -> tuple[dict[str, V], str]:
    value = d.attrs["keywords"]
    pairs = it.mapping_items(value)
    return {k.d: v for k, v in pairs if type(k.d) is str}, it.is_open(value)


def _call_partial(it: Any, args: list[V], kwargs: dict[str, V], opened: str) -> V:
    d = args[0].d
    named, more = _keywords(it, d)
    given = [*d.attrs["args"].d, *args[1:]]
    result: V = it.call(d.attrs["func"], given, {**named, **kwargs}, opened or more)
    return result


def partialmethod_class(it: Any) -> V:
    """``functools.partialmethod``: bound on access, then like ``partial``."""
    facts = {"calls": ("func", "args", "keywords"), "frozen": True}
    methods = {"__get__": _bind_partial}
    cls = make_class(
        it, "functools.partialmethod", construct=_partial, methods=methods, facts=facts
    )
    return V(cls)


def _bind_partial(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    d = args[0].d
    func = d.attrs["func"]
    if type(func.d) is Descriptor:
        bound = it.bind(func, args[1], it.class_of(args[1]))
    else:
        bound = V(BoundMethod(func.d, args[1]))
    cls = it.models.symbol(it, "functools.partial").d
    return instance(it, cls, {"func": bound, "args": d.attrs["args"],
                              "keywords": d.attrs["keywords"]})  # fmt: skip


def update_wrapper(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``update_wrapper(wrapper, wrapped)``."""
    wrapped = argument(args, kwargs, 1, "wrapped") or V(None)
    copy_attributes(it, args[0], wrapped, _assigned(it, argument(args, kwargs, 2, "assigned")))
    return args[0]


def wraps(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``wraps(wrapped)``: a decorator."""
    wrapped = argument(args, kwargs, 0, "wrapped") or V(None)
    names = _assigned(it, argument(args, kwargs, 1, "assigned"))

    def decorate(engine: Any, given: list[V], named: dict[str, V]) -> V:
        copy_attributes(engine, given[0], wrapped, names)
        return given[0]

    made = Native("functools.wraps()", decorate)
    made.attrs = it.heap.cell({"__wrapped__": wrapped})
    return V(made)


def _assigned(it: Any, value: V | None) -> tuple[str, ...]:
    items = it.iterate(value) if value is not None else None
    return COPIED if items is None else tuple(x.d for x in items if type(x.d) is str)


def cached_property(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    """``cached_property(func)``."""
    return V(Descriptor("cached_property", args[0] if args else kwargs["func"]))


def reduce_(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``reduce(function, iterable[, initial])``."""
    items = it.iterate(args[1])
    opened = it.is_open(args[1]) if items is not None else "unknown items"
    rest = [*args[2:3], *(items or ())]
    if opened:
        element = unknown(f"a reduction of {opened}", "", args[1].o)
        call_perhaps(it, args[0], [element, V(it.element_of(args[1]))])
        return element
    if not rest:
        it.throw("TypeError", "reduce() of empty iterable with no initial value")
    total = rest[0]
    for item in rest[1:]:
        total = it.call(args[0], [total, item], {})
    return V(total.d, total.o or args[1].o)


_OPPOSITE = {"__lt__": "__ge__", "__ge__": "__lt__", "__gt__": "__le__", "__le__": "__gt__"}
_STRICT = {"__lt__": "<", "__gt__": ">", "__le__": "<=", "__ge__": ">="}


def total_ordering(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``total_ordering(cls)``: the missing comparisons from the one that is there."""
    cls = args[0].d
    if type(cls) is not ClassObj:
        return args[0]
    root = next((n for n in ("__lt__", "__gt__", "__le__", "__ge__")
                 if type(getattr(lookup(cls, n), "d", None)) is FuncObj), None)  # fmt: skip
    if root is None:
        it.throw("ValueError", "must define at least one ordering operation: < > <= >=")
        return args[0]
    for name in _STRICT:
        if type(getattr(lookup(cls, name), "d", None)) is not FuncObj:
            it.heap.put(cls.ns, name, V(Native(name, _derived(root, name), binds=True)))
    return args[0]


def _derived(root: str, name: str) -> Any:
    """``name`` out of ``root`` and ``==``, as CPython derives it."""

    def method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        base = it.call(it.getattr(args[0], root), [args[1]], {})
        if type(base.d).__name__ == "External":
            return V(base.d)
        truth = it.truth(base)
        same = it.truth(it.compare("==", args[0], args[1]))
        strict = root in ("__lt__", "__gt__")
        less = truth if strict else negate(truth)  # root's order, strictly, or its opposite
        towards = name[2] == root[2]
        if name == _OPPOSITE[root]:
            result = negate(truth)
        elif towards == strict:  # lt -> le, gt -> ge; le -> ge, ge -> le
            result = either(less, same)
        else:  # lt -> gt, gt -> lt; le -> lt, ge -> gt
            result = negate(either(less, same))
        if result is Truth.UNKNOWN:
            return V(Unknown("a comparison of unknown values", "bool"), base.o)
        return V(result is Truth.TRUE, base.o)

    return method


def cmp_to_key(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``cmp_to_key(mycmp)``: a class of keys."""
    compare = args[0] if args else kwargs["mycmp"]

    def method(op: str) -> Any:
        def run(engine: Any, given: list[V], named: dict[str, V]) -> V:
            sides = [engine.getattr(x, "obj") for x in given[:2]]
            result: V = engine.compare(op, engine.call(compare, sides, {}), V(0))
            return result

        return run

    def construct(engine: Any, cls: ClassObj, given: list[V], named: dict[str, V]) -> V:
        return instance(engine, cls, {"obj": given[0]})

    operators = {**_STRICT, "__eq__": "=="}
    return V(make_class(it, "functools.KeyWrapper", construct=construct,
                        methods={name: method(op) for name, op in operators.items()}))  # fmt: skip


LIBRARY = Library(
    functions={
        "functools.update_wrapper": update_wrapper,
        "functools.wraps": wraps,
        "functools.reduce": reduce_,
        "functools.total_ordering": total_ordering,
        "functools.cmp_to_key": cmp_to_key,
        **CACHES,
        **DISPATCH,
    },
    values={
        "functools.partial": partial_class,
        "functools.partialmethod": partialmethod_class,
        "functools.cached_property": lambda it: V(
            make_class(it, "functools.cached_property", construct=cached_property)
        ),
        "functools.WRAPPER_ASSIGNMENTS": lambda it: V(tuple(V(n) for n in COPIED)),
        "functools.WRAPPER_UPDATES": lambda it: V((V("__dict__"),)),
    },
)
