from types import SimpleNamespace

import pytest

from mlapath.values.truth import Truth
from mlapath.values.value import External
from support.differential import FakeFacts, evaluate
from support.unknowns import with_unknown

PACKAGE = {"pkg/__init__.py": "", "pkg/a.py": "x = 1\n", "pkg/sub/__init__.py": ""}


def test_modules_by_name():
    run = evaluate(
        """
        import importlib
        a = importlib.import_module("pkg.a").x
        b = importlib.import_module(".a", package="pkg").x
        c = importlib.import_module("..a", "pkg.sub").x
        try:
            importlib.import_module("missing")
        except ModuleNotFoundError as error:
            d = str(error), error.name
        lib = importlib.import_module("some_lib.part")
        """,
        FakeFacts(modules={"some_lib": Truth.TRUE, "some_lib.part": Truth.TRUE}),
        PACKAGE,
    )
    assert (run.plain("a"), run.plain("b"), run.plain("c")) == (1, 1, 1)
    assert run.plain("d") == ("No module named 'missing'", "missing")
    assert run.value("lib").d == External("some_lib.part")


def test_an_unknown_module_is_a_limit():
    run = with_unknown("import importlib\nm = importlib.import_module(f'a.{u}')\n")
    run.unknown("m")
    assert any("name is not known" in limit.why for limit in run.engine.trace.limits.values())


def test_specs():
    run = evaluate(
        """
        from importlib.util import find_spec
        import importlib.util
        absent = find_spec("missing")
        try:
            find_spec("missing.part")
        except ModuleNotFoundError as error:
            refused = str(error)
        spec = find_spec("pkg")
        r = [spec.name, spec.origin, spec.submodule_search_locations, find_spec("pkg.none")]
        lib = importlib.util.find_spec("some_lib")
        there, where = lib is not None, lib.origin
        maybe = find_spec("maybe_lib") is not None
        """,
        FakeFacts(modules={"some_lib": Truth.TRUE, "maybe_lib": Truth.UNKNOWN}),
        PACKAGE,
    )
    assert run.plain("absent") is None
    assert run.plain("refused") == "No module named 'missing'"
    assert run.plain("r") == ["pkg", "/tree/pkg/__init__.py", ["/tree/pkg"], None]
    assert run.plain("there") is True
    assert run.unknown("where").hint == "str"
    assert run.unknown("maybe").hint == "bool"


def test_versions_of_distributions():
    run = evaluate(
        """
        import importlib.metadata
        from importlib.metadata import PackageNotFoundError, version
        v = version("some_lib")
        try:
            version("missing")
        except PackageNotFoundError as error:
            r = str(error), error.name, isinstance(error, ImportError)
        unsaid = version("unsaid")
        try:
            maybe = version("maybe")
        except PackageNotFoundError:
            maybe = None
        info = importlib.metadata.distribution("some_lib").version
        fields = importlib.metadata.metadata("some_lib")["Version"]
        """,
        FakeFacts(
            versions={"some_lib": "1.2"},
            modules={"unsaid": Truth.TRUE, "maybe": Truth.UNKNOWN},
        ),
    )
    assert run.plain("v") == run.plain("info") == run.plain("fields") == "1.2"
    assert run.plain("r") == ("No package metadata was found for missing", "missing", True)
    assert run.unknown("unsaid").hint == "str"
    run.unknown("maybe")


@pytest.mark.parametrize("named", [False, True])
def test_entry_points(named):
    facts = FakeFacts()
    if named:
        facts.plugins = (SimpleNamespace(group="g", name="n", value="pkg.a:x"),)
    run = evaluate(
        """
        from importlib.metadata import entry_points
        found = entry_points(group="g")
        r = [len(found), bool(found), [(p.name, p.load()) for p in found]]
        other = len(entry_points(group="h")), len(entry_points().select(group="g"))
        """,
        facts,
        PACKAGE,
    )
    assert run.plain("r") == ([1, True, [("n", 1)]] if named else [0, False, []])
    assert run.plain("other") == (0, int(named))


def test_a_module_outside_the_tree_by_its_file():
    run = evaluate(
        """
        import importlib.util
        spec = importlib.util.spec_from_file_location("some_lib.version", "/x/version.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        """,
        FakeFacts(modules={"some_lib": Truth.TRUE}),
    )
    assert run.value("module").d == External("some_lib.version")
