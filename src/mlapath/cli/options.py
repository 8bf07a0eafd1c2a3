"""Options that several commands share, each with its one help line."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import typer


def _value(name: str, metavar: str, meaning: str) -> Any:
    """An option with a value and no default worth showing."""
    return typer.Option(name, metavar=metavar, help=meaning, show_default=False)


Vllm: TypeAlias = Annotated[
    str | None,
    _value(
        "--vllm",
        "TREE",
        "vLLM to read: a version (0.16.0), a folder, a wheel or an sdist. "
        "Default: the one that --python would import.",
    ),
]
Python: TypeAlias = Annotated[
    str | None,
    _value(
        "--python",
        "PATH",
        "Interpreter whose vLLM is meant. Default: the active environment's.",
    ),
]
Config: TypeAlias = Annotated[
    str | None,
    _value(
        "--config",
        "PATH",
        "The model's config.json, or the folder that has it; or a scenario of mlapath.toml.",
    ),
]
Device: TypeAlias = Annotated[
    list[str] | None,
    _value(
        "--device",
        "NAME",
        "A product (h100, rtx-5090, mi300x, cpu, cpu:avx512, …) or a capability (9.0, sm90, "
        "gfx942). "
        "Repeat for one answer each. Default: this machine's GPU.",
    ),
]
Env: TypeAlias = Annotated[
    list[str] | None,
    _value(
        "--env",
        "NAME=VALUE",
        "An environment variable of the deployment. Repeatable.",
    ),
]
InheritEnv: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--inherit-env",
        help="Also count the variables of this shell that vLLM reads.",
    ),
]
With: TypeAlias = Annotated[
    list[str] | None,
    _value(
        "--with",
        "PACKAGE[==VERSION]",
        "A distribution or compiled module (vllm._flashmla_C) that is there. Repeatable.",
    ),
]
Without: TypeAlias = Annotated[
    list[str] | None,
    _value(
        "--without",
        "PACKAGE",
        "A distribution or compiled module that is not there. Repeatable.",
    ),
]
Set: TypeAlias = Annotated[
    list[str] | None,
    _value(
        "--set",
        "KEY=VALUE",
        "Change the model's configuration: dotted key; value as JSON, else text. Repeatable.",
    ),
]
Unset: TypeAlias = Annotated[
    list[str] | None,
    _value(
        "--unset",
        "KEY",
        "Drop a dotted key from the model's configuration, its class's default too. Repeatable.",
    ),
]
Target: TypeAlias = Annotated[
    list[str] | None,
    _value(
        "--target",
        "NAME",
        "A function to ask about. Repeatable. Default: forward_mha and forward_mqa.",
    ),
]
Batch: TypeAlias = Annotated[
    str | None,
    _value(
        "--batch",
        "SPEC",
        "One step's requests, Q[@C][xN] joined by +: Q new tokens, C tokens in the cache, N such "
        "requests. 37 is a fresh prompt, 600+1@100x8 a prompt and eight decodes.",
    ),
]
Expect: TypeAlias = Annotated[
    list[str] | None,
    _value(
        "--expect",
        "TARGET=VERDICT",
        "Exit with 1 unless the verdict is always, conditional, never or unproven, as "
        "said. Repeatable.",
    ),
]
Format: TypeAlias = Annotated[
    str,
    typer.Option("--format", metavar="NAME", help="text, json or markdown."),
]
Output: TypeAlias = Annotated[
    list[str] | None,
    _value(
        "--output",
        "[FORMAT:]FILE",
        "Write to FILE instead of the terminal; - is the terminal. Repeatable.",
    ),
]
Strict: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Count a never that leans on an unconfirmed assumption as unproven, and exit "
        "with 3 if anything is.",
    ),
]
NoCache: TypeAlias = Annotated[
    bool,
    typer.Option("--no-cache", help="Use and keep no results of earlier runs."),
]
Verbose: TypeAlias = Annotated[
    int,
    typer.Option("-v", "--verbose", count=True, help="Say everything.", show_default=False),
]
Quiet: TypeAlias = Annotated[
    bool,
    typer.Option("-q", "--quiet", help="Say the answers only, and show no progress."),
]
