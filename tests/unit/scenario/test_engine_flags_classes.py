"""Flags that are made from the annotations of configuration classes."""

import dataclasses
import typing

import pytest

from mlapath.base.errors import UsageError
from mlapath.scenario.engine_flags_values import CannotReadError, Foreign, Unread
from mlapath.scenario.engine_flags_walker import Walker
from support.flagtrees import ENGINE_PATH, engine_source, program_of, table_of

CONFIG = """
    from dataclasses import InitVar, field
    from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Optional

    import torch
    from pydantic import ConfigDict, Field
    from pydantic.dataclasses import dataclass

    if TYPE_CHECKING:
        from vllm.absent import Kind
    else:
        Kind = str

    Colour = Literal["red", "green"]

    def config(cls):
        return dataclass(cls, config=ConfigDict(extra="forbid"))

    class Mapping(dict[str, int]):
        pass

    @config
    class Inner:
        depth: int = 0

    @config
    class Base:
        seen: int = 1

    @config
    class Config(Base):
        shared: ClassVar[int] = 3
        only_init: InitVar[int] = 0
        colour: Colour = "red"
        free: Colour | str = "red"
        count: int | None = None
        sizes: list[int] = field(default_factory=list)
        pair: Annotated[int, Field(gt=0)] = 2
        maybe: Optional[float] = None
        kind: Kind = ""
        dtype: torch.dtype | None = None
        table: Mapping = Field(default_factory=Mapping)
        inner: Inner = Field(default_factory=Inner)
        on: bool = False
        odd: "Later" = None

    class Loose:
        tag: str = ""

    @dataclass
    class Open(Loose):
        known: int = 0
"""


@pytest.fixture
def walker() -> Walker:
    return Walker(program_of({"vllm/config.py": CONFIG}))


def fields(walker: Walker, name: str) -> dict[str, typing.Any]:
    cls = walker.resolve(f"vllm.config.{name}")
    return {fact.name: fact.type for fact in walker.classes.fields(cls)}


def test_fields_are_those_of_dataclasses(walker):
    names = list(fields(walker, "Config"))
    assert names[:3] == ["seen", "colour", "free"]
    assert "shared" not in names
    assert "only_init" not in names


def test_annotations_are_typing_forms(walker):
    found = fields(walker, "Config")
    assert found["colour"] == typing.Literal["red", "green"]
    assert set(typing.get_args(found["free"])) == {found["colour"], str}
    assert found["count"] == int | None
    assert found["sizes"] == list[int]
    assert typing.get_args(found["pair"])[0] is int
    assert found["maybe"] == float | None
    assert found["kind"] is str


def test_classes_become_stand_ins(walker):
    found = fields(walker, "Config")
    assert (found["inner"].__name__, found["inner"].__module__) == ("Inner", "vllm.config")
    assert issubclass(found["table"], dict)
    dtype = typing.get_args(found["dtype"])[0]
    assert (dtype.__module__, dtype.__name__) == ("torch", "dtype")
    assert walker.resolve("vllm.config.Inner") is found["inner"]


def test_an_annotation_in_quotes_is_not_guessed(walker):
    assert isinstance(fields(walker, "Config")["odd"], Unread)


def test_dataclasses_are_told_by_their_decorators(walker):
    for name, expected in (("Config", True), ("Open", True), ("Loose", False), ("Mapping", False)):
        cls = walker.resolve(f"vllm.config.{name}")
        assert walker.classes.is_dataclass(cls) is expected, name
    assert walker.classes.forbids_extra(walker.resolve("vllm.config.Config"))
    assert not walker.classes.forbids_extra(walker.resolve("vllm.config.Open"))


def test_a_default_is_known_to_be_there_only(walker):
    cls = walker.resolve("vllm.config.Base")
    (seen,) = walker.classes.fields(cls)
    assert isinstance(seen.default, Unread)
    bare = Walker(program_of({"vllm/config.py": "class Bare:\n    a: int\n"}))
    (a,) = bare.classes.fields(bare.resolve("vllm.config.Bare"))
    assert a.default is dataclasses.MISSING


def test_fields_of_something_else(walker):
    with pytest.raises(CannotReadError):
        walker.classes.fields(int)


def test_type_checking_imports_do_not_count(walker):
    assert walker.resolve("vllm.config.Kind") is str
    assert walker.resolve("torch.dtype") == Foreign("torch.dtype")


# -- the same, up to a flag ----------------------------------------------------------------

HELPERS = """
    import copy
    from dataclasses import MISSING, fields, is_dataclass
    from types import UnionType
    from typing import Annotated, Literal, Union, get_args, get_origin

    from pydantic import TypeAdapter, ValidationError

    from vllm.config import Config, Open

    def hints(hint):
        if get_origin(hint) is Annotated:
            return hints(get_args(hint)[0])
        if get_origin(hint) in {Union, UnionType}:
            return {part for each in get_args(hint) for part in hints(each)}
        return {hint}

    def options_of(cls):
        found = {}
        for field in fields(cls):
            if field.default is not MISSING:
                default = field.default
            types = {dict if isinstance(t, type) and issubclass(t, dict) else t
                     for t in hints(field.type)}
            found[field.name] = {"help": f"sets {field.name}"}
            literal = next((t for t in types if get_origin(t) is Literal), None)
            inner = next((t for t in types if is_dataclass(t)), None)
            listed = next((t for t in types if get_origin(t) is list), None)
            if inner is not None:
                def read(text, cls=inner):
                    try:
                        return TypeAdapter(cls).validate_json(text)
                    except ValidationError as error:
                        raise argparse.ArgumentTypeError(repr(error)) from error

                found[field.name]["type"] = read
            elif bool in types:
                found[field.name]["action"] = argparse.BooleanOptionalAction
            elif literal is not None and str not in types:
                found[field.name].update(type=str, choices=sorted(get_args(literal)))
            elif listed is not None:
                found[field.name].update(type=get_args(listed)[0], nargs="+")
            elif dict in types:
                found[field.name]["type"] = json.loads
            elif int in types:
                found[field.name]["type"] = int
            else:
                found[field.name]["type"] = str
        return copy.deepcopy(found)
"""
BODY = """
    group = parser.add_argument_group(title="All")
    kwargs = options_of(Config)
    kwargs["colour"]["choices"].remove("green")
    kwargs["count"]["default"] = None
    del kwargs["sizes"]["nargs"]
    for key, value in kwargs.items():
        value.pop("extra", None)
        group.add_argument(f"--{key.replace('_', '-')}", **value)
    group.add_argument("--open", **{**options_of(Whole)["open"], "default": None})
"""
WHOLE = "\n    @config\n    class Whole:\n        open: Open | None = None\n"
NAMES = (
    "seen", "colour", "free", "count", "sizes", "pair", "maybe", "kind", "dtype", "table", "inner",
    "on", "odd", "open",
)  # fmt: skip


@pytest.fixture(scope="module")
def table():
    engine = engine_source(
        "\n".join(f"{name}: object = None" for name in NAMES),
        BODY,
        HELPERS.replace("import Config, Open", "import Config, Open, Whole"),
    )
    return table_of(engine, {"vllm/config.py": CONFIG + WHOLE})


@pytest.mark.parametrize(
    ("tokens", "engine"),
    [
        (["--colour", "red"], {"colour": "red"}),
        (["--free", "blue"], {"free": "blue"}),
        (["--count", "3"], {"count": 3}),
        (["--sizes", "3"], {"sizes": 3}),
        (["--pair", "4"], {"pair": 4}),
        (["--table", '{"a": 1}'], {"table": {"a": 1}}),
        (["--no-on"], {"on": False}),
        (["--seen", "2"], {"seen": 2}),
    ],
)
def test_flags_by_annotation(table, tokens, engine):
    parsed = table.parse(tokens)
    assert parsed.engine == engine
    assert parsed.notes == ()


def test_a_configuration_class(table):
    parsed = table.parse(["--inner", '{"depth": 2}'])
    assert parsed.engine == {"inner": {"depth": 2}}
    assert parsed.config_classes == {"inner": "vllm.config.Inner"}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ('{"dept": 2}', "Inner has no field 'dept'; did you mean depth?"),
        ("[1]", "expected a JSON object with the keys of Inner"),
        ("{", "not JSON"),
    ],
)
def test_mistakes_in_a_configuration_class(table, value, message):
    with pytest.raises(UsageError) as caught:
        table.parse(["--inner", value])
    assert message in str(caught.value)


def test_a_class_that_takes_any_key(table):
    assert table.parse(["--open", '{"other": 1}']).engine == {"open": {"other": 1}}


def test_choices_that_were_removed(table):
    with pytest.raises(UsageError, match="--colour 'green': choose from red"):
        table.parse(["--colour", "green"])


def test_an_annotation_that_is_not_known_gives_a_note(table):
    parsed = table.parse(["--odd", "x"])
    assert parsed.engine == {"odd": "x"}
    assert "could not be read" in parsed.notes[0]
    assert "vllm/config.py" in parsed.notes[0]
    assert all(ENGINE_PATH in entry for entry in table.skipped)
