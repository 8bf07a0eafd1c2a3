import sys

from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT
from support.differential import FakeFacts, assert_same, evaluate
from support.unknowns import with_unknown


def test_the_version_is_a_named_tuple_and_can_be_given():
    source = """
        import sys
        from sys import version_info
        r = [sys.version_info >= (3, 10), sys.version_info < (3, 12), version_info[:2],
             version_info.major, version_info.minor, sys.hexversion >> 24, version_info[1]]
        """
    assert evaluate(source).plain("r") == [True, False, (3, 12), 3, 12, 3, 12]
    facts = FakeFacts()
    facts.python = (3, 11, 4)
    assert evaluate(source, facts).plain("r") == [True, True, (3, 11), 3, 11, 3, 11]


def test_streams_and_paths_are_not_known_but_their_types_are():
    run = evaluate(
        """
        import sys
        tty, path, exe = sys.stdout.isatty(), sys.path, sys.executable
        n = len(sys.path)
        done = sys.stdout.flush()
        platform = sys.platform.startswith("linux"), sys.byteorder, sys.maxsize > 2**32
        words = any("--help" in word for word in sys.argv)
        """
    )
    assert run.unknown("tty").hint == "bool"
    assert run.unknown("exe").hint == "str"
    assert run.unknown("n").hint == "int"
    assert run.plain("done") is None
    assert run.plain("platform") == (True, "little", True)
    assert run.plain("words") is False


def test_exit_raises():
    assert_same(
        """
        import sys
        try:
            sys.exit(3)
        except SystemExit as error:
            r = error.args
        try:
            raise ValueError("x")
        except ValueError:
            kind = sys.exc_info()[0] is ValueError
        nothing = sys.exc_info()
        """,
        "r kind nothing",
    )


def test_modules_that_were_imported():
    run = evaluate(
        """
        import sys, pkg.a, some_lib
        me = sys.modules[__name__]
        value = me.sys is sys
        r = ["pkg.a" in sys.modules, "pkg.b" in sys.modules, "missing" in sys.modules,
             sys.modules.get("pkg.b"), sys.modules.get("pkg.a") is pkg.a]
        lib, got = "some_lib" in sys.modules, sys.modules.get("other_lib")
        count = len(sys.modules.keys())
        """,
        FakeFacts(modules={"some_lib": Truth.TRUE, "other_lib": Truth.TRUE}),
        {"pkg/__init__.py": "", "pkg/a.py": "", "pkg/b.py": ""},
    )
    assert run.plain("value") is True
    assert run.plain("r") == [True, False, False, None, True]
    assert run.unknown("lib").hint == "bool"
    assert None in {getattr(o, "d", o) for o in run.value("got").d.options}
    run.unknown("count")


OWN = """
import sys, types
made = types.ModuleType(f"{__name__}.below")
made.x = 1
sys.modules[made.__name__] = made
"""


def test_a_module_below_the_one_that_registers_it_is_imported_whoever_imports():
    run = evaluate(
        """
        import some_lib
        if some_lib.flag():
            try:
                from pkg.c.below import x
            except ImportError:
                x = 2
        """,
        FakeFacts(modules={"some_lib": Truth.TRUE}),
        {"pkg/__init__.py": "", "pkg/c.py": OWN},
    )
    assert {o.d for o in run.value("x").d.options} == {ABSENT, 1}


def test_a_module_that_is_registered_perhaps_may_be_imported():
    run = evaluate(
        """
        import some_lib, sys, types
        if some_lib.flag():
            sys.modules["other"] = types.ModuleType("other")
        try:
            import other
            x = 1
        except ImportError:
            x = 2
        """,
        FakeFacts(modules={"some_lib": Truth.TRUE}),
    )
    assert {o.d for o in run.value("x").d.options} == {1, 2}


def test_a_missing_module_is_a_key_error():
    run = evaluate(
        """
        import sys
        try:
            sys.modules["missing"]
        except KeyError:
            r = 1
        """
    )
    assert run.plain("r") == 1


def test_constants_are_those_of_cpython():
    assert_same("import sys\nr = [sys.float_info.max, sys.intern('a'), sys.maxunicode]\n", "r")
    assert sys.maxsize == 2**63 - 1


def test_the_platform_module():
    run = with_unknown(
        """
        import platform
        r = [platform.system(), platform.machine(), platform.python_version()]
        machine, first = platform.uname().machine, platform.uname()[0]
        count = len(platform.uname())
        wsl = "microsoft" in " ".join(platform.uname()).lower()
        text = platform.platform()
        """
    )
    assert run.plain("r") == ["Linux", "x86_64", "3.12.0"]
    assert (run.plain("machine"), run.plain("first"), run.plain("count")) == ("x86_64", "Linux", 6)
    assert run.plain("wsl") is False
    assert run.unknown("text").hint == "str"


def test_the_machine_of_the_facts():
    facts = FakeFacts()
    facts.machine = "aarch64"
    run = evaluate("import platform, os\nr = [platform.machine(), os.uname().machine]", facts)
    assert run.plain("r") == ["aarch64", "aarch64"]
