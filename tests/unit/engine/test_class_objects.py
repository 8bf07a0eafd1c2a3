import enum

import pytest

from mlapath.engine.control import PyRaise
from mlapath.values.truth import Truth
from support.differential import FakeFacts, assert_same, evaluate

LIB = FakeFacts(modules={"some_lib": Truth.TRUE})


def test_immutable_builtins_take_their_content_in_new():
    assert_same(
        """
        class Name(str):
            def __new__(cls, text, extra):
                made = super().__new__(cls, text.upper())
                made.extra = extra
                return made
        class Row(tuple):
            def __new__(cls, *items):
                return tuple.__new__(cls, items)
        class Bag(list):
            def __new__(cls, items):
                return super().__new__(cls)
            def __init__(self, items):
                super().__init__(items)
        name = Name("a", 2) + "b", Name("a", 2).extra
        row = len(Row(1, 2)), Row(1, 2)[1]
        bag = len(Bag([1, 2, 3]))
        """,
        "name row bag",
    )


def test_a_metaclass_is_the_type_of_its_classes():
    assert_same(
        """
        class Meta(type):
            def __contains__(cls, item):
                return item in cls.items
            def __repr__(cls):
                return f"<{cls.__name__}!>"
            def greet(cls):
                return "hello"
        class A(metaclass=Meta):
            items = (1, 2)
        facts = type(A) is Meta, isinstance(A, Meta), isinstance(A, type), 1 in A, 5 in A
        texts = str(A), repr(A), f"{A}", A.greet()
        """,
        "facts texts",
    )


def test_open_arguments_of_a_summarised_class_give_nothing_known():
    run = evaluate(
        """
        import some_lib
        made = dict(a=1, **some_lib.anything())
        """,
        LIB,
    )
    assert run.unknown("made")


def test_str_of_a_key_error_quotes_the_key():
    assert_same(
        """
        try:
            {}["a"]
        except KeyError as error:
            text = str(error), error.args
        """,
        "text",
    )


def test_star_import_of_a_summarised_module_finds_its_symbols():
    assert_same(
        """
        from enum import *
        class A(Enum):
            X = 1
        found = A(1).name
        """,
        "found",
    )


def test_a_key_that_equals_as_the_program_says_leaves_a_dict_open():
    run = evaluate(
        """
        class Key:
            def __init__(self, n):
                self.n = n
            def __eq__(self, other):
                return self.n == other.n
            def __hash__(self):
                return self.n
        table = {Key(1): "one"}
        found = Key(1) in table
        """
    )
    assert run.unknown("found").hint == "bool"


def test_attempt_tells_values_from_exceptions():
    run = evaluate(
        """
        import some_lib
        flag = some_lib.anything()
        def good():
            return 1
        def bad():
            raise ValueError("no")
        def perhaps():
            if flag:
                raise ValueError("maybe")
            return 2
        def other():
            raise KeyError("k")
        """,
        LIB,
    )
    it = run.engine
    error = it.builtins["ValueError"]

    def attempt(name):
        return it.attempt(lambda: it.call(run.value(name), [], {}), error)

    value, raised = attempt("good")
    assert (value.d, raised) == (1, None)
    value, raised = attempt("bad")
    assert value is None
    assert it.message_of(raised) == "no"
    value, raised = attempt("perhaps")
    assert value.d == 2
    assert it.message_of(raised) == "maybe"
    with pytest.raises(PyRaise):
        attempt("other")
    assert not it.tries
    assert not it.heap.forks


def test_join_takes_any_known_iterable():
    assert_same(
        """
        words = ["a", "b"]
        joined = ", ".join(w.upper() for w in words), "-".join({"k": 1}), "".join(map(str, [1, 2]))
        """,
        "joined",
    )


def test_an_alias_of_a_class_is_the_class_itself():
    assert_same(
        """
        import enum
        facts = enum.EnumMeta is enum.EnumType, isinstance(enum.Enum, enum.EnumMeta)
        """
        if hasattr(enum, "EnumType")
        else "facts = (True, True)",
        "facts",
    )


def test_bases_can_be_added_to_a_class():
    assert_same(
        """
        class Mixin:
            def extra(self): return "mixin"
            def f(self): return "wrong"
        class A: pass
        class B(A):
            def f(self): return "own"
        B.__bases__ = B.__bases__ + (Mixin,)
        r = [B().extra(), B().f(), [c.__name__ for c in B.__mro__], isinstance(B(), Mixin)]
        try:
            B.__bases__ = (object, A)
        except TypeError:
            r.append("refused")
        r.append([c.__name__ for c in B.__bases__])
        """,
        "r",
    )


def test_deleting_a_property_runs_its_deleter():
    assert_same(
        """
        class P:
            def __init__(self):
                self.kept = 1

            @property
            def value(self):
                if self.kept is None:
                    raise AttributeError("gone")
                return self.kept

            @value.deleter
            def value(self):
                self.kept = None

            @property
            def fixed(self):
                return 1

        p = P()
        before = hasattr(p, "value")
        del p.value
        after = (hasattr(p, "value"), p.kept)
        try:
            delattr(p, "fixed")
            refused = False
        except AttributeError:
            refused = True
        """,
        ["before", "after", "refused"],
    )


def test_a_class_may_read_its_attributes_itself():
    assert_same(
        """
        class Base:
            names = {}
            def __getattribute__(self, key):
                if key != "names" and key in super().__getattribute__("names"):
                    key = super().__getattribute__("names")[key]
                return super().__getattribute__(key)
            @property
            def area(self):
                return self.width * 2
        class Config(Base):
            names = {"size": "width", "twice": "area"}
            def __init__(self):
                self.width = 3
        class Other(Config):
            def __getattr__(self, key):
                return f"no {key}"
        class Logged:
            def __getattribute__(self, key):
                seen.append(key)
                return object.__getattribute__(self, key)
        seen = []
        a, b, c = Config(), Other(), Logged()
        c.x = 1
        r = (a.size, a.width, a.twice, a.area, hasattr(a, "depth"), getattr(a, "depth", 5),
             b.size, b.depth, c.x, hasattr(c, "y"))
        s = seen
        try:
            a.depth
        except AttributeError as error:
            t = type(error).__name__
        """,
        "r s t",
    )
