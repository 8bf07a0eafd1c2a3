from support.differential import assert_same
from support.unknowns import with_unknown


def test_literals():
    assert_same(
        """
        import ast
        said = []
        for text in ("[1, 'a', {2: (3,)}]", "None", "-5", "{1, 2}"):
            said.append(ast.literal_eval(text))
        for text in ("f(1)", "1 +"):
            try:
                ast.literal_eval(text)
            except (ValueError, SyntaxError) as error:
                said.append(type(error).__name__)
        """,
        "said",
    )


def test_what_is_not_known():
    run = with_unknown("import ast\na, b = ast.literal_eval(u), ast.parse('x')\n")
    run.unknown("a")
    run.unknown("b")
