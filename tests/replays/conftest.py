"""What tests of several games at once share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT

NAMES = ("altered-duel", "clean", "dispute", "hidden", "lotr-journey")
"""The games of the season, by the names of their samples."""


@pytest.fixture
def season(tmp_path: Path) -> Path:
    """A folder of five games of three rulesets; one of them has five findings."""
    folder = tmp_path / "season"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.jsonl").write_bytes((ROOT / "replays" / "samples" / f"{name}.jsonl").read_bytes())
    return folder
