"""The rulebooks beside the project, and a small one of our own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from audit.rulebooks.cutting import cut
from audit.rulebooks.passages import Rulebook

FILES = {
    "compile-faq-fr": "000_c82703dc7eb69492.txt",
    "compile-rules-it": "001_35596babd7de6794.txt",
    "lotr-reveal-fr": "002_d398bcbb2e174039.txt",
    "compile-rules-pl": "003_d4cb1ee045c145d2.txt",
    "altered-rules-fr": "004_01c2b36f1cf0d08f.txt",
}

HOUSE_RULES = """\
# The Lantern Game

A game for two keepers and one lighthouse.

## Taking a turn

The keeper on watch draws two lamps. A third lamp is put back at once.

- Lamps that burn stay on the table.
- Lamps that are out go to the store.

## Questions

**May a keeper look into the store?**

Yes. The store is open to both keepers.

The order of the lamps in it must not change.

**Can a lamp burn twice?**

No. A lamp burns once a night.

## Numbered rules

4.2.a Every night has four watches.

4.2.b After each watch the oil is counted.

Step 4.5: Trim the wicks, then light the lamp.

- BEACON 3: This lamp may be lit by either keeper.
"""


@pytest.fixture
def house_rules() -> str:
    """A small rulebook of our own."""
    return HOUSE_RULES


@pytest.fixture(scope="session")
def rulebook_file(shared: Path) -> Callable[[str], Path]:
    """The file of one of the five documents, by id."""
    return lambda document: shared / "rulebooks" / FILES[document]


@pytest.fixture(scope="session")
def real(rulebook_file: Callable[[str], Path]) -> Callable[[str], Rulebook]:
    """One of the five documents, cut."""
    kept: dict[str, Rulebook] = {}

    def book(document: str) -> Rulebook:
        if document not in kept:
            kept[document] = cut(rulebook_file(document).read_text("utf-8"), document)
        return kept[document]

    return book
