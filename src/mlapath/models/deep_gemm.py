"""DeepGEMM, installed or carried by the tree: which of its functions give tensors or numbers.

Everything else of it writes into its ``out`` arguments and gives nothing that is asked.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn, Library
from mlapath.models.torch_functional import unknown_tensor
from mlapath.values.value import Unknown, V

MODULES = ("deep_gemm", "vllm.third_party.deep_gemm._C", "torch.ops.deep_gemm")
TENSORS = (
    "transform_sf_into_required_layout", "get_mn_major_tma_aligned_packed_ue8m0_tensor",
    "get_mn_major_tma_aligned_tensor", "get_col_major_tma_aligned_tensor", "pack_ue8m0_to_int",
    "get_k_grouped_mn_major_tma_aligned_packed_ue8m0_tensor", "fp8_mqa_logits",
    "fp8_paged_mqa_logits", "fp8_fp4_mqa_logits", "fp8_fp4_paged_mqa_logits",
    "fp8_fp4_sparse_mqa_logits", "get_paged_mqa_logits_metadata",
)  # fmt: skip
NUMBERS = (
    "get_num_sms", "get_tc_util", "get_m_alignment_for_contiguous_layout",
    "get_mk_alignment_for_contiguous_layout",
    "get_theoretical_mk_alignment_for_contiguous_layout",
)  # fmt: skip


def _number(name: str) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        return V(Unknown(f"the result of {name}()", "int", lo=0))

    return fn


def _tensor(name: str) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        it.trace.external(it.frame, name)
        return unknown_tensor(it, args, kwargs)

    return fn


TABLE: dict[str, Fn] = {
    **{f"{module}.{name}": _tensor(f"{module}.{name}") for module in MODULES for name in TENSORS},
    **{f"{module}.{name}": _number(name) for module in MODULES for name in NUMBERS},
}
LIBRARY = Library(functions=TABLE)
