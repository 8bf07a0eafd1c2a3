"""``logging``: loggers by name whose methods do nothing; handlers and formatters to derive from.

Nothing that is logged comes back into the program, and what is set up here decides only where
text goes.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn, Library, argument, make_class
from mlapath.models.support import (
    gives,
    instance,
    nothing,
    opaque_class,
    pure,
    unknown,
)
from mlapath.values.objects import Cell, ClassObj
from mlapath.values.truth import Truth
from mlapath.values.value import V

LOGGERS = "logging.loggers"
SAYS = ("debug", "info", "warning", "warn", "error", "critical", "fatal", "exception", "log")
CHANGES = ("addHandler", "removeHandler", "addFilter", "removeFilter", "handle", "callHandlers",
           "flush", "close", "emit", "acquire", "release", "createLock", "handleError",
           "setFormatter", "set_name", "setStream", "setTarget")  # fmt: skip
TRUTHY: dict[str, Any] = {"truth": lambda it, value: Truth.TRUE}


def _open_list(it: Any, why: str) -> V:
    made = it.heap.list([])
    it.heap.open_list(made, why)
    return V(made)


def _attributes(it: Any, name: V) -> dict[str, V]:
    level = unknown("the level of a logger", "int", lo=0)
    return {"name": name, "level": level, "handlers": _open_list(it, "handlers of a logger"),
            "filters": _open_list(it, "filters of a logger"), "disabled": V(False),
            "propagate": unknown("whether a logger propagates", "bool")}  # fmt: skip


def _logger_init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = argument(args, kwargs, 1, "name") or V("")
    for key, value in _attributes(it, name).items():
        it.heap.put(args[0].d.attrs, key, value)
    return V(None)


def _set_level(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.setattr(args[0], "level", argument(args, kwargs, 1, "level") or V(None))
    return V(None)


def _is_enabled(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return unknown("whether a logger is enabled for a level", "bool")


def _child(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = it.binop("+", it.getattr(args[0], "name"), it.binop("+", V("."), args[1]))
    return get_logger(it, [name], {})


def _logger_class(it: Any) -> V:
    methods: dict[str, Fn] = {
        **dict.fromkeys((*SAYS, *CHANGES), nothing),
        "__init__": _logger_init, "setLevel": _set_level, "isEnabledFor": _is_enabled,
        "getEffectiveLevel": gives("Logger.getEffectiveLevel", "int", lo=0),
        "hasHandlers": gives("Logger.hasHandlers", "bool"), "getChild": _child,
    }  # fmt: skip
    return V(make_class(it, "logging.Logger", methods=methods, foreign="logging.Logger",
                        facts=TRUTHY))  # fmt: skip


def get_logger(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``getLogger(name=None)``: the same logger for the same name."""
    name = argument(args, kwargs, 0, "name") or V(None)
    if type(name.d) is not str and name.d is not None:
        return _new(it, name)
    loggers: dict[str, V] = it.store.setdefault(LOGGERS, {})
    key = name.d or "root"
    if key not in loggers:
        made = _new(it, V(key, name.o))
        attrs: Cell = made.d.attrs
        attrs.born = 0  # as old as the evaluation, even if it is first asked for inside a fork
        loggers[key] = made
    return loggers[key]


def _new(it: Any, name: V) -> V:
    cls: ClassObj = it.models.symbol(it, "logging.Logger").d
    return instance(it, cls, _attributes(it, name))


def _opaque(full: str, *bases: str, **methods: Fn) -> Any:
    """A class whose instances do nothing that the program sees."""

    def factory(it: Any) -> V:
        parents = tuple(it.models.symbol(it, base).d for base in bases)
        own: dict[str, Fn] = {} if parents else {
            **dict.fromkeys(CHANGES, nothing), "setLevel": nothing}  # fmt: skip
        return V(make_class(it, full, parents, methods={**own, "__init__": nothing, **methods},
                            foreign=full, facts=TRUTHY))  # fmt: skip

    return factory


HANDLERS = {
    "logging.StreamHandler": "logging.Handler", "logging.FileHandler": "logging.StreamHandler",
    "logging.NullHandler": "logging.Handler",
    **{f"logging.handlers.{name}": "logging.Handler" for name in (
        "RotatingFileHandler", "TimedRotatingFileHandler", "QueueHandler", "SysLogHandler",
        "MemoryHandler", "SocketHandler", "HTTPHandler", "WatchedFileHandler")},
}  # fmt: skip
NAMES = {"CRITICAL": 50, "FATAL": 50, "ERROR": 40, "WARN": 30, "WARNING": 30, "INFO": 20,
         "DEBUG": 10, "NOTSET": 0}  # fmt: skip


def _level_name(level: Any) -> Any:
    """Of the levels that are there from the start."""
    numbers = {number: name for name, number in reversed(NAMES.items())}
    numbers.update({50: "CRITICAL", 30: "WARNING"})
    return numbers.get(level, NAMES.get(level, f"Level {level}"))


def _names(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    made = it.heap.dict()
    for name, level in NAMES.items():
        it.dict_set(made, V(name), V(level))
    return V(made)


LIBRARY = Library(
    functions={
        **{f"logging.{name}": nothing for name in (
            *SAYS, "basicConfig", "captureWarnings", "disable", "shutdown", "addLevelName",
            "setLoggerClass", "setLogRecordFactory")},
        "logging.getLogger": get_logger,
        "logging.getLogRecordFactory": gives("logging.getLogRecordFactory"),
        "logging.makeLogRecord": gives("logging.makeLogRecord"),
        "logging.getLoggerClass": lambda it, a, k: it.models.symbol(it, "logging.Logger"),
        "logging.getLevelName": pure("logging.getLevelName", _level_name),
        "logging.getLevelNamesMapping": _names,
        "logging.config.dictConfig": gives("logging.config.dictConfig"),
        "logging.config.fileConfig": gives("logging.config.fileConfig"),
    },
    values={
        **{f"logging.{name}": (lambda it, n=level: V(n)) for name, level in NAMES.items()},  # type: ignore[misc]
        "logging.Logger": _logger_class,
        "logging.root": lambda it: get_logger(it, [], {}),
        "logging._nameToLevel": lambda it: _names(it, [], {}),
        "logging.Handler": _opaque("logging.Handler", format=gives("Handler.format", "str")),
        **{name: _opaque(name, base) for name, base in HANDLERS.items()},
        "logging.Formatter": _opaque(
            "logging.Formatter", format=gives("Formatter.format", "str"),
            formatTime=gives("Formatter.formatTime", "str"),
            formatException=gives("Formatter.formatException", "str"),
            formatMessage=gives("Formatter.formatMessage", "str")),
        "logging.Filter": _opaque("logging.Filter", filter=gives("Filter.filter", "bool")),
        "logging.LoggerAdapter": _opaque("logging.LoggerAdapter",
                                         **dict.fromkeys(SAYS, nothing)),
        "logging.LogRecord": opaque_class(
            "logging.LogRecord", {"getMessage": gives("LogRecord.getMessage", "str")}),
    },
)  # fmt: skip
