"""By what the page of a bundle is known, without loading what reads it."""

from __future__ import annotations

START = '<script type="application/json" id="case">'
"""What stands before the data of a bundle in its page."""


def is_bundle(data: bytes) -> bool:
    """Whether a file is the page of a bundle."""
    return data.startswith(b"<!doctype html>\n") and data.count(START.encode()) == 1
