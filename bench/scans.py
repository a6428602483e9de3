"""How many words of a scan are right after restoring: `python -m bench.scans`.

The truth is `scans-pl.csv`: for ten passages of the scanned Polish rulebook each word that the file has wrong,
by line and number on the line, as a person corrected it. All other words of those lines stand as they were read.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from audit.rulebooks.passages import Line, words
from audit.rulebooks.scans import cleaned
from audit.rulebooks.scans.restoring import restored
from audit.rulebooks.scans.tables import LetterTable, table

HERE = Path(__file__).resolve().parent
SCAN = HERE.parent.parent / "shared" / "rulebooks" / "003_d4cb1ee045c145d2.txt"
SAMPLE = ((16, 16), (18, 23), (31, 34), (44, 49), (56, 58), (75, 84), (94, 108), (192, 203), (211, 215), (249, 250))
ASKED = 0.98


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


def bare(table: LetterTable) -> LetterTable:
    """A table without its word list and pairs of words: letters and the dictionary alone."""
    less = replace(table, word={}, context=())
    vars(less)["words"] = frozenset()
    return less


def by_rule(lines: list[Line]) -> Counter[str]:
    """Corrections of a whole document by the rule that made them."""
    return Counter(change.by for line in lines for change in line.corrections)


def _truth() -> dict[tuple[int, int], str]:
    with (HERE / "scans-pl.csv").open(encoding="utf-8", newline="") as file:
        return {(int(row["line"]), int(row["word"])): row["true"] for row in csv.DictReader(file)}


def _true_words(read: str, number: int, truth: dict[tuple[int, int], str]) -> list[str]:
    tokens = (truth.get((number, index), token) for index, token in enumerate(read.split(), 1))
    return words(" ".join(tokens))


def _agreeing(true: list[str], has: list[str]) -> int:
    """Words in common in order and number: a word too few or too many counts as wrong."""
    return sum(one == other for one, other in zip(true, has, strict=False)) - abs(len(true) - len(has))


def main() -> int:
    """Print the measurement; 1 when it falls short."""
    if not SCAN.exists():
        print(f"needs {SCAN.name} in the folder shared/rulebooks beside the project", file=sys.stderr)
        return 2
    raw = SCAN.read_text("utf-8").splitlines()
    found = measured(raw, table("pl"))
    print(f"ten passages, {found.words} words, {found.right_before / found.words:.1%} right as read")
    print(f"{found.share:.1%} right after restoring; asked for: {ASKED:.0%}")
    print(f"{measured(raw, bare(table('pl'))).share:.1%} with letters and dictionary alone, without the word list")
    for number, has, should in found.wrong:
        print(f"  line {number}: {has!r} should be {should!r}")
    print("corrections in the whole document:", dict(by_rule(cleaned(raw, "pl")).most_common()))
    return 0 if found.share >= ASKED else 1


if __name__ == "__main__":
    sys.exit(main())
