"""Editions this package knows, by place, fingerprint and sketch, and recognising a document by them.

A sketch is a short row of numbers. Similar texts have similar sketches, and no text can be recovered from one. It
finds a passage again in a later edition when the earlier one is not at hand.
"""

from __future__ import annotations

import hashlib
import itertools
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache, cached_property

import msgspec
from msgspec import Struct

from audit.core.files import package_folder
from audit.rulebooks.cutting import cut, known_documents
from audit.rulebooks.passages import Passage, Rulebook, fingerprint, words

SKETCH = 64
"""Numbers in a sketch; the likeness read from it is right to about 0.06."""


class SentenceMark(Struct, frozen=True):
    """A sentence by its address (`71.2`: the second that starts on line 71) and the mark of its words."""

    address: str
    fingerprint: str


class PassageMark(Struct, frozen=True):
    """A passage without its words: id, headings as a mark, lines, fingerprint, sketch and its sentences."""

    id: str
    section: str
    lines: tuple[int, int]
    fingerprint: str
    sketch: str
    sentences: tuple[SentenceMark, ...] = ()
    apart: bool = False
    text: str = ""

    def overlaps(self, first: int, last: int) -> bool:
        """Whether any of its lines lies between `first` and `last`."""
        return self.lines[0] <= last and first <= self.lines[1]


class Edition(Struct, frozen=True, dict=True):
    """One edition of a document as its marks, in the order of the document."""

    document: str
    language: str
    edition: str
    marks: tuple[PassageMark, ...]

    @cached_property
    def homes(self) -> dict[str, PassageMark]:
        """The passage each sentence address stands in."""
        return {sentence.address: mark for mark in self.marks for sentence in mark.sentences}

    def at(self, first: int, last: int) -> tuple[PassageMark, ...]:
        """The passages on these lines."""
        return tuple(mark for mark in self.marks if mark.overlaps(first, last))


def describe_edition(book: Rulebook, *, with_text: bool = False) -> Edition:
    """The marks of an edition; `with_text` keeps the words, for a comparison that goes no further."""
    counts: Counter[int] = Counter()
    marks = tuple(_mark(passage, counts, with_text) for passage in book.passages)
    return Edition(book.document, book.language, book.edition, marks)


@cache
def known_edition(document: str) -> Edition | None:
    """The edition of a document whose places the catalogue gives; nothing when no such document is known."""
    path = package_folder("audit.rulebooks.editions").joinpath(f"{document}.toml")
    return from_toml(path.read_text("utf-8")) if path.is_file() else None


def from_toml(text: str) -> Edition:
    """An edition from its file."""
    data = tomllib.loads(text)
    marks = tuple(_from_entry(entry) for entry in data["passage"])
    return Edition(data["document"], data["language"], data["edition"], marks)


def sketch(text: str) -> str:
    """Four hexadecimal digits for each number of the sketch."""
    grams = list(_grams(words(text)))
    hashes = [int.from_bytes(hashlib.blake2b(gram.encode(), digest_size=8).digest()) for gram in grams]
    return "".join(f"{_least(hashes, row):04x}" for row in range(SKETCH))


def likeness(one: str, other: str) -> float:
    """How much two sketched texts have in common, from 0 to 1."""
    same = sum(one[at : at + 4] == other[at : at + 4] for at in range(0, 4 * SKETCH, 4))
    return same / SKETCH


def _least(hashes: list[int], row: int) -> int:
    factor, shift = (row * 0x9E3779B97F4A7C15 | 1), row * 0xC2B2AE3D27D4EB4F
    return min(((value * factor + shift) >> 20) & 0xFFFFFFFF for value in hashes) & 0xFFFF if hashes else 0


def _grams(found: list[str]) -> Iterator[str]:
    yield from found
    yield from map(" ".join, itertools.pairwise(found))


def _mark(passage: Passage, counts: Counter[int], with_text: bool) -> PassageMark:
    return PassageMark(
        passage.id, fingerprint(passage.section), passage.lines, passage.fingerprint,
        "" if with_text else sketch(passage.text),
        tuple(_sentence_marks(passage, counts)), passage.apart, passage.text if with_text else "",
    )  # fmt: skip


def _sentence_marks(passage: Passage, counts: Counter[int]) -> Iterator[SentenceMark]:
    for sentence in passage.sentences:
        first = sentence.lines[0]
        counts[first] += 1
        yield SentenceMark(f"{first}.{counts[first]}", sentence.fingerprint[:8])


def _from_entry(entry: dict[str, object]) -> PassageMark:
    pairs = (pair.split(":") for pair in str(entry.pop("sentences", "")).split())
    sentences = tuple(SentenceMark(address, print_) for address, print_ in pairs)
    return msgspec.convert({**entry, "sentences": [msgspec.to_builtins(one) for one in sentences]}, PassageMark)


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
