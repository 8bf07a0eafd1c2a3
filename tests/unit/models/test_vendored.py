from mlapath.values.truth import Truth
from support.differential import evaluate
from support.torches import TorchFacts

INTERFACE = "vllm/vllm_flash_attn/cute/interface.py"
FILES = {
    "vllm/__init__.py": "",
    "vllm/vllm_flash_attn/__init__.py": "",
    "vllm/vllm_flash_attn/cute/__init__.py": "",
    INTERFACE: "import cutlass\nruns = []\ndef fwd(q):\n    runs.append(q)\n    return q\n",
}
ASK = """
import torch
t = torch.tensor([1, 2])
try:
    from vllm.vllm_flash_attn.cute.interface import fwd
    there = True
except ImportError:
    there = False
if there:
    out, lse = fwd(t)
    first = t[0].item()
"""
COMPILER = dict.fromkeys(("cutlass", "cuda", "quack"), Truth.TRUE)


def test_the_kernels_module_is_opaque_where_its_compiler_is():
    run = evaluate(ASK, TorchFacts(modules=COMPILER), FILES)
    assert run.plain("there") is True
    assert run.unknown("out").lib
    assert run.unknown("first").hint == "int"
    assert INTERFACE not in run.engine.trace.lines


def test_else_its_import_fails_as_its_source_says():
    assert evaluate(ASK, TorchFacts(), FILES).plain("there") is False
    absent = evaluate(ASK, TorchFacts(modules=COMPILER), {"vllm/__init__.py": ""})
    assert absent.plain("there") is False


DEEP_GEMM = {
    "vllm/__init__.py": "",
    "vllm/third_party/__init__.py": "",
    "vllm/third_party/deep_gemm/__init__.py": "",
    "vllm/third_party/deep_gemm/_C.py": (
        "def _load_extension():\n    raise AssertionError('no file')\n_load_extension()\n"
    ),
}
LOAD = """
try:
    import vllm.third_party.deep_gemm._C
    loaded = True
except AssertionError:
    loaded = False
"""


def test_a_listed_compiled_half_is_loaded():
    listed = {"vllm.third_party.deep_gemm._C_extension": Truth.TRUE}
    assert evaluate(LOAD, TorchFacts(modules=listed), DEEP_GEMM).plain("loaded") is True
    assert evaluate(LOAD, TorchFacts(), DEEP_GEMM).plain("loaded") is False
