from support.differential import assert_same, evaluate
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
    run = with_unknown("import ast\na, b = ast.literal_eval(u), ast.parse(u)\n")
    run.unknown("a")
    run.unknown("b")


def test_known_text_is_parsed_walked_and_printed():
    assert_same(
        """
        import ast
        tree = ast.parse("def f(a, *, b=1):\\n    return g(a)[b] if a < 3 else -b")
        kinds = [type(n).__name__ for n in ast.walk(tree)]
        function = tree.body[0]
        facts = (function.name, function.args.kwonlyargs[0].arg, isinstance(function, ast.stmt),
                 isinstance(function.body[0].value, ast.IfExp), function.lineno,
                 ast.unparse(function), ast.dump(function.args.kw_defaults[0]),
                 {ast.Lt: "less"}[type(function.body[0].value.test.ops[0])])
        match ast.parse("x = 3").body[0]:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=number)):
                matched = name, number
        """,
        "kinds facts matched",
    )


def test_visitors_and_transformers_of_the_program():
    assert_same(
        """
        import ast
        class Names(ast.NodeVisitor):
            def __init__(self):
                self.seen = []
            def visit_Name(self, node):
                self.seen.append(node.id)
            def visit_Call(self, node):
                self.seen.append("call")
                self.generic_visit(node)
        class Rename(ast.NodeTransformer):
            def visit_Name(self, node):
                return ast.copy_location(ast.Name(id=node.id.upper(), ctx=ast.Load()), node)
            def visit_Pass(self, node):
                return None
        tree = ast.parse("pass\\nf(a, b=c.d)")
        names = Names()
        names.visit(tree)
        seen = names.seen
        text = ast.unparse(Rename().visit(tree))
        """,
        "seen text",
    )


def test_text_that_does_not_parse_here_gives_an_unknown_tree():
    run = evaluate("import ast\ntree = ast.parse('def')\nnames = list(ast.walk(tree))")
    assert run.unknown("tree")
