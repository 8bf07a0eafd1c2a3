"""A part of a scenario: what one table says, and how parts add up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from mlapath.base.errors import UsageError
from mlapath.base.nearest import did_you_mean
from mlapath.base.verdict import Verdict
from mlapath.project.values import (
    At,
    as_json,
    as_strings,
    as_table,
    as_text,
    as_texts,
    as_words,
    check_keys,
)
from mlapath.scenario.batch import parse_batch
from mlapath.scenario.config_file import JsonValue

OUTCOMES = ("runs", "refuses", "unproven")
SPECIAL = ("outcome", "backend", "prefill_backend")
"""What ``expect`` may name beside targets."""


@dataclass(frozen=True)
class Part:
    """Some keys of a scenario; None and empty where the table does not speak of one."""

    config: str | None = None
    devices: tuple[str, ...] | None = None
    device_list: bool = False
    """Whether the devices were a list: each then gets a name of its own, though it be one."""
    flags: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    sets: Mapping[str, JsonValue] = field(default_factory=dict)
    unsets: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    batch: str | None = None
    expect: Mapping[str, str] = field(default_factory=dict)
    patches: tuple[str, ...] = ()


def _expect(value: Any, at: At) -> dict[str, str]:
    wanted = as_strings(value, at)
    for name, word in wanted.items():
        if name == "outcome":
            choices: Iterable[str] = OUTCOMES
        elif name in SPECIAL:
            continue
        else:
            choices = [verdict.value for verdict in Verdict]
        if word not in choices:
            hint = did_you_mean(word, choices)
            (at / name).fail(f"{word!r} is not one of {', '.join(choices)}{hint}")
    return wanted


def _batch(value: Any, at: At) -> str:
    text = as_text(value, at)
    try:
        parse_batch(text)
    except UsageError as error:
        at.fail(str(error).removeprefix("--batch "))
    return text


def _patches(value: Any, at: At) -> tuple[str, ...]:
    patches = as_texts(value, at)
    for patch in patches:
        module, colon, names = patch.partition(":")
        if not colon or not all(p.isidentifier() for p in (*module.split("."), *names.split("."))):
            at.fail(f"{patch!r}: expected module:name or module:Class.name")
    return patches


def _sets(value: Any, at: At) -> dict[str, JsonValue]:
    """Dotted keys; a table stands for the keys in it, as TOML itself reads ``a.b = 1``."""
    found: dict[str, JsonValue] = {}
    for key, item in as_table(value, at).items():
        if isinstance(item, dict) and item:
            found |= {f"{key}.{inner}": v for inner, v in _sets(item, at / key).items()}
        else:
            found[key] = as_json(item, at / key)
    return found


READERS: Mapping[str, tuple[str, Callable[[Any, At], Any]]] = {
    "config": ("config", as_text),
    "device": ("devices", as_texts),
    "flags": ("flags", as_words),
    "env": ("env", as_strings),
    "with": ("present", as_texts),
    "without": ("absent", as_texts),
    "set": ("sets", _sets),
    "unset": ("unsets", as_texts),
    "targets": ("targets", as_texts),
    "batch": ("batch", _batch),
    "expect": ("expect", _expect),
    "patches": ("patches", _patches),
}
"""The keys of a scenario: the field of ``Part`` that each fills, and how."""


def read_part(table: Mapping[str, Any], at: At, others: Iterable[str] = ()) -> Part:
    """Read the keys of a scenario; ``others`` may be there too and are left to the caller.

    Raises:
        ConfigError: an unknown key, or a value of the wrong form.
    """
    known = (*READERS, *others)
    check_keys(table, known, at)
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key in READERS:
            name, reader = READERS[key]
            values[name] = reader(value, at / key)
    return Part(**values, device_list=isinstance(table.get("device"), list))


def merge(below: Part, above: Part) -> Part:
    """Give ``below`` with what ``above`` says in addition: single values and keys of tables win.

    Lists are joined, except that what one side takes away the other's word for it does.
    """
    joined: dict[str, Any] = {}
    for each in fields(Part):
        low, high = getattr(below, each.name), getattr(above, each.name)
        if each.name == "flags":
            joined["flags"] = (*low, *high)
        elif isinstance(low, Mapping):
            joined[each.name] = {**low, **high}
        elif isinstance(low, tuple) and each.name != "devices":
            joined[each.name] = tuple(dict.fromkeys((*low, *high)))
        elif each.name != "device_list":
            joined[each.name] = low if high is None else high
    speaker = below if above.devices is None else above
    joined["device_list"] = speaker.device_list
    return _settled(Part(**joined), above)


def _settled(part: Part, above: Part) -> Part:
    """Where both sides speak of a key or package, the one above has the last word."""
    there = {_name(package) for package in above.present}
    gone = {_name(package) for package in above.absent}
    return replace(
        part,
        sets={key: v for key, v in part.sets.items() if key not in above.unsets},
        unsets=tuple(key for key in part.unsets if key not in above.sets),
        present=tuple(
            p for p in part.present
            if _name(p) not in gone and (_name(p) not in there or p in above.present)
        ),
        absent=tuple(p for p in part.absent if _name(p) not in there),
    )  # fmt: skip


def _name(package: str) -> str:
    return package.partition("==")[0].replace("_", "-").lower()
