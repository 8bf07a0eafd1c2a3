import pytest

from mlapath.app.targets import check_targets
from mlapath.base.errors import UsageError
from support.eras import era_tree


@pytest.mark.parametrize(
    "target",
    [
        "forward_mha",
        "forward_mqa",
        "forward_impl",
        "MLAAttention.forward_impl",
        "vllm.model_executor.layers.attention.mla_attention.MLAAttention.forward_impl",
        "registry.resolve_obj_by_qualname",
    ],
)
def test_targets_of_the_tree(target):
    check_targets(era_tree("0.16"), [target])


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("forward_mhaa", "defines no function 'forward_mhaa'; did you mean forward_mha"),
        ("MLAAttention.forwardd", "defines no function 'forwardd'; did you mean forward"),
        (
            "MLAAttentin.forward_impl",
            "no class or module 'MLAAttentin'; did you mean MLAAttention",
        ),
        ("TritonMLAImpl", "defines no function 'TritonMLAImpl'"),
    ],
)
def test_targets_that_no_tree_has(target, problem):
    with pytest.raises(UsageError, match=problem):
        check_targets(era_tree("0.16"), [target])


def test_default_targets_are_not_checked():
    check_targets(era_tree("0.15"), ["forward_mha", "forward_mqa"])
