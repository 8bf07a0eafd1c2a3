"""torch's process-wide state: default type, default and current device, process groups."""

from __future__ import annotations

from typing import Any

from mlapath.values.objects import Cell
from mlapath.values.value import FALSE, NONE, External, V

KEY = "torch state"


def state(it: Any) -> Cell:
    """The state of one evaluation, as a cell that forks can restore.

    ``default_dtype``, ``default_device`` (None: cpu), ``outer_devices`` (those of the contexts
    around that of the default device), ``current_device`` (index), ``stream``;
    of torch.distributed: ``distributed`` (initialised?), ``rank``, ``world`` (the group).
    """
    found: Cell | None = it.store.get(KEY)
    if found is None:
        found = it.store[KEY] = it.heap.cell()
        found.born = 0  # as old as the evaluation, even if it is first asked for inside a fork
        found["default_dtype"] = V(External("torch.float32"))
        found["default_device"] = V(None)
        found["outer_devices"] = V(())
        found["current_device"] = V(0)
        found["distributed"] = FALSE
        found["rank"] = found["world"] = found["stream"] = NONE
    return found


def put(it: Any, key: str, value: V) -> None:
    """Change the state."""
    it.heap.put(state(it), key, value)
