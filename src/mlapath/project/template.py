"""A first ``mlapath.toml``, with comments, from a command line."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence

from mlapath.scenario.cmdline import CommandLine

_HEAD = """\
# The deployments whose attention path matters. Paths are relative to this file.
#   mlapath baseline write    keeps today's answers in mlapath.lock
#   mlapath check             says what is different, and fails where it matters
"""
_TREE = """\
# The vLLM in use: a version, a folder or an archive. Without it, the installed one.
"""
_FAIL = """\
# What makes check fail: error (default), warning, note, never, or rules by id or name.
# fail-on = ["warning"]
"""
_MORE = """\
# More than one device: device = ["h100", "b200"]. More of anything: a matrix, such as
#   [scenarios.{name}.matrix]
#   kv = {{ bf16 = {{}}, fp8 = {{ flags = "--kv-cache-dtype fp8" }} }}
# Packages that are there or not: with = ["deep_gemm==2.1"], without = ["flashinfer-python"].
# Changes to the configuration: set = {{ num_hidden_layers = 4 }}, unset = ["index_topk"].

# What must hold: a verdict for each target (always, conditional, never), or an outcome.
# expect = {{ forward_mha = "never", outcome = "runs" }}

# What your deployment replaces at run time: check says when it is gone.
# patches = ["vllm.model_executor.layers.attention.mla_attention:MLACommonImpl.forward_mha"]
"""


def render_template(
    line: CommandLine,
    name: str,
    *,
    config: str | None = None,
    devices: Sequence[str] = (),
    vllm: str | None = None,
) -> str:
    """A project file with one scenario.

    line: the pasted command line. config: the model's configuration; None leaves a place to fill
    in. devices: as ``--device`` takes them. vllm: the default tree.
    """
    return "\n".join(_lines(line, name, config, devices, vllm))


def scenario_name(model: str | None, config: str | None) -> str:
    """A name for the scenario: the model's or the configuration's last part."""
    last = re.split(r"[\\/]", (model or config or "").rstrip("\\/"))[-1]
    plain = re.sub(r"[^A-Za-z0-9_.+-]+", "-", last.removesuffix(".json")).strip("-._+")
    return plain.lower() or "serve"


def _lines(
    line: CommandLine, name: str, config: str | None, devices: Sequence[str], vllm: str | None
) -> Iterator[str]:
    yield _HEAD
    yield _TREE + (f"vllm = {_text(vllm)}" if vllm else '# vllm = "0.25.1"') + "\n"
    yield _FAIL
    yield f"[scenarios.{_key(name)}]"
    if config is None:
        model = f" of {line.model}" if line.model else ""
        yield f"# The config.json{_comment(model)}, or the folder that has it."
    yield f"config = {_text(config or 'config.json')}"
    if not devices:
        yield "# A product (h100, b200, …) or a capability (9.0). Without it, this machine's."
        yield '# device = "h100"'
    else:
        yield "device = " + (_text(devices[0]) if len(devices) == 1 else _texts(devices))
    if line.flags:
        yield "# As vllm serve takes them."
        yield f"flags = {_text(shlex.join(line.flags))}"
    if line.env:
        pairs = ", ".join(f"{_key(key)} = {_text(value)}" for key, value in line.env.items())
        yield f"env = {{ {pairs} }}"
    yield ""
    yield _MORE.format(name=_key(name))


def _text(value: str) -> str:
    """A TOML basic string, which is a JSON string but for DEL."""
    return json.dumps(value, ensure_ascii=not value.isprintable()).replace("\x7f", "\\u007F")


def _texts(values: Sequence[str]) -> str:
    return f"[{', '.join(_text(value) for value in values)}]"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)


def _comment(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)
