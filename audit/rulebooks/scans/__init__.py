"""What a scan did to the letters, undone: rules, a word list and a dictionary, each change recorded.

What goes wrong in a language is data (`pl.toml`, `pl-words.txt`). The dictionary is Morfeusz where it is
installed; without it the word list alone decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.rulebooks.passages import Line
from audit.rulebooks.scans.restoring import restored
from audit.rulebooks.scans.tables import table

__all__ = ["cleaned"]


def cleaned(raw: Sequence[str], language: str) -> list[Line]:
    """The lines of a scan with their letters restored; each keeps what was read and what was changed."""
    return restored(raw, table(language))
