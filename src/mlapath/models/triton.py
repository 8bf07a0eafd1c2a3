"""triton: kernels are opaque; a launch writes the contents of its tensors and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Fn, Library, argument, make_class
from mlapath.models.device_facts import origin, platform
from mlapath.models.torch_pins import pins
from mlapath.values.objects import ClassObj, FuncObj, Instance, Native
from mlapath.values.origin import Origin
from mlapath.values.value import FALSE, NONE, External, Unknown, V

BACKENDS = {"nvidia": "cuda", "amd": "rocm"}
"""Backend of the default wheel -> the platform that it drives."""
FN = "fn"


def kernel_class(it: Any) -> ClassObj:
    """The class of jitted functions."""
    cls: ClassObj = it.models.symbol(it, "triton.runtime.jit.JITFunction").d
    return cls


def _jit(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@jit`` or ``@jit(options)``."""
    function = args[0] if args else kwargs.get("fn")
    if function is None or function.d is None:
        return V(Native("triton.jit", lambda i, a, k: _kernel(i, a[0])))
    return _kernel(it, function)


def _kernel(it: Any, function: V) -> V:
    made = Instance(kernel_class(it), it.heap.cell())
    made.attrs[FN] = function
    if type(function.d) is FuncObj:
        for name in ("__name__", "__module__", "__qualname__", "__doc__"):
            found = it.find_attr(function, name)
            if found is not None:
                made.attrs[name] = found
        params = function.d.node.params
        names = [V(p.name) for p in (*params.posonly, *params.args, *params.kwonly)]
        made.attrs["arg_names"] = V(it.heap.list(names))
    return V(made, function.o)


def _wraps(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@autotune(…)``, ``@heuristics(…)``: the kernel stays what it is."""
    for value in (*args, *kwargs.values()):
        it.trace.escape(value)
        for part in it.iterate(value) or () if type(value.d) is tuple else ():
            it.trace.escape(part)
    return V(Native("a decorator of triton", lambda i, a, k: a[0]))


def _launcher(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``kernel[grid]``."""
    grid = args[1]
    it.trace.escape(grid)
    return V(Native("a launch of a triton kernel", _launch))


def _launch(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A launch: tensors among the arguments may be written."""
    external = External("triton.launch")
    it.call_external(external, V(external), args, kwargs, "")
    return NONE


def _method_launch(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _launch(it, args[1:], kwargs)


def _build_kernel(it: Any) -> V:
    full = "triton.runtime.jit.JITFunction"
    methods: dict[str, Fn] = {"__getitem__": _launcher, "run": _method_launch,
                              "warmup": _method_launch, "__call__": _method_launch}  # fmt: skip
    return V(make_class(it, full, foreign=full, methods=methods, facts={"truthy": True}))


def cdiv(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``(x + y - 1) // y``."""
    x, y = argument(args, kwargs, 0, "x") or NONE, argument(args, kwargs, 1, "y") or NONE
    result: V = it.binop("//", it.binop("-", it.binop("+", x, y), V(1)), y)
    return result


def next_power_of_2(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """The smallest power of two that is not below n."""
    n = argument(args, kwargs, 0, "n") or NONE
    if type(n.d) is int:
        return V(1 << (n.d - 1).bit_length() if n.d > 0 else 0, n.o)
    low = n.d.lo if type(n.d) is Unknown else None
    return V(Unknown("the next power of two of something unknown", "int", lo=low or 0), n.o)


def _backends(it: Any) -> V:
    """``triton.backends.backends``: of the default wheel, with drivers."""
    made = it.heap.dict()
    driver = make_class(it, "triton.backends.driver.DriverBase",
                        static={"is_active": lambda i, a, k: FALSE})  # fmt: skip
    for name, wanted in BACKENDS.items():
        active = V(platform(it) == wanted, origin("platform", platform(it)))
        own = make_class(it, f"triton.backends.{name}.driver.Driver", (driver,), static={
            "is_active": lambda i, a, k, active=active: active})  # type: ignore[misc]  # fmt: skip
        backend = Instance(make_class(it, "triton.backends.Backend"), it.heap.cell())
        backend.attrs["driver"] = V(own)
        backend.attrs["compiler"] = V(External(f"triton.backends.{name}.compiler"))
        it.dict_set(made, V(name), V(backend))
    return V(made)


def _version(it: Any) -> V:
    known = it.facts.version("triton")
    if known is not None:
        return V(known, Origin("package", label=f"package:triton=={known}", value=known))
    pinned = pins(it)
    if pinned is None:
        return V(Unknown("the version of triton", "str", text="triton.__version__"))
    label = f"package:triton=={pinned.triton}"
    return V(pinned.triton, Origin("default", label=label, value=pinned.triton))


def _config(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    made = Instance(cls, it.heap.cell())
    for i, name in enumerate(("kwargs", "num_warps", "num_stages")):
        value = argument(args, kwargs, i, name)
        if value is not None:
            made.attrs[name] = value
    made.open = "attributes of triton.Config"
    return V(made)


def _build_config(it: Any) -> V:
    return V(make_class(it, "triton.runtime.autotuner.Config", construct=_config))


VALUES: dict[str, Callable[[Any], V]] = {
    "triton.runtime.jit.JITFunction": _build_kernel, "triton.backends.backends": _backends,
    "triton.__version__": _version, "triton.runtime.autotuner.Config": _build_config,
}  # fmt: skip
LIBRARY = Library(
    functions={
        "triton.jit": _jit, "triton.autotune": _wraps, "triton.heuristics": _wraps,
        "triton.cdiv": cdiv, "triton.next_power_of_2": next_power_of_2,
        "triton.experimental.gluon.jit": _jit, "triton.set_allocator": lambda it, a, k: NONE,
        "triton.constexpr_function": lambda it, a, k: a[0],
    },
    values=VALUES,
    aliases={"triton.runtime.jit.jit": "triton.jit", "triton.JITFunction":
             "triton.runtime.jit.JITFunction", "triton.Config": "triton.runtime.autotuner.Config",
             "triton.runtime.JITFunction": "triton.runtime.jit.JITFunction",
             "triton.runtime.autotuner.autotune": "triton.autotune",
             "triton.language.cdiv": "triton.cdiv"},
)  # fmt: skip
