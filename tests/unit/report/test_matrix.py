import csv
import io

from mlapath.report.json_report import render_matrix
from mlapath.report.matrix import render_csv, render_matrix_markdown, render_matrix_text
from support.consoles import console, written
from support.golden import check_golden
from support.matrices import matrix


def test_golden():
    for width, name in ((120, "matrix.txt"), (40, "matrix.narrow.txt")):
        made = console(width)
        render_matrix_text(matrix(), made)
        check_golden(f"report/{name}", written(made))
    check_golden("report/matrix.md", render_matrix_markdown(matrix()))
    check_golden("report/matrix.json", render_matrix(matrix()))


def test_a_spreadsheet_reads_every_cell():
    header, *rows = csv.reader(io.StringIO(render_csv(matrix())))
    assert header[:4] == ["tree", "device", "config", "outcome"]
    assert len(rows) == 4
    assert all(len(row) == len(header) for row in rows)
    assert rows[2][header.index("backend")] == "FLASHMLA_SPARSE, B"
    assert rows[1][header.index("detail")] == "ValueError: no backend"
