"""What a report takes for granted, each with an id that never changes its meaning."""

from __future__ import annotations

from mlapath.app.other_build import other_build
from mlapath.findings.model import Assumption
from mlapath.scenario.devices import Device, products
from mlapath.source import Companion, SourceTree

TEXTS = {
    "A1": "nothing outside the tree patches vLLM (no plugin, no sitecustomize, no monkey-patch)",
    "A2": "libraries behave as summarised and write to no object of vLLM's",
    "A3": "packages not named by the wheel's metadata, or with --with, are not installed",
    "A4": "packages come in the versions that the wheel's metadata asks for",
    "A5": "every extension of the wheel can be imported on the target machine",
    "A6": "transformers' source is not at hand: defaults of configuration classes are not known",
    "A7": "compiled capability queries answer yes where their extension is there",
    "A8": "the target machine has as many devices as the parallel sizes ask for",
    "A10": "nvcc, ninja and a C++ compiler are on PATH (--without nvcc says otherwise)",
    "A9": "which compiled extensions a build of this source would have is not known",
    "A11": "the host is an x86-64 server with AVX512, bf16 and AMX (cpu:avx512 says otherwise)",
    "A12": "a CPU build of this release runs: version +cpu, the kernels of vllm._C, what vLLM "
           "requires on every platform, no Triton",
    "A13": "a device given by its capability is one of the products of it that mlapath knows",
    "A14": "a ROCm build of this release runs: version +rocm, the kernels of vllm._C, _moe_C and "
           "_rocm_C, what vLLM requires on every platform; whether it has other extensions, aiter "
           "or flash-attn is not known (--with, --without)",
}  # fmt: skip


def assumptions_of(
    tree: SourceTree, companion: Companion | None, device: Device
) -> tuple[Assumption, ...]:
    """The assumptions of this report, in order."""
    ids = ["A1", "A2"]
    if tree.distributions is None:
        ids += ["A3", "A4"]
    other = other_build(tree, device)
    if other:
        ids.append("A12" if other == "cpu" else "A14")
    else:
        ids.append("A5" if tree.built else "A9")
    if device.name == "cpu":
        ids.append("A11")
    if companion is None:
        ids.append("A6")
    ids += ["A7", "A8", "A10"]
    if device.product_name is None and products(device):
        ids.append("A13")
    confirmed = {"A1": bool(tree.origin == "installed" and not tree.plugins)}
    return tuple(
        Assumption(i, TEXTS[i], confirmed.get(i, False))
        for i in sorted(ids, key=lambda i: int(i[1:]))
    )
