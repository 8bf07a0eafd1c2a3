import tarfile
from pathlib import Path

import pytest

from mlapath.base.errors import TreeError
from mlapath.source import limits
from mlapath.source.keep import keep_sdist
from mlapath.source.untar import unpack_sdist
from mlapath.source.writer import MemberWriter
from support.wheels import make_sdist, make_tar


def unpack(path: Path, folder: Path) -> MemberWriter:
    folder.mkdir()
    writer = MemberWriter(folder, path.name)
    with path.open("rb") as stream:
        unpack_sdist(stream, path.name, writer, keep_sdist)
    return writer


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type = kind
    member.linkname = target
    return member


def test_top_folder_is_dropped(tmp_path: Path) -> None:
    writer = unpack(make_sdist(tmp_path / "a.tar.gz"), tmp_path / "out")
    assert "vllm/config/model.py" in writer.kept
    assert "requirements/common.txt" in writer.kept
    assert "PKG-INFO" in writer.kept
    assert "csrc/a.cu" in writer.listed
    assert "csrc/a.cu" not in writer.kept


@pytest.mark.parametrize("name", ["../x.py", "/x.py", "other/x.py", "v-1/../../x.py", "x.py"])
def test_traversal_is_refused(tmp_path: Path, name: str) -> None:
    path = make_tar(tmp_path / "a.tar.gz", {"v-1/vllm/a.py": b"", name: b"evil"})
    with pytest.raises(TreeError, match="unsafe name|lies outside"):
        unpack(path, tmp_path / "out")
    assert not list(tmp_path.glob("*.py"))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(tmp_path: Path, kind: bytes) -> None:
    members = [link("v-1/vllm/x.py", "/etc/passwd", kind)]
    path = make_tar(tmp_path / "a.tar.gz", {"v-1/vllm/a.py": b""}, members)
    with pytest.raises(TreeError, match=r"vllm/x\.py is a link or device"):
        unpack(path, tmp_path / "out")


def test_writing_through_a_linked_folder_is_impossible(tmp_path: Path) -> None:
    """A link `vllm/sub` to elsewhere is not made, so what follows stays inside."""
    raw = tmp_path / "a.tar.gz"
    import gzip
    import io

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as bundle:
        bundle.addfile(link("v-1/vllm/sub", str(tmp_path / "elsewhere")))
        member = tarfile.TarInfo("v-1/vllm/sub/x.py")
        member.size = 1
        bundle.addfile(member, io.BytesIO(b"1"))
    raw.write_bytes(gzip.compress(buffer.getvalue()))
    (tmp_path / "elsewhere").mkdir()
    unpack(raw, tmp_path / "out")
    assert not list((tmp_path / "elsewhere").iterdir())
    assert (tmp_path / "out" / "vllm" / "sub").is_dir()


def test_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNPACKED_BYTES", 100_000)
    path = make_tar(tmp_path / "a.tar.gz", {"v-1/csrc/zeros": bytes(200_000)})
    assert path.stat().st_size < 2000
    with pytest.raises(TreeError, match="unpacks to more than 100000 bytes"):
        unpack(path, tmp_path / "out")


def test_cut_off_archive(tmp_path: Path) -> None:
    path = make_sdist(tmp_path / "a.tar.gz")
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(TreeError, match=r"a\.tar\.gz is broken"):
        unpack(path, tmp_path / "out")


def test_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(b"<html>")
    with pytest.raises(TreeError, match="is broken"):
        unpack(path, tmp_path / "out")
