"""How each node's fields are stored: one letter a field.

``r`` as it is (numbers, strings, tuples of strings, None) · ``n`` a node · ``o`` a node or
None · ``m`` a tuple of nodes · ``d`` a tuple of (node or None, node) · ``p`` a tuple of
strings and nodes · ``b`` the statements of a function.
"""

from __future__ import annotations

from typing import Any, Final

from mlapath.ir import nodes as ir
from mlapath.ir import patterns

SCHEMA: Final[tuple[tuple[type[Any], str], ...]] = (
    (ir.Const, "rr"),
    (ir.Name, "rr"),
    (ir.Attr, "rnr"),
    (ir.Subscript, "rnn"),
    (ir.Slice, "rooo"),
    (ir.Keyword, "rn"),
    (ir.Call, "rnmm"),
    (ir.BinOp, "rrnn"),
    (ir.UnaryOp, "rrn"),
    (ir.BoolOp, "rrm"),
    (ir.Compare, "rnrm"),
    (ir.IfExp, "rnnn"),
    (ir.Lambda, "rnn"),
    (ir.Tuple, "rm"),
    (ir.List, "rm"),
    (ir.Set, "rm"),
    (ir.Dict, "rd"),
    (ir.CompFor, "nnmr"),
    (ir.Comp, "rrnom"),
    (ir.Await, "rn"),
    (ir.Yield, "ro"),
    (ir.YieldFrom, "rn"),
    (ir.FormattedValue, "rnro"),
    (ir.JoinedStr, "rp"),
    (ir.NamedExpr, "rnn"),
    (ir.Starred, "rn"),
    (ir.Opaque, "rr"),
    (ir.Param, "roo"),
    (ir.Params, "mmomo"),
    (ir.Scope, "rrrr"),
    (ir.ExprStmt, "rn"),
    (ir.Assign, "rmn"),
    (ir.AugAssign, "rnrn"),
    (ir.AnnAssign, "rnno"),
    (ir.Return, "ro"),
    (ir.Raise, "roo"),
    (ir.Assert, "rno"),
    (ir.If, "rnmm"),
    (ir.While, "rnmm"),
    (ir.For, "rnnmmr"),
    (ir.WithItem, "no"),
    (ir.With, "rmmr"),
    (ir.Handler, "rorm"),
    (ir.Try, "rmmmmr"),
    (ir.Alias, "rr"),
    (ir.Import, "rm"),
    (ir.ImportFrom, "rrmr"),
    (ir.Global, "rr"),
    (ir.Nonlocal, "rr"),
    (ir.Pass, "r"),
    (ir.Break, "r"),
    (ir.Continue, "r"),
    (ir.Delete, "rm"),
    (ir.FunctionDef, "rrnbmornr"),
    (ir.ClassDef, "rrmmmmr"),
    (patterns.MatchValue, "rn"),
    (patterns.MatchSingleton, "rr"),
    (patterns.MatchSequence, "rm"),
    (patterns.MatchStar, "rr"),
    (patterns.MatchMapping, "rmmr"),
    (patterns.MatchClass, "rnmrm"),
    (patterns.MatchAs, "ror"),
    (patterns.MatchOr, "rm"),
    (ir.Case, "nom"),
    (ir.Match, "rnm"),
    (ir.TypeAliasStmt, "rrn"),
    (ir.ModuleIR, "rmr"),
)
