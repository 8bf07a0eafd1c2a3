from dataclasses import replace

import pytest

from mlapath.query.callers import COMMON, Callers, Node, Ran
from mlapath.resolve.names import Names

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
    return Callers(Names(tmp_path, tuple(FILES)), RAN)


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
    assert Callers(Names(tmp_path, ("a.py",)), nobody).outside("a.py", "", "_a") is None


def test_a_module_that_nothing_imports(callers):
    assert callers.module("p/never.py") is None
    assert callers.module("p/user.py") is None


def test_a_common_name_says_nothing(tmp_path):
    paths = tuple(f"m{i}.py" for i in range(COMMON + 1))
    for path in paths:
        (tmp_path / path).write_text("x.common()\n", encoding="utf-8")
    nobody = Ran(frozenset(), frozenset(paths), frozenset())
    assert f"{len(paths)} files" in (
        Callers(Names(tmp_path, paths), nobody).outside("m1.py", "", "common") or ""
    )


def test_what_a_table_holds_may_be_made_by_whatever_reads_the_table(tmp_path):
    text = "class Part:\n    def run(self): pass\nPARTS = {'a': Part}\ndef make(x): PARTS[x]()\n"
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    ran = Ran(frozenset(), frozenset({"a.py"}), frozenset())
    said = Callers(Names(tmp_path, ("a.py",)), ran).outside("a.py", "Part", "run")
    assert said is not None
    assert "nothing in the tree names make" in said


@pytest.mark.parametrize(("imported", "said"), [((), "a.py:1 names it"), (("w.py",), None)])
def test_a_class_that_evaluated_code_names_by_a_path_is_made_later(tmp_path, imported, said):
    (tmp_path / "a.py").write_text("def choose(c): c.cls = 'w.Worker'\n", encoding="utf-8")
    (tmp_path / "w.py").write_text("class Worker:\n    def run(self): pass\n", encoding="utf-8")
    ran = Ran(frozenset({("a.py", "", "choose")}), frozenset({"a.py", *imported}), frozenset())
    found = Callers(Names(tmp_path, ("a.py", "w.py")), ran).outside("w.py", "Worker", "run")
    assert (found is None) if said is None else said in (found or "")


def test_what_only_a_circle_imports_calls_nothing(tmp_path):
    files = {
        "p/__init__.py": "",
        "p/a.py": "def run(): pass\n",
        "p/b.py": "from p import a, c\na.run()\n",
        "p/c.py": "from p import b\n",
        "p/d.py": "def late():\n    from p import (\n        x,  # (aside)\n        b,\n    )\n",
        "p/e.py": "PATH = 'p.b.Thing'\n",
    }

    def asked(*names):
        root = tmp_path / "-".join(name[2] for name in names)
        for path in ("p/__init__.py", "p/a.py", "p/b.py", "p/c.py", *names):
            (root / path).parent.mkdir(exist_ok=True, parents=True)
            (root / path).write_text(files[path], encoding="utf-8")
        ran = Ran(frozenset(), frozenset({"p/__init__.py", "p/a.py"}), frozenset(),
                  programs=frozenset(names))  # fmt: skip
        paths = tuple(path for path in files if (root / path).exists())
        return Callers(Names(root, paths), ran).outside("p/a.py", "", "run")

    assert asked() is None
    for importer in ("p/d.py", "p/e.py"):
        assert f"the program begins in {importer}" in asked(importer)


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
    callers = Callers(Names(tmp_path, ("p/parts/late.py", "p/user.py")), ran)
    said = callers.outside("p/parts/late.py", "", "_f") or ""
    assert ("nothing in the tree names load" in said) is imported


def caller(tmp_path, text, *, functions=(), made=(), **ran):
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    known = Ran(frozenset(functions), frozenset({"a.py"}), frozenset(made), **ran)
    return Callers(Names(tmp_path, ("a.py",)), known)


def test_what_evaluated_code_hands_on_may_be_called_by_whatever_gets_it(tmp_path):
    text = "def f(self):\n    self.hook = _late\n    _now()\ndef _late(): pass\ndef _now(): pass\n"
    callers = caller(tmp_path, text, functions=[("a.py", "", "f")])
    assert callers.outside("a.py", "", "_late") == "a.py:2 hands it on"
    assert callers.outside("a.py", "", "_now") is None
    skipped = caller(tmp_path, text, functions=[("a.py", "", "f")], run=lambda path, line: False)
    assert skipped.outside("a.py", "", "_late") is None


def test_a_function_that_one_which_ran_defines_and_returns(tmp_path):
    text = (
        "def deco(f):\n    def wrapper(): pass\n    def _used(): pass\n"
        "    _used()\n    return wrapper\n"
    )
    callers = caller(tmp_path, text, functions=[("a.py", "", "deco")])
    assert callers.made_in("a.py", "wrapper") == "a.py:5 hands it on"
    assert callers.made_in("a.py", "_used") is None


def test_an_operator_is_called_by_what_names_it(tmp_path):
    text = "def _run(): pass\nregister('op', _run)\ndef use(x):\n    x.{called}()\n"
    known = {("a.py", 2, "_run"): ("op",)}
    for called, said in (("op", "nothing in the tree names use"), ("other", "")):
        callers = caller(tmp_path, text.format(called=called), operators=known)
        assert said in (callers.outside("a.py", "", "_run") or "")
        assert (callers.outside("a.py", "", "_run") is None) is (not said)
    unknown = caller(tmp_path, text.format(called="other"))
    assert "handed on" in unknown.outside("a.py", "", "_run")


def test_what_a_module_would_hand_on_if_anything_imported_it(tmp_path):
    (tmp_path / "a.py").write_text("def _run(): pass\nregister('op', _run)\n", encoding="utf-8")
    nobody = Ran(frozenset(), frozenset(), frozenset())
    assert Callers(Names(tmp_path, ("a.py",)), nobody).outside("a.py", "", "_run") is None


HIERARCHY = """
class Impl:
    def _run(self): pass
class Heir(Impl):
    def use(self): self._run()
class Apart:
    def go(self): self._run()
"""


def test_an_attribute_of_self_is_one_of_classes_that_have_to_do_with_it(tmp_path):
    made = [("a.py", "Impl")]
    said = caller(tmp_path, HIERARCHY, made=made).outside("a.py", "Impl", "_run")
    assert "a.py:5 <- nothing in the tree names Heir" in said
    text = HIERARCHY.replace("(Impl)", "")
    assert caller(tmp_path, text, made=made).outside("a.py", "Impl", "_run") is None


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("Impl.size", False),  # nothing is a function of that name
        ("Impl.run", False),  # given the class alone, it makes none
        ("Impl.make", True),
        ("Impl.made()", True),
        ("Impl.from_json", True),  # it may be a method of the other package's class
        ("Impl.__new__", True),
        ("only_asks(x, Impl)", False),
        ("only_asks(Impl, x)", True),
        ("only_asks(*x, Impl)", True),
        ("imported(Impl)", True),
        ("x.only_asks(x, Impl)", True),
    ],
)
def test_what_is_done_with_a_class(tmp_path, code, said):
    text = (
        "from elsewhere import Base\nclass Impl(Base):\n    def run(self): pass\n"
        "    @classmethod\n    def make(cls): return cls()\n"
        "    @staticmethod\n    def made(): return Impl.make()\n"
        "def from_json(): pass\n"
        "def only_asks(x, kind): return [y for y in x if isinstance(y, kind)]\n"
        f"def use(x):\n    {code}\n"
    )
    found = caller(tmp_path, text).outside("a.py", "Impl", "__init__")
    assert (found is not None) is said, found


@pytest.mark.parametrize(
    ("decorator", "said"),
    [
        ("@route('/x')", "the decorator at a.py:1 gets it"),
        ("@property", None),
        ("@functools.lru_cache(maxsize=None)", None),
    ],
)
def test_a_decorator_may_keep_what_it_gets(tmp_path, decorator, said):
    text = f"{decorator}\ndef _handler(): pass\n"
    assert caller(tmp_path, text).outside("a.py", "", "_handler") == said
    ran = caller(tmp_path, text, functions=[("a.py", "", "_handler")])
    assert ran.outside("a.py", "", "_handler") is None


def test_a_decorator_of_a_module_that_something_imports_late(tmp_path):
    (tmp_path / "a.py").write_text("@route('/x')\ndef _handler(): pass\n", encoding="utf-8")
    nobody = Ran(frozenset(), frozenset(), frozenset())
    assert Callers(Names(tmp_path, ("a.py",)), nobody).outside("a.py", "", "_handler") is None
    (tmp_path / "b.py").write_text("def late():\n    import a\n", encoding="utf-8")
    late = replace(nobody, programs=frozenset({"b.py"}))
    said = Callers(Names(tmp_path, ("a.py", "b.py")), late).outside("a.py", "", "_handler")
    assert said == "named at a.py:1 <- named at b.py:2 <- the program begins in b.py"


@pytest.mark.parametrize(
    ("base", "made"),
    [
        ("class Base: pass", False),
        ("class Base:\n    def __init_subclass__(cls): KNOWN.append(cls)", True),
        ("class Base: pass\ndef _all(): return Base.__subclasses__()\n_all()", True),
    ],
)
def test_a_class_that_nothing_names_but_its_base_knows(tmp_path, base, made):
    text = f"{base}\nclass _Middle(Base): pass\nclass Heir(_Middle):\n    def run(self): pass\n"
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    (tmp_path / "b.py").write_text("import a\n", encoding="utf-8")
    nobody = Ran(frozenset(), frozenset(), frozenset(), programs=frozenset({"b.py"}))
    said = Callers(Names(tmp_path, ("a.py", "b.py")), nobody).outside("a.py", "Heir", "run")
    assert (said is not None) is made, said


def test_what_no_module_of_the_deployment_imports_is_not_called_from_outside(tmp_path):
    (tmp_path / "a.py").write_text("def public(): pass\n", encoding="utf-8")
    names = Names(tmp_path, ("a.py",))
    ran = Ran(frozenset(), frozenset({"a.py"}), frozenset())
    assert "nothing in the tree names public" in Callers(names, ran).outside("a.py", "", "public")
    other = replace(ran, modules=frozenset())
    assert Callers(names, other).outside("a.py", "", "public") is None


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("Impl.asked()", True),
        ("Impl.other()", False),  # it calls nothing of the class
        ("Impl.leads()", True),  # by _step
        ("Impl.makes()", True),
        ("Impl.inherited()", True),
        ("Impl()", True),
    ],
)
def test_a_method_that_is_called_of_a_class_leads_to_some_of_the_others(tmp_path, code, said):
    text = (
        "class Base:\n"
        "    @classmethod\n    def inherited(cls): return cls.asked()\n"
        "class Impl(Base):\n"
        "    @staticmethod\n    def asked(): pass\n"
        "    @staticmethod\n    def other(): return 1\n"
        "    @classmethod\n    def leads(cls): return cls._step()\n"
        "    @classmethod\n    def _step(cls): return cls.asked\n"
        "    @classmethod\n    def makes(cls): return cls()\n"
        f"def use():\n    {code}\n"
    )
    found = caller(tmp_path, text).outside("a.py", "Impl", "asked")
    assert (found is not None) is said, found


@pytest.mark.parametrize("own", ["cls", "Info"])
def test_a_method_of_a_class_without_objects_that_evaluated_code_hands_on(tmp_path, own):
    text = (
        f"class Info:\n    @classmethod\n    def _decode(cls, x): return {own}._int(x)\n"
        "    @staticmethod\n    def _int(x): pass\n"
        "def _read(): loads(object_hook=Info._decode)\n"
    )
    callers = caller(tmp_path, text, functions=[("a.py", "", "_read")])
    assert callers.outside("a.py", "Info", "_int") == "a.py:6 hands it on"
    assert callers.outside("a.py", "Info", "_decode") == "a.py:6 hands it on"


def test_functions_defined_beside_each_other(tmp_path):
    text = (
        "def deco(f):\n    def helper(): pass\n    def wrapper(): helper()\n"
        "    def late():\n        return wrapper\n"
        "    @route('/x')\n    def handler(): pass\n"
    )
    callers = caller(tmp_path, text, functions=[("a.py", "", "deco")])
    assert callers.callers_within("a.py", "helper") == ("wrapper",)
    assert callers.made_in("a.py", "helper") is None
    assert callers.made_in("a.py", "wrapper") == "a.py:5 hands it on"
    assert callers.made_in("a.py", "handler") == "the decorator at a.py:6 gets it"


def test_others_of_the_same_name_in_a_file_are_callers(tmp_path):
    (tmp_path / "a.py").write_text(
        "class Base:\n    def run(self): pass\nclass Apart:\n"
        "    def alone(self): Apart().alone()\n"
        "class Heir(Base):\n    def run(self): super().run()\n"
        "def run(x): Heir().run()\ndef go(x): run(x)\n",
        encoding="utf-8",
    )
    ran = Ran(frozenset(), frozenset({"a.py"}), frozenset())
    callers = Callers(Names(tmp_path, ("a.py",)), ran)
    assert callers.outside("a.py", "Base", "run") is not None
    assert callers.outside("a.py", "Heir", "run") is not None
    assert callers.outside("a.py", "Apart", "alone") is None


DECORATED = """
def instrument(x=None, *, name=""):
    if x is None:
        return partial(instrument, name=name)
    if not on():
        return x
    def wrapper(*args):
        table.append(lambda: x(*args))
    return wrapper
@instrument(name="a")
def named(): pass
@instrument
def plain(): pass
def on(): pass
"""


@pytest.mark.parametrize("function", ["named", "plain"])
@pytest.mark.parametrize(("on", "kept"), [(False, False), (True, True)])
def test_what_a_decorator_did_when_it_was_evaluated(tmp_path, function, on, kept):
    (tmp_path / "a.py").write_text(DECORATED, encoding="utf-8")
    passed = {7, 8, 9} if not on else {6}
    ran = Ran(
        frozenset({("a.py", "", "instrument")}), frozenset({"a.py"}), frozenset(),
        run=lambda _path, line: line not in passed,
    )  # fmt: skip
    names = Names(tmp_path, ("a.py",))
    said = Callers(names, ran).kept_by(Node("a.py", "", function), function)
    assert bool(said) is kept
    unknown = replace(ran, functions=frozenset())
    assert Callers(names, unknown).kept_by(Node("a.py", "", function), function)


LATER = """
def eager(fn):
    signature = inspect.signature(fn)
    if "x" not in signature.parameters:
        raise TypeError(fn.__name__)

    @wraps(fn)
    def wrapper(*args):
        if not capturing():
            return fn(*args)
        return capture(lambda: fn(*args))

    return wrapper

@eager
def _op(x): pass
"""


@pytest.mark.parametrize(("ran", "said"), [((10,), False), ((10, 11), True), (None, True)])
def test_a_wrapper_keeps_nothing_on_lines_that_did_not_run(tmp_path, ran, said):
    functions = [] if ran is None else [("a.py", "", "eager"), ("a.py", "", "wrapper")]
    lines = {1, 2, 3, 8, 9, *(ran or ())}
    callers = caller(tmp_path, LATER, functions=functions, run=lambda path, line: line in lines)
    found = callers.outside("a.py", "", "_op")
    assert (found is not None) is said, found


@pytest.mark.parametrize(
    ("use", "said"),
    [
        ("inspect.signature(fn).parameters", False),
        ("fn.__qualname__", False),
        ("mine.signature(fn)", True),
        ("signature(fn)", True),
        ("fn.kept", True),
    ],
)
def test_what_a_decorator_asks_of_a_function(tmp_path, use, said):
    text = f"def deco(fn):\n    {use}\n    return fn\n@deco\ndef _op(x): pass\n"
    found = caller(tmp_path, text, functions=[("a.py", "", "deco")]).outside("a.py", "", "_op")
    assert (found is not None) is said, found
    text = f"def use(cls):\n    {use.replace('(fn)', '(cls._op)')}\ndef _op(x): pass\n"
    found = caller(tmp_path, text, functions=[("a.py", "", "use")]).outside("a.py", "", "_op")
    assert (found is not None) is (said and "(" in use), found


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("keep(Quant.forward_hip)", False),  # another class's
        ("keep(Heir.forward_hip)", True),
        ("keep(Quant.forward_hip, x.forward_hip)", True),
        ("keep(mystery.forward_hip)", True),
        ("keep(Imported.forward_hip)", True),
        ("keep(Other.forward_hip)", True),  # what the class is elsewhere
        ("keep(Paired.forward_hip)", True),
        ("keep(Looped.forward_hip)", True),
    ],
)
def test_an_attribute_of_a_class_is_one_of_classes_that_have_to_do_with_it(tmp_path, code, said):
    text = (
        "from elsewhere import Imported\n"
        "class Indexer:\n    def forward_hip(self): pass\n"
        "class Heir(Indexer): pass\n"
        "class Quant:\n    def forward_hip(self): pass\n"
        "class Other: pass\nclass Paired: pass\nclass Looped: pass\n"
        "(Paired, x) = Indexer, 1\nfor i, Looped in enumerate([Indexer]): pass\n"
        "def switch():\n    global Other\n    Other = Indexer\n"
        f"def _use(x):\n    {code}\n"
    )
    callers = caller(tmp_path, text, functions=[("a.py", "", "_use")], made=[("a.py", "Indexer")])
    found = callers.outside("a.py", "Indexer", "forward_hip")
    assert (found is not None) is said, found


LOOKS = """
import inspect
from functools import lru_cache
@lru_cache
def _ask(given, word): return word in inspect.signature(given).parameters
def ask(given, word):
    if hasattr(given, "__func__"):
        given = given.__func__
    return _ask(given, word)
@keeping
def decorated(given, word): return hasattr(given, word)
def replaced(given, word): return hasattr(given, word)
replaced = keep(replaced)
def other_hasattr(given, word): return mine.hasattr(given, word)
def call(given, word): return given(word)
def store(given, word): TABLE[word] = given
def on(given, word): return call(given, word)
def use(x, of=None):
    held = getattr(x, "_op", None)
    if not callable(held):
        return False
    {use}
def _op(x): pass
"""


@pytest.mark.parametrize(
    ("use", "said"),
    [
        ("return ask(held, 'x')", False),
        ("return tuple(w for w in x if not ask(held, w))", False),
        ("return ask('x', held)", True),
        ("return decorated(held, 'x')", True),
        ("return replaced(held, 'x')", True),
        ("return other_hasattr(held, 'x')", True),
        ("return call(held, 'x')", True),
        ("return store(held, 'x')", True),
        ("return on(held, 'x')", True),
        ("return of(held, 'x')", True),
        ("return ask(*held)", True),
        ("return other.ask(held, 'x')", True),
        ("return elsewhere(held, 'x')", True),
        ("return [ask(held, 'x'), held]", True),
    ],
)
def test_a_method_that_is_lent_to_what_looks_at_it(tmp_path, use, said):
    text = LOOKS.format(use=use)
    found = caller(tmp_path, text, functions=[("a.py", "", "use")]).outside("a.py", "", "_op")
    assert (found is not None) is said, found


def test_a_function_that_a_method_of_another_class_defines(tmp_path):
    text = (
        "class Maker:\n    def make(self):\n        def forward(): pass\n        return forward\n"
        "class Layer:\n    def forward(self): pass\nmade = [Layer, Maker]\n"
    )
    callers = caller(
        tmp_path, text, functions=[("a.py", "Maker", "make")], made=["Layer", "Maker"]
    )
    assert callers.made_in("a.py", "forward") == "a.py:4 hands it on"
    assert "a.py:4" not in (callers.outside("a.py", "Layer", "forward") or "")
    assert callers.outside("a.py", "Maker", "forward") is not None


def test_an_inner_function_that_a_method_of_its_name_calls(tmp_path):
    text = (
        "def make():\n    def forward(): pass\n    class Layer:\n"
        "        def forward(self):\n            return keep(forward)\n    return Layer\n"
    )
    ran = [("a.py", "", "make"), ("a.py", "Layer", "forward")]
    found = caller(tmp_path, text, functions=ran, made=["Layer"]).outside("a.py", "", "forward")
    assert "a.py:5" in (found or "")
