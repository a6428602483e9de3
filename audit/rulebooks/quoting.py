"""The printed words beside a rule, in each loaded language, or why there are none.

A quotation never shows words that are not those the catalogue points at without saying so: a passage that was
edited since comes as `edited`, one that is gone or was never loaded comes without words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import Catalogue, Place, Rule
from audit.core.files import package_folder
from audit.rulebooks.known import Edition, PassageMark, known_edition, rank_of, strongest_first
from audit.rulebooks.links import Matched, Status, compare, marks_of
from audit.rulebooks.moving import paired
from audit.rulebooks.passages import Passage, Rulebook
from audit.rulebooks.segments import segments

CHANGED = (Status.EDITED, Status.SPLIT, Status.JOINED)
"""What asks whether the words of a rule are still the same."""


class QuoteStatus(StrEnum):
    """Whether a rule can be quoted from an edition, and how exactly."""

    QUOTED = "quoted"
    """The very words the catalogue points at, wherever they stand in this edition."""
    CONFIRMED = "confirmed"
    """A person linked this passage to the rule."""
    EDITED = "edited"
    """The passage was found again, and its words have changed since."""
    GONE = "gone"
    """This edition no longer has the passage."""
    UNLINKED = "unlinked"
    """The document is loaded and nobody has linked a passage of it to the rule."""
    NOT_LOADED = "not loaded"
    """The document states the rule, and it is not loaded."""
    SILENT = "silent"
    """The document does not speak to the rule."""


class Quotation(Struct, frozen=True, kw_only=True):
    """What one edition says to one rule: `text` is empty where `standing` tells that nothing can be quoted.

    `heading` is the path of headings, `lines` the first and last line of what is quoted in the loaded file,
    `implied` that the passage takes the rule for granted or shows it in an example, `rank` what the document is to
    its game, `latest` whether this is the edition of it that was loaded last.
    """

    language: str
    document: str
    standing: QuoteStatus
    edition: str = ""
    heading: tuple[str, ...] = ()
    lines: tuple[int, int] = (0, 0)
    text: str = ""
    passages: tuple[str, ...] = ()
    implied: bool = False
    corrected: bool = False
    rank: str = ""
    latest: bool = True

    @property
    def place(self) -> str:
        """Heading and lines in one string, for a caption."""
        first, last = self.lines
        span = f"{first}" if first == last else f"{first}-{last}"
        return " / ".join((*self.heading, span)) if first else ""


class LoadedRulebooks(Protocol):
    """Where the loaded rulebooks are kept."""

    def books(self) -> Sequence[Rulebook]:
        """All editions of all documents, the older ones of a document first."""
        ...

    def links(self, document: str, edition: str) -> Mapping[str, tuple[str, ...]]:
        """The passages a person linked to each rule; none where the document does not say it."""
        ...


class Quoter:
    """Quotes the loaded rulebooks; made once for a replay, asked for each rule of each step."""

    def __init__(
        self, catalogue: Catalogue, rulebook_store: LoadedRulebooks, languages: Iterable[str] = ("fr", "it", "pl")
    ) -> None:
        self.catalogue = catalogue
        self.rulebook_store = rulebook_store
        self.languages = tuple(languages)
        self.books = tuple(strongest_first(rulebook_store.books()))
        self._latest = {book.known_as: book.edition for book in rulebook_store.books()}
        self._matches: dict[tuple[str, str], dict[str, Matched]] = {}

    def of(self, rule: Rule) -> list[Quotation]:
        """One quotation for each loaded edition of each language, or one that says why there is none."""
        return [quotation for language in self.languages for quotation in self._in_language(rule, language)]

    def _in_language(self, rule: Rule, language: str) -> Iterator[Quotation]:
        document = self.catalogue.documents.get(language, "")
        place = rule.places.get(language)
        there = [book for book in self.books if book.known_as == document or book.language == language]
        found = [(book, quoted) for book in there if (quoted := self._from(book, rule, place, document))]
        for book, quoted in found:
            latest = self._latest[book.known_as] == book.edition
            yield replace(quoted, rank=str(rank_of(book.rank)), latest=latest)
        editions = [book for book in there if book.known_as == document]
        others = len(found) > len(editions)
        if not editions and document and not (others and place is None):
            standing = QuoteStatus.NOT_LOADED if place else QuoteStatus.SILENT
            yield Quotation(language=language, document=document, standing=standing)

    def _from_known(self, rule: Rule, place: Place | None, book: Rulebook) -> Quotation:
        linked = self.rulebook_store.links(book.document, book.edition).get(rule.id)
        if linked:
            return _confirmed(book, linked)
        place = place if linked is None else None
        edition = known_edition(book.known_as)
        if place is None or edition is None:
            standing = QuoteStatus.SILENT if place is None else QuoteStatus.UNLINKED
            return Quotation(
                language=book.language, document=book.document, edition=book.edition, standing=standing
            )  # fmt: skip
        addresses = _addresses(self.catalogue.package).get((rule.id, book.language), ())
        return _quoted(book, edition, place, addresses, self._matched(book, edition))

    def _from(self, book: Rulebook, rule: Rule, place: Place | None, document: str) -> Quotation | None:
        """A document that the catalogue does not know is quoted as far as a person linked it."""
        if book.known_as == document:
            return self._from_known(rule, place, book)
        linked = self.rulebook_store.links(book.document, book.edition).get(rule.id)
        return _confirmed(book, linked) if linked else None

    def _matched(self, book: Rulebook, edition: Edition) -> dict[str, Matched]:
        key = (book.document, book.edition)
        if key not in self._matches:
            found = compare(edition, book)
            self._matches[key] = {match.before.id: match for match in found if match.before}
        return self._matches[key]


def _confirmed(book: Rulebook, ids: Sequence[str]) -> Quotation:
    passages = [passage for passage in book.passages if passage.id in ids]
    standing = QuoteStatus.CONFIRMED if passages else QuoteStatus.GONE
    pieces = [(passage, passage.text, passage.lines) for passage in passages]
    return _quotation(book, standing, pieces, implied=False)


Piece = tuple[Passage, str, tuple[int, int]]


def _quoted(
    book: Rulebook, edition: Edition, place: Place, addresses: Sequence[str], matches: Mapping[str, Matched]
) -> Quotation:
    marks = marks_of(place, edition, addresses)
    found = [(mark, matches[mark.id]) for mark in marks if matches[mark.id].after]
    pieces = [piece for mark, match in found for piece in _pieces(mark, match, addresses)]
    changed = any(match.status in CHANGED for _, match in found) and not _all_sentences_stand(
        found, addresses
    )  # fmt: skip
    standing = QuoteStatus.EDITED if changed else QuoteStatus.QUOTED
    return _quotation(book, standing if pieces else QuoteStatus.GONE, pieces, place.implied)


def _pieces(mark: PassageMark, match: Matched, addresses: Sequence[str]) -> Iterator[Piece]:
    """The sentences asked for, an edited one in its new words; where one is not found again, the whole passage."""
    sentences = [(passage, sentence) for passage in match.all_after for sentence in passage.sentences]
    wanted = [one.address for one in mark.sentences if one.address in addresses]
    there = paired(mark, [sentence.fingerprint for _, sentence in sentences])
    if not wanted or any(address not in there for address in wanted):
        yield from ((passage, passage.text, passage.lines) for passage in match.all_after)
        return
    for number in sorted({there[address] for address in wanted}):
        passage, sentence = sentences[number]
        yield passage, sentence.text, sentence.lines


def _all_sentences_stand(found: Sequence[tuple[PassageMark, Matched]], addresses: Sequence[str]) -> bool:
    """Whether every sentence asked for is word for word in the passage that was found again."""
    wanted = {one.fingerprint for mark, _ in found for one in mark.sentences if one.address in addresses}
    there = {
        sentence.fingerprint[:8] for _, match in found for passage in match.all_after for sentence in passage.sentences
    }  # fmt: skip
    return bool(wanted) and wanted <= there


def _quotation(book: Rulebook, standing: QuoteStatus, pieces: Sequence[Piece], implied: bool) -> Quotation:
    passages = tuple(dict.fromkeys(passage.id for passage, _, _ in pieces))
    return Quotation(
        language=book.language, document=book.document, edition=book.edition, standing=standing,
        heading=pieces[0][0].heading if pieces else (),
        lines=_span([span for *_, span in pieces]),
        text=_joined(pieces), passages=passages, implied=implied,
        corrected=any(passage.corrections for passage, _, _ in pieces),
    )  # fmt: skip


def _span(lines: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return (min(first for first, _ in lines), max(last for _, last in lines)) if lines else (0, 0)


def _joined(pieces: Sequence[Piece]) -> str:
    """The pieces in one text; a gap between two of them is shown."""
    text = ""
    for number, (passage, piece, _) in enumerate(pieces):
        gap = "" if not number else " " if _follows(pieces[number - 1], passage, piece) else " […] "
        text += gap + piece
    return text


def _follows(before: Piece, passage: Passage, piece: str) -> bool:
    return before[0].id == passage.id and f"{before[1]} {piece}" in passage.text


@cache
def _addresses(package: str) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The sentences that say a rule, by rule and language, where the ruleset tells."""
    if not package_folder(package).joinpath("segments.toml").is_file():
        return {}
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for segment in segments(package):
        for rule in segment.rules:
            for language, addresses in segment.addresses.items():
                key = (rule, language)
                found[key] = tuple(dict.fromkeys((*found.get(key, ()), *addresses)))
    return found
