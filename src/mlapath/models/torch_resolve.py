"""Names of torch without a summary of their own: what their place in the package tells."""

from __future__ import annotations

from typing import Any

from mlapath.models.torch_functional import unknown_tensor
from mlapath.models.torch_layers import other_layer
from mlapath.models.torch_names import TENSOR_FUNCTIONS
from mlapath.models.torch_tensor import unmodelled_function
from mlapath.values.objects import Native
from mlapath.values.value import V

NOT_LAYERS = ("DataParallel", "Parameter", "Buffer", "Module")


def resolve(it: Any, name: str) -> V | None:
    """A layer, a function that gives a tensor, or None: an opaque symbol."""
    parts = name.split(".")
    last = parts[-1]
    if name.startswith("torch.nn.functional.") and len(parts) == 4:
        return V(Native(name, unknown_tensor))
    if name.startswith("torch.nn.") and last[:1].isupper() and last not in NOT_LAYERS:
        if len(parts) == 3:
            return other_layer(it, f"torch.nn.modules.{last}")
        if parts[2] == "modules":
            return it.models.symbol(it, f"torch.nn.{last}")  # type: ignore[no-any-return]
    if len(parts) == 2 and last in TENSOR_FUNCTIONS and not last.startswith("_"):
        return V(Native(name, unmodelled_function(last)))
    return None
