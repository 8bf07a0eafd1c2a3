import hashlib

from mlapath.source.record import parse_record
from support.wheels import record_line


def test_hashes_are_checked() -> None:
    record = parse_record(record_line("a.py", b"x") + '"b, c.py",md5=zz,3\nr/RECORD,,\n,,\n')
    assert record["a.py"].matches(b"x") is True
    assert record["a.py"].matches(b"y") is False
    assert record["a.py"].size == 1
    assert record["b, c.py"].matches(b"x") is None
    assert record["r/RECORD"].matches(b"x") is None
    assert set(record) == {"a.py", "b, c.py", "r/RECORD"}


def test_padding_is_ignored() -> None:
    import base64

    digest = base64.urlsafe_b64encode(hashlib.sha256(b"x").digest()).decode()
    assert parse_record(f"a,sha256={digest},1")["a"].matches(b"x") is True
