"""What ``check``, ``baseline`` and their kin share: the project, its scenarios, its baseline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from mlapath.base.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from mlapath.app.request import TreeRequest
    from mlapath.ci.lock import Lock
    from mlapath.project import Project

ProjectFile: TypeAlias = Annotated[
    str | None,
    typer.Option("--project", metavar="FILE", show_default=False,
                 help="mlapath.toml, or a pyproject.toml with [tool.mlapath]. Default: the "
                 "nearest one of this folder or above."),
]  # fmt: skip
Scenarios: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--scenario", metavar="NAME", show_default=False,
                 help="Only this scenario, or those that a pattern with * matches. Repeatable. "
                 "Default: all."),
]  # fmt: skip
BaselineFile: TypeAlias = Annotated[
    str | None,
    typer.Option("--baseline", metavar="FILE", show_default=False,
                 help="The baseline. Default: what the project says, else mlapath.lock "
                 "beside it."),
]  # fmt: skip
Jobs: TypeAlias = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="N", min=1, show_default=False,
                 help="Processes. Default: one for each core."),
]  # fmt: skip


def open_project(given: str | None) -> Project:
    """The project that counts.

    Raises:
        UsageError: there is none.
        ConfigError: it cannot be read.
    """
    from mlapath.project import find_project, read_project

    file = find_project(given)
    if file is None:
        raise UsageError(
            "there is no mlapath.toml here or above: mlapath init writes one, --project names one"
        )
    return read_project(file)


def tree_of(
    project: Project, vllm: str | None, python: str | None, *, use_cache: bool
) -> TreeRequest:
    """The tree that is meant: the given one, else the project's, else the installed one."""
    from mlapath.app.request import TreeRequest
    from mlapath.project.trees import default_tree

    if vllm is None and python is None:
        vllm, python = default_tree(project)
    return TreeRequest(vllm, python, use_cache=use_cache)


def baseline_path(project: Project, given: str | None) -> Path:
    """Where the baseline is, or will be."""
    if given is not None:
        return Path(given).expanduser()
    return project.folder / Path(project.baseline).expanduser()


def read_baseline(file: Path, *, required: bool) -> Lock | None:
    """The baseline; None where there is none and none is ``required``.

    Raises:
        ConfigError: it cannot be read, or is none.
    """
    from mlapath.ci.lock import parse_lock

    try:
        text = file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        if not required:
            return None
        raise ConfigError(
            f"{file}: there is no baseline: mlapath baseline write makes it"
        ) from None
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: not UTF-8 text (byte {error.start})") from None
    return parse_lock(text, str(file))
