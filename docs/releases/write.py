"""Write docs/what-changed.md: `python docs/releases/write.py FIRST LAST [SCENARIO…]`.

The table is what `mlapath diff --summary` prints for the scenarios of the mlapath.toml beside this
file; around it stands what the page says. Answers are kept, so a second run asks only what is new.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path

from mlapath.cli.main import main

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "what-changed.md"
HEAD = """# What changed in vLLM's MLA path

From vLLM {first} to {last}: what a deployment does otherwise than with the release before. Made by
`python docs/releases/write.py {words}`; do not edit by hand. The table is the output of

```sh
{command}
```

where [mlapath.toml](releases/mlapath.toml) names the deployments: the public configurations of
the models with vLLM's defaults on one GPU, by model and device (`12.0` stands for any GPU of that
compute capability). Only what a deployment does otherwise is listed: outcome, backends, verdicts
of `forward_mha` and `forward_mqa`, the threshold between decode and prefill, settings, layers.
Functions that moved, other parameters and reworded code are left out; without `--summary` the
command tells of them, with both chains of evidence.
"""


def command(first: str, last: str, scenarios: str) -> list[str]:
    """The words of the command whose output the table is."""
    return [
        "diff", first, last, "--all-between", "--summary", "--config", scenarios,
        "--project", "docs/releases/mlapath.toml", "--format", "markdown",
    ]  # fmt: skip


def table(first: str, last: str, scenarios: str = "*") -> str:
    """The command's output, without its title.

    Raises:
        SystemExit: it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.md"
        words = command(first, last, scenarios)
        words[words.index("--project") + 1] = str(HERE / "mlapath.toml")
        code = main([*words, "--output", f"markdown:{file}"])
        if code:
            raise SystemExit(code)
        return file.read_text("utf-8").partition("\n")[2].lstrip()


def page(first: str, last: str, scenarios: str = "*") -> str:
    """The page's text."""
    return head(first, last, scenarios) + "\n" + table(first, last, scenarios)


def head(first: str, last: str, scenarios: str) -> str:
    """What stands above the table."""
    words = [first, last] if scenarios == "*" else [first, last, scenarios]
    shown = shlex.join(["mlapath", *command(first, last, scenarios)])
    return HEAD.format(first=first, last=last, words=shlex.join(words), command=shown)


if __name__ == "__main__":
    PAGE.write_text(page(*sys.argv[1:]), encoding="utf-8", newline="\n")
