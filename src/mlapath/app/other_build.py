"""What another build of a release is, where the tree at hand is its CUDA wheel or source.

vLLM is built for one platform. The Python files are the same in all builds; a build for CPUs or
for AMD's devices has a version of its own (``0.33.0+cpu``), other compiled extensions, and asks
for other packages. The package index has the CUDA wheel only, so this is an assumption (A12 and
A14), said in the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mlapath.scenario.devices import Device
from mlapath.scenario.facts import fold
from mlapath.source import SourceTree

EXTENSIONS: Mapping[str, frozenset[str]] = {
    "cpu": frozenset({"vllm._C", "vllm._C_AVX512", "vllm._C_AVX2"}),
    "rocm": frozenset({"vllm._C", "vllm._C_stable_libtorch", "vllm._moe_C",
                       "vllm._moe_C_stable_libtorch", "vllm._rocm_C", "vllm.cumem_allocator"}),
}  # fmt: skip
"""Platform -> what CMake builds for it: for CPUs an extension for each set of instructions."""
TORCH = ("torch", "torchaudio", "torchvision")


def other_build(tree: SourceTree, device: Device) -> str:
    """The platform whose build stands for the tree; "" if it is taken as it is.

    As what is installed is, and a wheel that is such a build itself.
    """
    platform = device.platform
    own = platform in (tree.version or "") or tree.distributions is not None
    return platform if platform in EXTENSIONS and not own else ""


def packages_left_out(tree: SourceTree) -> frozenset[str]:
    """Packages inside vLLM that the build for CUDA takes from other projects, with their kernels.

    A package below the top one that has compiled extensions of its own is one.
    """
    parents = {name.rpartition(".")[0] for name in tree.extensions}
    return frozenset(name for name in parents if "." in name)


def version_of(version: str | None, platform: str) -> str:
    """The version that another build of a release has; of an unknown one that of a first one."""
    return f"{(version or '0').partition('+')[0]}+{platform}"


def common(requires: Iterable[str]) -> Iterator[str]:
    """Of the lines of the CUDA wheel's metadata those that hold on every platform.

    The common requirements come first, then those of the platform, of which torch is the first
    that all platforms have.
    """
    platform = False
    for line in requires:
        name = fold(line.replace("[", " ").replace("=", " ").replace(">", " ").split()[0])
        platform = platform or name == TORCH[0]
        if not platform or name in TORCH:
            yield line
