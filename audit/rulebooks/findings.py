"""Findings of translation QA: place, words, severity, and how many games cite the rule."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES, words
from audit.core.ruleset import ruleset, rulesets
from audit.core.sentences import sentence
from audit.rulebooks.clauses.frames import name_mark
from audit.rulebooks.segments import Side
from audit.rulebooks.terms import has_terms, term_base
from audit.rulebooks.titles import question_words, rule_words, topic_words

PACKAGE = "audit.rulebooks"
SINCE_KNOWN = "since-known"
"""The code of what an edition says otherwise than the one that is known."""
ANSWERS = "answers"
"""The code of two answers that documents give to one question at a table."""
BOTH = "both"
"""In the data of a finding: the documents that say what either side says."""
NOTHING = "-"
_CARDS = 10
"""Numbers that stand behind the name of a protocol in the name of a card."""
_CONCEPTS = ("left", "right", "concept")


class Kind(StrEnum):
    """What sort of difference it is."""

    NUMBER = "number"
    MODALITY = "modality"
    NEGATION = "negation"
    EXCEPTION = "exception"
    QUANTITY = "quantity"
    TIME = "time"
    ACTOR = "actor"
    PLACE = "place"
    TERM = "term"
    VARIANT = "variant"
    DEFINITION = "definition"
    ORDER = "order"
    REFERENCE = "reference"
    CUT = "cut"
    MISSING = "missing"


class Severity(StrEnum):
    """How grave a difference is for somebody who plays by one language alone."""

    CHANGES = "changes"
    MISLEADS = "misleads"
    COSMETIC = "cosmetic"

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return list(Severity).index(self)


Span = tuple[int, int]


class Difference(Struct, frozen=True):
    """What a check found between two sides: a code for the sentence, its data, and the words on each side."""

    kind: Kind
    code: str
    severity: Severity
    data: tuple[tuple[str, str], ...] = ()
    left: tuple[Span, ...] = ()
    right: tuple[Span, ...] = ()


class Quote(Struct, frozen=True):
    """One side of a finding: the passage as loaded, with the words in question marked by offsets into `text`."""

    language: str
    passage: str
    lines: tuple[int, int]
    text: str
    marks: tuple[Span, ...] = ()
    fingerprint: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The marked words."""
        return tuple(self.text[start:end] for start, end in self.marks)


class Weight(Struct, frozen=True):
    """How many stored games cite a rule, and how many of their steps."""

    games: int = 0
    steps: int = 0


class Finding(Struct, frozen=True, kw_only=True):
    """One difference between the languages of a segment, inside one language, or since the edition that is known."""

    kind: Kind
    code: str
    severity: Severity
    segment: str
    rule: str
    rules: tuple[str, ...]
    languages: tuple[str, ...]
    quotes: tuple[Quote, ...]
    data: tuple[tuple[str, str], ...] = ()
    weight: Weight = Weight()
    readings: tuple[str, ...] = ()
    """The named readings that part on one of its rules."""
    rulings: tuple[str, ...] = ()
    """The publisher's rulings that settle it."""
    assigned: str = ""
    """The person who sees to it."""

    @property
    def id(self) -> str:
        """Stable as long as the same thing is found at the same place: twelve hexadecimal digits."""
        data = (f"{name}={value}" for name, value in self.data if name != BOTH)
        key = "|".join([self.kind, self.code, self.segment, *self.languages, *data])
        return hashlib.sha256(key.encode()).hexdigest()[:12]

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The languages on the two sides of the difference; the second side is empty for one inside a language."""
        of = dict(self.data).get("of")
        mine = tuple(of.split()) if of else self.languages[:1]
        return mine, tuple(language for language in self.languages if language not in mine)

    @property
    def key(self) -> tuple[str, str, tuple[str, ...], str, tuple[tuple[str, str], ...]]:
        """What makes two findings the same one."""
        return self.kind, self.code, self.languages, self.segment, self.data

    def message(self, language: str = "en") -> str:
        """What differs, as a sentence for people."""
        data: dict[str, object] = dict(self.data)
        data.update({name: in_words(value, language) for name, value in self.data})
        if self.code == SINCE_KNOWN:
            data.update(self._since(language))
        if self.code == ANSWERS:
            return sentence(PACKAGE, language, ANSWERS, {**data, **self._answers(language)})
        if "owner-of-target" in dict(self.data).values():
            source = label("word", "owner-of-source", language)
            data.update({name: source for name, value in self.data if value == "owner"})
        concepts = concept_names(language)
        is_of_concepts = self.kind in (Kind.TERM, Kind.VARIANT, Kind.DEFINITION)
        for name, value in self.data:
            if name in _CONCEPTS and value in concepts and (is_of_concepts or data[name] == value):
                data[name] = concepts[value]
        if self.kind is Kind.ORDER and self.code == "steps":
            data.update({name: rule_words(value, language) for name, value in self.data})
        data.update({name: topic_words(value, language) for name, value in self.data if name == "topic"})
        for name, codes in zip(("one", "other"), self.sides, strict=True):
            data[name] = ", ".join(label("language", code, language) for code in codes)
            data[f"{name}-at"] = ", ".join(label("language-at", code, language) for code in codes)
        if BOTH in data:
            data[BOTH] = ", ".join(label("language", code, language) for code in str(data[BOTH]).split())
        data["beside"] = " … ".join(self.quotes[-1].words)
        return sentence(PACKAGE, language, f"{self.code}{self._side()}.{self.kind}", data)

    def _since(self, language: str) -> Mapping[str, object]:
        """What the known edition says and this one does not, and what this one says, in the words of this one."""
        names = {**known_names(self.languages[0]), **{name_mark(word): word for word in self._words}}
        said = {name: fact_words(value, language, names) for name, value in self.data}
        words = " … ".join(self._words) or self.quotes[0].text
        return {**said, "words": words} | ({"now": words} if said["now"] == NOTHING else {})

    def _answers(self, language: str) -> Mapping[str, object]:
        """The question, and what the two sides say, in the words of the first document of each."""
        said = {}
        for name, answer, codes in zip(("one", "other"), ("left", "right"), self.sides, strict=True):
            said[name] = ", ".join(label("language", code, language) for code in codes)
            said[answer] = next(" … ".join(each.words) for each in self.quotes if each.language == codes[0])
        return {**said, "question": question_words(dict(self.data)["question"], language)}

    @property
    def _words(self) -> tuple[str, ...]:
        return self.quotes[0].words

    def _side(self) -> str:
        """Which of two editions alone says a thing, as it ends the code of the sentence; nothing where both do."""
        said = dict(self.data) if self.code == SINCE_KNOWN else {}
        if BOTH in dict(self.data):
            return "-both"
        return (
            "-new" if said.get("was") == NOTHING else "-gone" if said.get("now") == NOTHING and not self._words else ""
        )


_ONE_THING = (
    ("actor:opponent", "term:opponent", "whose:theirs"), ("actor:owner", "term:owner", "whose:ofowner"),
    ("side:face-up", "term:face-up"), ("side:face-down", "term:face-down"), ("modality:cannot", "negation:not"),
    ("actor:both", "side:both-sides", "number:2"), ("actor:turn-player", "term:turn-player"),
    ("side:own-side", "whose:own"), ("side:same", "term:side"), ("side:other", "whose:theirs"),
)  # fmt: skip
"""Facts that one word states under several names: people read the first."""


def fact_words(facts: str, language: str, names: Mapping[str, str] = {}) -> str:
    """Facts such as `modality:must number:5` in words, with a comma between; `names` has those that can be told."""
    listed, said = facts.split(), []
    for fact in listed:
        if any(fact in ones[1:] and not {*ones[: ones.index(fact)]}.isdisjoint(listed) for ones in _ONE_THING):
            continue
        slot, _, value = fact.rpartition(":")
        if slot == "term":
            said.append(concept_names(language).get(value, value))
        elif slot == "name":
            said.append(names.get(value) or label("word", "a-name", language))
        else:
            said.append(in_words(value, language))
    return ", ".join(dict.fromkeys(said))


def in_words(value: str, language: str) -> str:
    """A value such as `must` or `at-least-10` in words."""
    limit, _, number = value.rpartition("-")
    if (exactly := label("word", value, language)) != value:
        return exactly
    if number[:1].isdigit() and limit:
        return f"{label('word', limit, language)} {number}"
    return value


@cache
def concept_names(language: str) -> Mapping[str, str]:
    """The concepts of all games by id and English name, each by its term in that language, else by the English one."""
    packages = [package for name in rulesets() if has_terms(package := ruleset(name).catalogue.package)]
    bases = [term_base(package) for package in packages]
    return {
        name: (*base.words(id, language), base[id].en)[0]
        for base in bases for id in base.concepts for name in (id, base[id].en)
    }  # fmt: skip


@cache
def known_names(language: str) -> Mapping[str, str]:
    """The names of cards and the terms of all games, as a language has them, each by the mark that is kept of it."""
    found: dict[str, str] = {}
    for package in (ruleset(name).catalogue.package for name in rulesets()):
        names = [str(name) for name in words(package, language, "names").values()] if language in LANGUAGES else []
        said = [*names, *(f"{name} {number}" for name in names for number in range(_CARDS))]
        if has_terms(package):
            base = term_base(package)
            said += [word for id in base.concepts for word in base.words(id, language)]
        found.update({name_mark(word): word for word in said})
    return found


def label(sort: str, value: str, language: str) -> str:
    """A code such as `at-least` in words (`sort` is word, language, kind, severity, state); others as they are."""
    key = f"{sort}.{value}"
    found = sentence(PACKAGE, language, key, {})
    return value if found == key else found


def between(segment: str, rules: tuple[str, ...], one: Side, other: Side, found: Difference) -> Finding:
    """The finding for a difference between two sides of a segment."""
    return Finding(
        kind=found.kind, code=found.code, severity=found.severity, segment=segment, rule=rules[0], rules=rules,
        languages=(one.language, other.language), data=found.data,
        quotes=(quote(one, found.left), quote(other, found.right)),
    )  # fmt: skip


def within(segment: str, rules: tuple[str, ...], side: Side, found: Difference) -> Finding:
    """The finding for something that is wrong inside one language."""
    return Finding(
        kind=found.kind, code=found.code, severity=found.severity, segment=segment, rule=rules[0], rules=rules,
        languages=(side.language,), data=found.data, quotes=(quote(side, found.left),),
    )  # fmt: skip


def quote(side: Side, marks: Iterable[Span] = ()) -> Quote:
    """A side of a segment with words marked."""
    passage = side.sentences[0].passage if side.sentences else ""
    return Quote(side.language, passage, side.lines, side.text, tuple(marks), side.fingerprint)


def with_weights(findings: Iterable[Finding], weights: Mapping[str, Weight]) -> list[Finding]:
    """The findings with the weight of their rules, gravest first, then by weight, then by place."""
    found = [replace(finding, weight=_heaviest(finding.rules, weights)) for finding in findings]
    return sorted(found, key=lambda f: (f.severity.rank, -f.weight.steps, -f.weight.games))


def _heaviest(rules: Iterable[str], weights: Mapping[str, Weight]) -> Weight:
    known = [weights[rule] for rule in rules if rule in weights]
    return max(known, key=lambda weight: (weight.steps, weight.games), default=Weight())
