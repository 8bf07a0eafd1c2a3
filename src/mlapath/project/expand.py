"""``extends`` and ``matrix``: from the tables of a project file to its scenarios."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from mlapath.base.nearest import did_you_mean
from mlapath.project.entry import Entry
from mlapath.project.part import READERS, Part, merge, read_part
from mlapath.project.values import At, as_flag, as_table, as_texts

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
"""Names of scenarios and of the steps of an axis; ``/`` joins them."""
MOST = 1000
"""Scenarios that one table may stand for."""
OWN_KEYS = ("extends", "abstract", "matrix")
Axis = Mapping[str, Part]
"""The steps of an axis, by label."""


@dataclass(frozen=True)
class _Table:
    """A scenario's table with what it inherits."""

    part: Part
    axes: Mapping[str, Axis]
    abstract: bool


def expand(tables: Mapping[str, Any], at: At) -> tuple[Entry, ...]:
    """Give the scenarios of ``[scenarios.*]``, in the file's order.

    Raises:
        ConfigError: one line, with the key.
    """
    read: dict[str, _Table] = {}
    for name in tables:
        if NAME.fullmatch(name) is None:
            (at / name).fail("a name consists of letters, digits and _ . + -")
        _resolve(name, tables, at, read, ())
    entries = [
        entry for name in tables if not read[name].abstract
        for entry in _entries(name, read[name], at / name)
    ]  # fmt: skip
    seen: set[str] = set()
    for entry in entries:
        if entry.name in seen:
            at.fail(f"two scenarios are called {entry.name!r}")
        seen.add(entry.name)
    return tuple(entries)


def _resolve(
    name: str, tables: Mapping[str, Any], at: At, read: dict[str, _Table], way: tuple[str, ...]
) -> _Table:
    if name in read:
        return read[name]
    if name in way:
        (at / way[0]).fail(f"extends itself: {' -> '.join((*way, name))}")
    here = at / name
    table = as_table(tables[name], here)
    part = Part()
    axes: dict[str, Axis] = {}
    for parent in as_texts(table.get("extends", []), here / "extends"):
        if parent not in tables:
            hint = did_you_mean(parent, tables)
            (here / "extends").fail(f"there is no scenario {parent!r}{hint}")
        inherited = _resolve(parent, tables, at, read, (*way, name))
        part = merge(part, inherited.part)
        axes = {**axes, **inherited.axes}
    own = read_part(table, here, OWN_KEYS)
    axes = {**axes, **_axes(table.get("matrix", {}), here / "matrix")}
    if own.devices is not None:
        axes.pop("device", None)
    abstract = as_flag(table.get("abstract", False), here / "abstract")
    read[name] = _Table(merge(part, own), axes, abstract)
    return read[name]


def _axes(value: Any, at: At) -> dict[str, Axis]:
    return {name: _axis(name, steps, at / name) for name, steps in as_table(value, at).items()}


def _axis(name: str, value: Any, at: At) -> Axis:
    """An axis over a key of scenarios, or a free one whose steps are parts of scenarios."""
    axis: dict[str, Part] = {}
    for label, step in _steps(name, value, at):
        if NAME.fullmatch(label) is None:
            at.fail(f"{label!r} cannot be part of a name; write {name} = {{ label = value }}")
        if label in axis:
            at.fail(f"{label!r} is there twice")
        table = {name: step} if name in READERS else step
        axis[label] = replace(
            read_part(as_table(table, at / label), at / label), device_list=False
        )
    if not axis:
        at.fail("the axis has no steps")
    return axis


def _steps(name: str, value: Any, at: At) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from value.items()
        return
    if not isinstance(value, list):
        at.fail("expected a list, or a table of label = value")
    if name not in READERS:
        at.fail("expected a table of label = { keys of a scenario }")
    for step in value:
        if not isinstance(step, str):
            at.fail(f"write {name} = {{ label = value }}: only texts name themselves")
        yield (PurePath(step).stem if name == "config" else step), step


def _entries(name: str, table: _Table, at: At) -> Iterator[Entry]:
    axes = [tuple(axis.items()) for axis in table.axes.values()]
    count = 1
    for axis in axes:
        count *= len(axis)
    if count > MOST:
        at.fail(f"the matrix has {count} combinations; {MOST} is the most")
    for steps in itertools.product(*axes):
        part = table.part
        for _, step in steps:
            part = merge(part, step)
        labels = [label for label, _ in steps]
        if part.devices == ():
            (at / "device").fail("the list is empty")
        for device in part.devices or (None,):
            extra = [device] if device is not None and part.device_list else []
            yield _entry("/".join([name, *labels, *extra]), part, device, at)


def _entry(name: str, part: Part, device: str | None, at: At) -> Entry:
    if part.config is None:
        at.fail("config is missing: the model's config.json, or the folder that has it")
    return Entry(
        name, part.config, device, part.flags, part.env, part.present, part.absent, part.sets,
        part.unsets, part.targets, part.batch, part.expect, part.patches,
    )  # fmt: skip
