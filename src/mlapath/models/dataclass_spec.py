"""The fields of a dataclass: collected from annotations, class attributes and bases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mlapath.ir import nodes as n
from mlapath.models.class_tools import library_class
from mlapath.values.objects import ClassObj, DictObj, Instance, ListObj
from mlapath.values.truth import Truth
from mlapath.values.value import External, V

MISSING = V(External("dataclasses.MISSING"))
FLAGS = {"init": True, "repr": True, "compare": True, "kw_only": False}


@dataclass(frozen=True)
class Annotation:
    """An annotation that has not been evaluated: expression and frame, or a type as it is."""

    expr: Any
    frame: Any
    type: V | None = None


@dataclass(frozen=True)
class FieldSpec:
    """A field. ``init_only``: an ``InitVar``, passed to ``__post_init__`` and not kept.

    obj: the program's ``dataclasses.Field``.
    """

    name: str
    annotation: Annotation
    default: V | None
    factory: V | None
    init: bool
    repr: bool
    compare: bool
    kw_only: bool
    init_only: bool
    obj: V

    @property
    def required(self) -> bool:
        """Whether the constructor needs it."""
        return self.default is None and self.factory is None


@dataclass(frozen=True)
class Dataclass:
    """What the decorator was told, and the fields in order (InitVars among them)."""

    fields: Mapping[str, FieldSpec]
    options: Mapping[str, bool]


def spec_of(cls: ClassObj) -> Dataclass | None:
    """The nearest class's dataclass description along the MRO."""
    for c in cls.mro:
        found: Dataclass | None = c.facts.get("dataclass")
        if found is not None:
            return found
    return None


def annotation_head(expr: Any) -> str:
    """The name that an annotation starts with: ``ClassVar`` of ``typing.ClassVar[int]``."""
    while True:
        if type(expr) is n.Subscript:
            expr = expr.value
        elif type(expr) is n.Attr:
            return expr.attr
        elif type(expr) is n.Name:
            return expr.id
        elif type(expr) is n.Const and type(expr.value) is str:
            return expr.value.partition("[")[0].strip().rpartition(".")[2]
        else:
            return ""


def own_annotations(cls: ClassObj) -> dict[str, Annotation]:
    """The annotations of the class body, the last one of a name counting."""
    found: dict[str, Annotation] = {}
    for name, expr, frame in cls.facts.get("annotations", ()):
        found[name] = Annotation(expr, frame)
    return found


def make_field(it: Any, parts: Mapping[str, V]) -> V:
    """A ``dataclasses.Field`` of the program."""
    made = Instance(library_class(it, "dataclasses.Field"), it.heap.cell())
    flags = {flag: V(value) for flag, value in FLAGS.items()}
    made.attrs.update({
        "name": V(None), "default": MISSING, "default_factory": MISSING, "hash": V(None),
        "metadata": V(it.heap.dict()), **flags, "kw_only": MISSING, **parts,
    })  # fmt: skip
    return V(made)


def is_field(value: V | None) -> bool:
    """Whether a value is a ``dataclasses.Field``."""
    return value is not None and type(value.d) is Instance and (
        value.d.cls.full == "dataclasses.Field")  # fmt: skip


def is_missing(value: V) -> bool:
    """Whether a value is ``MISSING``."""
    return type(value.d) is External and value.d == MISSING.d


def _flag(it: Any, value: V, default: bool) -> bool:
    if is_missing(value):
        return default
    truth = it.truth(value)
    if truth is Truth.UNKNOWN:
        it.frontier(it.frame, it.frame.pos, "an option of a dataclass field is not known")
        return default
    return truth is Truth.TRUE


def spec_from(
    it: Any, cls: ClassObj, name: str, annotation: Annotation, kw_only: bool
) -> FieldSpec:
    """One field of the class: its Field, or a new one around the default."""
    own = cls.ns.get(name)
    if own is not None and is_field(own):
        obj = own
    else:
        obj = make_field(it, {"default": own} if own is not None else {})
    attrs = obj.d.attrs
    flags = {flag: _flag(it, attrs[flag], kw_only if flag == "kw_only" else default)
             for flag, default in FLAGS.items()}  # fmt: skip
    it.heap.put(attrs, "name", V(name))
    it.heap.put(attrs, "kw_only", V(flags["kw_only"]))
    obj.d.site = annotation
    default, factory = attrs["default"], attrs["default_factory"]
    return FieldSpec(
        name, annotation, None if is_missing(default) else default,
        None if is_missing(factory) else factory, **flags,
        init_only=annotation_head(annotation.expr) == "InitVar", obj=obj,
    )  # fmt: skip


def collect(
    it: Any, cls: ClassObj, options: Mapping[str, bool],
    annotations: Mapping[str, Annotation] | None = None,
) -> Dataclass:  # fmt: skip
    """The fields of ``cls``, its bases' first; class attributes become plain defaults."""
    fields: dict[str, FieldSpec] = {}
    for base in reversed(cls.mro[1:]):
        inherited: Dataclass | None = base.facts.get("dataclass")
        fields.update(inherited.fields if inherited is not None else {})
    kw_only = options["kw_only"]
    for name, annotation in (annotations or own_annotations(cls)).items():
        head = annotation_head(annotation.expr)
        if head == "KW_ONLY":
            kw_only = True
        elif head != "ClassVar":
            spec = fields[name] = spec_from(it, cls, name, annotation, kw_only)
            _settle(it, cls, spec)
    return Dataclass(fields, dict(options))


def _settle(it: Any, cls: ClassObj, spec: FieldSpec) -> None:
    default = spec.default
    if default is None:
        it.heap.drop(cls.ns, spec.name)
        return
    if type(default.d) is ListObj or type(default.d) is DictObj and default.d.kind != "frozenset":
        it.throw("ValueError", f"mutable default <class '{it.type_name(default)}'> for field "
                 f"{spec.name} is not allowed: use default_factory")  # fmt: skip
    it.heap.put(cls.ns, spec.name, default)


def field_type(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Field.type``: as the class body gave it, so text where annotations are postponed."""
    annotation = args[0].d.site
    if annotation is None:
        return V(None)
    if annotation.type is not None:
        return annotation.type  # type: ignore[no-any-return]
    value: V = it.annotation_raw(annotation.frame, annotation.expr)
    return value


def type_of_field(it: Any, spec: FieldSpec) -> V:
    """The type that a field's annotation stands for, strings resolved."""
    annotation = spec.annotation
    if annotation.type is not None:
        return annotation.type
    value: V = it.annotation_value(annotation.frame, annotation.expr)
    return value
