"""What an edition says otherwise than one that was loaded before it, of a document of which no record is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from audit.core.catalogue import Catalogue
from audit.rulebooks.clauses.known_sentences import stated_by
from audit.rulebooks.clauses.since import since_known
from audit.rulebooks.findings import Finding
from audit.rulebooks.known import known_edition
from audit.rulebooks.passages import Rulebook
from audit.rulebooks.qa import sentences_of
from audit.rulebooks.terms import TermBase


def since_earlier(
    catalogue: Catalogue, language: str, earlier: Rulebook, book: Rulebook, base: TermBase
) -> Iterator[Finding]:
    """What a document states otherwise than an earlier edition of it, sentence by sentence, where a rule is said."""
    before, now = (sentences_of(catalogue.package, language, one) for one in (earlier, book))
    said = stated_by(before, language, _rules_said(catalogue, language), base)
    yield from since_known(said, language, now, base)


def _rules_said(catalogue: Catalogue, language: str) -> Mapping[str, tuple[str, ...]]:
    """The rules that each sentence of the known edition says, by its address: those whose place is its line."""
    document = known_edition(catalogue.documents[language])
    found: dict[str, tuple[str, ...]] = {}
    for address, mark in document.homes.items() if document else ():
        line = int(address.partition(".")[0])
        near = _rules_on(catalogue, language, (line, line)) or _rules_on(catalogue, language, mark.lines)
        if near:
            found[address] = near
    return found


def _rules_on(catalogue: Catalogue, language: str, lines: tuple[int, int]) -> tuple[str, ...]:
    return tuple(
        rule.id
        for rule in catalogue
        if (place := rule.places.get(language))
        and any(first <= lines[1] and lines[0] <= last for first, last in (place.lines, *place.also_at))
    )
