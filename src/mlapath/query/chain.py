"""Evidence chains: from a decision back to the given facts that it rests on.

A chain is the cheapest path through the origins.  Data edges are cheaper than control edges,
and values that are truth values cheaper than numbers and texts: so a chain prefers what was
*asked* about a fact (``hasattr(config, "index_topk")``) to what was merely passed along.
"""

from __future__ import annotations

import heapq
from typing import Any

from mlapath.values.origin import Origin, ancestors

ROOTS = ("config", "flag", "env", "device", "package")
PREFERENCE = {"config": 0, "flag": 0, "env": 0, "device": 16, "package": 100}
CONTROL_COST = 3
ASKED_COST = {"which": 150.0, "callee": 300.0}
ASIDE_COST = 600
CHECK_COST = 300
"""Of a guard that would have raised: it stands before what it does not decide."""
VALUE_COST = 3
ABSENT_COST = 40
"""Of a fact that was not given: what was given explains more."""
MAX_NODES = 1_000_000
MAX_TRAIL = 30


def chain(origin: Origin | None) -> tuple[Origin, ...]:
    """The steps from a given fact to ``origin``, in order; empty where nothing given is behind.

    What guards ask comes before what stands around them.
    """
    if origin is None:
        return ()
    return _search(origin, outer=False) or _search(origin, outer=True)


def written(origin: Origin) -> tuple[Origin, ...]:
    """The steps to ``origin``, which is not given, from where its value stands in the code."""
    trail = [origin]
    while trail[-1].inputs and len(trail) < MAX_TRAIL:
        trail.append(trail[-1].inputs[0])
    return tuple(reversed(trail))


def _search(origin: Origin, *, outer: bool) -> tuple[Origin, ...]:
    best: tuple[float, Origin] | None = None
    distance: dict[int, float] = {id(origin): 0.0}
    previous: dict[int, Origin] = {}
    count = 0
    queue: list[tuple[float, int, Origin]] = [(0.0, 0, origin)]
    while queue and count < MAX_NODES:
        cost, _, node = heapq.heappop(queue)
        if cost > distance.get(id(node), cost):
            continue
        if best is not None and cost >= best[0]:
            break
        if node.kind in ROOTS:
            total = cost + PREFERENCE[node.kind] + (ABSENT_COST if node.value is None else 0)
            if best is None or total < best[0]:
                best = (total, node)
            continue
        for parent, step in _edges(node, outer=outer):
            new = cost + step + _value_cost(parent)
            if new < distance.get(id(parent), float("inf")):
                distance[id(parent)] = new
                previous[id(parent)] = node
                count += 1
                heapq.heappush(queue, (new, count, parent))
    if best is None:
        return ()
    steps = [best[1]]
    while id(steps[-1]) in previous:
        steps.append(previous[id(steps[-1])])
    return tuple(steps)


def roots(origin: Origin | None) -> tuple[Origin, ...]:
    """Every given fact behind ``origin``, nearest first, each label once."""
    found: dict[str, Origin] = {}
    for node in ancestors(origin):
        if node.kind in ROOTS:
            found.setdefault(node.label, node)
    return tuple(found.values())


def _edges(node: Origin, *, outer: bool) -> list[tuple[Origin, float]]:
    if node.kind in ASKED_COST:  # what was found explains it better than what was asked for it
        found, asked = node.inputs
        return [(found, 0.0), (asked, ASKED_COST[node.kind])]
    edges: list[tuple[Origin, float]] = [(parent, 1.0) for parent in node.inputs]
    if node.control is not None and (outer or node.kind != "guard"):
        # what a value was computed from explains it better than where that was done
        cost = ASIDE_COST if node.inputs else CONTROL_COST
        cost += CHECK_COST if node.control.kind == "check" else 0
        edges.append((node.control, float(cost)))
    return edges


def _value_cost(node: Origin) -> float:
    value: Any = node.value
    if node.kind in ROOTS or node.kind == "expr" or type(value) is bool:
        return 0.0
    return float(VALUE_COST) if type(value) in (int, float, str) else 1.0
