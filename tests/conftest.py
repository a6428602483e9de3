"""What all tests share: where things lie, and the same random choices for everybody."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "explore", deadline=None, max_examples=2_000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The rulebooks, facts, situations and games kept beside the project; the test is skipped without them."""
    if not SHARED.is_dir():
        pytest.skip("needs the folder shared/ beside the project")
    return SHARED
