from mlapath.values.truth import Truth
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
