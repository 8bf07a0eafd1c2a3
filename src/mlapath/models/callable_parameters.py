"""The parameters of callables: functions, bound methods, classes, partial objects, wrappers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mlapath.models.class_tools import lookup
from mlapath.models.dataclass_spec import spec_of
from mlapath.values.objects import BoundMethod, ClassObj, Descriptor, FuncObj, Instance, Native
from mlapath.values.value import External, V

POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = range(5)
FACTORY = V(External("dataclasses._HAS_DEFAULT_FACTORY"))
"""The default of a parameter whose field has a factory."""


@dataclass(frozen=True)
class CallParameter:
    """One parameter. ``annotation`` is read when something asks for it (None: there is none)."""

    name: str
    kind: int
    default: V | None = None
    annotation: Callable[[], V] | None = None


@dataclass(frozen=True)
class CallSignature:
    """The parameters in order, and what is said of the result."""

    parameters: tuple[CallParameter, ...]
    returns: Callable[[], V] | None = None


def signature_of(it: Any, value: V, *, follow: bool = True) -> CallSignature | V | None:
    """The signature of a callable, or None where it is not known.

    A ``V``: the ``__signature__`` that the program set. follow: look through wrappers.
    """
    d = value.d
    if type(d) is BoundMethod:
        inner = signature_of(it, d.func if isinstance(d.func, V) else V(d.func), follow=follow)
        return without_first(inner) if isinstance(inner, CallSignature) else inner
    if type(d) in (FuncObj, Native):
        attrs = d.attrs or {}
        if "__signature__" in attrs and attrs["__signature__"].d is not None:
            found: V = attrs["__signature__"]
            return found
        if follow and "__wrapped__" in attrs:
            return signature_of(it, attrs["__wrapped__"])
        return _of_function(it, d) if type(d) is FuncObj else None
    if type(d) is ClassObj:
        return _of_class(it, d, follow)
    if type(d) is Instance:
        return _of_instance(it, value, follow)
    return None


def _of_function(it: Any, f: FuncObj) -> CallSignature:
    params = f.node.params
    positional = (*params.posonly, *params.args)
    first = len(positional) - len(f.defaults)
    out = [
        CallParameter(
            p.name, POSITIONAL_ONLY if i < len(params.posonly) else POSITIONAL_OR_KEYWORD,
            f.defaults[i - first] if i >= first else None, _note(it, f, p.annotation))
        for i, p in enumerate(positional)
    ]  # fmt: skip
    if params.vararg is not None:
        note = _note(it, f, params.vararg.annotation)
        out.append(CallParameter(params.vararg.name, VAR_POSITIONAL, annotation=note))
    out += [CallParameter(p.name, KEYWORD_ONLY, f.kwdefaults.get(p.name),
                          _note(it, f, p.annotation)) for p in params.kwonly]  # fmt: skip
    if params.kwarg is not None:
        note = _note(it, f, params.kwarg.annotation)
        out.append(CallParameter(params.kwarg.name, VAR_KEYWORD, annotation=note))
    return CallSignature(tuple(out), _note(it, f, getattr(f.node, "returns", None)))


def _note(it: Any, f: FuncObj, expr: Any) -> Callable[[], V] | None:
    if expr is None:
        return None
    return lambda: it.annotation_raw(it.annotation_scope(f), expr)


def _of_class(it: Any, cls: ClassObj, follow: bool) -> CallSignature | V | None:
    own: V | None = cls.ns.get("__signature__")
    if own is not None and type(own.d) is not Descriptor:
        return own
    if cls.meta is not None:
        call = lookup(cls.meta, "__call__")
        if call is not None and type(call.d) is FuncObj:
            inner = signature_of(it, call, follow=follow)
            return without_first(inner) if isinstance(inner, CallSignature) else inner
    for c in cls.mro:
        if c.payload is tuple and "_fields" in c.ns:
            return _of_named_tuple(it, c)
        for name in ("__new__", "__init__"):
            found = c.ns.get(name)
            if found is None:
                continue
            function = found.d.fget if type(found.d) is Descriptor else found
            if type(function.d) is FuncObj or "__wrapped__" in (function.d.attrs or {}):
                inner = signature_of(it, function, follow=follow)
                return without_first(inner) if isinstance(inner, CallSignature) else inner
            spec = c.facts.get("dataclass") if name == "__init__" else None
            return None if spec is None else of_dataclass(it, c)
        if c.foreign == c.full or "construct" in c.facts and not c.path:
            return None if c.foreign or c.payload is not None else CallSignature(())
    return CallSignature(())


def _of_named_tuple(it: Any, c: ClassObj) -> CallSignature:
    defaults = {k.d: v for k, v in it.mapping_items(c.ns["_field_defaults"]) or ()}
    return CallSignature(tuple(
        CallParameter(f.d, POSITIONAL_OR_KEYWORD, defaults.get(f.d)) for f in c.ns["_fields"].d
    ))  # fmt: skip


def of_dataclass(it: Any, cls: ClassObj) -> CallSignature | None:
    """The generated constructor of a dataclass."""
    spec = spec_of(cls)
    if spec is None:
        return None
    out = [
        CallParameter(
            f.name, KEYWORD_ONLY if f.kw_only else POSITIONAL_OR_KEYWORD,
            FACTORY if f.factory is not None else f.default, _field_note(it, f.annotation))
        for f in spec.fields.values() if f.init
    ]  # fmt: skip
    out.sort(key=lambda p: p.kind)
    return CallSignature(tuple(out), lambda: V(None))


def _field_note(it: Any, note: Any) -> Callable[[], V]:
    def read() -> V:
        if note.type is not None:
            return note.type  # type: ignore[no-any-return]
        return it.annotation_raw(note.frame, note.expr)  # type: ignore[no-any-return]

    return read


def _of_instance(it: Any, value: V, follow: bool) -> CallSignature | V | None:
    d: Instance = value.d
    if "__signature__" in d.attrs:
        return d.attrs["__signature__"]  # type: ignore[no-any-return]
    if any(c.full == "functools.partial" for c in d.cls.mro):
        return _of_partial(it, d)
    if follow and "__wrapped__" in d.attrs:
        return signature_of(it, d.attrs["__wrapped__"])
    call = it.lookup_special(value, "__call__")
    return None if call is None else signature_of(it, call, follow=follow)


def _of_partial(it: Any, d: Instance) -> CallSignature | None:
    inner = signature_of(it, d.attrs["func"])
    pairs = it.mapping_items(d.attrs["keywords"])
    if not isinstance(inner, CallSignature) or it.is_open(d.attrs["keywords"]):
        return None
    given = {key.d: item for key, item in pairs or ()}
    left = len(d.attrs["args"].d)
    out: list[CallParameter] = []
    later = False  # after a parameter given by name, the rest can be given by name only
    for p in inner.parameters:
        if p.kind in (POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD) and left:
            left -= 1
        elif p.name in given and p.kind in (POSITIONAL_OR_KEYWORD, KEYWORD_ONLY):
            out.append(replace(p, kind=KEYWORD_ONLY, default=given[p.name]))
            later = True
        elif later and p.kind == POSITIONAL_OR_KEYWORD:
            out.append(replace(p, kind=KEYWORD_ONLY))
        elif not later or p.kind != VAR_POSITIONAL:
            out.append(p)
    return CallSignature(tuple(out), inner.returns)


def without_first(signature: CallSignature) -> CallSignature:
    """The signature of a bound method."""
    parameters: Sequence[CallParameter] = signature.parameters
    if parameters and parameters[0].kind in (POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD):
        parameters = parameters[1:]
    return CallSignature(tuple(parameters), signature.returns)
