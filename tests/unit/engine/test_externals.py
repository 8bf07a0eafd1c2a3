"""Code outside the tree: attributes that the program sets on it, values that it is given."""

from mlapath.values.truth import Truth
from mlapath.values.value import Union
from support.differential import FakeFacts, evaluate
from support.unknowns import with_unknown


def test_an_attribute_set_on_an_external_symbol_is_read_back():
    run = with_unknown(
        """
        import some_lib
        def mine(x): return x + 1
        some_lib.fn = mine
        some_lib.sub.fn = mine
        from some_lib import fn
        r = some_lib.sub.fn(1), fn(2)
        """
    )
    assert run.plain("r") == (2, 3)


def test_setting_it_in_an_alternative_is_joined():
    run = with_unknown(
        """
        import some_lib
        some_lib.limit = 1
        if u:
            some_lib.limit = 2
        r = some_lib.limit
        one_of_two = r in (1, 2)
        """
    )
    assert type(run.value("r").d) is Union
    assert run.plain("one_of_two") is True


def test_a_symbol_outside_the_tree_may_be_a_class():
    run = with_unknown("import some_lib\nmaybe = isinstance(some_lib.Thing, type)\n")
    assert run.unknown("maybe").hint == "bool"


def test_a_library_value_or_a_plain_one_is_still_the_librarys():
    run = with_unknown(
        """
        import some_lib
        class Mine: pass
        lib = some_lib.result() if u else None
        mine = some_lib.result() if u else Mine()
        """
    )
    assert run.unknown("lib").lib
    assert run.unknown("mine").lib == ""


def test_an_attribute_set_under_an_unknown_name_is_one_of_them():
    run = with_unknown(
        """
        class Part: pass
        class A:
            def __init__(self):
                self.x, self.part = 1, Part()
                self.part.deep = 5
        a = A()
        setattr(a, str(u), 2)
        r = [a.x in (1, 2)]
        x = a.x
        part = a.part
        deep = part.deep if isinstance(part, Part) else 5
        other = hasattr(a, "other")
        """
    )
    assert run.plain("r") == [True]
    assert {o.d for o in run.value("x").d.options} == {1, 2}
    assert run.plain("deep") == 5
    assert run.unknown("other").hint == "bool"


def test_a_value_of_a_library_stays_one_in_a_loop_of_unknown_length():
    run = with_unknown(
        """
        import some_lib
        r = some_lib.first()
        while u: r = some_lib.next(r)
        kept = [1]
        r.use(kept)
        """
    )
    assert not run.engine.trace.limits
    assert run.unknown("r").lib


def test_a_library_base_made_from_nothing_holds_only_what_is_the_librarys():
    run = evaluate(
        """
        import some_lib
        class Record(some_lib.Structure): pass
        empty, given = Record().field, Record([1]).field
        """,
        FakeFacts(modules={"some_lib": Truth.TRUE}),
    )
    assert run.unknown("empty").lib == "some_lib.Structure.field"
    assert run.unknown("given").lib == ""
