"""Small packages of which little is asked: progress bars, compilers of loops, the machine."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.models.support import gives, instance, nothing
from mlapath.models.torch_context import decorator
from mlapath.models.torch_functional import unknown_tensor
from mlapath.values.value import FALSE, NONE, Unknown, V

ITERABLE = "iterable"


def _bar_init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``tqdm(iterable, …)``."""
    source = argument(args, kwargs, 1, ITERABLE) or NONE
    it.heap.put(args[0].d.attrs, ITERABLE, source)
    for name in ("total", "desc", "disable"):
        it.heap.put(args[0].d.attrs, name, kwargs.get(name, NONE))
    it.heap.put(args[0].d.attrs, "n", V(Unknown("the count of a progress bar", "int", lo=0)))
    return NONE


def _bar_iter(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    source: V = args[0].d.attrs.get(ITERABLE, NONE)
    return source


def _bar_enter(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def _bar_exit(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return FALSE


def _bar(it: Any) -> V:
    """The class ``tqdm``: iterating it iterates what it shows."""
    methods: dict[str, Fn] = {
        "__init__": _bar_init, "__iter__": _bar_iter, "__enter__": _bar_enter,
        "__exit__": _bar_exit,
        **dict.fromkeys(("update", "close", "set_description", "set_postfix", "refresh", "reset",
                         "clear", "write", "set_description_str", "set_postfix_str"), nothing),
    }  # fmt: skip
    return V(make_class(it, "tqdm.std.tqdm", foreign="tqdm.std.tqdm", methods=methods,
                        facts={"truthy": True}))  # fmt: skip


def _memory(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``psutil.virtual_memory()``: numbers of bytes."""
    cls = make_class(it, "psutil._pslinux.svmem")
    fields = {name: V(Unknown(f"{name} memory of the machine", "int", lo=0, text=f"{name} memory"))
              for name in ("total", "available", "used", "free")}  # fmt: skip
    fields["percent"] = V(Unknown("memory in use", "float", lo=0, hi=100))
    return instance(it, cls, fields)


def _cpu_info(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    made = it.heap.dict()
    it.heap.open_dict(made, "facts of the processor")
    return V(made)


def _prange(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return it.call(it.builtins["range"], args, {})  # type: ignore[no-any-return]


FUNCTIONS: dict[str, Fn] = {
    **{f"numba.{name}": decorator for name in ("jit", "njit", "vectorize", "guvectorize")},
    "numba.prange": _prange, "psutil.virtual_memory": _memory,
    "psutil.cpu_count": gives("psutil.cpu_count", "int", lo=1),
    "psutil.swap_memory": _memory, "cpuinfo.get_cpu_info": _cpu_info,
    **{f"einops.{name}": unknown_tensor for name in ("rearrange", "repeat", "reduce", "einsum")},
    "cloudpickle.register_pickle_by_value": nothing, "setproctitle.setproctitle": nothing,
    "cloudpickle.dumps": gives("cloudpickle.dumps", "bytes"),
    "tqdm.auto.trange": _prange, "tqdm.trange": _prange, "tqdm.contrib.trange": _prange,
}  # fmt: skip
VALUES: dict[str, Factory] = {"tqdm.std.tqdm": _bar}
LIBRARY = Library(
    functions=FUNCTIONS,
    values=VALUES,
    aliases={f"tqdm.{name}": "tqdm.std.tqdm" for name in (
        "tqdm", "auto.tqdm", "asyncio.tqdm", "autonotebook.tqdm", "asyncio.tqdm_asyncio")},
)  # fmt: skip
