"""The GPU of this machine, asked of the driver's own tool: nothing is loaded or initialised."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence

from mlapath.base.errors import UsageError
from mlapath.scenario.devices import Device, device_names, parse_device

RunTool = Callable[[Sequence[str]], "str | None"]

_QUERY = ("nvidia-smi", "--query-gpu=name,compute_cap", "--format=csv,noheader")
_SECONDS = 10.0


def find_local_device(run: RunTool | None = None) -> Device:
    """Give the first visible NVIDIA GPU, as the driver describes it.

    ``run(command)`` gives a tool's standard output, or None where it is absent or fails.

    Raises:
        UsageError: no GPU is visible; the line lists the names that ``--device`` takes.
    """
    lines = ((run or _run)(_QUERY) or "").splitlines()
    fields = [field.strip() for field in lines[0].split(",")] if lines else []
    if len(fields) != 2:
        raise UsageError(
            f"no GPU is visible here: name one with --device ({' '.join(device_names())})"
        )
    product, capability = fields
    try:
        known = parse_device(product)
    except UsageError:
        known = None
    if known is not None and known.capability == capability:
        return known
    plain = parse_device(capability)
    return Device(plain.name, plain.platform, plain.capability, product_name=product)


def _run(command: Sequence[str]) -> str | None:
    tool = shutil.which(command[0])
    if tool is None:
        return None
    try:
        done = subprocess.run(
            [tool, *command[1:]],
            capture_output=True,
            check=True,
            text=True,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
