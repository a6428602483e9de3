"""What the documents say of each rule, place by place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from audit.core.catalogue import Catalogue
from audit.rulebooks.compared import addresses_at, known_lines
from audit.rulebooks.segments import Placed, Sentences, Side, Unit


class Saying(Struct, frozen=True):
    """One place of a document: the document's name, the rules that are linked to it, and the sentences there.

    Of a document that the project knows, `beside` has further rules that the catalogue has on its lines.
    """

    document: str
    rules: tuple[str, ...]
    side: Side
    beside: tuple[str, ...] = ()
    known: bool = True


def sayings(units: Iterable[Unit], catalogue: Catalogue, documents: Mapping[str, Sentences]) -> list[Saying]:
    """The sentences of the known documents with the rules they say, by the alignment, else by their lines."""
    aligned: dict[tuple[str, str], list[str]] = {}
    for unit in units:
        for language, addresses in unit.segment.addresses.items():
            for address in addresses:
                aligned.setdefault((language, address), []).extend(unit.segment.rules)
    on_lines: dict[tuple[str, str], list[str]] = {}
    lines = {language: known_lines(sentences) for language, sentences in documents.items()}
    for rule in catalogue:
        for language, place in rule.places.items():
            if language in documents and not place.implied:
                for address in addresses_at(place, lines[language]):
                    on_lines.setdefault((language, address), []).append(rule.id)
    return [
        _saying(language, one, aligned.get((language, address), ()), on_lines.get((language, address), ()))
        for language, sentences in documents.items()
        for address, one in sentences.items()
        if not one.worded_anew and ((language, address) in aligned or (language, address) in on_lines)
    ]


def _saying(language: str, one: Placed, aligned: Sequence[str], on_lines: Sequence[str]) -> Saying:
    rules = tuple(dict.fromkeys(aligned or on_lines))
    return Saying(language, rules, Side(language, (one,)), tuple(rule for rule in on_lines if rule not in rules))
