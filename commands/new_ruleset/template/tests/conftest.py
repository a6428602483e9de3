"""Tests run on the game as it is installed."""

from __future__ import annotations

import pytest
from audit.core.ruleset import rulesets

NAME = "example-game"


def pytest_configure() -> None:
    """Say in one line what is missing where the game is not installed."""
    if NAME not in rulesets():
        raise pytest.UsageError(f"{NAME} is not installed; in the folder of its pyproject.toml: pip install -e .")
