from support.differential import FakeFacts, assert_same, evaluate


def test_reading_a_known_file():
    run = evaluate(
        """
        f = open("/model/a.txt")
        first, two, rest, end = f.readline(), f.read(2), f.read(), f.read()
        f.close()
        with open("/model/a.txt", "rb") as g:
            lines = g.readlines()
        with open("/model/a.txt") as h:
            looped = [line.strip() for line in h]
        r = [first, two, rest, end, f.closed, lines, looped, f.name]
        """,
        FakeFacts(files={"/model/a.txt": "one\ntwo\nthree"}),
    )
    assert run.plain("r") == [
        "one\n", "tw", "o\nthree", "", True, [b"one\n", b"two\n", b"three"],
        ["one", "two", "three"], "/model/a.txt",
    ]  # fmt: skip


def test_reading_a_file_of_the_tree():
    run = evaluate(
        """
        import json, os
        path = os.path.join(os.path.dirname(__file__), "subject", "c.json")
        with open(path) as f:
            r = json.load(f)
        """,
        others={"subject/c.json": "[1]"},
    )
    assert run.plain("r") == [1]


def test_writing_tells_nothing():
    run = evaluate(
        """
        with open("/out.txt", "w") as f:
            f.write("x")
            f.flush()
        back = f.read()
        """
    )
    run.unknown("back")


def test_buffers():
    assert_same(
        """
        import io
        s = io.StringIO()
        print("ignored")
        n = s.write("ab")
        s.write("cd")
        t = io.StringIO("x\\ny")
        b = io.BytesIO(b"12345")
        head = b.read(2)
        b.seek(0)
        r = [s.getvalue(), n, t.read(), t.getvalue(), head, b.read(), b.getvalue(), s.read()]
        """,
        "r",
    )


def test_the_lines_of_an_unknown_file_are_text():
    run = evaluate(
        """
        import os
        info = {}
        with open("/proc/meminfo") as f:
            for line in f:
                parts = line.split()
                info[parts[0].rstrip(":")] = int(parts[1])
        names = [name for name in os.listdir("/sys") if name.startswith("node")]
        r = 1
        """,
    )
    assert run.plain("r") == 1
    assert not run.engine.trace.limits
