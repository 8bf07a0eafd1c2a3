"""``random``, ``secrets``, ``uuid``, ``hashlib``: chance is not known, digests can be."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.models.standard import late
from mlapath.models.support import (
    ERRORS,
    gives,
    instance,
    nothing,
    origins,
    throw_like,
    unknown,
)
from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.objects import ClassObj, Instance, ListObj
from mlapath.values.truth import Truth
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]
WHY = "a random value"


# -- random --------------------------------------------------------------------------------


def _between(name: str, hint: str, *, less: int = 0) -> Fn:
    """A number between two others."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        low, high = (args[0], args[1]) if len(args) > 1 else (V(0), args[0])
        lo = low.d if type(low.d) in (int, float) else None
        hi = high.d - less if type(high.d) in (int, float) else None
        return unknown(f"random.{name}()", hint, origins(args), lo=lo, hi=hi)

    return fn


def _fraction(it: Any, args: Args, kwargs: Kwargs) -> V:
    return unknown("random.random()", "float", lo=0, hi=1)


def _choice(it: Any, args: Args, kwargs: Kwargs) -> V:
    items = it.iterate(args[0])
    if items is None or it.is_open(args[0]):
        return unknown("a choice of unknown items", "", args[0].o)
    if not items:
        it.throw("IndexError", "Cannot choose from an empty sequence")
    found: V = it.union(list(items))
    return found


def _choices(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``choices(population, weights, *, k=1)`` and ``sample(population, k)``."""
    number = kwargs.get("k", args[1] if len(args) > 1 else V(1)).d
    items = it.iterate(args[0])
    known = items is not None and bool(items) and not it.is_open(args[0])
    one = it.union(list(items)) if known else unknown(WHY, "", args[0].o)
    made = it.heap.list([one] * number if type(number) is int else [])
    if type(number) is not int:
        it.heap.open_list(made, "an unknown number of choices")
    return V(made)


def _shuffle(it: Any, args: Args, kwargs: Kwargs) -> V:
    target = args[0].d
    if type(target) is not ListObj:
        it.havoc(args[0], "shuffled")
    elif target.items:
        any_of = it.union(list(target.items))
        it.heap.put(target.cell, "items", [any_of] * len(target.items))
    return V(None)


RANDOM: dict[str, Fn] = {
    "seed": nothing, "setstate": nothing, "getstate": gives("random.getstate"),
    "random": _fraction, "randint": _between("randint", "int"),
    "randrange": _between("randrange", "int", less=1), "uniform": _between("uniform", "float"),
    "choice": _choice, "choices": _choices, "sample": _choices, "shuffle": _shuffle,
    "getrandbits": gives("random.getrandbits", "int", lo=0),
    "randbytes": gives("random.randbytes", "bytes"),
    **{name: gives(f"random.{name}", "float") for name in (
        "gauss", "normalvariate", "expovariate", "gammavariate", "betavariate", "triangular",
        "lognormvariate", "paretovariate")},
}  # fmt: skip


def _generator(full: str) -> Factory:
    methods: dict[str, Fn] = {
        name: (lambda i, a, k, fn=fn: fn(i, a[1:], k))  # type: ignore[misc]
        for name, fn in RANDOM.items()
    }
    return lambda it: V(make_class(it, full, methods={**methods, "__init__": nothing}))


# -- uuid ----------------------------------------------------------------------------------


def _uuid(real: Any, it: Any) -> V:
    cls = it.models.symbol(it, "uuid.UUID").d
    if real is None:
        parts = {"hex": unknown(WHY, "str"), "int": unknown(WHY, "int", lo=0),
                 "bytes": unknown(WHY, "bytes")}  # fmt: skip
    else:
        parts = {"hex": V(real.hex), "int": V(real.int), "bytes": V(real.bytes)}
    return instance(it, cls, parts)


def _parse_uuid(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    try:
        plain = [to_py(a) for a in args]
        return _uuid(late("uuid", "UUID")(*plain, **{k: to_py(v) for k, v in kwargs.items()}), it)
    except NotConcrete:
        return _uuid(None, it)
    except ERRORS as error:
        throw_like(it, error)
        raise AssertionError("unreachable") from error


def _uuid_text(it: Any, value: V, conversion: str) -> str | None:
    number = value.d.attrs["int"].d
    if type(number) is not int:
        return None
    real = late("uuid", "UUID")(int=number)
    return repr(real) if conversion == "r" else str(real)


def _uuid_class(it: Any) -> V:
    return V(make_class(
        it, "uuid.UUID", construct=_parse_uuid, foreign="uuid.UUID",
        facts={"text": _uuid_text, "hash_fields": ("int",), "eq_fields": ("int",),
               "frozen": True, "truth": lambda i, v: Truth.TRUE},
    ))  # fmt: skip


# -- hashlib -------------------------------------------------------------------------------

DATA, OPTIONS = "\0data", "\0options"
HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_224", "sha3_256",
          "sha3_384", "sha3_512", "blake2b", "blake2s", "shake_128", "shake_256")  # fmt: skip


def _hash(name: str) -> Fn:
    """``hashlib.sha256(data=b"", …)`` and the like."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        data = args[0] if args else kwargs.get("data", kwargs.get("string", V(b"")))
        if type(data.d) is str:
            it.throw("TypeError", "Strings must be encoded before hashing")
        options = it.heap.dict()
        for key, value in kwargs.items():
            if key not in ("data", "string"):
                it.dict_set(options, V(key), value)
        cls = it.models.symbol(it, "hashlib._Hash").d
        return instance(it, cls, {"name": V(name), DATA: data, OPTIONS: V(options)})

    return fn


def _new(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``hashlib.new(name, data=b"")``."""
    name = argument(args, kwargs, 0, "name") or V(None)
    if type(name.d) is not str or name.d.lower() not in HASHES:
        return gives("hashlib.new", raises=True)(it, args, kwargs)
    rest = {key: value for key, value in kwargs.items() if key != "name"}
    return _hash(name.d.lower())(it, args[1:], rest)


def _update(it: Any, args: Args, kwargs: Kwargs) -> V:
    attrs = args[0].d.attrs
    if type(args[1].d) is str:
        it.throw("TypeError", "Strings must be encoded before hashing")
    old, new = attrs[DATA].d, args[1].d
    joined = V(old + new) if type(old) is bytes and type(new) is bytes else unknown(
        "the data of a digest", "bytes")  # fmt: skip
    it.heap.put(attrs, DATA, V(joined.d, origins([attrs[DATA], args[1]])))
    return V(None)


def _digest(name: str, hint: str) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        attrs = args[0].d.attrs
        origin = attrs[DATA].o
        try:
            options = to_py(attrs[OPTIONS])
            data = to_py(attrs[DATA])
            length = [to_py(a) for a in args[1:]]
            real = late("hashlib", attrs["name"].d)(data, **options)
            return V(getattr(real, name)(*length), origin)
        except NotConcrete:
            return unknown("a digest of unknown data", hint, origin)
        except ERRORS as error:
            throw_like(it, error)
            raise AssertionError("unreachable") from error

    return fn


def _copy(it: Any, args: Args, kwargs: Kwargs) -> V:
    d: Instance = args[0].d
    return instance(it, d.cls, dict(d.attrs))


def _size(name: str) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        try:
            options = to_py(args[0].d.attrs[OPTIONS])
        except NotConcrete:
            return unknown("the size of a digest", "int", lo=1)
        return V(getattr(late("hashlib", args[0].d.attrs["name"].d)(**options), name))

    return fn


def _hash_class(it: Any) -> V:
    return V(make_class(
        it, "hashlib._Hash",
        methods={"update": _update, "digest": _digest("digest", "bytes"),
                 "hexdigest": _digest("hexdigest", "str"), "copy": _copy},
        properties={"digest_size": _size("digest_size"), "block_size": _size("block_size")},
    ))  # fmt: skip


LIBRARY = Library(
    functions={
        **{f"random.{name}": fn for name, fn in RANDOM.items()},
        "secrets.token_hex": gives("secrets.token_hex", "str"),
        "secrets.token_urlsafe": gives("secrets.token_urlsafe", "str"),
        "secrets.token_bytes": gives("secrets.token_bytes", "bytes"),
        "secrets.randbelow": gives("secrets.randbelow", "int", lo=0),
        "secrets.choice": _choice,
        "secrets.compare_digest": lambda it, a, k: it.compare("==", a[0], a[1]),
        **{f"uuid.{name}": lambda it, a, k: _uuid(None, it) for name in (
            "uuid1", "uuid3", "uuid4", "uuid5", "uuid7")},
        **{f"hashlib.{name}": _hash(name) for name in HASHES},
        "hashlib.new": _new,
    },
    values={
        "random.Random": _generator("random.Random"),
        "random.SystemRandom": _generator("random.SystemRandom"),
        "uuid.UUID": _uuid_class,
        "hashlib._Hash": _hash_class,
        "hashlib.algorithms_available": lambda it: it.make_set([V(n) for n in HASHES]),
        "hashlib.algorithms_guaranteed": lambda it: it.make_set([V(n) for n in HASHES]),
    },
)  # fmt: skip
