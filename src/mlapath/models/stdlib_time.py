"""``time`` and ``datetime``: clocks are not known; spans of time are numbers."""

from __future__ import annotations

import datetime as dt
from typing import Any

from mlapath.models.api import Fn, Library, make_class
from mlapath.models.support import ERRORS, gives, instance, nothing, origins, throw_like, unknown
from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]
CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")
SPAN = "datetime.timedelta"
FIELDS = ("days", "seconds", "microseconds")


def _delta(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    """``timedelta(…)``."""
    origin = origins(args, kwargs)
    try:
        real = dt.timedelta(*(to_py(a) for a in args),
                                  **{k: to_py(v) for k, v in kwargs.items()})  # fmt: skip
    except NotConcrete:
        parts = {name: unknown("a span of time", "int", origin) for name in FIELDS}
        return V(instance(it, cls, parts).d, origin)
    except ERRORS as error:
        throw_like(it, error)
        raise AssertionError("unreachable") from error
    return _made(it, cls, real)


def _made(it: Any, cls: ClassObj, real: dt.timedelta) -> V:
    return instance(it, cls, {name: V(getattr(real, name)) for name in FIELDS})


def _real(value: V) -> Any:
    """The span or number behind a value; NotConcrete where it is not known."""
    d = value.d
    if type(d) is Instance and "microseconds" in d.attrs:
        return dt.timedelta(*(to_py(d.attrs[name]) for name in FIELDS))
    return to_py(value)


def _operation(name: str, hint: str = "") -> Fn:
    """An operator or method of spans, computed by CPython itself."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        origin = origins(args)
        try:
            plain = [_real(a) for a in args]
            found = getattr(plain[0], name)(*plain[1:])
        except NotConcrete:
            return unknown("arithmetic with a span of time", hint, origin)
        except ERRORS as error:
            throw_like(it, error)
            raise AssertionError("unreachable") from error
        if found is NotImplemented:
            return it.models.symbol(it, "NotImplemented")  # type: ignore[no-any-return]
        if isinstance(found, dt.timedelta):
            return V(_made(it, it.models.symbol(it, SPAN).d, found).d, origin)
        return V(found, origin)

    return fn


def _text(it: Any, value: V, conversion: str) -> str | None:
    try:
        real = _real(value)
    except NotConcrete:
        return None
    return repr(real) if conversion == "r" else str(real)


def _truth(it: Any, value: V) -> Truth:
    try:
        return Truth.of(bool(_real(value)))
    except NotConcrete:
        return Truth.UNKNOWN


def _delta_class(it: Any) -> V:
    special = ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "floordiv", "mod", "neg",
               "abs", "pos")  # fmt: skip
    order = ("lt", "le", "gt", "ge")
    return V(make_class(
        it, SPAN, construct=_delta,
        methods={"total_seconds": _operation("total_seconds", "float"),
                 **{f"__{name}__": _operation(f"__{name}__") for name in special},
                 **{f"__{name}__": _operation(f"__{name}__", "bool") for name in order}},
        facts={"text": _text, "truth": _truth, "hash_fields": FIELDS, "eq_fields": FIELDS,
               "frozen": True},
    ))  # fmt: skip


def _moment_class(full: str, *bases: str) -> Any:
    """``date``, ``time``, ``datetime``: a moment that is not known."""

    def construct(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
        return instance(it, cls, {})

    def now(it: Any, args: Args, kwargs: Kwargs) -> V:
        return instance(it, args[0].d, {})

    def factory(it: Any) -> V:
        makers = ("now", "utcnow", "today", "fromtimestamp", "utcfromtimestamp", "strptime",
                  "fromisoformat", "combine")  # fmt: skip
        texts = ("strftime", "isoformat", "ctime")
        return V(make_class(
            it, full, tuple(it.models.symbol(it, base).d for base in bases), construct=construct,
            class_methods=dict.fromkeys(makers, now), foreign=full,
            methods={**{name: gives(f"{full}.{name}", "str") for name in texts},
                     "timestamp": gives(f"{full}.timestamp", "float"),
                     "__str__": gives(f"str({full})", "str")},
            facts={"truth": lambda i, v: Truth.TRUE, "frozen": True},
        ))  # fmt: skip

    return factory


def _zone_class(it: Any) -> V:
    cls = make_class(it, "datetime.timezone", foreign="datetime.timezone", facts={
        "frozen": True, "truth": lambda i, v: Truth.TRUE,
        "construct": lambda i, c, a, k: instance(i, c, {})})  # fmt: skip
    cls.ns["utc"] = instance(it, cls, {})
    return V(cls)


def _utc(it: Any) -> V:
    found: V = it.getattr(it.models.symbol(it, "datetime.timezone"), "utc")
    return found


LIBRARY = Library(
    functions={
        **{f"time.{name}": gives(f"time.{name}", "float", lo=0) for name in CLOCKS},
        **{f"time.{name}_ns": gives(f"time.{name}_ns", "int", lo=0) for name in CLOCKS},
        "time.sleep": nothing,
        "time.tzset": nothing,
        **{f"time.{name}": gives(f"time.{name}", "str") for name in (
            "strftime", "ctime", "asctime")},
        **{f"time.{name}": gives(f"time.{name}") for name in ("localtime", "gmtime", "strptime")},
        "time.mktime": gives("time.mktime", "float"),
    },
    values={
        SPAN: _delta_class,
        "datetime.date": _moment_class("datetime.date"),
        "datetime.time": _moment_class("datetime.time"),
        "datetime.datetime": _moment_class("datetime.datetime", "datetime.date"),
        "datetime.tzinfo": lambda it: V(make_class(it, "datetime.tzinfo")),
        "datetime.timezone": _zone_class,
        "datetime.UTC": _utc,
    },
)  # fmt: skip
