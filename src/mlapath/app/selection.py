"""Which backends were looked at, and why they were turned down."""

from __future__ import annotations

from typing import Any

from mlapath.engine.interp import Engine
from mlapath.engine.trace import Trace
from mlapath.findings.evidence import place
from mlapath.findings.model import Candidate, Reason
from mlapath.values.objects import ClassObj
from mlapath.values.truth import Truth
from mlapath.values.value import V


def backend_name(it: Engine, cls: V | None) -> str | None:
    """``get_name()`` of a backend class, by the tree's own code."""
    if cls is None:
        return None
    method = it.find_attr(cls, "get_name")
    if method is None:
        return cls.d.name if type(cls.d) is ClassObj else None
    value = it.call(method, [], {})
    return value.d if type(value.d) is str else None


def candidates(
    it: Engine, trace: Trace, chosen: ClassObj | None, *, mla: bool | None
) -> tuple[Candidate, ...]:
    """Every backend that the tree's selection validated, in order, each once.

    mla: of the selections for layers that are MLA, or that are not; None: of those that are not
    about layers at all, as where prefill backends are chosen.
    """
    found: dict[tuple[str, tuple[str, ...]], Candidate] = {}
    for seen in trace.observed:
        if seen.receiver is None or _wants_mla(it, seen.arguments) is not mla:
            continue
        items = it.iterate(seen.result)
        if items is None:
            continue
        reasons = tuple(Reason(_text(it, x), place(x.o) if x.o is not None else None)
                        for x in items)  # fmt: skip
        name = backend_name(it, seen.receiver) or "unknown"
        is_chosen = chosen is not None and seen.receiver.d is chosen and not reasons
        key = (name, tuple(r.text for r in reasons))
        found.setdefault(key, Candidate(name, is_chosen, reasons))
    return tuple(found.values())


def _text(it: Engine, value: V) -> str:
    return it.format_value(value, "", "") or "a reason that is not known"


def _wants_mla(it: Engine, arguments: dict[str, V]) -> bool | None:
    """Whether a selection is for MLA; None where it does not ask."""
    for value in arguments.values():
        asked: Any = it.find_attr(value, "use_mla")
        if asked is not None:
            return it.truth(asked) is Truth.TRUE
    asked = arguments.get("use_mla")
    return None if asked is None else it.truth(asked) is Truth.TRUE
