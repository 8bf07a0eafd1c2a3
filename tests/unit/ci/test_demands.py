from dataclasses import replace

import pytest

from mlapath.ci.demands import expectation_findings, patch_finding, unread_findings
from mlapath.findings.gate import Severity
from mlapath.findings.model import Unread
from support import samples


def failed(report, **expect):
    found = list(expectation_findings("prod", report, expect))
    return [(f.subject, f.before, f.after) for f in found]


@pytest.mark.parametrize(
    ("expect", "found"),
    [
        ({"forward_mha": "never", "forward_mqa": "always", "outcome": "runs"}, []),
        ({"forward_mha": "always"}, [("forward_mha", "always", "never")]),
        ({"outcome": "refuses"}, [("outcome", "refuses", "runs")]),
        ({"backend": "FLASHMLA_SPARSE"}, []),
        ({"backend": "FLASHMLA"}, [("backend", "FLASHMLA", "FLASHMLA_SPARSE")]),
        ({"prefill_backend": "none"}, []),
        ({"prefill_backend": "FA"}, [("prefill_backend", "FA", "none")]),
    ],
)
def test_expectations(expect, found):
    assert failed(samples.sparse(), **expect) == found


def test_a_failed_expectation_says_where_and_why():
    (found,) = expectation_findings("prod", samples.sparse(), {"forward_mha": "always"})
    assert found.at == f"{samples.LAYER}:549"
    assert found.evidence == samples.SPARSE_CHAIN
    assert found.cause == "a sparse implementation sends every token to forward_mqa"
    (found,) = expectation_findings("prod", samples.refused(), {"outcome": "runs"})
    assert found.at == f"{samples.CUDA}:347"
    assert found.cause.startswith("ValueError: No valid attention backend")


def test_refused_and_without_mla():
    assert failed(samples.refused(), forward_mha="never") == []
    assert failed(samples.refused(), backend="FLASHMLA") == [("backend", "FLASHMLA", "none")]
    assert failed(samples.plain(), forward_mha="always") == [("forward_mha", "always", "never")]


def test_one_finding_for_layers_that_fail_alike():
    report = samples.dense()
    mla = report.attention[0]
    twice = replace(report, attention=(mla, replace(mla, layers=("model.layers.99.attn",))))
    assert failed(twice, forward_mha="never") == [("forward_mha", "never", "conditional")]


def test_unread():
    report = replace(samples.sparse(), unread_flags=(Unread("--x"),))
    found = list(unread_findings("prod", report))
    assert [f.subject for f in found] == ["VLLM_ATTENTION_BACKEND", "--x"]
    assert "did you mean VLLM_ATTENTION_CONFIG?" in found[0].message


def test_patches():
    found = patch_finding("prod", "m:f", certain=True, suggestions=["a:f", "b:f"])
    assert found.message == "m:f is not in this vLLM; called so are a:f, b:f"
    assert found.severity is Severity.ERROR
    unsure = patch_finding("prod", "m:f", certain=False, suggestions=[])
    assert unsure.severity is Severity.WARNING
