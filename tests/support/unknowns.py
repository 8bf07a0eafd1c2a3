"""Snippets with a value that nobody knows: ``u``, out of a library without a summary."""

from __future__ import annotations

import textwrap

from mlapath.values.truth import Truth
from support.differential import FakeFacts, Run, evaluate


def with_unknown(source: str, **facts: object) -> Run:
    """Evaluate ``source`` with ``u`` bound to an unknown value."""
    made = FakeFacts(modules={"some_lib": Truth.TRUE}, **facts)  # type: ignore[arg-type]
    text = "import some_lib\nu = some_lib.anything()\n" + textwrap.dedent(source)
    return evaluate(text, made)
