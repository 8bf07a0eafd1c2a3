"""Names: where they are bound, read, rebound and deleted, by Python's rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mlapath.engine.control import Frame
from mlapath.values.identity import fresh
from mlapath.values.objects import Cell, ClassObj
from mlapath.values.union import may_be_absent, options, union
from mlapath.values.value import ABSENT, Union, Unknown, V


def load_name(it: Any, fr: Frame, ident: str) -> V:
    """Look a name up: locals, enclosing functions, module, builtins."""
    value: V | None = fr.locals.get(ident)
    if value is None and not (ident in fr.locals.bound or ident in fr.globals_):
        for cell in fr.closure:
            value = cell.get(ident)
            if value is not None or ident in cell.bound:
                break
        else:
            value = fr.module.ns.get(ident) or it.builtins.get(ident)
    if value is not None and type(value.d) is not Union and value.d is not ABSENT:
        return value
    return _load(it, fr, ident)


def _load(it: Any, fr: Frame, ident: str) -> V:
    """The same for names that may be unbound somewhere on the way."""
    found: list[V] = []
    local = False
    error = "UnboundLocalError" if ident in fr.locals.bound else "NameError"
    for cell, local in _scopes(it, fr, ident):
        value = cell.get(ident)
        if value is not None:
            found += [o for o in options(value) if o.d is not ABSENT]
            if not may_be_absent(value):
                return value if len(found) == len(options(value)) else union(found)
        if local:
            break
    if not found and local:
        it.throw(error, f"cannot access local variable '{ident}' where it is not associated with "
                 "a value", name=V(ident))  # fmt: skip
    if not found and ident == "__class__":
        owner = _defining_class(fr)
        if owner is not None:
            return V(owner)
    if not found:
        missing: V = it.missing_name(fr, ident)
        return missing
    bound = union(found)
    it.may_throw(error, f"name '{ident}' is not defined")
    for cell, _ in _scopes(it, fr, ident):
        if ident in cell:  # it went on: from here on the name is bound
            it.heap.put(cell, ident, bound)
            break
    return bound


def _defining_class(fr: Frame) -> ClassObj | None:
    """The class in whose body the function that runs, or one around it, was defined."""
    frame: Frame | None = fr
    while frame is not None:
        if frame.func is not None and frame.owner is not None:
            return frame.owner
        frame = frame.parent
    return None


def _scopes(it: Any, fr: Frame, ident: str) -> list[tuple[Mapping[str, V], bool]]:
    """Where a name may be bound, in order; True: there or nowhere."""
    scopes: list[tuple[Mapping[str, V], bool]] = []
    if ident not in fr.globals_:
        scopes.append((fr.locals, ident in fr.locals.bound))
        if fr.kind != "class" or ident not in fr.locals:  # what a class body binds is not theirs
            scopes += [(cell, ident in cell.bound) for cell in fr.closure]
    return [*scopes, (fr.module.ns, False), (it.builtins, False)]


def cell_of(fr: Frame, ident: str) -> Cell:
    """The cell to which an assignment of the name goes."""
    if ident in fr.globals_:
        return fr.module.ns
    if ident in fr.nonlocals:
        for cell in fr.closure:
            if ident in cell or ident in cell.bound:
                return cell
    return fr.locals


def store_name(it: Any, fr: Frame, ident: str, value: V) -> None:
    """Bind a name in the scope that Python's rules say."""
    if type(value.d) is Unknown and value.d.several:  # the name has one of the values
        value = fresh(value)
    it.heap.put(cell_of(fr, ident), ident, value)


def unbind_name(it: Any, fr: Frame, ident: str) -> None:
    """Unbind a name, whether it is bound or not."""
    it.heap.drop(cell_of(fr, ident), ident)


def delete_name(it: Any, fr: Frame, ident: str) -> None:
    """``del name``."""
    cell = cell_of(fr, ident)
    value: V | None = cell.get(ident)
    if value is None or value.d is ABSENT:
        it.throw("UnboundLocalError" if ident in fr.locals.bound else "NameError",
                 f"name '{ident}' is not defined")  # fmt: skip
    elif may_be_absent(value):
        it.may_throw("NameError", f"name '{ident}' is not defined")
    it.heap.drop(cell, ident)
