from support.differential import assert_same
from support.unknowns import with_unknown


def test_constructors_by_another_name():
    assert_same(
        """
        class Mine(float): pass
        r = [float.fromhex("0x1.8p1"), int.from_bytes(b"\\x01\\x02", "big"),
             int.from_bytes(b"\\xff", byteorder="little", signed=True), bytes.fromhex("00ff"),
             type(Mine.fromhex("0x1p0")).__name__]
        try: float.fromhex("x")
        except ValueError as e: r.append(str(e))
        """,
        "r",
    )


def test_methods_of_unknown_text_keep_its_type():
    run = with_unknown(
        """
        data = str(u).encode()
        text = data.decode().rstrip("\\n")
        parts = text.split()
        """
    )
    assert [run.unknown(name).hint for name in ("data", "text", "parts")] == [
        "bytes",
        "str",
        "list",
    ]
