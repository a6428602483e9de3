"""Removes control characters from text: nothing in it can drive a terminal, turn a line round or break a file.

A log may call its players, its game and everything else what it likes.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def sanitize_text(text: str) -> str:
    """The text with a replacement character for each control character and each character that XML forbids."""
    return _UNSAFE.sub("\ufffd", text)
