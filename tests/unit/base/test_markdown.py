"""Markdown held to an independent parser: what goes in comes out as text."""

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mlapath.base.clean import clean
from mlapath.base.markdown import code_span, escape_block, escape_markdown

PARSER = MarkdownIt("commonmark").enable("table").enable("strikethrough")
MARKS = st.text("\\`*_[]()<>#|~&$-+=!:.)1 ax\u00e9\n", max_size=30)
TEXTS = (st.text(max_size=30) | MARKS).map(clean).filter(bool)


def inline(source):
    """The inline tokens of the document's blocks, and the kinds of its blocks."""
    tokens = PARSER.parse(source)
    return [t.children for t in tokens if t.type == "inline"], {t.type for t in tokens}


def shown(children):
    assert {child.type for child in children} <= {"text", "text_special"}, children
    return "".join(child.content for child in children)


@given(TEXTS)
@example("- a")
@example("1. a")
@example("12) a")
@example("+")
@example("===")
@example("a_b_ _c_ __d__")
@example("&lt;b&gt; &amp;")
@example("![x](y) <b> ~~z~~ $x$")
@example("C:\\")
def test_escaped_text_is_a_paragraph_of_itself(text):
    blocks, kinds = inline(escape_block(text))
    assert kinds == {"paragraph_open", "inline", "paragraph_close"}
    assert [shown(children) for children in blocks] == [text]


@given(TEXTS, TEXTS)
def test_escaped_text_is_a_cell_of_a_table(left, right):
    row = f"| {escape_markdown(left)} | {escape_markdown(right)} |"
    blocks, _ = inline(f"| a | b |\n| --- | --- |\n{row}\n")
    assert [shown(children) for children in blocks[2:]] == [left, right]


@given(TEXTS)
@example("`")
@example("a``b`")
def test_code_is_itself(text):
    (children,), _ = inline(f"see {code_span(text)}")
    assert [(c.type, c.content) for c in children] == [("text", "see "), ("code_inline", text)]
