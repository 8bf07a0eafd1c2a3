"""An annotated file: in a terminal, as JSON, as a page."""

from __future__ import annotations

import html
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from mlapath.base.verdict import Verdict
from mlapath.findings.annotated import AnnotatedFile, AnnotatedLine
from mlapath.findings.encode import encode_scenario, encode_tree_info
from mlapath.report.json_report import dump
from mlapath.scenario.config_file import JsonObject, JsonValue

SCHEMA = "mlapath.annotated/1"
MARKS = {Verdict.ALWAYS: "+", Verdict.CONDITIONAL: "~", Verdict.NEVER: "-", Verdict.UNPROVEN: "?"}
STYLES = {Verdict.ALWAYS: "green", Verdict.CONDITIONAL: "yellow", Verdict.NEVER: "dim",
          Verdict.UNPROVEN: "cyan"}  # fmt: skip
LEGEND = "+ runs  ~ under a condition  - never  ? not settled; ? after a phase: conditionally"


def folded(file: AnnotatedFile, *, only_path: bool) -> Iterator[AnnotatedLine | int]:
    """The lines; with ``only_path`` a number stands for so many that never run."""
    hidden: list[AnnotatedLine] = []
    for line in file.lines:
        dead = line.verdict is Verdict.NEVER and not line.phases
        if only_path and (dead or (line.verdict is None and hidden)):
            hidden.append(line)
            continue
        if hidden:
            yield len(hidden)
            hidden = []
        yield line
    if hidden:
        yield len(hidden)


def render_annotated(file: AnnotatedFile, console: Console, *, only_path: bool) -> None:
    """Print the source with a verdict in front of each line."""
    console.print(Text(f"{file.path}  ({LEGEND})", "bold"), soft_wrap=True, highlight=False)
    for note in file.notes:
        console.print(Text(f"note: {_clean(note)}"), soft_wrap=True, highlight=False)
    for item in folded(file, only_path=only_path):
        text = Text(f"        {_fold(item)}", "dim") if isinstance(item, int) else _line(item)
        text.rstrip()
        console.print(text, soft_wrap=True, highlight=False)


def _fold(count: int) -> str:
    return f"… {count} lines that never run" if count > 1 else "… a line that never runs"


def _line(line: AnnotatedLine) -> Text:
    mark = " " if line.verdict is None else MARKS[line.verdict]
    style = "" if line.verdict is None else STYLES[line.verdict]
    text = Text.assemble((f"{line.number:>5} ", "dim"), (f"{mark} ", style))
    text.append(_clean(line.text), "dim" if line.verdict is Verdict.NEVER else "")
    aside = [f"→ {_clean(line.guard)}"] if line.guard is not None else []
    if line.phases:
        aside.append(" ".join(line.phases))
    if aside:
        text.append(f"  # {'; '.join(aside)}", "dim" if line.verdict is Verdict.NEVER else "blue")
    return text


def _clean(text: str) -> str:
    """Source may hold terminal escapes; spaces are kept."""
    text = text.expandtabs(8)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def render_annotated_json(file: AnnotatedFile, *, only_path: bool) -> str:
    """Give ``mlapath.annotated/1``; with ``only_path`` lines that never run are left out."""
    lines: list[JsonValue] = [
        _encoded(item) for item in folded(file, only_path=only_path) if not isinstance(item, int)
    ]
    encoded: JsonObject = {
        "schema": SCHEMA, "path": file.path, "tree": encode_tree_info(file.tree),
        "scenario": encode_scenario(file.scenario), "outcome": file.outcome.value,
        "lines": lines, "notes": list(file.notes),
    }  # fmt: skip
    return dump(encoded)


def _encoded(line: AnnotatedLine) -> JsonObject:
    verdict = None if line.verdict is None else line.verdict.value
    return {"line": line.number, "text": line.text, "verdict": verdict,
            "phases": list(line.phases), "guard": line.guard}  # fmt: skip


def render_annotated_html(file: AnnotatedFile, *, only_path: bool) -> str:
    """Give a page that stands alone."""
    rows = [_row(item) for item in folded(file, only_path=only_path)]
    title = html.escape(file.path)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 13px/1.4 monospace; }} .n {{ color: #888; user-select: none; }}
.always {{ border-left: 4px solid #2a2; }} .conditional {{ border-left: 4px solid #c90; }}
.never {{ border-left: 4px solid #bbb; color: #aaa; }} .unproven {{ border-left: 4px solid #39c; }}
.none {{ border-left: 4px solid transparent; }} .g {{ color: #06c; }} div {{ white-space: pre; }}
</style></head><body><h1>{title}</h1>
<p>{"<br>".join(html.escape(note) for note in file.notes)}</p>
{chr(10).join(rows)}
</body></html>
"""


def _row(item: AnnotatedLine | int) -> str:
    if isinstance(item, int):
        return (
            f'<div class="never"><span class="n">      </span>… {item} lines that never run</div>'
        )
    kind = "none" if item.verdict is None else item.verdict.value
    aside = [f"→ {item.guard}"] if item.guard else []
    aside.extend([" ".join(item.phases)] if item.phases else [])
    told = f'<span class="g">  # {html.escape("; ".join(aside))}</span>' if aside else ""
    return (f'<div class="{kind}"><span class="n">{item.number:>5} </span>'
            f"{html.escape(_clean(item.text))}{told}</div>")  # fmt: skip


__all__ = ["folded", "render_annotated", "render_annotated_html", "render_annotated_json"]
