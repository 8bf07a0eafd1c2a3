"""``torch.distributed``: process groups as lists of ranks, collectives as forgotten contents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Fn, argument, make_class
from mlapath.models.array_value import forget
from mlapath.models.device_facts import platform
from mlapath.models.tensor_arguments import truth
from mlapath.models.torch_state import put, state
from mlapath.values.objects import ClassObj, Instance, ListObj
from mlapath.values.union import options
from mlapath.values.value import FALSE, NONE, TRUE, External, Union, Unknown, V

PACKAGE = "torch.distributed"
C10D = f"{PACKAGE}.distributed_c10d"
OPAQUE = ("TCPStore", "FileStore", "HashStore", "PrefixStore", "Store", "P2POp",
          "ProcessGroupNCCL", "ProcessGroupGloo", "Work")  # fmt: skip
IN_PLACE = ("all_reduce", "broadcast", "reduce", "recv", "irecv")
INTO_FIRST = ("all_gather_into_tensor", "all_gather", "reduce_scatter_tensor", "reduce_scatter",
              "all_to_all_single", "all_to_all", "_all_gather_base", "_reduce_scatter_base",
              "scatter")  # fmt: skip


def group_class(it: Any) -> ClassObj:
    """``ProcessGroup``."""
    cls: ClassObj = it.models.symbol(it, f"{PACKAGE}.ProcessGroup").d
    return cls


def new_group(it: Any, ranks: V, backend: V) -> V:
    """A process group of these ranks."""
    made = Instance(group_class(it), it.heap.cell())
    made.attrs["ranks"] = ranks
    made.attrs["backend"] = backend
    return V(made, ranks.o)


def initialized(it: Any) -> V:
    """Whether ``init_process_group`` has run."""
    flag: V = state(it)["distributed"]
    return flag


def _init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``init_process_group(backend, world_size=…, rank=…)``."""
    size = kwargs.get("world_size") or V(-1)
    rank = kwargs.get("rank") or V(-1)
    if size.d == -1:
        size = V(Unknown("the number of processes", "int", lo=1, text="world_size"))
    if rank.d == -1:
        rank = V(Unknown("the rank of the process", "int", lo=0, text="rank"))
    backend = argument(args, kwargs, 0, "backend") or V(None)
    if backend.d is None:
        backend = V("nccl" if platform(it) in ("cuda", "rocm") else "gloo")
    put(it, "distributed", TRUE)
    put(it, "rank", rank)
    ranks = V(it.heap.list([V(i) for i in range(size.d)] if type(size.d) is int else []), size.o)
    if type(size.d) is not int:
        it.heap.open_list(ranks.d, "the ranks of an unknown number of processes")
    put(it, "world", new_group(it, ranks, backend))
    return NONE


def _destroy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    group = argument(args, kwargs, 0, "group")
    if group is None or group.d is None:
        put(it, "distributed", FALSE)
    return NONE


def _is_initialized(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return initialized(it)


def _group(it: Any, value: V | None) -> V | None:
    """The group that a ``group`` argument means."""
    if value is None or value.d is None:
        world: V = state(it)["world"]
        return None if world.d is None else world
    return value


def _ranks(it: Any, group: V | None) -> list[V] | None:
    """The ranks of a group, of one of several that have the same; None: not known."""
    if group is not None and type(group.d) is Union:
        first, *others = (_ranks(it, option) for option in group.d.options)
        return (
            first if first is not None and all(_same(first, other) for other in others) else None
        )
    if group is None or type(group.d) is not Instance:
        return None
    ranks = group.d.attrs.get("ranks")
    if ranks is None or type(ranks.d) is not ListObj or ranks.d.open:
        return None
    items: list[V] = ranks.d.items
    return items


def _same(a: list[V], b: list[V] | None) -> bool:
    return b is not None and len(a) == len(b) and all(
        type(x.d) is int and x.d == y.d for x, y in zip(a, b, strict=True)
    )  # fmt: skip


def _require(it: Any) -> None:
    if initialized(it).d is False:
        it.throw("ValueError", "Default process group has not been initialized, please make sure "
                 "to call init_process_group.")  # fmt: skip


def _world_size(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    group = _group(it, argument(args, kwargs, 0, "group"))
    _require(it)
    ranks = _ranks(it, group)
    if ranks is None:
        return V(Unknown("the size of a process group", "int", lo=1))
    known = group is not None and type(group.d) is Instance
    return V(len(ranks), group.d.attrs["ranks"].o if known else None)  # type: ignore[union-attr]


def _rank(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    given = argument(args, kwargs, 0, "group")
    _require(it)
    own: V = state(it)["rank"]
    if given is None or given.d is None:
        return own
    ranks = _ranks(it, given)
    if ranks is None or type(own.d) is not int or any(type(r.d) is not int for r in ranks):
        return V(Unknown("the rank in a process group", "int", lo=-1), own.o)
    plain = [r.d for r in ranks]
    return V(plain.index(own.d) if own.d in plain else -1, own.o)


def _group_ranks(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    ranks = _ranks(it, _group(it, argument(args, kwargs, 0, "group")))
    if ranks is None:
        return V(Unknown("the ranks of a process group", "list"))
    return V(it.heap.list(list(ranks)))


def _make_group(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``new_group(ranks, backend=…)``."""
    ranks = argument(args, kwargs, 0, "ranks") or NONE
    world = _group(it, None)
    listed = None if ranks.d is None else it.iterate(ranks)
    if ranks.d is None and world is not None and type(world.d) is Instance:
        copied = world.d.attrs["ranks"]
    else:
        copied = V(it.heap.list(list(listed or ())), ranks.o)
        if listed is None or it.is_open(ranks):
            it.heap.open_list(copied.d, "ranks that are not known")
    backend = kwargs.get("backend")
    if backend is None or backend.d is None:
        backend = _backend(it, [], {})
    return new_group(it, copied, backend)


def _backend(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    group = _group(it, argument(args, kwargs, 0, "group"))
    groups = [] if group is None else options(group)
    known = [o.d.attrs.get("backend") if type(o.d) is Instance else None for o in groups]
    if not known or None in known:
        return V(Unknown("a backend", "str"))
    return it.union(known)  # type: ignore[no-any-return]


def _work(it: Any, kwargs: dict[str, V]) -> V:
    """What a collective returns: None, or a handle where it is asynchronous."""
    if truth(it, kwargs.get("async_op")) is False:
        return NONE
    return V(Unknown("a handle of a collective", "object", "torch.distributed.Work"))


def _collective(place: int) -> Fn:
    """Others' values arrive in the argument at ``place``; alone, it keeps its own."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        ranks = _ranks(it, _group(it, kwargs.get("group")))
        target = args[place] if place < len(args) else next(iter(kwargs.values()), NONE)
        if place or ranks is None or len(ranks) != 1 or len(args) > 1:
            forget(it, target)
        return _work(it, kwargs)

    return fn


def _objects(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``broadcast_object_list(list, src)``: kept on the source and alone, else unknown."""
    group = _group(it, kwargs.get("group"))
    ranks = _ranks(it, group)
    source = argument(args, kwargs, 1, "src")
    own = state(it)["rank"]
    if ranks is not None and len(ranks) == 1:
        return NONE
    if source is not None and type(own.d) is int and own.d == source.d:
        return NONE
    if type(args[0].d) is ListObj:
        for i in range(len(args[0].d.items)):
            it.setitem(args[0], V(i), V(Unknown("an object of another process")))
    return NONE


def _gather_objects(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``all_gather_object(list, object)``."""
    ranks = _ranks(it, _group(it, kwargs.get("group")))
    target = args[0]
    if type(target.d) is ListObj:
        for i in range(len(target.d.items)):
            alone = ranks is not None and len(ranks) == 1
            it.setitem(target, V(i), args[1] if alone else V(
                Unknown("an object of another process")))  # fmt: skip
    return NONE


def _constant(value: V) -> Fn:
    return lambda it, args, kwargs: value


def _on(*platforms: str) -> Fn:
    return lambda it, args, kwargs: V(platform(it) in platforms)


def _unknown_object(name: str) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        for value in args:
            forget(it, value)
        return V(Unknown(f"the result of {name}()", "object", f"{PACKAGE}.{name}()"))

    return fn


def _construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    made = Instance(cls, it.heap.cell())
    made.open = f"attributes of {cls.full}"
    return V(made)


def _opaque(name: str) -> Callable[[Any], V]:
    full = f"{C10D}.{name}"
    return lambda it: V(make_class(it, full, construct=_construct, foreign=full,
                                   facts={"truthy": True}))  # fmt: skip


def _build_reduce_op(it: Any) -> V:
    built = _opaque("ReduceOp")(it)
    for name in ("SUM", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR", "AVG"):
        built.d.ns[name] = V(External(f"{PACKAGE}.ReduceOp.{name}"))
    return built


def _backend_name(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    name = args[0].d
    return V(name.lower(), args[0].o) if type(name) is str else V(Unknown("a backend", "str"))


def _build_backend(it: Any) -> V:
    """``Backend``: its instances are lower-case names."""
    cls = make_class(it, f"{C10D}.Backend", (it.builtins["str"].d,), construct=_backend_name)
    for name in ("nccl", "gloo", "mpi", "ucc", "xccl"):
        cls.ns[name.upper()] = V(name)
    cls.ns["UNDEFINED"] = V("undefined")
    return V(cls)


def _method_size(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _world_size(it, [args[0]], {})


def _method_rank(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _rank(it, [args[0]], {})


def _build_group(it: Any) -> V:
    return V(make_class(it, f"{C10D}.ProcessGroup", construct=_construct,
                        foreign=f"{C10D}.ProcessGroup", facts={"truthy": True},
                        methods={"size": _method_size, "rank": _method_rank}))  # fmt: skip


NAMES: dict[str, Fn] = {
    "is_available": _constant(TRUE), "is_initialized": _is_initialized,
    "init_process_group": _init,
    "destroy_process_group": _destroy, "get_world_size": _world_size, "get_rank": _rank,
    "get_process_group_ranks": _group_ranks, "new_group": _make_group, "get_backend": _backend,
    "barrier": _constant(NONE), "monitored_barrier": _constant(NONE), "send": _constant(NONE),
    "broadcast_object_list": _objects, "all_gather_object": _gather_objects,
    "is_nccl_available": _on("cuda", "rocm"), "is_gloo_available": _constant(TRUE),
    "is_mpi_available": _constant(FALSE), "is_xccl_available": _on("xpu"),
    "is_backend_available": _constant(TRUE), "is_torchelastic_launched": _constant(FALSE),
    "isend": _unknown_object("isend"), "split_group": _unknown_object("split_group"),
    "rendezvous": _unknown_object("rendezvous"),
    "batch_isend_irecv": _unknown_object("batch_isend_irecv"),
    **{name: _collective(0) for name in (*IN_PLACE, *INTO_FIRST)},
    "gather": _collective(1),
}  # fmt: skip
FUNCTIONS = {f"{PACKAGE}.{name}": fn for name, fn in NAMES.items()}
VALUES: dict[str, Callable[[Any], V]] = {
    f"{PACKAGE}.ProcessGroup": _build_group,
    **{f"{PACKAGE}.{name}": _opaque(name) for name in OPAQUE},
    f"{PACKAGE}.group.WORLD": lambda it: NONE,
    f"{PACKAGE}.ReduceOp": _build_reduce_op, f"{PACKAGE}.Backend": _build_backend,
}  # fmt: skip
ALIASES = {
    **{f"{C10D}.{name.rpartition('.')[2]}": name for name in (*FUNCTIONS, *VALUES)
       if name.count(".") == 2},
    f"{C10D}._get_default_group": f"{PACKAGE}._world",
    **{f"torch._C._distributed_c10d.{name}": f"{PACKAGE}.{name}" for name in OPAQUE},
    "torch._C._distributed_c10d.ProcessGroup": f"{PACKAGE}.ProcessGroup",
}  # fmt: skip
FUNCTIONS[f"{PACKAGE}._world"] = lambda it, a, k: _group(it, None) or NONE
