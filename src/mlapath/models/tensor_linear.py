"""Products of tensors: shapes and types; contents are not followed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlapath.models.api import Fn, argument
from mlapath.models.array_broadcast import broadcast
from mlapath.models.array_dtype import promote
from mlapath.models.array_math import dtype_value
from mlapath.models.array_value import dims_of, is_array, like, name_of, size_of
from mlapath.models.tensor_arguments import finish, method, tensor
from mlapath.values.value import Unknown, V


def matmul(it: Any, a: V, b: V) -> V:
    """``a @ b``."""
    x, y = dims_of(a), dims_of(b)
    names = name_of(a), name_of(b)
    name = promote(*names) if None not in names else None  # type: ignore[arg-type]
    dtype = dtype_value(it, a, name)
    if x is None or y is None or not x or not y:
        return like(it, a, None, dtype)
    inner = x[-1], y[-2] if len(y) > 1 else y[0]
    if all(type(d.d) is int for d in inner) and inner[0].d != inner[1].d:
        it.throw("RuntimeError", f"mat1 and mat2 shapes cannot be multiplied ({inner[0].d} and "
                 f"{inner[1].d})")  # fmt: skip
    lead = broadcast(it, [x[:-2], y[:-2]])
    if lead is None:
        return like(it, a, None, dtype)
    out = [*lead, *(x[-2:-1] if len(x) > 1 else ()), *(y[-1:] if len(y) > 1 else ())]
    return like(it, a, out, dtype)


def _product(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    other = argument(args, kwargs, 0, "other") or kwargs.get("mat2") or V(Unknown("a matrix"))
    return matmul(it, base, tensor(it, other))


def _operator(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return matmul(it, args[0], tensor(it, args[1]))


def _reflected(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return matmul(it, tensor(it, args[1]), args[0])


def linear(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``x @ weight.T + bias``."""
    weight = tensor(it, argument(args, kwargs, 0, "weight") or V(Unknown("a weight")))
    x, w = dims_of(base), dims_of(weight)
    if x is None or w is None or not x:
        return like(it, base, None)
    inner = x[-1], w[-1]
    if all(type(d.d) is int for d in inner) and inner[0].d != inner[1].d:
        it.throw("RuntimeError", "mat1 and mat2 shapes cannot be multiplied "
                 f"({inner[0].d} and {inner[1].d})")  # fmt: skip
    return like(it, base, [*x[:-1], *w[:-1]])


def _added(skip: int) -> Any:
    """``addmm`` and the like: bias first."""

    def fn(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
        return matmul(it, tensor(it, args[skip]), tensor(it, args[skip + 1]))

    return fn


def outer(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    x, y = dims_of(base), dims_of(tensor(it, args[0]))
    return like(it, base, None if x is None or y is None else [*x, *y])


def einsum(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``einsum("bij,bjk->bik", a, b)``: the sizes of the letters."""
    parts = list(args[1:])
    if len(parts) == 1 and not is_array(parts[0]):
        listed = it.iterate(parts[0])
        parts = list(listed) if listed is not None else parts
    tensors = [tensor(it, p) for p in parts]
    text = args[0].d
    if type(text) is not str or "->" not in text or not tensors:
        return like(it, tensors[0], None)
    left, _, right = text.replace(" ", "").partition("->")
    sizes: dict[str, V] = {}
    for letters, value in zip(left.split(","), tensors, strict=False):
        dims = dims_of(value)
        if dims is None or "..." in letters or len(dims) != len(letters):
            return like(it, tensors[0], None)
        for letter, dim in zip(letters, dims, strict=True):
            old = sizes.get(letter)
            if old is None or type(old.d) is not int:
                sizes[letter] = dim
    return like(it, tensors[0], [sizes[c] for c in right])


def _scaled(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``torch._scaled_mm``: a product with an output type of its own."""
    made = matmul(it, base, tensor(it, args[0]))
    dtype = kwargs.get("out_dtype")
    return made if dtype is None or dtype.d is None else like(it, base, dims_of(made), dtype)


def _same(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return like(it, base, dims_of(base))


def shapes_of(it: Any, args: Sequence[V]) -> list[V] | None:
    """``broadcast_shapes`` of sequences of numbers."""
    found = [it.iterate(a) for a in args]
    return None if any(f is None for f in found) else broadcast(it, found)


def broadcast_shapes(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return size_of(it, shapes_of(it, args))


def broadcast_tensors(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    tensors = [tensor(it, a) for a in args]
    dims = broadcast(it, [dims_of(t) for t in tensors])
    return V(tuple(like(it, t, dims) for t in tensors))


def complex_view(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    return like(it, base, None if dims is None else dims[:-1], dtype_value(it, base, "complex64"))


def real_view(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    return like(it, base, None if dims is None else [*dims, V(2)],
                dtype_value(it, base, "float32"))  # fmt: skip


FUNCTIONS: dict[str, Fn] = {
    "matmul": method(_product), "mm": method(_product), "bmm": method(_product),
    "mv": method(_product), "dot": method(_product), "inner": method(_product),
    "addmm": method(_added(0)), "baddbmm": method(_added(0)), "outer": method(outer),
    "einsum": lambda it, a, k: finish(it, einsum(it, a, k), k), "_scaled_mm": method(_scaled),
    "broadcast_shapes": broadcast_shapes, "broadcast_tensors": broadcast_tensors,
    "view_as_complex": method(complex_view), "view_as_real": method(real_view),
    "polar": method(lambda it, b, a, k: like(it, b, dims_of(b),
                                             dtype_value(it, b, "complex64"))),
}  # fmt: skip
METHODS: dict[str, Fn] = {
    **{k: v for k, v in FUNCTIONS.items()
       if k not in ("einsum", "_scaled_mm", "broadcast_shapes", "broadcast_tensors")},
    "__matmul__": _operator, "__rmatmul__": _reflected,
}  # fmt: skip
