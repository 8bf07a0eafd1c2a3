"""Snippets that use torch: a scenario with a device, and tensors as plain data."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from typing import Any

from mlapath.models.array_nested import to_nested
from mlapath.models.array_value import dims_of, dtype_of, is_array, items_of
from mlapath.scenario.devices import Device, parse_device
from mlapath.values.concrete import to_py
from mlapath.values.objects import ClassObj, Instance, ListObj
from mlapath.values.truth import Truth
from mlapath.values.value import External, Unknown, V
from support.differential import FakeFacts, Run, evaluate

UNKNOWN = "?"
PRESENT = ("torch", "numpy", "triton", "packaging", "some_lib")


@dataclass
class TorchFacts(FakeFacts):
    """torch, numpy and triton are installed; the device is an H100 unless said otherwise."""

    device: Device = field(default_factory=lambda: parse_device("h100"))
    device_count: int = 1

    def has_module(self, name: str) -> Truth:
        if name not in self.modules and name.partition(".")[0] in PRESENT:
            return Truth.TRUE
        return super().has_module(name)


def run_torch(source: str, **facts: Any) -> Run:
    """Evaluate ``source`` after ``import torch``; ``u`` is a value that nobody knows."""
    text = "import torch\nimport some_lib\nu = some_lib.anything()\n" + textwrap.dedent(source)
    return evaluate(text, TorchFacts(**facts))


def plain(run: Run, value: V) -> Any:
    """A value as plain data: a tensor is ``["T", shape, dtype, contents]``, unknown parts "?"."""
    d = value.d
    if is_array(value):
        return _array(run, value)
    if type(d) is Instance and d.cls.full == "torch.Size":
        return UNKNOWN if d.payload is None else ["S", [plain(run, x) for x in d.payload]]
    if type(d) is Instance and type(d.payload) is tuple:
        return ["tuple", [plain(run, x) for x in d.payload]]
    if type(d) is tuple:
        return ["tuple", [plain(run, x) for x in d]]
    if type(d) is ListObj:
        return UNKNOWN if d.open else ["list", [plain(run, x) for x in d.items]]
    if type(d) is External:
        return d.name
    return d if type(d) in (bool, int, float, str, type(None)) else UNKNOWN


def _array(run: Run, value: V) -> list[Any]:
    dims, items, dtype = dims_of(value), items_of(value), dtype_of(value).d
    shape = UNKNOWN if dims is None else [plain(run, d) for d in dims]
    known = items is not None and all(type(x.d) is not Unknown for x in items)
    contents = to_py(to_nested(run.engine, value)) if known else UNKNOWN
    name = dtype.name if type(dtype) in (External, ClassObj) else UNKNOWN
    return ["T", shape, name, contents]


def agrees(found: Any, expected: Any) -> bool:
    """Whether a value says nothing that is not so: equal but for unknown parts."""
    if found == UNKNOWN:
        return True
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(agrees, found, expected))
    return type(found) is type(expected) and bool(found == expected)


def known(found: Any) -> bool:
    """Whether no part of a value is unknown."""
    return all(map(known, found)) if isinstance(found, list) else found != UNKNOWN
