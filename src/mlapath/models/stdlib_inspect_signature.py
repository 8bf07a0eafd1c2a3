"""``inspect.signature``: ``Signature``, ``Parameter`` and ``BoundArguments`` as objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Factory, Fn, argument, make_class
from mlapath.models.callable_parameters import (
    KEYWORD_ONLY,
    POSITIONAL_ONLY,
    POSITIONAL_OR_KEYWORD,
    VAR_KEYWORD,
    VAR_POSITIONAL,
    CallParameter,
    CallSignature,
    signature_of,
)
from mlapath.models.class_tools import library_class
from mlapath.models.support import instance, unknown
from mlapath.values.objects import ClassObj, Descriptor, Instance, Native
from mlapath.values.truth import Truth
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]
KINDS = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY",
         "VAR_KEYWORD")  # fmt: skip
SINGLE = (POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD)
NOTE = "\0annotation"
FROZEN: dict[str, Any] = {"frozen": True}


def empty(it: Any) -> V:
    """``inspect._empty``: the mark of what is not there; a class."""
    found: V = it.models.symbol(it, "inspect._empty")
    return found


def _kind(it: Any, kind: int) -> V:
    found: V = it.models.symbol(it, f"inspect._ParameterKind.{KINDS[kind]}")
    return found


def kind_factory(number: int) -> Factory:
    """A member of the enumeration of kinds; it compares as its number."""

    def factory(it: Any) -> V:
        cls = it.models.symbol(it, "inspect._ParameterKind").d
        name = KINDS[number]
        return instance(it, cls, {"name": V(name), "value": V(number)}, number)

    return factory


def kind_class(it: Any) -> V:
    """The enumeration of kinds."""
    return V(make_class(it, "inspect._ParameterKind", (it.builtins["int"].d,), facts=FROZEN))


def _lazy(read: Callable[[], V] | None, it: Any) -> V:
    return V(Native("annotation", lambda i, a, k: empty(i) if read is None else read()))


def _annotation(key: str) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        value: V = it.call(args[0].d.attrs[key], [], {})
        return value

    return fn


def make_parameter(it: Any, p: CallParameter) -> V:
    """A ``Parameter`` of the program."""
    default = empty(it) if p.default is None else p.default
    return instance(it, library_class(it, "inspect.Parameter"), {
        "name": V(p.name), "kind": _kind(it, p.kind), "default": default,
        NOTE: _lazy(p.annotation, it),
    })  # fmt: skip


def _construct_parameter(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    name, kind = argument(args, kwargs, 0, "name"), argument(args, kwargs, 1, "kind")
    if name is None or kind is None:
        it.throw("TypeError", "Parameter() needs a name and a kind")
        raise AssertionError("unreachable")
    note = kwargs.get("annotation")
    read = None if note is None else lambda: note
    default = kwargs.get("default", empty(it))
    return instance(it, cls, {"name": name, "kind": kind, "default": default,
                              NOTE: _lazy(read, it)})  # fmt: skip


def _replace_parameter(it: Any, args: Args, kwargs: Kwargs) -> V:
    attrs = dict(args[0].d.attrs)
    attrs.update({key: value for key, value in kwargs.items() if key != "annotation"})
    if "annotation" in kwargs:
        attrs[NOTE] = _lazy(lambda: kwargs["annotation"], it)
    return instance(it, args[0].d.cls, attrs)


def parameter_class(it: Any) -> V:
    """``inspect.Parameter``."""
    cls = make_class(
        it, "inspect.Parameter", construct=_construct_parameter,
        methods={"replace": _replace_parameter}, properties={"annotation": _annotation(NOTE)},
        facts=FROZEN,
    )  # fmt: skip
    cls.ns["empty"] = empty(it)
    for number, name in enumerate(KINDS):
        cls.ns[name] = _kind(it, number)
    return V(cls)


def make_signature(it: Any, signature: CallSignature) -> V:
    """A ``Signature`` of the program."""
    table = it.heap.dict()
    for p in signature.parameters:
        it.dict_set(table, V(p.name), make_parameter(it, p))
    return instance(it, library_class(it, "inspect.Signature"), {
        "parameters": V(table), NOTE: _lazy(signature.returns, it)})  # fmt: skip


def _construct_signature(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    given = argument(args, kwargs, 0, "parameters")
    table = V(it.heap.dict())
    if given is not None and given.d is not None:
        _fill(it, table, given)
    note = kwargs.get("return_annotation")
    read = None if note is None else lambda: note
    return instance(it, cls, {"parameters": table, NOTE: _lazy(read, it)})


def _fill(it: Any, table: V, given: V) -> None:
    items = it.iterate(given)
    if items is None or it.is_open(given):
        it.heap.open_dict(table.d, "parameters that are not known")
    for item in items or ():
        it.dict_set(table.d, it.getattr(item, "name"), item)


def _replace_signature(it: Any, args: Args, kwargs: Kwargs) -> V:
    attrs = dict(args[0].d.attrs)
    if "parameters" in kwargs:
        attrs["parameters"] = V(it.heap.dict())
        _fill(it, attrs["parameters"], kwargs["parameters"])
    if "return_annotation" in kwargs:
        attrs[NOTE] = _lazy(lambda: kwargs["return_annotation"], it)
    return instance(it, args[0].d.cls, attrs)


def _bind(partial: bool) -> Fn:
    """``bind`` and ``bind_partial``."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        table = args[0].d.attrs["parameters"]
        parts = [p for _, p in it.mapping_items(table)]
        kinds = [it.getattr(p, "kind") for p in parts]
        numbers = [k.d.payload for k in kinds if type(k.d) is Instance]
        if it.is_open(table) or len(numbers) < len(kinds) or None in numbers:
            return unknown("arguments bound to an unknown signature")
        arguments = _bound(it, list(zip(parts, numbers, strict=True)), args[1:], dict(kwargs),
                           partial)  # fmt: skip
        return instance(it, library_class(it, "inspect.BoundArguments"), {
            "signature": args[0], "arguments": arguments})  # fmt: skip

    return fn


def _bound(it: Any, parts: list[tuple[V, int]], given: Args, named: Kwargs, partial: bool) -> V:
    made = V(it.heap.dict())
    for part, kind in parts:
        name = it.getattr(part, "name").d
        if kind in SINGLE and given:
            if kind == POSITIONAL_OR_KEYWORD and name in named:
                it.throw("TypeError", f"multiple values for argument '{name}'")
            it.dict_set(made.d, V(name), given.pop(0))
        elif kind == VAR_POSITIONAL:
            if given:
                it.dict_set(made.d, V(name), V(tuple(given)))
            given = []
        elif kind == VAR_KEYWORD:
            if named:
                rest = it.heap.dict()
                for key, value in named.items():
                    it.dict_set(rest, V(key), value)
                it.dict_set(made.d, V(name), V(rest))
            named = {}
        elif kind != POSITIONAL_ONLY and name in named:
            it.dict_set(made.d, V(name), named.pop(name))
        elif not partial and it.getattr(part, "default").d is empty(it).d:
            it.throw("TypeError", f"missing a required argument: '{name}'")
    if given:
        it.throw("TypeError", "too many positional arguments")
    if named:
        it.throw("TypeError", f"got an unexpected keyword argument '{next(iter(named))}'")
    return made


def _apply_defaults(it: Any, args: Args, kwargs: Kwargs) -> V:
    d: Instance = args[0].d
    old = d.attrs["arguments"]
    made = V(it.heap.dict())
    for name, part in it.mapping_items(d.attrs["signature"].d.attrs["parameters"]):
        kind = it.getattr(part, "kind").d.payload
        if it.contains(old, name) is Truth.TRUE:
            it.dict_set(made.d, name, it.getitem(old, name))
        elif kind == VAR_POSITIONAL:
            it.dict_set(made.d, name, V(()))
        elif kind == VAR_KEYWORD:
            it.dict_set(made.d, name, V(it.heap.dict()))
        elif it.getattr(part, "default").d is not empty(it).d:
            it.dict_set(made.d, name, it.getattr(part, "default"))
    it.heap.put(d.attrs, "arguments", made)
    return V(None)


def _split(it: Any, value: V) -> tuple[list[V], dict[str, V]]:
    d: Instance = value.d
    given: list[V] = []
    named: dict[str, V] = {}
    held = d.attrs["arguments"]
    by_name = False
    for name, part in it.mapping_items(d.attrs["signature"].d.attrs["parameters"]):
        kind = it.getattr(part, "kind").d.payload
        if it.contains(held, name) is not Truth.TRUE:
            by_name = by_name or kind in SINGLE
            continue
        item = it.getitem(held, name)
        if kind == VAR_POSITIONAL:
            given.extend(it.iterate(item) or ())
        elif kind == VAR_KEYWORD:
            named.update({k.d: v for k, v in it.mapping_items(item) or ()})
        elif kind == KEYWORD_ONLY or by_name:
            named[name.d] = item
        else:
            given.append(item)
    return given, named


def _bound_args(it: Any, args: Args, kwargs: Kwargs) -> V:
    return V(tuple(_split(it, args[0])[0]))


def _bound_kwargs(it: Any, args: Args, kwargs: Kwargs) -> V:
    made = it.heap.dict()
    for key, value in _split(it, args[0])[1].items():
        it.dict_set(made, V(key), value)
    return V(made)


def signature(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``signature(obj, *, follow_wrapped=True)``."""
    value = argument(args, kwargs, 0, "obj") or V(None)
    follow = it.truth(kwargs.get("follow_wrapped", V(True))) is not Truth.FALSE
    if type(value.d) in (int, str, float, bool, type(None)):
        it.throw("TypeError", f"{it.format_value(value, 'r', '')} is not a callable object")
    found = signature_of(it, value, follow=follow)
    if found is None:
        if it.tries and (it.may_catch("ValueError") or it.may_catch("TypeError")):
            it.leave_pending_with(it.make_raise(it.union([
                it.exception("ValueError", [V("no signature found")]),
                it.exception("TypeError", [V("not supported by signature")]),
            ])))  # fmt: skip
        return unknown("the signature of something that is not looked into", "", value.o)
    return make_signature(it, found) if isinstance(found, CallSignature) else found


def signature_class(it: Any) -> V:
    """``inspect.Signature``."""
    cls = make_class(
        it, "inspect.Signature", construct=_construct_signature,
        methods={"bind": _bind(False), "bind_partial": _bind(True),
                 "replace": _replace_signature,
                 "__str__": lambda i, a, k: unknown("the text of a signature", "str")},
        properties={"return_annotation": _annotation(NOTE)}, facts=FROZEN,
    )  # fmt: skip
    cls.ns["empty"] = empty(it)
    made = V(Native("Signature.from_callable", lambda i, a, k: signature(i, a[1:], k)))
    cls.ns["from_callable"] = V(Descriptor("classmethod", made))
    return V(cls)


VALUES: dict[str, Factory] = {
    "inspect._empty": lambda it: V(make_class(it, "inspect._empty")),
    "inspect._ParameterKind": kind_class,
    **{f"inspect._ParameterKind.{name}": kind_factory(i) for i, name in enumerate(KINDS)},
    "inspect.Parameter": parameter_class,
    "inspect.Signature": signature_class,
    "inspect.BoundArguments": lambda it: V(make_class(
        it, "inspect.BoundArguments", methods={"apply_defaults": _apply_defaults},
        properties={"args": _bound_args, "kwargs": _bound_kwargs})),
}  # fmt: skip
