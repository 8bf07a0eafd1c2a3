from pathlib import Path

import pytest

from mlapath.source.checkout import required_by, version_in
from support.wheels import lay_out

SHA = "a" * 40


@pytest.mark.parametrize(
    ("name", "text", "version"),
    [
        ("_version.py", "__version__ = version = '0.16.0'\n", "0.16.0"),
        ("_version.py", "__version__: str\n__version__ = '0.16.0'\n", "0.16.0"),
        ("version.py", '__version__ = "0.8"\n', "0.8"),
        ("version.py", "from ._version import __version__\n", None),
        ("version.py", "    __version__ = 'dev'\n", None),
    ],
)
def test_version_files(tmp_path: Path, name: str, text: str, version: str | None) -> None:
    assert version_in(lay_out(tmp_path, {f"vllm/{name}": text})) == version


@pytest.mark.parametrize(
    "files",
    [
        {".git/HEAD": SHA, ".git/refs/tags/v0.16.0": SHA},
        {
            ".git/HEAD": "ref: refs/heads/m",
            ".git/refs/heads/m": SHA,
            ".git/refs/tags/v0.16.0": SHA,
        },
        {
            ".git/HEAD": "ref: refs/heads/m",
            ".git/packed-refs": f"# x\n{SHA} refs/heads/m\n{'b' * 40} refs/tags/v0.16.0\n^{SHA}\n",
        },
        {
            ".git/HEAD": SHA,
            ".git/refs/tags/v0.16.0": SHA,
            ".git/refs/tags/v0.16.0rc2": SHA,
            ".git/refs/tags/nightly": SHA,
        },
    ],
)
def test_tag_on_the_commit(tmp_path: Path, files: dict[str, str]) -> None:
    assert version_in(lay_out(tmp_path, files)) == "0.16.0"


def test_worktree(tmp_path: Path) -> None:
    lay_out(tmp_path, {"real/HEAD": SHA, "real/refs/tags/v1.0": SHA})
    lay_out(tmp_path, {"work/.git": f"gitdir: {tmp_path / 'real'}\n"})
    assert version_in(tmp_path / "work") == "1.0"


def test_commit_without_a_tag(tmp_path: Path) -> None:
    lay_out(tmp_path, {".git/HEAD": SHA, ".git/refs/tags/v0.16.0": "b" * 40})
    assert version_in(tmp_path) is None


def test_requirements_follow_includes(tmp_path: Path) -> None:
    lay_out(
        tmp_path,
        {
            "requirements/cuda.txt": "# words\n-r common.txt\n\ntorch==2.9 # pinned\n",
            "requirements/common.txt": "-r cuda.txt\ntransformers >= 4\n--extra-index-url x\n",
        },
    )
    assert required_by(tmp_path) == ("transformers >= 4", "torch==2.9")


def test_no_requirements(tmp_path: Path) -> None:
    assert required_by(tmp_path) == ()
