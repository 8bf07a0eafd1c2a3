"""Snippets that run under the real pydantic and in the evaluator."""

from __future__ import annotations

import textwrap

from mlapath.values.truth import Truth
from support import differential
from support.differential import FakeFacts, Run, evaluate

FACTS = FakeFacts(modules=dict.fromkeys(("pydantic", "pydantic_core", "some_lib"), Truth.TRUE))
PRELUDE = '''
import dataclasses
import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, field, fields, is_dataclass, replace
from typing import Annotated, Any, Literal, Optional, Union
from pydantic import *
from pydantic.dataclasses import dataclass
from pydantic.fields import FieldInfo
def message(run):
    """The text of what is raised, without the links that pydantic adds."""
    try:
        run()
    except ValidationError as error:
        return "\\n".join(x for x in str(error).splitlines() if "further information" not in x)
    except Exception as error:
        return type(error).__name__, str(error)
    return "valid"
def tried(tp, values, **options):
    """For each value what it becomes, or the fault without the title."""
    out = []
    adapter = TypeAdapter(tp, **options)
    for value in values:
        try:
            made = adapter.validate_python(value)
            out.append((repr(made), type(made).__name__))
        except ValidationError as error:
            lines = str(error).splitlines()[1:]
            out.append("\\n".join(x for x in lines if "further information" not in x))
    return out
'''


def assert_same(source: str, names: str) -> None:
    """Both bind ``names`` to the same plain values."""
    differential.assert_same(PRELUDE + textwrap.dedent(source), names, FACTS)


def run_of(source: str) -> Run:
    """The snippet, evaluated."""
    return evaluate(PRELUDE + textwrap.dedent(source), FACTS)
