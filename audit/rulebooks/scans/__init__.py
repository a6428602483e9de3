"""Corrects letters that a scan got wrong, by rules, a word list and a dictionary; each change is recorded.

What goes wrong in a language is data (`pl.toml`, `pl-words.txt`). The dictionary is Morfeusz where it is
installed; without it the word list alone decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.core.files import package_folder
from audit.rulebooks.passages import Line
from audit.rulebooks.scans.restoring import restored, table

__all__ = ["cleaned", "suspected"]

MISREAD = 0.02
"""The share of words with an impossible letter from which on a document is taken for a scan."""


def cleaned(raw: Sequence[str], language: str) -> list[Line]:
    """The lines of a scan with their letters restored; each keeps what was read and what was changed."""
    return restored(raw, table(language))


def suspected(raw: Sequence[str], language: str) -> bool:
    """Whether a document looks like a scan whose letters this package can restore."""
    if not package_folder("audit.rulebooks.scans").joinpath(f"{language or '-'}.toml").is_file():
        return False
    impossible = set(table(language).impossible)
    found = [word for line in raw for word in line.split() if sum(map(str.isalpha, word)) > 1]
    misread = sum(bool(set(word.strip(".,;:!?")) & impossible) for word in found)
    return misread > len(found) * MISREAD
