"""A table with its judge and a key folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.table import EVENTS, Table


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table that the test may change as it likes."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    return Table(tmp_path, events=EVENTS)
