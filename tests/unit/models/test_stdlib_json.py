import pytest

from mlapath.values.origin import ancestors
from support.differential import FakeFacts, assert_same, evaluate
from support.unknowns import with_unknown


class Folder(FakeFacts):
    """Knows all that is in ``/model``."""

    def path_kind(self, path: str) -> str | None:
        kind = super().path_kind(path)
        return "absent" if kind is None and path.startswith("/model/") else kind


def test_text_to_values_and_back():
    assert_same(
        """
        import enum, json
        class E(str, enum.Enum):
            A = "a"
        d = json.loads('{"a": [1, 2.5, null, true, "x"], "b": {}}')
        d["c"] = (1, 2)
        r = [d, json.dumps(d), json.dumps(d, indent=2, sort_keys=True), json.loads(b"[1]"),
             json.dumps({"e": E.A}), json.dumps("ü", ensure_ascii=False), json.loads("NaN") != 0]
        """,
        "r",
    )


def test_errors():
    assert_same(
        """
        import json
        from json import JSONDecodeError
        said = []
        try:
            json.loads('{"a": }')
        except JSONDecodeError as error:
            said += [str(error), error.pos, error.lineno, isinstance(error, ValueError)]
        try:
            json.loads("")
        except json.decoder.JSONDecodeError as error:
            said.append(error.msg)
        try:
            json.loads(None)
        except TypeError as error:
            said.append(str(error))
        try:
            json.dumps({1, 2})
        except TypeError as error:
            said.append(str(error))
        """,
        "said",
    )


def test_what_is_not_known():
    run = with_unknown(
        """
        import json
        a, b = json.loads(u), json.dumps({"k": u})
        c = json.loads("[1]", object_hook=lambda d: d)
        class Plain: pass
        d = json.dumps(Plain(), default=vars)
        try:
            json.loads(u)
            e = 1
        except json.JSONDecodeError:
            e = 2
        """
    )
    run.unknown("a")
    assert run.unknown("b").hint == "str"
    run.unknown("c")
    assert run.unknown("d").hint == "str"
    assert {o.d for o in run.value("e").d.options} == {1, 2}


def test_files_of_the_facts():
    run = evaluate(
        """
        import json
        with open("/model/config.json") as f:
            d = json.load(f)
        a = d["a"]
        try:
            open("/model/other.json")
        except FileNotFoundError as error:
            missing = error.filename
        """,
        Folder(files={"/model/config.json": '{"a": 5}'}),
    )
    assert run.plain("d") == {"a": 5}
    labels = [o.label for o in ancestors(run.value("a").o)]
    assert "file:/model/config.json" in labels
    assert run.plain("missing") == "/model/other.json"


@pytest.mark.parametrize("path", ['"/elsewhere.json"', "u"])
def test_files_that_nobody_knows(path):
    run = with_unknown(
        f"""
        import json
        try:
            with open({path}) as f:
                r = json.load(f)
        except OSError:
            r = None
        """
    )
    run.unknown("r")
