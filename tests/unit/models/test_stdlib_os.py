import pytest

from mlapath.values.origin import ancestors
from support.differential import FakeFacts, assert_same, evaluate
from support.unknowns import with_unknown


def origins(value):
    return {o.label for o in ancestors(value.o) if o.kind == "env"}


def test_variables_come_from_the_scenario_and_reads_are_noted():
    run = evaluate(
        """
        import os
        from os import environ, getenv
        r = [os.environ["A"], os.getenv("A"), getenv("B"), getenv("B", "b"), environ.get("A", 0),
             "A" in environ, "B" in environ, environ.get("C", default=3) if 0 else 0]
        a, b = os.getenv("A"), os.getenv("B")
        try:
            environ["D"]
        except KeyError as error:
            missing = str(error)
        """,
        FakeFacts(env={"A": "1"}),
    )
    assert run.plain("r") == ["1", "1", None, "b", "1", True, False, 0]
    assert run.plain("missing") == "'D'"
    assert run.engine.store["env_reads"] == {"A", "B", "D"}
    assert origins(run.value("a")) == {"env:A"}
    assert origins(run.value("b")) == {"env:B"}


def test_writes_are_read_back_and_undone_with_their_alternative():
    run = with_unknown(
        """
        import os
        os.environ["A"] = "2"
        os.environ.setdefault("A", "3")
        os.environ.setdefault("B", "4")
        os.environ.update(C="5")
        popped = os.environ.pop("B"), os.environ.pop("B", None)
        del os.environ["C"]
        r = [os.environ["A"], os.getenv("B"), "C" in os.environ]
        if u:
            os.environ["M"] = "x"
        maybe = os.getenv("M")
        inside = "M" in os.environ
        try:
            os.environ["N"] = 1
        except TypeError as error:
            refused = str(error)
        """
    )
    assert run.plain("r") == ["2", None, False]
    assert run.plain("popped") == ("4", None)
    assert {o.d for o in run.value("maybe").d.options} == {None, "x"}
    assert run.unknown("inside").hint == "bool"
    assert run.plain("refused") == "str expected, not int"


def test_all_variables():
    run = evaluate(
        """
        import os
        names = [k for k in os.environ if k.startswith("VLLM_")]
        pairs = [v for k, v in os.environ.items() if k.startswith("VLLM_")]
        copied = os.environ.copy()
        one, other = copied["VLLM_A"], copied.get("PATH")
        table = {k: v for k, v in os.environ.items()}
        """,
        FakeFacts(env={"VLLM_A": "1", "B": "2"}),
    )
    assert run.plain("names") == ["VLLM_A"]
    assert run.plain("pairs") == ["1"]
    assert run.plain("one") == "1"
    run.unknown("other")
    assert "*" in run.engine.store["env_reads"]


def test_what_the_system_sets_is_not_known():
    run = evaluate(
        """
        import os
        path, home = os.environ.get("PATH"), os.path.expanduser("~/.cache")
        there = "HOME" in os.environ
        os.environ.pop("PATH", None)
        gone = os.environ.get("PATH")
        """
    )
    assert run.unknown("path").hint == ""
    assert run.unknown("home").hint == "str"
    run.unknown("there")
    assert run.plain("gone") is None


def test_home_where_the_scenario_sets_it():
    run = evaluate("import os\nr = os.path.expanduser('~/x')\n", FakeFacts(env={"HOME": "/h"}))
    assert run.plain("r") == "/h/x"


@pytest.mark.parametrize(
    "call",
    [
        "join('/a', 'b', 'c.py')", "join('a', '/b')", "dirname('/a/b/c')", "basename('/a/b.c')",
        "split('/a/b')", "splitext('/a/b.tar.gz')", "normpath('/a/../b//c')", "abspath('/a/./b')",
        "isabs('/a')", "isabs('a')", "commonprefix(['/ab', '/ac'])", "expanduser('/a')",
        "expandvars('/a')", "sep", "commonpath(['/a/b', '/a/c'])",
    ],
)  # fmt: skip
def test_pure_path_functions(call):
    assert_same(f"import os\nfrom os import path\nr = [os.path.{call}, path.{call}]\n", "r")


def test_unknown_paths_give_unknown_text():
    run = with_unknown(
        """
        import os
        r = os.path.join("/a", u)
        s = os.path.abspath("relative")
        t = os.path.exists("/somewhere/else")
        """
    )
    assert run.unknown("r").hint == "str"
    assert run.unknown("s").hint == "str"
    assert run.unknown("t").hint == "bool"


def test_files_of_the_tree_and_of_the_facts():
    run = evaluate(
        """
        import os
        here = os.path.dirname(os.path.abspath(__file__))
        r = [os.path.exists(f"{here}/subject/a.py"), os.path.isfile(f"{here}/subject/a.py"),
             os.path.isdir(f"{here}/subject"), os.path.isfile(f"{here}/subject"),
             os.path.exists(f"{here}/subject/b.py"), os.path.isfile("/model/config.json")]
        other = os.path.exists(f"{here}/other")
        """,
        FakeFacts(files={"/model/config.json": "{}"}),
        {"subject/a.py": ""},
    )
    assert run.plain("r") == [True, True, True, False, False, True]
    run.unknown("other")


def test_what_the_machine_answers():
    run = evaluate(
        """
        import os
        n, p, s = os.cpu_count(), os.getpid(), len(os.sched_getaffinity(0))
        sure = os.cpu_count() > 0
        made = os.makedirs("/x", exist_ok=True)
        machine, system = os.uname().machine, os.uname()[0]
        plain = os.fspath("/a"), os.sep, os.pathsep.join(["a", "b"]), os.devnull
        """
    )
    assert run.unknown("n").hint == "int"
    assert run.plain("sure") is True
    assert run.plain("made") is None
    assert run.plain("machine") == "x86_64"
    assert run.plain("system") == "Linux"
    assert run.plain("plain") == ("/a", "/", "a:b", "/dev/null")
