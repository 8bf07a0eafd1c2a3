"""Small services of the engine: source text, frontier, narrowing targets, attribute writes."""

from __future__ import annotations

from typing import Any

from mlapath.engine.control import Frame
from mlapath.ir import nodes as n
from mlapath.values.objects import ClassObj, Instance, ModuleObj
from mlapath.values.value import ABSENT, External, Unknown, V, is_scalar


def may_call(it: Any, value: V) -> bool:
    """Whether an alternative of a callee can be called at all."""
    return value.d is not ABSENT and value.d is not None


def peek(it: Any, fr: Frame, e: n.Expr) -> V | None:
    """The value of a name or attribute chain or literal, read without effects; or None."""
    if type(e) is n.Name:
        found = fr.locals.get(e.id)
        if found is None:
            for cell in (*fr.closure, fr.module.ns, it.builtins):
                found = cell.get(e.id)
                if found is not None:
                    break
        return found
    if type(e) is n.Const:
        return V(e.value)
    if type(e) is n.Attr:
        base = peek(it, fr, e.value)
        if base is None:
            return None
        if type(base.d) is Instance:
            return base.d.attrs.get(e.attr)
        if type(base.d) is ModuleObj:
            return base.d.ns.get(e.attr)
        if type(base.d) is ClassObj:
            return _constant(base.d, e.attr)
        if type(base.d) is External:
            return it.models.symbol(it, f"{base.d.name}.{e.attr}")  # type: ignore[no-any-return]
    if type(e) is n.Tuple:
        parts = [peek(it, fr, x) for x in e.elts]
        return None if any(p is None for p in parts) else V(tuple(parts))
    return None


def _constant(cls: ClassObj, attr: str) -> V | None:
    """A class attribute that is read as it is: a member of an enumeration, a scalar."""
    for c in cls.mro:
        value: V | None = c.ns.get(attr)
        if value is not None:
            member = type(value.d) is Instance and "enum" in value.d.cls.facts
            return value if member or is_scalar(value.d) else None
    return None


def write_back(it: Any, fr: Frame, e: n.Expr, value: V) -> None:
    """Narrow a name or an attribute to ``value``."""
    if type(e) is n.Name:
        if e.id in fr.locals:
            it.heap.put(fr.locals, e.id, value)
        else:
            for cell in fr.closure:
                if e.id in cell:
                    it.heap.put(cell, e.id, value)
                    return
    elif type(e) is n.Attr:
        base = peek(it, fr, e.value)
        if base is not None and type(base.d) is Instance and e.attr in base.d.attrs:
            it.heap.put(base.d.attrs, e.attr, value)


def text(it: Any, fr: Frame, pos: Any) -> str:
    """The source text at a position, on one line."""
    return str(it.program.text(fr.path, pos)) if fr.path else ""


def condition_text(it: Any, fr: Frame, e: n.Compare, left: V, right: V) -> str:
    """A comparison in the program's terms: names of unknown values are what they stand for."""

    def side(value: V, node: n.Expr) -> str:
        if type(value.d) is Unknown and value.d.text:
            return value.d.text
        if type(value.d) in (int, float, bool, str, type(None)):
            return repr(value.d)
        return text(it, fr, node.pos)

    return f"{side(left, e.left)} {e.ops[0]} {side(right, e.comparators[0])}"


def frontier(it: Any, fr: Frame, pos: Any, why: str, kind: str = "", name: str = "") -> None:
    """Record something that could not be looked into."""
    it.trace.limit(fr.path, pos[0] if pos else 0, why, kind, name)


def note_loop(it: Any, fr: Frame, node: n.Expr, source: V) -> None:
    """A loop over something unknown."""
    return


def write_attr(it: Any, d: Instance, attr: str, value: V) -> None:
    """Write an instance attribute."""
    it.heap.put(d.attrs, attr, value)


def missing_name(it: Any, fr: Frame, ident: str) -> V:
    """A name that is bound nowhere."""
    star = fr.module.ns.get("*")
    if star is not None:
        symbol = it.models.symbol(it, f"{star.d.name}.{ident}")
        if symbol is not None:
            return symbol  # type: ignore[no-any-return]
    if fr.module.state == "failed":
        return V(Unknown(f"{fr.module.path} could not be parsed"))
    it.throw("NameError", f"name '{ident}' is not defined", name=V(ident))
    raise AssertionError("unreachable")


def site(it: Any) -> tuple[str, int]:
    """Where the program is."""
    fr = it.frame
    return fr.path, fr.pos[0] if fr.pos else 0
