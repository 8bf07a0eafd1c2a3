"""The summary of torch."""

from __future__ import annotations

from mlapath.models import (
    torch_containers,
    torch_context,
    torch_control,
    torch_cpu,
    torch_cuda,
    torch_device,
    torch_distributed,
    torch_dtypes,
    torch_functional,
    torch_internals,
    torch_layers,
    torch_library,
    torch_module,
    torch_ops,
    torch_resolve,
    torch_tensor,
    torch_version,
)
from mlapath.models.api import Library

LIBRARY = Library(
    functions={
        **torch_tensor.FUNCTIONS, **torch_device.FUNCTIONS, **torch_dtypes.FUNCTIONS,
        **torch_functional.FUNCTIONS, **torch_context.FUNCTIONS, **torch_control.FUNCTIONS,
        **torch_library.FUNCTIONS, **torch_cpu.FUNCTIONS,
        **torch_cuda.FUNCTIONS, **torch_distributed.FUNCTIONS, **torch_version.FUNCTIONS,
    },
    values={
        **torch_tensor.VALUES, **torch_device.VALUES, **torch_dtypes.VALUES,
        **torch_module.VALUES, **torch_containers.VALUES, **torch_layers.VALUES,
        **torch_context.VALUES, **torch_library.VALUES, **torch_ops.VALUES, **torch_cuda.VALUES,
        **torch_distributed.VALUES, **torch_version.VALUES, **torch_internals.VALUES,
    },
    aliases={
        **torch_dtypes.ALIASES, **torch_tensor.ALIASES, **torch_module.ALIASES,
        **torch_containers.ALIASES, **torch_layers.ALIASES, **torch_context.ALIASES,
        **torch_library.ALIASES, **torch_cuda.ALIASES, **torch_distributed.ALIASES,
        **torch_version.ALIASES, **torch_internals.ALIASES,
    },
    distinct=torch_dtypes.DISTINCT,
    instances=torch_dtypes.INSTANCES,
    resolve={"torch": torch_resolve.resolve},
    parts={"torch": torch_ops.part_of_result},
)  # fmt: skip
