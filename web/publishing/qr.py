"""QR codes that lead to a step, as runs of dark squares. Needs the package segno (`audit[pictures]`)."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

Run = tuple[float, float, float, float]
"""From the left, from the top, how wide and how high: parts of the whole."""


@lru_cache(maxsize=64)
def runs(words: str) -> tuple[Run, ...]:
    """The dark runs of the code of some words; none where the package is missing."""
    try:
        import segno
    except ImportError:
        return ()
    rows = [list(row) for row in segno.make(words, micro=False, error="m").matrix]
    side = 1 / len(rows)
    found = []
    for number, row in enumerate(rows):
        at = 0
        for dark, cells in groupby(row):
            length = len(list(cells))
            if dark:
                found.append((at * side, number * side, length * side, side))
            at += length
    return tuple(found)


def path_of(words: str) -> str:
    """The code as the path of a picture 100 wide and high."""
    return "".join(
        f"M{100 * x:.3f} {100 * y:.3f}h{100 * w:.3f}v{100 * h:.3f}h-{100 * w:.3f}z" for x, y, w, h in runs(words)
    )
