"""Functions that the tests of the flag reader run in CPython and walk; each must give the same."""
# ruff: noqa: BLE001, C416, FURB171, N812, PLC3002, PLR0133, RUF005, SIM108, SIM222, SIM223, TRY203, UP007, UP031

import re
from collections import defaultdict
from typing import Literal, Union, get_args, get_origin


def arithmetic():
    return [7 // 2, 7 % 4, 2**10, -3, ~1, 1 << 4, 5 & 6, 5 | 6, 5 ^ 6, 1 / 4]


def comparison():
    return [1 < 2 < 3, 1 < 2 > 3, "a" in "abc", 3 not in [1], None is None]


def short_circuit():
    return [0 or [] or "x", 1 and "" and "y", not 1]


def slices():
    a = list(range(9))
    return [a[2:], a[:2], a[::3], a[-1], "abc"[1:]]


def unpacking():
    a, (b, *c), d = 1, (2, 3, 4), 5
    *e, g = [1, 2]
    return [a, b, c, d, e, g]


def displays():
    x = {"a": 1}
    return [{**x, "b": 2}, [*x, 3], (1,), {1}]


def comprehensions():
    return [
        [x * y for x in (1, 2) if x for y in (3, 4)],
        {x: x for x in "ab"},
        {x for x in "aa"},
        sum(x for x in range(4)),
        next((x for x in [3, 4]), None),
    ]


def strings(n=7):
    return f"{n}|{n!r:>4}|{n=}|{n:03}" + "%s %d" % ("a", 2)


def walrus():
    return [(n := 3) + n, [m := 1, m][1]]


def conditional():
    return ["a" if x else "b" for x in (0, 1)]


def loops():
    out = []
    for i in range(9):
        if i == 1:
            continue
        if i == 4:
            break
        out.append(i)
    else:
        out.append("no break")
    while out:
        if out.pop() == 2:
            break
    for _ in ():
        pass
    out.append("else")
    return out


def augmented():
    a = b = [1]
    a += [2]
    n = 1
    n -= 3
    d = {1: 2}
    d[1] *= 5
    return [a, b, n, d]


def deletion():
    d = {"a": 1, "b": 2}
    del d["a"]
    return d


def closures():
    n = 2

    def add(x, *rest, k=1, **more):
        return [x + n, rest, k, more]

    return add(1, 2, 3, k=4, z=5)


def defaults_bind_early():
    out = []
    for n in (1, 2):

        def g(x=n):
            return x

        out.append(g)
    return [g() for g in out]


def lambdas():
    return sorted([3, 1, 2], key=lambda x: -x) + [(lambda a, b=2: a + b)(1)]


def recursion(n=5):
    return 1 if n < 2 else n * recursion(n - 1)


def exceptions():
    out = []
    for text in ("1", "x", None):
        try:
            out.append(int(text))
        except ValueError as error:
            out.append(type(error).__name__)
        except (KeyError, TypeError):
            out.append("type")
        else:
            out.append("fine")
        finally:
            out.append("end")
    return out


def _raises():
    raise ValueError("bad")


def raising():
    try:
        _raises()
    except Exception as error:
        return str(error)


def raise_again():
    try:
        try:
            int("x")
        except ValueError:
            raise
    except ValueError:
        return "outer"


def assertions():
    try:
        assert 1 == 2, "no"
    except AssertionError as e:
        return str(e)


def imports():
    import json as j
    from json import dumps

    return j.loads(dumps({"a": [1]}))


def regular_expressions():
    return [re.sub("b+", lambda m: m.group().upper(), "abbc"), re.split(",", "a,b")]


A = 1
B = A + 1
if B == 2:
    C = "yes"
else:
    C = "no"


def module_names():
    return [A, B, C]


A = 1
A = 2
try:
    from json import loads as L
except ImportError:
    L = None


def the_last_binding():
    return [A, L("3")]


T = Literal["a", "b"]


def typing():
    return [get_args(T), get_origin(Union[int, None]) is Union, get_args(list[int])]


def generic_calls():
    d = defaultdict[str, list[int]](list)
    d["a"].append(1)
    return [dict(d), list[int]((1,)), set[str]()]


def methods():
    return ["a-b".replace("-", "_").split("_"), {"a": 1}.get("b", 2), [1, 2].index(2)]


def tests_of_attributes():
    return [hasattr("", "upper"), ("a").upper(), getattr("a", "nope", 3)]
