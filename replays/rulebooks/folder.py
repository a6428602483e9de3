"""Where loaded rulebooks are kept. To know that there are none, nothing that reads rulebooks has to be loaded."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def rulebooks_folder() -> Path:
    """Where rulebooks are kept: `AUDIT_DATA_DIR`, or the folder the system has for a user's data."""
    base = os.environ.get("AUDIT_DATA_DIR") or platformdirs.user_data_dir("audit", appauthor=False)
    return Path(base) / "rulebooks"


def has_rulebooks() -> bool:
    """Whether any rulebook is loaded."""
    return any(rulebooks_folder().glob("*/*.json"))
