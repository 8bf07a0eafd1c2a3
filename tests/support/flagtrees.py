"""Small trees that define flags, written for the tests of the flag reader."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from mlapath.ir.lower import lower_module
from mlapath.resolve.program import Program
from mlapath.scenario.engine_flags import FlagTable, ParsedFlags, read_flag_table
from support.differential import Sources

ENGINE_PATH = "vllm/engine/arg_utils.py"
SERVER_PATH = "vllm/entrypoints/cli/serve.py"
PARSER_PATH = "vllm/utils/argparse_utils.py"


def program_of(files: Mapping[str, str]) -> Program:
    """A program over sources in memory; packages of the paths are added."""
    texts = {path: textwrap.dedent(text) for path, text in files.items()}
    for path in list(texts):
        parts = path.split("/")[:-1]
        for count in range(1, len(parts) + 1):
            texts.setdefault("/".join([*parts[:count], "__init__.py"]), "")
    return Program([Sources(texts, package="vllm")], lower_module)


def table_of(engine: str, others: Mapping[str, str] | None = None) -> FlagTable:
    """The flags of a tree whose module of engine arguments is ``engine``."""
    return read_flag_table(program_of({ENGINE_PATH: engine, **(others or {})}), "0.1")


def engine_source(fields: str, body: str, before: str = "") -> str:
    """A module with ``EngineArgs``: its fields, and what ``add_cli_args`` does."""
    return "\n".join(
        [
            "import argparse",
            "import json",
            "from dataclasses import dataclass",
            textwrap.dedent(before),
            "@dataclass",
            "class EngineArgs:",
            textwrap.indent(textwrap.dedent(fields), "    "),
            "    @staticmethod",
            "    def add_cli_args(parser):",
            textwrap.indent(textwrap.dedent(body), "        "),
            "        return parser",
        ]
    )


def parse(fields: str, body: str, tokens: Sequence[str], before: str = "") -> ParsedFlags:
    """What ``tokens`` mean to an engine with these fields and arguments."""
    return table_of(engine_source(fields, body, before)).parse(tokens)
