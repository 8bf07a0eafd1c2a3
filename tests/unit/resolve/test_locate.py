import pytest

from mlapath.base.errors import UsageError
from mlapath.ir.lower import lower_module
from mlapath.resolve.locate import locate
from mlapath.resolve.program import Program
from mlapath.source.files import FileSet

A = """
class Impl:
    def run(self):
        x = 1
        return x

    def other(self):
        def run():
            return 2
        return run


def run(a):
    return a
"""
FILES = {"vllm/__init__.py": "", "vllm/a.py": A, "vllm/sub/__init__.py": "", "vllm/sub/a.py": A,
         "vllm/sub/b.py": "", "vllm/sub/c/b.py": "",
         "vllm/sub/lonely.py": "def alone(): return 1\n"}  # fmt: skip


@pytest.fixture
def program(tmp_path):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return Program([FileSet("vllm", tmp_path, None)], lower_module)


def places(program, asked):
    return [(x.path, x.spot.line, x.name) for x in locate(program, asked)]


def test_a_line_by_path_below_the_root_or_the_package_or_by_a_unique_name(program, tmp_path):
    expected = [("vllm/sub/lonely.py", 1, "")]
    for file in ("vllm/sub/lonely.py", "sub/lonely.py", "lonely.py", "vllm\\sub\\lonely.py",
                 str(tmp_path / "vllm" / "sub" / "lonely.py")):  # fmt: skip
        assert places(program, f"{file}:1") == expected


def test_a_range_gives_each_statement_once(program):
    assert [line for _, line, _ in places(program, "vllm/a.py:1-5")] == [2, 3, 4, 5]
    assert [line for _, line, _ in places(program, "vllm/a.py:6-6")] == [6]


def test_another_copy_is_told_apart(program):
    (found,) = locate(program, "/elsewhere/site-packages/vllm/sub/lonely.py:1")
    assert found.path == "vllm/sub/lonely.py"
    assert "is not the file that this deployment imports" in found.notes[0]
    (own,) = locate(program, f"{program.root}/vllm/sub/lonely.py:1")
    assert own.notes == ()


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("vllm.sub.a.Impl.run", ["Impl.run"]),
        ("sub.a.run", ["run"]),
        ("alone", ["alone"]),
        ("Impl.other.run", ["Impl.other.<locals>.run"] * 2),
        ("Impl.run", ["Impl.run"] * 2),
    ],
)
def test_functions_by_their_names(program, asked, names):
    found = locate(program, asked)
    assert [x.name for x in found] == names
    assert all(x.is_function for x in found)


def test_the_line_of_a_function_is_its_first_statement(program):
    (found,) = locate(program, "vllm.a.Impl.run")
    assert (found.spot.line, found.spot.function_line) == (4, 3)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("alnoe", "did you mean alone"),
        ("Imple.run", "others are called run; did you mean Impl"),
        ("Impl", "is a class or a module"),
        ("lonly.py:1", "did you mean lonely.py"),
        ("b.py:1", "could be any of vllm/sub/b.py, vllm/sub/c/b.py"),
        ("vllm/a.py", "which line"),
        ("vllm/a.py:99", "has 15 lines"),
        ("vllm/a.py:0", "lines count from 1"),
        ("vllm/a.py:5-2", "a range goes upwards"),
        ("a b", "neither FILE:LINE nor the name"),
        ("", "neither FILE:LINE nor the name"),
    ],
)
def test_what_is_not_there_is_an_error_with_near_names(program, asked, said):
    with pytest.raises(UsageError, match=said):
        locate(program, asked)


def test_a_name_that_is_everywhere_is_an_error(program, tmp_path):
    for i in range(70):
        (tmp_path / f"vllm/m{i}.py").write_text("def f(): pass\n", encoding="utf-8")
    fresh = Program([FileSet("vllm", tmp_path, None)], lower_module)
    with pytest.raises(UsageError, match="could be any of 70"):
        locate(fresh, "f")
    assert len(locate(fresh, "m3.f")) == 1
