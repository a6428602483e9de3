"""Text that only says something: nothing in it moves a terminal, turns a line round or breaks a file.

What a log calls its players, its game or anything else is anybody's.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def sanitize_text(text: str) -> str:
    """The text with a replacement character for whatever is obeyed instead of shown, or is no part of any XML."""
    return _UNSAFE.sub("\ufffd", text)
