"""Agreement with records of real attention layers: constructor, threshold, KV type, methods run.

``python -m oracle.layers [--version V]`` from ``tests`` runs every record.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from mlapath.app.attention import number, text
from mlapath.app.evaluate import Evaluation, Layer, StepResult, engine_arguments, step
from mlapath.app.selection import backend_name
from mlapath.app.verdicts import judge, scene
from mlapath.base.verdict import Verdict
from mlapath.engine.control import PyRaise
from mlapath.engine.interp import Engine, run_deep
from mlapath.engine.trace import Trace
from mlapath.values.objects import Instance
from mlapath.values.value import V
from oracle.selection import SHARED, Harness, World, engine_flags, give_model, model_config
from oracle.undo import undone

CUT = 300
"""Recorded messages end after so many characters."""
TARGETS = ("forward_mha", "forward_mqa")


def records() -> list[dict[str, Any]]:
    """Every recorded layer."""
    with gzip.open(SHARED / "layer.jsonl.gz", "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def row_of(record: dict[str, Any]) -> dict[str, Any]:
    """The record as a selection row."""
    return {"dtype": "bfloat16", "block_size": None, "dims": {}, "env": {}, **record}


def build(it: Engine, record: dict[str, Any]) -> tuple[Evaluation, Layer]:
    """The layer of a record.

    Raises:
        PyRaise: the tree refuses it.
    """
    row = row_of(record)
    found = Evaluation(it)
    create = it.getattr(it.import_module("mlapath_drivers.config"), "create")
    found.config = it.call(create, [engine_arguments(it, engine_flags(row))], {})
    driver = it.import_module("mlapath_drivers.layer")
    it.call(it.getattr(driver, "start"), [found.config], {})
    if record["record"] == "dsa":
        layer = it.call(it.getattr(driver, "dsa_layer"), [found.config], {})
    else:
        arguments = [found.config, V(record["num_heads"]), V(record["use_sparse"])]
        layer = it.call(it.getattr(driver, "mla_layer"), arguments, {})
    backend = it.call(it.getattr(layer, "get_attn_backend"), [], {})
    found.model = layer
    found.setup = it.trace
    name = text(it, layer, "layer_name") or ""
    described = Layer(name, layer, backend, True)
    found.layers.append(described)
    for key, other in it.mapping_items(it.store["kept"]["layers"]) or ():
        if other.d is not layer.d:  # an indexer's cache: the step builds its metadata too
            found.layers.append(Layer(str(key.d), other, None, False))
    return found, described


def observe(it: Engine, record: dict[str, Any]) -> dict[str, Any]:
    """What the evaluator says of a record."""
    try:
        found, described = build(it, record)
    except PyRaise as raised:
        return {"error": f"{it.type_name(raised.exc)}: {it.message_of(raised.exc)}",
                "at": f"{raised.path}:{raised.pos[0] if raised.pos else 0}"}  # fmt: skip
    layer, backend = described.value, described.backend
    implementation = layer.d.attrs["impl"].d
    prefill = layer.d.attrs.get("prefill_backend") or implementation.attrs.get("prefill_backend")
    result: StepResult = step(found, described)
    seen = scene(found, described, result, {})
    verdicts = {t: judge(seen, t) for t in TARGETS}
    return {
        "backend": backend_name(it, backend),
        "impl": implementation.cls.full,
        "prefill_backend": prefill.d.cls.name
        if prefill is not None and type(prefill.d) is Instance
        else "NoneType",
        "layer_kv_cache_dtype": text(it, layer, "kv_cache_dtype"),
        "builder_reorder_batch_threshold": number(it, result.builder, "reorder_batch_threshold"),
        "verdicts": {t: v.verdict for t, v in verdicts.items()},
        "blockers": {t: v.blockers for t, v in verdicts.items() if v.blockers},
        "stop": f"{it.type_name(result.stop.raised.exc)}: {it.message_of(result.stop.raised.exc)} "
        f"at {result.stop.raised.stack[:3]}"
        if result.stop and result.stop.raised
        else result.stop,
    }


def differences(record: dict[str, Any], said: dict[str, Any]) -> list[str]:
    """Where the answer and the record disagree."""
    if record.get("error"):
        if str(said.get("error"))[:CUT] != record["error"]:
            return [f"recorded {record['error'][:200]}; ours {said.get('error', said)!s:.300}"]
        return []
    if "error" in said:
        return [
            f"recorded a layer {record['backend']}; ours {said['error'][:200]} at {said['at']}"
        ]
    wrong = [
        f"{key}: recorded {record[key]}; ours {said[key]}"
        for key in (
            "backend",
            "impl",
            "prefill_backend",
            "layer_kv_cache_dtype",
            "builder_reorder_batch_threshold",
        )
        if said[key] != record[key]
    ]
    ran: Counter[str] = Counter()
    for batch in record["batches"].values():
        ran.update({call[0] for call in batch.get("real", {}).get("calls", ())})
    for target in TARGETS:
        verdict = said["verdicts"][target]
        if ran[target] and verdict is Verdict.NEVER:
            wrong.append(f"{target} ran, yet it is said to be never")
        if not ran[target] and verdict is Verdict.ALWAYS:
            wrong.append(f"{target} never ran, yet it is said to be always")
        if verdict is Verdict.UNPROVEN:
            wrong.append(
                f"{target} is unproven: {said['blockers'].get(target, said['stop'])!s:.300}"
            )
    return wrong


def compare(
    wanted: list[dict[str, Any]], *, verbose: bool = True,
    ask: Callable[[Engine, dict[str, Any]], list[str]] | None = None,
) -> list[tuple[Any, list[str]]]:  # fmt: skip
    """The records that disagree, each with its differences, as ``ask`` finds them."""
    ask = ask or (lambda it, record: differences(record, observe(it, record)))
    harness = Harness()
    worlds: dict[World, list[dict[str, Any]]] = {}
    for record in wanted:
        worlds.setdefault(World.of(row_of(record)), []).append(record)
    wrong: list[tuple[Any, list[str]]] = []
    for world, members in worlds.items():
        it = harness.engine(world, model_config(row_of(members[0])))

        def task(it: Engine = it, members: list[dict[str, Any]] = members) -> None:
            for record in members:
                give_model(it, model_config(row_of(record)))
                it.store.pop("kept", None)
                it.trace = Trace()
                with undone(it):
                    found = ask(it, record)
                if found:
                    wrong.append((record, found))

        before = len(wrong)
        run_deep(task)
        if verbose:
            bad = len(wrong) - before
            print(f"{world.version} {world.capability} {world.libs}: "
                  f"{len(members) - bad}/{len(members)} agree", flush=True)  # fmt: skip
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version")
    parser.add_argument("--built", action="store_true", help="only layers that were built")
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    wanted = [r for r in records() if options.version in (None, r["version"])
              and (not options.built or "backend" in r)][:: options.every]  # fmt: skip
    wrong = compare(wanted)
    print(f"{len(wanted) - len(wrong)} passed, {len(wrong)} failed")
    kinds = Counter((r["version"], r["record"], d[:400]) for r, ds in wrong for d in ds)
    for kind, count in kinds.most_common(25):
        print(f"{count:5}  {kind}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
