"""What is learnt of one value is not taken for true of others that an unknown stands for."""

import pytest

from support.unknowns import with_unknown

START = """
class C:
    def __init__(self): self.x = some_lib.f()
def hit(): pass
"""
CASES = {
    "attribute of several objects": """
cs = []
for _ in u: cs.append(C())
for a in cs:
    for b in cs:
        first = a.x
        if first:
            second = b.x
            if not second: hit()
""",
    "in a tuple of theirs": """
class T:
    def __init__(self): self.pair = (some_lib.f(), 1)
cs = []
for _ in u: cs.append(T())
for c in cs:
    for d in cs:
        a = c.pair[0]
        b = d.pair[0]
        if a:
            if not b: hit()
""",
    "through their methods": """
class D:
    def __init__(self): self.x = some_lib.f()
    def get(self): return self.x
cs = []
for _ in u: cs.append(D().get)
for a in cs:
    for b in cs:
        first = a()
        if first:
            second = b()
            if not second: hit()
""",
    "dataclass": """
import dataclasses
@dataclasses.dataclass
class D:
    x: int
cs = []
for _ in u: cs.append(D(some_lib.f()))
for a in cs:
    for b in cs:
        first = a.x
        if first:
            second = b.x
            if not second: hit()
""",
    "their keys": """
cs = []
for _ in u: cs.append({"x": some_lib.f()})
for a in cs:
    for b in cs:
        first = a["x"]
        if first:
            second = b["x"]
            if not second: hit()
""",
    "their items": """
cs = []
for _ in u: cs.append([some_lib.f()])
for a in cs:
    for b in cs:
        first = a[0]
        if first:
            second = b[0]
            if not second: hit()
""",
    "as arguments": """
def h(a, b):
    if a:
        if not b: hit()
cs = []
for _ in u: cs.append(C())
for c in cs:
    for d in cs:
        h(c.x, d.x)
""",
    "items of a list": """
cs = []
for _ in u: cs.append(some_lib.f())
for a in cs:
    for b in cs:
        if a:
            if not b: hit()
""",
    "items by number": """
cs = []
for _ in u: cs.append(some_lib.f())
first = cs[0]
if first:
    second = cs[1]
    if not second: hit()
""",
    "items unpacked": """
cs = []
for _ in u: cs.append(some_lib.f())
a, b = cs
if a:
    if not b: hit()
""",
    "items by next()": """
cs = []
for _ in u: cs.append(some_lib.f())
i = iter(cs)
a = next(i)
b = next(i)
if a:
    if not b: hit()
""",
    "items popped": """
cs = []
for _ in u: cs.append(some_lib.f())
a = cs.pop()
b = cs.pop()
if a:
    if not b: hit()
""",
    "items in a comprehension": """
cs = []
for _ in u: cs.append(some_lib.f())
ds = [(a, b) for a in cs for b in cs]
for a, b in ds:
    if a:
        if not b: hit()
""",
    "items in tuples": """
cs = []
for _ in u: cs.append((some_lib.f(), 1))
first = cs[0][0]
if first:
    second = cs[1][0]
    if not second: hit()
""",
    "what a generator gives": """
def g():
    for _ in u: yield some_lib.f()
it = g()
a = next(it)
b = next(it)
if a:
    if not b: hit()
""",
    "while": """
xs = []
while u.more():
    xs.append(some_lib.f())
while u.again():
    a = xs[u.i]
    b = xs[u.j]
    if a:
        if not b: hit()
""",
    "sorted": """
xs = []
while u.more():
    xs.append(some_lib.f())
ys = sorted(xs)
first = ys[0]
if first:
    second = ys[1]
    if not second: hit()
""",
    "zip": """
xs = []
while u.more():
    xs.append(some_lib.f())
for a, b in zip(xs, xs[1:]):
    if a:
        if not b: hit()
""",
    "map": """
xs = []
while u.more():
    xs.append(some_lib.f())
for a in map(lambda x: x, xs):
  for b in map(lambda x: x, xs):
    if a:
        if not b: hit()
""",
    "enumerate": """
xs = []
while u.more():
    xs.append(some_lib.f())
for i, a in enumerate(xs):
  for j, b in enumerate(xs):
    if a:
        if not b: hit()
""",
    "slice": """
xs = []
while u.more():
    xs.append(some_lib.f())
if xs[:1]:
  first = xs[0]
  if first:
    second = xs[1:][0]
    if not second: hit()
""",
    "deque": """
import collections
q = collections.deque()
for _ in u: q.append(some_lib.f())
first = q.popleft()
if first:
   second = q.popleft()
   if not second: hit()
""",
    "values of a dict": """
cs = {}
for k in u: cs[k] = some_lib.f()
for a in cs.values():
  for b in cs.values():
    if a:
      if not b: hit()
""",
    "items of a set": """
cs = set()
for k in u: cs.add(some_lib.f())
for a in cs:
  for b in cs:
    if a:
      if not b: hit()
""",
    "the round before": """
for _ in u:
    x = some_lib.f()
    if u.c:
        if x:
            if not prev: hit()
    prev = x
""",
    "the round before, by another name": """
x = some_lib.f()
for _ in u:
    if u.c:
        if x:
            if not prev: hit()
    prev = x
    x = some_lib.f()
""",
    "a round before, from some round on": """
x = some_lib.f()
n = 0
for _ in u:
    if u.c:
        if x:
            if not prev: hit()
    if n > 2: prev = x
    x = some_lib.f()
    n += 1
""",
    "a tuple of the round before": """
x = some_lib.f()
pair = (x,)
for _ in u:
    y = pair[0]
    if x:
        if not y: hit()
    pair = (some_lib.f(),)
""",
    "memoised results": """
import functools
@functools.cache
def g(k): return some_lib.f()
for k in u:
  for j in u:
    first = g(k)
    if first:
      second = g(j)
      if not second: hit()
""",
}


@pytest.mark.parametrize("body", CASES.values(), ids=CASES)
def test_one_may_be_true_where_another_is_not(body):
    run = with_unknown(START + body)
    assert "subject.hit" in {edge.callee for edge in run.engine.trace.calls.values()}


@pytest.mark.parametrize(
    "body",
    [
        "a = some_lib.f()\nif a:\n  if not a: hit()",
        "a = some_lib.f()\nb = [a]\nif a:\n  for c in b:\n    if not c: hit()",
        "cs = [C() for _ in u]\nfor c in cs:\n  a = c.x\n  if a:\n    if not a: hit()",
        "cs = [some_lib.f() for _ in u]\nfor a in cs:\n  b = a\n  if a:\n    if not b: hit()",
        "for _ in u:\n  a = some_lib.f()\n  if a:\n    b = a\n    if not b: hit()",
    ],
)
def test_one_value_is_itself(body):
    run = with_unknown(START + body)
    assert "subject.hit" not in {edge.callee for edge in run.engine.trace.calls.values()}
