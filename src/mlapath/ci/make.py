"""How values of snapshots are printed in findings."""

from __future__ import annotations


def shown(value: object) -> str:
    """Give a value as a person reads it: ``none`` for None, ``true``, texts as they are."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
