from hypothesis import given
from hypothesis import strategies as st

from mlapath.ci.layers import compact, expand, role

PARTS = st.sampled_from(["model", "layers", "attn", "0", "1", "7", "12", "007", "a1", "{x}"])
NAMES = st.lists(st.lists(PARTS, min_size=1, max_size=4).map(".".join), unique=True, max_size=12)


def test_examples():
    names = [f"model.layers.{i}.attn" for i in (0, 1, 2, 5)]
    assert compact(names) == ("model.layers.{0-2,5}.attn",)
    assert compact(["model.layers.3.attn", "mtp"]) == ("model.layers.3.attn", "mtp")
    assert role(compact(names)) == role(("model.layers.3.attn",)) == "model.layers.*.attn"
    assert role(()) == ""


@given(NAMES)
def test_nothing_is_lost(names):
    assert sorted(expand(compact(names))) == sorted(names)
