"""``| & - ^`` of sets and dicts, with keys that may or may not be there."""

from __future__ import annotations

from typing import Any

from mlapath.values.join import union
from mlapath.values.objects import OPEN, DictObj, Instance
from mlapath.values.truth import Truth, both, either, negate
from mlapath.values.value import ABSENT, Union, Unknown, V

Pair = tuple[V, V]
MAPPINGS = ("dict", "defaultdict")


def dict_op(it: Any, op: str, left: V, right: V) -> V:
    """The operator on two sets or two dicts: a new one, of the left one's kind."""
    a: DictObj = left.d
    b: DictObj = right.d
    mappings = [d.kind in MAPPINGS for d in (a, b)]
    if any(mappings) and not (all(mappings) and op == "|"):
        it.throw("TypeError", f"unsupported operand type(s) for {op}: '{it.type_name(left)}' and "
                 f"'{it.type_name(right)}'")  # fmt: skip
    made: DictObj = it.heap.dict(kind=a.kind)
    made.default = a.default
    keys = [key for key in a.data if key is not OPEN]
    if op in ("|", "^") or op == "&" and OPEN in a.data:
        keys.extend(key for key in b.data if key is not OPEN and key not in a.data)
    for key in keys:
        present = _present(op, _has(a, key), _has(b, key))
        if present is Truth.FALSE:
            continue
        name, value = _item(op, a, b, key)
        made.data[key] = (name, value if present is Truth.TRUE else union([V(ABSENT), value]))
    why = a.data.get(OPEN) if op != "&" else a.data.get(OPEN) and b.data.get(OPEN)
    if op in ("|", "^"):
        why = why or b.data.get(OPEN)
    if why:
        it.heap.open_dict(made, why)
    return V(made)


def _has(d: DictObj, key: Any) -> Truth:
    pair = d.data.get(key)
    if pair is None:
        return Truth.UNKNOWN if OPEN in d.data else Truth.FALSE
    value = pair[1].d
    absent = type(value) is Union and any(o.d is ABSENT for o in value.options)
    return Truth.UNKNOWN if absent else Truth.TRUE


def _present(op: str, a: Truth, b: Truth) -> Truth:
    if op == "|":
        return either(a, b)
    if op == "&":
        return both(a, b)
    if op == "-":
        return both(a, negate(b))
    return either(both(a, negate(b)), both(negate(a), b))


def _item(op: str, a: DictObj, b: DictObj, key: Any) -> Pair:
    """The key and its value; of dicts the right one's value wins."""
    mine: Pair | None = a.data.get(key)
    other: Pair | None = b.data.get(key)
    found: Pair = a.data[key] if mine is not None else b.data[key]
    if a.kind not in MAPPINGS or op != "|":
        return found[0], _bound(found[1])
    if other is None:
        value = V(Unknown(b.data[OPEN])) if OPEN in b.data else _bound(found[1])
        return found[0], value
    if mine is None or _has(b, key) is Truth.TRUE:
        return found[0], _bound(other[1])
    return found[0], union([_bound(mine[1]), _bound(other[1])])


def _bound(value: V) -> V:
    if type(value.d) is Union:
        return union([o for o in value.d.options if o.d is not ABSENT])
    return value


def dict_inplace(it: Any, op: str, left: V, right: V) -> None:
    """``left op= right`` for a set or dict."""
    d: DictObj = left.d
    if type(right.d) is Union:
        options = [o for o in right.d.options if o.d is not ABSENT]

        def one(option: V) -> V:
            dict_inplace(it, op, left, option)
            return V(None)

        it.each(options, one)
        return
    other = right.d.payload if type(right.d) is Instance else right.d
    if type(other) is DictObj:
        replace_dict(it, d, dict_op(it, op, left, V(other)).d)
    elif op == "|" and d.kind in MAPPINGS and type(right.d) is not Unknown:
        it.call(it.getattr(left, "update"), [right], {})
    elif type(right.d) in (Unknown, Instance):
        _with_unknown(it, op, d, it.is_open(right) or "an operation with something unknown")
    else:
        it.throw("TypeError", f"unsupported operand type(s) for {op}=: "
                 f"'{it.type_name(left)}' and '{it.type_name(right)}'")  # fmt: skip


def _with_unknown(it: Any, op: str, d: DictObj, why: str) -> None:
    for key, pair in list(d.data.items()):
        if key is OPEN or op == "|" and d.kind == "set":
            continue
        value = V(Unknown(why), pair[1].o) if op == "|" else union([V(ABSENT), pair[1]])
        it.heap.put(d.data, key, (pair[0], value))
    if op in ("|", "^"):
        it.heap.open_dict(d, why)


def replace_dict(it: Any, target: DictObj, source: DictObj) -> None:
    """Make ``target`` hold what ``source`` holds."""
    for key in list(target.data):
        if key not in source.data:
            it.heap.drop(target.data, key)
    for key, pair in source.data.items():
        it.heap.put(target.data, key, pair)
