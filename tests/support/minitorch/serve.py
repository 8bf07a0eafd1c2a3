"""Run a miniature tree in CPython: engine, model, one step for each batch; print what was called.

Argument: JSON with ``site`` (the tree's site-packages), ``model`` (a folder), ``flags`` (engine
arguments) and ``batches`` (name -> list of (new tokens, cached tokens)). Prints JSON: ``error``
and ``message``, or ``backend`` and ``calls`` (batch -> names of the functions that ran).
"""

# ruff: noqa: TID251 - what is run here is our own miniature, in a process of its own

from __future__ import annotations

import importlib
import json
import sys

job = json.loads(sys.argv[1])
sys.path.insert(0, job["site"])


def engine():
    from vllm.engine.arg_utils import EngineArgs

    return EngineArgs(model=job["model"], **job["flags"]).create_engine_config()


def load(config):
    from vllm.config import set_current_vllm_config
    from vllm.model_executor.model_loader.utils import initialize_model
    from vllm.platforms import current_platform
    from vllm.v1.worker.gpu_worker import init_worker_distributed_environment

    with set_current_vllm_config(config):
        init_worker_distributed_environment(
            config, 0, "tcp://127.0.0.1:29500", 0, current_platform.dist_backend
        )
        return initialize_model(vllm_config=config, model_config=config.model_config)


def metadata_class():
    for module in ("vllm.v1.attention.backend", "vllm.v1.attention.backends.utils"):
        try:
            return importlib.import_module(module).CommonAttentionMetadata
        except ImportError:
            continue
    raise ImportError("CommonAttentionMetadata")


def common(batch):
    import torch

    batch = sorted(batch)
    starts, lengths = [0], []
    for new, cached in batch:
        starts.append(starts[-1] + new)
        lengths.append(new + cached)
    return metadata_class()(
        query_start_loc=torch.tensor(starts),
        query_start_loc_cpu=torch.tensor(starts),
        seq_lens=torch.tensor(lengths),
        num_reqs=len(batch),
        num_actual_tokens=starts[-1],
        max_query_len=max(new for new, _ in batch),
        max_seq_len=max(lengths),
        block_table_tensor=torch.empty(len(batch), 8),
        slot_mapping=torch.empty(starts[-1]),
    )


def step(config, model, batch):
    import torch
    from vllm.forward_context import set_forward_context

    layers = config.compilation_config.static_forward_context
    layer = next(iter(layers.values()))
    spec = layer.get_kv_cache_spec(config)
    builder = layer.get_attn_backend().get_builder_cls()(spec, list(layers), config, "cuda")
    seen = common(batch)
    metadata = dict.fromkeys(layers, builder.build(0, seen))
    hidden = torch.empty(
        seen.num_actual_tokens, config.model_config.get_hidden_size(),
        dtype=config.model_config.dtype,
    )  # fmt: skip
    called = set()

    def watch(frame, event, _argument):
        if event == "call" and "/vllm/" in frame.f_code.co_filename.replace("\\", "/"):
            called.add(frame.f_code.co_name)

    with set_forward_context(metadata, config, num_tokens=seen.num_actual_tokens):
        sys.setprofile(watch)
        try:
            model.forward(torch.empty(seen.num_actual_tokens), hidden)
        finally:
            sys.setprofile(None)
    return sorted(called)


def main():
    try:
        config = engine()
        model = load(config)
        layers = config.compilation_config.static_forward_context
        backend = next(iter(layers.values())).get_attn_backend().get_name()
        calls = {name: step(config, model, batch) for name, batch in job["batches"].items()}
    except Exception as error:  # noqa: BLE001 - whatever the tree raises is the answer
        return {"error": type(error).__name__, "message": str(error)}
    return {"backend": backend, "calls": calls}


print(json.dumps(main()))  # noqa: T201
