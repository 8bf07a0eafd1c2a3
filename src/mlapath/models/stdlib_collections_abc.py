"""``collections.abc``: the abstract classes, as bases and in ``isinstance``."""

from __future__ import annotations

from typing import Any

from mlapath.models import abc_mapping, abc_sequence, abc_set
from mlapath.models.abc_access import Mixin
from mlapath.models.abc_table import MODULE, TABLE, TENSOR, subclass_of
from mlapath.models.aliases import arguments, flat_callable, make_alias
from mlapath.models.api import Factory, Library, make_class
from mlapath.models.class_tools import library_class
from mlapath.values.objects import Descriptor, GeneratorObj, Native
from mlapath.values.truth import Truth
from mlapath.values.value import V


def _self(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def _next(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return it.call(it.getattr(args[0], "send"), [V(None)], {})  # type: ignore[no-any-return]


def _nothing(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(None)


MIXINS: dict[str, dict[str, Mixin]] = {
    "Iterator": {"__iter__": _self}, "AsyncIterator": {"__aiter__": _self},
    "Generator": {"__next__": _next, "close": _nothing}, "Coroutine": {"close": _nothing},
    "AsyncGenerator": {"__anext__": _next, "aclose": _nothing},
    "Mapping": abc_mapping.MAPPING, "MutableMapping": abc_mapping.MUTABLE,
    "Sequence": abc_sequence.SEQUENCE, "MutableSequence": abc_sequence.MUTABLE,
    "Set": abc_set.SET, "MutableSet": abc_set.MUTABLE,
}  # fmt: skip


def _abstract(name: str) -> V:
    def call(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        return V(None)

    return V(Native(name, call, binds=True))


def _class(name: str) -> Factory:
    entry = TABLE[name]

    def make(it: Any) -> V:
        bases = tuple(library_class(it, f"{MODULE}.{base}") for base in entry.bases)
        cls = make_class(it, f"{MODULE}.{name}", bases, methods=MIXINS.get(name))
        cls.meta = library_class(it, "abc.ABCMeta")
        for method in entry.abstract:
            cls.ns[method] = _abstract(f"{MODULE}.{name}.{method}")
            it.setattr(cls.ns[method], "__isabstractmethod__", V(True))
        cls.facts["subclasses"] = subclass_of(name)
        cls.facts["closed"] = False  # objects of any library may be instances
        cls.facts["hints"] = {"tensor": Truth.of(name in TENSOR)}
        if name == "Generator":
            cls.facts["instances"] = _generator_instances
        if name == "Callable":
            cls.ns["__class_getitem__"] = V(Descriptor("classmethod", V(Native(
                f"{MODULE}.Callable.__class_getitem__", _callable_of))))  # fmt: skip
        if name == "Set":
            cls.ns["_from_iterable"] = V(Descriptor("classmethod", V(Native(
                f"{MODULE}.Set._from_iterable", abc_set.from_iterable))))  # fmt: skip
        return V(cls)

    return make


def _generator_instances(it: Any, value: V) -> Truth:
    """Iterators of builtins (``zip``) are modelled as generators: those may be either."""
    if type(value.d) is GeneratorObj:
        return Truth.UNKNOWN
    own = it.class_of(value)
    if own is None:
        return Truth.UNKNOWN
    generator = library_class(it, f"{MODULE}.Generator")
    result: Truth = subclass_of("Generator")(it, own)
    return Truth.TRUE if generator in own.mro else result


def _callable_of(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return make_alias(it, "Callable", args[0], flat_callable(arguments(args[1])))


LIBRARY = Library(values={f"{MODULE}.{name}": _class(name) for name in TABLE})
