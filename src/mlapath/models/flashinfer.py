"""flashinfer and the compiled modules of the tree: opaque, but not unknown.

The tree pins flashinfer's version and carries its own compiled modules, so by assumption they
have every name that the tree asks them for.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Library
from mlapath.values.origin import Origin
from mlapath.values.value import External, Unknown, V

DISTRIBUTION = "flashinfer-python"


def _resolve(it: Any, name: str) -> V | None:
    """A symbol of flashinfer, with the package as its evidence."""
    version = it.facts.version(DISTRIBUTION)
    label = f"package:{DISTRIBUTION}" + (f"=={version}" if version else "")
    return V(External(name), Origin("package", label=label, value=version))


def _version(it: Any) -> V:
    known = it.facts.version(DISTRIBUTION)
    if known is None:
        return V(Unknown("the version of flashinfer", "str", text="flashinfer.__version__"))
    return V(known, Origin("package", label=f"package:{DISTRIBUTION}=={known}", value=known))


LIBRARY = Library(
    values={"flashinfer.__version__": _version},
    resolve={"flashinfer": _resolve},
    assumed=frozenset({"flashinfer", "vllm"}),
)
