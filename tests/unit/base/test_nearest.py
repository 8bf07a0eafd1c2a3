import random

from mlapath.base.nearest import did_you_mean, nearest


def test_best_first_and_any_case():
    choices = ["forward_prefill", "forward_mha", "other"]
    assert nearest("FORWARD_MHAA", choices) == ("forward_mha",)


def test_order_of_the_choices_does_not_matter():
    choices = [f"vllm_use_{name}" for name in ("aa", "ab", "ba", "bb", "ca")]
    expected = nearest("vllm_use_aaa", choices)
    for seed in range(5):
        shuffled = random.Random(seed).sample(choices, len(choices))
        assert nearest("vllm_use_aaa", shuffled) == expected


def test_sentence():
    assert did_you_mean("indx_topk", ["index_topk", "rope"]) == "; did you mean index_topk?"
    assert did_you_mean("zzz", ["index_topk"]) == ""
