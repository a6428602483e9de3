"""Reads a YAML file with the parser in C, where PyYAML was built with it: five times as fast."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> Any:
    """What the file holds."""
    return yaml.load(path.read_text("utf-8"), Loader=_LOADER)
