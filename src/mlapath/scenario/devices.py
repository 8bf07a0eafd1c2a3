"""Device names: products and capabilities.

The one place that knows products. The facts are the vendors' public specifications: memory is
the nominal size of the largest variant (drivers report a few per cent less), a count that is not
published is None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mlapath.base.errors import UsageError
from mlapath.base.nearest import did_you_mean

GIB = 1024**3


@dataclass(frozen=True)
class Device:
    """What vLLM will find when it asks for its accelerator.

    ``name``: as the report prints it. ``platform``: ``cuda``, ``rocm``, ``cpu`` or ``xpu``.
    ``capability``: ``"9.0"`` for CUDA, ``"gfx942"`` for ROCm, else None. ``memory_bytes``,
    ``sm_count`` (multiprocessors or compute units) and ``product_name`` (as the driver reports
    it) are None where only a capability was given or the fact is not established.
    ``instructions``: of a CPU, every set of ``INSTRUCTIONS`` that it has; else None.
    """

    name: str
    platform: str
    capability: str | None
    memory_bytes: int | None = None
    sm_count: int | None = None
    product_name: str | None = None
    instructions: tuple[str, ...] | None = None

    @property
    def compute_capability(self) -> tuple[int, int] | None:
        """``(major, minor)`` as the CUDA and HIP runtimes report it; None for CPU and XPU."""
        if self.capability is None:
            return None
        if self.platform == "rocm":
            return _gfx_version(self.capability)
        major, _, minor = self.capability.partition(".")
        return int(major), int(minor)


def _cuda(name: str, capability: str, gib: int, sms: int | None, product: str) -> Device:
    return Device(name, "cuda", capability, gib * GIB, sms, product)


def _rocm(name: str, arch: str, gib: int, units: int, product: str) -> Device:
    return Device(name, "rocm", arch, gib * GIB, units, product)


INSTRUCTIONS = ("avx2", "avx512", "avx512_bf16", "amx")
"""Sets of instructions of x86-64 servers, each with those before it (VNNI comes with bf16)."""


def _cpu(most: str | None = None) -> Device:
    """A server whose most advanced set is ``most``; without one of the newest kind (A11)."""
    name = "cpu" if most is None else f"cpu:{most}"
    count = INSTRUCTIONS.index(most or INSTRUCTIONS[-1]) + 1
    return Device(name, "cpu", None, instructions=INSTRUCTIONS[:count])


PRODUCTS: tuple[Device, ...] = (
    _cuda("v100", "7.0", 32, 80, "Tesla V100-SXM2-32GB"),
    _cuda("t4", "7.5", 16, 40, "Tesla T4"),
    _cuda("a100", "8.0", 80, 108, "NVIDIA A100-SXM4-80GB"),
    _cuda("a800", "8.0", 80, 108, "NVIDIA A800-SXM4-80GB"),
    _cuda("a30", "8.0", 24, 56, "NVIDIA A30"),
    _cuda("a10", "8.6", 24, 72, "NVIDIA A10"),
    _cuda("a10g", "8.6", 24, 80, "NVIDIA A10G"),
    _cuda("a40", "8.6", 48, 84, "NVIDIA A40"),
    _cuda("rtx-a6000", "8.6", 48, 84, "NVIDIA RTX A6000"),
    _cuda("rtx-3090", "8.6", 24, 82, "NVIDIA GeForce RTX 3090"),
    _cuda("l4", "8.9", 24, 58, "NVIDIA L4"),
    _cuda("l20", "8.9", 48, 92, "NVIDIA L20"),
    _cuda("l40", "8.9", 48, 142, "NVIDIA L40"),
    _cuda("l40s", "8.9", 48, 142, "NVIDIA L40S"),
    _cuda("rtx-4090", "8.9", 24, 128, "NVIDIA GeForce RTX 4090"),
    _cuda("rtx-6000-ada", "8.9", 48, 142, "NVIDIA RTX 6000 Ada Generation"),
    _cuda("h20", "9.0", 96, 78, "NVIDIA H20"),
    _cuda("h100", "9.0", 80, 132, "NVIDIA H100 80GB HBM3"),
    _cuda("h100-pcie", "9.0", 80, 114, "NVIDIA H100 PCIe"),
    _cuda("h800", "9.0", 80, 132, "NVIDIA H800"),
    _cuda("h200", "9.0", 141, 132, "NVIDIA H200"),
    _cuda("gh200", "9.0", 96, 132, "NVIDIA GH200 480GB"),
    _cuda("b200", "10.0", 180, 148, "NVIDIA B200"),
    _cuda("gb200", "10.0", 186, 152, "NVIDIA GB200"),
    _cuda("b300", "10.3", 270, None, "NVIDIA B300"),
    _cuda("gb300", "10.3", 278, None, "NVIDIA GB300"),
    _cuda("thor", "11.0", 128, 20, "NVIDIA Thor"),
    _cuda("rtx-5080", "12.0", 16, 84, "NVIDIA GeForce RTX 5080"),
    _cuda("rtx-5090", "12.0", 32, 170, "NVIDIA GeForce RTX 5090"),
    _cuda("rtx-pro-6000", "12.0", 96, 188, "NVIDIA RTX PRO 6000 Blackwell Workstation Edition"),
    _cuda("dgx-spark", "12.1", 128, 48, "NVIDIA GB10"),
    _rocm("mi210", "gfx90a", 64, 104, "AMD Instinct MI210"),
    _rocm("mi250x", "gfx90a", 64, 110, "AMD Instinct MI250X"),
    _rocm("mi300x", "gfx942", 192, 304, "AMD Instinct MI300X"),
    _rocm("mi308x", "gfx942", 192, 80, "AMD Instinct MI308X"),
    _rocm("mi325x", "gfx942", 256, 304, "AMD Instinct MI325X"),
    _rocm("mi350x", "gfx950", 288, 256, "AMD Instinct MI350X"),
    _rocm("mi355x", "gfx950", 288, 256, "AMD Instinct MI355X"),
    _cpu(),
    *(_cpu(name) for name in INSTRUCTIONS),
    Device("xpu", "xpu", None),
)

_ALIASES = {"gb10": "dgx-spark", "spark": "dgx-spark", "mi250": "mi250x"}
_VENDOR_WORDS = re.compile(r"^(nvidia|amd|geforce|instinct|tesla)+")
_DOTTED = re.compile(r"(?:cuda:)?(\d{1,2})\.(\d)")
_SM = re.compile(r"sm_?(\d{1,2})(\d)[af]?")
_GFX = re.compile(r"(?:rocm:)?(gfx(\d{1,2})(\d)([0-9a-f]))")
_MAJORS = range(5, 20)
_SHOWN = (
    "a100 l40s h20 h100 h200 b200 gb200 b300 gb300 rtx-5090 rtx-pro-6000 dgx-spark "
    "mi300x mi355x cpu cpu:avx512 xpu"
)


def device_names() -> tuple[str, ...]:
    """Every product name that ``parse_device`` knows, sorted."""
    return tuple(sorted(device.name for device in PRODUCTS))


def products(device: Device) -> tuple[Device, ...]:
    """The products that a device may be: of a capability alone, all known ones that have it."""
    if device.product_name is not None:
        return tuple(p for p in PRODUCTS if p.product_name == device.product_name)
    if device.capability is None:
        return ()
    return tuple(
        p for p in PRODUCTS
        if (p.platform, p.capability) == (device.platform, device.capability)
    )  # fmt: skip


def parse_device(text: str) -> Device:
    """Give the device that ``text`` names: a product in any spelling, or a capability.

    ``RTX 5090``, ``rtx5090`` and ``NVIDIA GeForce RTX 5090`` are one product; ``9.0``, ``sm90``,
    ``sm_90a``, ``cuda:9.0``, ``gfx942`` are capabilities: it is one of the ``products``.

    Raises:
        UsageError: nothing has that name; the line has the nearest names and the common ones.
    """
    known = {_fold(device.name): device for device in PRODUCTS}
    known |= {_fold(d.product_name): d for d in PRODUCTS if d.product_name is not None}
    known |= {alias: known[_fold(name)] for alias, name in _ALIASES.items()}
    device = known.get(_fold(text)) or _by_capability(text.strip().lower())
    if device is None:
        raise UsageError(
            f"unknown device {text!r}{did_you_mean(text.strip(), device_names())} "
            f"(names: {_SHOWN}; or a capability such as 9.0, sm90, gfx942)"
        )
    return device


def _by_capability(text: str) -> Device | None:
    gfx = _GFX.fullmatch(text)
    if gfx is not None:
        return Device(gfx[1], "rocm", gfx[1])
    cuda = _DOTTED.fullmatch(text) or _SM.fullmatch(text)
    if cuda is None or int(cuda[1]) not in _MAJORS:
        return None
    capability = f"{int(cuda[1])}.{cuda[2]}"
    return Device(capability, "cuda", capability)


def _gfx_version(arch: str) -> tuple[int, int] | None:
    match = _GFX.fullmatch(arch)
    return None if match is None else (int(match[2]), int(match[3]))


def _fold(text: str) -> str:
    """Drop case, punctuation and the vendor's words, so that spellings of a product meet."""
    folded = re.sub(r"[^a-z0-9]", "", text.lower())
    return _VENDOR_WORDS.sub("", folded) or folded
