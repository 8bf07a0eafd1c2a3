"""The reader of plain Python against CPython, and what it does where it does not know."""

import inspect
import sys
import textwrap
import types

import pytest

from mlapath.scenario.engine_flags_values import CannotReadError, Foreign, ModuleRef, Unread
from mlapath.scenario.engine_flags_walker import Walker
from support import flag_code
from support.flagtrees import program_of

HOME = "vllm/engine/subject.py"
MODULE = "vllm.engine.subject"


def walker_of(source, others=None):
    return Walker(program_of({HOME: source, **(others or {})}))


def walked(source, function="f", *args, others=None):
    walker = walker_of(source, others)
    with walker.strictly():
        return walker.call(walker.resolve(f"{MODULE}.{function}"), args, {})


def executed(source, function="f", *args):
    module = types.ModuleType("subject")
    sys.modules["subject"] = module
    try:
        exec(compile(textwrap.dedent(source), "subject", "exec"), vars(module))
        return vars(module)[function](*args)
    finally:
        del sys.modules["subject"]


NAMES = tuple(
    name
    for name, value in vars(flag_code).items()
    if getattr(value, "__module__", "") == flag_code.__name__ and not name.startswith("_")
)


@pytest.mark.parametrize("name", NAMES)
def test_as_cpython(name):
    assert walked(inspect.getsource(flag_code), name) == getattr(flag_code, name)()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("f()", TypeError),
        ("f(1, 2, 3)", TypeError),
        ("f(1, 2, z=3)", TypeError),
        ("{}['a']", KeyError),
        ("[][0]", IndexError),
        ("'a'.nope", AttributeError),
        ("next(iter(()))", StopIteration),
        ("[a for a, b in [(1,)]]", ValueError),
    ],
)
def test_errors_as_cpython(call, error):
    source = f"def f(a, b=1):\n    return a\ndef g():\n    return {call}\n"
    with pytest.raises(error):
        executed(source, "g")
    with pytest.raises(error):
        walked(source, "g")


CLASSES = """
    class Base:
        word = "base"

        def greet(self, name):
            return f"{self.word} {name}"

        @classmethod
        def kind(cls):
            return cls.__name__ + cls.tag

        @staticmethod
        def plain(x):
            return x

        tag = "!"

    class Child(Base):
        tag = "?"

        @classmethod
        def kind(cls):
            return "child of " + super().kind()

    def f():
        return [Base.word, Child.word, Child.kind(), Base.kind(), Child.plain(3), Child.__name__]
"""


def test_class_attributes_and_class_methods():
    assert walked(CLASSES) == executed(CLASSES)


# -- what is not known ---------------------------------------------------------------------


def test_a_library_is_foreign():
    walker = walker_of("import torch\nfrom torch import nn as layers\n")
    assert walker.resolve(f"{MODULE}.torch") == Foreign("torch")
    assert walker.resolve(f"{MODULE}.layers") == Foreign("torch.nn")
    assert isinstance(walked("import torch\ndef f():\n    return torch.rand(3)\n"), Unread)


@pytest.mark.parametrize(
    "expression",
    ["x + 1", "x.a.b", "x[0]", "x()", "-x", "x < 1", "x == x", "f'{x}'", "1 if x else 2",
     "x and 1", "[n for n in x]", "int(x)", "{**x}", "not x"],
)  # fmt: skip
def test_what_is_made_of_an_unknown_is_unknown(expression):
    source = f"import torch\ndef f():\n    x = torch.rand(3)\n    return {expression}\n"
    assert isinstance(walked(source), Unread)


@pytest.mark.parametrize("statement", ["if x:\n        return 1", "for n in x:\n        return 1",
                                       "while x:\n        return 1", "return 1 in [x]",
                                       "return any([x])"])  # fmt: skip
def test_an_unknown_has_no_truth(statement):
    source = f"import torch\ndef f():\n    x = torch.rand(3)\n    {statement}\n    return 2\n"
    with pytest.raises(CannotReadError):
        walked(source)


def test_both_sides_of_an_unknown_condition():
    source = """
    import torch
    def f():
        a, b, d, seen = 1, 2, {"k": 1}, []
        if torch.rand():
            a = 5
            d["k"] = 2
            d.update(m=3)
        else:
            c = 6
        return [a, b, d, c]
    """
    walker = walker_of(source)
    a, b, d, c = walker.call(walker.resolve(f"{MODULE}.f"), (), {})
    assert b == 2
    assert all(isinstance(v, Unread) for v in (a, c, d["k"], d["m"]))
    assert walker.skipped == []


def test_a_change_of_a_list_under_an_unknown_condition_is_told():
    source = """
    import torch
    def f():
        a = [1]
        if torch.rand():
            a.append(2)
        return a
    """
    walker = walker_of(source)
    assert walker.call(walker.resolve(f"{MODULE}.f"), (), {}) == [1]
    assert len(walker.skipped) == 1
    assert walker.skipped[0].startswith(f"{HOME}:6:")


def test_a_statement_that_is_not_read_forgets_what_it_binds():
    walker = walker_of(
        "def f():\n    a = 1\n    with a as a, a as b:\n        a = yield\n    return a\n"
    )
    function = walker.resolve(f"{MODULE}.f")
    assert isinstance(walker.call(function, (), {}), Unread)
    walker = walker_of("def f():\n    a = 1\n    a = [].nope()\n    return a\n")
    assert isinstance(walker.call(walker.resolve(f"{MODULE}.f"), (), {}), Unread)
    assert walker.skipped


def test_functions_of_other_modules_are_not_entered():
    others = {"vllm/model/other.py": "def g():\n    return 1\n"}
    source = "from vllm.model.other import g\ndef f():\n    return g()\n"
    assert isinstance(walked(source, others=others), Unread)
    near = {"vllm/engine/other.py": "def g():\n    return 1\n"}
    assert walked(source.replace("model", "engine"), others=near) == 1


def test_modules_of_the_tree():
    others = {
        "vllm/engine/sub/__init__.py": "from .inner import A as B\nfrom ..stars import *\n",
        "vllm/engine/sub/inner.py": "A = 4\n",
        "vllm/engine/stars.py": "STAR = 5\n",
    }
    source = """
    import vllm.engine.sub
    from vllm.engine import sub as s
    from vllm.engine.sub import inner
    def f():
        return [vllm.engine.sub.B, s.STAR, inner.A, getattr(s, "none", 0), hasattr(s, "B")]
    """
    assert walked(source, others=others) == [4, 5, 4, 0, True]
    walker = walker_of(source, others)
    assert walker.resolve(f"{MODULE}.inner") == ModuleRef("vllm.engine.sub.inner")


def test_names_that_refer_to_themselves_or_to_nothing():
    walker = walker_of("A = B\nB = A\n")
    assert isinstance(walker.resolve(f"{MODULE}.A"), Unread)
    assert isinstance(walker.resolve(f"{MODULE}.C"), Unread)


def test_a_file_that_is_not_python_is_told():
    walker = walker_of("from vllm.engine.bad import x\n", {"vllm/engine/bad.py": "def (:\n"})
    assert isinstance(walker.resolve(f"{MODULE}.x"), Unread)
    assert "vllm/engine/bad.py" in walker.skipped[0]


@pytest.mark.parametrize(
    "body",
    ["while True:\n        pass", "return f()", "return 9 ** 9 ** 9", "return 'a' * 10 ** 9"],
)
def test_endless_code_ends(body, monkeypatch):
    monkeypatch.setattr("mlapath.scenario.engine_flags_walker.MAX_STEPS", 10_000)
    with pytest.raises(CannotReadError):
        walked(f"def f():\n    {body}\n")


@pytest.mark.parametrize(
    "expression",
    ["open('/etc/hostname', 'w')", "__import__('os')", "().__class__.__mro__", "eval('1')",
     "'{0.__class__}'.format(1)", "(lambda: 1).__globals__", "vars()"],
)  # fmt: skip
def test_nothing_reaches_the_machine(expression, monkeypatch):
    monkeypatch.setattr("pathlib.Path.write_text", lambda *_: pytest.fail("written"))
    source = f"def f():\n    return {expression}\n"
    try:
        result = walked(source)
    except (CannotReadError, OSError):
        return
    assert isinstance(result, Unread) or hasattr(result, "getvalue")
