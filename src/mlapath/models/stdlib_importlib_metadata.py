"""``importlib.metadata``: installed distributions, by the facts.

The facts offer ``version(name)``, ``has_distribution(name)`` and, optionally, ``plugins``: entry
points with ``group``, ``name`` and ``value``. Without it there are none, by assumption.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn, argument, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.support import alternatives, gives, instance, unknown
from mlapath.values.objects import Instance
from mlapath.values.origin import Origin
from mlapath.values.truth import Truth
from mlapath.values.value import V

MODULE = "importlib.metadata"
NOT_FOUND = f"{MODULE}.PackageNotFoundError"
ENTRY_POINT, ENTRY_POINTS = f"{MODULE}.EntryPoint", f"{MODULE}.EntryPoints"


def version(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``version(distribution_name)``; raises the program's PackageNotFoundError."""
    return alternatives(it, args, kwargs, _version)


def _version(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = (args or list(kwargs.values()))[0]
    if type(name.d) is not str:
        it.may_raise(it.frame, f"{MODULE}.version")
        return unknown("the version of an unknown distribution", "str", name.o)
    known: str | None = it.facts.version(name.d)
    origin = Origin("package", label=f"package:{name.d}", value=known)
    if known is not None:
        return V(known, origin)
    _require(it, name)
    return unknown(f"the version of {name.d}", "str", origin)


def _require(it: Any, name: V) -> None:
    """Raise PackageNotFoundError where the distribution is not, or may not be, installed."""
    present = it.facts.has_distribution(name.d)
    if present is Truth.TRUE:
        return
    error = it.make_raise(it.instantiate(library_class(it, NOT_FOUND), [name], {}))
    if present is Truth.FALSE:
        raise error
    if it.tries:
        it.leave_pending_with(error)


def _distribution(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = (args or list(kwargs.values()))[0]
    if type(name.d) is not str:
        it.may_raise(it.frame, f"{MODULE}.distribution")
        return unknown("an unknown distribution", "", name.o)
    text = _version(it, [name], {})
    return instance(it, library_class(it, f"{MODULE}.Distribution"),
                    {"version": text, "name": name})  # fmt: skip


def _metadata(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    made = _distribution(it, args, kwargs)
    if type(made.d) is not Instance:
        return made
    return instance(it, library_class(it, f"{MODULE}.PackageMetadata"), dict(made.d.attrs))


def _field(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = args[1].d
    if name in ("Name", "Version"):
        found: V = args[0].d.attrs[name.lower()]
        return found
    return unknown(f"the field {name} of a distribution", "", args[0].o)


def entry_points(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``entry_points(group=…, name=…)``."""
    cls = library_class(it, ENTRY_POINT)
    made = tuple(
        instance(it, cls, {key: V(getattr(plugin, key)) for key in ("group", "name", "value")})
        for plugin in getattr(it.facts, "plugins", ())
    )
    return _select(it, [_points(it, made)], kwargs)


def _points(it: Any, items: tuple[V, ...]) -> V:
    origin = Origin("default", label="host:plugins", value=len(items))
    return V(instance(it, library_class(it, ENTRY_POINTS), {}, items).d, origin)


def _select(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``EntryPoints.select(group=…, name=…)``."""
    kept = []
    for item in args[0].d.payload:
        truths = [it.truth(it.compare("==", item.d.attrs.get(key, V(None)), value))
                  for key, value in kwargs.items()]  # fmt: skip
        if Truth.UNKNOWN in truths and Truth.FALSE not in truths:
            return unknown("entry points of an unknown group")
        if Truth.FALSE not in truths:
            kept.append(item)
    return _points(it, tuple(kept))


def _load(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``EntryPoint.load()``: the object that ``module:attr`` names."""
    module, _, path = args[0].d.attrs["value"].d.partition(":")
    value: V = it.import_module(module.strip())
    for name in filter(None, path.partition("[")[0].strip().split(".")):
        value = it.getattr(value, name)
    return value


def _get(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    group = argument(args, kwargs, 1, "group")
    return _select(it, args[:1], {"group": group} if group is not None else {})


def _names(key: str) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        made: V = it.make_set([item.d.attrs[key] for item in args[0].d.payload])
        return made

    return fn


def _points_class(it: Any) -> V:
    return V(
        make_class(
            it, ENTRY_POINTS, (it.builtins["tuple"].d,), payload=tuple,
            methods={"select": _select, "get": _get},
            properties={"names": _names("name"), "groups": _names("group")},
        )
    )  # fmt: skip


def _module_part(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(args[0].d.attrs["value"].d.partition(":")[0].strip())


def _not_found(it: Any) -> V:
    def text(engine: Any, value: V, conversion: str) -> str | None:
        args = value.d.attrs["args"].d
        shown = [engine.format_value(a, "r" if conversion == "r" else "", "") for a in args]
        if None in shown:
            return None
        inner = ", ".join(shown)
        if conversion == "r":
            return f"PackageNotFoundError({inner})"
        return f"No package metadata was found for {inner}"

    base = it.builtins["ModuleNotFoundError"].d
    properties: dict[str, Fn] = {"name": lambda it, args, kwargs: args[0].d.attrs["args"].d[0]}
    return V(make_class(it, NOT_FOUND, (base,), facts={"text": text}, properties=properties))


FUNCTIONS: dict[str, Fn] = {
    f"{MODULE}.version": version,
    f"{MODULE}.distribution": lambda it, args, kwargs: alternatives(it, args, kwargs,
                                                                    _distribution),
    f"{MODULE}.metadata": lambda it, args, kwargs: alternatives(it, args, kwargs, _metadata),
    f"{MODULE}.entry_points": entry_points,
    f"{MODULE}.requires": gives(f"{MODULE}.requires", raises=True),
    f"{MODULE}.files": gives(f"{MODULE}.files", raises=True),
    f"{MODULE}.packages_distributions": gives(f"{MODULE}.packages_distributions", "dict"),
    f"{MODULE}.distributions": gives(f"{MODULE}.distributions"),
}  # fmt: skip
VALUES = {
    NOT_FOUND: _not_found,
    ENTRY_POINT: lambda it: V(make_class(it, ENTRY_POINT, methods={"load": _load},
                                         properties={"module": _module_part})),
    ENTRY_POINTS: _points_class,
    f"{MODULE}.Distribution": lambda it: V(
        make_class(it, f"{MODULE}.Distribution", foreign=f"{MODULE}.Distribution")
    ),
    f"{MODULE}.PackageMetadata": lambda it: V(
        make_class(it, f"{MODULE}.PackageMetadata", foreign=f"{MODULE}.PackageMetadata",
                   methods={"__getitem__": _field, "get": _field})
    ),
}  # fmt: skip
ALIASES = {f"importlib_metadata.{name.rpartition('.')[2]}": name for name in (*FUNCTIONS, *VALUES)}
