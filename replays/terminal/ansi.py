"""Terminal styles as ANSI codes, and `sanitize_terminal`, which removes every other control code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.core.typography import sanitize_text

_STYLES = {
    "legal": "32",
    "inferred": "36",
    "illegal": "1;31",
    "impossible": "1;35",
    "undetermined": "1;33",
    "unchecked": "35",
    "recorded": "2",
    "struck": "9",
    "seat": "1",
    "turn": "1;33",
    "token": "1;33",
    "done": "1;32",
    "head": "34",
    "total": "2",
    "coming": "33",
    "uppermost": "1",
    "rule": "4",
    "quiet": "2",
}

_OWN_CODES = re.compile(rf"(\x1b\[(?:0|{'|'.join(sorted(set(_STYLES.values())))})m)")


def colour(style: str, text: str) -> str:
    """The text in the colour of a style, with ANSI codes."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if style in _STYLES and text.strip() else text


_ANY_CODE = re.compile(r"\x1b\[[0-9;]*m")
_WORDS = re.compile(r"\s*\S+")
MOST_INDENTED = 3
"""What goes on in the next line is indented by at most this part of the width."""


def wrapped(line: str, width: int) -> Iterator[str]:
    """The line in pieces of that width, broken between words. What goes on is indented two more than the line."""
    indent = " " * min(len(line) - len(line.lstrip(" ")) + 2, width // MOST_INDENTED)
    piece = ""
    for word in _WORDS.findall(line):
        if piece.strip() and len(_ANY_CODE.sub("", piece + word)) > width:
            yield piece
            piece = indent + word.lstrip()
        else:
            piece += word
    yield piece


def sanitize_terminal(line: str) -> str:
    """The line without control codes other than our own styles; it stays one line."""
    parts = _OWN_CODES.split(line.replace("\n", "\ufffd"))
    return "".join(part if at % 2 else sanitize_text(part) for at, part in enumerate(parts))
