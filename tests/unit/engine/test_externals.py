"""Code outside the tree: attributes that the program sets on it, values that it is given."""

from mlapath.values.value import Union
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
