"""What every exception has: its arguments and its text."""

from __future__ import annotations

from typing import Any

from mlapath.values.objects import Instance
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]


def exception_init(it: Any, args: Args, kwargs: Kwargs) -> V:
    made: Instance = args[0].d
    it.heap.put(made.attrs, "args", V(tuple(args[1:])))
    given = args[1] if len(args) == 2 else V(tuple(args[1:])) if len(args) > 2 else V(None)
    names = {c.full for c in made.cls.mro}
    if "builtins.StopIteration" in names:
        it.heap.put(made.attrs, "value", args[1] if len(args) > 1 else V(None))
    if "builtins.SystemExit" in names:
        it.heap.put(made.attrs, "code", given)
    if "builtins.ImportError" in names:
        it.heap.put(made.attrs, "msg", args[1] if len(args) == 2 else V(None))
        it.heap.put(made.attrs, "name", V(None))
        it.heap.put(made.attrs, "path", V(None))
    for key, value in kwargs.items():
        it.heap.put(made.attrs, key, value)
    return V(None)


def exception_text(it: Any, value: V, conversion: str) -> str | None:
    message = it.message_of(value)
    if conversion == "r":
        args = value.d.attrs.get("args")
        parts = [it.format_value(a, "r", "") for a in args.d] if args is not None else []
        return None if None in parts else f"{value.d.cls.name}({', '.join(parts)})"
    return message  # type: ignore[no-any-return]
