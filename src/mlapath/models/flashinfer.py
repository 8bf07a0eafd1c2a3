"""flashinfer and the compiled modules of the tree: opaque, but not unknown.

The tree pins flashinfer's version and carries its own compiled modules, so by assumption they
have every name that the tree asks them for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from packaging.version import Version

from mlapath.models.api import Library, argument
from mlapath.models.array_value import dimension, dims_of, is_array, like
from mlapath.models.callable_parameters import KEYWORD_ONLY, CallParameter, CallSignature
from mlapath.models.stdlib_inspect_signature import make_signature
from mlapath.models.tensor_arguments import unknown_dtype
from mlapath.values.objects import Native
from mlapath.values.origin import Origin
from mlapath.values.value import External, Union, Unknown, V

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


KEYWORDS: Mapping[str, Mapping[str, str]] = {
    "flashinfer.mla.BatchMLAPagedAttentionWrapper.run": {"ckv_scale_arr": "0.6.18"},
}
"""Keyword-only parameters that a function has since a release: those that the tree asks
``inspect.signature`` for (the tree's error message names the release)."""


def _function(name: str) -> Callable[[Any], V]:
    """A function, some of whose parameters are known where the version is."""

    def factory(it: Any) -> V:
        symbol = _resolve(it, name)
        version = it.facts.version(DISTRIBUTION)
        if symbol is None or version is None:
            return V(External(name), None if symbol is None else symbol.o)
        made = Native(name, lambda i, a, k: i.call_external(symbol.d, symbol, a, k, ""))
        known = [CallParameter(p, KEYWORD_ONLY) for p, since in KEYWORDS[name].items()
                 if Version(version) >= Version(since)]  # fmt: skip
        signature = make_signature(it, CallSignature(tuple(known)))
        it.heap.open_dict(signature.d.attrs["parameters"].d, f"the other parameters of {name}")
        made.attrs = it.heap.cell({"__signature__": signature})
        return V(made, symbol.o)

    return factory


GEMM = "flashinfer.gemm.fp8_blockscale_gemm_sm90"


def _gemm(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``(input, weight, input_scale, weight_scale, out, out_dtype)``: rows by output features."""
    opaque: V = it.call_external(External(GEMM), V(External(GEMM)), args, kwargs, "")
    given, weight = argument(args, kwargs, 0, "input"), argument(args, kwargs, 1, "weight")
    out = argument(args, kwargs, 4, "out")
    dtype = argument(args, kwargs, 5, "out_dtype")
    if out is not None and out.d is not None:
        return out
    if given is None or weight is None or not is_array(given):
        return opaque
    rows = dims_of(given)
    if rows is None or len(rows) != 2:
        return opaque
    known = dtype if dtype is not None and dtype.d is not None else unknown_dtype()
    return like(it, given, [rows[0], _features(weight)], known)


def _features(weight: V) -> V:
    """The number of output features, where all that the weight may be agree on it."""
    options = weight.d.options if type(weight.d) is Union else (weight,)
    found = [dims_of(x) if is_array(x) else None for x in options]
    first = {dims[0].d for dims in found if dims and type(dims[0].d) is int}
    if len(first) == 1 and all(dims and type(dims[0].d) is int for dims in found):
        return V(first.pop(), weight.o)
    return dimension("the output features of an unknown weight")


LIBRARY = Library(
    functions={GEMM: _gemm},
    values={"flashinfer.__version__": _version, **{name: _function(name) for name in KEYWORDS}},
    resolve={"flashinfer": _resolve},
    assumed=frozenset({"flashinfer", "vllm"}),
)
