from mlapath.values.value import ABSENT, Union, Unknown
from support.differential import assert_same
from support.unknowns import with_unknown


def options(value):
    return {getattr(o, "d", o) for o in value.d.options}


def test_a_key_that_may_be_missing_may_raise():
    run = with_unknown(
        """
        d = {}
        if u:
            d["a"] = 1
        try:
            r = d["a"]
        except KeyError:
            r = 2
        got, default = d.get("a"), d.get("a", 5)
        """
    )
    assert options(run.value("r")) == {1, 2}
    assert options(run.value("got")) == {1, None}
    assert options(run.value("default")) == {1, 5}


def test_an_unknown_key_of_a_known_dict_may_be_missing():
    run = with_unknown(
        """
        try:
            r = {"a": 1, "b": 2}[u]
        except KeyError:
            r = 3
        """
    )
    assert options(run.value("r")) == {1, 2, 3}


def test_one_of_two_keys_gives_one_of_two_items():
    run = with_unknown("r = {'a': 1, 'b': 2, 'c': 3}['a' if u else 'b']\n")
    assert options(run.value("r")) == {1, 2}


def test_a_write_under_an_unknown_key_may_be_any_item():
    run = with_unknown(
        """
        d = {"a": 1}
        d[u] = 2
        r = d["a"]
        e = {"a": 1}
        del e[u]
        there = "a" in e
        """
    )
    assert options(run.value("r")) == {1, 2}
    assert run.unknown("there").hint == "bool"


def test_an_unknown_attribute_that_may_be_absent_stays_so():
    run = with_unknown(
        """
        class A: pass
        a = A()
        if u:
            a.x = u
        there = hasattr(a, "x")
        got = getattr(a, "x", 3)
        """
    )
    assert run.unknown("there").hint == "bool"
    run.unknown("got")
    kept = run.value("a").d.attrs["x"].d.options
    assert [type(o.d) for o in kept] == [type(ABSENT), Unknown]


def test_slices_of_lists_are_written_and_deleted():
    assert_same(
        """
        a = [1, 2, 3, 4]
        a[1:3] = [9]
        b = list(a)
        del b[0], b[-1]
        c = [1, 2, 3]
        c[:] = (5, 6)
        del c[:1]
        try:
            del c[7]
        except IndexError as error:
            r = str(error)
        try:
            c[::2] = [1, 2, 3]
        except ValueError:
            s = "refused"
        """,
        "a b c r s",
    )


def test_an_item_set_through_one_of_two_names_is_set_in_one_of_them():
    run = with_unknown(
        """
        a, b = {"k": 1}, [5, 6]
        c = {"k": 1}
        target = a if u else c
        target["k"] = 2
        lists = b if u else [0, 0]
        lists[0] = 9
        r = [a["k"] in (1, 2), c["k"] in (1, 2), b[0] in (5, 9), b[1], len(a)]
        """
    )
    assert run.plain("r") == [True, True, True, 6, 1]
    assert type(run.value("a").d.data["k"][1].d) is Union


def test_a_range_longer_than_a_machine_word():
    run = with_unknown("r = sum(1 for i in range(10**30))")
    assert isinstance(run.value("r").d, Unknown)


def test_changing_one_of_two_in_place_changes_one_of_them():
    run = with_unknown(
        """
        a, b = [1], [1]
        target = a if u else b
        target += [2]
        maybe, other = len(a) == 2, len(b) == 2
        """
    )
    assert run.unknown("maybe").hint == "bool"
    assert run.unknown("other").hint == "bool"


def test_a_list_repeated_an_unknown_number_of_times():
    run = with_unknown(
        """
        n = int(u)
        a = [0] * n
        a[n - 1] = 5
        b = n * [1, 2]
        kinds = {x in (1, 2) for x in b}, {x in (0, 5) for x in a}
        empty = a == []
        """
    )
    assert run.plain("kinds") == ({True}, {True})
    assert run.unknown("empty").hint == "bool"
    assert not run.engine.trace.limits
