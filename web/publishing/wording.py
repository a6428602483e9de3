"""Headings of published files, and the sentences on how far a file can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import msgspec

from audit.core.catalogue import Place, words
from audit.core.errors import AuditError
from audit.core.ruleset import ruleset
from audit.core.typed_setup import span_text
from web.games.library import Replay, strings
from web.publishing.sources import UNSEALED, Sealed, Source
from web.rulebooks.quotes import Quote

Finder = Callable[[str, str], Sequence[Quote]]


@cache
def words_of(language: str) -> Mapping[str, str]:
    """The words in that language, English where there are none."""
    return words("web", language, "publishing")


def trust_sentences(source: Source, replay: Replay) -> list[str]:
    """How far a file can be trusted, in sentences."""
    say = words_of(replay.language)
    return [
        say["judged"].format(ruleset=replay.ruleset, reading=replay.header.reading),
        say[replay.fidelity].format(inferred=replay.counts["inferred"], step=_diverged(replay)),
        *_judged(replay, say),
        say["seen"].format(viewer=say.get(replay.viewer, replay.viewer)),
        *seal_sentences(source.seal, say),
    ]


def _judged(replay: Replay, say: Mapping[str, str]) -> list[str]:
    """How many steps were not judged, and how many stand no longer, where there are any."""
    counts = replay.counts
    said = []
    if unchecked := counts.get("unchecked", 0):
        steps = sum(counts.values()) - counts.get("recorded", 0)
        said.append(say["unchecked"].format(judged=steps - unchecked, steps=steps))
    if aside := sum(1 for step in replay.steps if step.get("superseded_by")):
        said.append(say["superseded"].format(steps=aside))
    return said


def _diverged(replay: Replay) -> object:
    for step in replay.steps:
        if step.get("seq") == replay.diverged_from and step.get("seq"):
            return step["step"]
    return replay.diverged_from


def seal_sentences(seal: Sealed, say: Mapping[str, str]) -> list[str]:
    """What a seal says of the log, and who signed it."""
    line = say[seal.standing].format(head=seal.head, events=seal.events)
    if seal.standing == UNSEALED:
        return [line]
    signatures = [say["signed" if one.good else "badly"].format(name=one.name, key=one.key) for one in seal.signatures]
    return [line, *signatures]


# Quotations


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
                where = f"{place.section}, {span_text(*place.lines)}"
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
