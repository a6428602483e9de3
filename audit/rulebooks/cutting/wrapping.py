"""Puts the lines of a text together that was wrapped at a width, as an e-mail or another extraction has it.

A line is full where the first word of the next one would not have found room on it. In a text whose lines end where
its paragraphs do, or where a page set in type breaks them, hardly any is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from audit.rulebooks.passages import Line

WIDEST = 120
"""No text is wrapped wider."""
_FEWEST = 20
"""Lines that are about as wide as the text, at least, before anything can be told."""
_WIDE = 0.6
_MOSTLY = 0.5
_BEGINS = re.compile(r"[-*•▪◦¢–—#|>]\s|\d{1,2}[.)]\s")
"""A line that begins an entry of a list, a heading or a row of a table goes on from none."""


def whole_lines(lines: Sequence[Line]) -> list[list[Line]]:
    """Each line alone, or with those that go on from it where the text was wrapped."""
    width = _width([line.shown for line in lines])
    found: list[list[Line]] = []
    for line in lines:
        if width and found and _is_full(found[-1][-1].shown, line.shown, width):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _width(texts: Sequence[str]) -> int:
    """The width at which a text was wrapped; 0 where it was not."""
    width = max(map(len, texts), default=0)
    wide = [(one, after) for one, after in pairwise(texts) if after and len(one) >= _WIDE * width]
    if width > WIDEST or len(wide) < _FEWEST:
        return 0
    full = sum(_is_full(one, after, width) for one, after in wide)
    return width if full >= _MOSTLY * len(wide) else 0


def _is_full(one: str, after: str, width: int) -> bool:
    if not one or not after or _BEGINS.match(after):
        return False
    return len(one) + 1 + len(after.split(maxsplit=1)[0]) > width
