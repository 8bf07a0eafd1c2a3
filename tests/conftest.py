"""Fixtures that every test may use."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# The same examples in every run, however slow the machine is.
settings.register_profile("mlapath", deadline=None, derandomize=True)
settings.load_profile("mlapath")


@pytest.fixture(scope="session")
def repo() -> Path:
    """The root of the checkout."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def models(repo: Path) -> Path:
    """The folder of bundled model configurations."""
    return repo / "fixtures" / "models"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let a process that is done take tests of another: those of real trees take the longest."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)
