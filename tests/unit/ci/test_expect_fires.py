import pytest

from mlapath.ci.expect import parse_expectations
from mlapath.ci.expect_fires import find_fires_mismatches
from support import firing_samples as samples


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        ("forward_mha=conditional", []),
        ("forward_mha=never", ["forward_mha is conditional, not never"]),
        ("mla_attention.py:540=never", []),
        ("mla_attention.py:540=always", ["mla_attention.py:540 is never, not always"]),
    ],
)
def test_expectations_of_places(expected, said):
    found = find_fires_mismatches([samples.report()], parse_expectations([expected]))
    texts = [str(mismatch) for mismatch in found]
    assert len(texts) == len(said)
    assert all(part in text for part, text in zip(said, texts, strict=True))
