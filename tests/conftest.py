"""Fixtures that every test may use."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def repo() -> Path:
    """The root of the checkout."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def models(repo: Path) -> Path:
    """The folder of bundled model configurations."""
    return repo / "fixtures" / "models"
