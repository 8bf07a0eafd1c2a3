from mlapath.values.value import Unknown
from support.differential import assert_same, evaluate
from support.unknowns import with_unknown


def test_digests():
    assert_same(
        """
        import hashlib
        h = hashlib.sha256(b"a")
        h.update(b"b")
        c = h.copy()
        c.update(b"c")
        try:
            hashlib.md5("text")
        except TypeError:
            refused = True
        m = hashlib.md5(b"", usedforsecurity=False)
        r = [h.hexdigest(), c.digest(), h.name, h.digest_size, m.hexdigest(),
             hashlib.new("sha1", b"x").hexdigest(), refused,
             hashlib.blake2b(b"x", digest_size=4).hexdigest(), hashlib.shake_128(b"").hexdigest(3)]
        """,
        "r",
    )


def test_uuids():
    assert_same(
        """
        import uuid
        u = uuid.UUID("12345678123456781234567812345678")
        r = [str(u), u.hex, u.int, u == uuid.UUID(int=u.int), bool(u), f"{u}"]
        """,
        "r",
    )
    run = evaluate("import uuid\nu = uuid.uuid4()\nr, s = str(u), u.hex[:8]\n")
    assert run.unknown("r").hint == "str"
    run.unknown("s")


def test_chance():
    run = evaluate(
        """
        import random
        random.seed(0)
        a, b, c = random.random(), random.randint(2, 9), random.choice([1, 2])
        inside = 2 <= b <= 9
        many = random.choices("ab", k=3)
        order = [1, 2, 3]
        random.shuffle(order)
        r = random.Random(5)
        d = r.randrange(4)
        n = len(order), len(many)
        try:
            random.choice([])
        except IndexError:
            empty = True
        """
    )
    assert run.unknown("a").hi == 1
    assert run.plain("inside") is True
    assert {o.d for o in run.value("c").d.options} == {1, 2}
    assert run.plain("n") == (3, 3)
    assert (run.unknown("d").lo, run.unknown("d").hi) == (0, 3)
    assert all(len(x.d.options) == 3 for x in run.value("order").d.items)
    assert run.plain("empty") is True


def test_digests_of_unknown_data():
    run = with_unknown(
        """
        import hashlib
        h = hashlib.sha256()
        h.update(u)
        r = h.hexdigest()
        """
    )
    assert type(run.value("r").d) is Unknown
    assert run.unknown("r").hint == "str"
