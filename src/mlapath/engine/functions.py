"""Functions, generators and coroutines as values; text formatting."""

from __future__ import annotations

from typing import Any

from mlapath.engine.attrs import class_lookup
from mlapath.engine.control import Frame
from mlapath.ir import nodes as n
from mlapath.models.futures import outcome
from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.objects import (
    OPEN,
    BoundMethod,
    ClassObj,
    DictObj,
    FuncObj,
    GeneratorObj,
    Instance,
    ListObj,
    Native,
)
from mlapath.values.value import ABSENT, External, Union, Unknown, V


def make_function(it: Any, fr: Frame, node: n.FunctionDef | n.Lambda, name: str) -> V:
    """The value of a ``def`` or ``lambda``."""
    params = node.params
    defaults = tuple(
        it.eval(fr, p.default) for p in (*params.posonly, *params.args) if p.default is not None
    )
    kwdefaults = {p.name: it.eval(fr, p.default) for p in params.kwonly if p.default is not None}
    in_class = fr.func is None and fr.owner is not None
    if fr.func is not None:
        qualname = f"{fr.func.qualname}.<locals>.{name}"
    elif in_class and fr.owner is not None:
        qualname = f"{fr.owner.qualname}.{name}"
    else:
        qualname = name
    function = FuncObj(
        node, fr.module, fr.captured(), defaults, kwdefaults, qualname, it.heap.cell()
    )
    function.owner = fr.owner
    return V(function)


def generator_of(it: Any, listed: V) -> V:
    """A generator object over items that are known already (a generator expression)."""
    generator = GeneratorObj(lambda on_yield: V(None), it.heap.cell({"items": listed.d.items}))
    if listed.d.open:
        it.heap.put(generator.cell, "open", listed.d.cell["open"])
    return V(generator)


def context_generator(it: Any, manager: V) -> Any:
    """The generator behind a ``@contextmanager`` object, or None."""
    d = manager.d
    if type(d) is Instance and d.cls.facts.get("contextmanager"):
        inner = d.attrs["gen"].d
        return inner if type(inner) is GeneratorObj else None
    return None


def await_(it: Any, value: V) -> V:
    """``await value``: coroutines of the tree have run when they were called; so have tasks."""
    return outcome(it, value)


def format_value(it: Any, value: V, conversion: str, spec: str | None) -> str | None:
    """What an f-string field prints, or None where it is not known.

    spec: the format specification; None: not known.
    """
    d = value.d
    if type(d) is Instance:
        return _object_text(it, value, conversion, spec)
    if type(d) is ClassObj:
        special = class_lookup(d.meta, "__repr__") if d.meta is not None else None
        if special is not None:
            return _text(it, it.call(it.bind(special[0], value, d.meta), [], {}))
        return f"<class '{d.name if d.module == 'builtins' else d.full}'>"
    if type(d) is External:
        return d.name
    if type(d) is Union:  # their texts may be code
        found = [o for o in d.options if o.d is not ABSENT]
        it.each(found, lambda o: V(format_value(it, o, conversion, spec)))
    if type(d) in (Unknown, Union, FuncObj, Native, BoundMethod):
        if spec and not conversion:
            it.may_throw("ValueError", "Invalid format specifier")
        return None
    if spec is None and not conversion:
        it.may_throw("ValueError", "Invalid format specifier")
        return None
    if _holds_objects(value):
        return _container_text(it, value)
    try:
        plain = to_py(value)
    except NotConcrete:
        return _container_text(it, value)
    if conversion == "r":
        plain = repr(plain)
    elif conversion == "s":
        plain = str(plain)
    elif conversion == "a":
        plain = ascii(plain)
    try:
        return format(plain, spec or "")
    except (TypeError, ValueError) as error:
        it.throw(type(error).__name__, str(error))
        return None


def _object_text(it: Any, value: V, conversion: str, spec: str | None) -> str | None:
    """The text of an object: what its own methods make of it."""
    d: Instance = value.d
    own = it.lookup_special(value, "__format__") if not conversion else None
    if own is not None:
        return _text(
            it, it.call(own, [V(Unknown("a format", "str") if spec is None else spec)], {})
        )
    for name in ("__repr__",) if conversion == "r" else ("__str__", "__repr__"):
        special = it.lookup_special(value, name)
        if special is not None:
            text = _text(it, it.call(special, [], {}))
            return text if spec == "" else _padded(it, d, text, conversion, spec)
    return it.models.text(it, value, conversion)  # type: ignore[no-any-return]


def _padded(
    it: Any, d: Instance, text: str | None, conversion: str, spec: str | None
) -> str | None:
    """The text of an object, as a format specification wants it."""
    if text is None or spec is None:
        return None
    if not conversion and d.payload is None and not d.cls.foreign:
        it.throw("TypeError", f"unsupported format string passed to {d.cls.name}.__format__")
    try:
        return format(text, spec)
    except ValueError as error:
        it.throw("ValueError", str(error))
        raise AssertionError("unreachable") from error


def _text(it: Any, value: V) -> str | None:
    return value.d if type(value.d) is str else None


def _holds_objects(value: V) -> bool:
    """Whether a container has content with a text of its own, or whose order its text must keep.

    A set of Python would be written in an order that differs from run to run.
    """
    d = value.d
    if type(d) is DictObj and d.kind in ("set", "frozenset") and len(d.data) > 1:
        return True
    if type(d) is tuple:
        content = list(d)
    elif type(d) is ListObj:
        content = d.items
    elif type(d) is DictObj:
        content = [x for key, pair in d.data.items() if key is not OPEN for x in pair]
    else:
        return False
    return any(type(x.d) is Instance or _holds_objects(x) for x in content)


def _container_text(it: Any, value: V) -> str | None:
    d = value.d
    if type(d) not in (tuple, ListObj, DictObj) or it.is_open(value):
        return None
    items = it.iterate(value)
    if type(d) is DictObj and d.kind in ("dict", "defaultdict"):
        pairs = []
        for key, item in it.mapping_items(value):
            pair = (format_value(it, key, "r", ""), format_value(it, item, "r", ""))
            if pair[0] is None or pair[1] is None:
                return None
            pairs.append(f"{pair[0]}: {pair[1]}")
        return "{" + ", ".join(pairs) + "}"
    texts = [format_value(it, x, "r", "") for x in items]
    if any(t is None for t in texts):
        return None
    inner = ", ".join(str(t) for t in texts)
    if type(d) is tuple:
        return f"({inner},)" if len(texts) == 1 else f"({inner})"
    if type(d) is DictObj:
        shown = "{" + inner + "}" if texts else ""
        return f"frozenset({shown})" if d.kind == "frozenset" else shown or "set()"
    return f"[{inner}]"
