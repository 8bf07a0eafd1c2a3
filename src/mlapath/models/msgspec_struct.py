"""``msgspec.Struct``: fields, the constructor, comparison, copies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mlapath.models.api import make_class
from mlapath.models.class_tools import fact, library_class
from mlapath.models.dataclass_methods import ORDER
from mlapath.models.dataclass_spec import Annotation, annotation_head, field_type, own_annotations
from mlapath.values.objects import ClassObj, DictObj, Instance, ListObj, Native
from mlapath.values.origin import merge
from mlapath.values.truth import Truth
from mlapath.values.value import External, Unknown, V

NAME = "msgspec.Struct"
FIELD = "msgspec._core.Field"
NODEFAULT = V(External("msgspec.NODEFAULT"))
OPTIONS = {
    "frozen": False, "eq": True, "order": False, "kw_only": False, "dict": False,
    "omit_defaults": False, "forbid_unknown_fields": False, "array_like": False, "gc": True,
    "weakref": False, "cache_hash": False, "repr_omit_defaults": False,
}  # fmt: skip
INHERITED = tuple(name for name in OPTIONS if name != "kw_only")


@dataclass(frozen=True)
class StructField:
    """A field: ``default`` is copied where it is an empty container."""

    name: str
    annotation: Annotation
    default: V | None
    factory: V | None
    kw_only: bool

    @property
    def required(self) -> bool:
        """Whether the constructor needs it."""
        return self.default is None and self.factory is None


def fields_of(cls: ClassObj) -> tuple[StructField, ...]:
    """The fields in order, keyword-only ones last."""
    found: tuple[StructField, ...] | None = fact(cls, "struct_fields")
    return found or ()


def on_subclass(it: Any, cls: ClassObj, keywords: dict[str, V]) -> None:
    """What the metaclass does with a new struct class."""
    base: dict[str, bool] = fact(cls, "struct_options") or OPTIONS
    options = {name: base[name] if name in INHERITED else False for name in OPTIONS}
    for name in ("tag", "tag_field", "rename"):
        keywords.pop(name, None)
    for name in [k for k in keywords if k in options]:
        value = keywords.pop(name)
        truth = it.truth(value)
        if truth is Truth.UNKNOWN:
            it.frontier(it.frame, it.frame.pos, "an option of a struct is not known")
        elif value.d is not None:
            options[name] = truth is Truth.TRUE
    fields: dict[str, StructField] = {}
    for c in reversed(cls.mro[1:]):
        fields.update({f.name: f for f in c.facts.get("struct_fields", ())})
    for name, annotation in own_annotations(cls).items():
        if annotation_head(annotation.expr) == "ClassVar":
            continue
        fields[name] = _field(it, cls, name, annotation, options["kw_only"])
    ordered = (*(f for f in fields.values() if not f.kw_only),
               *(f for f in fields.values() if f.kw_only))  # fmt: skip
    _check_order(it, ordered)
    _finish(it, cls, ordered, options)


def _field(
    it: Any, cls: ClassObj, name: str, annotation: Annotation, kw_only: bool
) -> StructField:
    default = cls.ns.get(name)
    it.heap.drop(cls.ns, name)
    if default is None:
        return StructField(name, annotation, None, None, kw_only)
    if type(default.d) is Instance and default.d.cls.full == FIELD:
        attrs = default.d.attrs
        return StructField(name, annotation, attrs.get("default"), attrs.get("default_factory"),
                           kw_only)  # fmt: skip
    if type(default.d) in (ListObj, DictObj) and it.truth(default) is not Truth.FALSE:
        text = it.format_value(default, "r", "") or "{…}"
        it.throw("TypeError", f"Using a non-empty mutable collection ({text}) as a default value "
                 "is unsafe. Instead configure a `default_factory` for this field.")  # fmt: skip
    return StructField(name, annotation, default, None, kw_only)


def _check_order(it: Any, fields: tuple[StructField, ...]) -> None:
    optional = False
    for field in fields:
        if not field.kw_only and field.required and optional:
            it.throw("TypeError", f"Required field '{field.name}' cannot follow optional fields. "
                     "Either reorder the struct fields, or set `kw_only=True` in the struct "
                     "definition.")  # fmt: skip
        optional = optional or not field.required


def _finish(
    it: Any, cls: ClassObj, fields: tuple[StructField, ...], options: dict[str, bool]
) -> None:
    cls.facts.update(struct_fields=fields, struct_options=options)
    names = tuple(V(f.name) for f in fields)
    config = Instance(library_class(it, "msgspec.structs.StructConfig"), it.heap.cell())
    config.attrs.update({name: V(value) for name, value in options.items()})
    made = {
        "__struct_fields__": V(names), "__struct_encode_fields__": V(names),
        "__match_args__": V(tuple(V(f.name) for f in fields if not f.kw_only)),
        "__struct_config__": V(config),
    }  # fmt: skip
    if options["frozen"]:
        cls.facts["frozen"] = True
        if options["eq"]:
            cls.facts["hash_fields"] = tuple(f.name for f in fields)
        made["__setattr__"] = V(Native("__setattr__", _frozen, binds=True))
    if options["eq"] and "__eq__" not in cls.ns:
        made["__eq__"] = V(Native("__eq__", _comparison("=="), binds=True))
    if options["order"]:
        made.update({name: V(Native(name, _comparison(op), binds=True))
                     for name, op in ORDER.items()})  # fmt: skip
    for name, value in made.items():
        it.heap.put(cls.ns, name, value)


def _frozen(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.throw("AttributeError", f"immutable type: '{args[0].d.cls.name}'")
    raise AssertionError("unreachable")


def _comparison(op: str) -> Any:
    def method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        left, right = args
        if type(right.d) is Unknown:
            return V(Unknown(right.d.why, "bool"), merge(left.o, right.o))
        if type(right.d) is not Instance or right.d.cls is not left.d.cls:
            return V(External("NotImplemented"))
        rows = [V(tuple(it.getattr(x, f.name) for f in fields_of(x.d.cls))) for x in args]
        result: V = it.compare(op, *rows)
        return result

    return method


def default_of(it: Any, field: StructField) -> V | None:
    """A new default value; None where the field is required."""
    if field.factory is not None:
        made: V = it.call(field.factory, [], {})
        return made
    default = field.default
    if default is not None and type(default.d) in (ListObj, DictObj):
        copied: V = it.call(it.getattr(default, "copy"), [], {})
        return copied
    return default


def init(it: Any, args: list[V], kwargs: dict[str, V], opened: str) -> V:
    """The constructor: the fields, then ``__post_init__``."""
    made = args[0]
    fields = fields_of(made.d.cls)
    positional = [f for f in fields if not f.kw_only]
    if len(args) - 1 > len(positional):
        it.throw("TypeError", "Extra positional arguments provided")
    given = {f.name: value for f, value in zip(positional, args[1:], strict=False)}
    names = {f.name for f in fields}
    for name, value in kwargs.items():
        if name in given:
            it.throw("TypeError", f"Argument '{name}' given by name and position")
        if name not in names:
            it.throw("TypeError", f"Unexpected keyword argument '{name}'")
        given[name] = value
    for field in fields:
        found = given.get(field.name)
        if found is None:
            found = V(Unknown(opened)) if opened else default_of(it, field)
        if found is None:
            it.throw("TypeError", f"Missing required argument '{field.name}'")
            raise AssertionError("unreachable")
        it.write_attr(made.d, field.name, found)
    post = it.find_attr(made, "__post_init__")
    if post is not None:
        it.call(post, [], {})
    return V(None)


def _repr(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    parts = []
    for field in fields_of(args[0].d.cls):
        text = it.format_value(it.getattr(args[0], field.name), "r", "")
        if text is None:
            return V(Unknown("the text of a struct", "str"), args[0].o)
        parts.append(f"{field.name}={text}")
    return V(f"{args[0].d.cls.name}({', '.join(parts)})", args[0].o)


def struct(it: Any) -> V:
    """``Struct``."""
    cls = make_class(it, NAME, methods={"__repr__": _repr},
                     facts={"on_subclass": on_subclass, "struct_fields": (),
                            "struct_options": dict(OPTIONS)})  # fmt: skip
    cls.ns["__init__"] = V(Native(f"{NAME}.__init__", init, binds=True, opens=True))
    cls.ns["__struct_fields__"] = V(())
    return V(cls)


def field_class(it: Any) -> V:
    """``structs.FieldInfo``: what ``structs.fields`` lists."""
    return V(make_class(it, "msgspec.structs.FieldInfo", properties={"type": field_type}))
