import pytest

from mlapath.app.shard import Shard, parse_shard
from mlapath.base.errors import UsageError


@pytest.mark.parametrize("count", [1, 2, 3, 7, 20])
def test_the_parts_are_the_whole_in_order_and_as_large_as_each_other(count):
    items = list(range(13))
    parts = [Shard(number, count).of(items) for number in range(1, count + 1)]
    assert [item for part in parts for item in part] == items
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_reading():
    assert parse_shard(" 2/8 ") == Shard(2, 8)


@pytest.mark.parametrize("text", ["", "2", "0/3", "4/3", "-1/3", "1/0", "a/b", "1/2/3"])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(UsageError, match="--shard"):
        parse_shard(text)
