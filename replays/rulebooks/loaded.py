"""What is loaded of the documents of a game: the latest editions, earlier ones, and further documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from audit.core.catalogue import Catalogue
from audit.rulebooks.known import known_edition
from audit.rulebooks.passages import Rulebook
from replays.rulebooks.editions import StoredEdition
from replays.rulebooks.store import RulebookStore


def further_editions(game: str, books: Mapping[str, Rulebook]) -> list[StoredEdition]:
    """The latest loaded edition of each document of a game that is none of these."""
    known = {book.known_as for book in books.values()}
    by_time = sorted(RulebookStore().editions(), key=lambda stored: stored.added)
    latest = {one.rulebook.known_as: one for one in by_time}
    return [one for name, one in latest.items() if name not in known and one.rulebook.game == game]


def linked_books(
    game: str, catalogue: Catalogue, books: Mapping[str, Rulebook]
) -> Iterator[tuple[Rulebook, Mapping[str, tuple[str, ...]]]]:
    """The further documents of a game of which people linked passages to rules, with their answers by rule."""
    rulebook_store = RulebookStore()
    for stored in further_editions(game, books):
        made = rulebook_store.links(stored.document, stored.rulebook.edition)
        answers = {rule: link for rule, link in made.items() if rule in catalogue.rules}
        if any(answers.values()):
            yield stored.rulebook, answers


def earlier_edition(book: Rulebook) -> Rulebook | None:
    """The edition with which a later one is compared: the known one if it is loaded, else that loaded first."""
    known, others = known_edition(book.known_as), earlier_editions(book)
    return next((one for one in others if known and one.edition == known.edition), next(iter(others), None))


def earlier_editions(book: Rulebook) -> list[Rulebook]:
    """The other editions of a document that are loaded, the older ones first."""
    others = [one for one in RulebookStore().editions() if one.rulebook.known_as == book.known_as]
    return [one.rulebook for one in others if one.rulebook.edition != book.edition]


def files_loaded() -> dict[str, str]:
    """The name of the file from which the latest edition of each document was loaded."""
    by_time = sorted(RulebookStore().editions(), key=lambda stored: stored.added)
    return {stored.document: stored.source for stored in by_time}


def latest_editions(catalogue: Catalogue) -> dict[str, Rulebook]:
    """The latest loaded edition of each document of a game, by language."""
    by_time = sorted(RulebookStore().editions(), key=lambda stored: stored.added)
    there = {stored.rulebook.known_as: stored for stored in by_time}
    return {
        language: there[document].rulebook for language, document in catalogue.documents.items() if document in there
    }
