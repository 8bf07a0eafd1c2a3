from mlapath.values.objects import ModuleObj
from support.differential import assert_same
from support.unknowns import with_unknown


def test_simple_namespace():
    assert_same(
        """
        from types import SimpleNamespace
        class Mine(SimpleNamespace):
            def total(self): return self.a + self.b
        n = SimpleNamespace(a=1, b="x")
        n.c = [2]
        m = Mine(a=1, b=2)
        try:
            n.nothing
        except AttributeError as error:
            missing = True
        r = [n.a, n.c, vars(n), hasattr(n, "d"), n == SimpleNamespace(a=1, b="x", c=[2]),
             n == SimpleNamespace(a=1), n == 1, str(SimpleNamespace(a=1, b="x")), m.total(),
             missing, SimpleNamespace(**{"k": 3}).k]
        """,
        "r",
    )


def test_mapping_proxy_shows_what_happens_to_the_dict():
    assert_same(
        """
        from types import MappingProxyType
        d = {"a": 1}
        p = MappingProxyType(d)
        d["b"] = 2
        try:
            p["c"] = 3
        except TypeError as error:
            said = str(error)
        r = [p["a"], p["b"], "c" in p, len(p), list(p), dict(p), p.get("z", 5), list(p.items()),
             said, isinstance(p, dict), p == {"a": 1, "b": 2}, {**p}, bool(MappingProxyType({})),
             p | {"q": 9}, isinstance(p, MappingProxyType)]
        """,
        "r",
    )


def test_modules_methods_and_kinds():
    assert_same(
        """
        import types, math
        m = types.ModuleType("made", "doc")
        m.x = 5
        class Lazy(types.ModuleType):
            def __init__(self, name): super().__init__(name); self.loaded = False
            def __getattr__(self, key): return key * 2
        lazy = Lazy("lazy")
        class A:
            def f(self, x=1): return (self.n, x)
        def g(self): return self.n + 1
        a = A()
        a.n = 3
        a.g = types.MethodType(g, a)
        made = types.new_class("Made", (A,), {}, lambda ns: ns.update(y=7))
        r = [m.__name__, m.x, isinstance(m, types.ModuleType), m.__doc__, lazy.q, lazy.__name__,
             lazy.loaded, isinstance(lazy, types.ModuleType), a.g(), a.g.__self__ is a,
             types.MethodType(A.f, a)(9), isinstance(a.f, types.MethodType),
             isinstance(g, types.FunctionType), isinstance(len, types.FunctionType),
             isinstance(lambda: 0, types.LambdaType), isinstance(len, types.BuiltinFunctionType),
             isinstance((x for x in ""), types.GeneratorType), made.y, issubclass(made, A),
             isinstance(a.f, types.FunctionType), isinstance(None, types.NoneType)]
        """,
        "r",
    )


def test_unknown_content():
    run = with_unknown(
        """
        import types
        n = types.SimpleNamespace(**u)
        a = n.anything
        p = types.MappingProxyType(u)
        b = p["x"]
        m = types.ModuleType(u)
        """
    )
    run.unknown("a")
    run.unknown("b")
    assert type(run.value("m").d) is ModuleObj
