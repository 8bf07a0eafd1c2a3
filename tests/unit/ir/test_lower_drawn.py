"""Drawn expressions: precedence, nesting and layout that nobody would think of."""

from __future__ import annotations

import warnings

from hypothesis import assume, example, given
from hypothesis import strategies as st

from support.ir_trees import comparable, module_by
from support.scopes import symbol_scopes

ATOMS = st.sampled_from(
    ["a", "b.c", "1", "-2.5", "1j", "'s'", "b's'", "None", "...", "()", "[]", "{}", "日", "'ß'"]
)
TEMPLATES = [
    "({})", "({},)", "({}, {})", "[{}, *{}]", "{{{}: {}, **{}}}", "{{{}}}", "{} + {}",
    "{} ** {}", "-{}", "not {}", "{} and {}", "{} or {}", "{} < {}", "{} is not {}",
    "{} not in {} in {}", "{} if {} else {}", "lambda x, *y, z={}: {}", "f({}, *{}, k={}, **{})",
    "f({} for x in {})", "[{} for x in {} if {}]", "{{{}: {} for x, *y in {}}}", "a[{}:{}]",
    "a[{}, {}:]", "a[{},]", "a[::{}]", "({} := {})", "({}).d", "({})[0]", "({})({})",
    "(\n  {}\n  # note\n  , {})",
    "[{},\n{}\n]", "f'{{{}}}'", "'x' f'{{{} }}'", "f'ß{{{}!r:>{{{}}}}}'",
]  # fmt: skip


def _filled(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def fill(template: str) -> st.SearchStrategy[str]:
        count = len(template.replace("{{", "").replace("}}", "").split("{}")) - 1
        return st.lists(children, min_size=count, max_size=count).map(
            lambda parts: template.format(*parts)
        )

    return st.sampled_from(TEMPLATES).flatmap(fill)


EXPRESSIONS = st.recursive(ATOMS, _filled, max_leaves=12)
STATEMENTS = st.sampled_from(
    [
        "{}\n",
        "x = {}\n",
        "if a:\n    if b:\n        x = ({})\n",
        "def f(a=({})):\n\treturn ({})\n",
        "for x in ({}): pass\n",
    ]
)


@given(STATEMENTS, EXPRESSIONS, EXPRESSIONS)
@example("x = {}\n", "a[(b):]", "")
def test_both_lowerings_are_the_same(statement: str, first: str, second: str) -> None:
    text = (
        statement.format(first, second) if statement.count("{}") > 1 else statement.format(first)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as calling a number
        try:
            symbol_scopes(text)
        except SyntaxError:
            assume(False)
    assert comparable(module_by("ast", text)) == comparable(module_by("libcst", text))
