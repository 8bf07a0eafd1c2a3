import os
import stat
from pathlib import Path

import pytest

from mlapath.base.errors import UsageError
from mlapath.cli.output import Sink, emit, parse_sinks

FORMATS = ("text", "json")


def test_sinks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert parse_sinks("json", [], FORMATS) == (Sink("json", None),)
    (plain, prefixed, stdout, named) = parse_sinks(
        "text", ["a.txt", "json:b.json", "json:-", "d"], FORMATS
    )
    assert (plain.format, plain.file.name) == ("text", "a.txt")
    assert (prefixed.format, prefixed.file.name) == ("json", "b.json")
    assert stdout == Sink("json", None)
    assert named.file.name == "d"


def test_a_drive_letter_is_not_a_format(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (sink,) = parse_sinks("text", ["C:report.txt"], FORMATS)
    assert sink.format == "text"
    (sink,) = parse_sinks("text", ["c:report.txt"], FORMATS)
    assert sink.format == "text"


@pytest.mark.parametrize("output", ["yaml:x", "nowhere/x", "."])
def test_wrong_outputs(tmp_path, monkeypatch, output):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError):
        parse_sinks("text", [output], FORMATS)


def test_an_old_file_is_replaced_whole_or_left(tmp_path, monkeypatch):
    file = tmp_path / "r.json"
    file.write_text("old")

    def no_replace(self, target):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.replace", no_replace)
        with pytest.raises(UsageError, match=r"cannot write .*r\.json: No space left"):
            emit([Sink("json", file)], lambda name, stdout: "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]
    emit([Sink("json", file)], lambda name, stdout: "new\ud800")
    assert file.read_text() == "new\\ud800"


@pytest.mark.skipif(os.name == "nt", reason="links and modes of POSIX")
def test_a_link_is_followed_and_the_umask_counts(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    link.symlink_to(real)
    old = os.umask(0o022)
    try:
        emit([Sink("text", link)], lambda name, stdout: "x")
    finally:
        os.umask(old)
    assert link.is_symlink()
    assert real.read_text() == "x"
    assert stat.S_IMODE(real.stat().st_mode) == 0o644


@pytest.mark.skipif(os.name == "nt", reason="devices of POSIX")
def test_a_device_is_written_to_not_replaced():
    emit([Sink("text", Path(os.devnull))], lambda name, stdout: "x")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_the_renderer_knows_where_its_text_goes(tmp_path, capsys):
    file = tmp_path / "x"
    emit([Sink("text", file), Sink("json", None)], lambda name, stdout: f"{name} {stdout}")
    assert file.read_text() == "text False"
    assert capsys.readouterr().out == "json True"
