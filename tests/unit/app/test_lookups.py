"""What a tree has: functions around lines, texts, and targets of patches."""

from __future__ import annotations

import textwrap

import pytest

from mlapath.app.patches import PatchTargets
from mlapath.app.symbols import TreeSymbols
from mlapath.source import open_tree

FILES = {
    "vllm/__init__.py": "from vllm.a import Impl as Shown\n",
    "vllm/a.py": '''
        import torch
        from abc import ABC, abstractmethod
        from vllm.base import Base
        from vllm import base as b
        from vllm.base import *

        if torch:
            def early(x, /, y=(1, 2), *args, z: int = 3, **kwargs): return x

        class Impl(Base["T"], ABC):
            limit = 1
            other: int = 2
            left, right = 1, 2

            def forward(self, *, q='a'):
                """Doc."""
                def inner():
                    return 1
                return (  # why
                    inner(), 'x',
                )

            class Inner:
                async def run(self): ...

        class Alone(ABC):
            pass

        class Net(torch.nn.Module):
            pass

        class Far(b.Base):
            pass

        class Loop(Loop):
            pass
        ''',
    "vllm/base.py": """
        try:
            from vllm.fast import helper
        except ImportError:
            helper = None

        class Base(object):
            def below(self): ...

        def __getattr__(name): ...
        """,
    "vllm/fast.py": "def helper(): ...\n",
    "vllm/broken.py": "def (:\n",
    "vllm/sub/__init__.py": "from ..fast import helper as renamed\nfrom . import leaf\n",
    "vllm/sub/leaf.py": "def forward(): ...\n",
}


@pytest.fixture
def tree(tmp_path):
    for path, text in FILES.items():
        file = tmp_path / "site" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), "utf-8")
    return open_tree(tmp_path / "site", cache=None)


def line_of(tree, path, text):
    lines = tree.read(path).splitlines()
    return f"{path}:{next(n for n, line in enumerate(lines, 1) if text in line)}"


@pytest.mark.parametrize(
    ("text", "name", "signature"),
    [
        ("def early", "vllm.a.early", "(x, /, y=(1, 2), *args, z=3, **kwargs)"),
        ("def forward", "vllm.a.Impl.forward", '(self, *, q="a")'),
        ("inner(), 'x'", "vllm.a.Impl.forward", '(self, *, q="a")'),
        ("return 1", "vllm.a.Impl.forward.inner", "()"),
        ("def run", "vllm.a.Impl.Inner.run", "(self)"),
    ],
)
def test_functions_around_a_line(tree, text, name, signature):
    found = TreeSymbols(tree).locate(line_of(tree, "vllm/a.py", text))
    assert found == (name, signature)


def test_places_without_a_function(tree):
    symbols = TreeSymbols(tree)
    assert symbols.locate(line_of(tree, "vllm/a.py", "limit = 1")) is None
    assert symbols.locate("vllm/broken.py:1") is None
    assert symbols.locate("vllm/none.py:1") is None
    assert symbols.locate("transformers/a.py:1") is None
    assert symbols.locate("vllm/a.py") is None


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ('return (inner(), "x")', True),
        ("return (inner(), 'x',)", True),
        ("limit = 1", True),
        ("return (inner(), …", True),
        ("limit = 2", False),
    ],
)
def test_texts(tree, text, there):
    assert TreeSymbols(tree).has("vllm/a.py", text) is there


def test_a_text_of_a_file_that_is_not_there(tree):
    assert TreeSymbols(tree).has("vllm/none.py", "x") is None


@pytest.mark.parametrize(
    ("patch", "there"),
    [
        ("vllm.a:Impl", True),
        ("vllm.a:Impl.forward", True),
        ("vllm.a:Impl.limit", True),
        ("vllm.a:Impl.other", True),
        ("vllm.a:Impl.right", True),
        ("vllm.a:Impl.Inner.run", True),
        ("vllm.a:Impl.below", True),
        ("vllm.a:Impl.gone", False),
        ("vllm.a:Impl.Inner.gone", False),
        ("vllm.a:Alone.gone", False),
        ("vllm.a:Far.below", True),
        ("vllm.a:Net.forward", None),
        ("vllm.a:Loop.f", None),
        ("vllm.a:early", True),
        ("vllm.a:torch", True),
        ("vllm.a:gone", None),  # a star import of what has its own __getattr__
        ("vllm.base:helper", True),
        ("vllm.base:gone", None),
        ("vllm.fast:gone", False),
        ("vllm:Shown.forward", True),
        ("vllm:Shown.gone", False),
        ("vllm:sub", True),
        ("vllm:sub.renamed", True),
        ("vllm.sub:leaf.forward", True),
        ("vllm.sub:leaf.gone", False),
        ("vllm.broken:f", None),
        ("vllm.none:f", False),
    ],
)
def test_targets_of_patches(tree, patch, there):
    assert PatchTargets(tree).exists(patch) is there


def test_suggestions(tree):
    targets = PatchTargets(tree)
    assert targets.suggestions("vllm.x:Old.forward") == (
        "vllm.a:Impl.forward",
        "vllm.sub.leaf:forward",
    )
    assert targets.suggestions("vllm.x:nothing_like_it") == ()
    assert targets.suggestions("vllm.a:Implement.forward")[0] == "vllm.a:Impl.forward"


def test_how_often_a_function_has_a_text(tree):
    symbols = TreeSymbols(tree)
    assert symbols.times("vllm/a.py", "vllm.a.Impl.forward", "return") == 2
    assert symbols.times("vllm/a.py", "vllm.a.Impl.forward", 'inner(), "x"') == 1
    assert symbols.times("vllm/a.py", "vllm.a.Impl.forward", "limit = 1") == 0
    assert symbols.times("vllm/a.py", "vllm.a.Impl.gone", "return") is None
    assert symbols.times("vllm/gone.py", "vllm.gone.f", "return") is None
