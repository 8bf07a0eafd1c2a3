"""Source snippets that between them show every kind of IR node, and what is odd in syntax."""

from __future__ import annotations

SNIPPETS: dict[str, str] = {
    "constants": "None, True, False, ..., 1, 0x_ff, 0b1, 0o7, 1_0, 1.5, 1e-3, .5, 5., 2j, 1_0J\n",
    "strings": r"""
a = 'a', "b", '''c''', '\n\x41\u00e9\N{BULLET}', r'\n', u'u', b'b', rb'\d', Rb"\d", '\d', ''
b = "\
continued", 'it"s', "it's", '''two
lines''', b'\x00\xff'
c = 'one' "two" '''three'''
d = (b'one'
     b"two")
e = ('one'  # comment
     r'\two')
""",
    "names": "a.b.c[d].e = a\n",
    "wide": "é = 'ß' + naïve(\"日本\", x) ; y = f'日{x}本{y!r:>{é}}' ; z = 1\nx = 1\n",
    "normalised names": "ﬁ = x.ﬁ\ndef ﬁ(ﬁ=1, *, µ: int = ﬁ): nonlocal_ = ﬁ\n",
    "subscripts": """
a[1], a[1:2], a[:], a[::], a[1:], a[:1], a[::2], a[1:2:3], a[b, c], a[b,], a[()], a[(b, c)]
a[1:2, ::3], a[ 1 : ], a[ : 1 , ], a[(1):(2)], a[ :: ], a[...], a[
    b, c,
], a[
    b:
], a[x := 1]
""",
    "calls": """
f(), f(a), f(a, b=1), f(*a, **k), f(*a, b, c=1, *d, e=2, **k, **l), f(a,), f((a), (b)), f (a)
f(x for x in y), f((x for x in y)), f( x for x in y ), (f)(x for x in y), f((x for x in y), 1)
f(a)(b)(c), f(a=(yield_), b=lambda: 0), f(x := 1), f(*a or b)
f(  # why
    x for x in y  # not
)
""",
    "operators": """
a + b - c * d / e // f % g ** h @ i << j >> k & l | m ^ n
-a, +a, ~a, not a, - -a, not not a, -1, -a ** -b, a if b else c, a if b else c if d else e
(a + b) * (c), ((a) + (b)), (a)
""",
    "booleans": """
a and b and c, a or b or c, a and b or c and d, (a and b) and c, a and (b and c), (a or b) or c
not a and b, (a and b and c) or d, a and (b or c) and d
""",
    "comparisons": """
a < b, a == b != c, a <= b >= c, a is b, a is not b, a in b, a not in b, a < b < c < d
(a < b) < c, a is  not b, a not  in b
""",
    "lambdas": """
lambda: 0, lambda x: x, lambda x, /, y=1, *z, k, l=2, **m: (x, y), lambda *, k: k, lambda *a: a
""",
    "displays": """
(), (a,), (a, b), a, b
[], [a], [a, b,], [*a, b], {a}, {a, b}, {*a, b}, {}, {a: b}, {a: b, **c, d: e}, (*a, b), {**a}
x = 1,
x = 1, 2 ,
x = *a, b
( ( a, b ) )
(  # comment
    a, b
)
""",
    "comprehensions": """
[x for x in y], {x for x in y}, {x: y for x, y in z}, (x for x in y), [x for x in y if a if b]
[x for x in y for z in x if z for w in z], [(x, y) for x, (y, *z) in w], [x async for x in y]
[y := f(x), y], [(y := x) for x in z], ((x for x in y)), [x for x in (yield_)]
""",
    "async": """
async def f():
    await a
    async with b as c, d: await e
    async for x in y: pass
    else: pass
    return [x async for x in y if await x], (await a).b
    yield 1
""",
    "generators": """
def f():
    x = yield
    y = yield 1, 2
    z = yield from (yield)
    return (yield x)
def g(): return lambda: (yield)
def h(): return (x for x in y)
""",
    "f-strings": r"""
f'', f'a', f'{a}', f'{a!r}', f'{a:>{b}}', f'{a:%Y-%m}', f'{{}}', f'{{{a}}}', f'a{b}c{d}', F'{a}'
f'{a=}', f'{ a = }', f'{a=!r}', f'{a=:>4}', f'{a.b[0](c)!s:{d}.{e}}', rf'\d{a}\{b}', f'\n{a}\x41'
'x' f'{a}' 'y' 'z', f'{a}' f'{b}', 'x' f'y', f"{a['b']}", f'{a,}', f'{a if b else c}'
f'{(lambda: 0)}'
f'''{
    a}
  {b:
}''', f'{ {1: 2}[1] }', f'\{a}', f"\"{a}", fr'{a:\d}', f'{a!r:}', f'{a:{b}{c}}', f'{3.4:10}'
if x:
    if y:
        g(f'a {b} '
          f"c {d}"
              f'e {f}', h)
        raise E(
            f'''one {x}
two {y} {z.w}'''
            ' three'
            f'{u}'
        ) from (
            f"{v}"
        )
match x:
    case 1:
        z = (f'a {b} '
             f"c {d}")
""",
    "tabs": "class C:\n\tdef f(self):\n\t\treturn (f'{a}'\n\t\t  f'{b}')\n",
    "walrus": "if (a := b) and (c := d): pass\nprint(a := 1)\n",
    "assignments": """
a = b = c
a, b = c
(a, b), [c, *d] = e
a: int
a: int = 1
a.b: int = 1
a[0]: "str" = x, y
a += 1; a -= 1; a *= 1; a /= 1; a //= 1; a %= 1; a **= 1; a @= 1; a <<= 1; a >>= 1; a &= 1
a |= 1; a ^= 1; a.b += yield_
x = yield_ = 1
""",
    "simple": """
pass; pass;
def f():
    return
    return 1, 2
    return (1)
    raise
    raise E
    raise E() from e
    assert a
    assert a, 'b'
    del a
    del a, b
    del (a, b)
    del (a), b[0], c.d
    del a,
    global g1, g2
while a:
    break
    continue
""",
    "imports": """
import a
import a.b.c, d as e, f.g as h
from a import b
from . import b
from ... import b as c
from .a.b import (c, d as e,)
from .... a import (
    b,  # why
)
from a import *
""",
    "if": """
if a: pass
if a: pass; b
if a:
    b
elif c:
    d
elif e: f
else:
    g
if a:
    b
else:
    if c:
        d
""",
    "loops": """
while a: b
while a:
    b
else: c
for x in y: z
for x, y in z, w:
    a
else:
    b
for (x) in (y): pass
for x[0] in *a, b: pass
for x in y, : pass
""",
    "with": """
with a: pass
with a as b, c as d.e, f as (g, h): pass
with (a): pass
with (a, b): pass
with (a as b): pass
with (a as b, c,): pass
with (a), (b): pass
with (a).b as c: pass
with (yield_) as x: pass
""",
    "try": """
try: a
except: b
try:
    a
except E: b
except (E, F) as e:
    c
else:
    d
finally:
    e
try: a
finally: b
""",
    "functions": """
def f(): pass
def f(a, b=1, /, c=2, *d, e, f=3, **g) -> int: pass
def f(a: int, b: 'x' = 1, *c: int, d: int, e: int = 2, **g: int) -> (yield_): pass
def f(*, a): pass
def f(a, /): pass
def f(
    a,  # first
    b=(1),
) -> None:
    '''doc'''
def f():
    "doc" 'umented'
    return 1
def f(): "doc"; x = 1
def f():
    f'not {doc}'
def f():
    b'not doc'
def f():
    ('doc')
@a
@b.c(1)
# comment
async def f():
    def g():
        @d
        class C: pass

        return C
    return g

    # trailing comment
""",
    "classes": """
class A: pass
class A(): pass
class A(B, *C, metaclass=M, **k):
    '''doc'''
    x: int = 1
    def f(self): return __class__
class A: 'doc'
class A(
    B,
):
    class D(E): pass
""",
    "scopes": """
def f(a, *b, c, **d):
    import e.f, g as h
    from i import j, k as l
    from m import n
    global o, p
    o = q = 1
    for r, (s, *t) in u: pass
    with v as (w, x): pass
    try: pass
    except E as y: pass
    [z for z in aa if (bb := z)]
    cc += 1; dd: int; ff: int = 1; gg.hh = 1; ii[0] = 1; del jj
    lambda kk: (ll := kk)
    def mm(nn=(oo := 1)):
        nonlocal q, r
        q = pp = 1
    class qq(rr := B):
        ss = 1
        def tt(self): pass
    match uu:
        case [vv, *ww] | {'k': vv, **ww}: pass
        case C(xx, k=yy) as zz: pass
        case _: pass
    @(ab := deco)
    def ac(): pass
    return {ad: ae for ad, ae in y}, (af := 1)
""",
    "match": """
match a:
    case 1 | -1 | 1+2j | 'a' "b" | None | True | False | x.y | b'c': pass
    case x: pass
match a, b:
    case _: pass
    case (x): pass
    case [x, y] | (x, y): pass
    case x, y, *_: pass
    case x,: pass
    case [*x, y,]: pass
    case []: pass
    case (): pass
    case (x,): pass
    case {}: pass
    case {'a': 1, x.y: b, **rest}: pass
    case {-1: _, }: pass
    case C(): pass
    case C.D(x, 1, y=2, z=[w],): pass
    case (1 | 2) as x if x > 1: pass
    case ((x) as y): pass
    case [(-0), ((1 | (2)) as z)]: pass
    case f.g:
        if a: b
match = case = type = 1
match(x)
match[x], match.case
""",
    "layout": (
        "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\x0c\n'''Doc.'''\n\x0c\n"
        "x = 1 ; y = \\\n  2\nif x:\n\ty = x\n\n\t# comment\n\tz = \\\n\ty\n"
        "def f(\n  a\n ):\n   return (\n\n  a\n + 1)\nx = 3 # end\n   # comment\n"
    ),
    "empty": "",
    "only a docstring": '"""Doc\n\n  indented."""',
    "only a comment": "# nothing",
}

NEWER: dict[str, str] = {
    "except star": "try: a\nexcept* E as e: b\nexcept* (F, G): c\nelse: d\nfinally: g\n",
    "starred index": "a[*b], a[*b, c]\ndef f(*args: *Ts): pass\nx: tuple[*Ts] = 1\n",
    "type parameters": (
        "type X = int\ntype Y[T, *Ts, **P] = list[T]\n"
        "def f[T: int](a: T) -> T: return a\nclass C[T](B): pass\n"
    ),
    "nested quotes": (
        "x = f'{a['b']} {f'{c}'}'\ny = f'{\n  a  # comment\n}' f\"{'\\n'.join(x)}\"\n"
    ),
    "default type parameters": "type Z[T = int, *Ts = *tuple[int], **P = [int]] = T\n",
}
"""Syntax that Python 3.10 cannot parse (some of it only 3.13 can)."""
