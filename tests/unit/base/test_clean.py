from hypothesis import given
from hypothesis import strategies as st

from mlapath.base.clean import clean


def test_clean():
    assert clean("a\n   b\tc") == "a b c"
    assert clean("\x1b[0m\u202e\ud800é") == "\\x1b[0m\\u202e\\ud800é"


@given(st.text())
def test_whatever_comes_in_is_one_printable_line(text):
    assert clean(text).isprintable()
    assert clean(clean(text)) == clean(text)
