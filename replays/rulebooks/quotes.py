"""The printed words beside a step: what each loaded edition says on a rule, or why it cannot be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from audit.core.catalogue import Catalogue, Rule, words
from audit.core.ruleset import Ruleset
from audit.rulebooks.quoting import Quotation, Quoter
from replays.judging.sentences import Json
from replays.rulebooks.store import RulebookStore


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
