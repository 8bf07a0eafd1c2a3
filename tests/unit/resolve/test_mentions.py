from mlapath.resolve.mentions import mentions_of

SOURCE = '''
from a import imported
import b as c
class Impl(Base, metaclass=Meta):
    """About mentioned_in_doc."""
    kind: Annotated = Value
    @decorator
    def run(self, x: Hint = default) -> Result:
        if isinstance(x, Asked):
            return self.go(x.attr, name="kept")
        x.stored = "not a.name at all"
        return lambda: getattr(x, "by_name")
    table = {"path.to.last": outside}
'''


def test_what_code_mentions_and_where():
    found = mentions_of(SOURCE)
    assert found["go"] == [(10, "Impl", "run")]
    assert found["'by_name"] == [(12, "Impl", "run")]
    assert "by_name" not in found
    assert found[".last"] == [(13, "Impl", "")]
    assert found["outside"] == [(13, "Impl", "table")]
    assert found["decorator"] == [(7, "Impl", "")]
    assert found["default"] == [(8, "Impl", "")]
    assert found["Base"] == [(4, "Impl", "__init__")]
    assert found["Meta"] == [(4, "Impl", "__init__")]
    assert found["Value"] == [(6, "Impl", "kind")]


def test_what_a_module_keeps_is_named_by_where_it_is_kept():
    found = mentions_of(
        "TABLE = {'a': First, 'b': [Second, made(Third)]}\n"
        "register('x', Fourth)\nmade(Fifth())\nTABLE['c'] = other.Sixth\n"
        "class Impl:\n    part = Seventh\n    def f(self):\n        x = Eighth\n"
    )
    assert {name: [f for _, _, f in found[name]] for name in (
        "First", "Second", "made", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth",
    )} == {
        "First": ["TABLE"], "Second": ["TABLE"], "made": ["", ""], "Third": ["<handed on>"],
        "Fourth": ["<handed on>"], "Fifth": [""], "Sixth": ["TABLE"], "Seventh": ["part"],
        "Eighth": ["f"],
    }  # fmt: skip


def test_what_mentions_nothing():
    found = mentions_of(SOURCE)
    for name in ("imported", "c", "mentioned_in_doc", "Annotated", "Hint", "Result", "Asked",
                 "stored", "all", "run", "Impl"):  # fmt: skip
        assert name not in found, name


def test_a_file_of_a_newer_python_counts_line_by_line():
    found = mentions_of("def f():\n    go()  # aside\n# no\nx = = 1\n")
    assert found["go"] == [(2, "", "f")]
    assert "no" not in found
