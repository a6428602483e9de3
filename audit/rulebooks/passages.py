"""A rulebook cut into passages: what it says, where it stands, and what was read before it was corrected.

The text belongs to the reader who loaded the document; nothing of it is part of this package. A passage is
known by its id (document, heading, number or key), by its place, and by the fingerprint of its words.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct

_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"[.!?…]+[”»\"')\]*]*(?=\s)")
_OPENS_SENTENCE = re.compile(r"[\s\"'«„“(\[*•-]*[A-ZÀ-ÖØ-ÞĀĄĆĘŁŃÓŚŹŻ0-9]")
_NUMBERING = re.compile(r"^(?:\d{1,2}|[A-Z])\.$")
_SHORT_FORM = re.compile(r"\s(?:etc|ex|cf|np|tj|es|ecc|p)\.$")
_QUOTED = re.compile(r"«[^«»]*»|\([^()]*\)|“[^“”]*”|„[^„”]*”|\"[^\"]*\"")


class Kind(StrEnum):
    """What a passage is in its document."""

    PARAGRAPH = "paragraph"
    BULLET = "bullet"
    QUESTION = "question"
    ANSWER = "answer"
    RULE = "rule"
    STEP = "step"
    CLARIFICATION = "clarification"
    TERM = "term"
    NOTE = "note"


class Correction(Struct, frozen=True):
    """One change between what was read and what is shown: the line, both forms, the rule that made it."""

    line: int
    read: str
    shown: str
    by: str


class Line(Struct, frozen=True):
    """One line of a document: as read, and as shown after corrections. Numbers count from 1."""

    number: int
    read: str
    shown: str
    corrections: tuple[Correction, ...] = ()


class Sentence(Struct, frozen=True):
    """One sentence of a passage; its id is the passage's id and its position: `compile-faq-fr/q4/1.s2`."""

    id: str
    text: str
    lines: tuple[int, int]

    @property
    def fingerprint(self) -> str:
        """The mark of its words."""
        return fingerprint(self.text)


class Passage(Struct, frozen=True, kw_only=True):
    """One passage of one edition of one document.

    `heading` is the path of headings above it (for an answer the question is the last of them), `key` what
    the document itself calls it (`4.2.b`, `Q4`, `VIE 0`, a term), `lines` the first and last original line,
    `read` the text as it stands in the file, `text` the text to show. `breaks` tells at which offset of
    `text` each original line begins. `apart` marks what is no rule: credits, flavour, pictured cards.
    """

    id: str
    document: str
    edition: str
    language: str
    text: str
    lines: tuple[int, int]
    kind: Kind = Kind.PARAGRAPH
    heading: tuple[str, ...] = ()
    key: str = ""
    read: str = ""
    corrections: tuple[Correction, ...] = ()
    breaks: tuple[tuple[int, int], ...] = ()
    apart: bool = False

    @property
    def fingerprint(self) -> str:
        """The mark of its words; case, blanks and punctuation do not count."""
        return fingerprint(self.text)

    @property
    def section(self) -> str:
        """The headings above it in one line."""
        return " / ".join(self.heading)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its sentences in order, each with the lines it stands on."""
        spans = enumerate(sentence_spans(self.text), 1)
        return tuple(
            Sentence(f"{self.id}.s{number}", self.text[start:end], self._lines_of(start, end))
            for number, (start, end) in spans
        )

    def overlaps(self, first: int, last: int) -> bool:
        """Whether any of its lines lies between `first` and `last`."""
        return self.lines[0] <= last and first <= self.lines[1]

    def _lines_of(self, start: int, end: int) -> tuple[int, int]:
        first = last = self.lines[0]
        for offset, line in self.breaks:
            if offset <= start:
                first = line
            if offset < end:
                last = line
        return first, max(first, last)


class Rulebook(Struct, frozen=True, kw_only=True):
    """One edition of a document, cut: all passages in the order of the document.

    `like` is the known document of which it is an edition where its own id is another; `rank` is what it is to its
    game: rules, faq, ruling or errata.
    """

    document: str
    language: str
    edition: str
    passages: tuple[Passage, ...]
    lines: int
    shape: str = ""
    game: str = ""
    like: str = ""
    rank: str = ""

    @property
    def known_as(self) -> str:
        """The id under which its places and links are known."""
        return self.like or self.document

    @property
    def rules(self) -> tuple[Passage, ...]:
        """The passages that speak of the game; credits and flavour are left out."""
        return tuple(passage for passage in self.passages if not passage.apart)

    def at(self, first: int, last: int) -> tuple[Passage, ...]:
        """The passages on these original lines."""
        return tuple(passage for passage in self.passages if passage.overlaps(first, last))

    def __getitem__(self, id: str) -> Passage:
        """The passage of that id; raises `KeyError`."""
        for passage in self.passages:
            if passage.id == id:
                return passage
        raise KeyError(id)


def words(text: str) -> list[str]:
    """The words of a text in one spelling: no case, no punctuation, composed letters."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def fingerprint(text: str) -> str:
    """Sixteen hexadecimal digits that stand for the words of a text."""
    return hashlib.sha256(" ".join(words(text)).encode()).hexdigest()[:16]


def edition_of(lines: Iterable[str]) -> str:
    """The fingerprint of a whole document, from its lines as read."""
    return fingerprint("\n".join(lines))


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence: a stop, then a blank, then a capital, a digit or an opening mark.

    A stop inside quotation marks or brackets ends nothing: a card that is quoted stays in its sentence.
    """
    start = 0
    for match in _SENTENCE_END.finditer(_QUOTED.sub(_hushed, text)):
        end = match.end()
        piece = text[start:end]
        if _NUMBERING.match(piece) or _SHORT_FORM.search(piece) or not _OPENS_SENTENCE.match(text[end:]):
            continue
        yield start, end
        start = end + len(text[end:]) - len(text[end:].lstrip())
    if text[start:].strip():
        yield start, len(text)


def _hushed(quoted: re.Match[str]) -> str:
    """A quotation without its inner stops; one that ends a sentence by itself still does."""
    text = quoted.group()
    keep = 2 if text[-1] == "»" else 0
    body = re.sub(r"[.!?…]", ",", text[: len(text) - keep])
    return body + text[len(text) - keep :]


def slug(text: str, limit: int = 5) -> str:
    """The first words of a title as a part of an id: `jouer-une-carte`."""
    plain = unicodedata.normalize("NFKD", text.replace("ł", "l").replace("Ł", "L"))
    ascii_only = plain.encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9.]*[a-z0-9]", ascii_only)[:limit])
