"""The kinds of findings. Ids are never reused; a rule that is dropped leaves a gap."""

from __future__ import annotations

from collections.abc import Mapping

from mlapath.findings.gate import Rule, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

EXPECTATION = Rule(
    "MLA101", "expectation-failed", "An expectation of the project does not hold.", _E,
    "Read the evidence. If the answer is right, change `expect` in the project file.",
)  # fmt: skip
PATCH = Rule(
    "MLA102", "patch-target-missing", "What the deployment patches is not in this vLLM.", _E,
    "The patch would fail, or change nothing. Point it at what took the place of its target.",
)  # fmt: skip
REJECTED = Rule(
    "MLA103", "scenario-rejected",
    "This vLLM does not take the scenario as written: a flag or a target is gone.", _E,
    "Change the flags or targets of the scenario; the message names the nearest that exist.",
)  # fmt: skip
UNREAD = Rule(
    "MLA104", "input-unread",
    "An environment variable, flag or override is given that this vLLM never reads.", _W,
    "Drop it, or use the name that this vLLM reads.",
)  # fmt: skip
UNPROVEN = Rule(
    "MLA105", "not-proved", "An answer that the baseline has could not be proved.", _W,
    "`mlapath analyze --config SCENARIO -v` names what stands in the way.",
)  # fmt: skip
NEW = Rule(
    "MLA106", "not-in-baseline", "The baseline does not have this scenario.", _W,
    "Add it with `mlapath baseline write`.",
)  # fmt: skip
GONE = Rule(
    "MLA107", "gone-from-project", "The baseline has a scenario that the project lacks.", _W,
    "Drop it with `mlapath baseline write --prune`.",
)  # fmt: skip
ASKED = Rule(
    "MLA108", "scenario-changed",
    "The scenario is not the one that the baseline answers: differences may be its own.", _N,
    "Write the baseline anew with the vLLM that it was written with.",
)  # fmt: skip

OUTCOME = Rule(
    "MLA201", "outcome-changed", "The deployment runs or is refused, and did not before.", _E,
    "Read the evidence; where vLLM refuses, change the deployment or stay with the old version.",
)  # fmt: skip
REFUSAL = Rule(
    "MLA202", "refusal-changed", "vLLM refuses for another reason.", _W,
    "Read the evidence of the new refusal.",
)  # fmt: skip
VERDICT = Rule(
    "MLA203", "verdict-changed", "A target runs in other steps than before.", _E,
    "Whatever relies on the old path (patches, prints, measurements) needs another look.",
)  # fmt: skip
BACKEND = Rule(
    "MLA204", "backend-changed", "Another attention backend is selected.", _E,
    "If the old one is wanted, name it with the flags of this version.",
)  # fmt: skip
PREFILL = Rule(
    "MLA205", "prefill-backend-changed", "Another prefill backend is selected.", _W,
    "If the old one is wanted, name it with the flags of this version.",
)  # fmt: skip
CONDITION = Rule(
    "MLA206", "condition-changed", "The condition under which a target runs is another one.", _W,
    "Compare both conditions with the batches that you expect.",
)  # fmt: skip
THRESHOLD = Rule(
    "MLA207", "threshold-changed", "A number that decides has another value.", _W,
    "Requests between the old and the new number take another path now.",
)  # fmt: skip
SETTING = Rule(
    "MLA208", "setting-changed", "A resolved setting has another value.", _W,
    "If it was a default, say the old value with a flag.",
)  # fmt: skip
LAYERS = Rule(
    "MLA209", "layers-changed", "Layers appeared, vanished or go by other names.", _W,
    "Whatever finds layers by name needs another look.",
)  # fmt: skip
CANDIDATES = Rule(
    "MLA210", "candidates-changed", "The backends that were considered, or why not, differ.", _N,
    "Nothing to do while the selected backend is the same.",
)  # fmt: skip
LATE = Rule(
    "MLA211", "late-refusal-changed", "What may fail at run time differs.", _W,
    "Read the conditions of the exceptions.",
)  # fmt: skip
ADJUSTED = Rule(
    "MLA212", "adjustment-changed", "vLLM changes a setting by itself that it did not before.", _N,
    "Nothing to do if the value suits you.",
)  # fmt: skip

CLASS = Rule(
    "MLA301", "class-changed", "A class on the path moved, or another one is used.", _W,
    "Imports and patches of the old class need another look.",
)  # fmt: skip
MOVED = Rule(
    "MLA302", "function-moved", "A function on the path moved to another module or class.", _W,
    "Imports and patches of the old place need another look.",
)  # fmt: skip
SIGNATURE = Rule(
    "MLA303", "signature-changed", "A function on the path takes other parameters.", _W,
    "Overrides and patches of it must take the same. Only further optional ones are a note.",
)  # fmt: skip
LEFT = Rule(
    "MLA304", "function-left-path", "A function no longer belongs to the deciding path.", _N,
    "Prints and patches there may have lost their effect.",
)  # fmt: skip
JOINED = Rule(
    "MLA305", "function-joined-path", "A function belongs to the deciding path now.", _N,
    "Nothing to do.",
)  # fmt: skip

CHAIN = Rule(
    "MLA401", "evidence-changed", "The answer is the same, but what it rests on differs.", _N,
    "Nothing to do; it shows where the code was touched.",
)  # fmt: skip
INPUT_NEW = Rule(
    "MLA402", "input-joined", "The path depends on a given fact that it did not depend on.", _N,
    "Make sure that the fact is as you mean it.",
)  # fmt: skip
INPUT_GONE = Rule(
    "MLA403", "input-left", "The path no longer depends on a given fact.", _N,
    "If you set it in order to steer the path, that no longer works.",
)  # fmt: skip
COMPANION = Rule(
    "MLA404", "companion-changed",
    "Another release of a package whose source vLLM relies on (transformers) was read.", _N,
    "Differences that come from it say so. `--with transformers==VERSION` states the one in use.",
)  # fmt: skip

RULES: Mapping[str, Rule] = {
    rule.id: rule
    for rule in (
        EXPECTATION, PATCH, REJECTED, UNREAD, UNPROVEN, NEW, GONE, ASKED,
        OUTCOME, REFUSAL, VERDICT, BACKEND, PREFILL, CONDITION, THRESHOLD, SETTING, LAYERS,
        CANDIDATES, LATE, ADJUSTED,
        CLASS, MOVED, SIGNATURE, LEFT, JOINED,
        CHAIN, INPUT_NEW, INPUT_GONE, COMPANION,
    )
}  # fmt: skip
"""All of them by id, in the order of the ids."""
