from support.differential import assert_same, evaluate


def test_references_to_what_is_alive():
    assert_same(
        """
        import weakref, gc
        class A:
            x = 1
        a, b = A(), A()
        r, p = weakref.ref(a), weakref.proxy(a)
        values = weakref.WeakValueDictionary()
        values["a"] = a
        keys = weakref.WeakKeyDictionary()
        keys[a] = 5
        some = weakref.WeakSet([a])
        some.add(b)
        try:
            weakref.ref(5)
        except TypeError:
            refused = True
        out = [r() is a, p.x, values["a"] is a, values.get("b"), keys[a], a in some, len(some),
               r == weakref.ref(a), bool(r), isinstance(r, weakref.ref), list(values), refused,
               gc.disable(), gc.freeze(), gc.collect() >= 0]
        """,
        "out",
    )


def test_that_they_are_alive_is_an_assumption():
    run = evaluate("import weakref\nclass A: pass\na = A()\nr = weakref.ref(a)\n")
    assert "weakref" in run.engine.store["assumptions"]


def test_finalizers_may_be_called():
    run = evaluate(
        """
        import weakref
        def bye(): pass
        class A: pass
        a = A()
        f = weakref.finalize(a, bye)
        alive = f.alive
        """
    )
    assert "subject.bye" in run.engine.trace.escaped
    run.unknown("alive")
