from pathlib import Path

from mlapath.ir.lower import lower_module
from mlapath.resolve.program import Program


class Tree:
    root = Path("/tree")
    files = ("a/__init__.py", "a/b/__init__.py", "a/b/c.py", "a/bc.py")

    def read(self, relpath: str) -> str:
        return "x = 1\n"

    def find_module(self, name: str) -> str | None:
        path = name.replace(".", "/")
        return next((f for f in (f"{path}/__init__.py", f"{path}.py") if f in self.files), None)


def test_packages_that_cannot_be_imported():
    whole = Program([Tree()], lower_module)
    less = whole.without(frozenset({"a.b"}))
    assert [less.find(name) for name in ("a", "a.b", "a.b.c", "a.bc")] == [
        "a/__init__.py", None, None, "a/bc.py"
    ]  # fmt: skip
    assert whole.find("a.b.c") == "a/b/c.py"
    assert less.listing() == whole.listing()
    assert less.load("a/bc.py") is whole.load("a/bc.py")
