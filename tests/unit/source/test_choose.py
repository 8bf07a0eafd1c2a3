import pytest
from packaging.specifiers import SpecifierSet

from mlapath.base.errors import TreeError
from mlapath.source.choose import choose_file, versions_of
from mlapath.source.index import IndexFile, parse_file
from mlapath.source.platforms import Platform


def files(*names: str, yanked: tuple[str, ...] = ()) -> list[IndexFile]:
    found = [parse_file(name, name, "vllm", yanked=name in yanked) for name in names]
    assert None not in found
    return [file for file in found if file is not None]


WHEEL = "vllm-{}-cp38-abi3-manylinux_2_28_{}.whl"
X86 = Platform("linux", "x86_64")
ARM = Platform("linux", "aarch64")


def chosen(offered: list[IndexFile], wanted: str, platform: Platform = X86) -> str:
    return choose_file(offered, SpecifierSet(wanted), platform).filename


def test_platform_decides() -> None:
    offered = files(WHEEL.format("1.0", "x86_64"), WHEEL.format("1.0", "aarch64"))
    assert chosen(offered, "==1.0") == WHEEL.format("1.0", "x86_64")
    assert chosen(offered, "==1.0", ARM) == WHEEL.format("1.0", "aarch64")


def test_highest_build_number_as_pip_takes() -> None:
    names = [
        "vllm-1.0-cp38-abi3-manylinux_2_28_x86_64.whl",
        "vllm-1.0-2-cp38-abi3-manylinux_2_28_x86_64.whl",
        "vllm-1.0-10-cp38-abi3-manylinux_2_28_x86_64.whl",
    ]
    assert chosen(files(*names), "==1.0") == names[2]


def test_sdist_only_without_a_wheel_for_the_platform() -> None:
    offered = files("vllm-1.0.tar.gz", WHEEL.format("1.0", "aarch64"))
    assert chosen(offered, "==1.0") == "vllm-1.0.tar.gz"
    assert chosen(offered, "==1.0", ARM) == WHEEL.format("1.0", "aarch64")


def test_platform_wheel_before_any() -> None:
    offered = files("vllm-1.0-py3-none-any.whl", WHEEL.format("1.0", "x86_64"))
    assert chosen(offered, "==1.0") == WHEEL.format("1.0", "x86_64")
    assert chosen(offered, "==1.0", ARM) == "vllm-1.0-py3-none-any.whl"


def test_newest_final_release_within_a_range() -> None:
    offered = files("vllm-1.0.tar.gz", "vllm-1.2.tar.gz", "vllm-1.3rc1.tar.gz", "vllm-2.0.tar.gz")
    assert chosen(offered, ">=1,<2") == "vllm-1.2.tar.gz"
    assert chosen(offered, "==1.3rc1") == "vllm-1.3rc1.tar.gz"


def test_only_prereleases_fit() -> None:
    assert chosen(files("vllm-1.3rc1.tar.gz"), ">=1.2") == "vllm-1.3rc1.tar.gz"


def test_local_version_counts_as_the_version() -> None:
    offered = files("vllm-1.0.tar.gz", "vllm-1.0+cu129.tar.gz")
    assert chosen(offered, "==1.0") == "vllm-1.0+cu129.tar.gz"


def test_yanked_only_if_nothing_else_fits() -> None:
    offered = files("vllm-1.0.tar.gz", "vllm-1.1.tar.gz", yanked=("vllm-1.1.tar.gz",))
    assert chosen(offered, ">=1") == "vllm-1.0.tar.gz"
    assert chosen(offered, "==1.1") == "vllm-1.1.tar.gz"


def test_no_such_version_names_the_newest() -> None:
    with pytest.raises(TreeError, match=r"no version ==9; newest there: 1\.0, 1\.1$"):
        chosen(files("vllm-1.1.tar.gz", "vllm-1.0.tar.gz"), "==9")


def test_nothing_for_the_platform() -> None:
    with pytest.raises(TreeError, match="has ==1.0 but nothing for win_x86_64"):
        chosen(files(WHEEL.format("1.0", "x86_64")), "==1.0", Platform("win", "x86_64"))


def test_versions_of() -> None:
    offered = files(
        "vllm-1.10.tar.gz", "vllm-1.9.tar.gz", "vllm-2rc1.tar.gz", WHEEL.format("1.9", "x86_64")
    )
    assert [str(version) for version in versions_of(offered)] == ["1.9", "1.10"]
    assert str(versions_of(offered, prereleases=True)[-1]) == "2rc1"
