from support.differential import assert_same
from support.unknowns import with_unknown


def test_ordered_dict():
    assert_same(
        """
        from collections import OrderedDict
        d = OrderedDict([("a", 1), ("b", 2), ("c", 3)])
        d.move_to_end("a")
        first = list(d)
        d.move_to_end("c", last=False)
        r = [first, list(d), d.popitem(), d.popitem(last=False), list(d.items()), len(d)]
        e = OrderedDict(x=1, y=2)
        r += [e == OrderedDict(y=2, x=1), e == {"y": 2, "x": 1}, isinstance(e, dict)]
        r += [list(reversed(e)), type(e.copy()) is OrderedDict]
        r.append(e | {"z": 1} == {"x": 1, "y": 2, "z": 1})
        try:
            d.move_to_end("q")
        except KeyError as error:
            r.append(str(error))
        """,
        "r",
    )


def test_defaultdict():
    assert_same(
        """
        from collections import defaultdict
        d = defaultdict(list)
        d["a"].append(1)
        d["b"] += [2, 3]
        n = defaultdict(int, {"x": 5}, y=1)
        n["z"] += 2
        r = [dict(d), dict(n), "q" in d, d.get("q"), n["new"], len(n), isinstance(n, dict)]
        c = n.copy()
        c["other"] += 1
        r += [c["other"], "other" in n, c.default_factory is int, str(n)]
        none = defaultdict()
        try:
            none["a"]
        except KeyError:
            r.append("missing")
        nested = defaultdict(lambda: defaultdict(int))
        nested["a"]["b"] += 1
        r.append({k: dict(v) for k, v in nested.items()})
        """,
        "r",
    )


def test_an_unknown_key_of_a_defaultdict_is_made():
    run = with_unknown(
        """
        from collections import defaultdict
        d = defaultdict(int)
        r = d[u]
        n = len(d)
        e = defaultdict(int, a=1)
        s = e[u]
        """
    )
    assert run.plain("r") == 0
    run.unknown("n")
    assert {o.d for o in run.value("s").d.options} == {0, 1}


def test_missing_of_a_dict_subclass():
    assert_same(
        """
        class D(dict):
            def __missing__(self, key):
                self[key] = key * 2
                return self[key]
        d = D(a=1)
        r = [d["a"], d["b"], dict(d), d.get("c")]
        """,
        "r",
    )


def test_counter():
    assert_same(
        """
        from collections import Counter
        c = Counter("abracadabra")
        r = [c["a"], c["z"], c.most_common(2), c.total(), sorted(c.elements()), dict(c)]
        c.update({"a": 1, "q": 2})
        c.subtract("ab")
        r += [dict(c), isinstance(c, dict), dict(Counter(x=1) + Counter(x=2, y=-1))]
        r += [dict(Counter("aab") - Counter("ab")), dict(Counter("aab") | Counter("b")),
              dict(Counter("aab") & Counter("ab"))]
        c["new"] += 1
        del c["not there"]
        r.append(c["new"])
        """,
        "r",
    )


def test_counts_of_unknown_items_are_not_known():
    run = with_unknown(
        """
        from collections import Counter
        c = Counter(["a", "b"])
        c.update(u)
        r, top = c["a"], c.most_common(1)
        """
    )
    assert run.unknown("r").hint == "int"
    assert run.value("top").d.open


def test_deque():
    assert_same(
        """
        from collections import deque
        d = deque([1, 2, 3])
        d.appendleft(0)
        d.append(4)
        r = [list(d), d.popleft(), d.pop(), d[0], d[-1], len(d), 2 in d, bool(deque())]
        d.rotate(1)
        r.append(list(d))
        d.extendleft([8, 9])
        b = deque(maxlen=2)
        for x in range(4): b.append(x)
        b.appendleft(7)
        r += [list(d), list(b), b.maxlen, deque([1]) == deque([1]), deque([1]) == [1], str(b)]
        r += [[x for x in reversed(deque([1, 2]))], isinstance(b, list)]
        try:
            deque().popleft()
        except IndexError as error:
            r.append(str(error))
        """,
        "r",
    )


def test_namedtuple():
    assert_same(
        """
        from collections import namedtuple
        P = namedtuple("P", ["x", "y"], defaults=[5])
        class Q(P):
            @property
            def total(self): return self.x + self.y
        p, q = P(1), Q(1, y=2)
        a, b = p
        r = [p.x, p[1], a, b, len(p), p == (1, 5), p._replace(x=9)._asdict(), P._make([3, 4]).y]
        r += [P._fields, P._field_defaults, str(p), q.total, isinstance(p, tuple), p < (2,)]
        r += [{p: 1}[P(1, 5)], P.__name__, namedtuple("R", "a b, c")(1, 2, 3).c, type(q).__name__]
        for bad in (lambda: P(), lambda: P(1, 2, 3), lambda: P(1, x=2), lambda: p._replace(z=1)):
            try:
                bad()
            except (TypeError, ValueError) as error:
                r.append(type(error).__name__)
        """,
        "r",
    )


def test_chain_map_and_user_containers():
    assert_same(
        """
        from collections import ChainMap, UserDict, UserList
        m = ChainMap({"a": 1}, {"a": 2, "b": 3})
        m["c"] = 4
        r = [m["a"], m["b"], "c" in m, m.get("z", 0), m.maps[0], sorted(m), len(m), dict(m)]
        r += [m.new_child()["a"], m.parents["a"]]
        class U(UserDict):
            def __setitem__(self, key, value): super().__setitem__(key, value * 10)
        u = U({"a": 1}, b=2)
        u["c"] = 3
        r += [u.data, u["a"], "b" in u, list(u), len(u), u.get("q"), u.pop("a")]
        l = UserList([1, 2])
        l.append(3)
        r += [l.data, l[0], len(l), list(l)]
        """,
        "r",
    )
