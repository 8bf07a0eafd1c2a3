"""Versions of torch and of what it was built for; generators and other small objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Fn, make_class
from mlapath.models.device_facts import platform
from mlapath.models.torch_device import resolve
from mlapath.models.torch_pins import pins
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.origin import Origin
from mlapath.values.value import NONE, Unknown, V

CUDA, HIP = "13.0", "7.0.0"
"""What torch was built for, where neither the facts nor its release tell."""


def version(it: Any) -> V:
    """``torch.__version__``."""
    known = it.facts.version("torch")
    if known is None:
        return V(Unknown("the version of torch", "str", text="torch.__version__"))
    return V(known, Origin("package", label=f"package:torch=={known}", value=known))


def _built_for(wanted: str, fact: str, default: str) -> Callable[[Any], V]:
    """``torch.version.cuda`` on NVIDIA, ``torch.version.hip`` on AMD, else None."""

    def build(it: Any) -> V:
        if platform(it) != wanted:
            return V(None, Origin("device", label="device:platform", value=platform(it)))
        listed = pins(it) if wanted == "cuda" else None
        value = getattr(it.facts, fact, None) or (listed.cuda if listed is not None else default)
        return V(value, Origin("default", label=f"torch.version:{fact}={value}", value=value))

    return build


def _generator(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    made = Instance(cls, it.heap.cell())
    made.attrs["device"] = resolve(it, args[0] if args else kwargs.get("device"))
    return V(made)


def _self(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def _number(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(Unknown("a seed", "int"))


def build_generator(it: Any) -> V:
    """The class ``torch.Generator``."""
    methods: dict[str, Fn] = {"manual_seed": _self, "set_state": _self, "seed": _number,
                              "initial_seed": _number}  # fmt: skip
    return V(make_class(it, "torch.Generator", construct=_generator, methods=methods))


def symbolic(name: str, base: str) -> Callable[[Any], V]:
    """``SymInt`` and the like: no value here is one."""
    return lambda it: V(make_class(it, f"torch.{name}"))


VALUES: dict[str, Callable[[Any], V]] = {
    "torch.__version__": version,
    "torch.version.__version__": version,
    "torch.version.cuda": _built_for("cuda", "cuda_version", CUDA),
    "torch.version.hip": _built_for("rocm", "hip_version", HIP),
    "torch.version.xpu": _built_for("xpu", "xpu_version", "2025.2"),
    "torch.version.debug": lambda it: V(False),
    "torch.version.git_version": lambda it: V(Unknown("the commit of torch", "str")),
    "torch.Generator": build_generator,
    "torch.SymInt": symbolic("SymInt", "int"),
    "torch.SymFloat": symbolic("SymFloat", "float"),
    "torch.SymBool": symbolic("SymBool", "bool"),
    "torch.default_generator": lambda it: it.call(it.models.symbol(it, "torch.Generator"), [], {}),
}
ALIASES = {"torch.torch_version.__version__": "torch.__version__",
           "torch.types.Device": "torch.device"}  # fmt: skip
FUNCTIONS: dict[str, Fn] = {"torch._C._show_config": lambda it, a, k: V(
    Unknown("the build of torch", "str")), "torch.initial_seed": _number,
    "torch.typename": lambda it, a, k: V(it.type_name(a[0])) if a else NONE}  # fmt: skip
