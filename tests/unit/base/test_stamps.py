"""Stamps of files and folders."""

import os

import pytest

from mlapath.base.own import own_digest
from mlapath.base.stamps import stamp_of, stat_digest


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "vllm" / "sub").mkdir(parents=True)
    (tmp_path / "vllm" / "a.py").write_text("a")
    (tmp_path / "vllm" / "sub" / "b.py").write_text("b")
    return tmp_path


def test_files_that_nobody_touched_give_the_same_digest(folder):
    assert stat_digest(str(folder), "vllm") == stat_digest(str(folder), "vllm")


@pytest.mark.parametrize("change", ["size", "time", "name", "new", "gone"])
def test_each_change_gives_another(folder, change):
    before = stat_digest(str(folder), "vllm")
    file = folder / "vllm" / "sub" / "b.py"
    if change == "size":
        file.write_text("bb")
        os.utime(file, ns=(0, 0))
    elif change == "time":
        os.utime(file, ns=(5, 5))
    elif change == "name":
        file.rename(file.with_name("c.py"))
    elif change == "new":
        file.with_name("c.py").write_text("")
    else:
        file.unlink()
    assert stat_digest(str(folder), "vllm") != before


def test_what_tools_leave_and_other_packages_do_not_count(folder):
    before = stat_digest(str(folder), "vllm")
    (folder / "vllm" / "__pycache__").mkdir()
    (folder / "vllm" / "__pycache__" / "a.pyc").write_text("")
    (folder / "other.py").write_text("")
    assert stat_digest(str(folder), "vllm") == before


def test_a_file_that_is_not_there_has_no_stamp(folder):
    assert stamp_of(str(folder / "nothing")) is None
    assert stamp_of(str(folder / "vllm" / "a.py"))[0] == 1


def test_mlapath_knows_itself():
    assert own_digest() == own_digest()
    assert len(own_digest()) == 32
