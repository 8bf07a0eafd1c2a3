"""Edits of a real tree: of layout, which are no difference, and of a line that decides."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

from mlapath.app.diff import Side, compare_reports
from mlapath.app.gate import Context
from mlapath.app.request import TreeRequest
from mlapath.findings.diff import ScenarioDiff
from mlapath.findings.gate import Severity
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import SourceTree
from support.realtree import MODELS, copied_tree, edit, real_tree, report_of

VERSION = "0.16.0"
LAYER = "vllm/model_executor/layers/attention/mla_attention.py"
WRAPPER = "vllm/model_executor/layers/mla.py"
MODEL = "vllm/model_executor/models/deepseek_v2.py"
BACKEND = "vllm/v1/attention/backend.py"
CUDA = "vllm/platforms/cuda.py"
CACHE = "vllm/config/cache.py"
FLASH_ATTN = "vllm/v1/attention/backends/mla/flashattn_mla.py"
ON_THE_PATH = (LAYER, WRAPPER, MODEL, BACKEND, CUDA, CACHE, FLASH_ATTN)
FEWER = ("num_hidden_layers=4",)

pytestmark = [pytest.mark.network, pytest.mark.slow]


def side(tree: SourceTree, model: str) -> Side:
    words = ScenarioWords(config=str(MODELS / f"{model}.json"), devices=("h100",), sets=FEWER)
    report = report_of(tree, real_tree(VERSION)[1], model, "h100", sets=FEWER)
    return Side(Context(TreeRequest(str(tree.root))), report, assemble(words)[0])


@lru_cache(maxsize=2)
def before(model: str) -> Side:
    return side(real_tree(VERSION)[0], model)


def difference(tree: SourceTree, model: str) -> ScenarioDiff:
    return compare_reports(model, before(model), side(tree, model))


def _layout(text: str, file: Path) -> None:
    """Everything that a formatter may do."""
    words = ["format", "--isolated", "--line-length=60", "--config=format.quote-style='single'"]
    subprocess.run([sys.executable, "-m", "ruff", *words, str(file)], check=True)


def _comments(text: str, file: Path) -> None:
    """A comment before every statement that starts a line, and none of the old ones."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    marked = [
        f"{m[1]}# here\n{line}"
        if (m := re.match(r"( +)(if|return|self\.|raise)\b", line))
        else line
        for line in lines
    ]
    file.write_text("\n".join(marked) + "\n", "utf-8")


def _functions(text: str, file: Path) -> None:
    """Functions that nobody calls, before the others, at the end, and in every class."""
    unused = "def unused_{0}(self=None, *, limit=1):\n{1}    return limit + 1\n\n\n"
    body = re.sub(
        r"(?m)^(?:    @\w+\n)*    def __init__\(",
        lambda m: "    " + unused.format("method", "    ").rstrip() + "\n\n" + m[0],
        text,
    )
    file.write_text(body + "\n\n" + unused.format("last", ""), "utf-8")


def _docstrings(text: str, file: Path) -> None:
    """Another docstring for every function that has one of one line, and lines above all."""
    changed = re.sub(
        r'(?m)^( +)"""[^"\n]*"""$', r'\1"""Other words.\n\n\1Of several lines.\n\1"""', text
    )
    file.write_text("# moved\n" * 40 + changed, "utf-8")


@pytest.mark.parametrize("model", ["deepseek-v3", "deepseek-v3.2"])
@pytest.mark.parametrize("kinds", [(_layout,), (_comments, _docstrings, _functions)])
def test_no_edit_of_the_code_is_no_difference(kinds, model: str, tmp_path: Path) -> None:
    tree = copied_tree(VERSION, tmp_path)
    for path in ON_THE_PATH:
        for kind in kinds:
            text = (tree.root / path).read_text("utf-8")
            kind(text, tree.root / path)
            assert (tree.root / path).read_text("utf-8") != text
    found = difference(tree, model)
    assert [f"{f.rule.id} {f.message}" for f in found.findings] == []
    assert (found.causes, found.chains) == ((), ())


NUMBER = "reorder_batch_threshold: int"
EDITS = {
    "a guard inverted": (
        "deepseek-v3", LAYER, "        if is_sparse_impl:", "        if not is_sparse_impl:",
        "new on the way: not is_sparse_impl → True",
    ),
    "a number": (
        "deepseek-v3", FLASH_ATTN, "reorder_batch_threshold: int = 512",
        "reorder_batch_threshold: int = 64",
        f"was: {NUMBER} = 512 → 512; is: {NUMBER} = 64 → 64",
    ),
    "another class in a type test": (
        "deepseek-v3", LAYER, "isinstance(self.impl, SparseMLAAttentionImpl)",
        "isinstance(self.impl, MLACommonImpl)",
        "new on the way: is_sparse_impl = isinstance(self.impl, MLACommonImpl) → True",
    ),
    "a count of tokens that is none": (
        "deepseek-v3", LAYER, "num_mha_tokens = q.size(0) - num_mqa_tokens", "num_mha_tokens = 0",
        "new on the way: num_mha_tokens = 0 → 0",
    ),
    "an argument": (
        "deepseek-v3.2", WRAPPER, "use_sparse=self.is_sparse", "use_sparse=False",
        "FLASH_ATTN_MLA was: sparse not supported; is: chosen",
    ),
    "a default": (
        "deepseek-v3", CACHE, 'cache_dtype: CacheDType = "auto"',
        'cache_dtype: CacheDType = "fp8"',
        "FLASH_ATTN_MLA was: chosen; is: kv_cache_dtype not supported",
    ),
    "a constructor that refuses": (
        "deepseek-v3", LAYER, "        self.q_pad_num_heads = getattr(self.impl",
        '        raise RuntimeError("no")\n        self.q_pad_num_heads = getattr(self.impl',
        "RuntimeError: no",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITS)
def test_a_line_on_the_chain_is_the_one_first_cause(name: str, tmp_path: Path) -> None:
    model, path, old, new, cause = EDITS[name]
    tree = copied_tree(VERSION, tmp_path)
    edit(tree, path, old, new)
    found = difference(tree, model)
    assert any(finding.severity is not Severity.NOTE for finding in found.findings)
    assert found.causes == (cause,)
