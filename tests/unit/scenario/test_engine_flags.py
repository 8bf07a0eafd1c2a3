"""What words mean on a command line, for trees that define flags in small ways."""

import pytest

from mlapath.base.errors import TreeError, UsageError
from mlapath.scenario.engine_flags import read_flag_table
from support.flagtrees import (
    ENGINE_PATH,
    PARSER_PATH,
    SERVER_PATH,
    engine_source,
    parse,
    program_of,
    table_of,
)

FIELDS = """
    size: int = 1
    name: str = ""
    fast: bool = False
    rate: float = 0.5
"""
BODY = """
    group = parser.add_argument_group(title="All")
    group.add_argument("--size", "-s", type=int, help="how many")
    group.add_argument("--name", choices=["red", "green"])
    group.add_argument("--fast", action="store_true")
    group.add_argument("--the-rate", dest="rate", type=float)
"""


def test_values_are_converted_and_named_by_field():
    parsed = parse(FIELDS, BODY, ["-s", "4", "--name=red", "--fast", "--the-rate", "1"])
    assert parsed.engine == {"size": 4, "name": "red", "fast": True, "rate": 1.0}
    assert list(parsed.engine) == ["size", "name", "fast", "rate"]
    assert (parsed.frontend, parsed.model, parsed.notes) == ({}, None, ())


def test_only_what_was_given_counts():
    assert parse(FIELDS, BODY, []).engine == {}


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["--sise", "4"], "vLLM 0.1 has no engine flag --sise; did you mean --size?"),
        (["--fast=1"], "--fast: ignored explicit argument '1'"),
        (["--size", "four"], "--size 'four': not an integer"),
        (["--the-rate", "x"], "--the-rate 'x': not a number"),
        (["--name", "rad"], "--name 'rad': choose from red, green; did you mean red?"),
        (["--size"], "--size/-s: expected one argument"),
        (["--fast", "stray"], "'stray' is not a flag"),
    ],
)
def test_mistakes_are_one_line(tokens, message):
    with pytest.raises(UsageError) as caught:
        parse(FIELDS, BODY, tokens)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_prefix_is_taken_as_argparse_does():
    assert parse(FIELDS, BODY, ["--siz", "4"]).engine == {"size": 4}


def test_flags_and_fields_say_where_they_stand():
    table = table_of(engine_source(FIELDS, BODY))
    size = table.flags[0]
    assert (size.names, size.dest, size.engine) == (("--size", "-s"), "size", True)
    path, line = size.at.split(":")
    source = engine_source(FIELDS, BODY).splitlines()
    assert path == ENGINE_PATH
    assert '"--size"' in source[int(line) - 1]
    assert table.flags[1].choices == ("red", "green")
    assert [(f.name, f.annotation, f.default) for f in table.fields[:2]] == [
        ("size", "int", "1"),
        ("name", "str", '""'),
    ]
    assert table.skipped == ()


def test_boolean_flags_have_their_negation():
    body = 'parser.add_argument("--fast", action=argparse.BooleanOptionalAction)'
    assert parse("fast: bool = True", body, ["--no-fast"]).engine == {"fast": False}
    assert parse("fast: bool = True", body, ["--fast"]).engine == {"fast": True}


def test_a_deprecated_flag_is_noted():
    body = 'parser.add_argument("--fast", action="store_true", deprecated=True)'
    parsed = parse("fast: bool = False", body, ["--fast"])
    assert parsed.notes == ("--fast is deprecated in vLLM 0.1",)


def test_converters_of_the_tree_are_read():
    before = """
    def lengths(text):
        factors = {"k": 10**3, "K": 2**10}
        if text and text[-1] in factors:
            try:
                return int(text[:-1]) * factors[text[-1]]
            except ValueError as error:
                raise argparse.ArgumentTypeError(f"no number before {text[-1]}") from error
        return int(text)
    """
    body = """
    parser.add_argument("--size", type=lengths)
    parser.add_argument("--name", type=lambda s: s.lower().replace("-", "_"), choices=["a_b"])
    """
    fields = 'size: int = 0\nname: str = ""'
    parsed = parse(fields, body, ["--size", "8k", "--name", "A-B"], before)
    assert parsed.engine == {"size": 8000, "name": "a_b"}
    assert parse(fields, body, ["--size", "2K"], before).engine == {"size": 2048}
    with pytest.raises(UsageError, match="--size 'xk': no number before k"):
        parse(fields, body, ["--size", "xk"], before)


def test_json_values():
    body = """
    parser.add_argument("--name", type=json.loads)
    parser.add_argument("--size", type=int, nargs="+")
    """
    parsed = parse(FIELDS, body, ["--name", '{"a": [1, null]}', "--size", "1", "2"])
    assert parsed.engine == {"name": {"a": [1, None]}, "size": [1, 2]}
    with pytest.raises(UsageError, match="--name '{': not JSON"):
        parse(FIELDS, body, ["--name", "{"])


def test_a_type_that_is_not_known_is_said():
    before = "from elsewhere import convert"
    body = 'parser.add_argument("--name", type=convert)'
    parsed = parse(FIELDS, body, ["--name", "x"], before)
    assert parsed.engine == {"name": "x"}
    assert "could not be read" in parsed.notes[0]
    assert "elsewhere.convert" in parsed.notes[0]


def test_choices_that_depend_on_the_machine_are_not_checked():
    before = "from elsewhere import device"
    body = 'parser.add_argument("--name", choices=["cpu"] + [device.kind])'
    parsed = parse(FIELDS, body, ["--name", "gpu"], before)
    assert parsed.engine == {"name": "gpu"}
    assert "could not be read" in parsed.notes[0]
    assert parse(FIELDS, body, [], before).notes == ()


def test_flags_under_an_unknown_condition_are_taken():
    before = "from elsewhere import device"
    body = """
    if device.has_tensor_cores():
        parser.add_argument("--size", type=int)
    else:
        parser.add_argument("--rate", type=float)
    """
    assert parse(FIELDS, body, ["--size", "1", "--rate", "2"], before).engine == {
        "size": 1,
        "rate": 2.0,
    }


def test_what_cannot_be_read_is_passed_over_and_told():
    body = """
    class Local:
        pass
    parser.add_argument(f"--{Local.name}")
    parser.add_argument("--size", type=int)
    """
    table = table_of(engine_source(FIELDS, body))
    assert table.parse(["--size", "1"]).engine == {"size": 1}
    assert len(table.skipped) == 2
    assert all(entry.startswith(f"{ENGINE_PATH}:") for entry in table.skipped)
    with pytest.raises(UsageError, match=r"2 statements of its parser could not be read"):
        table.parse(["--name", "x"])


def test_a_tree_without_engine_arguments():
    with pytest.raises(TreeError, match="defines no EngineArgs"):
        read_flag_table(program_of({"vllm/other.py": ""}))
    with pytest.raises(TreeError, match="defines no EngineArgs"):
        read_flag_table(program_of({ENGINE_PATH: "class Other:\n    pass\n"}))


def test_a_tree_whose_arguments_are_not_python():
    with pytest.raises(TreeError):
        read_flag_table(program_of({ENGINE_PATH: "class EngineArgs(:\n"}))


SERVER = """
    from vllm.engine.arg_utils import EngineArgs

    def make_arg_parser(parser):
        parser.add_argument("tag", nargs="?")
        parser.add_argument("--port", type=int)
        parser.add_argument("--config")
        return EngineArgs.add_cli_args(parser)
"""
ENGINE = engine_source(
    'model: str = ""\nsize: int = 1',
    'parser.add_argument("--model")\nparser.add_argument("--size", type=int)',
)


def test_the_servers_flags_are_kept_apart():
    table = table_of(ENGINE, {SERVER_PATH: SERVER})
    parsed = table.parse(["org/model", "--port", "80", "--size", "2"])
    assert parsed.model == "org/model"
    assert (parsed.engine, parsed.frontend) == ({"size": 2}, {"port": 80})
    assert {f.names[0] for f in table.flags if not f.engine} == {"--port", "--config"}


def test_the_model_by_flag():
    assert table_of(ENGINE).parse(["--model", "m"]).model == "m"
    assert table_of(ENGINE, {SERVER_PATH: SERVER}).parse(["--size", "2"]).model is None


PARSER = """
    import json
    import regex as re
    from argparse import ArgumentParser, BooleanOptionalAction
    from collections import defaultdict

    from vllm.logger import init_logger

    logger = init_logger(__name__)


    class Both(BooleanOptionalAction):
        def __init__(self, option_strings, dest, *args, **kwargs):
            super().__init__(option_strings, dest, *args, **kwargs)
            self.off = [o.replace("--with-", "--without-") for o in option_strings]
            self.option_strings = [*self.option_strings, *self.off]

        def __call__(self, parser, namespace, values, option_string=None):
            on = option_string not in self.off and not option_string.startswith("--no-")
            setattr(namespace, self.dest, on)


    class FlexibleArgumentParser(ArgumentParser):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.register("action", BooleanOptionalAction, Both)

        def parse_args(self, args=None, namespace=None):
            assert args[0] == "serve"
            if "--config" in args:
                args = self._from_file(args)
            words = []
            dotted = defaultdict[str, dict[str, str]](dict)
            skip = set[int]()
            for i, word in enumerate(args):
                if i in skip:
                    continue
                if word.startswith("--"):
                    word = re.sub(r"(?<=--)[^=.]*", lambda m: m.group(0).replace("_", "-"), word)
                if word.startswith("-L") and word != "-L":
                    words += ["--level", word[2:]]
                elif word.startswith("--") and "." in word.partition("=")[0]:
                    if "=" in word:
                        key, value = word.split("=", 1)
                    else:
                        key, value = word, args[i + 1]
                        skip.add(i + 1)
                    flag, _, inner = key.partition(".")
                    try:
                        dotted[flag][inner] = json.loads(value)
                    except json.JSONDecodeError:
                        dotted[flag][inner] = value
                else:
                    words.append(word)
            for flag, value in dotted.items():
                if flag in words:
                    logger.warning("%s is given twice", flag)
                words += [flag, json.dumps(value)]
            return super().parse_args(words, namespace)

        def _from_file(self, args):
            at = args.index("--config")
            if at == len(args) - 1:
                raise ValueError("no file after --config")
            found = []
            import yaml
            with open(args[at + 1]) as file:
                for key, value in yaml.safe_load(file).items():
                    found += ["--" + key] if value is True else ["--" + key, str(value)]
            return args[:2] + found + args[2:at] + args[at + 2 :]
"""
FLEXIBLE = engine_source(
    "level: int = 0\nextra: dict = None\nwith_cache: bool = True\nmax_size: int = 0",
    """
    parser.add_argument("--level", type=int)
    parser.add_argument("--extra", type=json.loads)
    parser.add_argument("--with-cache", action=argparse.BooleanOptionalAction)
    parser.add_argument("--max-size", type=int)
    """,
    "from vllm.utils.argparse_utils import FlexibleArgumentParser",
)


@pytest.mark.parametrize(
    ("tokens", "engine"),
    [
        (["-L3"], {"level": 3}),
        (["--max_size", "4"], {"max_size": 4}),
        (["--max_size=4"], {"max_size": 4}),
        (["--extra.a", "1", "--extra.b=x_y"], {"extra": {"a": 1, "b": "x_y"}}),
        (["--without-cache"], {"with_cache": False}),
        (["--no-with-cache"], {"with_cache": False}),
        (["--with-cache"], {"with_cache": True}),
    ],
)
def test_the_trees_own_parser_decides_what_a_word_is(tokens, engine):
    table = table_of(FLEXIBLE, {PARSER_PATH: PARSER})
    assert table.parse(tokens).engine == engine
    assert table.skipped == ()


def test_warnings_of_the_trees_parser_are_passed_on():
    table = table_of(FLEXIBLE, {PARSER_PATH: PARSER})
    parsed = table.parse(["--extra", "{}", "--extra.a", "1"])
    assert parsed.engine == {"extra": {"a": 1}}
    assert parsed.notes == ("--extra is given twice",)
    assert table.parse(["-L1"]).notes == ()


def test_errors_of_the_trees_parser_are_usage_errors(tmp_path):
    table = table_of(FLEXIBLE, {PARSER_PATH: PARSER, SERVER_PATH: SERVER})
    with pytest.raises(UsageError, match="no file after --config"):
        table.parse(["--config"])
    with pytest.raises(UsageError, match=r"absent\.yaml: No such file"):
        table.parse(["--config", str(tmp_path / "absent.yaml")])
    (tmp_path / "bad.yaml").write_text("a: [1", "utf-8")
    with pytest.raises(UsageError, match="expected ',' or ']'"):
        table.parse(["--config", str(tmp_path / "bad.yaml")])
    with pytest.raises(UsageError, match="--extra.a has no value"):
        table.parse(["--extra.a"])


def test_flags_from_a_file(tmp_path):
    file = tmp_path / "flags.yaml"
    file.write_text("level: 2\nwith-cache: true\nmax_size: 3\n", "utf-8")
    table = table_of(FLEXIBLE, {PARSER_PATH: PARSER, SERVER_PATH: SERVER})
    parsed = table.parse(["--config", str(file), "--max-size", "5"])
    assert parsed.engine == {"level": 2, "with_cache": True, "max_size": 5}


def test_without_the_trees_parser_only_argparse_counts():
    table = table_of(FLEXIBLE.replace("FlexibleArgumentParser", "Gone"), {PARSER_PATH: PARSER})
    assert table.parse(["--level", "3"]).engine == {"level": 3}
    with pytest.raises(UsageError, match="has no engine flag -L3"):
        table.parse(["-L3"])


def test_a_parse_leaves_nothing_behind():
    table = table_of(FLEXIBLE, {PARSER_PATH: PARSER})
    first = table.parse(["--extra.a", "1"])
    assert table.parse(["--extra.b", "2"]).engine == {"extra": {"b": 2}}
    assert first.engine == {"extra": {"a": 1}}
