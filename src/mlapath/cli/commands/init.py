"""``mlapath init``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from mlapath.base.errors import ExitCode, UsageError
from mlapath.cli.output import write_file, write_stdout


def init(
    context: typer.Context,
    config: Annotated[
        str | None,
        typer.Option("--config", metavar="PATH", show_default=False,
                     help="The model's config.json, or the folder that has it, as seen from the "
                     "new file. Default: the folder that the pasted line names."),
    ] = None,
    device: Annotated[
        list[str] | None,
        typer.Option("--device", metavar="NAME", show_default=False,
                     help="A product or a capability. Repeatable."),
    ] = None,
    vllm: Annotated[
        str | None,
        typer.Option("--vllm", metavar="TREE", show_default=False,
                     help="The vLLM in use. Default: the installed one."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", show_default=False,
                     help="The scenario's name. Default: the model's."),
    ] = None,
    file: Annotated[
        Path, typer.Option("--project", metavar="FILE", help="What to write.")
    ] = Path("mlapath.toml"),
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there.")
    ] = False,
) -> int:  # fmt: skip
    """Write a first mlapath.toml, with comments.

    After -- stands the command line that you serve with:
    mlapath init --device h100 -- vllm serve MODEL --kv-cache-dtype fp8
    """
    from mlapath.project.expand import NAME
    from mlapath.project.template import render_template, scenario_name
    from mlapath.scenario.cmdline import split_command_line
    from mlapath.scenario.devices import parse_device

    line = split_command_line(context.obj.engine)
    for text in device or []:
        parse_device(text)
    if config is None and line.model is not None and Path(line.model).expanduser().is_dir():
        config = line.model
    chosen = name or scenario_name(line.model, config)
    if NAME.fullmatch(chosen) is None:
        raise UsageError(f"--name {chosen!r}: a name consists of letters, digits and _ . + -")
    if file.exists() and not force:
        raise UsageError(f"{file} is there already: --force writes over it")
    text = render_template(line, chosen, config=config, devices=device or [], vllm=vllm)
    write_file(file, text)
    write_stdout(f"wrote {file} with the scenario {chosen}\n")
    if config is None:
        sys.stderr.write(f"mlapath: name the model's config.json in {file}, under config\n")
    return ExitCode.OK
