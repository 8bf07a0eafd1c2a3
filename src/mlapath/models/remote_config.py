"""Configuration classes that a checkpoint brings along, which no release of transformers has.

A ``config.json`` names such a class under ``auto_map``; minimal ones often leave that out. The
class itself is not at hand, so a plain class below the base of all configurations stands for it:
the fields of the file are its attributes, and there are no others. The report says so in a note.
"""

from __future__ import annotations

from typing import Any

from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

MODULE = "mlapath_drivers.checkpoint"
"""Holds a subclass of it that takes every field."""
NOTE = (
    "the model type {!r} has a configuration class of the checkpoint's own, which is not read: "
    "its fields are those of config.json"
)


def base_class(it: Any) -> V:
    """A plain configuration class, and a note that it stands for one that is not at hand."""
    note = NOTE.format(it.store["hf_config"].get("model_type"))
    notes = it.store.setdefault("notes", [])
    if note not in notes:
        notes.append(note)
    made: V = it.getattr(it.import_module(MODULE), "CheckpointConfig")
    return made


def lookup(it: Any, f: Any, args: list[V], kwargs: dict[str, V]) -> V | None:
    """``CONFIG_MAPPING[model_type]``, where the type of the scenario's file is in no table.

    None (the program's own answer) for a known type; for a file that names its class, which the
    program then asks for by itself; and where the tree's environment is known, transformers with
    it: there the type is refused.
    """
    config = it.store["hf_config"]
    if len(args) < 2 or args[1].d != config.get("model_type") or "auto_map" in config:
        return None
    if it.facts.complete:
        return None
    for name in ("_mapping", "_extra_content"):
        table = it.find_attr(args[0], name)
        if table is None or it.contains(table, args[1]) is not Truth.FALSE:
            return None
    return base_class(it)


def from_checkpoint(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``get_class_from_dynamic_module(class_reference, ...)``."""
    name = args[0].d if args else None
    if isinstance(name, str) and name.endswith("Config"):
        return base_class(it)
    return V(Unknown("a class that the checkpoint brings along", "type"))
