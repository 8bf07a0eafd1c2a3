"""What the evaluator cannot look into: code outside the tree, unknown callees, havoc."""

from __future__ import annotations

from typing import Any

from mlapath.engine.control import Frame, Outcome, Pending, PyRaise
from mlapath.engine.fork import leave, merge_state
from mlapath.values.objects import (
    OPEN,
    BoundMethod,
    ClassObj,
    Descriptor,
    DictObj,
    FuncObj,
    GeneratorObj,
    Instance,
    ListObj,
    ModuleObj,
    Native,
)
from mlapath.values.origin import merge
from mlapath.values.value import SCALAR_TYPES, External, Union, Unknown, V

MAX_HAVOC = 50_000


def external_attr(it: Any, d: External, attr: str) -> V | None:
    """``symbol.attr`` of code outside the tree."""
    return it.models.symbol(it, f"{d.name}.{attr}")  # type: ignore[no-any-return]


def call_external(
    it: Any, d: External, func: V, args: list[V], kwargs: dict[str, V], opened: str
) -> V:
    """Call a symbol of code outside the tree that has no summary.

    By the library's effects, it writes to nothing of the program; its result is unknown.
    """
    fr: Frame = it.frame
    it.trace.external(fr, d.name)
    for value in (*args, *kwargs.values()):
        hand_over(it, value)
    may_raise(it, fr, d.name)
    origin = merge(*(a.o for a in args), *(k.o for k in kwargs.values()))
    return V(Unknown(f"the result of {d.name}()", lib=f"{d.name}()"), origin)


def hand_over(it: Any, value: V) -> None:
    """A value is given to code outside the tree.

    Functions may be called, and the contents of what the library itself defines (the class's
    fact ``forget``) may be written.
    """
    it.trace.escape(value)
    d = value.d
    if type(d) is Unknown:
        may_change(it, value)
    if type(d) is Instance:
        for c in d.cls.mro:
            forget = c.facts.get("forget")
            if forget is not None:
                forget(it, value)
                return
    parts = d if type(d) is tuple else d.items if type(d) is ListObj else (
        d.options if type(d) is Union else ())  # fmt: skip
    for part in parts:
        hand_over(it, part)


def may_change(it: Any, value: V) -> None:
    """Something may change the content of an unknown object: its truth may be another one now."""
    d = value.d
    if type(d) is Unknown and d.hint not in ("int", "float", "bool", "str", "tuple", "type"):
        it.heap.drop(it.assumed, d)


def forgetful(it: Any, value: V) -> bool:
    """Whether a value's contents are kept by a library: its methods write to nothing else."""
    d = value.d
    return type(d) is Instance and any("forget" in c.facts for c in d.cls.mro)


def opaque_call(it: Any, func: V, args: list[V], kwargs: dict[str, V], why: str) -> V:
    """Call something that is not known: everything it can reach may have changed."""
    fr: Frame = it.frame
    d = func.d
    if type(d) is Unknown and d.lib:
        for value in (*args, *kwargs.values()):
            hand_over(it, value)
        may_raise(it, fr, d.lib)
        return V(Unknown(d.why, lib=f"{d.lib}()"), func.o)
    said = f"a call of something unknown ({why})" if why else "an unknown call"
    kind = "library" if type(d) is Native else "call"
    it.frontier(fr, fr.pos, said, kind, d.member if type(d) is Unknown else "")
    seen: set[int] = set()
    for value in (*args, *kwargs.values()):
        it.trace.escape(value)
        havoc(it, value, f"an unknown call at {fr.path}:{fr.pos[0] if fr.pos else 0}", seen)
    may_raise(it, fr, "an unknown call")
    return V(Unknown(why or "the result of an unknown call"), func.o)


def havoc(it: Any, value: V, why: str, seen: set[int] | None = None) -> None:
    """Everything reachable from ``value`` may have been written to."""
    seen = set() if seen is None else seen
    queue = [value]
    while queue:
        d = queue.pop().d
        if type(d) in SCALAR_TYPES or id(d) in seen or len(seen) > MAX_HAVOC:
            continue
        seen.add(id(d))
        if type(d) is tuple:
            queue.extend(d)
        elif type(d) is Union:
            queue.extend(d.options)
        elif type(d) is ListObj:
            queue.extend(d.items)
            it.heap.open_list(d, why)
            it.heap.put(d.cell, "items", [V(Unknown(why)) for _ in d.items])
        elif type(d) is DictObj:
            for key, pair in list(d.data.items()):
                if key is not OPEN:
                    queue.append(pair[1])
                    it.heap.put(d.data, key, (pair[0], V(Unknown(why), pair[1].o)))
            it.heap.open_dict(d, why)
        elif type(d) is Instance:
            _havoc_instance(it, d, why, queue)
        elif type(d) is BoundMethod:
            queue.append(d.self_)


def _havoc_instance(it: Any, d: Instance, why: str, queue: list[V]) -> None:
    if d.cls.facts.get("frozen"):
        queue.extend(d.attrs.values())
        return
    for attr, old in list(d.attrs.items()):
        queue.append(old)
        if type(old.d) in (FuncObj, ModuleObj, GeneratorObj):
            continue
        it.heap.put(d.attrs, attr, V(Unknown(why), old.o))
    if d.payload is not None:
        queue.append(d.payload if isinstance(d.payload, V) else V(d.payload))


def set_some_attr(it: Any, base: V, value: V) -> None:
    """``setattr(base, unknown name, value)``: any one attribute may be ``value`` now."""
    why = "an attribute was set under an unknown name"
    d = base.d
    if type(d) is Union:
        for option in d.options:
            set_some_attr(it, option, value)
    elif type(d) is Instance and not _intercepts(d.cls):
        fixed = next((c.facts["fixed"] for c in d.cls.mro if "fixed" in c.facts), ())
        for attr, old in list(d.attrs.items()):
            if attr not in fixed and not attr.startswith("\0"):
                it.heap.put(d.attrs, attr, it.union([old, value]))
        d.open = d.open or why
        hand_over(it, base)
    else:
        havoc(it, base, why)


def _intercepts(cls: ClassObj) -> bool:
    """Whether setting an attribute may run code of the program."""
    for c in cls.mro:
        for name, value in c.ns.items():
            d = value.d
            if name == "__setattr__" and type(d) is FuncObj:
                return True
            if type(d) is Descriptor and d.fset is not None and type(d.fset.d) is FuncObj:
                return True
    return False


def may_raise(it: Any, fr: Frame, what: str) -> None:
    """Code that is not looked into may raise anything, where a handler would catch it.

    Each try keeps one alternative for that: the join of the states in which it may happen.
    """
    active = next((t for t in reversed(it.tries[it.quiet :]) if t.opaque), None)
    if active is None:
        return
    pending = active.pending.get("")
    if pending is not None and pending.alive:
        merge_state(it, pending)
        return
    raised = PyRaise(V(Unknown(f"what {what} may raise", "exception")), fr.path, fr.pos)
    pending = active.pending[""] = leave_pending_with(it, raised)
    pending.target = active


def leave_pending(it: Any, fr: Frame, what: str) -> None:
    """An alternative that leaves the straight path here with an unknown exception."""
    raised = PyRaise(V(Unknown(f"what {what} may raise", "exception")), fr.path, fr.pos)
    leave_pending_with(it, raised)


def leave_pending_with(it: Any, raised: PyRaise) -> Pending:
    """An alternative that leaves the straight path here with ``raised``."""
    raised.possible = True
    pending = Pending(Outcome("raise", raised), {}, it.heap.fork())
    leave(it, it.frame, pending)
    return pending


def opaque_result(it: Any, base: V, what: str) -> V:
    """The result of a method of something that is not known: a library's, if that is one's."""
    d = base.d
    owner = d.lib if type(d) is Unknown else d.name if type(d) is External else ""
    lib = f"{owner}.{what}()" if owner else ""
    return V(Unknown(f"the result of {what}", lib=lib), base.o)


def write_to_unknown(it: Any, base: V, attr: str, value: V) -> None:
    """``unknown.attr = value``: remembered for the closure, which holds it against verdicts."""
    it.may_throw("AttributeError", f"attribute {attr!r} cannot be set")
    if not base.d.lib:
        fr: Frame = it.frame
        it.frontier(fr, fr.pos, f"an attribute {attr!r} is set on an unknown object", "write")
        it.trace.loose_write(fr, attr)
