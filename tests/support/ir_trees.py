"""IR to compare: what each of the two lowerings makes of a text, and equality without traps."""

from __future__ import annotations

from typing import Any

from mlapath.ir import nodes as ir
from mlapath.ir.from_ast.module import body_from_ast
from mlapath.ir.from_cst.module import body_from_cst
from mlapath.ir.lower import normalised
from mlapath.ir.stored import StoredBody

LOWERINGS = {"ast": body_from_ast, "libcst": body_from_cst}


def module_by(lowering: str, text: str) -> ir.ModuleIR:
    """The IR of ``text`` by one of the ``LOWERINGS``."""
    return ir.ModuleIR("p.py", *LOWERINGS[lowering](normalised(text)))


def comparable(node: Any) -> Any:
    """With the types of nodes and constants told apart: as tuples, 1, 1.0 and True are equal."""
    if isinstance(node, ir.Const):
        return ("Const", node.pos, repr(node.value))
    if isinstance(node, StoredBody):
        return comparable(node.statements)
    if isinstance(node, tuple):
        name = type(node).__name__
        parts = tuple(comparable(part) for part in node)
        return parts if name == "tuple" else (name, *parts)
    return node
