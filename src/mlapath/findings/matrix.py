"""Many answers side by side, as a table of plain values that JSON carries whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mlapath.base.errors import UsageError
from mlapath.base.plain import from_plain, to_plain
from mlapath.findings.model import AttentionGroup, Outcome, Report
from mlapath.scenario.config_file import JsonObject

SCHEMA = "mlapath.matrix/1"


@dataclass(frozen=True)
class Kind:
    """A kind of MLA layers in one answer; ``targets``: the verdict on each."""

    backend: str | None
    prefill_backend: str | None
    reorder_batch_threshold: int | None
    layers: int
    targets: Mapping[str, str]


@dataclass(frozen=True)
class Row:
    """One answer.

    ``number``: its place in the whole matrix. ``outcome``: ``runs``, ``refuses``, ``unproven``,
    or ``error`` where there is no answer. ``detail``: the refusal, or why there is none.
    ``changed``: what differs from the answer for the tree before it, by column.
    """

    number: int
    config: str
    device: str
    tree: str
    outcome: str
    kinds: tuple[Kind, ...] = ()
    detail: str | None = None
    changed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Matrix:
    """Rows in order; ``total``: how many the whole matrix has, of which these may be a part."""

    targets: tuple[str, ...]
    total: int
    rows: tuple[Row, ...] = field(default_factory=tuple)


def row_of(number: int, config: str, device: str, tree: str, report: Report) -> Row:
    """The row of an answer."""
    refused = report.outcome is Outcome.REFUSES and report.refusal is not None
    detail = None
    if refused and report.refusal is not None:
        detail = f"{report.refusal.exception}: {report.refusal.message}"
    kinds = tuple(_kind(group) for group in report.attention if group.mla)
    return Row(number, config, device, tree, report.outcome.value, kinds, detail)


def _kind(group: AttentionGroup) -> Kind:
    return Kind(
        group.backend, group.prefill_backend, group.reorder_batch_threshold, len(group.layers),
        {t.target: t.verdict.value for t in group.targets},
    )  # fmt: skip


def columns(row: Row, targets: Sequence[str]) -> dict[str, str]:
    """The cells of a row that are compared, by column; several kinds of layers by commas."""
    return {
        "outcome": row.outcome,
        "backend": _each(kind.backend for kind in row.kinds),
        "prefill": _each(kind.prefill_backend for kind in row.kinds),
        "threshold": _each(kind.reorder_batch_threshold for kind in row.kinds),
        **{name: _each(kind.targets.get(name) for kind in row.kinds) for name in targets},
    }


def _each(values: Iterable[object]) -> str:
    found = dict.fromkeys("-" if value is None else str(value) for value in values)
    return ", ".join(found) or "-"


def compared(matrix: Matrix) -> Matrix:
    """The matrix with the changes from one tree to the next marked."""
    before: dict[tuple[str, str], dict[str, str]] = {}
    rows = []
    for row in matrix.rows:
        cells = columns(row, matrix.targets)
        known = before.get((row.config, row.device))
        changed = () if known is None else tuple(k for k, v in cells.items() if v != known[k])
        rows.append(replace(row, changed=changed))
        before[(row.config, row.device)] = cells
    return replace(matrix, rows=tuple(rows))


def merged(parts: Sequence[Matrix]) -> Matrix:
    """One matrix of its parts.

    Raises:
        UsageError: they are not parts of one matrix, overlap, or leave out rows.
    """
    first = parts[0]
    if any((part.total, part.targets) != (first.total, first.targets) for part in parts):
        raise UsageError("the files are parts of different matrices")
    rows: dict[int, Row] = {}
    for row in (row for part in parts for row in part.rows):
        if row.number in rows:
            raise UsageError(f"two files have row {row.number + 1}")
        rows[row.number] = row
    missing = [number + 1 for number in range(first.total) if number not in rows]
    if missing:
        raise UsageError(
            f"{len(missing)} of {first.total} rows are missing, the first is row {missing[0]}"
        )
    return compared(replace(first, rows=tuple(rows[number] for number in sorted(rows))))


def encode_matrix(matrix: Matrix) -> JsonObject:
    """Encode as ``mlapath.matrix/1``."""
    plain: JsonObject = to_plain(matrix)
    return {"schema": SCHEMA, **plain}


def decode_matrix(data: object) -> Matrix:
    """The inverse of ``encode_matrix``.

    Raises:
        UsageError: it is something else.
    """
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise UsageError(f"not a {SCHEMA}")
    try:
        return from_plain(Matrix, {key: value for key, value in data.items() if key != "schema"})
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise UsageError(f"not a {SCHEMA}: {error}") from error
