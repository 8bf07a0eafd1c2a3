import pytest

from mlapath.base.errors import TreeError
from mlapath.source.names import safe_name


@pytest.mark.parametrize("name", ["vllm/a.py", "a", "vllm/.x/_b-c+d (1).json", "vllm/ä.py"])
def test_harmless(name: str) -> None:
    assert safe_name(name, "a.whl") == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/etc/x",
        "../x",
        "a/../../x",
        "a/./b",
        "a//b",
        "C:/x",
        "a\\b",
        "a\x00b",
        "a\nb",
        "vllm/CON",
        "vllm/nul.py",
        "vllm/com1.txt",
        "vllm/trailing.",
        "vllm/trailing ",
        "x" * 500,
    ],
)
def test_refused(name: str) -> None:
    with pytest.raises(TreeError, match=r"a\.whl holds a file with an unsafe name"):
        safe_name(name, "a.whl")
