"""What our own statements and the documents say of each rule, place by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.rulebooks.clauses.frames import NEAR, Fact, facts
from audit.rulebooks.clauses.same_meaning import parts_of_turn
from audit.rulebooks.clauses.together import names_of, steps_before
from audit.rulebooks.findings import Finding, Kind
from audit.rulebooks.matrix import addresses_at, known_lines
from audit.rulebooks.opposites import ONLY
from audit.rulebooks.segments import Placed, Sentences, Side, Unit
from audit.rulebooks.terms import TermBase

FEWEST, MOST = 2, 3
"""Languages of our statement that say a thing: so that it is no chance of a word; so that it may not be left out."""
_CARDS = "cards"
"""The topic of notes on single cards, of which our statement says the gist only."""
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


class Said:
    """The places of all documents by rule, and what is said there and in the statements of a catalogue."""

    def __init__(self, said: Iterable[Saying], catalogue: Catalogue, base: TermBase) -> None:
        self.catalogue, self.base = catalogue, base
        self.by_rule: dict[str, list[Saying]] = {}
        self.near: dict[str, list[Saying]] = {}
        for one in said:
            for rule in one.rules:
                self.by_rule.setdefault(rule, []).append(one)
            for rule in (*one.rules, *one.beside):
                self.near.setdefault(rule, []).append(one)

    def others_on(self, rule: str, one: Saying) -> list[list[Saying]]:
        """What each other document says of a rule."""
        found: dict[str, list[Saying]] = {}
        for same in self.near[rule]:
            if same.document != one.document:
                found.setdefault(same.document, []).append(same)
        return [*found.values()]

    def is_heard(self, name: str, rule: str, one: Saying) -> bool:
        """Whether another document says it of the rule."""
        return name in self.names_of_all(same for same in self.near[rule] if same.document != one.document)

    def is_of_cards(self, rules: Iterable[str]) -> bool:
        return any(self.catalogue[rule].topic == _CARDS for rule in rules)

    def stated(self, rule: str) -> Counter[str]:
        return stated_in(self.catalogue, rule, self.base)

    def names(self, one: Saying) -> frozenset[str]:
        return names_of(one.side.text, one.side.language, self.base)

    def names_of_all(self, said: Iterable[Saying]) -> frozenset[str]:
        return frozenset[str]().union(*map(self.names, said))

    def facts(self, text: str, language: str) -> tuple[Fact, ...]:
        return facts(text, language, self.base)

    def first_of_all(self, rule: str) -> frozenset[str]:
        """The terms that the statement has before its "before", and not behind it, in most languages."""
        counts = Counter[str]()
        for code in LANGUAGES:
            stated = steps_before(self.facts(self.catalogue.statement(self.catalogue[rule], code), code))
            counts.update(stated[0] - stated[1] if stated else ())
        return frozenset(name for name, times in counts.items() if times >= MOST)

    def parts_after(self, rule: str, name: str) -> frozenset[str]:
        """The parts of the turn that the statement names behind this one."""
        told = [self.listed(self.catalogue.statement(self.catalogue[rule], code), code) for code in LANGUAGES]
        return frozenset(later for parts in told if name in parts for later in parts[parts.index(name) + 1 :])

    def listed(self, text: str, language: str) -> list[str]:
        return parts_of_turn(self.facts(text, language), self.base)

    def is_counted(self, number: str, rule: str, one: Saying) -> bool:
        """Whether the document has this number anywhere beside the thing of which the statement has it."""
        things = set[str]()
        for code in LANGUAGES:
            stated = self.facts(self.catalogue.statement(self.catalogue[rule], code), code)
            ends = [fact.end for fact in stated if fact.name == number]
            near = (fact for fact in stated if any(0 <= fact.start - end <= NEAR for end in ends))
            things |= {fact.name for fact in near if fact.slot == "term" and not self.base[fact.value].action}
        mine = (self.names(same) for some in self.by_rule.values() for same in some if same.document == one.document)
        return any(number in names and things & names for names in mine)
