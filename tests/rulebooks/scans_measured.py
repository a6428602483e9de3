"""How many words of a scan are right after restoring.

The truth is `scans-pl.csv`: for ten passages of the scanned Polish rulebook each word that the file has wrong,
by line and number on the line, as a person corrected it. All other words of those lines stand as they were read.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from audit.rulebooks.passages import words
from audit.rulebooks.scans.restoring import LetterTable, restored

HERE = Path(__file__).resolve().parent
SAMPLE = ((16, 16), (18, 23), (31, 34), (44, 49), (56, 58), (75, 84), (94, 108), (192, 203), (211, 215), (249, 250))


@dataclass(frozen=True)
class Measured:
    """Words of the sample, how many the scan had right, how many are right now, and those that are not."""

    words: int
    right_before: int
    right_after: int
    wrong: tuple[tuple[int, str, str], ...]

    @property
    def share(self) -> float:
        """The share of words that are right after restoring."""
        return self.right_after / self.words


def measured(raw: list[str], table: LetterTable) -> Measured:
    """Compare the restored lines of the sample, word by word, with the truth."""
    truth, shown = _truth(), restored(raw, table)
    total = before = after = 0
    wrong: list[tuple[int, str, str]] = []
    for number in (number for first, last in SAMPLE for number in range(first, last + 1)):
        true = _true_words(raw[number - 1], number, truth)
        total += len(true)
        before += _agreeing(true, words(raw[number - 1]))
        now = words(shown[number - 1].shown)
        after += _agreeing(true, now)
        wrong += [(number, has, should) for has, should in zip(now, true, strict=False) if has != should]
    return Measured(total, before, after, tuple(wrong))


def _truth() -> dict[tuple[int, int], str]:
    with (HERE / "scans-pl.csv").open(encoding="utf-8", newline="") as file:
        return {(int(row["line"]), int(row["word"])): row["true"] for row in csv.DictReader(file)}


def _true_words(read: str, number: int, truth: dict[tuple[int, int], str]) -> list[str]:
    tokens = (truth.get((number, index), token) for index, token in enumerate(read.split(), 1))
    return words(" ".join(tokens))


def _agreeing(true: list[str], has: list[str]) -> int:
    """Words in common in order and number: a word too few or too many counts as wrong."""
    return sum(one == other for one, other in zip(true, has, strict=False)) - abs(len(true) - len(has))
