"""Small programs for the seeded bugs: each rests on one thing that the evaluator must do."""

from __future__ import annotations

INPUTS = """\
from outside import given, risky
flag, number, maybe, items = given(0), given(1), given(2), given(3)
log = []
"""

SMALL_PROGRAMS: dict[str, str] = {
    "two values": """\
x = 1
if flag:
    x = 2
if x == 1:
    log.append("one")
""",
    "two lists": """\
xs = [1]
if flag:
    xs.append(2)
if len(xs) == 1:
    log.append("short")
""",
    "an attribute of two values": """\
class Box:
    pass
box = Box()
box.x = None
if flag:
    box.x = 1
if box.x is None:
    log.append("none")
""",
    "a loop of unknown length": """\
n = 0
for item in items:
    n += 1
    if n == 2:
        log.append(item)
""",
    "a loop that goes through states": """\
state = "a"
while given(0):
    if state == "a":
        state = "b"
    elif state == "b":
        state = "c"
    else:
        log.append("c")
        break
""",
    "a comprehension over unknown items": """\
def double(x):
    return 2 * x
doubled = [double(x) for x in items]
""",
    "a generator over unknown items": """\
def pairs():
    for x in items:
        yield x, x
    yield 0, 0
seen = [a for a, b in pairs()]
def spread():
    yield from items
seen += spread()
""",
    "a call of one of many functions": """\
def setter(value):
    def put(target):
        target.x = value
        target.inner.append(value)
    return put
class Box:
    def __init__(self):
        self.x = -1
        self.inner = []
setters = [setter(i) for i in range(40)]
box, other = Box(), Box()
inner = box.inner
setters[0](other), setters[number](box)
if box.x == 3:
    log.append("three")
if inner:
    log.append("inner")
""",
    "an unknown guard": """\
def side():
    log.append("else")
if flag:
    log.append("if")
else:
    side()
""",
    "an unknown guard in an expression": """\
def side():
    return "else"
log.append("if" if flag else side())
chosen = flag and number or side()
""",
    "one place raises in two states": """\
state = 0
def stop():
    raise ValueError
try:
    if flag:
        state = 1
        stop()
    if number:
        stop()
except ValueError:
    if state == 0:
        log.append("none")
""",
    "what a library raises": """\
step = 0
try:
    risky(0)
    step = 1
    risky(1)
    step = 2
except ValueError:
    log.append(step)
except KeyError:
    log.append("key")
""",
    "an early return": """\
def early(x):
    if x:
        log.append("off")
        return "early"
    log.append("on")
    return "late"
result = early(flag)
if result == "early":
    log.append("it was")
""",
    "a break and an exception": """\
class Stop(Exception):
    pass
def search(wanted):
    for x in (1, 2, 3):
        if x == wanted:
            break
    else:
        raise Stop
    return x
try:
    found = search(number)
except Stop:
    log.append("stopped")
    found = 0
if found == 2:
    log.append("two")
""",
    "code of a finally": """\
def work():
    try:
        if flag:
            return 1
        if number:
            raise ValueError
        log.append("straight")
    finally:
        log.append("done" if flag else "left")
    return 2
try:
    result = work()
except ValueError:
    result = 3
""",
    "cases": """\
def kind(x):
    match x:
        case None:
            return "nothing"
        case 0 | 1:
            return "small"
        case _:
            return "other"
found = kind(maybe)
if found == "other":
    log.append(found)
""",
    "what a guard says": """\
if maybe is None:
    log.append("none")
else:
    log.append("some")
    if maybe is None:
        log.append("impossible")
if number > 1:
    log.append(number > 0)
elif number > 0:
    log.append("one")
""",
    "many values": """\
x = 0
for i in range(12):
    if given(0):
        x = i
if x == 11:
    log.append("last")
""",
    "a function of two": """\
def first():
    log.append(1)
def second():
    log.append(2)
chosen = first
if flag:
    chosen = second
chosen()
""",
    "a key that may be missing": """\
d = {"a": 1}
if flag:
    del d["a"]
try:
    x = d["a"]
except KeyError:
    log.append("missing")
    x = 0
if "a" in d:
    log.append("there")
""",
}


def small_programs() -> dict[str, str]:
    """The programs, by what they are about."""
    return {name: INPUTS + text for name, text in SMALL_PROGRAMS.items()}
