from support.differential import assert_same, evaluate
from support.unknowns import with_unknown


def test_writes_to_a_dict_of_attributes_set_them():
    assert_same(
        """
        class A:
            def __init__(self, **given): self.__dict__.update(given)
        a = A(x=1, y=2)
        a.__dict__["z"] = 3
        vars(a)["w"] = 4
        kept = a.__dict__.setdefault("v", 5)
        popped = a.__dict__.pop("x")
        del a.__dict__["y"]
        r = [hasattr(a, "x"), hasattr(a, "y"), a.z, a.w, a.v, kept, popped, sorted(vars(a))]
        def f(): pass
        f.__dict__["mark"] = 1
        r.append(f.mark)
        """,
        "r",
    )


def test_globals_are_the_module():
    assert_same(
        """
        def put(name, value): globals()[name] = value
        put("made", 3)
        globals().update(other=4)
        r = [made, other, globals()["made"], "missing" in globals()]
        """,
        "r",
    )


def test_the_namespace_of_another_module():
    run = evaluate(
        "import other\nother.__dict__['x'] = 1\nr = other.x, other.read()\n",
        others={"other.py": "def read(): return x\n"},
    )
    assert run.plain("r") == (1, 1)


def test_a_write_under_an_unknown_name_may_be_any_attribute():
    run = with_unknown(
        """
        class A: pass
        a = A()
        a.x = 1
        a.__dict__[u] = 2
        r = a.x
        """
    )
    assert {o.d for o in run.value("r").d.options} == {1, 2}


def test_the_first_iterable_of_a_comprehension_belongs_outside():
    assert_same(
        """
        def f():
            a, b = 1, 2
            names = sorted(k for k in locals())
            table = {k: v for k, v in locals().items() if k in ("a", "b")}
            return names, table
        r = f()
        """,
        "r",
    )
