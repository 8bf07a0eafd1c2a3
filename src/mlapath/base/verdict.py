"""The four answers to "does this run?"."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """Whether a piece of code runs in a deployment.

    ``ALWAYS``: in every step that completes. ``CONDITIONAL``: when its condition holds.
    ``NEVER``: proved that it cannot. ``UNPROVEN``: neither reached nor excluded.
    """

    ALWAYS = "always"
    CONDITIONAL = "conditional"
    NEVER = "never"
    UNPROVEN = "unproven"
