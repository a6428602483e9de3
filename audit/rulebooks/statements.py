"""What our own statements and the documents say of each rule, place by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.rulebooks.clauses.together import names_of
from audit.rulebooks.findings import Finding, Kind
from audit.rulebooks.matrix import addresses_at, known_lines
from audit.rulebooks.opposites import ONLY
from audit.rulebooks.segments import Placed, Sentences, Side, Unit
from audit.rulebooks.terms import TermBase

FEWEST = 2
"""Languages of our statement that say a thing, so that it is no chance of a word."""
_PARTIES = frozenset({"opponent", "turn-player"})


@lru_cache(maxsize=4_000)
def stated_in(catalogue: Catalogue, rule: str, base: TermBase) -> Counter[str]:
    """In how many languages our statement of a rule says each thing."""
    counts = Counter[str]()
    for language in LANGUAGES:
        counts.update(names_of(catalogue.statement(catalogue[rule], language), language, base))
    return counts


def says_so(catalogue: Catalogue, rule: str, found: Finding, base: TermBase) -> bool:
    """Whether our statement says what the second side of a contradiction says, so that the first speaks of more.

    A plain statement obliges as much as one with "must", and one with "only" tells when a thing may be. Where it names
    neither of two parties, they are those of two parts of it. Two numbers that are both stated count two things.
    """
    stated, said = stated_in(catalogue, rule, base), dict(found.data)
    values = {name.partition(":")[2]: number for name, number in stated.items()}
    mine, theirs = (values.get(said.get(name, ""), 0) for name in ("left", "right"))
    if found.kind is Kind.NUMBER:
        return not any(_is_counted(name) and times >= FEWEST for name, times in stated.items()) or all(
            _has_number(stated, said.get(name, "")) for name in ("left", "right")
        )
    is_limit = stated[ONLY] >= FEWEST and {said.get("left"), said.get("right")} == {"may", "must"}
    names_no_party = not mine and not theirs and {said.get("left"), said.get("right")} == _PARTIES
    if is_limit or names_no_party:
        return True
    if found.kind is Kind.MODALITY and said.get("right") == "must" and (theirs >= FEWEST or not mine):
        return True
    return found.kind in (Kind.MODALITY, Kind.PLACE, Kind.ACTOR) and theirs >= FEWEST and not mine


def is_of_another_rule(
    catalogue: Catalogue, rule: str, found: Finding, beside: Sequence[Collection[str]], base: TermBase
) -> bool:
    """Whether a word of a contradiction is what another rule of its passage says, and no statement of this one its
    opposite.

    `beside` has the other rules of the passage of each side.
    """
    if found.kind is not Kind.MODALITY:
        return False
    mine = stated_in(catalogue, rule, base)
    names = [f"modality:{value}" for value in (dict(found.data)["left"], dict(found.data)["right"])]
    return any(
        mine[other] < FEWEST and mine[name] < FEWEST
        and any(stated_in(catalogue, each, base)[name] >= FEWEST for each in rules if each in catalogue.rules)
        for name, other, rules in zip(names, reversed(names), beside, strict=True)
    )  # fmt: skip


def _is_counted(name: str) -> bool:
    """Whether it is a number, or a limit that has one; one is an article as well."""
    return name.startswith(("number:", "amount:at-")) and name != "number:1"


def _has_number(stated: Counter[str], number: str) -> bool:
    return stated[f"number:{number}"] >= FEWEST


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
