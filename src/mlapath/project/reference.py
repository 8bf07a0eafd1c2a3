"""The reference page of ``mlapath.toml``, made from its JSON Schema.

``python -m mlapath.project.reference`` prints it; a test holds ``docs/reference/project.md``
against it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mlapath.project.schema import project_schema

_HEAD = """\
# mlapath.toml

Made by `python -m mlapath.project.reference`; do not edit by hand.

The scenarios that `mlapath check`, `baseline write` and, by name, `analyze` and `diff` look at. It
is looked for in the working folder and those above it; `--project` names another one. The same
keys may stand under `[tool.mlapath]` of a `pyproject.toml`. Paths are relative to the file. An
unknown key is an error.

Editors complete and check it with the JSON Schema in the package,
`mlapath/project/mlapath.schema.json`: for those with a TOML language server, put
`#:schema PATH-OR-URL` on the first line.
"""
_TAIL = """\
## Inheritance
`extends` names one scenario or several; the keys of later ones win over those of earlier ones, and
a scenario's own over all. Tables are merged key by key and lists are joined; so are `flags`, of
which vLLM takes the last where one is given twice. What one side takes away (`unset`, `without`)
another may bring back (`set`, `with`) and the other way round: the scenario's own word counts. A
matrix is inherited axis by axis.

## Names
A scenario with a matrix, or with a list of devices, stands for several: `NAME/STEP/…/DEVICE`.
`NAME` alone means all of them, and so does a pattern with `*`.

## The baseline
`mlapath.lock` is JSON with sorted keys, made to be reviewed: of each scenario the question, the
answer and the vLLM that gave it. `mlapath baseline write` writes it; one of an older mlapath is
upgraded when it is read.
"""


def render_project_reference() -> str:
    """Give the page as Markdown."""
    schema = project_schema()
    definitions = schema["definitions"]
    scenario = definitions["scenario"]["properties"]
    parts = [
        _HEAD,
        "## Top level\n",
        _table(schema["properties"], definitions),
        "## `[scenarios.NAME]`\n",
        _table(scenario, definitions),
        _TAIL,
    ]
    return "\n".join(parts)


def _table(properties: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    rows = [
        f"| `{key}` | {_form(value, definitions)} | {_described(value, definitions)} |"
        for key, value in properties.items()
    ]
    return "\n".join(["| key | value | meaning |", "| --- | --- | --- |", *rows, ""])


def _resolved(value: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = value.get("$ref")
    if not isinstance(reference, str):
        return value
    found: Mapping[str, Any] = definitions[reference.rpartition("/")[2]]
    return found


def _described(value: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    return str(_resolved(value, definitions).get("description", "")).replace("|", "\\|")


def _form(value: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    found = _resolved(value, definitions)
    if "anyOf" in found:
        return " or ".join(dict.fromkeys(_form(each, definitions) for each in found["anyOf"]))
    names = {"string": "text", "object": "table", "array": "list of texts"}
    return " or ".join(dict.fromkeys(_names(found.get("type"), names)))


def _names(kinds: Any, names: Mapping[str, str]) -> Iterator[str]:
    listed: Iterable[str] = [kinds] if isinstance(kinds, str) else kinds or ()
    for kind in listed:
        yield names.get(kind, kind)


if __name__ == "__main__":
    sys.stdout.write(render_project_reference())
