import pytest

from mlapath.query.callers import Callers, Ran

FILES = {
    "p/impl.py": """
class Impl:
    def compute(self): pass
    def _private(self): pass
    def public(self): pass
    def __init__(self): pass
class Other:
    def compute_other(self): pass
    def more(self): pass
    def named(self): pass
def helper(): pass
def only_here(): pass
""",
    "p/user.py": """
from p.impl import Impl, Other, helper
def evaluated(x):
    Impl().compute()
    helper()
    x.named()
def outside(x):
    x._private()
    Other().more()
    return Other()
def _unused(x):
    only_here()
    isinstance(x, Impl)
""",
    "p/never.py": "import p.impl\np.impl.Other().compute_other()\n",
}
RAN = Ran(
    functions=frozenset({("p/user.py", "", "evaluated"), ("p/impl.py", "Impl", "__init__")}),
    modules=frozenset({"p/impl.py", "p/user.py"}), made=frozenset({("p/impl.py", "Impl")}),
)  # fmt: skip


@pytest.fixture
def callers(tmp_path):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return Callers(tmp_path, tuple(FILES), RAN)


@pytest.mark.parametrize(
    ("owner", "name", "said"),
    [
        ("Impl", "compute", None),  # only evaluated code names it
        ("Impl", "_private", "p/user.py:8 <- nothing in the tree names outside"),
        ("Impl", "public", "nothing in the tree names public"),
        ("", "helper", None),
        ("", "only_here", None),  # named only by what nothing names
        ("Impl", "__init__", None),  # asked for, not made
        ("Other", "more", "nothing in the tree names outside"),
        ("Other", "compute_other", "nothing in the tree names outside"),
        ("", "__getattr__", "is called by Python itself"),
    ],
)
def test_who_may_call(callers, owner, name, said):
    found = callers.outside("p/impl.py", owner, name)
    assert (found is None) if said is None else (found is not None and said in found), found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("named", None),  # only evaluated code does
        ("compute_other", None),  # only a module that nothing imports
        ("more", "nothing in the tree names outside"),
    ],
)
def test_who_may_call_something_of_that_name(callers, name, said):
    found = callers.by_name("p/impl.py", "Other", name)
    assert (found is None) if said is None else (found is not None and said in found), found
    of_the_class = callers.outside("p/impl.py", "Other", name)  # another question
    assert "nothing in the tree names outside" in of_the_class
    assert callers.by_name("p/impl.py", "Other", name) == found


def test_a_circle_that_nothing_enters_is_no_caller(tmp_path):
    (tmp_path / "a.py").write_text("def _a(): _b()\ndef _b(): _a()\n", encoding="utf-8")
    nobody = Ran(frozenset(), frozenset({"a.py"}), frozenset())
    assert Callers(tmp_path, ("a.py",), nobody).outside("a.py", "", "_a") is None


def test_a_module_that_nothing_imports(callers):
    assert callers.module("p/never.py") is None
    assert callers.module("p/user.py") is None


def test_a_common_name_says_nothing(tmp_path):
    paths = tuple(f"m{i}.py" for i in range(90))
    for path in paths:
        (tmp_path / path).write_text("x.common()\n", encoding="utf-8")
    nobody = Ran(frozenset(), frozenset(paths), frozenset())
    assert "90 files" in (Callers(tmp_path, paths, nobody).outside("m1.py", "", "common") or "")


def test_what_a_table_holds_may_be_made_by_whatever_reads_the_table(tmp_path):
    text = "class Part:\n    def run(self): pass\nPARTS = {'a': Part}\ndef make(x): PARTS[x]()\n"
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    ran = Ran(frozenset(), frozenset({"a.py"}), frozenset())
    said = Callers(tmp_path, ("a.py",), ran).outside("a.py", "Part", "run")
    assert said is not None
    assert "nothing in the tree names make" in said


@pytest.mark.parametrize(("imported", "said"), [((), "a.py:1 names it"), (("w.py",), None)])
def test_a_class_that_evaluated_code_names_by_a_path_is_made_later(tmp_path, imported, said):
    (tmp_path / "a.py").write_text("def choose(c): c.cls = 'w.Worker'\n", encoding="utf-8")
    (tmp_path / "w.py").write_text("class Worker:\n    def run(self): pass\n", encoding="utf-8")
    ran = Ran(frozenset({("a.py", "", "choose")}), frozenset({"a.py", *imported}), frozenset())
    found = Callers(tmp_path, ("a.py", "w.py"), ran).outside("w.py", "Worker", "run")
    assert (found is None) if said is None else said in (found or "")


def test_what_only_a_circle_imports_calls_nothing(tmp_path):
    files = {
        "p/__init__.py": "",
        "p/a.py": "def run(): pass\n",
        "p/b.py": "from p import a, c\ndef use(): a.run()\n",
        "p/c.py": "from p import b\n",
        "p/d.py": "def late():\n    from p import (\n        x,  # (aside)\n        b,\n    )\n",
        "p/e.py": "PATH = 'p.b.Thing'\n",
    }

    def asked(*names):
        root = tmp_path / "-".join(name[2] for name in names)
        for path in ("p/__init__.py", "p/a.py", "p/b.py", "p/c.py", *names):
            (root / path).parent.mkdir(exist_ok=True, parents=True)
            (root / path).write_text(files[path], encoding="utf-8")
        ran = Ran(frozenset(), frozenset({"p/__init__.py", "p/a.py", *names[1:]}), frozenset())
        paths = tuple(path for path in files if (root / path).exists())
        return Callers(root, paths, ran).outside("p/a.py", "", "run")

    assert asked() is None
    for importer in ("p/d.py", "p/e.py"):  # imported, or where a program begins
        assert "nothing in the tree names use" in asked(importer)
        assert "nothing in the tree names use" in asked(importer, importer)


@pytest.mark.parametrize(
    ("text", "imported"),
    [
        ("'p.parts.late'", True), ("f'{x}.late'", True), ("f'p.parts.{x}'", False),
        ("'p.other.late'", False), ("'belated'", False),
        ("'p.parts.late:Part'", True),
    ],
)  # fmt: skip
def test_a_text_that_names_a_module_may_import_it(tmp_path, text, imported):
    (tmp_path / "p" / "parts").mkdir(parents=True)
    (tmp_path / "p/parts/late.py").write_text("def _f(): pass\n_f()\n", encoding="utf-8")
    (tmp_path / "p/user.py").write_text(f"def load(x):\n    run({text})\n", encoding="utf-8")
    ran = Ran(frozenset(), frozenset({"p/user.py"}), frozenset())
    callers = Callers(tmp_path, ("p/parts/late.py", "p/user.py"), ran)
    said = callers.outside("p/parts/late.py", "", "_f") or ""
    assert ("nothing in the tree names load" in said) is imported
