from support.differential import FakeFacts, assert_same, evaluate
from support.unknowns import with_unknown


def test_pure_operations():
    assert_same(
        """
        import os
        from pathlib import Path, PurePosixPath
        p = Path("/a") / "b" / "c.tar.gz"
        q = Path("x", Path("y"), "z.py")
        try:
            p.relative_to("/other")
        except ValueError as error:
            caught = True
        try:
            Path(3)
        except TypeError as error:
            refused = True
        r = [str(p), p.name, p.stem, p.suffix, p.suffixes, str(p.parent),
             [str(x) for x in p.parents], str(p.parents[1]), p.parts,
             str(q), str(q.with_suffix(".txt")), str(q.with_name("n")),
             q.is_absolute(), str(p.relative_to("/a")), p.as_posix(), str("/r" / q),
             p == Path(str(p)), p != q, {p: 1}[Path("/a/b/c.tar.gz")], f"{p}",
             repr(PurePosixPath("a")),
             os.fspath(p), os.path.join(p, "d"), p.match("*.gz"), isinstance(p, Path),
             isinstance(p, os.PathLike), bool(Path("")), sorted([Path("b"), Path("a")]) ==
             [Path("a"), Path("b")], str(Path()), str(p.joinpath("d", "e")),
             p.is_relative_to("/a"),
             str(Path("/a/../b").resolve()), caught, refused, type(p).__name__, str(p / q)]
        """,
        "r",
    )


def test_files():
    run = evaluate(
        """
        from pathlib import Path
        here = Path(__file__).resolve().parent
        r = [(here / "subject/a.py").exists(), (here / "subject").is_dir(),
             (here / "subject" / "b.py").is_file(), Path("/model/c.json").is_file(),
             Path("/model/c.json").read_text(), Path("/model/c.json").read_bytes()]
        with Path("/model/c.json").open() as f:
            text = f.read()
        try:
            (here / "subject" / "none.txt").read_text()
        except FileNotFoundError:
            missing = True
        empty = list((here / "subject" / "none").glob("*"))
        other = Path("/elsewhere").exists()
        listed = Path("/elsewhere").iterdir()
        made = Path("/elsewhere").mkdir(parents=True)
        """,
        FakeFacts(files={"/model/c.json": "{}"}),
        {"subject/a.py": ""},
    )
    assert run.plain("r") == [True, True, False, True, "{}", b"{}"]
    assert run.plain("text") == "{}"
    assert run.plain("missing") is True
    assert run.plain("empty") == []
    assert run.plain("made") is None
    run.unknown("other")
    run.unknown("listed")


def test_home_where_the_scenario_sets_it():
    source = "from pathlib import Path\nr = [str(Path.home()), str(Path('~/x').expanduser())]\n"
    assert evaluate(source, FakeFacts(env={"HOME": "/h"})).plain("r") == ["/h", "/h/x"]


def test_paths_that_are_not_known_are_paths_all_the_same():
    run = with_unknown(
        """
        from pathlib import Path
        p = Path(u)
        q = p / "a"
        known = isinstance(q, Path), bool(q), isinstance(q.parent, Path)
        text, there, name = str(q), q.exists(), q.name
        same = p == Path("/a")
        cwd = str(Path.cwd())
        either = Path("/a" if u else "/b")
        parent = str(either / "c")
        """
    )
    assert run.plain("known") == (True, True, True)
    for name in ("text", "there", "name", "same", "cwd"):
        run.unknown(name)
    assert {o.d for o in run.value("parent").d.options} == {"/a/c", "/b/c"}


def test_the_trees_own_files_are_listed():
    run = evaluate(
        """
        from pathlib import Path
        here = Path(__file__).parent
        names = [p.name for p in sorted(here.glob("*.py"))]
        deep = [p.relative_to(here).as_posix() for p in sorted((here / "pkg").rglob("*.py"))]
        folders = [p.name for p in sorted(here.iterdir())]
        text = sorted(here.rglob("b.py"))[0].read_text()
        """,
        others={"pkg/a.py": "A = 1\n", "pkg/sub/b.py": "B = 2\n", "other.json": "{}"},
    )
    assert run.plain("names") == ["subject.py"]
    assert run.plain("deep") == ["pkg/a.py", "pkg/sub/b.py"]
    assert run.plain("folders") == ["other.json", "pkg", "subject.py"]
    assert run.plain("text") == "B = 2\n"
