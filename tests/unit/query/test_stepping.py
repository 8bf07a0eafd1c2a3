from pathlib import Path

import pytest

from mlapath.query.callers import Callers, Ran
from mlapath.query.stepping import Stepping, stepping
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
    return stepping(Callers(names, ran), frozenset(), lambda _path, name: name == "load_model")


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
        "TABLE = {'f': f}\ndef load(w):\n    w.hook = TABLE['f']\ndef f(): pass\n",
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


def test_what_torch_calls_by_itself_is_named_by_nobody(tmp_path):
    text = (
        "class Part:\n    def forward(self): pass\n    def __call__(self): pass\n"
        "def load(w):\n    w.part = Part()\n    w.part.forward()\n    w.part.__call__()\n"
    )
    assert reason(tmp_path, text, "forward", "Part") is not None
    assert reason(tmp_path, text, "__call__", "Part") is not None


def test_what_a_library_may_call_of_its_heirs_is_named_by_nobody(tmp_path):
    text = (
        "class Part(Handler):\n    def emit(self): pass\n"
        "class Module(nn.Module):\n    def emit(self): pass\n"
        "def load(w):\n    w.part = Part(), Module()\n    w.part.emit()\n"
    )
    assert reason(tmp_path, text, "emit", "Part") is not None
    assert reason(tmp_path, text, "emit", "Module") is None
