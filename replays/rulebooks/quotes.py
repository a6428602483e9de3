"""The printed words beside a step, and the passages that people linked to its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import msgspec
from msgspec import Struct

from audit.core.catalogue import Catalogue, Rule, words
from audit.core.ruleset import Ruleset
from audit.core.sentences import sentence
from audit.rulebooks.quoting import Quotation, Quoter
from replays.judging.sentences import Json
from replays.rulebooks.folder import has_rulebooks
from replays.rulebooks.store import RulebookStore


class PersonalLink(Struct, frozen=True):
    """A link in the latest edition of a document, with the words of its passages; without passages it does not say it.

    `look` tells what became of the passages since the person linked them: edited, split, joined or gone.
    """

    document: str
    edition: str
    language: str
    passages: tuple[str, ...]
    text: str
    by: str
    at: str
    look: str = ""


def personal_links(game: str, catalogue: Catalogue, rule: str) -> list[PersonalLink]:
    """The links of a rule that people made, by document."""
    if not has_rulebooks():
        return []
    from replays.rulebooks.store import RulebookStore

    store = RulebookStore()
    by_time = sorted(store.editions(), key=lambda stored: stored.added)
    latest = {stored.document: stored.rulebook for stored in by_time}
    found = []
    for document, book in sorted(latest.items()):
        link = store.made_links(document, book.edition).get(rule)
        if link and (book.game == game or book.known_as in catalogue.documents.values()):
            text = " ".join(book[passage].text for passage in link.passages)
            found.append(
                PersonalLink(document, book.edition, book.language, link.passages, text, link.by, link.at, link.look)
            )
    return found


def link_lines(links: Iterable[PersonalLink], language: str = "en") -> Iterator[str]:
    """For a terminal: each link with who made it, and the words of its passages."""
    links = list(links)
    if links:
        yield f"  {_word('linked', language)}"
    for link in links:
        said = ", ".join(link.passages) or _word("not said", language)
        marks = ", ".join(filter(None, (link.by, link.look and _word(link.look, language))))
        yield f"    [{link.language}] {link.document} {link.edition[:8]}: {said}" + (f"  ({marks})" if marks else "")
        if link.text:
            yield f"         {link.text}"


def link_json(links: Iterable[PersonalLink]) -> Json:
    """For programs: the same, as a field of the rule."""
    return {"links": [msgspec.to_builtins(link) for link in links]}


def _word(key: str, language: str) -> str:
    return sentence("replays", language, key, {}, "personal")


class RulebookQuotes:
    """Quotations of the user's loaded rulebooks for the rules of one game, each looked up once."""

    def __init__(self, game: Ruleset[object], languages: Sequence[str] = ()) -> None:
        catalogue, rulebook_store = game.catalogue, RulebookStore()
        self._quoter = Quoter(catalogue, rulebook_store, languages or spoken(catalogue, rulebook_store))
        self.of = cache(self._of)

    def printed(self, rule: Rule) -> list[Json]:
        """The quotations that have words, in their published shape."""
        return [quotation_json(one) for one in self.of(rule) if one.text]

    def _of(self, rule: Rule) -> tuple[Quotation, ...]:
        return tuple(self._quoter.of(rule))


def spoken(catalogue: Catalogue, rulebook_store: RulebookStore) -> tuple[str, ...]:
    """The languages a rule may be quoted in: those of the game's documents, then those of other loaded rulebooks."""
    return tuple(dict.fromkeys([*catalogue.documents, *(book.language for book in rulebook_store.books())]))


def quotation_json(quotation: Quotation) -> Json:
    """A quotation in its published shape."""
    data: Json = msgspec.to_builtins(quotation)
    return {**data, "standing": str(quotation.standing), "place": quotation.place}


def quotation_lines(quotations: Sequence[Quotation], language: str = "en") -> Iterator[str]:
    """Quotations for a terminal: the words with document, edition and place; what is not loaded in a word."""
    said_so = words("replays", language, "quotes")
    for said in (one for one in quotations if one.text or one.latest):
        where = f"{said.document} {said.edition[:8]}, {said.place}" if said.text else said.document
        marks = (str(said.standing), *(name for name in ("implied", "corrected") if getattr(said, name)))
        marks = marks if said.latest else (*marks, "superseded")
        yield f"  [{said.language}] {where}  ({', '.join(said_so[mark] for mark in marks)})"
        if said.text:
            yield f"       {said.text}"
