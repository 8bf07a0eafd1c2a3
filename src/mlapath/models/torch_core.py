"""The summary of torch's types, devices and tensors."""

from __future__ import annotations

from mlapath.models import torch_device, torch_dtypes, torch_tensor
from mlapath.models.api import Library

LIBRARY = Library(
    functions={**torch_tensor.FUNCTIONS, **torch_device.FUNCTIONS, **torch_dtypes.FUNCTIONS},
    values={**torch_tensor.VALUES, **torch_device.VALUES, **torch_dtypes.VALUES},
    aliases={**torch_dtypes.ALIASES, **torch_tensor.ALIASES},
    distinct=torch_dtypes.DISTINCT,
    instances=torch_dtypes.INSTANCES,
)
