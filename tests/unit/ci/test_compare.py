"""Two answers: what is a finding, what is none, and which cause is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mlapath.base.verdict import Verdict
from mlapath.ci.chains import unknown
from mlapath.ci.compare import Sides, compare
from mlapath.ci.rules import RULES
from mlapath.ci.take import Symbol, take
from mlapath.findings.gate import Severity
from mlapath.findings.model import (
    Condition,
    EvidenceKind,
    EvidenceStep,
    Outcome,
    Reason,
    SettingChange,
    Unread,
)
from support import samples

LAYERS = "model.layers.*.self_attn.attn"


def findings(before, after, locate_before=None, locate_after=None, **has):
    old = take(before, locate_before) if locate_before else take(before)
    new = take(after, locate_after) if locate_after else take(after)
    return compare(Sides("prod", old, new, after, **has))


def ids(found):
    return [finding.rule.id for finding in found]


def only(found, rule):
    (one,) = [finding for finding in found if finding.rule.name == rule]
    return one


def group_of(report, index=0, **changes):
    groups = list(report.attention)
    groups[index] = replace(groups[index], **changes)
    return replace(report, attention=tuple(groups))


def target_of(report, name, **changes):
    group = next(g for g in report.attention if any(t.target == name for t in g.targets))
    targets = tuple(replace(t, **changes) if t.target == name else t for t in group.targets)
    return group_of(report, report.attention.index(group), targets=targets)


def moved(step, lines=100):
    if step.at is None:
        return step
    path, _, line = step.at.rpartition(":")
    return replace(step, at=f"{path}:{int(line) + lines}")


@pytest.mark.parametrize("name", sorted(samples.all_reports()))
def test_the_same_answer_gives_nothing(name):
    report = samples.all_reports()[name]
    assert findings(report, report) == ()


def test_lines_layout_and_roots_do_not_count():
    before = samples.sparse()
    target = before.attention[0].targets[0]
    after = target_of(
        before,
        "forward_mha",
        evidence=tuple(
            replace(moved(step), text=step.text.replace('"', "'").replace(", ", " ,  "))
            for step in target.evidence
        ),
        defined_at="vllm/other.py:1",
        called_at=("vllm/other.py:7",),
        because="the guard at vllm/other.py:9 keeps the call from being made",
    )
    after = replace(after, tree=replace(after.tree, root="elsewhere", digest="x"))
    assert findings(before, after) == ()


def test_a_verdict_that_changes():
    dense = samples.dense().attention[0].targets[0]
    before = samples.sparse()
    after = target_of(
        before,
        "forward_mha",
        verdict=Verdict.CONDITIONAL,
        condition=dense.condition,
        evidence=(*samples.SPARSE_CHAIN[:2], *dense.evidence),
    )
    found = findings(before, after)
    assert ids(found) == ["MLA203"]
    finding = found[0]
    assert (finding.severity, finding.subject) == (Severity.ERROR, f"forward_mha ({LAYERS})")
    assert (finding.before, finding.after) == ("never", "conditional")
    assert finding.at == f"{samples.LAYER}:548"
    assert finding.evidence == (*samples.SPARSE_CHAIN[:2], *dense.evidence)
    assert finding.cause == (
        "no longer on the way: isinstance(self.impl, SparseMLAAttentionImpl) → True"
    )


def test_one_edit_has_one_cause():
    """What follows in other chains takes the cause of the chain that was edited."""
    before = samples.sparse()
    edited = replace(
        samples.SPARSE_CHAIN[2], text="isinstance(self.impl, MQAOnlyImpl)", value="False"
    )
    opened = replace(samples.dense().attention[0].targets[0].evidence[0], value="unknown")
    after = target_of(
        before, "forward_mha", verdict=Verdict.CONDITIONAL,
        condition=samples.dense().attention[0].targets[0].condition,
        evidence=(*samples.SPARSE_CHAIN[:2], edited, opened),
    )  # fmt: skip
    after = target_of(
        after, "forward_mqa", verdict=Verdict.CONDITIONAL,
        condition=samples.dense().attention[0].targets[1].condition, evidence=(opened,),
    )  # fmt: skip
    gone, new = samples.SPARSE_CHAIN[2].text, edited.text
    found = findings(
        before, after, old_has=lambda s: s.text != new, new_has=lambda s: s.text != gone
    )
    assert ids(found) == ["MLA203", "MLA203"]
    assert {finding.cause for finding in found} == {f"was: {gone} → True; is: {new} → False"}


def test_unproven_is_a_finding_of_its_own():
    before = samples.sparse()
    after = target_of(before, "forward_mha", verdict=Verdict.UNPROVEN)
    assert ids(findings(before, after)) == ["MLA105"]


def test_backend_classes_and_candidates():
    before = samples.sparse()
    group = before.attention[0]
    rejected = replace(group.candidates[2], chosen=False, reasons=(Reason("no such head size"),))
    after = group_of(
        before,
        backend="FLASHINFER_MLA_SPARSE",
        impl_class="vllm.a.FlashInferSparseImpl",
        layer_class="vllm.models.deepseek_v32.MLAAttention",
        candidates=(*group.candidates[:2], rejected),
    )
    found = findings(before, after)
    assert ids(found) == ["MLA204", "MLA210", "MLA301", "MLA301"]
    assert found[0].cause == "FLASHMLA_SPARSE was: chosen; is: no such head size"
    assert "moved from vllm.model_executor.layers.attention.mla_attention to" in found[2].message
    assert found[3].message.startswith("implementation: ")


def test_thresholds_settings_and_adjustments():
    before = samples.sparse()
    change = replace(before.settings.changes[0], after=128)
    settings = replace(
        before.settings, block_size=128, changes=(change, SettingChange("a", 1, 2, None, "b"))
    )
    after = group_of(replace(before, settings=settings), reorder_batch_threshold=256)
    found = findings(before, after)
    assert ids(found) == ["MLA207", "MLA208", "MLA212", "MLA212"]
    assert only(found, "threshold-changed").before == "1"
    assert only(found, "setting-changed").cause == (
        "vLLM sets it because FLASHMLA_SPARSE needs blocks of 64"
    )


def test_conditions_and_their_numbers():
    before = samples.dense()
    condition = before.attention[0].targets[0].condition
    numbers = target_of(
        before, "forward_mha", condition=replace(condition, numbers={"reorder_batch_threshold": 9})
    )
    assert ids(findings(before, numbers)) == ["MLA207"]
    both = group_of(numbers, reorder_batch_threshold=9)
    assert [f.subject for f in findings(before, both)] == [f"reorder_batch_threshold ({LAYERS})"]
    other = target_of(before, "forward_mha", condition=replace(condition, program="x > 0"))
    assert ids(findings(before, other)) == ["MLA206"]


def test_outcomes_and_refusals():
    runs, refused = samples.sparse(), samples.refused()
    found = findings(runs, replace(refused, settings=runs.settings))
    assert ids(found)[0] == "MLA201"
    assert found[0].message == "vLLM refuses (ValueError); before, it runs"
    assert found[0].at == refused.refusal.at
    assert found[0].cause.startswith("ValueError: No valid attention backend")
    back = findings(refused, runs)
    assert only(back, "outcome-changed").cause.startswith("no longer: ValueError")
    other = replace(refused, refusal=replace(refused.refusal, exception="KeyError", evidence=()))
    assert ids(findings(refused, other)) == ["MLA202", "MLA403", "MLA403"]
    open_ended = replace(runs, outcome=Outcome.UNPROVEN)
    assert ids(findings(runs, open_ended)) == ["MLA105"]
    steps = (*refused.refusal.evidence[:1], refused.refusal.evidence[2])
    fewer = replace(refused, refusal=replace(refused.refusal, evidence=steps))
    assert ids(findings(refused, fewer)) == ["MLA401"]


def test_late_refusals():
    before = samples.dense()
    after = replace(before, conditional_refusals=())
    assert ids(findings(before, after)) == ["MLA211"]
    (found,) = findings(after, before)
    assert found.message == "may fail later: AssertionError if num_spec > 0"
    assert found.at == f"{samples.LAYER}:1571"


def test_layers_that_come_go_and_are_renamed():
    before = samples.dense()
    mla, linear = before.attention
    gone = replace(before, attention=(mla,))
    assert ids(findings(before, gone)) == ["MLA209"]
    assert ids(findings(gone, before)) == ["MLA209"]
    renamed = group_of(before, layers=tuple(f"model.blocks.{i}.mla" for i in (3, 7, 11)))
    (found,) = findings(before, renamed)
    assert found.subject == "model.blocks.*.mla"
    assert found.before == "model.layers.{3,7,11}.self_attn.attn"
    split = replace(
        before,
        attention=(
            replace(mla, layers=mla.layers[:1]),
            replace(mla, layers=mla.layers[1:]),
            linear,
        ),
    )
    assert findings(before, split) == ()


def test_a_reworded_chain_is_a_note():
    before = samples.sparse()
    chain = before.attention[0].targets[0].evidence
    reworded = replace(chain[1], text="self.is_v32 = bool(topk)")
    after = target_of(before, "forward_mha", evidence=(chain[0], reworded, *chain[2:]))
    (found,) = findings(before, after)
    assert (found.rule.id, found.severity) == ("MLA401", Severity.NOTE)
    assert "worded otherwise" in found.message


def test_inputs_and_unread_names():
    before = samples.sparse()
    after = replace(before, unread_env=(*before.unread_env, Unread("VLLM_X")))
    (found,) = findings(before, after)
    assert (found.rule.id, found.subject) == ("MLA104", "VLLM_X")
    chain = before.attention[0].targets[0].evidence
    step = replace(chain[1], sources=("env:VLLM_Z=1", "config:index_topk=2048"))
    more = target_of(before, "forward_mha", evidence=(chain[0], step, *chain[2:]))
    assert [(f.rule.id, f.subject) for f in findings(before, more)] == [("MLA402", "env:VLLM_Z")]
    assert [(f.rule.id, f.subject) for f in findings(more, before)] == [("MLA403", "env:VLLM_Z")]


def test_functions_on_the_path():
    def place(table):
        return lambda at: table.get(at.rpartition("/")[2])

    line = "mla_attention.py:549"
    before = {
        line: Symbol("vllm.a.Impl.forward", "(self, q)"),
        "deepseek_v2.py:832": Symbol("vllm.m.Model.__init__", "(self)"),
        "mla_attention.py:533": Symbol("vllm.a.helper", "(x)"),
    }
    after = {
        line: Symbol("vllm.b.Impl.forward", "(self, q, k)"),
        "deepseek_v2.py:832": Symbol("vllm.m.Model.__init__", "(self, *, x=1)"),
        "mla_attention.py:533": Symbol("vllm.a.other", "(x)"),
    }
    report = samples.sparse()
    found = findings(report, report, place(before), place(after))
    assert [(f.rule.id, f.subject) for f in found] == [
        ("MLA302", "vllm.a.Impl.forward"),
        ("MLA303", "vllm.b.Impl.forward"),
        ("MLA303", "vllm.m.Model.__init__"),
        ("MLA304", "vllm.a.helper"),
        ("MLA305", "vllm.a.other"),
    ]


def test_a_finding_is_told_from_the_others_by_rule_scenario_and_subject():
    for before in samples.all_reports().values():
        for after in samples.all_reports().values():
            found = findings(before, after)
            keys = [(f.rule.id, f.scenario, f.subject) for f in found]
            assert len(keys) == len(set(keys))
            order = [list(RULES).index(f.rule.id) for f in found]
            assert order == sorted(order)


def test_rules_are_well_formed():
    assert list(RULES) == sorted(RULES)
    assert all(rule.id == key for key, rule in RULES.items())
    names = [rule.name for rule in RULES.values()]
    assert len(set(names)) == len(names)
    assert all(rule.summary.endswith(".") and rule.help.endswith(".") for rule in RULES.values())
    assert unknown(None) is None


def test_layers_that_are_not_mla_any_more():
    before = samples.sparse()
    (group,) = [g for g in before.attention if g.mla]
    plain = replace(
        samples.plain().attention[0], layers=group.layers, prefill_backend=None, targets=()
    )
    settings = replace(before.settings, use_mla=True)
    before = replace(before, settings=settings)
    after = replace(
        before, attention=(plain,), settings=replace(settings, use_mla=False)
    )  # fmt: skip
    found = {f.rule.name: f for f in findings(before, after) if f.rule.severity is Severity.ERROR}
    assert found["backend-changed"].cause == "use_mla: true -> false"
    said = [f for f in findings(before, after) if f.rule.name == "verdict-changed"]
    assert [(f.message, f.cause) for f in said] == [
        (f"{t.target}: {t.verdict.value} -> never", "use_mla: true -> false")
        for t in group.targets
        if t.verdict is not Verdict.NEVER
    ]
    assert {f.rule.name for f in findings(after, before)} >= {"verdict-changed", "layers-changed"}
    unknown_why = replace(after, settings=settings)
    causes = {f.cause for f in findings(before, unknown_why) if f.severity is Severity.ERROR}
    assert causes == {"the layers are not MLA any more"}
    assert not any("prefill" in f.message or "none" in f.message for f in findings(before, after))


def test_what_may_fail_under_another_condition_is_one_finding():
    late = replace(samples.refused().refusal, condition=Condition("n > 1", "more than one"))
    other = replace(late, condition=Condition("n > 2", "more than two"))
    before = replace(samples.sparse(), conditional_refusals=(late,))
    after = replace(samples.sparse(), conditional_refusals=(other,))
    (found,) = findings(before, after)
    assert (found.before, found.after) == ("n > 1", "n > 2")
    assert found.message.startswith("may fail later under another condition")


def test_further_optional_parameters_are_a_note():
    def located(signature):
        return lambda _at: Symbol("vllm.a.f", signature)

    report = samples.sparse()
    for now, severity in (
        ("(self, x, y=1)", Severity.NOTE), ("(self, x, *args)", Severity.NOTE),
        ("(self, x, y)", Severity.WARNING), ("(self)", Severity.WARNING),
    ):  # fmt: skip
        (found,) = findings(report, report, located("(self, x)"), located(now))
        assert found.severity is severity, now


def test_a_setting_that_is_a_fact_of_each_layer_is_said_once():
    def sized(size):
        report = samples.sparse()
        groups = tuple(replace(group, block_size=size) for group in report.attention)
        return replace(
            report, attention=groups, settings=replace(report.settings, block_size=size)
        )

    assert ids(findings(sized(16), sized(64))) == ["MLA208"]


def test_a_threshold_has_its_cause():
    def written(text, size):
        step = EvidenceStep("vllm/a.py:1", text, str(size), EvidenceKind.ASSIGN)
        return group_of(samples.dense(), reorder_batch_threshold=size, threshold_evidence=(step,))

    found = only(findings(written("limit = 1", 1), written("limit = 2", 2)), "threshold-changed")
    assert found.cause == "was: limit = 1 → 1; is: limit = 2 → 2"
    old = only(findings(written("limit = n", 1), written("limit = n", 2)), "threshold-changed")
    assert old.cause is None


def test_a_prefill_method_has_its_cause():
    def written(name):
        text = f"self.prefill = self.{name}"
        step = EvidenceStep("vllm/a.py:1", text, name, EvidenceKind.ASSIGN)
        return group_of(samples.dense(), prefill_backend=name, prefill_evidence=(step,))

    found = only(findings(written("fast"), written("slow")), "prefill-backend-changed")
    assert found.cause == (
        "was: self.prefill = self.fast → fast; is: self.prefill = self.slow → slow"
    )
