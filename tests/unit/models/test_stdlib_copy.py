from support.differential import assert_same
from support.unknowns import with_unknown


def test_shallow_copies_share_their_items():
    assert_same(
        """
        import copy
        class A:
            def __init__(self): self.items = [1]
        class B(dict): pass
        a, l, d, s = A(), [[1]], {"k": [1]}, {1, 2}
        b, m, e, t = copy.copy(a), copy.copy(l), copy.copy(d), copy.copy(s)
        b.items.append(2)
        b.extra = 1
        m.append(0)
        e["new"] = 1
        t.add(3)
        n = B(x=1)
        o = copy.copy(n)
        o["y"] = 2
        r = [a.items, hasattr(a, "extra"), type(b) is A, l, m, d, s, m[0] is l[0]]
        r += [dict(n), dict(o)]
        r += [type(o) is B, copy.copy((1, 2)), copy.copy(A) is A]
        """,
        "r",
    )


def test_deep_copies_share_nothing_but_keep_their_shape():
    assert_same(
        """
        import copy
        from collections import defaultdict, deque
        class A:
            def __init__(self, child): self.child, self.me = child, self
        shared = [1]
        a = A({"k": (shared, shared)})
        b = copy.deepcopy(a)
        first, second = b.child["k"]
        first.append(2)
        d = defaultdict(list, x=[1])
        e = copy.deepcopy(d)
        e["x"].append(2)
        e["y"].append(3)
        q = copy.deepcopy(deque([[1]], maxlen=3))
        q[0].append(5)
        r = [shared, first is second, b.me is b, type(b) is A, b is not a, d["x"], dict(e)]
        r.append(q.maxlen)
        t = (1, "a")
        r += [copy.deepcopy(t) is t, copy.deepcopy(len) is len, copy.deepcopy({1, 2}), list(q)]
        """,
        "r",
    )


def test_classes_that_copy_themselves():
    assert_same(
        """
        import copy
        class A:
            def __copy__(self): return "copied"
            def __deepcopy__(self, memo):
                memo[id(self)] = 1
                return "deep"
        class B:
            def __init__(self, x): self.x = x
            def __deepcopy__(self, memo): return B(copy.deepcopy(self.x, memo))
        b = B([1])
        c = copy.deepcopy(b)
        r = [copy.copy(A()), copy.deepcopy([A()]), c.x, c.x is b.x, type(c) is B]
        """,
        "r",
    )


def test_enum_members_stay_themselves():
    assert_same(
        """
        import copy, enum
        class E(enum.Enum):
            A = [1]
        r = [copy.copy(E.A) is E.A, copy.deepcopy({"k": E.A})["k"] is E.A]
        """,
        "r",
    )


def test_unknown_parts_stay_unknown():
    run = with_unknown(
        """
        import copy
        class A: pass
        a = A()
        a.x = u
        if u:
            a.y = 1
        b = copy.deepcopy(a)
        x, there = b.x, hasattr(b, "y")
        whole = copy.deepcopy(u)
        """
    )
    run.unknown("x")
    assert run.unknown("there").hint == "bool"
    run.unknown("whole")
