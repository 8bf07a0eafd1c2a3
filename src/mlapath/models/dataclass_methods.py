"""The methods that ``@dataclass`` adds to a class."""

from __future__ import annotations

from typing import Any

from mlapath.models.class_tools import library_class, lookup
from mlapath.models.dataclass_spec import Dataclass, FieldSpec
from mlapath.models.signature import Parameter, bind
from mlapath.values.objects import ClassObj, FuncObj, Instance, Native
from mlapath.values.origin import merge
from mlapath.values.value import External, Unknown, V

NOT_IMPLEMENTED = External("NotImplemented")
ORDER = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def parameters(spec: Dataclass) -> list[Parameter]:
    """The constructor's parameters: those by position before those by keyword."""
    taken = [f for f in spec.fields.values() if f.init]
    ordered = [f for f in taken if not f.kw_only] + [f for f in taken if f.kw_only]
    return [Parameter(f.name, f.required, f.kw_only) for f in ordered]


def check_order(it: Any, spec: Dataclass) -> None:
    """A field without a default must not follow one with."""
    seen = False
    for p in parameters(spec):
        if not p.kw_only and p.required and seen:
            it.throw("TypeError", f"non-default argument '{p.name}' follows default argument")
        seen = seen or not p.required


def set_field(it: Any, made: V, cls: ClassObj, name: str, value: V) -> None:
    """``self.name = value`` as the generated ``__init__`` does it."""
    if type(made.d) is not Instance:
        return
    custom = lookup(made.d.cls, "__setattr__")
    if custom is not None and type(custom.d) is FuncObj and not cls.facts.get("frozen"):
        it.setattr(made, name, value)
    elif custom is None and name in made.d.cls.ns:
        it.setattr(made, name, value)  # it may be a property
    else:
        it.write_attr(made.d, name, value)


def default_of(it: Any, field: FieldSpec) -> V | None:
    """What an argument that was not given stands for."""
    if field.factory is not None:
        made: V = it.call(field.factory, [], {})
        return made
    return field.default


def fill(it: Any, made: V, cls: ClassObj, spec: Dataclass, bound: dict[str, V]) -> None:
    """Set the fields, then call ``__post_init__`` with the init-only values."""
    extra: list[V] = []
    for field in spec.fields.values():
        value = bound.get(field.name)
        if value is None and (field.init or field.factory is not None):
            value = default_of(it, field)
        if value is None:
            continue
        if field.init_only:
            extra.append(value)
        else:
            set_field(it, made, cls, field.name, value)
    post = it.find_attr(made, "__post_init__")
    if post is not None:
        it.call(post, extra, {})


def make_init(cls: ClassObj, spec: Dataclass) -> V:
    """``__init__``."""
    title = f"{cls.qualname}.__init__"

    def init(it: Any, args: list[V], kwargs: dict[str, V], opened: str) -> V:
        bound = bind(it, title, parameters(spec), args[1:], kwargs, opened)
        fill(it, args[0], cls, spec, bound)
        return V(None)

    return V(Native(title, init, binds=True, opens=True, passes=True))


def _row(it: Any, value: V, spec: Dataclass) -> V:
    names = [f.name for f in spec.fields.values() if f.compare and not f.init_only]
    items = tuple(it.getattr(value, name) for name in names)
    return V(items, merge(*(x.o for x in items)))


def _same_class(left: V, right: V) -> bool:
    return type(left.d) is Instance and type(right.d) is Instance and left.d.cls is right.d.cls


def comparison(name: str, op: str, spec: Dataclass) -> V:
    """``__eq__`` or an order: of the tuples of fields, within one class."""

    def method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        left, right = args
        if type(right.d) is Unknown:
            return V(Unknown(right.d.why, "bool"), merge(left.o, right.o))
        if not _same_class(left, right):
            return V(NOT_IMPLEMENTED)
        if left.d is right.d and op == "==":
            return V(True, left.o)
        result: V = it.compare(op, _row(it, left, spec), _row(it, right, spec))
        return result

    return V(Native(name, method, binds=True))


def make_repr(spec: Dataclass) -> V:
    """``__repr__``."""

    def method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        parts = []
        for field in spec.fields.values():
            if field.repr and not field.init_only:
                text = it.format_value(it.getattr(args[0], field.name), "r", "")
                if text is None:
                    return V(Unknown("the text of a dataclass", "str"), args[0].o)
                parts.append(f"{field.name}={text}")
        return V(f"{args[0].d.cls.qualname}({', '.join(parts)})", args[0].o)

    return V(Native("__repr__", method, binds=True))


def frozen_write(cls: ClassObj, spec: Dataclass, verb: str) -> V:
    """``__setattr__`` and ``__delattr__`` of a frozen class."""

    def method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        made, name = args[0], args[1]
        if made.d.cls is cls or name.d in spec.fields:
            error = library_class(it, "dataclasses.FrozenInstanceError")
            text = V(f"cannot {verb} field {name.d!r}")
            raise it.make_raise(it.instantiate(error, [text], {}))
        if verb == "assign to":
            it.write_attr(made.d, name.d, args[2])
        else:
            it.heap.drop(made.d.attrs, name.d)
        return V(None)

    return V(Native("__setattr__", method, binds=True))


def add_methods(it: Any, cls: ClassObj, spec: Dataclass) -> None:
    """Add what the options ask for and the class body does not define."""
    options = spec.options
    written = dict(cls.ns)

    def add(name: str, value: V) -> None:
        if name not in written:
            it.heap.put(cls.ns, name, value)

    if options["init"]:
        check_order(it, spec)
        add("__init__", make_init(cls, spec))
    if options["repr"]:
        add("__repr__", make_repr(spec))
    if options["eq"]:
        add("__eq__", comparison("__eq__", "==", spec))
    if options["order"]:
        for name, op in ORDER.items():
            if name in written:
                it.throw("TypeError", f"Cannot overwrite attribute {name} in class {cls.name}. "
                         "Consider using functools.total_ordering")  # fmt: skip
            add(name, comparison(name, op, spec))
    _hash(it, cls, spec, written)
    if options["frozen"]:
        add("__setattr__", frozen_write(cls, spec, "assign to"))
        add("__delattr__", frozen_write(cls, spec, "delete"))
    if options["match_args"]:
        names = [p.name for p in parameters(spec) if not p.kw_only]
        add("__match_args__", V(tuple(V(name) for name in names)))


def _hash(it: Any, cls: ClassObj, spec: Dataclass, written: dict[str, V]) -> None:
    """Equal instances are one dict key where the class is hashable and equality is generated."""
    options = spec.options
    if not options["eq"] or "__eq__" in written:
        return
    own = written.get("__hash__")
    if options["frozen"] or options["unsafe_hash"] or own is not None and own.d is not None:
        cls.facts["hash_fields"] = tuple(
            f.name for f in spec.fields.values() if f.compare and not f.init_only
        )
    else:
        it.heap.put(cls.ns, "__hash__", V(None))
