"""Expressions of flag code. Each handler: ``(walker, frame, node) -> value``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from mlapath.ir import nodes as ir
from mlapath.scenario.engine_flags_attributes import get_attribute
from mlapath.scenario.engine_flags_functions import make_lambda
from mlapath.scenario.engine_flags_operators import binary, compare, subscript, unary
from mlapath.scenario.engine_flags_values import REST, Frame, Super, Unread

if TYPE_CHECKING:
    from mlapath.scenario.engine_flags_walker import Walker

_CONVERSIONS: Mapping[str, Callable[[Any], str]] = MappingProxyType(
    {"r": repr, "s": str, "a": ascii}
)


def _const(_walker: Walker, _frame: Frame, node: ir.Const) -> Any:
    return node.value


def _name(walker: Walker, frame: Frame, node: ir.Name) -> Any:
    at: Frame | None = frame
    while at is not None:
        if node.id in at.names:
            return at.names[node.id]
        at = at.parent
    return walker.lookup(frame.scope, node.id, frame.line)


def _attr(walker: Walker, frame: Frame, node: ir.Attr) -> Any:
    return get_attribute(walker, walker.eval(frame, node.value), node.attr)


def _subscript(walker: Walker, frame: Frame, node: ir.Subscript) -> Any:
    return subscript(walker, walker.eval(frame, node.value), walker.eval(frame, node.index))


def _slice(walker: Walker, frame: Frame, node: ir.Slice) -> Any:
    parts = [
        None if part is None else walker.eval(frame, part)
        for part in (node.lower, node.upper, node.step)
    ]
    return next((part for part in parts if isinstance(part, Unread)), slice(*parts))


def _elements(walker: Walker, frame: Frame, nodes: tuple[ir.Expr, ...]) -> list[Any]:
    found: list[Any] = []
    for node in nodes:
        if isinstance(node, ir.Starred):
            found.extend(walker.eval(frame, node.value))
        else:
            found.append(walker.eval(frame, node))
    return found


def _dict(walker: Walker, frame: Frame, node: ir.Dict) -> Any:
    found: dict[Any, Any] = {}
    for key, value in node.items:
        if key is not None:
            found[walker.eval(frame, key)] = walker.eval(frame, value)
            continue
        spread = walker.eval(frame, value)
        if isinstance(spread, Unread):
            return spread
        found.update(spread)
    return found


def _bool_op(walker: Walker, frame: Frame, node: ir.BoolOp) -> Any:
    value: Any = None
    for operand in node.values:
        value = walker.eval(frame, operand)
        if isinstance(value, Unread) or bool(value) == (node.op == "or"):
            return value
    return value


def _compare(walker: Walker, frame: Frame, node: ir.Compare) -> Any:
    left = walker.eval(frame, node.left)
    result: Any = True
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        right = walker.eval(frame, comparator)
        result = compare(op, left, right)
        if isinstance(result, Unread) or not result:
            return result
        left = right
    return result


def _if_exp(walker: Walker, frame: Frame, node: ir.IfExp) -> Any:
    test = walker.eval(frame, node.test)
    if isinstance(test, Unread):
        return test
    return walker.eval(frame, node.body if test else node.orelse)


def _comp(walker: Walker, frame: Frame, node: ir.Comp) -> Any:
    inner = Frame(frame.scope, {}, frame, frame.owner, frame.me, frame.line)
    first = walker.eval(frame, node.generators[0].iter)
    if isinstance(first, Unread):
        return first
    if node.kind == "dict":
        assert node.value is not None
        value = node.value
        return {
            walker.eval(inner, node.elt): walker.eval(inner, value)
            for _ in _rounds(walker, inner, node, 0, first)
        }
    found = (walker.eval(inner, node.elt) for _ in _rounds(walker, inner, node, 0, first))
    return found if node.kind == "gen" else {"list": list, "set": set}[node.kind](found)


def _rounds(walker: Walker, frame: Frame, node: ir.Comp, depth: int, items: Any) -> Iterator[None]:
    generator = node.generators[depth]
    for item in items:
        assign_name(walker, frame, generator.target, item)
        if not all(bool(walker.eval(frame, test)) for test in generator.ifs):
            continue
        if depth + 1 == len(node.generators):
            yield
        else:
            more = walker.eval(frame, node.generators[depth + 1].iter)
            yield from _rounds(walker, frame, node, depth + 1, more)


def _joined(walker: Walker, frame: Frame, node: ir.JoinedStr) -> Any:
    texts: list[str] = []
    for part in node.parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        value = walker.eval(frame, part.value)
        spec = "" if part.spec is None else _joined(walker, frame, part.spec)
        if isinstance(value, Unread):
            return value
        convert = _CONVERSIONS.get(part.conversion)
        texts.append(format(value if convert is None else convert(value), spec))
    return "".join(texts)


def _named(walker: Walker, frame: Frame, node: ir.NamedExpr) -> Any:
    value = walker.eval(frame, node.value)
    frame.names[node.target.id] = value
    return value


def _call(walker: Walker, frame: Frame, node: ir.Call) -> Any:
    walker.at = (frame.scope.path, node.pos[0])
    if isinstance(node.func, ir.Name) and node.func.id == "super" and not node.args:
        at: Frame | None = frame
        while at is not None and at.me is None:
            at = at.parent
        if at is None or at.owner is None:
            raise walker.beyond(frame, node)
        return Super(at.owner, at.me)
    function = walker.eval(frame, node.func)
    if isinstance(function, Unread):
        return function
    args = _elements(walker, frame, node.args)
    kwargs: dict[str, Any] = {}
    for name, value in node.keywords:
        found = walker.eval(frame, value)
        if name is not None:
            kwargs[name] = found
        elif isinstance(found, Mapping):
            kwargs.update(found)
        else:
            kwargs[REST] = found if isinstance(found, Unread) else Unread("not a mapping")
    walker.at = (frame.scope.path, node.pos[0])
    return walker.call(function, args, kwargs)


def assign_name(walker: Walker, frame: Frame, target: ir.Expr, value: Any) -> None:
    """Bind a loop variable or an unpacked name."""
    if isinstance(target, ir.Name):
        frame.names[target.id] = value
    elif isinstance(target, (ir.Tuple, ir.List)):
        _unpack(walker, frame, target, value)
    else:
        raise walker.beyond(frame, target)


def _unpack(walker: Walker, frame: Frame, target: ir.Tuple | ir.List, value: Any) -> None:
    items = list(value)
    stars = [at for at, elt in enumerate(target.elts) if isinstance(elt, ir.Starred)]
    if stars:
        before, after = stars[0], len(target.elts) - stars[0] - 1
        middle = items[before : len(items) - after]
        items = [*items[:before], middle, *items[len(items) - after :]]
    for elt, item in zip(target.elts, items, strict=True):
        assign_name(walker, frame, elt.value if isinstance(elt, ir.Starred) else elt, item)


EXPRESSIONS: Mapping[type, Callable[..., Any]] = MappingProxyType(
    {
        ir.Const: _const,
        ir.Name: _name,
        ir.Attr: _attr,
        ir.Subscript: _subscript,
        ir.Slice: _slice,
        ir.Tuple: lambda w, f, n: tuple(_elements(w, f, n.elts)),
        ir.List: lambda w, f, n: _elements(w, f, n.elts),
        ir.Set: lambda w, f, n: set(_elements(w, f, n.elts)),
        ir.Dict: _dict,
        ir.BinOp: lambda w, f, n: binary(w, n.op, w.eval(f, n.left), w.eval(f, n.right)),
        ir.UnaryOp: lambda w, f, n: unary(n.op, w.eval(f, n.operand)),
        ir.BoolOp: _bool_op,
        ir.Compare: _compare,
        ir.IfExp: _if_exp,
        ir.Comp: _comp,
        ir.JoinedStr: _joined,
        ir.NamedExpr: _named,
        ir.Lambda: make_lambda,
        ir.Call: _call,
    }
)
