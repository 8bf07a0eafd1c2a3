"""Contexts and decorators of torch that leave the program's state alone, and ``torch.compile``.

A compiled function is the function itself: compilation keeps what it computes. That it was
compiled is kept: inside it Dynamo reads the code, Python does not run it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Fn, make_class
from mlapath.values.objects import BoundMethod, ClassObj, FuncObj, Instance, Native
from mlapath.values.truth import Truth
from mlapath.values.value import FALSE, NONE, TRUE, Unknown, V

CALLABLES = (FuncObj, Native, BoundMethod, ClassObj)
CONTEXTS = (
    "torch.no_grad", "torch.enable_grad", "torch.inference_mode", "torch.set_grad_enabled",
    "torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast", "torch.random.fork_rng",
    "torch.cuda.stream", "torch.cuda.StreamContext", "torch.cuda.device", "torch.cuda.graph",
    "torch.cuda.use_mem_pool", "torch.cuda.nvtx.range", "torch.profiler.record_function",
    "torch.autograd.profiler.record_function", "torch.autograd.set_grad_enabled",
    "torch.autograd.grad_mode.inference_mode", "torch.sparse.check_sparse_tensor_invariants",
    "torch._dynamo.config.patch", "torch._inductor.config.patch", "torch._functorch.config.patch",
    "torch.fx.experimental._config.patch", "torch.compiler.set_stance", "torch.xpu.stream",
    "torch.xpu.device", "torch.accelerator.device_index", "torch.nn.attention.sdpa_kernel",
    "torch.backends.cuda.sdp_kernel", "torch.utils._python_dispatch._disable_current_modes",
    "torch._C.DisableTorchFunctionSubclass",
    "torch.overrides.TorchFunctionMode", "torch.utils._python_dispatch.TorchDispatchMode",
    "torch._subclasses.fake_tensor.FakeTensorMode", "torch.autograd.graph.save_on_cpu",
    "torch.fx.experimental.proxy_tensor.maybe_disable_fake_tensor_mode",
    "torch._C._AutoDispatchBelowAutograd", "torch.cuda.sync_debug_mode",
)  # fmt: skip
"""Usable with ``with`` and as decorators."""
DECORATORS = (
    "torch.compiler.disable", "torch._dynamo.disable", "torch.compiler.allow_in_graph",
    "torch._dynamo.allow_in_graph", "torch._dynamo.disallow_in_graph", "torch._dynamo.optimize",
    "torch.compiler.assume_constant_result", "torch.jit.script", "torch.jit.ignore",
    "torch.jit.unused", "torch.jit.export", "torch.jit.script_if_tracing",
    "torch._dynamo.graph_break", "torch._dynamo.nonstrict_trace", "torch.compiler.nonstrict_trace",
    "torch._dynamo.substitute_in_graph", "torch._disable_dynamo",
    "torch.library.wrap_triton", "torch.fx.wrap", "torch.cuda.make_graphed_callables",
    "torch._dynamo.dont_skip_tracing", "torch._dynamo.set_fullgraph",
)  # fmt: skip
"""They return the function that they are given."""
TRACED_QUERIES = (
    "torch.compiler.is_compiling", "torch.compiler.is_dynamo_compiling",
    "torch._dynamo.is_compiling", "torch._dynamo.external_utils.is_compiling",
    "torch._utils.is_compiling",
)  # fmt: skip
"""Whether Dynamo reads the line at hand."""
FALSE_QUERIES = (
    "torch.compiler.is_exporting", "torch.jit.is_scripting", "torch.jit.is_tracing",
    "torch.is_inference_mode_enabled", "torch.is_autocast_enabled",
    "torch._jit_internal.is_scripting", "torch.onnx.is_in_onnx_export",
    "torch.cuda.is_current_stream_capturing", "torch.are_deterministic_algorithms_enabled",
    "torch.compiler.is_cudagraph_capturing",
)  # fmt: skip
"""Questions about an export, a script or a capture: no line runs inside one."""
NOTHING = (
    "torch._dynamo.mark_dynamic", "torch._dynamo.maybe_mark_dynamic", "torch._dynamo.mark_static",
    "torch._dynamo.reset", "torch.compiler.reset", "torch._dynamo.decorators.mark_unbacked",
    "torch._dynamo.decorators.mark_static_address", "torch._dynamo.mark_static_address",
    "torch._dynamo.try_mark_dynamic", "torch._check", "torch._check_value", "torch._check_is_size",
    "torch._dynamo.eval_frame.remove_from_cache", "torch.compiler.cudagraph_mark_step_begin",
    "torch.manual_seed", "torch.seed", "torch.set_num_threads", "torch.set_num_interop_threads",
    "torch.set_float32_matmul_precision", "torch.use_deterministic_algorithms",
    "torch.set_printoptions", "torch.random.manual_seed",
    "torch._logging.set_logs", "torch._sync", "torch.save", "torch.set_warn_always",
    "torch._C._set_sm_carveout_experimental", "torch._C._host_emptyCache",
    "torch._C._accelerator_setAllocatorSettings", "torch._C._jit_set_profiling_executor",
    "torch._dynamo.convert_frame.register_bytecode_hook",
    "torch._library.opaque_object.register_opaque_type", "torch.serialization.add_safe_globals",
)  # fmt: skip
"""They change nothing that the program computes with."""


def _construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    """``no_grad()``, or ``no_grad(function)`` as a decorator without parentheses."""
    if args and type(args[0].d) in CALLABLES and not kwargs:
        return args[0]
    made = Instance(cls, it.heap.cell())
    for i, value in enumerate(args):
        made.attrs[f"\0{i}"] = value
    return V(made)


def _enter(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def _exit(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return FALSE


def _decorate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[1] if len(args) > 1 else NONE


METHODS: dict[str, Fn] = {"__enter__": _enter, "__exit__": _exit, "__call__": _decorate,
                          "clone": _enter}  # fmt: skip


def context(full: str) -> Callable[[Any], V]:
    """A context class that does nothing."""
    return lambda it: V(make_class(it, full, construct=_construct, methods=METHODS))


def decorator(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@name`` or ``@name(options)``, or a call with the function."""
    target = args[0] if args else kwargs.get("model") or kwargs.get("fn") or kwargs.get("function")
    if target is not None and target.d is not None and type(target.d) in (*CALLABLES, Instance):
        return target
    return V(Native("a decorator of torch", lambda i, a, k: a[0] if a else NONE))


def compile_(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``torch.compile``: the function itself, which is noted."""
    fullgraph = kwargs.get("fullgraph")
    whole = fullgraph is not None and it.truth(fullgraph) is Truth.TRUE

    def note(function: V) -> V:
        it.compile_function(function, fullgraph=whole)
        return function

    target = args[0] if args else kwargs.get("model")
    if target is not None and target.d is not None:
        return note(target)
    return V(Native("torch.compile", lambda i, a, k: note(a[0]) if a else NONE))


def is_compiling(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """Whether the code at hand is read by Dynamo instead of run by Python."""
    return TRUE if it.region.startswith("traced") else FALSE


def _constant(value: V) -> Fn:
    return lambda it, args, kwargs: value


def function_apply(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Function.apply``: its ``forward`` with a context."""
    ctx = Instance(it.new_class("FunctionCtx", "FunctionCtx", "torch.autograd.function", ()),
                   it.heap.cell())  # fmt: skip
    ctx.open = "a context of torch.autograd"
    return it.call(it.getattr(args[0], "forward"), [V(ctx), *args[1:]], kwargs)  # type: ignore[no-any-return]


def _function_class(it: Any) -> V:
    return V(make_class(it, "torch.autograd.function.Function",
                        class_methods={"apply": function_apply}))  # fmt: skip


def _thread_count(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(Unknown("the number of threads of torch", "int", lo=1))


VALUES: dict[str, Any] = {
    **{name: context(name) for name in CONTEXTS},
    "torch.autograd.function.Function": _function_class,
}
FUNCTIONS: dict[str, Fn] = {
    **dict.fromkeys(DECORATORS, decorator), "torch.compile": compile_,
    **dict.fromkeys(TRACED_QUERIES, is_compiling),
    **dict.fromkeys(FALSE_QUERIES, _constant(FALSE)),
    **dict.fromkeys(NOTHING, _constant(NONE)),
    "torch.is_grad_enabled": _constant(TRUE), "torch.get_num_threads": _thread_count,
    "torch.get_num_interop_threads": _thread_count,
}  # fmt: skip
ALIASES = {"torch.autograd.Function": "torch.autograd.function.Function"}
