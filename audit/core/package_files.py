"""The files that a package brings with it: its words, its signs, its cases.

`importlib.resources` finds them in archives as well, but to load it takes as long as thirty modules of ours.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path


def package_folder(package: str) -> Path:
    """The folder of that package."""
    return Path(import_module(package).__path__[0])
