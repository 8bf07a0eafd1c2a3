"""``importlib``: modules by name, whether they can be found, and specs."""

from __future__ import annotations

from typing import Any

from mlapath.models import stdlib_importlib_metadata
from mlapath.models.api import Library, argument, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.stdlib_os_path import fspath
from mlapath.models.support import alternatives, instance, nothing, unknown
from mlapath.values.origin import Origin
from mlapath.values.truth import Truth
from mlapath.values.value import External, Unknown, V

SPEC = "importlib.machinery.ModuleSpec"


def import_module(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``import_module(name, package=None)``."""
    return alternatives(it, args, kwargs, _import)


def _import(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = _absolute(it, args, kwargs)
    if type(name.d) is not str:
        it.frontier(it.frame, it.frame.pos, "a module whose name is not known is imported")
        return unknown("a module whose name is not known", "", name.o)
    module: V = it.import_module(name.d)
    return V(module.d, name.o)


def _absolute(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = argument(args, kwargs, 0, "name") or V(None)
    if type(name.d) is not str:
        if type(name.d) is not Unknown:
            it.throw("AttributeError", f"'{it.type_name(name)}' object has no attribute "
                     "'startswith'")  # fmt: skip
        return name
    if not name.d.startswith("."):
        return name
    package = argument(args, kwargs, 1, "package") or V(None)
    if type(package.d) is not str:
        if package.d is None:
            it.throw("TypeError", f"the 'package' argument is required for '{name.d}'")
        return package
    level = len(name.d) - len(name.d.lstrip("."))
    parts = package.d.split(".")
    base = ".".join(parts[: len(parts) - level + 1])
    rest = name.d[level:]
    return V(f"{base}.{rest}" if rest else base, name.o)


def find_spec(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``find_spec(name, package=None)``: a spec, or None where there is no such module."""
    return alternatives(it, args, kwargs, _find)


def _find(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = _absolute(it, args, kwargs)
    if type(name.d) is not str:
        return unknown("the spec of a module whose name is not known", "", name.o)
    parent = name.d.rpartition(".")[0]
    if parent:
        it.import_module(parent)
    path = it.program.find(name.d)
    truth = Truth.TRUE if path is not None else it.facts.has_module(name.d)
    origin = Origin("package", label=f"module:{name.d}", value=truth is Truth.TRUE)
    if truth is Truth.FALSE:
        return V(None, origin)
    spec = V(_spec(it, name, path).d, origin)
    if truth is Truth.TRUE:
        return spec
    joined: V = it.union([spec, V(None, origin)])
    return V(joined.d, origin)


def _spec(it: Any, name: V, path: str | None) -> V:
    where = unknown("the file of a module", "str")
    folders = unknown("the folders of a package")
    if path is not None:
        where = V(f"{it.program.root}/{path}")
        package = path.endswith("__init__.py")
        folder = V(f"{it.program.root}/{path.rpartition('/')[0]}")
        folders = V(it.heap.list([folder])) if package else V(None)
    return instance(it, library_class(it, SPEC), {
        "name": name, "origin": where, "submodule_search_locations": folders,
        "loader": _loader(it), "parent": V(name.d.rpartition(".")[0]), "has_location": V(True),
    })  # fmt: skip


def _loader(it: Any) -> V:
    cls = it.store.get("importlib.loader")
    if cls is None:
        cls = it.store["importlib.loader"] = make_class(
            it, "importlib.machinery.SourceFileLoader", methods={"exec_module": nothing},
            foreign="importlib.machinery.SourceFileLoader", facts={"truthy": True},
        )  # fmt: skip
    return instance(it, cls, {})


def spec_from_file_location(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``spec_from_file_location(name, location)``: a spec of a file that is not looked into."""
    name = argument(args, kwargs, 0, "name") or V(None)
    if type(name.d) is not str:
        return unknown("a spec of a file", "", name.o)
    made = _spec(it, name, None)
    location = argument(args, kwargs, 1, "location")
    if location is not None:
        made.d.attrs["origin"] = fspath(it, location)
    return made


def module_from_spec(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``module_from_spec(spec)``: what lies outside the tree is a symbol, the rest unknown."""
    name = it.find_attr(args[0], "name")
    if name is None or type(name.d) is not str:
        return unknown("a module of an unknown spec", "", args[0].o)
    if it.program.find(name.d) is not None:
        it.frontier(it.frame, it.frame.pos, "a module is loaded a second time by its file")
        return unknown("a module that is loaded by its file")
    summary: V | None = it.models.module(it, name.d)
    known_top = it.facts.has_module(name.d.partition(".")[0]) is not Truth.FALSE
    if summary is None and not known_top:
        return unknown("a module that is loaded by its file")
    return V(External(name.d)) if summary is None else summary


def _same(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


LIBRARY = Library(
    functions={
        "importlib.import_module": import_module,
        "importlib.reload": _same,
        "importlib.invalidate_caches": nothing,
        "importlib.util.find_spec": find_spec,
        "importlib.util.spec_from_file_location": spec_from_file_location,
        "importlib.util.module_from_spec": module_from_spec,
        **stdlib_importlib_metadata.FUNCTIONS,
    },
    values={
        SPEC: lambda it: V(make_class(it, SPEC)),
        **stdlib_importlib_metadata.VALUES,
    },
    aliases=stdlib_importlib_metadata.ALIASES,
)
