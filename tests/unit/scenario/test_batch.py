import pytest

from mlapath.base.errors import UsageError
from mlapath.scenario.batch import Batch, Requests, parse_batch


def test_the_contract_examples():
    assert parse_batch("37") == Batch("37", (Requests(37),))
    assert parse_batch("1@100x8").requests == (Requests(1, 100, 8),)
    assert parse_batch("600+1@100x8 + 4@16").requests == (
        Requests(600),
        Requests(1, 100, 8),
        Requests(4, 16),
    )


@pytest.mark.parametrize("spec", ["", "x", "1@", "1x", "-1", "1+", "0", "5x0", "1.5", "1x8@3"])
def test_wrong_forms(spec):
    with pytest.raises(UsageError, match="--batch"):
        parse_batch(spec)


@pytest.mark.parametrize("spec", ["99999999", "1@99999999", "1x999999"])
def test_absurd_numbers(spec):
    with pytest.raises(UsageError, match="too large"):
        parse_batch(spec)
