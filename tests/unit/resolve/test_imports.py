import pytest

from mlapath.resolve.imports import imports_of


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import a.b as c, d", ["a.b", "d"]),
        ("from a import (\n    b,  # (no)\n    c as e,\n)", ["a", "a.b", "a.c"]),
        ("from a import b, \\\n    c  # d", ["a", "a.b", "a.c"]),
        ("from a import *", ["a", "a.*"]),
        ("from . import x", ["p.q", "p.q.x"]),
        ("from ..r.s import x", ["p.r.s", "p.r.s.x"]),
        ("if x: import a; from b import c", ["a", "b", "b.c"]),
        ("    from a import b", ["a", "a.b"]),
        ("important = 1\nfrom_x = 2", []),
    ],
)
def test_what_is_imported(text, names):
    assert [name for name, _ in imports_of(text, "p.q.m", package=False)] == names


def test_a_package_is_where_its_own_names_are():
    assert [n for n, _ in imports_of("from .x import y", "p.q", package=True)] == [
        "p.q.x",
        "p.q.x.y",
    ]


def test_the_line_of_a_statement():
    found = list(imports_of("\n\nimport a\n\nfrom b import (\n    c,\n)\n", "m", package=False))
    assert found == [("a", 3), ("b", 5), ("b.c", 5)]
