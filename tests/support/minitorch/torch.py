"""As much of torch as the miniature trees use: shapes, and data only where it is small integers.

Runs in a process of its own, in the place of torch.
"""

from __future__ import annotations

from types import SimpleNamespace


class dtype:  # noqa: N801 - torch's name
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"torch.{self.name}"


bfloat16, float16, float32, int32, int64 = (
    dtype(name) for name in ("bfloat16", "float16", "float32", "int32", "int64")
)
_default = [float32]


def get_default_dtype():
    return _default[0]


def set_default_dtype(value):
    _default[0] = value


class Tensor:
    """``data``: the values of a vector of integers, else None."""

    def __init__(self, shape, kind=None, data=None, device="cuda"):
        self.shape = tuple(shape)
        self.dtype = kind or _default[0]
        self.device = device
        self.data = data

    def size(self, dim):
        return self.shape[dim]

    def _like(self, shape):
        return Tensor(shape, self.dtype, None, self.device)

    def __getitem__(self, index):
        if self.data is not None:
            found = self.data[index]
            return vector(found) if isinstance(index, slice) else vector([found])
        index = index if isinstance(index, tuple) else (index,)
        if Ellipsis in index:
            at = index.index(Ellipsis)
            free = len(self.shape) - len(index) + 1
            index = (*index[:at], *[slice(None)] * free, *index[at + 1 :])
        index += (slice(None),) * (len(self.shape) - len(index))
        return self._like(
            len(range(*part.indices(size)))
            for part, size in zip(index, self.shape, strict=True)
            if isinstance(part, slice)
        )

    def view(self, *shape):
        known = 1
        for size in shape:
            known *= size if size >= 0 else 1
        total = 1
        for size in self.shape:
            total *= size
        assert total % known == 0, (self.shape, shape)
        return self._like(size if size >= 0 else total // known for size in shape)

    def split(self, sizes, dim=-1):
        assert dim == -1
        assert sum(sizes) == self.shape[-1], (self.shape, sizes)
        return [self._like((*self.shape[:-1], size)) for size in sizes]

    def chunk(self, count, dim=-1):
        return self.split([self.shape[-1] // count] * count, dim)

    def unsqueeze(self, dim):
        return self._like((*self.shape[:dim], 1, *self.shape[dim:]))

    def flatten(self, start):
        rest = 1
        for size in self.shape[start:]:
            rest *= size
        return self._like((*self.shape[:start], rest))

    def copy_(self, other):
        assert len(self.shape) == len(other.shape), (self.shape, other.shape)
        return self

    def fill_(self, _value):
        return self

    def __add__(self, other):
        return self

    def __sub__(self, other):
        return vector([a - b for a, b in zip(self.data, other.data, strict=True)])

    def __gt__(self, limit):
        return vector([int(value > limit) for value in self.data])

    def int(self):
        return self

    def argmax(self, dim=-1):
        return vector([self.data.index(max(self.data))])

    def item(self):
        return self.data[0]

    def __index__(self):
        return self.data[0]


def vector(values):
    return Tensor((len(values),), int64, list(values))


def empty(*shape, dtype=None, device="cuda"):
    shape = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    return Tensor(shape, dtype, None, device)


def tensor(values):
    return vector(values)


def empty_like(other):
    return Tensor(other.shape, other.dtype)


def any(values):  # noqa: A001 - torch's name
    return 1 in values.data


def _linear(x, weight):
    assert x.shape[-1] == weight.shape[1], (x.shape, weight.shape)
    return Tensor((*x.shape[:-1], weight.shape[0]), x.dtype)


class Module:
    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def named_children(self):
        return [(k, v) for k, v in vars(self).items() if isinstance(v, Module)]


class ModuleList(Module):
    def __init__(self, modules):
        self.items = list(modules)

    def __iter__(self):
        return iter(self.items)

    def named_children(self):
        return [(str(at), module) for at, module in enumerate(self.items)]


nn = SimpleNamespace(
    Module=Module,
    ModuleList=ModuleList,
    Parameter=lambda value, requires_grad=True: value,
    functional=SimpleNamespace(linear=_linear),
)
ops = SimpleNamespace(vllm=SimpleNamespace())


class Library:
    def __init__(self, namespace, kind):
        pass

    def define(self, schema):
        pass

    def impl(self, name, function, dispatch_key):
        setattr(ops.vllm, name, function)


library = SimpleNamespace(Library=Library, infer_schema=lambda function, mutates_args: "()")
distributed = SimpleNamespace(
    is_initialized=lambda: False, init_process_group=lambda **_options: None
)
