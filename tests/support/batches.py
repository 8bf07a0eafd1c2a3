"""Verdicts of many batches on one deployment of a release, evaluated once."""

from __future__ import annotations

from collections.abc import Sequence

from mlapath.app.build import make_engine, make_facts, make_program
from mlapath.app.evaluate import evaluate, step
from mlapath.app.verdicts import judge, scene
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.engine.interp import run_deep
from mlapath.ir.load import KIND, load_module
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.scenario.batch import parse_batch
from mlapath.scenario.engine_flags import read_flag_table
from oracle.undo import undone
from support.realtree import MODELS, real_tree

LETTERS = {"forward_mha": "A", "forward_mqa": "Q"}


def paths(
    version: str, model: str, device: str, flags: Sequence[str], batches: Sequence[str],
    **words: Sequence[str],
) -> dict[str, str]:  # fmt: skip
    """``A`` (forward_mha), ``Q`` (forward_mqa) or ``AQ`` for each batch; ``?`` if not definite."""
    tree, companion = real_tree(version)
    scenario = assemble(
        ScenarioWords(
            config=str(MODELS / f"{model}.json"), devices=(device,), engine=tuple(flags), **words
        )
    )[0]
    store = BlobStore(CacheDir.default(), KIND)
    program = make_program(tree, companion, lambda text, path: load_module(text, path, store))
    engine_flags = read_flag_table(program).parse(scenario.flags).engine
    config = scenario.config
    facts = make_facts(tree, companion, scenario.device, scenario.env, scenario.packages,
                       config.values, config.hf_quant_config,
                       engine_flags.get("tensor_parallel_size", 1))  # fmt: skip

    def ask() -> dict[str, str]:
        engine = make_engine(program, facts, config.values, config.removed)
        found = evaluate(engine, engine_flags)
        assert found.stop is None, found.stop
        layer = next(x for x in found.layers if x.mla)
        said = {}
        for batch in batches:
            with undone(engine):
                seen = scene(found, layer, step(found, layer, parse_batch(batch)), {})
                verdicts = {t: judge(seen, t) for t in LETTERS}
            sure = {Verdict.ALWAYS: lambda t: LETTERS[t], Verdict.NEVER: lambda t: ""}
            said[batch] = "".join(
                sure.get(v.verdict, lambda t: f"?{LETTERS[t]}")(t) for t, v in verdicts.items()
            )
        return said

    result: dict[str, str] = run_deep(ask)
    return result
