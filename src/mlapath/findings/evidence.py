"""Origins as the report's evidence steps."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from mlapath.base.short import MAX_TEXT, shorten
from mlapath.findings.model import EvidenceKind, EvidenceStep
from mlapath.values.objects import BoundMethod, ClassObj, DictObj, FuncObj, Instance, ListObj
from mlapath.values.origin import Origin
from mlapath.values.value import SCALAR_TYPES, External, Union, Unknown, V

KINDS = {**{kind.value: kind for kind in EvidenceKind}, "check": EvidenceKind.GUARD}


def render(d: Any) -> str:
    """A short text for a value, on one line."""
    if isinstance(d, V):
        d = d.d
    kind = type(d)
    if kind in SCALAR_TYPES:
        return shorten(repr(d))
    if kind is tuple:
        return shorten("(" + ", ".join(render(x) for x in d) + ")")
    if kind is ClassObj:
        return str(d.name)
    if kind is Instance:
        name = d.attrs.get("name") if d.cls.facts.get("enum") else None
        return f"{d.cls.name}.{name.d}" if name is not None else f"<{d.cls.name}>"
    if kind is External:
        return str(d.name)
    if kind is Unknown:
        return f"unknown ({d.text or d.why})"
    if kind is Union:
        return shorten("one of " + ", ".join(render(o) for o in d.options))
    if kind is ListObj:
        return shorten("[" + ", ".join(render(x) for x in d.items[:8]) + "]")
    if kind is DictObj:
        return f"<{d.kind} of {len(d.data)}>"
    if kind is FuncObj:
        return str(d.qualname)
    if kind is BoundMethod:
        return render(d.func)
    return f"<{kind.__name__}>"


def place(origin: Origin) -> str | None:
    """``path:line`` of an origin in the tree."""
    if origin.pos is None or not origin.path:
        return None
    return f"{origin.path}:{origin.pos[0]}"


def source_label(origin: Origin) -> str:
    """How a step names what it came from: ``config:index_topk=2048`` or its place."""
    if origin.label:
        return shorten(f"{origin.label}={render(origin.value)}")
    return place(origin) or origin.kind


def steps(origins: Iterable[Origin], program: Any) -> tuple[EvidenceStep, ...]:
    """The steps of a chain, root first; steps that are not in the tree's code are passed over.

    So is a call that stands within the statement of the step after it.
    """
    result: list[EvidenceStep] = []
    spans: list[Origin] = []
    source = ""
    for origin in origins:
        if origin.label:
            if origin.kind in KINDS:
                label = origin.label.partition(":")[2]
                result.append(EvidenceStep(None, label, render(origin.value), KINDS[origin.kind]))
                spans.append(origin)
            source = source_label(origin)
            continue
        at = place(origin)
        if at is None or origin.path.startswith("<") or origin.kind not in KINDS:
            continue
        text = shorten(" ".join(program.text(origin.path, origin.pos).split()), MAX_TEXT)
        value = None if origin.value is None and origin.kind == "call" else render(origin.value)
        if result and result[-1].at == at and result[-1].text == text:
            continue
        result.append(
            EvidenceStep(at, text, value, KINDS[origin.kind], (source,) if source else ())
        )
        spans.append(origin)
        source = at
    return tuple(
        step for step, own, after in zip_longest(result, spans, spans[1:])
        if after is None or step.kind is not EvidenceKind.CALL or not _within(own, after)
    )  # fmt: skip


def _within(inner: Origin, outer: Origin) -> bool:
    if inner.path != outer.path or inner.pos is None or outer.pos is None:
        return False
    return inner.pos[0] == outer.pos[0] or (
        outer.pos[:2] <= inner.pos[:2] and inner.pos[2:] <= outer.pos[2:]
    )
