from mlapath.values.truth import Truth
from mlapath.values.value import Unknown
from support.torches import run_torch

ASK = """
import flashinfer.comm as comm
r = [hasattr(comm, "anything"), getattr(comm, "anything", None) is None]
version = flashinfer_version = __import__("flashinfer").__version__
"""


def test_a_pinned_package_has_what_it_is_asked_for():
    there = {"flashinfer": Truth.TRUE, "flashinfer.comm": Truth.TRUE}
    run = run_torch(ASK, modules=there, versions={"flashinfer-python": "0.6.14"})
    assert run.plain("r") == [True, False]
    assert run.plain("version") == "0.6.14"


def test_a_parameter_is_there_from_its_release_on():
    there = {"flashinfer": Truth.TRUE}
    source = """
    import inspect
    from flashinfer.mla import BatchMLAPagedAttentionWrapper
    params = inspect.signature(BatchMLAPagedAttentionWrapper.run).parameters
    r = "ckv_scale_arr" in params and (
        params["ckv_scale_arr"].kind is inspect.Parameter.KEYWORD_ONLY)
    """
    new = run_torch(source, modules=there, versions={"flashinfer-python": "0.7.2.post1"})
    assert new.plain("r") is True
    old = run_torch(source, modules=there, versions={"flashinfer-python": "0.6.14"})
    assert old.unknown("r").hint == "bool"


def test_the_shape_of_a_product():
    there = {"flashinfer": Truth.TRUE, "flashinfer.gemm": Truth.TRUE}
    source = """
    from flashinfer.gemm import fp8_blockscale_gemm_sm90 as gemm
    x = torch.empty(3, 128, dtype=torch.float8_e4m3fn)
    w = torch.empty(64, 128, dtype=torch.float8_e4m3fn)
    y = gemm(input=x, weight=w, weight_scale=u, out_dtype=torch.bfloat16)
    o = torch.empty(3, 64)
    r = [list(y.shape), y.dtype is torch.bfloat16, gemm(x, w, u, u, o) is o]
    either = w if u else torch.empty(64, 128)
    other = w if u else torch.empty(32, 128)
    r += [list(gemm(x, either).shape), gemm(x, other).shape[0]]
    unsure = [gemm(u, w).shape, gemm(x, w).dtype, gemm(x, other).shape[1]]
    """
    run = run_torch(source, modules=there, versions={"flashinfer-python": "0.6.14"})
    assert run.plain("r") == [[3, 64], True, True, [3, 64], 3]
    assert [type(x.d) for x in run.value("unsure").d.items] == [Unknown] * 3
