import pytest
from packaging.tags import Tag

from mlapath.base.errors import TreeError
from mlapath.source.platforms import Platform


@pytest.mark.parametrize(
    ("text", "platform"),
    [
        (None, "linux_x86_64"),
        ("linux_x86_64", "linux_x86_64"),
        ("manylinux_2_28_aarch64", "linux_aarch64"),
        ("Linux-ARM64", "linux_aarch64"),
        ("linux/amd64", "linux_x86_64"),
        ("macosx_11_0_arm64", "macosx_aarch64"),
        ("darwin-arm64", "macosx_aarch64"),
        ("win_amd64", "win_x86_64"),
    ],
)
def test_parse(text: str | None, platform: str) -> None:
    assert str(Platform.parse(text)) == platform


def test_unknown() -> None:
    with pytest.raises(TreeError, match="unknown platform 'sparc'"):
        Platform.parse("sparc")


@pytest.mark.parametrize(
    ("platform", "tag", "accepted"),
    [
        ("linux_x86_64", "manylinux1_x86_64", True),
        ("linux_x86_64", "manylinux_2_28_aarch64", False),
        ("linux_x86_64", "linux_x86_64", True),
        ("linux_x86_64", "musllinux_1_2_x86_64", False),
        ("linux_x86_64", "macosx_11_0_x86_64", False),
        ("linux_x86_64", "any", True),
        ("macosx_arm64", "macosx_11_0_arm64", True),
        ("macosx_arm64", "macosx_11_0_universal2", True),
        ("macosx_arm64", "macosx_11_0_x86_64", False),
        ("win_amd64", "win_amd64", True),
        ("win_amd64", "win_arm64", False),
    ],
)
def test_accepts(platform: str, tag: str, accepted: bool) -> None:
    assert Platform.parse(platform).accepts(Tag("cp38", "abi3", tag)) is accepted
