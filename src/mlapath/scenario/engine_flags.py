"""The engine flags of one vLLM, read from its own command-line code.

The code that fills vLLM's argument parser is walked over its IR (nothing is imported or run),
and the arguments that it adds are given to Python's ``argparse``. What a word means (its
spelling, type, choices, JSON form, dotted keys, ``-O3``) is therefore what this tree's code says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mlapath.base.errors import TreeError, UsageError
from mlapath.base.nearest import did_you_mean
from mlapath.ir import nodes as ir
from mlapath.scenario import engine_flags_names as names
from mlapath.scenario.config_file import JsonValue
from mlapath.scenario.engine_flags_actions import replaced_actions
from mlapath.scenario.engine_flags_argparse import FlagParser, build_parser
from mlapath.scenario.engine_flags_collect import Argument, Collector, arguments_of
from mlapath.scenario.engine_flags_config_values import ConfigValue
from mlapath.scenario.engine_flags_statements import PROGRAM_ERRORS
from mlapath.scenario.engine_flags_values import CannotReadError, Function, Instance, Unread
from mlapath.scenario.engine_flags_walker import FlagSource, Walker

_NO_MODEL = "/"
"""Stands where the model would, which the scenario has from elsewhere."""


class FlagProgram(FlagSource, Protocol):
    """A program whose source text can be quoted."""

    def text(self, path: str, pos: ir.Pos) -> str:
        """The source text at a position."""
        ...


@dataclass(frozen=True)
class EngineField:
    """A field of the engine's arguments; ``annotation`` and ``default`` as source text."""

    name: str
    annotation: str
    default: str | None
    at: str


@dataclass(frozen=True)
class Flag:
    """A flag: its spellings, where the tree adds it (``path:line``), what it sets.

    ``engine``: whether ``dest`` is a field of the engine's arguments. ``choices``: None where any
    value of the type may be given, or where the choices could not be read.
    """

    names: tuple[str, ...]
    dest: str
    engine: bool
    at: str
    choices: tuple[JsonValue, ...] | None = None
    deprecated: bool = False


@dataclass(frozen=True)
class ParsedFlags:
    """Flags by what they set, converted as the tree converts them; only those that were given.

    ``engine``: by field of the engine's arguments; enumeration members and literals as given.
    ``config_classes``: for the fields whose value is a JSON object of a configuration class, that
    class (``module.Name``): vLLM's parser hands the engine an instance of it. ``frontend``: the
    server's own. ``model``: the positional word or ``--model``. ``notes``: one sentence each.
    """

    engine: Mapping[str, JsonValue]
    frontend: Mapping[str, JsonValue]
    model: str | None = None
    notes: tuple[str, ...] = ()
    config_classes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FlagTable:
    """What one tree takes on its command line.

    ``skipped``: statements that could not be read (``path:line: why``); flags may be missing.
    """

    flags: tuple[Flag, ...]
    fields: tuple[EngineField, ...]
    skipped: tuple[str, ...]
    label: str
    _walker: Walker = field(repr=False, compare=False)
    _arguments: tuple[Argument, ...] = field(repr=False, compare=False)
    _parser_class: Any = field(repr=False, compare=False)

    def parse(self, tokens: Sequence[str]) -> ParsedFlags:
        """Read engine flags as ``vllm serve`` would.

        Raises:
            UsageError: an unknown flag (with the nearest names), a value of the wrong type or
                not among the choices, a missing value. One line.
        """
        notes: list[str] = []
        with self._walker.strictly() as said:
            actions = replaced_actions(self._walker, self._parser_class)
            parser = build_parser(self._walker, self._arguments, actions, notes)
            try:
                words = self._spread(tokens)
            except CannotReadError as error:
                message = f"how {self.label} takes these flags is not read: {error}"
                raise UsageError(message) from None
            except IndexError:  # a flag whose value the tree's parser looks for behind it
                raise UsageError(f"engine flags: {tokens[-1]} has no value") from None
            except OSError as error:
                raise UsageError(
                    f"{error.filename or names.CONFIG_FLAG}: {error.strerror}"
                ) from None
            except PROGRAM_ERRORS as error:
                raise UsageError(f"engine flags: {' '.join(str(error).split())}") from None
            namespace, extra = parser.parse_known_args(words)
            if extra:
                raise self._unknown(extra, parser)
            return self._sorted(vars(namespace), [*said, *notes])

    def _spread(self, tokens: Sequence[str]) -> list[str]:
        """The words as the tree's parser hands them to argparse: dotted keys merged and so on."""
        named = any(t.partition("=")[0] == names.MODEL_FLAG for t in tokens)
        has_model = named or (bool(tokens) and not tokens[0].startswith("-"))
        words = [names.SUBCOMMAND, *([] if has_model else [_NO_MODEL]), *tokens]
        caught = self._through_parser(words)[1:]
        if not has_model and not any(argument.positional for argument in self._arguments):
            caught.remove(_NO_MODEL)
        return caught

    def _through_parser(self, words: list[str]) -> list[str]:
        walker, cls = self._walker, self._parser_class
        if cls is None or walker.classes.find(cls, names.PARSE) is None:
            return words
        caught: list[str] = []

        def catch(args: Sequence[str], _namespace: Any = None) -> None:
            caught.extend(args)

        main = {"_option_string_actions": dict.fromkeys(("-h", "--help", "-v", "--version"))}
        instance = Instance(cls, dict(main), {names.PARSE: catch})
        walker.call(walker.get(instance, names.PARSE), (words,), {})
        return caught

    def _unknown(self, extra: Sequence[str], parser: FlagParser) -> UsageError:
        flag = next((word for word in extra if word.startswith("-")), None)
        if flag is None:
            return UsageError(f"engine flags: {extra[0]!r} is not a flag, nor a flag's value")
        name = flag.partition("=")[0]
        alike = [
            each for each in parser.spellings() if each.startswith("--") == name.startswith("--")
        ]
        near = did_you_mean(name, alike)
        hint = f" ({len(self.skipped)} statements of its parser could not be read)"
        return UsageError(
            f"{self.label} has no engine flag {name}{hint if self.skipped else ''}{near}"
        )

    def _sorted(self, values: Mapping[str, Any], notes: list[str]) -> ParsedFlags:
        engine: dict[str, JsonValue] = {}
        classes: dict[str, str] = {}
        order = {each.name: at for at, each in enumerate(self.fields)}
        words = {a.dest for a in self._arguments if a.positional}
        model = next((values[w] for w in sorted(words) if values.get(w) != _NO_MODEL), None)
        model = values.get(names.MODEL_FIELD) if model is None else model
        for dest in sorted(values, key=lambda d: (order.get(d, len(order)), d)):
            if dest in order and dest != names.MODEL_FIELD:
                engine[dest] = _plain(values[dest])
                if isinstance(values[dest], ConfigValue):
                    classes[dest] = values[dest].config_class
        frontend = {
            dest: _plain(values[dest])
            for dest in sorted(values)
            if dest not in order and dest not in words
        }
        notes += [
            f"{flag.names[0]} is deprecated in {self.label}"
            for flag in self.flags
            if flag.deprecated and flag.dest in values
        ]
        return ParsedFlags(engine, frontend, model, tuple(dict.fromkeys(notes)), classes)


def read_flag_table(program: FlagProgram, version: str | None = None) -> FlagTable:
    """Read the flags of a tree.

    Args:
        program: the tree's modules.
        version: of the tree, for messages.

    Raises:
        TreeError: the tree has no engine arguments, or they cannot be read.
    """
    walker = Walker(program)
    engine = walker.resolve(f"{names.ENGINE_MODULE}.{names.ENGINE_CLASS}")
    info = walker.classes.info(engine)
    if info is None:
        why = walker.skipped[0] if walker.skipped else "no flags known"
        raise TreeError(
            f"this tree defines no {names.ENGINE_CLASS} in {names.ENGINE_MODULE}: {why}"
        )
    collector = Collector(walker)
    try:
        walker.call(_entry(walker, engine), (collector,), {})
    except (CannotReadError, *PROGRAM_ERRORS) as error:
        raise TreeError(f"cannot read the engine flags of this tree: {error}") from None
    fields = tuple(_fields(walker, program, engine))
    known = {each.name for each in fields}
    arguments = arguments_of(collector)
    parser_class = walker.lookup(info.scope, names.PARSER_CLASS)
    return FlagTable(
        flags=tuple(_flag(a, a.dest in known) for a in arguments if not a.positional),
        fields=fields,
        skipped=tuple(dict.fromkeys(walker.skipped)),
        label=f"vLLM {version}" if version else "this vLLM",
        _walker=walker,
        _arguments=arguments,
        _parser_class=None if walker.classes.info(parser_class) is None else parser_class,
    )


def _entry(walker: Walker, engine: Any) -> Any:
    for module in names.SERVER_MODULES:
        if walker.scope(module) is not None:
            function = walker.resolve(f"{module}.{names.SERVER_FUNCTION}")
            if isinstance(function, Function):
                return function
    return walker.get(engine, names.ADD_ARGUMENTS)


def _fields(walker: Walker, program: FlagProgram, engine: type) -> list[EngineField]:
    found: dict[str, EngineField] = {}
    wanted = {fact.name for fact in walker.classes.fields(engine)}
    for info in reversed(list(walker.classes.lineage(engine))):
        path = info.scope.path
        for stmt in info.node.body:
            if isinstance(stmt, ir.AnnAssign) and isinstance(stmt.target, ir.Name):
                name = stmt.target.id
                if name in wanted:
                    default = None if stmt.value is None else program.text(path, stmt.value.pos)
                    annotation = program.text(path, stmt.annotation.pos)
                    found[name] = EngineField(name, annotation, default, f"{path}:{stmt.pos[0]}")
    return list(found.values())


def _flag(argument: Argument, engine: bool) -> Flag:
    choices = argument.options.get("choices")
    plain = None
    if isinstance(choices, (list, tuple)) and not any(isinstance(c, Unread) for c in choices):
        plain = tuple(_plain(choice) for choice in choices)
    deprecated = argument.options.get("deprecated") is True
    path, line = argument.at
    return Flag(argument.names, argument.dest, engine, f"{path}:{line}", plain, deprecated)


def _plain(value: Any) -> JsonValue:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, (set, frozenset)):
        return [_plain(each) for each in sorted(value, key=str)]
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)
