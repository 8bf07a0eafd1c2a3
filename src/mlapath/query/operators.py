"""Functions that were handed on to become operators of a library, and by no other way.

``register(name, function)`` at the top of a module hands the function on. Where the call was
evaluated, it is known what takes it: if that does nothing with it but hand it to a library, which
keeps it as an operator (``models.torch_library``), then only what names the operator runs it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from mlapath.engine.trace import CallEdge, Trace
from mlapath.ir import nodes as n
from mlapath.ir.walk import walk
from mlapath.query.sites import function_at

Place = tuple[str, int, str]
"""Path, line, and name of a function that is an argument of a call there."""


def operators(traces: Sequence[Trace], program: Any) -> Mapping[Place, tuple[str, ...]]:
    """Where functions are handed on, and the operators that they are from then on."""
    registered: dict[str, set[str]] = {}
    for trace in traces:
        for entry in trace.registered:
            if entry.name:
                name = entry.name.rpartition("::")[2].partition(".")[0]
                registered.setdefault(entry.function, set()).add(name)
    for trace in traces:
        for full in trace.escaped:
            registered.pop(full, None)
    edges = {(e.path, e.pos, e.callee): e for trace in traces for e in trace.calls.values()}
    taking = {(entry.path, entry.pos) for trace in traces for entry in trace.registered}
    modules = {full.rpartition(".")[0] for full in registered}
    found: dict[Place, tuple[str, ...]] = {}
    for path, calls in _by_path(edges.values(), modules).items():
        body = program.load(path).body
        at = {c.pos: c for c in walk(body) if isinstance(c, n.Call)}
        for edge in calls:
            callee = function_at(program.load(edge.callee_path).body, edge.callee_line)
            if edge.pos not in at or callee is None:
                continue
            for argument, parameter in _arguments(at[edge.pos], callee):
                names = registered.get(f"{edge.caller}.{argument.id}") or _of_wrapper(
                    registered, _decorator(body, argument.id), at[edge.pos]
                )
                if names and _only_hands_on(callee, edge.callee_path, parameter, taking):
                    found[path, argument.pos[0], argument.id] = tuple(sorted(names))
    return found


def _decorator(body: Sequence[n.Stmt], name: str) -> str:
    """The name of the outermost decorator of a module's function, or ""."""
    decorated = [s.decorators[0] for s in body
                 if isinstance(s, n.FunctionDef) and s.name == name and s.decorators]  # fmt: skip
    for decorator in decorated[-1:]:
        of = decorator.func if isinstance(decorator, n.Call) else decorator
        return of.id if isinstance(of, n.Name) else of.attr if isinstance(of, n.Attr) else ""
    return ""


def _of_wrapper(
    registered: Mapping[str, set[str]], decorator: str, call: n.Call
) -> set[str]:  # fmt: skip
    """The operators that a call names and that functions are which a decorator gave."""
    texts = {part.value for part in walk(call)
             if isinstance(part, n.Const) and isinstance(part.value, str)}  # fmt: skip
    return {
        name for full, names in registered.items() for name in names & texts
        if decorator and full.rpartition(".<locals>.")[0].rpartition(".")[2] == decorator
    }  # fmt: skip


def _by_path(edges: Iterable[CallEdge], modules: Container[str]) -> dict[str, list[CallEdge]]:
    """The calls that the code of some modules makes at their top, by path."""
    found: dict[str, list[CallEdge]] = {}
    for edge in edges:
        if edge.caller in modules:
            found.setdefault(edge.path, []).append(edge)
    return found


def _arguments(call: n.Call, callee: n.FunctionDef) -> Iterator[tuple[n.Name, str]]:
    """The plain names among the arguments of a call, with the parameters that take them."""
    params = callee.params
    places = [p.name for p in (*params.posonly, *params.args)]
    names = {*places, *(p.name for p in params.kwonly)}
    if not any(isinstance(a, n.Starred) for a in call.args):
        for argument, name in zip(call.args, places, strict=False):
            if isinstance(argument, n.Name):
                yield argument, name
    for keyword in call.keywords:
        if isinstance(keyword.value, n.Name) and keyword.name in names:
            yield keyword.value, keyword.name


def _only_hands_on(
    callee: n.FunctionDef, path: str, parameter: str, taking: Container[tuple[str, n.Pos | None]]
) -> bool:
    """Whether a function only hands a parameter to calls that take operators, or compares it."""
    harmless: set[n.Pos] = set()
    for part in walk(callee.body):
        if isinstance(part, n.Compare):
            harmless.update(x.pos for x in (part.left, *part.comparators))
        elif isinstance(part, n.Call) and (path, part.pos) in taking:
            harmless.update(a.pos for a in (*part.args, *(k.value for k in part.keywords)))
    return all(part.pos in harmless for part in walk(callee.body)
               if isinstance(part, n.Name) and part.id == parameter)  # fmt: skip


__all__ = ["operators"]
