"""The builtin names: classes, exceptions, functions."""

from __future__ import annotations

import builtins
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from mlapath.models import (
    builtin_dict,
    builtin_exceptions,
    builtin_functions,
    builtin_list,
    builtin_scalars,
    builtin_slice,
)
from mlapath.models.aliases import alias_class
from mlapath.models.api import make_class
from mlapath.values.objects import (
    BoundMethod,
    ClassObj,
    Descriptor,
    FuncObj,
    GeneratorObj,
    ModuleObj,
    Native,
    SliceObj,
)
from mlapath.values.value import External, Unknown, V

PAYLOADS: tuple[tuple[str, type], ...] = (
    ("int", int), ("float", float), ("complex", complex), ("str", str), ("bytes", bytes),
    ("tuple", tuple), ("range", range),
)  # fmt: skip


FIELDS = (GetSetDescriptorType, MemberDescriptorType)


def build(it: Any) -> dict[str, V]:
    """The table of builtins of one evaluation."""
    table: dict[str, V] = {}
    root = ClassObj("object", "object", "builtins", (), it.heap.cell())
    root.facts["closed"] = True
    it.object_class = root
    table["object"] = V(root)
    meta = make_class(it, "builtins.type", (root,))
    meta.facts["construct"] = builtin_functions.type_
    table["type"] = V(meta)
    for name, payload in PAYLOADS:
        cls = make_class(it, f"builtins.{name}", (root,), payload=payload)
        cls.facts["construct"] = builtin_scalars.CONSTRUCTORS[name]
        table[name] = V(cls)
    truth = make_class(it, "builtins.bool", (table["int"].d,), payload=bool)
    truth.facts["construct"] = builtin_scalars.CONSTRUCTORS["bool"]
    table["bool"] = V(truth)
    for name, methods, construct in (
        ("list", builtin_list.METHODS, builtin_list.construct),
        ("dict", builtin_dict.DICT_METHODS, builtin_dict.construct_dict),
        ("set", builtin_dict.SET_METHODS, builtin_dict.construct_set),
        ("frozenset", builtin_dict.SET_METHODS, builtin_dict.construct_frozenset),
    ):
        cls = make_class(it, f"builtins.{name}", (root,), methods=methods, construct=construct)
        cls.payload = {"list": list, "dict": dict, "set": set, "frozenset": frozenset}[name]
        table[name] = V(cls)
    table["dict"].d.ns["fromkeys"] = V(
        Descriptor("classmethod", V(Native("dict.fromkeys", builtin_dict.fromkeys)))
    )
    for kind, alternatives in builtin_scalars.ALTERNATIVES.items():
        for name, fn in alternatives.items():
            table[kind].d.ns[name] = V(Descriptor("classmethod", V(Native(f"{kind}.{name}", fn))))
    _exceptions(it, table)
    for name, fn in builtin_functions.FUNCTIONS.items():
        table[name] = V(Native(name, fn))
    for name in ("property", "staticmethod", "classmethod"):
        table[name] = V(make_class(it, f"builtins.{name}", (root,),
                                   construct=builtin_functions.descriptor(name)))  # fmt: skip
    table["slice"] = V(make_class(
        it, "builtins.slice", (root,), construct=builtin_functions.constructor("slice"),
        properties=builtin_slice.PROPERTIES, methods=builtin_slice.METHODS,
    ))  # fmt: skip
    for name in ("enumerate", "zip", "map", "filter", "reversed", "super", "memoryview",
                 "bytearray"):  # fmt: skip
        cls = make_class(it, f"builtins.{name}", (root,))
        cls.facts["construct"] = builtin_functions.constructor(name)
        table[name] = V(cls)
    none_type = make_class(it, "builtins.NoneType", (root,))
    table["NoneType"] = V(none_type)
    table["NotImplemented"] = V(External("NotImplemented"))
    table["Ellipsis"] = V(Ellipsis)
    table["__debug__"] = V(True)
    table["__name__"] = V("builtins")
    function = make_class(it, "types.FunctionType", (root,))
    it.kinds.update({
        FuncObj: function,
        Native: make_class(it, "types.BuiltinFunctionType", (root,)),
        BoundMethod: make_class(it, "types.MethodType", (root,)),
        ModuleObj: make_class(it, "types.ModuleType", (root,)),
        GeneratorObj: make_class(it, "types.GeneratorType", (root,)),
        ClassObj: meta,
        SliceObj: table["slice"].d,
    })  # fmt: skip
    it.store["alias_class"] = alias_class(it, root)
    return table


def _fields(cls: type) -> list[str]:
    """Attributes that CPython gives each exception of a class beside ``args``."""
    return [
        name for name, member in vars(cls).items()
        if isinstance(member, FIELDS) and not name.startswith("__") and name != "args"
    ]  # fmt: skip


def _exceptions(it: Any, table: dict[str, V]) -> None:
    classes = [c for c in vars(builtins).values()
               if isinstance(c, type) and issubclass(c, BaseException)]  # fmt: skip
    classes.sort(key=lambda c: (len(c.__mro__), c.__name__))
    for cls in classes:
        if cls.__name__ in table:
            continue
        bases = tuple(table[b.__name__].d for b in cls.__bases__ if b.__name__ in table)
        made = make_class(it, f"builtins.{cls.__name__}", bases or (table["object"].d,))
        if cls is BaseException:
            init = builtin_exceptions.exception_init
            made.ns["__init__"] = V(Native("BaseException.__init__", init, binds=True))
            made.ns["with_traceback"] = V(Native("with_traceback", lambda i, a, k: a[0],
                                                 binds=True))  # fmt: skip
            made.ns["add_note"] = V(Native("add_note", lambda i, a, k: V(None), binds=True))
            made.facts["text"] = builtin_exceptions.exception_text
            made.ns["__traceback__"] = V(None)
            made.ns["__cause__"] = V(None)
            made.ns["__context__"] = V(None)
            made.ns["__suppress_context__"] = V(False)
        for attr in _fields(cls):
            made.ns[attr] = V(Unknown(f"what the {cls.__name__} is about"))
        table[cls.__name__] = V(made)
    for alias, name in (("IOError", "OSError"), ("EnvironmentError", "OSError")):
        table[alias] = table[name]
