"""``getattr`` and its kin."""

from __future__ import annotations

from typing import Any

from mlapath.values.objects import Instance
from mlapath.values.origin import merge
from mlapath.values.value import ABSENT, External, Union, Unknown, V

Args = list[V]
Kwargs = dict[str, V]


def getattr_(it: Any, args: Args, kwargs: Kwargs) -> V:
    name = args[1].d
    if type(name) is not str:
        return V(Unknown("getattr of an unknown name"))
    if args[1].o is not None:
        got = getattr_(it, [args[0], V(name), *args[2:]], kwargs)
        return V(got.d, merge(args[1].o, got.o))
    if len(args) < 3:
        return it.resting_on(it.getattr(args[0], name), args[0].o)  # type: ignore[no-any-return]
    if type(args[0].d) is External and not it.models.known(f"{args[0].d.name}.{name}"):
        found = it.find_attr(args[0], name)
        return args[2] if found is None else it.union([found, args[2]])
    found = it.find_attr(args[0], name)
    if found is None:
        return it.resting_on(args[2], args[0].o)  # type: ignore[no-any-return]
    if type(found.d) is Union and any(o.d is ABSENT for o in found.d.options):
        rest = [o for o in found.d.options if o.d is not ABSENT]
        found = it.union([*rest, args[2]])
    return it.resting_on(found, args[0].o)  # type: ignore[no-any-return]


def hasattr_(it: Any, args: Args, kwargs: Kwargs) -> V:
    base, name = args[0], args[1].d
    if type(name) is not str or type(base.d) is Unknown:
        return V(Unknown("hasattr of something unknown", "bool"), base.o)
    found = it.find_attr(base, name)
    if found is None:
        return V(False, merge(base.o, args[1].o))
    origin = merge(found.o, base.o, args[1].o)
    if type(found.d) is Union and any(o.d is ABSENT for o in found.d.options):
        return V(Unknown("an attribute that may be absent", "bool"), origin)
    if (
        type(found.d) is External
        and type(base.d) is External
        and not it.models.known(f"{base.d.name}.{name}")
    ):
        return V(Unknown(f"whether {base.d.name} has {name}", "bool"), origin)
    if (
        type(base.d) is Instance
        and type(found.d) is Unknown
        and (base.d.open or base.d.cls.foreign)
        and name not in base.d.attrs
    ):
        return V(Unknown("an attribute that may be absent", "bool"), origin)
    return V(True, origin)


def setattr_(it: Any, args: Args, kwargs: Kwargs) -> V:
    if type(args[1].d) is str:
        it.setattr(args[0], args[1].d, args[2])
    else:
        it.set_some_attr(args[0], args[2])
    return V(None)


def delattr_(it: Any, args: Args, kwargs: Kwargs) -> V:
    if type(args[1].d) is str:
        it.delattr(args[0], args[1].d)
    else:
        it.havoc(args[0], "delattr with an unknown name")
    return V(None)
