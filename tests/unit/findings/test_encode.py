from mlapath import __version__
from mlapath.findings.encode import encode_report, encode_reports, encode_tree
from support import samples

CONTRACT_KEYS = {
    (): "schema mlapath tree scenario outcome refusal settings attention assumptions "
    "unread_env unresolved",
    ("tree",): "version origin root digest modified",
    ("scenario",): "config architectures device engine_args env packages batch",
    ("scenario", "device"): "name platform capability",
    ("settings",): "use_mla dtype kv_cache_dtype block_size cudagraph_mode enforce_eager",
    ("attention", 0): "layers count layer_class mla backend backend_class impl_class sparse "
    "kv_cache_dtype block_size prefill_backend indexer_backend metadata_builder "
    "reorder_batch_threshold candidates targets",
    ("attention", 0, "candidates", 0): "backend chosen reasons",
    ("attention", 0, "targets", 0): "target verdict function defined_at called_at condition "
    "evidence assumptions",
    ("attention", 0, "targets", 0, "evidence", 1): "at text value kind from",
}


def test_the_contracts_keys_come_first_and_in_its_order():
    encoded = encode_report(samples.sparse())
    for path, keys in CONTRACT_KEYS.items():
        inner = encoded
        for step in path:
            inner = inner[step]
        expected = keys.split()
        assert list(inner)[: len(expected)] == expected, path


def test_values_of_the_contract():
    encoded = encode_report(samples.sparse())
    assert encoded["schema"] == "mlapath.report/1"
    assert encoded["mlapath"] == __version__
    assert encoded["scenario"]["device"] == {
        "name": "h100",
        "platform": "cuda",
        "capability": "9.0",
    }
    assert encoded["scenario"]["packages"] == {
        "present": ["deep_gemm==2.1"],
        "absent": ["flashinfer"],
    }
    assert encoded["unread_env"] == ["VLLM_ATTENTION_BACKEND"]
    assert encoded["nearest"] == {"VLLM_ATTENTION_BACKEND": ["VLLM_ATTENTION_CONFIG"]}
    group = encoded["attention"][0]
    assert group["count"] == 78
    assert group["candidates"][1] == {
        "backend": "FLASHMLA",
        "chosen": False,
        "reasons": ["sparse not supported", "block size 16"],
        "reasons_at": ["vllm/platforms/cuda.py:300", None],
    }
    step = group["targets"][0]["evidence"][1]
    assert step["from"] == ["config:index_topk=2048"]
    change = encoded["settings"]["changes"][0]
    assert (change["from"], change["to"]) == (16, 64)


def test_one_report_stands_alone_and_several_are_a_list():
    assert encode_reports([samples.plain()]) == encode_report(samples.plain())
    several = encode_reports([samples.plain(), samples.dense()])
    assert several["schema"] == "mlapath.reports/1"
    assert several["reports"] == [encode_report(samples.plain()), encode_report(samples.dense())]


def test_a_refusal_and_its_condition():
    encoded = encode_report(samples.refused())
    assert encoded["outcome"] == "refuses"
    assert encoded["refusal"]["at"] == "vllm/platforms/cuda.py:347"
    assert encoded["refusal"]["condition"] is None
    late = encode_report(samples.dense())["conditional_refusals"][0]
    assert late["condition"]["meaning"] == "a draft is verified"


def test_tree():
    encoded = encode_tree(samples.tree())
    keys = "schema version origin root digest extensions requires modified shadows plugins"
    assert " ".join(encoded).startswith(keys)
    assert encoded["plugins"] == [{"group": "vllm.general_plugins", "name": "extra"}]
