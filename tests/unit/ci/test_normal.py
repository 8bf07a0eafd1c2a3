import pytest

from mlapath.ci.normal import MAX_TEXT, plain_code, plain_message, plain_text


@pytest.mark.parametrize(
    "texts",
    [
        ("f(a, b)", "f( a, b )", "f(a, b,)", "f(a,\n b,\n)"),
        ("x['a']", 'x["a"]', 'x[ "a" ]'),
        ("(a,)", "( a, )"),
        ("[a, b]", "[a, b,]"),
        ("x[(a, b)]", "x[(a, b,)]"),
        ("return (a, b)", "return (a, b,)"),
        ("a.b", "a .b", "a. b"),
        ("a, b = f(x)", "a, b = (f(x))", "a, b = (\n f(x)\n)"),
        ("x = f(a, b…", "x = (f(a, b…"),
        ("return a or b", "return (a or b)", "return (\n a\n or b\n)"),
    ],
)
def test_layout_does_not_count(texts):
    assert len({plain_code(text) for text in texts}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(a,)", "(a)"),
        ("return (a,)", "return (a)"),
        ("'a b'", "'a  b'"),
        ("a is not b", "a is notb"),
        ("f(a)", "f(b)"),
        ("x == 'a\"b'", "x == 'ab'"),
        ("x = (a) + (b)", "x = a) + (b"),
        ("x = (a for a in b)", "x = a for a in b"),
        ("x = (a, b)", "x = a, b"),
    ],
)
def test_code_counts(one, other):
    assert plain_code(one) != plain_code(other)


def test_long_texts_are_cut_where_layout_cannot_move_the_cut():
    arguments = ", ".join(f"argument_{i}" for i in range(20))
    loose = f"f({arguments.replace(',', ' ,')})"
    evidence = [text[:109] + "…" for text in (f"f({arguments})", loose)]
    plain = {plain_code(text) for text in evidence}
    assert len(plain) == 1
    assert len(plain.pop()) <= MAX_TEXT
    assert plain_code("abc…") == "abc"


def test_messages_lose_places_and_addresses():
    assert plain_text("the guard at vllm/a/b.py:12 of\n <X at 0x7f001122>") == (
        "the guard at vllm/a/b.py of <X at 0x…>"
    )
    assert plain_text("ratio 3:12, sm 90") == "ratio 3:12, sm 90"


def test_a_message_that_is_code_loses_its_layout():
    assert plain_message("'Too large: ' + msg") == plain_message('"Too large: "  + msg')
    assert plain_message('it\'s too   large, "x"') == 'it\'s too large, "x"'
