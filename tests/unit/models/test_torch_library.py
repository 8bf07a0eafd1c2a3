from mlapath.scenario.devices import parse_device
from mlapath.values.truth import Truth
from support.torches import run_torch

CUSTOM = """
from torch.library import Library, infer_schema
lib = Library("vllm", "FRAGMENT")
def on_cuda(x): return ("cuda", x)
def on_cpu(x): return ("cpu", x)
lib.define("op" + infer_schema(on_cuda, mutates_args=[]))
lib.impl("op", on_cuda, dispatch_key="CUDA")
lib.impl("op", on_cpu, dispatch_key="CPU")
lib._register_fake("op", lambda x: 0)
r = [torch.ops.vllm.op(1), torch.ops.vllm.op.default(2), hasattr(torch.ops.vllm, "nope"),
     hasattr(torch.ops.vllm, "op"), torch.ops.vllm.op.default is torch.ops.vllm.op.default]
"""


def test_operators_call_what_was_registered_for_the_device():
    assert run_torch(CUSTOM).plain("r") == [("cuda", 1), ("cuda", 2), False, True, True]
    on_cpu = run_torch(CUSTOM, device=parse_device("cpu"))
    assert on_cpu.plain("r")[0] == ("cpu", 1)


def test_custom_op_decorator():
    run = run_torch(
        """
        @torch.library.custom_op("my::twice", mutates_args=())
        def twice(x: int) -> int: return 2 * x
        @twice.register_fake
        def _(x): return 0
        r = twice(3), torch.ops.my.twice(4)
        @torch.library.register_fake("my::twice")
        def fake(x): return 1
        """
    )
    assert run.plain("r") == (6, 8)
    assert "subject.fake" in run.engine.trace.escaped


QUERIES = """
r = [hasattr(torch.ops._C, "rms_norm"), hasattr(torch.ops._C, "fp8_scaled_mm_cpu"),
     hasattr(torch.ops._C_cache_ops, "reshape"), hasattr(torch.ops._rocm_C, "x"),
     hasattr(torch.ops, "_C")]
"""


def test_compiled_operators_are_there_with_their_extension():
    there = run_torch(QUERIES, modules={"vllm._C": Truth.TRUE})
    assert there.plain("r") == [True, False, True, False, True]
    assert run_torch(QUERIES).plain("r") == [False, False, False, False, True]
    unsure = run_torch("r = hasattr(torch.ops._C, 'x')", modules={"vllm._C": Truth.UNKNOWN})
    assert unsure.unknown("r").hint == "bool"


def test_compiled_operators_forget_what_they_may_write():
    run = run_torch(
        """
        t = torch.tensor([1, 2])
        out = torch.ops._C.kernel(t)
        first = t[0].item()
        r = [torch.ops._C.cutlass_scaled_mm_supports_fp8(c) for c in (80, 89, 90)]
        """,
        modules={"vllm._C": Truth.TRUE},
    )
    assert run.unknown("first").hint == "int"
    assert run.plain("r") == [False, True, True]


def test_decorators_and_contexts_keep_the_function():
    run = run_torch(
        """
        @torch.compile(dynamic=True)
        def a(x): return x + 1
        @torch.no_grad()
        def b(x): return x + 2
        @torch.inference_mode
        def c(x): return x + 3
        @torch._dynamo.disable
        def d(x): return x + 4
        def e(x): return x + 5
        with torch.inference_mode(), torch.cuda.stream(torch.cuda.Stream()):
            r = [a(1), b(1), c(1), d(1), torch.compile(e, backend="inductor")(1)]
        class F(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x): return x * 2
        q = F.apply(4), torch.compiler.is_compiling(), torch.jit.script(e) is e
        """
    )
    assert run.plain("r") == [2, 3, 4, 5, 6]
    assert run.plain("q") == (8, False, True)


def test_schemas_of_annotations():
    run = run_torch(
        """
        from torch import Tensor
        from torch.library import infer_schema
        def f(x: Tensor, w: Tensor | None, eps: float, n: int | None = None, s: str = "a",
              d: torch.dtype = torch.float16, b: bool = True) -> tuple[Tensor, Tensor]: ...
        def g(x: torch.Tensor, sizes: list[int]) -> None: ...
        r = [infer_schema(f, mutates_args=[]), infer_schema(f, mutates_args=["x", "w"]),
             infer_schema(g, mutates_args=["x"])]
        """
    )
    rest = 'float eps, SymInt? n=None, str s="a", ScalarType d=float16, bool b=True'
    assert run.plain("r") == [
        f"(Tensor x, Tensor? w, {rest}) -> (Tensor, Tensor)",
        f"(Tensor(a0!) x, Tensor(a1!)? w, {rest}) -> (Tensor, Tensor)",
        "(Tensor(a0!) x, SymInt[] sizes) -> ()",
    ]


def test_overloads_are_operators_of_their_own():
    run = run_torch(
        """
        lib = torch.library.Library("mine", "FRAGMENT")
        lib.define("op(Tensor x) -> Tensor")
        lib.impl("op", lambda x: 1, dispatch_key="CompositeExplicitAutograd")
        lib.define("op.again(Tensor x) -> Tensor")
        lib.impl("op.again", lambda x: 2, dispatch_key="CompositeExplicitAutograd")
        r = [torch.ops.mine.op(0), torch.ops.mine.op.again(0),
             hasattr(torch.ops.mine.op, "again"), hasattr(torch.ops.mine.op, "never")]
        """
    )
    assert run.plain("r") == [1, 2, True, False]


def test_operators_whose_results_are_looked_at():
    run = run_torch(
        """
        t = torch.zeros(2, dtype=torch.int32)
        w = torch.ops._C.weak_ref_tensor(t)
        v = torch.ops._C.get_cuda_view_from_cpu_tensor(t)
        t[0] = 5
        r = [w is t, v.is_cuda, v[0].item()]
        import deep_gemm
        s = deep_gemm.transform_sf_into_required_layout(t)
        k = isinstance(s, torch.Tensor), s.__dict__ == {}
        n = deep_gemm.get_num_sms()
        """,
        modules={"vllm._C": Truth.TRUE, "deep_gemm": Truth.TRUE},
    )
    assert run.plain("r") == [True, True, 5]
    assert run.plain("k") == (True, True)
    assert run.unknown("n").hint == "int"


def test_schedulers_only_read():
    run = run_torch(
        """
        t = torch.tensor([1, 2])
        made = torch.ops._vllm_fa3_C.get_scheduler_metadata(t)
        plan = torch.ops._flashmla_C.get_mla_metadata(t)
        kind = isinstance(made, torch.Tensor)
        first = t[0].item()
        """,
        modules={"vllm.vllm_flash_attn._vllm_fa3_C": Truth.TRUE, "vllm._flashmla_C": Truth.TRUE},
    )
    assert run.plain("first") == 1
    assert run.plain("kind") is True
    assert run.unknown("plan").lib
