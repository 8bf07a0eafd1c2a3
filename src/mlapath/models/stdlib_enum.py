"""``enum``, with the semantics and the texts of CPython 3.12."""

from __future__ import annotations

from typing import Any

from mlapath.models import enum_body, enum_flag, enum_lookup
from mlapath.models.api import Library, make_class
from mlapath.models.class_tools import library_class, text_or_unknown
from mlapath.models.enum_body import maps
from mlapath.models.enum_members import build, empty_maps
from mlapath.values.concrete import key_of
from mlapath.values.objects import OPEN, ClassObj, Descriptor, Instance, Native
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

# -- the metaclass -------------------------------------------------------------------------


def _iterate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    names, by_name, _ = maps(args[0].d)
    made = it.heap.list([by_name.data[n.d][1] for n in names.items if n.d in by_name.data])
    opened = names.open or by_name.data.get(OPEN)
    if opened:
        it.heap.open_list(made, opened)
    return V(made)


def _reversed(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    listed = _iterate(it, args, kwargs)
    listed.d.items.reverse()
    return listed


def _length(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    names = maps(args[0].d)[0]
    if names.open:
        return V(Unknown("the number of members", "int", lo=len(names.items)))
    return V(len(names.items))


def _contains(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    cls: ClassObj = args[0].d
    value = args[1]
    if type(value.d) is Instance and value.d.cls is cls:
        return V(True, value.o)
    key, table = key_of(value), maps(cls)[2]
    if key is not None and key in table.data:
        return V(True, value.o)
    known = [Truth.UNKNOWN] if OPEN in table.data else []
    known += [it.truth(it.compare("==", m.d.attrs["_value_"], value))
              for m in enum_lookup.all_members(cls)]  # fmt: skip
    if Truth.TRUE in known or Truth.UNKNOWN not in known:
        return V(Truth.TRUE in known, value.o)
    return V(Unknown("whether a value is a member's", "bool"), value.o)


def _members(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(it.heap.dict(dict(maps(args[0].d)[1].data)))


def _class_text(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    cls: ClassObj = args[0].d
    kind = "flag" if any(c.facts.get("flag") for c in cls.mro) else "enum"
    return V(f"<{kind} '{cls.name}'>")


def enum_type(it: Any) -> V:
    """``EnumType``: what is done to enum classes themselves."""
    return V(make_class(
        it, "enum.EnumType", (it.builtins["type"].d,),
        methods={
            "__call__": lambda i, a, k: enum_lookup.construct(i, a[0].d, a[1:], k),
            "__getitem__": lambda i, a, k: enum_lookup.by_name(i, a[0].d, a[1]),
            "__iter__": _iterate, "__reversed__": _reversed, "__len__": _length,
            "__contains__": _contains, "__bool__": lambda i, a, k: V(True),
            "__repr__": _class_text,
        },
        properties={"__members__": _members},
    ))  # fmt: skip


# -- members -------------------------------------------------------------------------------


def _name(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0].d.attrs["_name_"]  # type: ignore[no-any-return]


def _value(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    value: V = it.getattr(args[0], "_value_")
    return value


def _title(value: V) -> str:
    return f"{value.d.cls.name}.{value.d.attrs['_name_'].d}"


def _repr(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    value = it.format_value(args[0].d.attrs["_value_"], "r", "")
    return text_or_unknown(value and f"<{_title(args[0])}: {value}>", "repr of a member", args[0])


def _str(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(_title(args[0]), args[0].o)


def _format(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    text = it.format_value(args[0], "s", "")
    if text is None or type(args[1].d) is not str:
        return V(Unknown("the text of a member", "str"), args[0].o)
    formatted = it.format_value(V(text), "", args[1].d)
    return text_or_unknown(formatted, "the text of a member", args[0])


def _content_str(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    text = it.format_value(V(args[0].d.payload), "s", "")
    return text_or_unknown(text, "the text of a member", args[0])


def _content_format(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    spec = args[1].d if type(args[1].d) is str else None
    text = None if spec is None else it.format_value(V(args[0].d.payload), "", spec)
    return text_or_unknown(text, "the text of a member", args[0])


MEMBER_METHODS = {"__repr__": _repr, "__str__": _str, "__format__": _format}
CONTENT_METHODS = {"__str__": _content_str, "__format__": _content_format}


def _enum_class(
    it: Any, name: str, bases: tuple[ClassObj, ...], rule: Any = None, **parts: Any
) -> ClassObj:
    cls = make_class(it, f"enum.{name}", bases, construct=enum_lookup.construct, **parts)
    cls.meta = library_class(it, "enum.EnumType")
    cls.facts.update(on_subclass=build, enum=True, frozen=True)
    empty_maps(it, cls)
    if rule is not None:
        cls.ns["_generate_next_value_"] = V(
            Descriptor("staticmethod", V(Native("_generate_next_value_", rule)))
        )
    return cls


def enum(it: Any) -> V:
    """``Enum``."""
    root = it.builtins["object"].d
    properties = {"name": _name, "value": _value}
    return V(_enum_class(it, "Enum", (root,), enum_body.next_number,
                         methods=MEMBER_METHODS, properties=properties))  # fmt: skip


def repr_enum(it: Any) -> V:
    """``ReprEnum``: texts are those of the mixed-in type."""
    base = library_class(it, "enum.Enum")
    return V(_enum_class(it, "ReprEnum", (base,), methods=CONTENT_METHODS))


def int_enum(it: Any) -> V:
    """``IntEnum``."""
    bases = (it.builtins["int"].d, library_class(it, "enum.ReprEnum"))
    return V(_enum_class(it, "IntEnum", bases))


def str_enum(it: Any) -> V:
    """``StrEnum``."""
    bases = (it.builtins["str"].d, library_class(it, "enum.ReprEnum"))
    return V(_enum_class(it, "StrEnum", bases, enum_body.lower_name))


def flag(it: Any) -> V:
    """``Flag``."""
    cls = _enum_class(it, "Flag", (library_class(it, "enum.Enum"),), enum_body.next_bit,
                      methods=enum_flag.METHODS)  # fmt: skip
    cls.facts["flag"] = True
    cls.ns["_missing_"] = V(Descriptor("classmethod", V(Native("_missing_", enum_flag.missing))))
    return V(cls)


def int_flag(it: Any) -> V:
    """``IntFlag``: ``_missing_`` is Flag's, the texts are int's."""
    bases = (it.builtins["int"].d, library_class(it, "enum.ReprEnum"),
             library_class(it, "enum.Flag"))  # fmt: skip
    repr_ = {"__repr__": enum_flag.representation}
    return V(_enum_class(it, "IntFlag", bases, enum_body.next_bit, methods=repr_))


# -- helpers -------------------------------------------------------------------------------


def _wrapper(name: str) -> Any:
    """``member`` and ``nonmember``."""

    def construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
        return V(Instance(cls, it.heap.cell({"value": args[0]})))

    return lambda it: V(make_class(it, f"enum.{name}", construct=construct))


def auto(it: Any) -> V:
    """``auto``: its value is computed when the class is made, or used in the body."""

    def construct(engine: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
        return V(Instance(cls, engine.heap.cell()))

    methods = {}
    for op, name in (("|", "or"), ("&", "and"), ("^", "xor"), ("+", "add"), ("-", "sub"),
                     ("<<", "lshift")):  # fmt: skip
        methods[f"__{name}__"] = enum_body.auto_operator(op)
        methods[f"__r{name}__"] = enum_body.auto_operator(op, swapped=True)
    properties = {"value": lambda i, a, k: enum_body.resolved_auto(i, a[0])}
    return V(make_class(it, "enum.auto", construct=construct, methods=methods,
                        properties=properties))  # fmt: skip


def unique(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@unique``: refuses aliases."""
    cls: ClassObj = args[0].d
    aliases = [f"{name} -> {pair[1].d.attrs['_name_'].d}"
               for name, pair in maps(cls)[1].data.items()
               if name is not OPEN and pair[1].d.attrs["_name_"].d != name]  # fmt: skip
    if aliases:
        it.throw("ValueError", f"duplicate values found in <enum '{cls.name}'>: "
                 f"{', '.join(aliases)}")  # fmt: skip
    return args[0]


def _identity(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def verify(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@verify(...)``: the checks are taken to hold."""
    return V(Native("enum.verify", _identity))


def boundary(name: str) -> Any:
    """A member of ``FlagBoundary``; a str stands for it."""
    return lambda it: V(f"FlagBoundary.{name}")


LIBRARY = Library(
    functions={
        "enum.unique": unique, "enum.verify": verify, "enum.global_enum": _identity,
    },
    values={
        "enum.EnumType": enum_type, "enum.Enum": enum, "enum.ReprEnum": repr_enum,
        "enum.IntEnum": int_enum, "enum.StrEnum": str_enum, "enum.Flag": flag,
        "enum.IntFlag": int_flag, "enum.auto": auto, "enum.member": _wrapper("member"),
        "enum.nonmember": _wrapper("nonmember"),
        "enum.property": lambda it: it.builtins["property"],
        **{f"{owner}{name}": boundary(name) for name in ("STRICT", "CONFORM", "EJECT", "KEEP")
           for owner in ("enum.", "enum.FlagBoundary.")},
    },
    aliases={
        "enum.EnumMeta": "enum.EnumType",
        "types.DynamicClassAttribute": "enum.property",
    },
)  # fmt: skip
