"""``argparse``: parsers take arguments; what is parsed is not known.

The scenario's own settings come to the program as keyword arguments, not by a command line.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.stdlib_types import simple_namespace
from mlapath.models.support import gives, instance, nothing, unknown
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]
TRUTHY: dict[str, Any] = {"truth": lambda it, value: Truth.TRUE}
PARSER, GROUP, ACTION = (f"argparse.{name}" for name in ("ArgumentParser", "_ArgumentGroup",
                                                         "Action"))  # fmt: skip


def _made(full: str) -> Fn:
    """A method that gives a new object of the class ``full``."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        for value in (*args[1:], *kwargs.values()):
            it.trace.escape(value)
        attrs = {key: value for key, value in kwargs.items() if key != "action"}
        return instance(it, library_class(it, full), attrs)

    return fn


def _parsed(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``parse_args()``: a namespace of which nothing is known."""
    it.may_raise(it.frame, "ArgumentParser.parse_args")
    given = argument(args, kwargs, 2, "namespace") or V(None)
    if given.d is not None:
        it.havoc(given, "the command line")
        return given
    made: Instance = it.new_instance(library_class(it, "argparse.Namespace"))
    made.open = "the command line"
    return V(made)


def _parsed_some(it: Any, args: Args, kwargs: Kwargs) -> V:
    return V((_parsed(it, args, kwargs), unknown("arguments that are left", "list")))


def _error(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``parser.error(message)`` ends the process."""
    raise it.make_raise(it.exception("SystemExit", [V(2)]))


def _exit(it: Any, args: Args, kwargs: Kwargs) -> V:
    raise it.make_raise(it.exception("SystemExit", [argument(args, kwargs, 1, "status") or V(0)]))


CONTAINER: dict[str, Fn] = {
    "__init__": nothing, "add_argument": _made(ACTION), "add_argument_group": _made(GROUP),
    "add_mutually_exclusive_group": _made(GROUP), "set_defaults": nothing, "register": nothing,
    "get_default": gives("get_default"),
}  # fmt: skip
METHODS: dict[str, Fn] = {
    **CONTAINER, "add_subparsers": _made("argparse._SubParsersAction"),
    "parse_args": _parsed, "parse_known_args": _parsed_some, "parse_intermixed_args": _parsed,
    "print_help": nothing, "print_usage": nothing, "error": _error, "exit": _exit,
    "format_help": gives("format_help", "str"), "format_usage": gives("format_usage", "str"),
}  # fmt: skip


def _namespace_class(it: Any) -> V:
    """``Namespace``: a plain namespace that also knows ``name in namespace``."""
    base: ClassObj = simple_namespace(it).d

    def contains(engine: Any, args: Args, kwargs: Kwargs) -> V:
        has: V = engine.call(engine.builtins["hasattr"], args[:2], {})
        return has

    return V(make_class(it, "argparse.Namespace", (base,), methods={"__contains__": contains}))


def _opaque(full: str, methods: dict[str, Fn], *bases: str) -> Factory:
    def factory(it: Any) -> V:
        parents = tuple(library_class(it, base) for base in bases)
        own = {} if parents else {"__init__": nothing}
        return V(make_class(it, full, parents, methods={**own, **methods}, foreign=full,
                            facts=TRUTHY))  # fmt: skip

    return factory


ACTIONS = ("BooleanOptionalAction", "_StoreAction", "_StoreTrueAction", "_StoreFalseAction",
           "_AppendAction", "_CountAction", "_HelpAction", "_VersionAction")  # fmt: skip
CONSTANTS = {"SUPPRESS": "==SUPPRESS==", "REMAINDER": "...", "OPTIONAL": "?", "ZERO_OR_MORE": "*",
             "ONE_OR_MORE": "+", "PARSER": "A..."}  # fmt: skip
FORMATTERS = ("ArgumentDefaultsHelpFormatter", "RawDescriptionHelpFormatter",
              "RawTextHelpFormatter", "MetavarTypeHelpFormatter")  # fmt: skip
LIBRARY = Library(
    values={
        **{f"argparse.{name}": (lambda it, v=value: V(v)) for name, value in CONSTANTS.items()},  # type: ignore[misc]
        PARSER: _opaque(PARSER, METHODS),
        GROUP: _opaque(GROUP, CONTAINER),
        ACTION: _opaque(ACTION, {}),
        "argparse._SubParsersAction": _opaque(
            "argparse._SubParsersAction", {"add_parser": _made(PARSER)}, ACTION),
        **{f"argparse.{name}": _opaque(f"argparse.{name}", {}, ACTION) for name in ACTIONS},
        "argparse.HelpFormatter": _opaque("argparse.HelpFormatter", {}),
        **{f"argparse.{name}": _opaque(f"argparse.{name}", {}, "argparse.HelpFormatter")
           for name in FORMATTERS},
        "argparse.Namespace": _namespace_class,
        "argparse.ArgumentTypeError": lambda it: V(make_class(
            it, "argparse.ArgumentTypeError", (it.builtins["Exception"].d,))),
        "argparse.ArgumentError": lambda it: V(make_class(
            it, "argparse.ArgumentError", (it.builtins["Exception"].d,))),
    },
)  # fmt: skip
