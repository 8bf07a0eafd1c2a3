"""``torch.device``: parsing, text, and its use as a context."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import argument, make_class
from mlapath.models.device_facts import device_type
from mlapath.models.torch_state import put, state
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.origin import merge
from mlapath.values.union import options
from mlapath.values.value import Union, Unknown, V

_TYPES = (
    "cpu cuda xpu mps hpu meta privateuseone npu tpu xla ipu vulkan mtia fpga ort hip ve lazy "
    "opengl opencl ideep mkldnn maia"
)
TYPES = frozenset(_TYPES.split())


def device_class(it: Any) -> ClassObj:
    """The class object of ``torch.device``."""
    cls: ClassObj = it.models.symbol(it, "torch.device").d
    return cls


def make(it: Any, kind: V, index: V) -> V:
    """A device."""
    made = Instance(device_class(it), it.heap.cell())
    made.attrs["type"] = kind
    made.attrs["index"] = index
    return V(made, merge(kind.o, index.o))


def _construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    first = argument(args, kwargs, 0, "device") or kwargs.get("type") or V(None)
    return parse(it, first, argument(args, kwargs, 1, "index"))


def parse(it: Any, value: V, index: V | None = None) -> V:
    """A device from a device, a text such as ``cuda:1``, or a number."""
    d = value.d
    if type(d) is Instance and d.cls is device_class(it):
        return value
    if type(d) is Union:
        return it.each(list(d.options), lambda o: parse(it, o, index))  # type: ignore[no-any-return]
    if type(d) is int:
        return make(it, V(device_type(it) or "cuda"), value)
    if type(d) is Instance and type(d.payload) is str:
        d = d.payload
    if type(d) is str:
        kind, colon, number = d.partition(":")
        if kind not in TYPES or colon and not number.isdigit():
            it.throw("RuntimeError", f"Invalid device string: '{d}'")
        return make(it, V(kind, value.o), V(int(number), value.o) if colon else index or V(None))
    if type(d) is Unknown:
        text = f"torch.device({d.text})" if d.text else ""
        return V(Unknown(d.why, "object", "torch.device()", text=text), value.o)
    it.throw("TypeError", f"device(): argument must be str or int, not {it.type_name(value)}")
    raise AssertionError("unreachable")


def resolve(it: Any, value: V | None) -> V:
    """The device that a tensor is put on for a ``device`` argument."""
    if value is None or value.d is None:
        default = state(it)["default_device"]
        value = make(it, V("cpu"), V(None)) if default.d is None else default
    device = parse(it, value)
    attrs = device.d.attrs if type(device.d) is Instance else None
    if (
        attrs is not None
        and attrs["index"].d is None
        and attrs["type"].d in ("cuda", "xpu", "hpu")
    ):
        return make(it, V(attrs["type"].d, device.o), state(it)["current_device"])
    return device


def type_of(device: V) -> str | None:
    """``cpu``, ``cuda``, …; None where it is not known."""
    if type(device.d) is Instance:
        kind = device.d.attrs["type"].d if "type" in device.d.attrs else None
        return kind if type(kind) is str else None
    return None


def _text(it: Any, value: V, conversion: str) -> str | None:
    kind, index = value.d.attrs["type"].d, value.d.attrs["index"].d
    if type(kind) is not str or type(index) not in (int, type(None)):
        return None
    if conversion == "r":
        return (
            f"device(type='{kind}')" if index is None else f"device(type='{kind}', index={index})"
        )
    return kind if index is None else f"{kind}:{index}"


def _enter(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    device = state(it)["default_device"]
    _put_outer(it, lambda outer: (*outer, device))
    put(it, "default_device", args[0])
    return args[0]


def _exit(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    left = [
        V(Unknown("the default device")) if type(outer.d) is not tuple
        else outer.d[-1] if outer.d else V(None)
        for outer in options(state(it)["outer_devices"])
    ]  # fmt: skip
    _put_outer(it, lambda outer: outer[:-1])
    put(it, "default_device", it.union(left))
    return V(False)


def _put_outer(it: Any, change: Callable[[tuple[V, ...]], tuple[V, ...]]) -> None:
    stacks = options(state(it)["outer_devices"])
    changed = [V(change(s.d), s.o) if type(s.d) is tuple else s for s in stacks]
    put(it, "outer_devices", it.union(changed))


def _call(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """As a decorator a device leaves the function as it is."""
    return args[1] if len(args) > 1 else V(None)


def _set_default(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    device = argument(args, kwargs, 0, "device") or V(None)
    put(it, "default_device", device if device.d is None else parse(it, device))
    return V(None)


def _get_default(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return resolve(it, None)


def build(it: Any) -> V:
    """The class."""
    return V(make_class(
        it, "torch.device", construct=_construct,
        methods={"__enter__": _enter, "__exit__": _exit, "__call__": _call},
        facts={"text": _text, "hash_fields": ("type", "index"), "eq_fields": ("type", "index"),
               "frozen": True},
    ))  # fmt: skip


FUNCTIONS = {"torch.set_default_device": _set_default, "torch.get_default_device": _get_default}
VALUES = {"torch.device": build}
