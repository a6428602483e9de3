"""Each sentence of a document against our own statements of the rules that it says.

A statement is short, and it is there in four languages. What two or more of them say is no chance of a word, and what
none of them says was put in. So a sentence is held against what is stated, in whatever language it is written, and
also where no other document says the rule. Nothing is remembered of a document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.rulebooks.checks.markers import has_table
from audit.rulebooks.clauses.compare import numbers
from audit.rulebooks.clauses.frames import DENIALS, Fact, facts
from audit.rulebooks.clauses.together import (
    MEANT,
    NONE,
    SCOPES,
    UP_TO,
    in_order,
    names_of,
    steps_before,
    told_before,
)
from audit.rulebooks.compared import addresses_at, known_lines
from audit.rulebooks.findings import Finding, Kind, Quote, Severity, Span, quote
from audit.rulebooks.segments import Placed, Sentences, Side, Unit
from audit.rulebooks.terms import PART_OF_TURN, TermBase

STATED = "@stated"
"""How the segment of a finding against our own statement ends."""

_ONE_SIDED = frozenset({"put-in", "left-out"})
_FEWEST = 2
"""Languages of our statement that say a thing, so that it is no chance of a word."""
_MOST = 3
"""Languages of our statement that say a thing which may not be left out."""
_BRIEF = 45
"""Words of a sentence of which a word that was put in can be told."""
_SHARE = 1 / 3
"""Of the sentences of other documents on a rule so many may have the word that was put in, which belongs elsewhere."""
_CARDS = "cards"
"""The topic of notes on single cards, of which our statement says the gist only."""

_OPPOSITES: tuple[tuple[Kind, str, str], ...] = (
    (Kind.MODALITY, "modality:may", "modality:must"),
    (Kind.MODALITY, "modality:may", "modality:cannot"),
    (Kind.ACTOR, "actor:turn-player", "actor:opponent"),
    (Kind.ACTOR, "actor:owner", "actor:opponent"),
    (Kind.ACTOR, "actor:owner", "actor:doer"),
    (Kind.ACTOR, "actor:owner", "actor:turn-player"),
    (Kind.ACTOR, "actor:owner", "actor:owner-of-target"),
    (Kind.ACTOR, "actor:turn-player", "actor:owner-of-target"),
    (Kind.ACTOR, "scope:both", "scope:own-only"),
    (Kind.ACTOR, "scope:both", "scope:own-side"),
    (Kind.ACTOR, "contrast:party-one", "contrast:party-both"),
    (Kind.ACTOR, "contrast:party-one", "scope:own-side"),
    (Kind.PLACE, "side:same", "side:other"),
    (Kind.PLACE, "side:own-side", "side:other"),
    (Kind.PLACE, "side:face-up", "side:face-down"),
    (Kind.PLACE, "contrast:place-top", "contrast:place-bottom"),
    (Kind.TIME, "time:together", "time:in-turn"),
    (Kind.TIME, "time:at-once", "time:turn-end"),
    (Kind.TIME, "time:game-end", "time:turn-end"),
    (Kind.ORDER, "contrast:order-kept", "contrast:order-free"),
    (Kind.ORDER, "contrast:order-newest", "contrast:order-oldest"),
    (Kind.ORDER, "contrast:order-newest", "contrast:order-kept"),
    (Kind.ORDER, "scope:first", "scope:last"),
    (Kind.QUANTITY, "contrast:size-greater", "contrast:size-no-less"),
    (Kind.QUANTITY, "contrast:size-greater", "contrast:size-less"),
    (Kind.QUANTITY, "contrast:which-other", "contrast:which-any"),
    (Kind.QUANTITY, "contrast:which-same", "contrast:which-unlike"),
    (Kind.QUANTITY, "contrast:which-matching", "contrast:which-unmatching"),
    (Kind.QUANTITY, "contrast:age-young", "contrast:age-old"),
    (Kind.ORDER, "contrast:way-right", "contrast:way-left"),
    (Kind.ORDER, "contrast:prior-cards", "contrast:prior-rules"),
    (Kind.PLACE, "contrast:far-off", "contrast:far-near"),
    (Kind.QUANTITY, "contrast:fill-empty", "contrast:fill-full"),
    (Kind.QUANTITY, "contrast:parity-even", "contrast:parity-odd"),
    (Kind.QUANTITY, "contrast:sum-plus", "contrast:sum-minus"),
    (Kind.QUANTITY, "scope:covered-too", "scope:uncovered-only"),
    (Kind.QUANTITY, "scope:covered-too", "contrast:reach-out"),
    (Kind.QUANTITY, "contrast:often-always", "contrast:often-sometimes"),
    (Kind.QUANTITY, "contrast:end-wins", "contrast:end-loses"),
    (Kind.NEGATION, "contrast:kept-kept", "contrast:kept-along"),
)
"""Things that cannot both be so, whichever of the two is stated."""
_INSTEAD: tuple[tuple[Kind, str, str], ...] = (
    (Kind.TERM, "term:covered", "scope:uncovered"),
    (Kind.TERM, "term:uncovered", "scope:covered"),
    (Kind.EXCEPTION, "scope:only-if", "condition:even-if"),
    (Kind.EXCEPTION, "condition:even-if", "scope:only-if"),
    (Kind.EXCEPTION, "condition:even-if", "quantity:instead"),
    (Kind.EXCEPTION, "condition:even-if", "contrast:done-undone"),
    (Kind.EXCEPTION, "condition:even-if", "contrast:polarity-nor"),
    (Kind.EXCEPTION, "amount:as-possible", "scope:only-if"),
    (Kind.QUANTITY, "contrast:join-or", "scope:and-then"),
    (Kind.TERM, "side:face-up", "term:uncovered"),
    (Kind.TERM, "side:face-down", "term:covered"),
    (Kind.TIME, "time:before", "scope:after"),
    (Kind.EXCEPTION, "condition:while", "condition:even-if"),
    (Kind.QUANTITY, "amount:at-most-1", "quantity:all"),
    (Kind.QUANTITY, "amount:at-most-1", "scope:several"),
    (Kind.QUANTITY, "amount:as-possible", "contrast:extent-none"),
    (Kind.NEGATION, "scope:not", "scope:even-so"),
    (Kind.ACTOR, "whose:own", "scope:opponent"),
    (Kind.QUANTITY, "scope:tie-fails", "scope:tie-counts"),
    (Kind.QUANTITY, "contrast:polarity-too", "scope:only-not"),
    (Kind.NEGATION, "scope:denied", "scope:also"),
    (Kind.QUANTITY, "contrast:which-any", "scope:only-not"),
    (Kind.QUANTITY, "contrast:kept-kept", "scope:only-until"),
    (Kind.ACTOR, "contrast:party-one", "scope:own-only"),
    (Kind.TERM, "term:neutral-position", "contrast:kept-kept"),
    (Kind.PLACE, "term:uncovered", "contrast:depth-under"),
    (Kind.PLACE, "term:uncovered", "contrast:place-bottom"),
    (Kind.TIME, "time:then", "contrast:kept-kept"),
    (Kind.TIME, "time:at-once", "ordinal:next"),
)
"""What is stated, and what may not be said instead."""
_PAIRS = (*_INSTEAD, *((kind, *pair) for kind, one, other in _OPPOSITES for pair in ((one, other), (other, one))))
_OF_ONE_RULE: tuple[tuple[Kind, str, str], ...] = (
    (Kind.NEGATION, "scope:both", "contrast:view-private"),
    (Kind.NEGATION, "contrast:view-private", "scope:both"),
    (Kind.NEGATION, "contrast:view-public", "contrast:view-private"),
    (Kind.NEGATION, "contrast:view-private", "contrast:view-public"),
    (Kind.NEGATION, "contrast:kept-kept", "contrast:kept-ends"),
    (Kind.NEGATION, "contrast:kept-kept", "term:loading-side"),
    (Kind.NEGATION, "contrast:fill-empty", "contrast:kept-kept"),
    (Kind.EXCEPTION, "condition:even-if", "contrast:kept-kept"),
    (Kind.ACTOR, "scope:both", "quantity:only"),
    (Kind.ACTOR, "quantity:only", "scope:both"),
    (Kind.ACTOR, "quantity:each", "contrast:own-shared"),
    (Kind.QUANTITY, "quantity:only", "scope:any"),
    (Kind.QUANTITY, "contrast:which-any", "quantity:only"),
    (Kind.QUANTITY, "contrast:which-other", "scope:only-matching"),
    (Kind.ORDER, "scope:first", "scope:second"),
    (Kind.QUANTITY, "quantity:only", "contrast:polarity-beyond"),
    (Kind.QUANTITY, "quantity:only", "quantity:each"),
    (Kind.QUANTITY, "quantity:only", "quantity:all"),
    (Kind.EXCEPTION, "quantity:only", "scope:even-so"),
    (Kind.EXCEPTION, "scope:acts-if", "condition:even-if"),
    (Kind.EXCEPTION, "condition:even-if", "scope:if"),
    (Kind.QUANTITY, "amount:as-possible", "contrast:done-undone"),
    (Kind.ACTOR, "contrast:own-shared", "scope:own-each"),
    (Kind.ORDER, "contrast:order-kept", "modality:may"),
)
"""What is stated, and what may not be said instead in a passage that a person linked to the rule."""
_SO = frozenset({
    "modality:may", "modality:must", "quantity:only", "condition:even-if", "contrast:size-greater",
    "term:neutral-position", "side:same", "side:own-side", "amount:as-possible",
})  # fmt: skip
"""What a statement says beside its not, so that a text which says this may leave the not out."""
_NOT_SO = frozenset({
    *DENIALS, "negation:un", "exception:except", "quantity:only", "quantity:instead", "condition:even-if",
    "contrast:polarity-not", "contrast:done-undone", "contrast:kept-ends", "contrast:view-private",
    "contrast:which-unmatching", "contrast:reach-out", "contrast:polarity-anyway", "amount:rest",
})  # fmt: skip
"""What says as much as a not."""
_ONLY = "quantity:only"
_AS_ONLY = _NOT_SO | {
    "amount:at-most-1", "number:1", "modality:must", "condition:while", "condition:if", "amount:up-to",
    "contrast:limit-no-more", "term:uncovered",
}  # fmt: skip
"""What says as much as an "only"."""
_KEPT = "contrast:kept-kept"
_STAYS = (_KEPT, "contrast:kept-changed")
_LIMITS = {
    "modality:may": "quantity:only",
    "modality:cannot": "exception:except",
    "time:turn-end": "term:end-phase",
}
"""Beside what a word says no more than its opposite: "may only" binds, "cannot unless" allows."""
_MAY_MUST = frozenset({"modality:may", "modality:must"})

_AT_LEAST_1 = "at-least-1"
_LISTED = 2
"""More parts of a turn than these are a list, and their order counts."""
_FAMILIES = frozenset({"zone", PART_OF_TURN, "protocol side"})
"""Families of terms of which one cannot stand for another: a card goes to the hand or onto the deck."""

_PUT_IN: tuple[tuple[Kind, str], ...] = (
    (Kind.ACTOR, "scope:opponent"), (Kind.ACTOR, "side:both-sides"), (Kind.EXCEPTION, "exception:except"),
    (Kind.QUANTITY, "amount:time-1"), (Kind.QUANTITY, "term:at-random"), (Kind.TIME, "time:turn-end"),
    (Kind.NEGATION, "scope:denied"),
)  # fmt: skip
"""What changes a rule wherever it is put in."""
_PUT_IN_ONE: tuple[tuple[Kind, str], ...] = (
    (Kind.ACTOR, "contrast:owner-former"), (Kind.ORDER, "scope:the-second"), (Kind.QUANTITY, "contrast:end-lost"),
    (Kind.MODALITY, "modality:cannot"), (Kind.QUANTITY, "quantity:only"), (Kind.ACTOR, "scope:both"),
    (Kind.PLACE, "scope:face-down"), (Kind.QUANTITY, "contrast:polarity-beyond"),
    (Kind.NEGATION, "contrast:reach-out"), (Kind.NEGATION, "contrast:view-private"),
)  # fmt: skip
"""What changes a rule where it is put in a passage that a person linked to the rule."""
_ANSWERS: Mapping[str, frozenset[str]] = {
    "scope:opponent": frozenset({"scope:both", "side:other", "ordinal:2", "contrast:party-one"}),
    "exception:except": frozenset({"amount:rest"}),
    "scope:denied": frozenset(
        {
            "negation:not",
            "contrast:polarity-not",
            "modality:cannot",
            "quantity:only",
            "exception:except",
            "contrast:done-undone",
        }
    ),
    "side:both-sides": frozenset({"scope:both", "contrast:party-both"}),
    "time:turn-end": frozenset({"term:end-phase", "term:start-end-effect"}),
    "scope:the-second": frozenset({"ordinal:2", "time:then", "time:first", "number:2", "contrast:which-other"}),
    "quantity:only": frozenset(
        {
            "negation:not",
            "condition:if",
            "condition:while",
            "exception:except",
            "amount:at-most-1",
            "modality:cannot",
            "number:1",
            "amount:up-to",
            "contrast:polarity-only",
            "modality:must",
            "side:own-side",
        }
    ),
    "contrast:reach-out": frozenset({"negation:not", "quantity:only", "exception:except", "modality:cannot"}),
    "contrast:view-private": frozenset({"negation:not", "quantity:only", "modality:cannot"}),
    "modality:cannot": frozenset({"negation:not", "quantity:only", "exception:except"}),
    "scope:both": frozenset({"quantity:each", "number:2"}),
    "scope:face-down": frozenset({"side:face-down", "term:covered", "term:reveal", "term:flip"}),
}
"""What says as much as a word that was put in."""
_OF_ITS_RULES = frozenset({"side:both-sides"})
"""What is held against the rules of the sentence alone: a rule beside them may well be of both sides."""
_EXCEPT = "exception:except"
_DENIED = "negation:not"
_LIMITED = frozenset({
    UP_TO, "quantity:only", "condition:if", "time:before", "quantity:fewer", "amount:rest", "condition:while",
})  # fmt: skip
"""What says how far something goes."""
_EXCEPTED = frozenset({
    _EXCEPT, "quantity:only", "condition:if", "condition:even-if", UP_TO, "contrast:said-otherwise",
})  # fmt: skip
"""What says an exception, also in other words."""


class Saying(Struct, frozen=True):
    """One place of a document: the document's name, the rules that are linked to it, and the sentences there.

    Of a document that the project knows, `beside` has further rules that the catalogue has on its lines.
    """

    document: str
    rules: tuple[str, ...]
    side: Side
    beside: tuple[str, ...] = ()
    known: bool = True


class _Against(Struct, frozen=True):
    """What a place says against a statement: what is stated there and what stands here, either may be nothing."""

    kind: Kind
    rule: str
    stated: str
    here: str
    spans: tuple[Span, ...] = ()


class _Heard(Struct, frozen=True):
    """What a place says, and what its document says of the rule anywhere.

    `at_that_time` leaves out sentences that say more rules: they may tell of another order in time.
    """

    here: frozenset[str]
    anywhere: frozenset[str]
    at_that_time: frozenset[str]
    known: bool


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


def against_statements(said: Sequence[Saying], catalogue: Catalogue, base: TermBase) -> list[Finding]:
    """What each place says against the statements of the rules that it says, one finding a place at most."""
    comparison = _Comparison(said, catalogue, base)
    return [comparison.finding(one, found) for one in said if (found := next(comparison.differences(one), None))]


def untold(findings: Iterable[Finding], others: Iterable[Finding]) -> list[Finding]:
    """The findings on sentences of which no other check tells a difference of that kind in the same words.

    What was put in or left out counts only where nothing else is told of the sentence: one fault is one finding.
    """
    told: dict[tuple[Kind, str, int], list[Quote]] = {}
    texts: set[tuple[str, str]] = set()
    for other in others:
        for each in other.quotes:
            texts.add((each.language, each.text))
            for line in _lines(each):
                told.setdefault((other.kind, each.language, line), []).append(each)
    return [
        one for one in findings
        if not (one.code in _ONE_SIDED and (one.quotes[0].language, one.quotes[0].text) in texts)
        and not any(
            _share_words(one.quotes[0], quoted)
            for line in _lines(one.quotes[0])
            for quoted in told.get((one.kind, one.quotes[0].language, line), ())
        )
    ]  # fmt: skip


def _share_words(one: Quote, other: Quote) -> bool:
    """Whether a word is marked in both, or in one of them none is."""
    return not (one.words and other.words) or not {*one.words}.isdisjoint(other.words)


def _lines(quoted: Quote) -> range:
    return range(quoted.lines[0], quoted.lines[1] + 1)


def says_so(catalogue: Catalogue, rule: str, found: Finding, base: TermBase) -> bool:
    """Whether our statement says what the second side of a contradiction says, so that the first speaks of more.

    A plain statement obliges as much as one with "must". Two numbers that are both stated count two things.
    """
    stated, said = _stated(catalogue, rule, base), dict(found.data)
    values = {name.partition(":")[2]: number for name, number in stated.items()}
    mine, theirs = (values.get(said.get(name, ""), 0) for name in ("left", "right"))
    if found.kind is Kind.NUMBER:
        return not any(_is_counted(name) and times >= _FEWEST for name, times in stated.items()) or all(
            _has_number(stated, said.get(name, "")) for name in ("left", "right")
        )
    if found.kind is Kind.MODALITY and said.get("right") == "must" and (theirs >= _FEWEST or not mine):
        return True
    return found.kind in (Kind.MODALITY, Kind.PLACE, Kind.ACTOR) and theirs >= _FEWEST and not mine


def _is_counted(name: str) -> bool:
    """Whether it is a number, or a limit that has one; one is an article as well."""
    return name.startswith(("number:", "amount:at-")) and name != "number:1"


def _has_number(stated: Counter[str], number: str) -> bool:
    return stated[f"number:{number}"] >= _FEWEST


class _Comparison:
    """The places of all documents by rule, against the statements of a catalogue."""

    def __init__(self, said: Iterable[Saying], catalogue: Catalogue, base: TermBase) -> None:
        self._catalogue = catalogue
        self._base = base
        self._by_rule: dict[str, list[Saying]] = {}
        self._near: dict[str, list[Saying]] = {}
        for one in said:
            for rule in one.rules:
                self._by_rule.setdefault(rule, []).append(one)
            for rule in (*one.rules, *one.beside):
                self._near.setdefault(rule, []).append(one)

    def differences(self, one: Saying) -> Iterator[_Against]:
        """What the place says against the statements of its rules, the surest first."""
        mine = self._names(one)
        rules = [rule for rule in one.rules if rule in self._catalogue.rules]
        stated = {rule: self._stated(rule) for rule in rules}
        anywhere = frozenset[str]().union(*stated.values())
        for rule in rules:
            mates = [same for same in self._of(rule) if same.document == one.document]
            here = self._names_of_all(mates)
            at_that_time = self._names_of_all(same for same in mates if len(same.rules) <= len(one.rules))
            turned = _turned(rule, stated[rule], _Heard(mine, here, at_that_time, one.known), anywhere)
            yield from (found for found in turned if not (found.stated == "whose:own" and self._is_of_cards([rule])))
            if not one.known and _is_unlimited(stated[rule], here):
                yield _Against(Kind.QUANTITY, rule, UP_TO, "")
            if not one.known and has_table(one.side.language):
                yield from _left_out(rule, stated[rule], here)
            if stated[rule][_EXCEPT] >= (_MOST if one.known else len(LANGUAGES)) and not here & _EXCEPTED:
                yield _Against(Kind.EXCEPTION, rule, _EXCEPT, "")
            yield from self._turned_round(rule, one)
            yield from self._other_term(rule, stated[rule], mine, here, anywhere)
        yield from self._other_numbers(one, rules)
        if rules and len(one.side.text.split()) <= _BRIEF and not self._is_of_cards(rules):
            yield from self._put_in(one, mine, rules, anywhere)

    def finding(self, one: Saying, against: _Against) -> Finding:
        """The finding: against another document that says what is stated, or else against the statement alone."""
        left, right = (name.partition(":")[2] or name for name in (against.here, against.stated))
        spans = against.spans or self._spans(one, against.here)
        rules = tuple(dict.fromkeys([against.rule, *one.rules]))
        mine = replace(quote(one.side, spans), language=one.document)
        other = self._said_by_another(one, against)
        if other:
            there = replace(quote(other.side, self._spans(other, against.stated)), language=other.document)
            return Finding(
                kind=against.kind, code="exchange", severity=Severity.CHANGES, segment=against.rule + STATED,
                rule=against.rule, rules=rules, languages=(one.document, other.document),
                data=(("left", left), ("right", right)), quotes=(mine, there),
            )  # fmt: skip
        code = "against-own" if left and right else "put-in" if left else "left-out"
        data = tuple((name, value) for name, value in (("left", left), ("right", right)) if value)
        return Finding(
            kind=against.kind, code=code, severity=Severity.MISLEADS, segment=against.rule + STATED,
            rule=against.rule, rules=rules, languages=(one.document,), data=data, quotes=(mine,),
        )  # fmt: skip

    def _said_by_another(self, one: Saying, against: _Against) -> Saying | None:
        """A sentence of another document that says what is stated, and not what this one says."""
        if not (against.here and against.stated):
            return None
        others = (other for other in self._near[against.rule] if other.document != one.document)
        for other in others:
            names = self._names(other) | {fact.value for fact in self._facts(other.side.text, other.side.language)}
            if against.stated in names and against.here not in names:
                return other
        return None

    def _turned_round(self, rule: str, one: Saying) -> Iterator[_Against]:
        """Two steps in the other order: "first this, then that", where the statement has that before this."""
        steps = in_order(self._facts(one.side.text, one.side.language))
        for code in LANGUAGES if steps else ():
            stated = steps_before(self._facts(self._catalogue.statement(self._catalogue[rule], code), code))
            if stated and steps and stated[0] & steps[1] - steps[0] and stated[1] & steps[0] - steps[1]:
                yield _Against(Kind.ORDER, rule, "before", "after")
                return
        told_first = told_before(one.side.text, self._facts(one.side.text, one.side.language))
        if told_first and self._first_of_all(rule) & told_first[1] - told_first[0]:
            yield _Against(Kind.ORDER, rule, "before", "after")
            return
        told = self._listed(one.side.text, one.side.language)
        for code in LANGUAGES if len(told) > _LISTED else ():
            stated_list = self._listed(self._catalogue.statement(self._catalogue[rule], code), code)
            shared = [name for name in stated_list if name in told]
            if len(shared) > _LISTED and shared != [name for name in told if name in stated_list]:
                yield _Against(Kind.ORDER, rule, "before", "after")
                return

    def _first_of_all(self, rule: str) -> frozenset[str]:
        """The terms that the statement has before its "before", and not behind it, in most languages."""
        counts = Counter[str]()
        for code in LANGUAGES:
            stated = steps_before(self._facts(self._catalogue.statement(self._catalogue[rule], code), code))
            counts.update(stated[0] - stated[1] if stated else ())
        return frozenset(name for name, times in counts.items() if times >= _MOST)

    def _listed(self, text: str, language: str) -> list[str]:
        """The parts of the turn in the order in which a text names them first."""
        names = (fact.name for fact in self._facts(text, language) if self._family(fact.name) == PART_OF_TURN)
        return list(dict.fromkeys(names))

    def _other_term(
        self, rule: str, stated: Counter[str], mine: frozenset[str], here: frozenset[str], anywhere: frozenset[str]
    ) -> Iterator[_Against]:
        """A term in place of the one of its family that the statement has: the deck for the hand."""
        for name, times in stated.items():
            family = self._family(name)
            if times < _MOST or family not in _FAMILIES or name in here:
                continue
            listed = sum(self._family(each) == family for each in mine)
            for other in sorted(mine - anywhere if listed <= _LISTED else ()):
                if self._family(other) == family:
                    yield _Against(Kind.TERM, rule, name, other)

    def _family(self, name: str) -> str:
        slot, _, concept = name.partition(":")
        return self._base.family(concept) if slot == "term" and concept in self._base.concepts else ""

    def _other_numbers(self, one: Saying, rules: Sequence[str]) -> Iterator[_Against]:
        """A number that no statement of the rules has, where one of them has another."""
        stated = {
            rule: [self._facts(self._catalogue.statement(self._catalogue[rule], code), code) for code in LANGUAGES]
            for rule in rules
        }
        every = {
            value for each in stated.values() for found in each for fact in found for value in (fact.value, fact.said)
        }
        mine = self._facts(one.side.text, one.side.language)
        for rule in rules:
            for fact in mine:
                if fact.value == _AT_LEAST_1 and fact.value not in every and (more := self._at_least(rule)):
                    yield _Against(Kind.NUMBER, rule, more, fact.value, ((fact.start, fact.end),))
                several = fact.slot == "amount" and fact.value.startswith("at-most-") and fact.value not in every
                if several and self._stated(rule)["amount:at-most-1"] >= _FEWEST:
                    yield _Against(Kind.NUMBER, rule, "at-most-1", fact.value, ((fact.start, fact.end),))
        for rule, each in stated.items():
            for found in each:
                for told in numbers(mine, found, False):
                    here, there = dict(told.data)["left"], dict(told.data)["right"]
                    if here not in every:
                        yield _Against(Kind.NUMBER, rule, there, here, told.left)

    def _at_least(self, rule: str) -> str:
        """The least number, of more than one, that the statement has in most languages, or nothing."""
        stated = (name for name, times in self._stated(rule).items() if times >= _MOST)
        least = (name.partition(":")[2] for name in stated if name.startswith("amount:at-least-"))
        return next((limit for limit in least if limit != _AT_LEAST_1), "")

    def _put_in(
        self, one: Saying, mine: frozenset[str], rules: Sequence[str], stated: frozenset[str]
    ) -> Iterator[_Against]:
        """What no statement of these rules and of those on the same lines says, and no other document that says them.

        Where no other document says them, it may be what only this one says.
        """
        every = stated.union(*(self._stated(rule) for rule in one.beside))
        often = {
            name for rule in (*rules, *one.beside) for name, times in self._stated(rule).items() if times >= _FEWEST
        }
        others = [same for rule in rules for same in self._near[rule] if same.document != one.document]
        for kind, here in _PUT_IN if one.known else (*_PUT_IN, *_PUT_IN_ONE):
            answers = {here} | _ANSWERS.get(here, NONE)
            if (
                others
                and here in mine
                and here not in (stated if here in _OF_ITS_RULES else every)
                and not answers & often
                and not (here == _EXCEPT and (self._is_excepted(mine, others) or _is_only(mine, every)))
            ):
                heard = sum(bool(answers & self._names(other)) for other in others)
                if heard <= _SHARE * len(others) or not (one.known or answers & every):
                    yield _Against(kind, rules[0], "", here)

    def _is_excepted(self, mine: frozenset[str], others: Sequence[Saying]) -> bool:
        """Whether an exception is only "unless otherwise stated", or all other documents have "until" for it."""
        until = {other.document for other in others if "amount:up-to" in self._names(other)}
        return "contrast:said-otherwise" in mine or (bool(others) and until == {other.document for other in others})

    def _is_of_cards(self, rules: Iterable[str]) -> bool:
        return any(self._catalogue[rule].topic == _CARDS for rule in rules)

    def _of(self, rule: str) -> Sequence[Saying]:
        return self._by_rule.get(rule, ())

    def _stated(self, rule: str) -> Counter[str]:
        return _stated(self._catalogue, rule, self._base)

    def _names(self, one: Saying) -> frozenset[str]:
        return names_of(one.side.text, one.side.language, self._base)

    def _names_of_all(self, said: Iterable[Saying]) -> frozenset[str]:
        return frozenset[str]().union(*map(self._names, said))

    def _facts(self, text: str, language: str) -> tuple[Fact, ...]:
        return facts(text, language, self._base)

    def _spans(self, one: Saying, name: str) -> tuple[Span, ...]:
        """Where a thing is said; of several facts together, where the one that says most."""
        together = (every | some for scope, every, some, _ in SCOPES if scope == name)
        wanted = {name, *MEANT.get(name, ())}.union(*together)
        found = self._facts(one.side.text, one.side.language)
        return tuple((fact.start, fact.end) for fact in found if {fact.name, fact.value} & wanted)


def _is_unlimited(stated: Counter[str], here: frozenset[str]) -> bool:
    """Whether the document says the number of a rule and not that it is the most."""
    numbers = {name for name in here if name.startswith("number:") and stated[name]}
    return stated[UP_TO] > _MOST and bool(numbers) and not here & _LIMITED


def _lacks_its_not(stated: Counter[str], here: frozenset[str]) -> bool:
    """Whether a rule that says what is not so stands in the document without any word for that.

    What stays does not change: of a rule about changes that says as much.
    """
    says_so = any(stated[name] for name in _SO & here)
    stays = _KEPT in here and any(stated[name] >= _FEWEST for name in _STAYS)
    return stated[_DENIED] >= _MOST and not says_so and not stays and not here & _NOT_SO


def _left_out(rule: str, stated: Counter[str], here: frozenset[str]) -> Iterator[_Against]:
    """The not or the "only" of a rule for which the document has no word."""
    if _lacks_its_not(stated, here):
        yield _Against(Kind.NEGATION, rule, "negation:not", "")
    if stated[_ONLY] >= _MOST and not here & _AS_ONLY:
        yield _Against(Kind.QUANTITY, rule, _ONLY, "")


def _is_only(mine: frozenset[str], stated: frozenset[str]) -> bool:
    """Whether "never, except" says an "only"."""
    return "negation:not" in mine and "quantity:only" in stated


def _turned(rule: str, stated: Counter[str], heard: _Heard, anywhere: frozenset[str]) -> Iterator[_Against]:
    """What the place says where the statement says the opposite, and says itself nowhere.

    A "must" in a condition says as much as "may only", so that those two are not held against each other. What most
    languages of the statement say counts for more than a word of one of them.
    """
    sure = len(LANGUAGES) if heard.known else _MOST
    for kind, one, other in _PAIRS if heard.known else (*_PAIRS, *_OF_ONE_RULE):
        said = heard.at_that_time if kind is Kind.TIME else heard.anywhere
        is_may_only = {one, other} == _MAY_MUST and stated["quantity:only"] >= _FEWEST
        is_may_only |= _LIMITS.get(other) in heard.here
        is_unstated = other not in anywhere or (stated[one] >= sure and stated[other] == 1)
        if other in heard.here and one not in said and stated[one] >= _FEWEST and is_unstated and not is_may_only:
            yield _Against(kind, rule, one, other)


@lru_cache(maxsize=4_000)
def _stated(catalogue: Catalogue, rule: str, base: TermBase) -> Counter[str]:
    """In how many languages our statement of a rule says each thing."""
    counts = Counter[str]()
    for language in LANGUAGES:
        counts.update(names_of(catalogue.statement(catalogue[rule], language), language, base))
    return counts
