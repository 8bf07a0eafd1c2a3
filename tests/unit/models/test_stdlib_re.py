import pytest

from mlapath.values.truth import Truth
from support.differential import FakeFacts, assert_same, evaluate
from support.unknowns import with_unknown

REGEX = FakeFacts(modules={"regex": Truth.TRUE})


@pytest.mark.parametrize("library", ["re", "regex"])
def test_matching(library):
    source = """
        import LIBRARY as re
        p = re.compile(r"(?P<a>\\d+)(?:-(?P<b>[a-z]+))?", re.I)
        m, n = p.match("12-AB rest"), p.match("12")
        r = [m.group(), m.group(1), m["b"], m.group("a", "b"), m.groups(), n.groups(),
             n.groups("none"), m.groupdict(), n.groupdict(""), m.start(), m.end("b"), m.span(1),
             bool(m), p.match("x"), p.search("x 9") is not None, p.fullmatch("12-ab!") is None,
             re.match("a", "ba"), re.search("a", "ba").start(), re.fullmatch("a.", "ab")[0],
             m.lastgroup, m.lastindex, m.string, p.pattern, p.groups, dict(p.groupindex),
             p.search("x 1 2", 3).group(), m.re is p, m.expand(r"\\2:\\1"),
             re.match("X", "x", flags=re.IGNORECASE).group(), re.compile(p) is p]
        try:
            m.group(7)
        except IndexError as error:
            said = str(error)
    """
    if library == "re":
        assert_same(source.replace("LIBRARY", "re"), "r said")
    else:
        real: dict[str, object] = {}
        text = "\n".join(line[8:] for line in source.replace("LIBRARY", "re").splitlines())
        exec(text, real)
        assert evaluate(source.replace("LIBRARY", "regex"), REGEX).plain("r") == real["r"]


def test_changing_text():
    assert_same(
        """
        import re
        p = re.compile("[aeiou]")
        def up(m): return m.group().upper()
        r = [p.sub("_", "banana"), p.sub(up, "banana", count=2), re.sub("(a)(n)", r"\\2\\1", "an"),
             re.subn("a", "b", "aa"), p.split("banana"), re.split(",", "a,b,c", maxsplit=1),
             p.findall("banana"), re.findall("(a)(n)", "anan"), re.escape("a.b*"),
             [m.start() for m in re.finditer("a", "banana")], re.sub("a", lambda m: "x", "cat"),
             p.sub("", "x"), [m[0] for m in p.finditer("aeb")], re.split("(,)", "a,b")]
        """,
        "r",
    )


def test_errors():
    assert_same(
        """
        import re
        caught = []
        try:
            re.compile("(")
        except re.error:
            caught.append("error")
        try:
            re.match("a", None)
        except TypeError as error:
            caught.append("type")
        try:
            re.sub("a", r"\\9", "a")
        except re.error:
            caught.append("template")
        r = caught
        q = [isinstance(re.compile("a"), re.Pattern), isinstance(re.match("a", "a"), re.Match),
             re.compile("a") == re.compile("a"), re.compile("a") == re.compile("b"),
             re.I | re.M, {re.compile("a"): 1}[re.compile("a")]]
        """,
        "r q",
    )


def test_alternatives_of_text_are_tried():
    run = with_unknown(
        """
        import re
        t = "a1" if u else "b"
        m = re.search("[0-9]", t)
        r = m.group() if m else None
        """
    )
    assert {o.d for o in run.value("r").d.options} == {"1", None}


def test_what_is_not_known():
    run = with_unknown(
        r"""
        import re
        m = re.match("a", u)
        g = m.group(1) if m else None
        s = re.sub("a", "b", u)
        f = re.findall("a", u)
        z = re.compile(u).search("abc")
        """
    )
    for name in ("m", "g", "f", "z"):
        run.unknown(name)
    assert run.unknown("s").hint == "str"


def test_patterns_that_only_regex_has_match_nobody_knows_what():
    run = evaluate("import regex\nq = regex.compile(r'\\p{L}+').match('abc')\n", REGEX)
    run.unknown("q")
