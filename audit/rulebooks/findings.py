"""Findings of translation QA: place, words, severity, and how many games cite the rule."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES, words
from audit.core.ruleset import ruleset, rulesets
from audit.core.sentences import listed, sentence
from audit.rulebooks.clauses.frames import limits_said, name_mark
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
KNOWN, IN, ELSEWHERE, GONE = "known", "in", "elsewhere", "gone"
"""In the data of what a new edition changed: what the known one states, of which document, what stayed
beside it, or the words that are gone."""
NOTHING = "-"
_BESIDE = frozenset({BOTH, KNOWN, IN, ELSEWHERE, GONE})
"""What the data say beside the difference: it makes no other finding of it."""
_CARDS = 10
"""Numbers that stand behind the name of a protocol in the name of a card."""
_CONCEPTS = ("left", "right", "concept")
_QUOTING = frozenset({"exchange", ANSWERS, "left-only", "against-own", "put-in"})
"""Codes of which the left side, or both sides, can be told in the words that are marked."""


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


_OF_CONCEPTS = (Kind.TERM, Kind.VARIANT, Kind.DEFINITION)
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
        data = (f"{name}={value}" for name, value in self.data if name not in _BESIDE)
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
        """What differs, as a sentence for people. Quotation marks stand around words of a text alone."""
        data: dict[str, object] = dict(self.data)
        data.update({name: self._meaning(name, value, language) for name, value in self.data})
        for name, codes in zip(("one", "other"), self.sides, strict=True):
            data[name] = in_languages(codes, language)
        data[BOTH] = in_languages(str(data.get(BOTH, "")).split(), language)
        data["One"] = str(data["one"])[:1].upper() + str(data["one"])[1:]
        if self.code == SINCE_KNOWN:
            data.update(self._since(language))
        elif self.code in _QUOTING:
            data.update(self._quoting(language))
        if self.code == ANSWERS:
            data["question"] = question_words(dict(self.data)["question"], language)
        data["beside"] = " … ".join(self.quotes[-1].words)
        first = sentence(PACKAGE, language, f"{self.code}{self._side()}.{self.kind}", data)
        return " ".join([first, *self._more(language)])

    def _meaning(self, name: str, value: str, language: str) -> str:
        """A value of its data in words; of two owners, which one."""
        if name in _CONCEPTS and (self.kind in _OF_CONCEPTS or in_words(value, language) == value):
            value = concept_names(language).get(value, value)
        if self.kind is Kind.ORDER and self.code == "steps":
            return rule_words(value, language)
        if name == "topic":
            return topic_words(value, language)
        if value == "owner" and "owner-of-target" in dict(self.data).values():
            return label("word", "owner-of-source", language)
        return in_words(value, language)

    def _quoting(self, language: str) -> Mapping[str, str]:
        """What each side says, in the words of its texts and, where these are others, with what they mean."""
        said, names = {}, ("left", "right") if self.code in ("exchange", ANSWERS) else ("left",)
        for name, codes in zip(names, self.sides, strict=False):
            if value := dict(self.data).get(name):
                firsts = {each.language: each for each in reversed(self.quotes) if each.words}
                there = [firsts[code] for code in codes if code in firsts]
                known = "" if self.code == ANSWERS else self._in_their_words(name, value, there, language)
                said[name] = quoted([each.words[0] for each in there], known, language)
        return said

    def _in_their_words(self, name: str, value: str, quotes: Iterable[Quote], language: str) -> str:
        """What a value means: a limit as the first of these texts puts it."""
        limits = [limits_said(each.text, each.language) for each in quotes]
        named = next((said[value] for said in limits if value in said), "")
        return limit_words(value, named, language) if named else self._meaning(name, value, language)

    def _since(self, language: str) -> Mapping[str, str]:
        """What this edition says, in its words, and what the known one states, of which no words are kept."""
        first = self.quotes[0]
        names = {**known_names(self.languages[0]), **{name_mark(word): word for word in first.words}}
        limits = limits_said(first.text, first.language)
        stated = dict(self.data)
        was, now = (
            "" if stated[name] == NOTHING else fact_words(stated[name], language, names, limits)
            for name in ("was", "now")
        )
        words = first.words or (first.text,)
        return {"was": was, "now": quoted(words, now, language), "words": quoted(words, "", language)}

    def _more(self, language: str) -> Iterator[str]:
        """What the known edition states, and which words of the passage stayed, where a number was changed."""
        data = dict(self.data)
        if KNOWN in data:
            limits = limits_said(self.quotes[0].text, self.quotes[0].language)
            for each in self.quotes:
                limits |= limits_said(each.text, each.language) if each.language == data[IN] else {}
            was = fact_words(data[KNOWN], language, known_names(data[IN]), limits)
            yield sentence(PACKAGE, language, f"{KNOWN}.{self.kind}", {"was": was})
        if GONE in data:
            yield sentence(PACKAGE, language, GONE, {"words": quoted([data[GONE]], "", language)})
        if ELSEWHERE in data:
            yield sentence(PACKAGE, language, ELSEWHERE, {"still": quoted([data[ELSEWHERE]], "", language)})

    def _side(self) -> str:
        """Which of two editions alone says a thing, as it ends the code of the sentence; nothing where both do."""
        said = dict(self.data) if self.code == SINCE_KNOWN else {}
        if BOTH in dict(self.data):
            return "-both"
        is_gone = said.get("now") == NOTHING and not self.quotes[0].words
        if said.get("now") == NOTHING and self.quotes[0].words and self.kind is Kind.NEGATION:
            return "-undenied"
        return "-new" if said.get("was") == NOTHING else "-gone" if is_gone else ""


def in_languages(codes: Iterable[str], language: str) -> str:
    """Where something is said: "in French and in Polish"; a document that goes by its id is named so."""
    return listed([sentence(PACKAGE, language, f"language-in.{code}", {"name": code}) for code in codes], language)


def quoted(words: Iterable[str], meaning: str, language: str) -> str:
    """Words of a text in quotation marks, each once, with what they mean where that is another word; else that."""
    every = list({word.casefold(): word for word in words}.values())
    listed_words = [word for word in every if not any(word in other and word != other for other in every)]
    said = ", ".join(sentence(PACKAGE, language, "quoted", {"words": word}) for word in listed_words)
    if not said or not meaning or meaning.casefold() in (word.casefold() for word in listed_words):
        return said or meaning
    return f"{said} ({meaning})"


_ONE_THING = (
    ("actor:opponent", "term:opponent", "whose:theirs"), ("actor:owner", "term:owner", "whose:ofowner"),
    ("side:face-up", "term:face-up"), ("side:face-down", "term:face-down"), ("modality:cannot", "negation:not"),
    ("actor:both", "side:both-sides", "number:2"), ("actor:turn-player", "term:turn-player"),
    ("side:own-side", "whose:own"), ("side:same", "term:side"), ("side:other", "whose:theirs"),
)  # fmt: skip
"""Facts that one word states under several names: people read the first."""


def fact_words(
    facts: str, language: str, names: Mapping[str, str] = {}, limits: Mapping[str, str] = {}
) -> str:  # fmt: skip
    """Facts such as `modality:must number:5` in words, with a comma between; `names` has those that can be told.

    `limits` are the limits of the text with the numbers it names: one that is not told of it is put as these are.
    A term in quotation marks is a name as well, and told by its meaning.
    """
    listed, said = facts.split(), []
    is_term = any(fact.startswith("term:") for fact in listed)
    for fact in listed:
        if is_term and fact.startswith("name:"):
            continue
        if any(fact in ones[1:] and not {*ones[: ones.index(fact)]}.isdisjoint(listed) for ones in _ONE_THING):
            continue
        slot, _, value = fact.rpartition(":")
        if slot == "term":
            said.append(concept_names(language).get(value, value))
        elif slot == "name":
            said.append(names.get(value) or label("word", "a-name", language))
        elif slot == "amount" and (named := named_number(value, limits)):
            said.append(limit_words(value, named, language))
        elif slot == "amount" and value.startswith(("at-least-", "at-most-")):
            said.append(_either_way(value, language))
        else:
            said.append(in_words(value, language))
    return ", ".join(dict.fromkeys(said))


def named_number(limit: str, limits: Mapping[str, str]) -> str:
    """The number that a limit names: its own, or the one that belongs to it where another limit of its sort is put."""
    sort, _, number = limit.rpartition("-")
    for other, named in limits.items():
        if other.rpartition("-")[0] == sort and number.isdigit():
            return str(int(number) + int(named) - int(other.rpartition("-")[2]))
    return ""


def _either_way(limit: str, language: str) -> str:
    """A limit of which it is not known how the text puts it: at least 6, which is more than 5."""
    sort, _, number = limit.rpartition("-")
    beside = int(number) + (-1 if sort == "at-least" else 1)
    other = f" ({limit_words(limit, str(beside), language)})" if beside else ""
    return f"{in_words(limit, language)}{other}"


def limit_words(limit: str, named: str, language: str) -> str:
    """A limit by the number that a text names: `at-least-6` is "more than 5" where that is 5."""
    sort, _, number = limit.rpartition("-")
    if int(named) == int(number):
        return f"{label('word', sort, language)} {named}"
    word = "more" if int(named) < int(number) else "fewer"
    is_turned = (sort == "at-most") == (word == "more")
    return in_words(limit, language) if is_turned else f"{label('word', word, language)} {named}"


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


def kind_words(finding: Finding, language: str) -> str:
    """What sort of difference it is, in words; two answers to one question may be of any kind."""
    return label("kind", ANSWERS if finding.code == ANSWERS else finding.kind, language)


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


def with_words_gone(finding: Finding, words: Sequence[str]) -> Finding:
    """The finding with the words of a sentence that is gone, as an earlier edition has them."""
    return replace(finding, data=(*finding.data, (GONE, " ".join(words)))) if words else finding


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
