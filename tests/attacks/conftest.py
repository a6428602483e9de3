"""A table with its judge and a key folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.table import Table


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)
