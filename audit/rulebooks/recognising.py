"""Recognises a document by its sentences, whatever it is called."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from audit.rulebooks.cutting import cut, known_documents
from audit.rulebooks.known import known_edition
from audit.rulebooks.passages import Rulebook, fingerprint, words

FEWEST_SENTENCES = 5
"""Fewer known sentences than these are a quotation, not an edition."""

LEAST_SHARE = 0.25
"""Of the longer sentences of a document so many are known, or it is another document."""

SHORTEST = 4
"""Words of a sentence that says where it comes from; a shorter one stands in many documents."""


class Rank(StrEnum):
    """What a document is to its game, the strongest first: each overrides those after it."""

    ERRATA = "errata"
    RULING = "ruling"
    FAQ = "faq"
    RULES = "rules"


def rank_of(kind: str) -> Rank:
    """The rank of a document of that kind; rules where nothing else is known."""
    return Rank(kind) if kind in set(Rank) else Rank.RULES


def strongest_first(books: Iterable[Rulebook]) -> list[Rulebook]:
    """Documents by rank; those of one rank keep their order."""
    order = tuple(Rank)
    return sorted(books, key=lambda book: order.index(rank_of(book.rank)))


def recognised(text: str, language: str) -> str:
    """The known document of which this text is an edition; empty where it is of none."""
    names = [name for name, known in known_documents().items() if known.language == language]
    shares = {name: _share(cut(text, name), name) for name in names}
    best = max(names, key=lambda name: shares[name], default="")
    return best if best and shares[best] >= LEAST_SHARE else ""


def _share(book: Rulebook, document: str) -> float:
    """How much of a document's longer sentences an edition has."""
    known = known_edition(document)
    marks = {one.fingerprint for mark in known.marks for one in mark.sentences} if known else set()
    longer = [one.text for passage in book.passages for one in passage.sentences if len(words(one.text)) >= SHORTEST]
    same = sum(fingerprint(text)[:8] in marks for text in longer)
    return same / len(longer) if same >= FEWEST_SENTENCES else 0.0
