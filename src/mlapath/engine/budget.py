"""The limits of an evaluation, all in one place; each hit is recorded and widens."""

from __future__ import annotations

from typing import Any


class OutOfBudget(Exception):  # noqa: N818 - a signal that ends the evaluation
    """The evaluation did more steps than allowed."""


class Budget:
    """Counts steps (statements and loop rounds)."""

    __slots__ = ("limit", "steps")

    def __init__(self, limit: int = 20_000_000) -> None:
        self.limit = limit
        self.steps = 0

    def step(self, it: Any) -> None:
        """One step."""
        self.steps += 1
        if self.steps > self.limit:
            raise OutOfBudget(f"more than {self.limit} steps")
