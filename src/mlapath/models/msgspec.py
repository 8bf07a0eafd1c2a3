"""``msgspec``: structs; what is encoded or decoded is not known."""

from __future__ import annotations

from typing import Any

from mlapath.models import msgspec_struct
from mlapath.models.api import Factory, Library, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.msgspec_struct import NODEFAULT, fields_of
from mlapath.models.support import gives, opaque_class
from mlapath.values.objects import ClassObj, Instance, Native
from mlapath.values.value import External, Unknown, V


def field(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``field(default=…, default_factory=…, name=…)``."""
    made = Instance(library_class(it, msgspec_struct.FIELD), it.heap.cell())
    made.attrs.update({k: v for k, v in kwargs.items() if v.d != NODEFAULT.d})
    return V(made)


def _struct_of(it: Any, value: V, what: str) -> ClassObj | None:
    d = value.d
    cls = d if type(d) is ClassObj else d.cls if type(d) is Instance else None
    if cls is not None and any(c.full == msgspec_struct.NAME for c in cls.mro):
        return cls
    if type(d) is not Unknown and not (cls is not None and cls.foreign):
        it.throw("TypeError", f"{what} expects a struct")
    return None


def asdict(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``structs.asdict``: one level deep."""
    cls = _struct_of(it, args[0], "asdict")
    if cls is None:
        return V(Unknown("the fields of an unknown struct", "dict"), args[0].o)
    made = it.heap.dict()
    for f in fields_of(cls):
        it.dict_set(made, V(f.name), it.getattr(args[0], f.name))
    return V(made, args[0].o)


def astuple(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``structs.astuple``: one level deep."""
    cls = _struct_of(it, args[0], "astuple")
    if cls is None:
        return V(Unknown("the fields of an unknown struct", "tuple"), args[0].o)
    return V(tuple(it.getattr(args[0], f.name) for f in fields_of(cls)), args[0].o)


def replace(it: Any, args: list[V], kwargs: dict[str, V], opened: str = "") -> V:
    """``structs.replace``: a copy; ``__post_init__`` runs again."""
    cls = _struct_of(it, args[0], "replace")
    if cls is None:
        return V(Unknown("a changed copy of an unknown struct"), args[0].o)
    names = {f.name for f in fields_of(cls)}
    for name in kwargs:
        if name not in names:
            it.throw("TypeError", f"`{cls.name}` has no field '{name}'")
    rest = {n: V(Unknown(opened)) if opened else it.getattr(args[0], n)
            for n in names if n not in kwargs}  # fmt: skip
    made: V = it.call(V(cls), [], {**rest, **kwargs})
    return V(made.d, args[0].o)


def fields(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``structs.fields``."""
    cls = _struct_of(it, args[0], "fields")
    if cls is None:
        return V(Unknown("the fields of an unknown struct", "tuple"), args[0].o)
    out = []
    for f in fields_of(cls):
        made = Instance(library_class(it, "msgspec.structs.FieldInfo"), it.heap.cell())
        made.attrs.update({
            "name": V(f.name), "encode_name": V(f.name), "required": V(f.required),
            "default": f.default if f.default is not None else NODEFAULT,
            "default_factory": f.factory if f.factory is not None else NODEFAULT,
        })  # fmt: skip
        made.site = f.annotation
        out.append(V(made))
    return V(tuple(out))


def force_setattr(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``structs.force_setattr``: also on frozen structs."""
    if type(args[0].d) is Instance and type(args[1].d) is str:
        it.write_attr(args[0].d, args[1].d, args[2])
    else:
        it.havoc(args[0], "force_setattr with an unknown name")
    return V(None)


def error(name: str, base: str) -> Factory:
    """An exception class."""

    def make(it: Any) -> V:
        own = it.builtins.get(base)
        parent = own.d if own is not None else library_class(it, base)
        return V(make_class(it, name, (parent,)))

    return make


LIBRARY = Library(
    functions={
        "msgspec.field": field, "msgspec.structs.asdict": asdict,
        "msgspec.structs.astuple": astuple, "msgspec.structs.fields": fields,
        "msgspec.structs.force_setattr": force_setattr,
        **{f"msgspec.{name}": gives(f"msgspec.{name}", hint) for name, hint in (
            ("convert", ""), ("to_builtins", ""), ("msgpack.encode", "bytes"),
            ("msgpack.decode", ""), ("json.encode", "bytes"), ("json.decode", ""))},
    },
    values={
        msgspec_struct.NAME: msgspec_struct.struct,
        "msgspec.structs.FieldInfo": msgspec_struct.field_class,
        "msgspec.structs.StructConfig": lambda it: V(
            make_class(it, "msgspec.structs.StructConfig")),
        "msgspec.structs.replace": lambda it: V(
            Native("msgspec.structs.replace", replace, opens=True)),
        msgspec_struct.FIELD: lambda it: V(make_class(it, msgspec_struct.FIELD)),
        "msgspec.NODEFAULT": lambda it: NODEFAULT,
        "msgspec.UNSET": lambda it: V(External("msgspec.UNSET")),
        **{f"msgspec.{kind}.{name}": opaque_class(f"msgspec.{kind}.{name}")
           for kind in ("msgpack", "json") for name in ("Encoder", "Decoder")},
        "msgspec.MsgspecError": error("msgspec.MsgspecError", "Exception"),
        "msgspec.DecodeError": error("msgspec.DecodeError", "msgspec.MsgspecError"),
        "msgspec.EncodeError": error("msgspec.EncodeError", "msgspec.MsgspecError"),
        "msgspec.ValidationError": error("msgspec.ValidationError", "msgspec.DecodeError"),
    },
    aliases={"msgspec.structs.field": "msgspec.field"},
)  # fmt: skip
