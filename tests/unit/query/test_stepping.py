from pathlib import Path

import pytest

from mlapath.query.callers import Callers, Ran
from mlapath.query.stepping import Stepping, named_from, stepping
from mlapath.resolve.names import Names

WORKER = """
class Worker:
    def load_model(self):
        load(self)
    def execute_model(self):
        step(self)
"""


def search(root: Path, text: str) -> Stepping:
    """The search of a module of a worker that starts by ``load`` and steps by ``step``."""
    (root / "w.py").write_text(WORKER, encoding="utf-8")
    (root / "a.py").write_text(text, encoding="utf-8")
    (root / "main.py").write_text(
        "import w, a\nw.Worker().load_model()\nw.Worker().execute_model()\n", encoding="utf-8"
    )
    names = Names(root, ("a.py", "main.py", "w.py"))
    modules = frozenset({"a.py", "w.py"})
    ran = Ran(frozenset(), modules, frozenset(), programs=frozenset({"main.py"}))
    return stepping(Callers(names, ran), frozenset(), frozenset({("w.py", "load_model")}))


def reason(root: Path, text: str, name: str = "f", owner: str = "") -> str | None:
    found = search(root, text)
    assert found.whole.outside("a.py", owner, name) is not None
    return found.outside("a.py", owner, name)


@pytest.mark.parametrize(
    "text",
    [
        "def load(w):\n    f()\ndef f(): pass\n",
        "def load(w):\n    other()\ndef other():\n    f()\ndef f(): pass\n",
        "def load(w):\n    for x in f(): pass\ndef f():\n    yield\n",
        "def load(w):\n    list(f())\ndef f():\n    yield\n",
        (
            "def load(w):\n    use = getattr(w, 'f', None)\n    if use is not None: use()\n"
            "def f(): pass\n"
        ),
        "def load(w):\n    now(then=f)\ndef now(then):\n    then()\ndef f(): pass\n",
        (
            "def load(w):\n    w.now(then=f)\nclass A:\n    def now(self): pass\n"
            "class B:\n    def now(self, *, then):\n        then()\ndef f(): pass\n"
        ),
        (
            "def load(w):\n    now(then=f)\ndef now(then):\n    soon(what=then)\n    then()\n"
            "def soon(what):\n    what()\ndef f(): pass\n"
        ),
        (
            "def load(w):\n    f()\ndef plain(x):\n    @wraps(x)\n    def g(): x()\n"
            "    return g\n@plain\ndef f(): pass\n"
        ),
        "TABLE = {1: f}\ndef load(w):\n    TABLE[w.kind](w)\ndef f(w): pass\n",
        (
            "class A:\n    TABLE = [f]\n    def load(self): self.TABLE[0]()\n"
            "def load(w):\n    A.load(w)\ndef f(): pass\n"
        ),
    ],
)
def test_what_the_start_up_alone_calls_is_called_in_no_step(tmp_path, text: str):
    assert reason(tmp_path, text) is None


@pytest.mark.parametrize(
    "text",
    [
        "def step(w):\n    f()\ndef f(): pass\n",
        "def load(w):\n    f()\ndef step(w):\n    f()\ndef f(): pass\n",
        "def load(w):\n    w.hook = f\ndef f(): pass\n",
        "def load(w):\n    w.hooks.append(f)\ndef f(): pass\n",
        "def load(w):\n    return f\ndef f(): pass\n",
        "def load(w):\n    w.hook = lambda: f()\ndef f(): pass\n",
        "def load(w):\n    w.items = (f(x) for x in w)\ndef f(x): pass\n",
        "def load(w):\n    w.items = f()\ndef f():\n    yield\n",
        "def load(w):\n    w.name = 'f'\ndef f(): pass\n",
        "def load(w):\n    keep(then=f)\ndef keep(then):\n    w.hook = then\ndef f(): pass\n",
        (
            "def load(w):\n    now(then=f)\ndef now(then):\n    soon(what=then)\n"
            "def soon(what):\n    w.hook = what\ndef f(): pass\n"
        ),
        "def load(w):\n    w.x = now(then=f)\ndef now(then):\n    yield then()\ndef f(): pass\n",
        (
            "def load(w):\n    w.now(then=f)\nclass A:\n    def now(self, **more): keep(more)\n"
            "class B:\n    def now(self, *, then):\n        then()\ndef f(): pass\n"
        ),
        "def load(w):\n    use = f\n    use()\n    w.hook = use\ndef f(): pass\n",
        (
            "def load(w):\n    f()\ndef keep(x):\n    hooks.append(x)\n    return x\n"
            "@keep\ndef f(): pass\n"
        ),
        "def load(w):\n    w.items[f] = 1\ndef f(): pass\n",
        "def load(w):\n    global hook\n    hook = f\nhook = None\ndef f(): pass\n",
        (
            "def load(w):\n    hook = None\n    def now():\n        nonlocal hook\n"
            "        hook = f\n    now()\n    w.hook = lambda: hook()\ndef f(): pass\n"
        ),
        (
            "def load(w):\n    f()\ndef keeps(x):\n    @table.add\n    def g(): x()\n"
            "    return g\n@keeps\ndef f(): pass\n"
        ),
        "TABLE = {1: f}\ndef load(w):\n    w.hook = TABLE[1]\ndef f(): pass\n",
        "TABLE = {1: f}\ndef load(w):\n    w.table = TABLE\ndef f(): pass\n",
        "TABLE = {1: f}\ndef load(w):\n    w.hook = TABLE[1], TABLE[2]()\ndef f(): pass\n",
        "TABLE = {1: f}\ndef step(w):\n    TABLE[w.kind]()\ndef f(): pass\n",
        (
            "TABLE = {1: f}\ndef load(w):\n    w.hook = TABLE.get(1)\n"
            "def get(): pass\ndef f(): pass\n"
        ),
        "TABLE = {1: f}\ndef load(w):\n    keep(TABLE)\ndef keep(x): w.x = x\ndef f(): pass\n",
        "class A(given(f)): pass\ndef load(w):\n    A()\n    f()\ndef f(): pass\n",
        "def load(w):\n    def inner():\n        f()\n    w.hook = inner\ndef f(): pass\n",
    ],
)
def test_what_is_called_in_a_step_or_kept_for_one(tmp_path, text: str):
    assert reason(tmp_path, text) is not None


def test_methods_are_called_by_name_whoever_made_the_object(tmp_path):
    text = (
        "class Part:\n    def __init__(self): made()\n    def go(self): pass\n"
        "    def once(self): pass\ndef made(): pass\n"
        "def load(w):\n    w.part = Part()\n    w.part.once()\ndef step(w):\n    w.part.go()\n"
    )
    assert reason(tmp_path, text, "go", "Part") is not None
    assert reason(tmp_path, text, "once", "Part") is None
    assert reason(tmp_path, text, "__init__", "Part") is None
    assert reason(tmp_path, text, "made") is None


PARTS = (
    "class Part(Handler):\n    def emit(self): pass\n    def forward(self): pass\n"
    "    def __call__(self): pass\n"
    "class Module(nn.Module):\n    def emit(self): pass\n    def forward(self): pass\n"
    "    def __call__(self): pass\n"
    "def load(w):\n    w.part = Part(), Module()\n    w.part.emit()\n    w.part.forward()\n"
    "    w.part.__call__()\n"
)


@pytest.mark.parametrize(
    ("owner", "name", "excluded"),
    [
        ("Module", "emit", True),
        ("Module", "forward", False),  # torch calls it for who calls the module
        ("Module", "__call__", False),
        ("Part", "emit", False),  # a library may call it of its heirs
        ("Part", "forward", False),
    ],
)
def test_what_is_called_by_what_names_it_not(tmp_path, owner, name, excluded):
    assert (reason(tmp_path, PARTS, name, owner) is None) is excluded


@pytest.mark.parametrize(
    ("imports", "base", "excluded"),
    [
        ("", "cls", True),  # a parameter: one of the tree's classes
        ("", "wrapped(cls)", True),
        ("from outside import base\n", "base", False),
        ("import outside\n", "outside.base", False),
        ("from outside import wrapped\n", "wrapped(cls)", False),
    ],
)
def test_heirs_of_a_class_that_a_variable_holds(tmp_path, imports, base, excluded):
    text = (
        f"{imports}def made(cls):\n    class Made({base}):\n        def emit(self): pass\n"
        "    return Made\ndef load(w):\n    w.part = made(w.cls)()\n    w.part.emit()\n"
    )
    assert (reason(tmp_path, text, "emit", "Made") is None) is excluded


def test_what_a_library_of_the_same_name_gets_it_may_keep(tmp_path):
    text = (
        "from outside import now\ndef load(w):\n    now(then=f)\n"
        "class A:\n    def now(self, then):\n        then()\ndef f(): pass\n"
    )
    assert reason(tmp_path, text) is not None
    own = text.replace("from outside import", "from w import")
    assert reason(tmp_path, own) is None


def test_what_cannot_be_read_may_define_anything(tmp_path):
    text = "def load(w):\n    w.now(then=f)\nclass A:\n    def now(self, then):\n        then()\n"
    assert reason(tmp_path, f"{text}def f(): pass\n") is None
    assert reason(tmp_path, f"{text}def f(): pass\nx = = 1\n") is not None
    kept = "def load(w):\n    w.hook = f\ndef f(): pass\nx = = 1\n"
    assert reason(tmp_path, kept) is not None


def test_the_functions_that_some_others_come_to(tmp_path):
    (tmp_path / "a.py").write_text(
        "def step(): one()\nclass A:\n    def one(self):\n        self.two(key=three)\n"
        "    def two(self): getattr(self, 'four')\ndef four(): five.six()\n"
        "def other(): seven()\n",
        encoding="utf-8",
    )
    said = named_from(Names(tmp_path, ("a.py",)), ("a.py",), ("step",))
    assert {"step", "one", "two", "three", "four", "five", "six"} <= said
    assert not said & {"other", "seven"}
    (tmp_path / "a.py").write_text("def step(): one()\nx = = seven()\n", encoding="utf-8")
    assert "seven" in named_from(Names(tmp_path, ("a.py",)), ("a.py",), ("step",))
