"""``torch.ops``: operators that the program registered, and compiled ones.

By assumption a compiled namespace whose extension is installed has every operator that the
program asks it for, but those that only another platform's build has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from mlapath.models.api import Fn, make_class
from mlapath.models.device_facts import device_type, platform
from mlapath.models.flash_attention import check_widths
from mlapath.models.tensor_arguments import tensor
from mlapath.models.tensor_convert import alias
from mlapath.models.torch_device import resolve
from mlapath.models.torch_library import implementation, registry
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.origin import Origin, merge
from mlapath.values.truth import Truth, either
from mlapath.values.value import ABSENT, NONE, External, Union, Unknown, V

ALWAYS = frozenset({"aten", "prims", "prim", "inductor", "higher_order", "_c10d_functional",
                    "c10d", "symm_mem", "quantized", "profiler", "mkldnn", "c10d_functional",
                    "rngprims", "streams"})  # fmt: skip
"""Namespaces that torch itself fills."""
EXTENSIONS: Mapping[str, tuple[str, ...]] = {
    "_C": ("vllm._C", "vllm._C_stable_libtorch"),
    "_moe_C": ("vllm._moe_C", "vllm._moe_C_stable_libtorch"),
    "_vllm_fa2_C": ("vllm.vllm_flash_attn._vllm_fa2_C",),
    "_vllm_fa3_C": ("vllm.vllm_flash_attn._vllm_fa3_C",),
    "deep_select": ("vllm._deepselect_C",),
    "deep_gemm": ("vllm.third_party.deep_gemm._C", "vllm.third_party.deep_gemm._C_extension",
                  "deep_gemm"),
    "torchvision": ("torchvision",),
}  # fmt: skip
"""Namespace of compiled operators -> the modules that may fill it (the build's CMake names)."""
CPU_ONLY = re.compile(r"cpu_.*|.*_cpu|.*(onednn|_amx|shm_manager|scaled_mm_with_quant).*|"
                      r"dynamic_4bit_int_moe")  # fmt: skip
"""Names of operators that only the CPU build has."""
SUPPORTS: Mapping[str, int] = {
    "cutlass_scaled_mm_supports_fp8": 89, "cutlass_scaled_mm_supports_block_fp8": 90,
    "cutlass_group_gemm_supported": 90, "cutlass_scaled_mm_supports_fp4": 100,
    "mxfp4_experts_quant_supported": 100, "cutlass_sparse_scaled_mm_supported": 90,
}  # fmt: skip
"""Operators that tell whether kernels suit a capability (90 for 9.0): the lowest that they do,
by assumption of a build with the CUDA release that its torch wants."""
NUMBERS = ("get_device_attribute", "get_max_shared_memory_per_block_device_attribute", "meta_size",
           "sm100_cutlass_mla_get_workspace_size", "moe_permute_sort_workspace_size",
           "qr_max_size", "cutlass_blockwise_scaled_grouped_mm_workspace")  # fmt: skip
YES = ("moe_permute_unpermute_supported",)


def _classes(it: Any) -> dict[str, ClassObj]:
    found: dict[str, ClassObj] | None = it.store.get("torch.ops classes")
    if found is None:
        found = it.store["torch.ops classes"] = {
            "ops": make_class(it, "torch._ops._Ops", methods={
                "__getattr__": _get_namespace, "load_library": lambda i, a, k: NONE}),
            "namespace": make_class(it, "torch._ops._OpNamespace",
                                    methods={"__getattr__": _get_operator}),
            "packet": it.models.symbol(it, "torch._ops.OpOverloadPacket").d,
            "overload": it.models.symbol(it, "torch._ops.OpOverload").d,
        }  # fmt: skip
    return found


def _named(it: Any, kind: str, name: str) -> V:
    """The one object of a name."""
    key = f"torch.ops {kind} {name}"
    found: V | None = it.store.get(key)
    if found is None:
        made = Instance(_classes(it)[kind], it.heap.cell())
        made.attrs["\0name"] = V(name)
        made.attrs["__name__"] = V(name.rpartition("::")[2])
        found = it.store[key] = V(made)
    return found


def _get_namespace(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = args[1].d
    if name.startswith("__"):
        it.throw("AttributeError", f"'_Ops' object has no attribute '{name}'")
    return _named(it, "namespace", name)


def _get_operator(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    space, name = args[0].d.attrs["\0name"].d, args[1].d
    present, evidence = has_operator(it, space, name)
    if present is Truth.FALSE or name.startswith("__"):
        it.throw("AttributeError", f"'_OpNamespace' '{space}' object has no attribute '{name}'")
    found = _named(it, "packet", f"{space}::{name}")
    if present is Truth.UNKNOWN:
        return V(Union((found, V(ABSENT))), evidence)
    return V(found.d, evidence)


def has_operator(it: Any, space: str, name: str) -> tuple[Truth, Origin | None]:
    """Whether ``torch.ops.space`` has an operator, with the evidence."""
    registered = registry(it).get(f"{space}::{name}")
    if registered is not None:
        return Truth.UNKNOWN if type(registered.d) is Union else Truth.TRUE, registered.o
    if space in ALWAYS:
        return Truth.TRUE, None
    found = Truth.FALSE
    modules = EXTENSIONS.get("_C" if space.startswith("_C_") else space, (f"vllm.{space}", space))
    for module in modules:
        found = either(found, it.facts.has_module(module))
    own = CPU_ONLY.fullmatch(name) is not None
    if found is not Truth.FALSE and own != (platform(it) == "cpu"):
        found = Truth.FALSE if own else Truth.UNKNOWN
    return found, Origin("package", label=f"operator:{space}::{name}", value=found.value)


def _get_overload(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``packet.default``: an overload; other attributes are not known."""
    name, attr = args[0].d.attrs["\0name"].d, args[1].d
    if attr.startswith("__"):
        it.throw("AttributeError", attr)
    if attr.startswith("_") or attr in ("overloads", "name", "namespace", "schema", "tags"):
        return V(Unknown(f"{attr} of an operator", "", f"torch.ops.{attr}"))
    full = name if attr == "default" else f"{name}.{attr}"
    if attr != "default" and name in registry(it) and full not in registry(it):
        it.throw("AttributeError", f"The operator '{name}' has no overload name '{attr}'")
    return _named(it, "overload", full)


def _call(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """Call an operator: the program's function, or code that is not looked into."""
    name = args[0].d.attrs["\0name"].d
    function = implementation(it, name)
    if function is not None:
        return it.in_operator(lambda: it.call(function, args[1:], kwargs))  # type: ignore[no-any-return]
    space, _, plain = name.partition("::")
    values = [*args[1:], *kwargs.values()]
    origin = merge(*(v.o for v in values))
    if plain in SUPPORTS:
        return _supports(plain, args[1:] or list(kwargs.values()), origin)
    if plain in YES:
        return V(True, Origin("package", label=f"operator:{name}", value=True))
    if plain in NUMBERS:
        return V(Unknown(f"the result of {plain}()", "int", lo=0), origin)
    known = RESULTS.get(name) or it.models.functions.get(f"torch.ops.{space}.{plain}")
    if known is not None:
        return known(it, args[1:], kwargs)
    if name in CHECKS:
        CHECKS[name](it, args[1:], kwargs)
    external = External(f"torch.ops.{space}.{plain}")
    if READS_ONLY.fullmatch(plain):
        it.trace.external(it.frame, external.name)
        return V(Unknown(f"the result of {plain}()", "", f"{external.name}()"), origin)
    return it.call_external(external, V(external), args[1:], kwargs, "")  # type: ignore[no-any-return]


READS_ONLY = re.compile(r"get_\w*metadata\w*")
"""Operators that compute a schedule from their arguments and write to none of them."""


def _itself(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A reference to the same tensor."""
    return args[0] if args else next(iter(kwargs.values()))


def _on_device(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """The same memory, seen from the accelerator."""
    made = alias(it, tensor(it, args[0]), [], {})
    made.d.attrs["device"] = resolve(it, V(device_type(it) or "cpu"))
    return made


def _schedule(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A tensor that the operator's name says is a schedule."""
    return tensor(it, V(Unknown("a schedule of a kernel", "", "torch.ops.schedule()")))


RESULTS: Mapping[str, Fn] = {
    "_C::weak_ref_tensor": _itself, "_C::get_cuda_view_from_cpu_tensor": _on_device,
    "_C::get_xpu_view_from_cpu_tensor": _on_device,
    "_vllm_fa2_C::get_scheduler_metadata": _schedule,
    "_vllm_fa3_C::get_scheduler_metadata": _schedule,
}  # fmt: skip
"""Compiled operators whose results the program looks at."""


CHECKS: Mapping[str, Callable[[Any, list[V], dict[str, V]], None]] = {
    "_vllm_fa3_C::fwd": check_widths,
}
"""Compiled operators that refuse what Python code gives them."""


def _supports(name: str, args: list[V], origin: Origin | None) -> V:
    capability = args[0].d if args else None
    evidence = merge(Origin("package", label=f"operator:{name}", value=SUPPORTS[name]), origin)
    if type(capability) is int:
        return V(capability >= SUPPORTS[name], evidence)
    return V(Unknown(f"{name}() of an unknown capability", "bool", text=name), evidence)


def part_of_result(it: Any, text: str, attr: str) -> V | None:
    """Compiled operators give plain tensors, without attributes that Python code has set."""
    if attr == "__dict__" and text.startswith("torch.ops."):
        return V(it.heap.dict())
    return None


def build(it: Any) -> V:
    """``torch.ops``."""
    return V(Instance(_classes(it)["ops"], it.heap.cell()))


def _operator_class(name: str) -> Any:
    methods: dict[str, Fn] = {"__call__": _call, "__getattr__": _get_overload}
    return lambda it: V(make_class(it, f"torch._ops.{name}", methods=methods))


VALUES: dict[str, Any] = {
    "torch.ops": build,
    **{f"torch._ops.{n}": _operator_class(n) for n in ("OpOverload", "OpOverloadPacket")},
}
