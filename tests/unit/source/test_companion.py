from dataclasses import replace
from pathlib import Path

import pytest

from mlapath.source.companion import requirement_of
from mlapath.source.platforms import Platform
from mlapath.source.tree import SourceTree

LINUX = Platform("linux", "x86_64")


@pytest.fixture
def tree(tmp_path: Path) -> SourceTree:
    return SourceTree(
        package="vllm", root=tmp_path, listed=(), version="1", origin="index", requires=()
    )


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (("transformers<5,>=4.56.0", "torch==2.9"), "<5,>=4.56.0"),
        (("Transformers (>=4)",), ">=4"),
        (("transformers>=4", "transformers!=4.1"), "!=4.1,>=4"),
        (("transformers",), ""),
        (("transformers>=4; extra == 'audio'",), None),
        (("transformers>=4; sys_platform == 'win32'",), None),
        (("transformers>=4; platform_machine == 'x86_64'",), ">=4"),
        (("transformers>=4; platform_machine == 'aarch64'",), None),
        (("-- not a requirement", "torch"), None),
    ],
)
def test_requirement(tree: SourceTree, lines: tuple[str, ...], wanted: str | None) -> None:
    found = requirement_of(replace(tree, requires=lines), "transformers", LINUX)
    assert (None if found is None else str(found)) == wanted
