import pytest

from mlapath.values.truth import Truth
from mlapath.values.value import Unknown
from support.differential import FakeFacts, assert_same, evaluate
from support.unknowns import with_unknown

UNKNOWN = "import some_lib\nu = some_lib.anything()\n"
LIB = FakeFacts(modules={"some_lib": Truth.TRUE})


def test_partial_passes_its_arguments_first_and_flattens():
    assert_same(
        """
        from functools import partial
        def f(a, b=2, *rest, c=3, **more): return (a, b, rest, c, more)
        p = partial(f, 1, c=4)
        q = partial(p, 5, d=6)
        r = [p(), p(7), p(c=8), q(9, e=1), q.args, q.keywords, q.func is f, callable(p)]
        """,
        "r",
    )


def test_partial_calls_a_function_whose_arguments_are_open():
    run = evaluate(
        UNKNOWN
        + """
from functools import partial
def f(*args): return args
r = partial(f, 1)(*u)
""",
        LIB,
    )
    run.unknown("r")
    assert any(edge.callee == "subject.f" for edge in run.engine.trace.calls.values())


def test_wraps_keeps_names_attributes_and_the_wrapped_function():
    assert_same(
        """
        import functools
        def deco(f):
            @functools.wraps(f)
            def wrapper(*args, **kwargs): return f(*args, **kwargs) + 1
            return wrapper
        def plain(x):
            "doc"
            return x
        plain.mark = "m"
        g = deco(plain)
        r = [g(1), g.__name__, g.__qualname__, g.__module__, g.__doc__, g.mark,
             g.__wrapped__ is plain]
        """,
        "r",
    )


def test_cache_gives_the_same_object_for_equal_arguments():
    assert_same(
        """
        from functools import cache, lru_cache
        log = []
        @cache
        def f(x, y=0):
            log.append((x, y))
            return [x]
        same = f(1) is f(1), f(1) is f(1, y=0), f(True) is f(1)
        f.cache_clear()
        f(1)
        class A:
            @lru_cache
            def m(self, k): return [k]
            @classmethod
            @lru_cache(maxsize=None)
            def c(cls): return [cls.__name__]
        a, b = A(), A()
        methods = a.m(1) is a.m(1), a.m(1) is b.m(1), A.m(a, 1) is a.m(1), A.c() is a.c()
        named = f.__name__, f.__wrapped__(3), f.cache_parameters()
        """,
        "log same methods named",
    )


def test_a_full_cache_forgets_the_least_recently_used():
    assert_same(
        """
        from functools import lru_cache
        log = []
        @lru_cache(maxsize=2)
        def f(x):
            log.append(x)
            return x
        for x in (1, 2, 1, 3, 1, 2): f(x)
        """,
        "log",
    )


def test_an_unhashable_argument_is_refused():
    assert_same(
        """
        from functools import cache
        @cache
        def f(x): return 1
        try:
            f([1])
            r = "no"
        except TypeError as error:
            r = str(error)
        """,
        "r",
    )


def test_what_one_alternative_cached_is_not_taken_for_the_other():
    run = evaluate(
        UNKNOWN
        + """
from functools import cache
state = [1]
@cache
def f(): return state[0]
if u:
    f()
state[0] = 2
r = f()
""",
        LIB,
    )
    assert {o.d for o in run.value("r").d.options} == {1, 2}


def test_unknown_arguments_may_hit_an_older_entry():
    run = evaluate(
        UNKNOWN
        + """
from functools import cache
@cache
def f(x): return [x]
known = f(1)
found = f(u)
maybe = known is found
again = found is f(u)
""",
        LIB,
    )
    assert run.unknown("maybe").hint == "bool"


def test_reduce():
    assert_same(
        """
        from functools import reduce
        import operator
        r = [reduce(lambda a, b: a * 10 + b, [1, 2, 3]), reduce(max, (1, 5, 2), 7)]
        try:
            reduce(max, [])
        except TypeError as error:
            r.append(str(error).replace("iterable", "sequence"))
        """.replace('.replace("iterable", "sequence")', " and 'refused'"),
        "r",
    )


def test_reduce_of_unknown_items_runs_the_function_at_most_maybe():
    run = evaluate(
        UNKNOWN
        + """
from functools import reduce
seen = []
def add(a, b):
    seen.append(1)
    return a
r = reduce(add, u, 0)
n = len(seen)
""",
        LIB,
    )
    run.unknown("r")
    run.unknown("n")


@pytest.mark.parametrize("root", ["lt", "le", "gt", "ge"])
def test_total_ordering_from_each_root(root):
    op = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}[root]
    assert_same(
        f"""
        from functools import total_ordering
        @total_ordering
        class A:
            def __init__(self, x): self.x = x
            def __eq__(self, other): return self.x == other.x
            def __{root}__(self, other): return self.x {op} other.x
        pairs = [(A(1), A(2)), (A(2), A(2)), (A(3), A(2))]
        r = [[a < b, a <= b, a > b, a >= b] for a, b in pairs]
        """,
        "r",
    )


def test_singledispatch_takes_the_nearest_class():
    assert_same(
        """
        from functools import singledispatch
        @singledispatch
        def f(x): return "object"
        @f.register(int)
        def _(x): return "int"
        class A: pass
        class B(A): pass
        f.register(A, lambda x: "A")
        r = [f("s"), f(1), f(True), f(B()), f.dispatch(int)(3)]
        """,
        "r",
    )


def test_singledispatch_on_an_unknown_value_may_be_any():
    run = evaluate(
        UNKNOWN
        + """
from functools import singledispatch
@singledispatch
def f(x): return "object"
@f.register(int)
def _(x): return "int"
r = f(u)
""",
        LIB,
    )
    assert {o.d for o in run.value("r").d.options} == {"object", "int"}


def test_cached_property_cmp_to_key_and_partialmethod():
    assert_same(
        """
        import functools
        class A:
            n = 0
            @functools.cached_property
            def p(self):
                self.n += 1
                return self.n
            def f(self, x, y): return (self.n, x, y)
            g = functools.partialmethod(f, 5, y=6)
        a = A()
        r = [a.p, a.p, a.g(), sorted([3, 1, 2], key=functools.cmp_to_key(lambda x, y: y - x))]
        """,
        "r",
    )


def test_unknown_is_never_a_plain_value():
    run = evaluate(UNKNOWN + "from functools import reduce\nr = reduce(u, u)\n", LIB)
    assert type(run.value("r").d) is Unknown


def test_one_of_two_arguments_hits_its_own_entry():
    run = with_unknown(
        """
        from functools import cache
        calls = []
        @cache
        def f(x, y):
            calls.append(x)
            return [y]
        first = f("a" if u else "b", 1)
        again = f("b" if u.other else "a", 1)
        same = first is again
        other = f("c", 1)
        apart = other is first
        n = len(calls)
        """
    )
    assert run.plain("n") == 2
    assert run.plain("same") is True
    assert run.plain("apart") is False


def test_many_unknown_arguments_are_summarised():
    run = with_unknown(
        """
        from functools import cache
        calls = []
        @cache
        def f(x):
            calls.append(1)
            return {"x": x}
        made = [f(some_lib.ask(i)) for i in range(10)]
        n = len(calls)
        last = made[-1]["x"]
        """
    )
    assert run.plain("n") == 3
    run.unknown("last")
