import pytest

from mlapath.ir.lower import lower_module
from mlapath.resolve.outline import Kind, functions, spot

SOURCE = '''"""About the module."""
import x
# said aside

@decorated(
    1
)
class A:
    """About A."""
    size = 1

    @staticmethod
    @cached
    def run(
        self, a,
        b: int = 1,
    ) -> None:
        """About run.

        # no comment
        """
        late: int
        if a:
            b = call(
                a,
            )

        elif b:
            pass
        # aside
        else:
            def nested():
                return 1
        try:
            b = """
text
"""
        except ValueError:
            return 2
        finally:
            b = 3


@triton.jit
def kernel(p, N: tl.constexpr):
    x = tl.load(p)


@torch.jit.script
def scripted(): return 1
'''
MODULE = lower_module(SOURCE, "vllm/a.py")
LINES = SOURCE.splitlines()


def line_of(text, nth=0):
    return [i for i, line in enumerate(LINES, 1) if text in line][nth]


@pytest.mark.parametrize(
    ("text", "kind", "statement", "function"),
    [
        ("About the module", Kind.STRING, None, ""),
        ("import x", Kind.CODE, "import x", ""),
        ("# said aside", Kind.COMMENT, None, ""),
        ("@decorated(", Kind.DECORATOR, "class A:", ""),
        ("class A:", Kind.DEFINITION, "class A:", ""),
        ('"""About A', Kind.STRING, None, ""),
        ("size = 1", Kind.CODE, "size = 1", ""),
        ("@cached", Kind.DECORATOR, "def run(", ""),
        ("b: int = 1", Kind.DEFINITION, "def run(", ""),
        ("# no comment", Kind.COMMENT, None, "A.run"),
        ("late: int", Kind.ANNOTATION, None, "A.run"),
        ("if a:", Kind.CODE, "if a:", "A.run"),
        ("                a,", Kind.CODE, "b = call(", "A.run"),
        ("elif b:", Kind.CODE, "elif b:", "A.run"),
        ("# aside", Kind.COMMENT, None, "A.run"),
        ("else:", Kind.LABEL, "def nested", "A.run"),
        ("def nested", Kind.DEFINITION, "def nested", "A.run"),
        ("return 1", Kind.CODE, "return 1", "A.run.<locals>.nested"),
        ("try:", Kind.LABEL, 'b = """', "A.run"),
        ("text", Kind.CODE, 'b = """', "A.run"),
        ("except ValueError", Kind.LABEL, "return 2", "A.run"),
        ("finally:", Kind.LABEL, "b = 3", "A.run"),
        ("x = tl.load(p)", Kind.CODE, "x = tl.load(p)", "kernel"),
    ],
)
def test_what_stands_on_a_line(text, kind, statement, function):
    found = spot(MODULE, LINES, line_of(text))
    assert (found.kind, found.function) == (kind, function)
    assert found.statement == (None if statement is None else line_of(statement))


def test_every_line_has_an_answer():
    for line in range(1, len(LINES) + 1):
        found = spot(MODULE, LINES, line)
        empty = not LINES[line - 1].strip()
        assert not empty or found.kind in (Kind.BLANK, Kind.CODE)


def test_functions_with_their_classes():
    found = [(f.qualname, f.owner, f.kernel) for f in functions(MODULE)]
    assert found == [
        ("A.run", "A", False),
        ("A.run.<locals>.nested", "", False),
        ("kernel", "", True),
        ("scripted", "", False),
    ]
