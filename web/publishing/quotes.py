"""Quotations in published files: where the printed words stand and, on request, the words themselves.

A published file is given away, and a rulebook belongs to its publisher; see docs/decisions. Without `--quotes` the
file names only the places known to the catalogue, so the same game gives the same file on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from audit.core.catalogue import Place
from audit.core.errors import AuditError
from audit.core.ruleset import ruleset
from web.games.library import Replay, strings
from web.publishing.wording import words_of
from web.rulebooks.quotes import Quote

Finder = Callable[[str, str], Sequence[Quote]]


class Printed:
    """The quotations of a published file: from the loaded rulebooks, or places alone where there is no finder."""

    def __init__(self, finder: Finder | None, language: str) -> None:
        self._finder = finder
        self._say = words_of(language)

    def of(self, ruleset_name: str, rule: str) -> Sequence[Quote]:
        """For each edition that says the rule: its words, or where they stand."""
        try:
            catalogue = ruleset(ruleset_name).catalogue
            found = catalogue[rule]
        except AuditError:
            return ()
        printed = self._finder(ruleset_name, found.id) if self._finder else ()
        quoted = [self._marked(quote) for quote in printed if quote.text]
        there = {quote.language for quote in quoted}
        return [*quoted, *self._places(found.places, catalogue.documents, there)]

    def version(self) -> str:
        """Never changes: a file is made once."""
        return "published"

    def _marked(self, quote: Quote) -> Quote:
        return quote if quote.fits else msgspec.structs.replace(quote, place=f"{quote.place} ({self._say['unfit']})")

    def _places(self, places: Mapping[str, Place], documents: Mapping[str, str], there: set[str]) -> Iterator[Quote]:
        for code, place in places.items():
            if code not in there:
                where = f"{place.section}, {place.lines[0]}–{place.lines[1]}"
                unloaded = f" ({self._say['unloaded']})" if self._finder else ""
                yield Quote(code, "", documents.get(code, code), "", where + unloaded)


def for_sheet(finder: Finder, language: str) -> Finder:
    """Finds the printed words of a rule; where no edition of it is loaded, the places alone."""

    def found(ruleset_name: str, rule: str) -> Sequence[Quote]:
        quotes = Printed(finder, language).of(ruleset_name, rule)
        return quotes if any(quote.text for quote in quotes) else Printed(None, language).of(ruleset_name, rule)

    return found


def printed_json(replay: Replay, printed: Printed) -> dict[str, list[dict[str, object]]]:
    """The printed words of every cited rule, or their places, for a record."""
    cited = dict.fromkeys(rule for step in replay.steps for rule in strings(step.get("rules")))
    found = {rule: printed.of(replay.ruleset, rule) for rule in cited}
    return {rule: [msgspec.to_builtins(quote) for quote in quotes] for rule, quotes in found.items() if quotes}


def quoted_json(replay: Replay, finder: Finder) -> dict[str, list[dict[str, object]]]:
    """The passages themselves of every cited rule, so that the file can be made again without the rulebooks."""
    cited = dict.fromkeys(rule for step in replay.steps for rule in strings(step.get("rules")))
    found = {rule: [quote for quote in finder(replay.ruleset, rule) if quote.text] for rule in cited}
    return {rule: [msgspec.to_builtins(quote) for quote in quotes] for rule, quotes in found.items() if quotes}


def source_line(quote: Quote) -> str:
    """Document, edition and place of a quotation."""
    return ", ".join(filter(None, (quote.document, quote.edition[:8], quote.place)))
