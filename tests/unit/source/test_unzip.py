import io
import random
import stat
import zipfile
from pathlib import Path

import pytest

from mlapath.base.errors import TreeError
from mlapath.source import limits
from mlapath.source.keep import keep_source
from mlapath.source.unzip import unpack_wheel
from mlapath.source.writer import MemberWriter
from support.wheels import SOURCE, make_wheel


def unpack(data: bytes, folder: Path) -> MemberWriter:
    folder.mkdir()
    writer = MemberWriter(folder, "a.whl")
    unpack_wheel(io.BytesIO(data), "a.whl", writer, keep_source)
    return writer


def zipped(members: list[tuple[zipfile.ZipInfo | str, bytes]]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as bundle:
        for member, data in members:
            bundle.writestr(member, data)
    return raw.getvalue()


def test_keeps_source_and_lists_the_rest(tmp_path: Path) -> None:
    data = make_wheel(tmp_path / "a.whl").read_bytes()
    writer = unpack(data, tmp_path / "out")
    assert set(SOURCE) < set(writer.listed)
    assert "vllm/config/model.py" in writer.kept
    assert "vllm/data/table.json" in writer.kept
    assert "vllm/_C.abi3.so" not in writer.kept
    assert "vllm/data/huge.json" not in writer.kept
    out = tmp_path / "out" / "vllm" / "config" / "model.py"
    assert out.read_bytes() == SOURCE["vllm/config/model.py"]


def test_record_is_checked(tmp_path: Path) -> None:
    path = make_wheel(tmp_path / "a.whl", recorded={"vllm/config/model.py": b"other"})
    with pytest.raises(TreeError, match=r"model\.py does not match its hash in RECORD"):
        unpack(path.read_bytes(), tmp_path / "out")


def test_crc_is_checked(tmp_path: Path) -> None:
    data = bytearray(zipped([(stored("vllm/a.py"), b"x = 'marker'")]))
    at = data.index(b"marker")
    data[at] ^= 1
    with pytest.raises(TreeError, match="a.whl is broken: Bad CRC-32"):
        unpack(bytes(data), tmp_path / "out")


def stored(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_STORED
    return info


@pytest.mark.parametrize("name", ["../x.py", "/x.py", "vllm/../../x.py", "a\\x.py", "c:/x.py"])
def test_traversal_is_refused(tmp_path: Path, name: str) -> None:
    data = zipped([(stored("vllm/@.py"), b"")]).replace(
        b"vllm/@.py", name.encode().ljust(9, b"y")[:9]
    )
    if len(name) > 9:
        info = zipfile.ZipInfo("vllm/ok.py")
        info.filename = name
        data = zipped([(info, b"")])
    with pytest.raises(TreeError, match="unsafe name"):
        unpack(data, tmp_path / "out")
    assert not list(tmp_path.glob("*.py"))


def test_link_is_refused(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("vllm/link.py")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(TreeError, match=r"link\.py is a link; refused"):
        unpack(zipped([(info, b"/etc/passwd")]), tmp_path / "out")


def test_duplicate_names_are_refused(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zipped([("vllm/a.py", b"1"), ("vllm/a.py", b"2")])
    with pytest.raises(TreeError, match=r"a\.whl holds vllm/a\.py twice"):
        unpack(data, tmp_path / "out")


def test_names_that_differ_by_case_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="differ by case"):
        unpack(zipped([("vllm/a.py", b"1"), ("vllm/A.py", b"2")]), tmp_path / "out")


def test_file_in_the_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="both a file and a folder"):
        unpack(zipped([("vllm/a.py", b"1"), ("vllm/a.py/b.py", b"2")]), tmp_path / "out")


def test_huge_member_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MEMBER_BYTES", 1000)
    with pytest.raises(TreeError, match="would be 1001 bytes; refused"):
        unpack(zipped([("vllm/a.py", bytes(1001))]), tmp_path / "out")


def test_many_bytes_in_all_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "KEPT_BYTES", 1500)
    with pytest.raises(TreeError, match="would unpack to more than 1500 bytes"):
        unpack(zipped([("vllm/a.py", bytes(1000)), ("vllm/b.py", bytes(1000))]), tmp_path / "out")


def test_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MEMBERS", 2)
    with pytest.raises(TreeError, match="more than 2 files"):
        unpack(zipped([(f"vllm/{n}.so", b"") for n in range(3)]), tmp_path / "out")


def test_a_lying_size_does_not_unpack_without_end(tmp_path: Path) -> None:
    """The directory says 10 bytes, the data unpacks to 50 MB."""
    data = bytearray(zipped([("vllm/a.py", bytes(50_000_000))]))
    true = (50_000_000).to_bytes(4, "little")
    assert data.count(true) == 2
    lying = bytes(data).replace(true, (10).to_bytes(4, "little"))
    with pytest.raises(TreeError, match="a.whl is broken"):
        unpack(lying, tmp_path / "out")
    assert not list((tmp_path / "out").rglob("*.py"))


@pytest.mark.parametrize("data", [b"", b"PK\x05\x06", b"no zip at all" * 100])
def test_no_zip(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(TreeError, match="a.whl is broken"):
        unpack(data, tmp_path / "out")


def test_damage_anywhere_is_an_error_or_harmless(tmp_path: Path) -> None:
    """Random damage never escapes as another exception, and never changes a kept file."""
    good = make_wheel(tmp_path / "a.whl", {"vllm/a.py": b"x = 1\n", "vllm/b.py": b"y" * 300})
    whole = good.read_bytes()
    chance = random.Random(7)
    refused = 0
    for round_ in range(400):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 3)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        out = tmp_path / str(round_)
        try:
            unpack(bytes(data), out)
        except TreeError:
            refused += 1
            continue
        for name, content in (("vllm/a.py", b"x = 1\n"), ("vllm/b.py", b"y" * 300)):
            assert not (out / name).exists() or (out / name).read_bytes() == content
    assert refused > 100
