"""What releases of torch on the package index require or were built for, by their metadata."""

from __future__ import annotations

from typing import Any, NamedTuple


class Pins(NamedTuple):
    """triton: the release required on Linux. cuda: the release of the default wheels."""

    triton: str
    cuda: str


PINS = {
    "2.6": Pins("3.2.0", "12.4"), "2.7": Pins("3.3.1", "12.6"), "2.8": Pins("3.4.0", "12.8"),
    "2.9": Pins("3.5.1", "12.8"), "2.10": Pins("3.6.0", "12.8"), "2.11": Pins("3.6.0", "13.0"),
    "2.12": Pins("3.7.0", "13.0"), "2.13": Pins("3.7.1", "13.0"), "2.14": Pins("3.8.0", "13.0"),
}  # fmt: skip


def pins(it: Any) -> Pins | None:
    """The pins of the scenario's torch; None where its release is not listed."""
    version = it.facts.version("torch")
    return None if version is None else PINS.get(".".join(version.split(".")[:2]))
