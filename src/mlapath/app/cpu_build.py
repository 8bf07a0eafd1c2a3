"""What a CPU build of a release is, where the tree at hand is the release's CUDA wheel or source.

vLLM is built for one platform. The Python files are the same in all builds; a build for CPUs has
a version of its own (``0.33.0+cpu``), other compiled extensions, and asks for other packages. The
package index has the CUDA wheel only, so this is an assumption (A12), said in the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mlapath.scenario.devices import Device
from mlapath.scenario.facts import fold
from mlapath.source import SourceTree

EXTENSIONS = frozenset({"vllm._C", "vllm._C_AVX512", "vllm._C_AVX2"})
"""The kernels, for the sets of instructions that CMake's ``cpu_extension`` builds them for."""
TORCH = ("torch", "torchaudio", "torchvision")


def is_cpu_build(tree: SourceTree, device: Device) -> bool:
    """Whether a CPU build stands for the tree.

    What is installed, and a wheel that is a CPU build itself, are taken as they are.
    """
    own = "cpu" in (tree.version or "")
    return device.platform == "cpu" and tree.distributions is None and not own


def packages_left_out(tree: SourceTree) -> frozenset[str]:
    """Packages inside vLLM that the build for CUDA takes from other projects, with their kernels.

    A package below the top one that has compiled extensions of its own is one.
    """
    parents = {name.rpartition(".")[0] for name in tree.extensions if name not in EXTENSIONS}
    return frozenset(name for name in parents if "." in name)


def version_of(version: str | None) -> str:
    """The version that a CPU build of a release has; of an unknown one that of a first release."""
    return f"{(version or '0').partition('+')[0]}+cpu"


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
