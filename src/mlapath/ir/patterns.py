"""The patterns of ``match``, which are nodes as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from mlapath.ir.nodes import Expr, Pos


class MatchValue(NamedTuple):
    pos: Pos
    value: Expr


class MatchSingleton(NamedTuple):
    pos: Pos
    value: bool | None


class MatchSequence(NamedTuple):
    pos: Pos
    patterns: tuple[Pattern, ...]


class MatchStar(NamedTuple):
    pos: Pos
    name: str | None


class MatchMapping(NamedTuple):
    pos: Pos
    keys: tuple[Expr, ...]
    patterns: tuple[Pattern, ...]
    rest: str | None


class MatchClass(NamedTuple):
    pos: Pos
    cls: Expr
    patterns: tuple[Pattern, ...]
    kwd_attrs: tuple[str, ...]
    kwd_patterns: tuple[Pattern, ...]


class MatchAs(NamedTuple):
    """``pattern as name``; both None is ``_``."""

    pos: Pos
    pattern: Pattern | None
    name: str | None


class MatchOr(NamedTuple):
    pos: Pos
    patterns: tuple[Pattern, ...]


Pattern: TypeAlias = (
    MatchValue | MatchSingleton | MatchSequence | MatchStar | MatchMapping | MatchClass
    | MatchAs | MatchOr
)  # fmt: skip
