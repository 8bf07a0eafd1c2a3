from support.differential import evaluate


def test_parsers_take_arguments_and_tell_nothing():
    run = evaluate(
        """
        import argparse
        class Parser(argparse.ArgumentParser):
            def __init__(self, *args, **kwargs):
                kwargs["formatter_class"] = argparse.RawTextHelpFormatter
                super().__init__(*args, **kwargs)
            def parse_args(self, args=None, namespace=None):
                return super().parse_args(args, namespace)
        p = Parser(description="x")
        group = p.add_argument_group(title="g")
        action = group.add_argument("--a", type=int, default=3)
        sub = p.add_subparsers(dest="command").add_parser("serve")
        args = p.parse_args()
        a = args.a
        maybe = hasattr(args, "b")
        known = argparse.Namespace(x=1)
        r = [known.x, "x" in known, "y" in known, vars(known), argparse.SUPPRESS, action.default,
             isinstance(p, argparse.ArgumentParser), isinstance(sub, argparse.ArgumentParser),
             known == argparse.Namespace(x=1), isinstance(args, argparse.Namespace)]
        try:
            p.error("no")
        except SystemExit as error:
            code = error.args
        """
    )
    assert run.plain("r") == [
        1, True, False, {"x": 1}, "==SUPPRESS==", 3, True, True, True, True,
    ]  # fmt: skip
    run.unknown("a")
    assert run.unknown("maybe").hint == "bool"
    assert run.plain("code") == (2,)
