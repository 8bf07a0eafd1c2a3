from support.differential import assert_same, evaluate
from support.unknowns import with_unknown


def test_parameters_of_functions_and_methods():
    assert_same(
        """
        import inspect
        from inspect import Parameter, signature
        def f(a, /, b: int, c=3, *d, e, g: str = "x", **h) -> float: pass
        class C:
            def __init__(self, x, y=2): pass
            def m(self, p, q=5): pass
            @classmethod
            def k(cls, z): pass
            @staticmethod
            def s(w=1): pass
            def __call__(self, once): pass
        class D(C): pass
        class E: pass
        class N:
            def __new__(cls, made): return object.__new__(cls)
        p = signature(f).parameters
        names = [list(signature(x).parameters) for x in (f, C, D, E, N, C(1).m, C.m, C.k, C.s,
                 C(1), lambda u, v=1: u)]
        kinds = [q.kind.name for q in p.values()]
        r = [names, kinds, p["c"].default, p["a"].default is Parameter.empty,
             p["b"].annotation is int, p["a"].annotation is inspect._empty,
             p["e"].kind == Parameter.KEYWORD_ONLY, p["d"].kind is Parameter.VAR_POSITIONAL,
             p["g"].default, signature(f).return_annotation is float,
             p["h"].kind in (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL),
             any(q.kind == q.VAR_KEYWORD for q in p.values()),
             p["b"].kind < Parameter.KEYWORD_ONLY, "a" in p, "z" in p, len(p),
             Parameter.empty is inspect.Signature.empty]
        """,
        "r",
    )


def test_parameters_of_partials_wrappers_and_dataclasses():
    assert_same(
        """
        import functools, inspect
        from dataclasses import dataclass, field
        from collections import namedtuple
        def f(a, b, c=3, *, d=4): pass
        @functools.wraps(f)
        def g(*args, **kwargs): pass
        @functools.lru_cache
        def h(x): return x
        @dataclass
        class P:
            a: int
            b: str = "b"
            c: list = field(default_factory=list)
            e: int = field(default=1, kw_only=True)
            n: int = field(default=0, init=False)
        T = namedtuple("T", "x y", defaults=[2])
        class S:
            __signature__ = inspect.Signature([inspect.Parameter("q",
                inspect.Parameter.KEYWORD_ONLY, default=8)])
        def show(x):
            return [(p.name, int(p.kind), p.default if isinstance(p.default, (int, str)) else None)
                    for p in inspect.signature(x).parameters.values()]
        one = functools.partial(f, 1)
        named = functools.partial(f, b=2)
        r = [show(one), show(named), show(g), show(h), show(P), show(T), show(S),
             list(inspect.signature(g, follow_wrapped=False).parameters)]
        """,
        "r",
    )


def test_bind():
    assert_same(
        """
        import inspect
        def f(a, b=2, *c, d, e=5, **g): pass
        s = inspect.signature(f)
        b = s.bind(1, 2, 3, d=4, z=9)
        before = dict(s.bind(1, d=4).arguments)
        n = s.bind(1, d=4)
        n.apply_defaults()
        said = []
        for call in (lambda: s.bind(), lambda: s.bind(1, 2, a=1, d=1), lambda: s.bind(1)):
            try:
                call()
            except TypeError as error:
                said.append(str(error))
        p = s.bind_partial(b=7)
        t = s.replace(parameters=[x for x in s.parameters.values() if x.name != "a"])
        q = s.parameters["a"].replace(default=1, kind=inspect.Parameter.KEYWORD_ONLY)
        r = [b.args, b.kwargs, before, dict(n.arguments), n.args, said, dict(p.arguments),
             list(t.parameters), q.default, q.name]
        """,
        "r",
    )


def test_what_kind_of_thing():
    assert_same(
        """
        import inspect, abc, sys
        class A(abc.ABC):
            @abc.abstractmethod
            def m(self): ...
            def n(self): ...
        class B(A):
            def m(self): ...
        async def co(): ...
        def gen(): yield 1
        async def agen(): yield 1
        b = B()
        things = [A, B, b, b.m, A.m, co, gen, agen, 3, len, lambda: 0]
        asks = [inspect.isclass, inspect.isfunction, inspect.ismethod, inspect.isabstract]
        table = [[ask(x) for x in things] for ask in asks]
        tree = [co, gen, agen, b.m, A, 3]
        body = [[ask(x) for x in tree] for ask in (inspect.iscoroutinefunction,
                inspect.isgeneratorfunction, inspect.isasyncgenfunction)]
        r = [table, body, inspect.getmro(B) == (B, A, abc.ABC, object), inspect.isgenerator(gen())]
        """,
        "r",
    )


def test_members_docs_and_wrapped_functions():
    assert_same(
        """
        import inspect, functools
        class A:
            '''Doc.

                More.
            '''
            x = 1
            def b(self): pass
            def a(self): pass
            @property
            def p(self): return self.q
        def f(u, *v, w=1): pass
        @functools.wraps(f)
        def g(*args): pass
        spec = inspect.getfullargspec(f)
        members = [n for n, _ in inspect.getmembers(A, inspect.isfunction)]
        bound = [n for n, _ in inspect.getmembers(type("Z", (A,), {"p": 1})(), inspect.ismethod)]
        r = [members, bound, inspect.getdoc(A), inspect.unwrap(g) is f,
             isinstance(inspect.getattr_static(A(), "p"), property),
             inspect.getattr_static(A, "none", 5), inspect.cleandoc("  a\\n   b"),
             spec.args, spec.varargs, spec.kwonlyargs, spec.kwonlydefaults, spec.defaults]
        """,
        "r",
    )


def test_where_things_are():
    run = evaluate(
        """
        import inspect
        class A: pass
        def f(): pass
        r = [inspect.getfile(A), inspect.getfile(f), inspect.getmodule(f).__name__]
        source = inspect.getsource(f)
        """
    )
    assert run.plain("r") == ["/tree/subject.py", "/tree/subject.py", "subject"]
    assert run.plain("source") == "def f(): pass\n"


def test_unknown_things():
    run = with_unknown(
        """
        import inspect
        a, b, c = inspect.isclass(u), inspect.signature(u), inspect.getmembers(u)
        d = "x" in inspect.signature(some_lib.f).parameters
        """
    )
    for name in ("a", "b", "c", "d"):
        run.unknown(name)


def test_source_is_the_trees_own_text():
    run = evaluate(
        """
        import functools
        import inspect
        def plain(f):
            @functools.wraps(f)
            def inner(*args):
                return f(*args)
            return inner
        class A:
            x: int = 1
            @plain
            def method(self):
                return 1
        cls, method = inspect.getsource(A), inspect.getsource(A().method)
        lines, first = inspect.getsourcelines(A)
        try:
            inspect.getsource(int)
        except TypeError as error:
            refused = str(error)
        other = inspect.getsource(lambda: 1)
        """
    )
    assert run.plain("cls").startswith("class A:\n    x: int = 1\n")
    assert run.plain("method") == "    @plain\n    def method(self):\n        return 1\n"
    assert (len(run.plain("lines")), run.plain("first")) == (5, 9)
    assert run.plain("refused") == "<class 'int'> is a built-in class"
    assert run.unknown("other").hint == "str"
