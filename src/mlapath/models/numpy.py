"""The summary of numpy."""

from __future__ import annotations

from mlapath.models import numpy_array, numpy_functions, numpy_types
from mlapath.models.api import Library
from mlapath.values.value import V

LIBRARY = Library(
    functions={
        **{f"numpy.{name}": fn for name, fn in numpy_functions.FUNCTIONS.items()},
        **numpy_types.FUNCTIONS,
    },
    values={
        **numpy_types.VALUES, **numpy_array.VALUES,
        **{f"numpy.{name}": build for name, build in numpy_functions.UFUNCS.items()},
        "numpy.inf": lambda it: V(float("inf")), "numpy.nan": lambda it: V(float("nan")),
        "numpy.pi": lambda it: V(3.141592653589793), "numpy.newaxis": lambda it: V(None),
        "numpy.e": lambda it: V(2.718281828459045),
    },
    aliases={**numpy_types.ALIASES, "numpy.iinfo": "torch.iinfo", "numpy.finfo": "torch.finfo"},
)  # fmt: skip
