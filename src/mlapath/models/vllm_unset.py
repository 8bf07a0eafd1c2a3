"""``--unset KEY`` on the configuration that vLLM has read, where its class brings the key back.

A key that is not in ``config.json`` may still be an attribute: classes have defaults. Who unsets
a key wants to know what vLLM does without it, so a default that came in its place is taken away
as well, and a note says so. None as a default stays: it says "without" by itself.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Library
from mlapath.values.objects import Descriptor, FuncObj, Instance, Native
from mlapath.values.origin import ancestors
from mlapath.values.value import V

READER = "vllm.transformers_utils.config.get_config"
"""vLLM's function that gives a model's configuration."""
UNSET = "unset_keys"
"""Under which the engine keeps the keys that the user took away, each split at its dots."""
NOTE = (
    "--unset {0}: {1} would bring back its default {2!r}, which is taken away as well; where the "
    "key is only missing in config.json, the default counts (--set {0}=…)"
)


def get_config(it: Any, f: Any, args: list[V], kwargs: dict[str, V]) -> V | None:
    """The program's own answer, without the keys that the user took away."""
    keys = it.store.get(UNSET)
    if not keys:
        return None
    hook = it.hooks.pop(f.full)
    try:
        config: V = it.call(V(f), args, kwargs)
    finally:
        it.hooks[f.full] = hook
    for key in keys:
        _take_away(it, config, key)
    return config


def _take_away(it: Any, config: V, key: tuple[str, ...]) -> None:
    *way, name = key
    holder: V | None = config
    for part in way:
        holder = holder.d.attrs.get(part) if holder and type(holder.d) is Instance else None
    if holder is None or type(holder.d) is not Instance:
        return
    found: V | None = it.find_attr(holder, name)
    if found is None or found.d is None or _given(found):
        return
    if type(found.d) is FuncObj or type(found.d) is Native:
        return
    it.heap.drop(holder.d.attrs, name)
    for cls in holder.d.cls.mro:
        default = cls.ns.get(name)
        if default is not None and type(default.d) not in (FuncObj, Native, Descriptor):
            it.heap.drop(cls.ns, name)
    it.store.setdefault("notes", []).append(NOTE.format(".".join(key), holder.d.cls.name, found.d))


def _given(value: V) -> bool:
    """Whether the value was made of something that the file or a flag gives."""
    return any(o.kind in ("config", "flag") for o in ancestors(value.o))


LIBRARY = Library(hooks={READER: get_config})
