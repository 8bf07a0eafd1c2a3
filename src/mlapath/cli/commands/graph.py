"""``mlapath graph``."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from mlapath.base.errors import UsageError
from mlapath.cli import options as opt
from mlapath.cli.output import emit, parse_sinks
from mlapath.cli.progress import show_progress

FORMATS = ("json", "graphml", "dot", "mermaid")


def graph(
    context: typer.Context,
    config: opt.Config = None,
    vllm: opt.Vllm = None,
    python: opt.Python = None,
    device: opt.Device = None,
    env: opt.Env = None,
    inherit_env: opt.InheritEnv = False,
    with_: opt.With = None,
    without: opt.Without = None,
    set_: opt.Set = None,
    unset: opt.Unset = None,
    target: opt.Target = None,
    batch: opt.Batch = None,
    whole: Annotated[
        bool,
        typer.Option("--all", help="Everything that a step runs, not only what leads to targets."),
    ] = False,
    format_: Annotated[
        str,
        typer.Option(
            "--format", metavar="NAME", help="json (networkx node-link), graphml, dot or mermaid."
        ),
    ] = "json",
    output: opt.Output = None,
    no_cache: opt.NoCache = False,
    quiet: opt.Quiet = False,
) -> None:
    """Draw the calls and branches that lead to the targets, and those that keep them away.

    One graph for each kind of MLA layer; of a deployment that vLLM refuses, the way to the
    exception: mlapath graph --config DIR --device h100 --format mermaid -- FLAGS
    """
    from mlapath.app.graph import GraphRequest
    from mlapath.app.graph import graph as draw
    from mlapath.app.request import TreeRequest
    from mlapath.cli.scenarios import gather
    from mlapath.report.graph_formats import render_graph
    from mlapath.scenario.assemble import ScenarioWords

    sinks = parse_sinks(format_, output or [], FORMATS)
    words = ScenarioWords(
        config=config,
        devices=device or [],
        engine=context.obj.engine,
        env=env or [],
        inherited_env=dict(os.environ) if inherit_env else {},
        present=with_ or [],
        absent=without or [],
        sets=set_ or [],
        unsets=unset or [],
        targets=target or [],
        batch=batch,
    )
    asked = gather(words, TreeRequest(vllm, python, use_cache=not no_cache))
    if len(asked.scenarios) != 1:
        raise UsageError(f"a graph shows one deployment: {' or '.join(asked.names)}?")
    with show_progress(quiet=quiet) as progress:
        found = draw(GraphRequest(asked.tree, asked.scenarios[0], whole), progress)
    emit(sinks, lambda name, _stdout: render_graph(found, name))
