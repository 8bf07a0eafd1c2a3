import pytest

from mlapath.base.errors import UsageError
from mlapath.scenario.packages import PackageFacts, parse_packages


def test_distributions_and_modules_with_and_without_versions():
    facts = parse_packages(
        ["flashinfer-python==0.6.1", "vllm._flashmla_C", "deep_gemm", "deep_gemm==2.0"],
        ["vllm._C", "quack", "quack"],
    )
    assert facts == PackageFacts(
        {"flashinfer-python": "0.6.1", "vllm._flashmla_C": None, "deep_gemm": "2.0"},
        ("vllm._C", "quack"),
    )


@pytest.mark.parametrize(
    ("present", "absent", "problem"),
    [
        ([""], [], "expected a package"),
        (["a b"], [], "expected a package"),
        (["a=1"], [], "expected a package"),
        (["a==1", "a==2"], [], "two versions"),
        ([], ["a==1"], "has no version"),
        (["deep-gemm"], ["Deep_GEMM"], "both name 'deep-gemm'"),
    ],
)
def test_what_is_refused(present, absent, problem):
    with pytest.raises(UsageError, match=problem):
        parse_packages(present, absent)
