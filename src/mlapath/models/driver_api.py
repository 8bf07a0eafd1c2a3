"""``mlapath_api``: what the drivers can say to the evaluator."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Library
from mlapath.values.origin import Origin, merge
from mlapath.values.value import Union, Unknown, V


def stage(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``stage(name)``: the deployment has come this far."""
    it.store["stage"] = args[0].d
    it.trace.begin(args[0].d)
    return V(None)


def keep(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``keep(name, value)``: a result for the report."""
    it.store.setdefault("kept", {})[args[0].d] = args[1]
    return V(None)


def note(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``note(text)``: something that the report says, once."""
    notes = it.store.setdefault("notes", [])
    if args[0].d not in notes:
        notes.append(args[0].d)
    return V(None)


def number(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``number(text, low=0, high=None)``: an int of which only bounds are known.

    Of an upper bound that may be one of several numbers the largest counts; one that is not known
    is none.
    """
    text = args[0].d
    low = kwargs["low"].d if "low" in kwargs else 0
    given = kwargs.get("high", V(None))
    options = given.d.options if type(given.d) is Union else (given,)
    known = all(type(x.d) is int and x.d >= low for x in options)
    high = max(x.d for x in options) if known else None
    origin = Origin("default", label=f"step:{text}")
    return V(Unknown(text, "int", lo=low, hi=high, text=text),
             merge(origin, given.o) if known else origin)  # fmt: skip


def subject(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``subject(value)``: an object that the question is about.

    How anyone found it says nothing about the answer, so the value comes without an origin, and
    what is read from it rests on what was written there alone.
    """
    it.subjects = (*it.subjects, args[0].d)
    return V(args[0].d)


def inside(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``inside(modules)``: what follows runs as it does inside these modules.

    That is compiled code where one of them was compiled.
    """
    modules = [module.d for module in it.iterate(args[0]) or ()]
    it.region = it.region_inside(modules)
    return V(None)


def compiled_calls(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``compiled_calls(straight)``: calls of compiled modules go straight to their ``forward``."""
    it.direct = args[0].d
    return V(None)


LIBRARY = Library(functions={
    "mlapath_api.stage": stage,
    "mlapath_api.keep": keep,
    "mlapath_api.note": note,
    "mlapath_api.number": number,
    "mlapath_api.subject": subject,
    "mlapath_api.inside": inside,
    "mlapath_api.compiled_calls": compiled_calls,
})  # fmt: skip
