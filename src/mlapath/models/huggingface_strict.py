"""``huggingface_hub.dataclasses.strict``: dataclasses that check their fields.

The checks of values are left out: one that they refuse stops the real program, not ours.
What ``accept_kwargs`` makes of the constructor follows huggingface_hub 1.x: fields are set one
by one, and the other keyword arguments go to ``__post_init__``.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.dataclass_methods import default_of
from mlapath.models.dataclass_spec import spec_of
from mlapath.values.objects import ClassObj, Native
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V


def accepting(cls: ClassObj) -> V:
    """``__init__`` that takes any keyword argument."""
    title = f"{cls.qualname}.__init__"

    def init(it: Any, args: list[V], kwargs: dict[str, V], opened: str) -> V:
        if len(args) > 1:
            it.throw("ValueError", f"{cls.name} accepts only keyword arguments, "
                     f"but found `{len(args) - 1}` positional args.")  # fmt: skip
        spec = spec_of(cls)
        names = spec.fields if spec is not None else {}
        for name, field in names.items():
            value = kwargs.get(name)
            if value is None and opened:
                value = V(Unknown(opened))
            value = default_of(it, field) if value is None else value
            if value is None:
                it.throw("TypeError", f"Missing required field - '{name}'")
            it.setattr(args[0], name, value)
        rest = {name: value for name, value in kwargs.items() if name not in names}
        post = it.find_attr(args[0], "__post_init__")
        if post is not None:
            it.call(post, [], rest)
        return V(None)

    return V(Native(title, init, binds=True, opens=True))


def strict(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """The decorator, with or without options."""
    accepts = "accept_kwargs" in kwargs and it.truth(kwargs["accept_kwargs"]) is Truth.TRUE

    def decorate(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        cls = args[0].d
        if accepts and type(cls) is ClassObj:
            engine.heap.put(cls.ns, "__init__", accepting(cls))
        return args[0]

    return decorate(it, args, {}) if args else V(Native("strict", decorate))


def as_validated_field(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """The decorator of a validator: a maker of fields in its place."""

    def make(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        made: V = engine.call(engine.models.symbol(engine, "dataclasses.field"), args, kwargs)
        return made

    return V(Native("as_validated_field", make))
