"""What the recorded runs showed of prints, by phase, on the releases they were made with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache

import pytest

from mlapath.app.analyze import read_tree
from mlapath.app.companions import Wish, companion_for
from mlapath.app.fires import fires_in
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.findings.fires import Batch, Effect, FiresReport, LocationFiring, Phase
from mlapath.ir.load import KIND
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import SourceTree, silent
from support.realtree import MODELS, copied_tree, edit, real_tree

pytestmark = [pytest.mark.network, pytest.mark.slow]

A, C, N, U = Verdict.ALWAYS, Verdict.CONDITIONAL, Verdict.NEVER, Verdict.UNPROVEN
PLACES = (
    "MLAAttention.forward_impl", "FlashAttnMLAImpl.forward_mqa", "MLACommonImpl.forward_mha",
    "MLACommonMetadataBuilder.build", "DeepseekV2ForCausalLM.forward",
    "MultiHeadLatentAttentionWrapper.forward", "MLAAttention.forward",
    "unified_mla_attention_with_output_fake", "TritonMLAImpl.forward_mqa",
    "GPUModelRunner.execute_model",
)  # fmt: skip
SMALL = ("--max-num-seqs", "16")


@lru_cache(maxsize=4)
def report(version: str, model: str, device: str, *flags: str) -> FiresReport:
    """The answers for ``PLACES``, of a model with four layers."""
    return report_of(real_tree(version)[0], model, device, flags, PLACES)


def report_of(
    tree: SourceTree, model: str, device: str, flags: Sequence[str], places: Sequence[str],
    batch: str | None = None,
) -> FiresReport:  # fmt: skip
    config = MODELS / f"{model}.json"
    model_type = json.loads(config.read_text("utf-8"))["model_type"]
    companion, _ = companion_for(tree, Wish(model_type), CacheDir.default(), silent)
    words = ScenarioWords(config=str(config), devices=(device,), engine=flags,
                          sets=["num_hidden_layers=4"], batch=batch)  # fmt: skip
    (scenario,) = assemble(words)
    return fires_in(read_tree(tree, companion, BlobStore(CacheDir.default(), KIND)), scenario,
                    places)  # fmt: skip


def answers(found: FiresReport, place: str) -> LocationFiring:
    return next(x for x in found.locations if x.asked == place)


def row(location: LocationFiring) -> tuple[Verdict, ...]:
    """Profile run, capture, steps of prefills and of decodes."""
    table = {(p.phase, p.batch): p.fires for p in location.phases}
    return (table[Phase.PROFILE, None], table[Phase.CAPTURE, None],
            table[Phase.STEP, Batch.PREFILL], table[Phase.STEP, Batch.DECODE])  # fmt: skip


@pytest.mark.parametrize(
    ("place", "expected", "effect"),
    [
        ("MLAAttention.forward_impl", (A, A, A, N), Effect.PRINTS),
        ("FlashAttnMLAImpl.forward_mqa", (N, A, C, N), Effect.PRINTS),
        ("MLACommonImpl.forward_mha", (N, N, C, N), Effect.PRINTS),
        ("MLACommonMetadataBuilder.build", (N, A, A, A), Effect.PRINTS),
        ("DeepseekV2ForCausalLM.forward", (A, A, A, N), Effect.PRINTS),
        ("MultiHeadLatentAttentionWrapper.forward", (N, N, N, N), Effect.ABORTS),
        ("MLAAttention.forward", (N, N, N, N), Effect.ABORTS),
        ("unified_mla_attention_with_output_fake", (N, N, N, N), Effect.PRINTS),
        ("TritonMLAImpl.forward_mqa", (N, N, N, N), Effect.SILENT),
        ("GPUModelRunner.execute_model", (U, U, U, U), Effect.UNPROVEN),
    ],
)
def test_full_and_piecewise_graphs(place, expected, effect):
    found = answers(report("0.22.1", "deepseek-v3", "h200", *SMALL), place)
    pairs = zip(row(found), expected, strict=True)
    assert all(x is y or (x is U and y is N) for x, y in pairs), row(found)
    assert found.effect.effect is effect


def times(found: FiresReport, place: str, phase: Phase) -> int | None:
    return next(p.count for p in answers(found, place).phases if p.phase is phase)


SIZES = ("--max-num-seqs", "16", "--compilation-config",
         '{"cudagraph_capture_sizes": [1, 2, 4, 8, 16, 24, 32]}')  # fmt: skip
LAYERS = 4


def test_runs_before_the_first_step_are_counted():
    """Of captures also those that only measure memory; kernels are tuned by one run, too."""
    found = report("0.22.1", "deepseek-v3", "h100", *SIZES)
    impl, mqa = "MLAAttention.forward_impl", "FlashAttnMLAImpl.forward_mqa"
    assert times(found, impl, Phase.CAPTURE) == LAYERS * 2 * (7 + 5 + 2 + 2)
    assert times(found, mqa, Phase.CAPTURE) == LAYERS * 2 * (5 + 2)
    assert times(found, impl, Phase.WARMUP) == LAYERS * 2
    assert times(found, mqa, Phase.WARMUP) is None


def test_the_tree_and_the_flags_say_how_many_they_are(tmp_path):
    tree = copied_tree("0.22.1", tmp_path)
    edit(tree, "vllm/v1/worker/gpu_model_runner.py", "= descs[:2]", "= descs[:1]")
    flags = (*SIZES, "--kernel-config", '{"enable_flashinfer_autotune": false}')
    found = report_of(tree, "deepseek-v3", "h100", flags, PLACES[:1])
    assert times(found, PLACES[0], Phase.CAPTURE) == LAYERS * 2 * (7 + 5 + 1 + 1)
    assert times(found, PLACES[0], Phase.WARMUP) == LAYERS


def test_what_a_bare_runner_lacks_may_decide_it(tmp_path):
    tree = copied_tree("0.22.1", tmp_path)
    edit(
        tree, "vllm/model_executor/warmup/kernel_warmup.py",
        "def kernel_warmup(worker: \"Worker\"):\n",
        "def kernel_warmup(worker: \"Worker\"):\n"
        "    if getattr(worker.model_runner, 'of_mine', False):\n"
        "        worker.model_runner._dummy_run(16, force_attention=True)\n",
    )  # fmt: skip
    found = report_of(tree, "deepseek-v3", "h100", (), PLACES[:2])
    tables = [{p.phase: p for p in answers(found, place).phases} for place in PLACES[:2]]
    assert [table[Phase.WARMUP].fires for table in tables] == [C, C]
    assert [table[Phase.WARMUP].count for table in tables] == [None, None]
    assert [table[Phase.CAPTURE].count for table in tables] == [None, None]


@pytest.mark.parametrize(("flags", "told"), [((), True), (("--enforce-eager",), False)])
def test_an_edit_of_a_traced_file_makes_it_compile_anew(flags, told):
    """Even in a function that is not traced."""
    found = report("0.22.1", "deepseek-v3", "h100", *flags)
    notes = answers(found, "MLACommonImpl.forward_mha").notes
    assert any("compile the model anew" in note for note in notes) is told


def test_how_often_a_capture_runs_what():
    places = ("MLAAttention.forward_impl", "FlashAttnMLAImpl.forward_mqa",
              "MLACommonMetadataBuilder.build", "DeepseekV2ForCausalLM.forward",
              "FlashAttnMLAMetadataBuilder._build_decode",
              "MLACommonMetadataBuilder.build_for_cudagraph_capture")  # fmt: skip
    flags = (*SMALL, "--kv-cache-memory-bytes", "1073741824")
    found = report_of(real_tree("0.22.1")[0], "deepseek-v3", "h200", flags, places)
    counts = [
        next(p.count for p in answers(found, place).phases if p.phase is Phase.CAPTURE)
        for place in places
    ]
    # four layers; seven sizes of piecewise graphs and five of full ones, each run twice
    assert counts == [4 * 2 * (7 + 5), 4 * 2 * 5, 2 * 5, 2 * (7 + 5), 2 * 5, 5]


@pytest.mark.parametrize(("version", "expected"), [("0.22.1", (A, N, N)), ("0.33.0", (C, C, C))])
def test_a_warm_up_has_metadata_where_the_worker_makes_steps_of_its_own(version, expected):
    places = ("MLAAttention.forward_impl", "FlashAttnMLAImpl.forward_mqa",
              "MLACommonMetadataBuilder.build")  # fmt: skip
    found = report_of(real_tree(version)[0], "deepseek-v3", "h200", SMALL, places)
    tables = [{p.phase: p.fires for p in answers(found, place).phases} for place in places]
    assert tuple(table[Phase.WARMUP] for table in tables) == expected


def test_eager_runs_all_of_it():
    found = report("0.22.1", "deepseek-v3", "h200", "--enforce-eager")
    for place in ("MLAAttention.forward_impl", "MultiHeadLatentAttentionWrapper.forward",
                  "MLAAttention.forward"):  # fmt: skip
        assert row(answers(found, place)) == (A, N, A, A), place
        assert answers(found, place).effect.effect is Effect.PRINTS
    assert row(answers(found, "FlashAttnMLAImpl.forward_mqa"))[2:] == (C, A)
    assert row(answers(found, "MLACommonImpl.forward_mha"))[2:] == (C, N)


def test_piecewise_graphs_run_the_operators_python():
    flags = ("--compilation-config", '{"cudagraph_mode": "PIECEWISE"}')
    found = report("0.22.1", "deepseek-v3", "h200", *flags)
    assert row(answers(found, "FlashAttnMLAImpl.forward_mqa"))[2:] == (C, A)
    assert answers(found, "MLAAttention.forward").effect.effect is Effect.ABORTS
    built = row(answers(found, "MLACommonMetadataBuilder.build"))
    assert built in ((N, N, A, A), (N, U, A, A)), built


def test_a_decode_batch_beyond_the_captured_sizes_runs_python():
    found = report("0.22.1", "deepseek-v3", "h200", "--max-num-seqs", "1024")
    location = answers(found, "FlashAttnMLAImpl.forward_mqa")
    decode = next(p for p in location.phases if p.batch is Batch.DECODE)
    assert decode.fires is C
    assert decode.condition is not None
    assert "largest captured size" in decode.condition.meaning


def test_what_runs_in_place_of_what_was_edited():
    found = answers(report("0.22.1", "deepseek-v3", "h200", *SMALL), "TritonMLAImpl.forward_mqa")
    assert any("runs FlashAttnMLAImpl.forward_mqa" in note for note in found.notes)
    assert found.instead[0].function.endswith("FlashAttnMLAImpl.forward_mqa")


MTP = '{"method": "mtp", "num_speculative_tokens": 1, "attention_backend": "TRITON_MLA"}'


def test_what_the_model_that_drafts_runs_alone():
    found = report("0.22.1", "deepseek-v3", "h200", "--enforce-eager", "--speculative-config", MTP)
    drafts = answers(found, "TritonMLAImpl.forward_mqa")
    assert row(drafts) == (N, N, C, C)
    assert all("model that drafts" in p.because for p in drafts.phases if p.fires is C)
    assert row(answers(found, "FlashAttnMLAImpl.forward_mqa"))[2:] == (C, A)
    assert row(answers(found, "MLACommonMetadataBuilder.build"))[2:] == (A, A)


@pytest.mark.parametrize(("batch", "mha", "mqa"), [("8", C, N), ("1@100x4", N, C)])
def test_what_the_model_that_drafts_runs_after_a_given_step(batch, mha, mqa):
    flags = ("--enforce-eager", "--speculative-config", MTP)
    asked = ("MLACommonImpl.forward_mha", "TritonMLAImpl.forward_mqa")
    found = report_of(real_tree("0.22.1")[0], "deepseek-v3", "h200", flags, asked, batch)
    assert [location.phases[-1].fires for location in found.locations] == [mha, mqa]


def test_a_capture_that_ends_the_start_up():
    ngram = '{"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 3}'
    flags = ("--attention-backend", "TRITON_MLA", "--speculative-config", ngram)
    found = report("0.22.1", "deepseek-v3", "h200", *flags)
    assert found.refusal is not None
    assert found.refusal.exception == "AssertionError"
    assert found.refusal.at == "vllm/model_executor/layers/attention/mla_attention.py:1571"
    location = answers(found, "MLACommonMetadataBuilder.build")
    assert row(location) == (N, C, N, N)  # before the error, as far as that is known
    assert "refuses this deployment (capture)" in location.phases[-1].because


@pytest.mark.parametrize(
    ("flags", "decode"),
    [
        (("--compilation-config", '{"cudagraph_mode": "NONE"}'), A),
        (("--compilation-config", '{"cudagraph_mode": "FULL_DECODE_ONLY"}'), N),
        (("--enforce-eager",), A),
    ],
)
def test_graph_modes_decide_whether_a_decode_runs_python(flags, decode):
    found = report("0.22.1", "deepseek-v3", "h200", *SMALL, *flags)
    assert row(answers(found, "FlashAttnMLAImpl.forward_mqa"))[3] is decode


def test_no_step_is_long_enough_for_the_other_path():
    flags = ("--max-num-batched-tokens", "512", "--max-model-len", "512")
    found = report("0.22.1", "deepseek-v3", "h200", *flags)
    assert row(answers(found, "MLACommonImpl.forward_mha"))[2:] == (N, N)
    assert row(answers(found, "FlashAttnMLAImpl.forward_mqa"))[2:] == (A, N)


def test_the_print_in_forward_mha_of_a_sparse_model_never_fires_and_why():
    found = answers(report("0.16.0", "glm-5", "h100"), "MLACommonImpl.forward_mha")
    assert found.verdict is N
    assert found.effect.effect is Effect.SILENT
    assert "num_mha_tokens > 0 is false" in found.because
    assert [step.text for step in found.evidence][:1] == ["index_topk"]
    texts = [step.text for step in found.evidence]
    assert 'self.is_v32 = hasattr(config, "index_topk")' in texts


@pytest.mark.parametrize(
    ("model", "place"),
    [("glm-5", "MLACommonImpl.forward_mha"), ("deepseek-v3", "TritonMLAImpl.forward_mqa")],
)
def test_a_far_away_write_to_the_implementation_unsettles_never(model, place, tmp_path):
    tree = copied_tree("0.16.0", tmp_path)
    before = answers(report_of(tree, model, "h100", (), (place,)), place)
    assert before.verdict is N
    far = tree.root / "vllm/utils/math_utils.py"
    text = "\n\ndef swap(layer, other):\n    layer.impl = other\n"
    far.write_text(far.read_text("utf-8") + text, "utf-8")
    after = answers(report_of(tree, model, "h100", (), (place,)), place)
    assert after.verdict is U
    assert "may write layer.impl" in after.blockers[0]


ASKED = ("MLACommonImpl.forward_mha", "FlashAttnMLAImpl.forward_mqa", "MLAAttention.forward_impl",
         "MLACommonMetadataBuilder.build")  # fmt: skip


@pytest.mark.parametrize(
    ("batch", "flags", "graph", "padded", "expected"),
    [
        ("37", (), "PIECEWISE", 40, (N, A, A, A)),  # up to 512 tokens count as a decode
        ("600", (), "NONE", 600, (A, N, A, A)),  # more than any graph has
        ("1", (), "FULL", 1, (N, N, N, A)),  # also a prompt
        ("1@100x7", (), "FULL", 8, (N, N, N, A)),
        ("1@100x7", ("--enforce-eager",), "NONE", 7, (N, A, A, A)),
        ("1@100x600", ("--max-num-seqs", "1024"), "NONE", 600, (N, A, A, A)),
        ("600+1@100x8", (), "NONE", 608, (A, A, A, A)),
    ],
)
def test_one_step_and_the_graph_that_is_taken_for_it(batch, flags, graph, padded, expected):
    tree = real_tree("0.22.1")[0]
    found = report_of(tree, "deepseek-v3", "h200", flags, ASKED, batch)
    assert found.step is not None
    assert (found.step.graph, found.step.padded) == (graph, padded)
    table = [{p.phase: p.fires for p in answers(found, place).phases} for place in ASKED]
    assert tuple(row[Phase.STEP] for row in table) == expected


@pytest.mark.parametrize(("batch", "graph"), [("1", "PIECEWISE"), ("1@100x8", "FULL")])
def test_the_second_runner_replays_no_prompt(batch, graph):
    tree = real_tree("0.33.0")[0]
    found = report_of(tree, "deepseek-v3", "h200", (), ("MLAAttention.forward_impl",), batch)
    assert found.step is not None
    assert found.step.graph == graph


def test_one_eager_step_runs_the_module_around_the_layer():
    tree = real_tree("0.22.1")[0]
    place = "MultiHeadLatentAttentionWrapper.forward"
    found = report_of(tree, "deepseek-v3", "h200", ("--enforce-eager",), (place,), "37")
    assert [p.fires for p in answers(found, place).phases if p.phase is Phase.STEP] == [A]
