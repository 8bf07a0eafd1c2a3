"""The resolved settings that bear on attention, and what changed them on the way."""

from __future__ import annotations

from mlapath.app.evaluate import Evaluation
from mlapath.engine.control import PyRaise
from mlapath.engine.interp import Engine
from mlapath.findings.evidence import place, render
from mlapath.findings.model import SettingChange, Settings
from mlapath.values.objects import Instance
from mlapath.values.truth import Truth
from mlapath.values.value import External, V


def settings_of(found: Evaluation) -> Settings:
    """Read the settings off the engine's configuration as it is after load."""
    it = found.engine
    config = found.config
    if config is None:
        return Settings()
    model = _get(it, config, "model_config")
    cache = _get(it, config, "cache_config")
    compilation = _get(it, config, "compilation_config")
    dtype = _get(it, model, "dtype")
    mode = _get(it, compilation, "cudagraph_mode")
    name = _get(it, mode, "name")
    use_v2 = _get(it, config, "use_v2_model_runner")
    model_class = (
        found.model.d.cls.full if found.model and type(found.model.d) is Instance else None
    )
    return Settings(
        use_mla=_flag(it, _get(it, model, "use_mla")),
        dtype=dtype.d.name.removeprefix("torch.") if dtype and type(dtype.d) is External else None,
        kv_cache_dtype=_text(_get(it, cache, "cache_dtype")),
        block_size=_number(_get(it, cache, "block_size")),
        cudagraph_mode=_text(name),
        enforce_eager=_flag(it, _get(it, model, "enforce_eager")),
        model_class=model_class,
        model_runner=None if use_v2 is None else "v2" if _flag(it, use_v2) else "v1",
        changes=_changes(it, cache),
    )


def _changes(it: Engine, cache: V | None) -> tuple[SettingChange, ...]:
    arguments = it.store.get("kept", {}).get("engine_args")
    changes: list[SettingChange] = []
    for given, resolved in (("kv_cache_dtype", "cache_dtype"), ("block_size", "block_size")):
        before, after = _get(it, arguments, given), _get(it, cache, resolved)
        if before is None or after is None or type(after.d) not in (int, str):
            continue
        if type(before.d) in (int, str, type(None)) and before.d != after.d:
            at = place(after.o) if after.o is not None else None
            if at is not None and at.startswith("<"):
                at = None
            changes.append(SettingChange(given, before.d, after.d, at, _because(it, after)))
    return tuple(changes)


def _because(it: Engine, value: V) -> str:
    origin = value.o
    if origin is None or origin.control is None or origin.control.pos is None:
        return "resolved by vLLM"
    text = it.program.text(origin.control.path, origin.control.pos)
    return f"{' '.join(text.split())[:120]} is {render(origin.control.value)}"


def _get(it: Engine, value: V | None, name: str) -> V | None:
    if value is None or value.d is None:
        return None
    try:
        return it.find_attr(value, name)
    except PyRaise:
        return None


def _flag(it: Engine, value: V | None) -> bool | None:
    if value is None:
        return None
    truth = it.truth(value)
    return None if truth is Truth.UNKNOWN else truth is Truth.TRUE


def _text(value: V | None) -> str | None:
    return value.d if value is not None and type(value.d) is str else None


def _number(value: V | None) -> int | None:
    return value.d if value is not None and type(value.d) is int else None
