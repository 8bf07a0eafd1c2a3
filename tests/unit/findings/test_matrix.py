import json
from dataclasses import replace

import pytest

from mlapath.base.errors import UsageError
from mlapath.findings.matrix import (
    Matrix,
    columns,
    decode_matrix,
    encode_matrix,
    merged,
    row_of,
)
from support import samples
from support.matrices import TARGETS, matrix
from support.schemas import validate_output


def part(*numbers: int) -> Matrix:
    whole = matrix()
    return replace(whole, rows=tuple(whole.rows[at] for at in numbers))


def test_a_report_becomes_a_row():
    row = row_of(4, "c", "h100", "0.16.0", samples.sparse())
    cells = columns(row, TARGETS)
    assert (row.number, cells["outcome"], cells["backend"]) == (4, "runs", "FLASHMLA_SPARSE")
    assert (cells["forward_mha"], cells["forward_mqa"]) == ("never", "always")
    refused = row_of(0, "c", "b200", "0.16.0", samples.refused())
    assert refused.outcome == "refuses"
    assert refused.detail is not None
    assert refused.detail.startswith("ValueError: ")


def test_what_differs_from_the_tree_before_is_marked_for_each_device():
    rows = matrix().rows
    assert [row.changed for row in rows[:2]] == [(), ()]
    assert rows[2].changed == ("backend", "forward_mha")
    assert rows[3].changed == ("outcome",)


def test_json_comes_back_as_it_was_and_fits_its_schema():
    encoded = encode_matrix(matrix())
    validate_output(json.loads(json.dumps(encoded)))
    assert decode_matrix(json.loads(json.dumps(encoded))) == matrix()


@pytest.mark.parametrize(
    "data", [None, [], {}, {"schema": "mlapath.report/1"}, {"schema": "mlapath.matrix/1"},
             {"schema": "mlapath.matrix/1", "targets": 1, "total": 0, "rows": []}],
)  # fmt: skip
def test_other_json_is_refused(data):
    with pytest.raises(UsageError, match=r"^not a mlapath\.matrix/1"):
        decode_matrix(data)


def test_parts_in_any_order_make_the_whole():
    assert merged([part(2, 3), part(0, 1)]) == matrix()
    assert merged([part(3), part(1), part(0, 2)]) == matrix()


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ([part(0, 1), part(1, 2, 3)], "two files have row 2"),
        ([part(0, 1), part(3)], "1 of 4 rows are missing, the first is row 3"),
        ([part(0, 1), replace(part(2, 3), total=5)], "parts of different matrices"),
    ],
)
def test_parts_that_do_not_fit_are_refused(parts, why):
    with pytest.raises(UsageError, match=why):
        merged(parts)
