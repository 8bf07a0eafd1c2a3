"""Options that several commands share, each with its one help line."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

Vllm: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--vllm",
        metavar="TREE",
        help="vLLM to read: a version (0.16.0), a folder, a wheel or an sdist. "
        "Default: the one that --python would import.",
        show_default=False,
    ),
]
Python: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--python",
        metavar="PATH",
        help="Interpreter whose vLLM is meant. Default: the active environment's.",
        show_default=False,
    ),
]
Config: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="PATH",
        help="The model's config.json, or the folder that has it.",
        show_default=False,
    ),
]
Device: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--device",
        metavar="NAME",
        help="A product (h100, rtx-5090, mi300x, cpu, …) or a capability (9.0, sm90, gfx942). "
        "Repeat for one answer each. Default: this machine's GPU.",
        show_default=False,
    ),
]
Env: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--env",
        metavar="NAME=VALUE",
        help="An environment variable of the deployment. Repeatable.",
        show_default=False,
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
    typer.Option(
        "--with",
        metavar="PACKAGE[==VERSION]",
        help="A distribution or compiled module (vllm._flashmla_C) that is there. Repeatable.",
        show_default=False,
    ),
]
Without: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        metavar="PACKAGE",
        help="A distribution or compiled module that is not there. Repeatable.",
        show_default=False,
    ),
]
Set: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change the model's configuration: dotted key; value as JSON, else text. Repeatable.",
        show_default=False,
    ),
]
Unset: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--unset",
        metavar="KEY",
        help="Drop a dotted key from the model's configuration. Repeatable.",
        show_default=False,
    ),
]
Target: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--target",
        metavar="NAME",
        help="A function to ask about. Repeatable. Default: forward_mha and forward_mqa.",
        show_default=False,
    ),
]
Expect: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--expect",
        metavar="TARGET=VERDICT",
        help="Exit with 1 unless the verdict is always, conditional, never or unproven, as "
        "said. Repeatable.",
        show_default=False,
    ),
]
Format: TypeAlias = Annotated[
    str,
    typer.Option("--format", metavar="NAME", help="text, json or markdown."),
]
Output: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--output",
        metavar="[FORMAT:]FILE",
        help="Write to FILE instead of the terminal; - is the terminal. Repeatable.",
        show_default=False,
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
