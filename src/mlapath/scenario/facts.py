"""The facts of a deployment that the evaluator asks for.

Packages, compiled modules, files, environment, device. Names that nobody speaks of are absent
packages, by assumption.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mlapath.scenario.devices import Device
from mlapath.source.metadata import EntryPoint
from mlapath.values.truth import Truth

IMPORT_NAMES: Mapping[str, tuple[str, ...]] = {
    "pyyaml": ("yaml",), "pillow": ("PIL",), "opencv-python-headless": ("cv2",),
    "protobuf": ("google",), "scikit-learn": ("sklearn",), "py-cpuinfo": ("cpuinfo",),
    "pyzmq": ("zmq",), "flashinfer-python": ("flashinfer",),
    "flashinfer-cubin": ("flashinfer_cubin",), "flashinfer-jit-cache": ("flashinfer_jit_cache",),
    "nvidia-cudnn-frontend": ("cudnn",), "nvidia-cutlass-dsl": ("cutlass",),
    "quack-kernels": ("quack",), "python-json-logger": ("pythonjsonlogger",),
    "opentelemetry-api": ("opentelemetry",), "opentelemetry-sdk": ("opentelemetry",),
    "setuptools": ("setuptools", "pkg_resources"), "gguf": ("gguf",),
    "lm-format-enforcer": ("lmformatenforcer",), "prometheus-client": ("prometheus_client",),
    "compressed-tensors": ("compressed_tensors",), "mistral-common": ("mistral_common",),
    "model-hosting-container-standards": ("model_hosting_container_standards",),
    "amd-quark": ("quark",), "tokenspeed-mla": ("tokenspeed_mla",), "deep-gemm": ("deep_gemm",),
    "humming-kernels": ("humming",), "apache-tvm-ffi": ("tvm_ffi",),
    "torch": ("torch", "functorch", "torchgen"),
    "outlines-core": ("outlines_core",), "grpcio": ("grpc",), "ipython": ("IPython",),
}  # fmt: skip
"""Top-level modules of distributions whose import name is not their own (their metadata)."""

IMPLIED: tuple[str, ...] = (
    "torch", "functorch", "torchgen", "numpy", "transformers", "huggingface_hub",
    "safetensors", "tokenizers", "packaging", "typing_extensions", "jinja2",
    "yaml", "requests", "tqdm", "regex", "filelock", "fsspec",
    "networkx", "sympy", "mpmath", "pydantic", "pydantic_core", "annotated_types",
    "starlette", "uvicorn", "anyio", "httpx", "psutil", "zmq", "msgspec", "cloudpickle",
    "setuptools", "pkg_resources", "certifi", "idna", "urllib3", "charset_normalizer", "PIL",
    "attr", "attrs", "google", "dill", "scipy", "llvmlite", "numba", "frozenlist",
    "yarl", "multidict", "aiosignal", "markupsafe", "openai_harmony", "uvloop",
)  # fmt: skip
"""Modules that come with what vLLM requires, without being named by it (A4)."""
IMPLIED_BY_ACCELERATOR: tuple[str, ...] = (
    "triton", "ray", "cuda", "tvm_ffi", "apache_tvm_ffi",
)  # fmt: skip
"""Modules that come with what vLLM requires for an accelerator: torch for CPUs has no triton."""

BUILT_FOR_ROCM = frozenset({"aiter", "amd-aiter", "flash-attn", "flash_attn"})
"""What images of vLLM for AMD's devices bring along as a rule, and no metadata lists."""
JETSON = frozenset({"/etc/nv_tegra_release", "/sys/class/tegra-firmware"})
"""What NVIDIA's boards have whose driver lacks a management library."""
PROCESSES = frozenset({"/proc/cpuinfo", "/proc/meminfo"})
"""Files that every Linux has; what they say is not known."""
OUR_OWN = frozenset({"mlapath_api", "mlapath_drivers"})
NOT_ON_LINUX = frozenset({"winreg", "msvcrt", "_winapi", "winsound", "nt"})


@dataclass(frozen=True)
class Facts:
    """What is known of the machine.

    present/absent: what the user said, names of distributions or modules, versions or None.
    distributions: name -> version or None of what the tree's metadata or environment lists.
    complete: whether ``distributions`` is everything that is installed.
    extensions: compiled modules of the tree; built: whether a missing one is a fact.
    files: virtual files by absolute path (the model's folder).
    plugins: entry points of packages that are installed beside the tree.
    """

    device: Device
    env: Mapping[str, str]
    distributions: Mapping[str, str | None]
    extensions: frozenset[str] = frozenset()
    complete: bool = False
    built: bool = True
    present: Mapping[str, str | None] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    device_count: int = 1
    package: str = "vllm"
    plugins: tuple[EntryPoint, ...] = ()

    def has_module(self, name: str) -> Truth:
        """Whether ``import name`` succeeds, for a module that is not source of the tree."""
        top = name.partition(".")[0]
        if self._said(name, self.absent) or self._said(top, self.absent):
            return Truth.FALSE
        if self._said(name, self.present):
            return Truth.TRUE
        if top == self.package:
            return self._has_extension(name)
        if top in OUR_OWN:
            return Truth.TRUE
        if top in sys.stdlib_module_names:
            return Truth.FALSE if top in NOT_ON_LINUX else Truth.TRUE
        if self._said(top, self.present) or any(p.package == top for p in self.plugins):
            return Truth.TRUE
        listed = self.module_names
        if top in listed or not self.complete and top in self.implied:
            return Truth.TRUE
        return self._unlisted(top)

    def _unlisted(self, name: str) -> Truth:
        """Whether something is there that neither the metadata nor the user names."""
        open_ = self.device.platform == "rocm" and not self.complete
        return Truth.UNKNOWN if open_ and name in BUILT_FOR_ROCM else Truth.FALSE

    def _has_extension(self, name: str) -> Truth:
        if name in self.extensions:
            return Truth.TRUE
        return Truth.FALSE if self.built else Truth.UNKNOWN

    def _said(self, name: str, names: Mapping[str, str | None] | tuple[str, ...]) -> bool:
        return any(name == other or name in modules_of(other) for other in names)

    @property
    def implied(self) -> tuple[str, ...]:
        """Modules that come along with what is listed."""
        return IMPLIED if self.device.platform == "cpu" else (*IMPLIED, *IMPLIED_BY_ACCELERATOR)

    @cached_property
    def module_names(self) -> frozenset[str]:
        """Top-level modules of every listed distribution."""
        return frozenset(m for d in self.distributions for m in modules_of(d))

    def version(self, name: str) -> str | None:
        """The version of a distribution, where it is known."""
        wanted = fold(name)
        for table in (self.present, self.distributions):
            for other, version in table.items():
                if fold(other) == wanted and version is not None:
                    return version
        return None

    def has_distribution(self, name: str) -> Truth:
        """Whether ``importlib.metadata`` finds a distribution."""
        wanted = fold(name)
        if any(fold(x) == wanted for x in self.absent):
            return Truth.FALSE
        if any(fold(x) == wanted for table in (self.present, self.distributions) for x in table):
            return Truth.TRUE
        if not self.complete and any(fold(x) == wanted for x in self.implied):
            return Truth.TRUE
        return self._unlisted(wanted)

    def path_kind(self, path: str) -> str | None:
        """``file``, ``dir`` or ``absent``; None where nothing is known of the path.

        Known are the virtual model folder, what every Linux has, and that only NVIDIA's devices
        are in a Jetson.
        """
        path = path.rstrip("/")
        if path in self.files:
            return "file"
        if path in PROCESSES:
            return "file"
        if path in JETSON:
            return None if self.device.platform == "cuda" else "absent"
        folders = {known.rpartition("/")[0] for known in self.files}
        if path in folders:
            return "dir"
        return "absent" if any(path.startswith(f"{f}/") for f in folders) else None


def fold(name: str) -> str:
    """A distribution name in canonical form (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def modules_of(distribution: str) -> tuple[str, ...]:
    """Top-level modules of a distribution: listed ones, else its own name."""
    known = IMPORT_NAMES.get(fold(distribution))
    return known if known is not None else (re.sub(r"[-.]+", "_", distribution),)
