"""``packaging.version`` and ``packaging.specifiers``: computed by the real library."""

from __future__ import annotations

import operator
from typing import Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from mlapath.models.api import Library, make_class
from mlapath.values.objects import Instance
from mlapath.values.origin import merge
from mlapath.values.value import External, Unknown, V

PARTS = (
    "major", "minor", "micro", "base_version", "is_prerelease", "is_devrelease", "is_postrelease",
    "public", "local", "epoch", "dev", "pre", "post", "release",
)  # fmt: skip


def version_class(it: Any) -> V:
    """``Version``: its text is kept, unknown text gives unknown comparisons."""
    found = it.store.get("packaging.Version")
    if found is None:
        methods = {f"__{name}__": _compare(name) for name in ("lt", "le", "gt", "ge", "eq", "ne")}
        methods["__str__"] = lambda i, a, k: a[0].d.attrs["text"]
        methods["__hash__"] = lambda i, a, k: V(Unknown("a hash", "int"))
        found = V(make_class(
            it, "packaging.version.Version", methods={**methods, "__init__": _init},
            properties={name: _part(name) for name in PARTS},
        ))  # fmt: skip
        it.store["packaging.Version"] = found
    result: V = found
    return result


def _init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    text = args[1] if len(args) > 1 else kwargs["version"]
    if type(text.d) is str:
        try:
            Version(text.d)
        except InvalidVersion as error:
            invalid = it.instantiate(_invalid(it).d, [V(str(error))], {})
            raise it.make_raise(invalid) from None
    it.setattr(args[0], "text", text)
    return V(None)


def _invalid(it: Any) -> V:
    found = it.store.get("packaging.InvalidVersion")
    if found is None:
        base = it.builtins["ValueError"].d
        found = V(make_class(it, "packaging.version.InvalidVersion", (base,)))
        it.store["packaging.InvalidVersion"] = found
    result: V = found
    return result


def _known(value: V) -> Version | None:
    d = value.d
    if type(d) is Instance and "text" in d.attrs and type(d.attrs["text"].d) is str:
        return Version(d.attrs["text"].d)
    return None


def _origin(value: V) -> Any:
    d = value.d
    return d.attrs["text"].o if type(d) is Instance and "text" in d.attrs else value.o


def _compare(name: str) -> Any:
    real = getattr(operator, name)

    def method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        a, b = _known(args[0]), _known(args[1])
        origin = merge(_origin(args[0]), _origin(args[1]))
        if type(args[1].d) is not Instance and type(args[1].d) is not Unknown:
            return V(External("NotImplemented"))
        if a is None or b is None:
            return V(Unknown("an order of versions that are not known", "bool"), origin)
        return V(bool(real(a, b)), origin)

    return method


def _part(name: str) -> Any:
    def get(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        known = _known(args[0])
        origin = _origin(args[0])
        if known is None:
            hint = "int" if name in ("major", "minor", "micro", "epoch") else ""
            return V(Unknown(f"{name} of a version that is not known", hint), origin)
        value = getattr(known, name)
        if isinstance(value, tuple):
            return V(tuple(V(x, origin) for x in value), origin)
        return V(value, origin)

    return get


def parse(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``packaging.version.parse``."""
    made: V = it.instantiate(version_class(it).d, args, kwargs)
    return made


def specifier_class(it: Any) -> V:
    """``SpecifierSet``: ``contains`` and ``in``."""
    found = it.store.get("packaging.SpecifierSet")
    if found is None:
        methods = {
            "__init__": lambda i, a, k: i.setattr(a[0], "text", a[1] if len(a) > 1 else V(""))
            or V(None),
            "__contains__": _contains, "contains": _contains,
        }  # fmt: skip
        found = V(make_class(it, "packaging.specifiers.SpecifierSet", methods=methods))
        it.store["packaging.SpecifierSet"] = found
    result: V = found
    return result


def _contains(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    spec = args[0].d.attrs["text"]
    item = args[1]
    known = _known(item)
    text = str(known) if known is not None else item.d
    if type(spec.d) is not str or type(text) is not str:
        return V(Unknown("whether a version fits", "bool"), merge(spec.o, item.o))
    try:
        return V(SpecifierSet(spec.d).contains(text, prereleases=True), merge(spec.o, item.o))
    except (InvalidSpecifier, InvalidVersion):
        return V(Unknown("whether a version fits", "bool"))


LIBRARY = Library(
    functions={"packaging.version.parse": parse},
    values={
        "packaging.version.Version": version_class,
        "packaging.version.InvalidVersion": _invalid,
        "packaging.specifiers.SpecifierSet": specifier_class,
        "packaging.version": lambda it: V(External("packaging.version")),
    },
)
