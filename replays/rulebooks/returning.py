"""Takes a translator's edited file as new editions of the loaded rulebooks, with what was changed and by whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from audit.core import sentences
from audit.rulebooks.passages import Passage, Rulebook, edition_of, sentence_spans
from audit.rulebooks.segments import Placed, Side, placed
from replays.rulebooks.editions import EditionChange, StoredEdition, now
from replays.rulebooks.exchange import ChangeStatus, Exchange, ExchangeChange
from replays.rulebooks.own_words import SORTS, own_book
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.translation_qa import TranslationQA


class Left(StrEnum):
    """Why a change was not taken over."""

    NEW = "new"
    """The file has a unit, or a language of it, that is not loaded."""
    GONE = "gone"
    """The file does not have a unit, or has it without words."""
    SEVERAL = "several"
    """The unit stands in several passages, and the number of its sentences is another one."""
    TWICE = "twice"
    """Another unit of the file changes the same sentence otherwise."""

    def said(self, language: str) -> str:
        """The reason in words."""
        return sentences.sentence("replays", language, str(self), {}, "exchange")


class Returned(Struct, frozen=True):
    """New editions that a file made, and the changes of it that could not be put in their place, with the reason."""

    editions: tuple[StoredEdition, ...]
    left: tuple[tuple[ExchangeChange, Left], ...] = ()


def take_over(found: Exchange, qa: TranslationQA, by: str, rulebook_store: RulebookStore | None = None) -> Returned:
    """Keep what a translator changed as a new edition of each document.

    PO and TBX change our own statements and terms, which are kept as documents too. The links of the edition before go
    over as with any new edition. What is new or gone in the file is left: only words that are there can be changed.
    """
    store = rulebook_store or RulebookStore()
    books = _own_books(found, qa) if found.format in SORTS else _books(qa)
    sides = _own_sides(books) if found.format in SORTS else _sides(qa)
    editions: list[StoredEdition] = []
    left: list[tuple[ExchangeChange, Left]] = []
    for change in found.changes:
        if change.language not in books and change.state is not ChangeStatus.SAME:
            left.append((change, Left.NEW))
    for language, book in books.items():
        mine = [one for one in found.changes if one.language == language and one.state is not ChangeStatus.SAME]
        changed = _Changed(book)
        for change in mine:
            if why := changed.apply(change, sides.get((change.id, language))):
                left.append((change, why))
        if changed.texts:
            if not store.history(book.document):
                store.put(StoredEdition(book, "the package", found.format, "utf-8", now()))
            editions.append(store.keep_changed(changed.rulebook(), found.name, by, changed.listed()))
    return Returned(tuple(editions), tuple(left))


def _sides(qa: TranslationQA) -> Mapping[tuple[str, str], Side]:
    return {(unit.id, code): side for unit in qa.exchanged() for code, side in unit.sides.items()}


def _books(qa: TranslationQA) -> Mapping[str, Rulebook]:
    """The documents by the name under which a file has them."""
    return {**qa.books, **{one.name: one.book for one in qa.linked_asked}}


def _own_books(found: Exchange, qa: TranslationQA) -> Mapping[str, Rulebook]:
    """Our own statements or terms in the languages of the file, as they were edited last."""
    languages = dict.fromkeys(change.language for change in found.changes)
    words: dict[str, dict[str, str]] = {language: {} for language in languages}
    for change in found.changes:
        if change.before:
            words[change.language][change.id] = change.before
    return {language: own_book(qa.game, found.format, language, said) for language, said in words.items()}


def _own_sides(books: Mapping[str, Rulebook]) -> Mapping[tuple[str, str], Side]:
    """Each rule or concept as the sentences of its passage."""
    found: dict[tuple[str, str], list[Placed]] = {}
    for language, book in books.items():
        for sentence in placed(book).values():
            found.setdefault((sentence.passage, language), []).append(sentence)
    return {key: Side(key[1], tuple(sentences)) for key, sentences in found.items()}


class _Changed:
    """A rulebook with some of its sentences changed."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.there = placed(book)
        self.texts: dict[str, tuple[str, str]] = {}
        """By address of a sentence: the unit that changed it, and its new words."""

    def apply(self, change: ExchangeChange, side: Side | None) -> Left | None:
        """Change the sentences of a unit; why not, or nothing."""
        if side is None or change.state is not ChangeStatus.CHANGED:
            return Left.GONE if change.state is ChangeStatus.GONE else Left.NEW
        new = [change.after[start:end] for start, end in sentence_spans(change.after)]
        if len(new) != len(side.sentences):
            if len({sentence.passage for sentence in side.sentences}) > 1:
                return Left.SEVERAL
            new = [change.after, *[""] * (len(side.sentences) - 1)]
        both = zip(side.sentences, new, strict=True)
        told = {one.address: (change.id, text) for one, text in both if one.text != text}
        if any(self.texts.get(address, mine)[1] != mine[1] for address, mine in told.items()):
            return Left.TWICE
        self.texts |= told
        return None

    def rulebook(self) -> Rulebook:
        """The changed edition; a passage that lost all its words is left out."""
        texts: dict[str, list[str]] = {}
        for address, sentence in self.there.items():
            texts.setdefault(sentence.passage, []).append(self.texts.get(address, ("", sentence.text))[1])
        touched = {self.there[address].passage for address in self.texts}
        passages = [_rewritten(one, texts[one.id]) if one.id in touched else one for one in self.book.passages]
        edition = edition_of(passage.text for passage in passages)
        there = tuple(replace(one, edition=edition) for one in passages if one.text)
        return replace(self.book, edition=edition, passages=there)

    def listed(self) -> tuple[EditionChange, ...]:
        """The changes in the order of the document."""
        return tuple(
            EditionChange(self.texts[address][0], sentence.passage, sentence.text, self.texts[address][1])
            for address, sentence in self.there.items()
            if address in self.texts
        )


def _rewritten(passage: Passage, sentences: Sequence[str]) -> Passage:
    return replace(passage, text=" ".join(filter(None, sentences)), breaks=())


def returned_lines(found: Returned, language: str = "en") -> Iterator[str]:
    """For a terminal: each new edition with its changes, then what was left."""
    for stored in found.editions:
        places = {
            "document": stored.document, "edition": stored.rulebook.edition, "count": len(stored.changes),
            "person": stored.by,
        }  # fmt: skip
        yield sentences.sentence("replays", language, "taken", places, "exchange")
        yield from edition_lines(stored)
    for change, why in found.left:
        unit = f"{change.id} [{change.language}]"
        yield sentences.sentence("replays", language, "left", {"unit": unit, "why": why.said(language)}, "exchange")


def edition_lines(stored: StoredEdition) -> Iterator[str]:
    """The change list of an edition: which unit, which passage, old above new."""
    for change in stored.changes:
        yield f"{change.unit}  {change.passage}"
        yield from (f"  {mark} {text}" for mark, text in (("-", change.before), ("+", change.after)) if text)
