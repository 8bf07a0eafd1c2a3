"""The reference page of the rules.

``python -m mlapath.ci.reference`` prints it; a test holds ``docs/reference/rules.md`` against it.
"""

from __future__ import annotations

import sys

from mlapath.ci.rules import RULES

_HEAD = """\
# Rules

Made by `python -m mlapath.ci.reference`; do not edit by hand.

What `mlapath check` and `mlapath diff` report. An id is never used for anything else. Together
with scenario and subject it identifies a finding, whatever moves in vLLM. MLA1xx is about the
project and what it demands, MLA2xx about answers, MLA3xx about classes and functions, MLA4xx about
evidence that differs while the answer is the same. As data: `--format json`, described by the
schemas `check-1.json` and `diff-1.json` in `mlapath/findings/schema`.

| id | name | severity | what it reports | what to do |
| --- | --- | --- | --- | --- |
"""


def render_rules() -> str:
    """Give the page as Markdown."""
    rows = (
        f"| {rule.id} | `{rule.name}` | {rule.severity.value} | {rule.summary} | {rule.help} |\n"
        for rule in RULES.values()
    )
    return _HEAD + "".join(rows)


if __name__ == "__main__":
    sys.stdout.write(render_rules())
