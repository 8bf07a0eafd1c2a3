"""``torch.library.infer_schema``: an operator's schema from the annotations of its function."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from mlapath.ir import nodes as n
from mlapath.models.api import argument
from mlapath.values.objects import FuncObj
from mlapath.values.value import NONE, External, Unknown, V

SCALARS = {"Tensor": "Tensor", "int": "SymInt", "float": "float", "bool": "bool", "str": "str",
           "dtype": "ScalarType", "device": "Device", "complex": "complex",
           "Number": "Scalar"}  # fmt: skip
SEQUENCES = ("list", "List", "Sequence")
OTHER = "Any"
"""The type of an annotation that is not followed; only its place in the text matters."""


def _last(e: n.Expr) -> str:
    if type(e) is n.Attr:
        return e.attr
    return e.id if type(e) is n.Name else ""


def type_text(e: n.Expr | None) -> str:
    """The schema's word for an annotation; ``()`` for None."""
    if e is None or type(e) is n.Const and e.value is None:
        return "()"
    if type(e) is n.BinOp and e.op == "|":
        return _optional([type_text(e.left), type_text(e.right)])
    if type(e) is n.Subscript:
        inner = list(e.index.elts) if type(e.index) is n.Tuple else [e.index]
        head = _last(e.value)
        if head in SEQUENCES:
            return f"{type_text(inner[0])}[]"
        if head in ("Optional", "Union"):
            return _optional([*(type_text(x) for x in inner), *(["()"] * (head == "Optional"))])
        if head in ("tuple", "Tuple"):
            return f"({', '.join(type_text(x) for x in inner)})"
    return SCALARS.get(_last(e), OTHER)


def _optional(parts: list[str]) -> str:
    some = [p for p in parts if p != "()"]
    return f"{some[0]}?" if len(some) == 1 < len(parts) else OTHER


def schema(it: Any, function: FuncObj, mutates: Collection[str]) -> str:
    """``(Tensor x, Tensor(a1!) out, SymInt? n=None) -> Tensor``."""
    params = function.node.params
    positional = (*params.posonly, *params.args)
    defaults: dict[str, V] = dict(function.kwdefaults)
    for param, value in zip(positional[::-1], function.defaults[::-1], strict=False):
        defaults[param.name] = value
    texts: list[str] = []
    for i, param in enumerate((*positional, *params.kwonly)):
        if i == len(positional):
            texts.append("*")
        kind = type_text(param.annotation)
        if param.name in mutates:
            kind = kind.replace("Tensor", f"Tensor(a{i}!)", 1)
        texts.append(f"{kind} {param.name}{_default(it, defaults.get(param.name))}")
    return f"({', '.join(texts)}) -> {type_text(getattr(function.node, 'returns', None))}"


def _default(it: Any, value: V | None) -> str:
    if value is None:
        return ""
    text = f'"{value.d}"' if type(value.d) is str else it.format_value(value, "r", "")
    if type(value.d) is External and text is not None:  # a type goes by its bare name
        text = text.rpartition(".")[2]
    return f"={text if text is not None else OTHER}"


def infer_schema(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``infer_schema(function, mutates_args=…)``."""
    function = args[0] if args else kwargs.get("prototype_function", NONE)
    if type(function.d) is not FuncObj:
        return V(Unknown("the schema of an unknown function", "str"))
    it.trace.register(it.frame, function, "")
    given = argument(args[1:], kwargs, 0, "mutates_args") or V(())
    names = it.iterate(given) if type(given.d) is not Unknown else None
    mutates = {x.d for x in names or () if type(x.d) is str}
    return V(schema(it, function.d, mutates), function.o)
