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

from audit.catalogue import LANGUAGES, Catalogue
from audit.rulebooks.clauses.compare import numbers
from audit.rulebooks.clauses.frames import OF_A_TEXT, Fact, facts
from audit.rulebooks.compared import addresses_at, known_lines
from audit.rulebooks.findings import Finding, Kind, Quote, Severity, Span, quote
from audit.rulebooks.segments import Placed, Sentences, Side, Unit
from audit.rulebooks.terms import TermBase

STATED = "@stated"
"""How the segment of a finding against our own statement ends."""

_FEWEST = 2
"""Languages of our statement that say a thing, so that it is no chance of a word."""
_MOST = 3
"""Languages of our statement that say a thing which may not be left out."""
_CONCEDED = 40
"""Letters behind "even if" within which a modal word belongs to what is conceded."""
_NEAR = 4
"""Letters between a not and the word that it denies."""
_OF = 20
"""Letters between the opponent and the turn player whose opponent it is."""
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
    (Kind.ORDER, "contrast:order-kept", "contrast:order-free"),
    (Kind.ORDER, "contrast:order-newest", "contrast:order-oldest"),
    (Kind.ORDER, "scope:first", "scope:last"),
    (Kind.QUANTITY, "contrast:size-greater", "contrast:size-no-less"),
    (Kind.QUANTITY, "contrast:size-greater", "contrast:size-less"),
    (Kind.QUANTITY, "contrast:which-other", "contrast:which-any"),
    (Kind.QUANTITY, "contrast:which-same", "contrast:which-unlike"),
    (Kind.QUANTITY, "contrast:which-matching", "contrast:which-unmatching"),
    (Kind.QUANTITY, "contrast:age-young", "contrast:age-old"),
    (Kind.TERM, "term:covered", "term:uncovered"),
)
"""Things that cannot both be so, whichever of the two is stated."""
_INSTEAD: tuple[tuple[Kind, str, str], ...] = (
    (Kind.EXCEPTION, "scope:only-if", "condition:even-if"),
    (Kind.EXCEPTION, "amount:as-possible", "scope:only-if"),
    (Kind.QUANTITY, "contrast:join-or", "scope:and-then"),
    (Kind.TERM, "side:face-up", "term:uncovered"),
    (Kind.TERM, "side:face-down", "term:covered"),
)
"""What is stated, and what may not be said instead."""
_PAIRS = (*_INSTEAD, *((kind, *pair) for kind, one, other in _OPPOSITES for pair in ((one, other), (other, one))))
_MAY_MUST = frozenset({"modality:may", "modality:must"})

_PUT_IN: tuple[tuple[Kind, str], ...] = (
    (Kind.ACTOR, "scope:opponent"), (Kind.EXCEPTION, "exception:except"), (Kind.QUANTITY, "amount:time-1"),
    (Kind.QUANTITY, "term:at-random"), (Kind.TIME, "time:turn-end"),
)  # fmt: skip
"""What changes a rule wherever it is put in."""
_ANSWERS: Mapping[str, frozenset[str]] = {
    "scope:opponent": frozenset({"scope:both", "side:other", "ordinal:2", "contrast:party-one"}),
    "exception:except": frozenset({"amount:rest"}),
    "time:turn-end": frozenset({"term:end-phase", "term:start-end-effect"}),
}
"""What says as much as a word that was put in."""
_EXCEPT = "exception:except"
_EXCEPTED = frozenset({
    _EXCEPT, "quantity:only", "condition:if", "condition:even-if", "amount:up-to", "contrast:said-otherwise",
})  # fmt: skip
"""What says an exception, also in other words."""

_OPPONENT = frozenset({"actor:opponent", "whose:theirs"})
_NONE = frozenset[str]()
_SCOPES: tuple[tuple[str, frozenset[str], frozenset[str], frozenset[str]], ...] = (
    ("scope:opponent", _NONE, _OPPONENT, _NONE),
    ("scope:both", _NONE, frozenset({"actor:both", "side:both-sides", "contrast:party-both"}), _NONE),
    ("scope:own-only", frozenset({"quantity:only"}), frozenset({"whose:own", "side:own-side"}), _OPPONENT),
    ("scope:own-side", frozenset({"side:own-side"}), _NONE, _OPPONENT),
    ("scope:only-if", frozenset({"quantity:only", "condition:if"}), _NONE, _NONE),
    ("scope:and-then", frozenset({"contrast:join-and", "time:then"}), _NONE, frozenset({"contrast:join-or"})),
    ("scope:first", frozenset({"ordinal:1"}), _NONE, frozenset({"time:then"})),
    ("scope:last", frozenset({"ordinal:last"}), _NONE, frozenset({"time:then", "number:2", "number:3", "ordinal:1"})),
)
"""What several facts say together: those that are all there, those of which one is, those of which none is."""


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
    """The findings on sentences of which no other check tells a difference of that kind in the same words."""
    told: dict[tuple[Kind, str, int], list[Quote]] = {}
    for other in others:
        for each in other.quotes:
            for line in _lines(each):
                told.setdefault((other.kind, each.language, line), []).append(each)
    return [
        one for one in findings
        if not any(
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

    A plain statement obliges as much as one with "must".
    """
    stated, said = _stated(catalogue, rule, base), dict(found.data)
    values = {name.partition(":")[2]: number for name, number in stated.items()}
    mine, theirs = (values.get(said.get(name, ""), 0) for name in ("left", "right"))
    if found.kind is Kind.MODALITY and said.get("right") == "must" and not stated["modality:may"]:
        return True
    return found.kind in (Kind.MODALITY, Kind.PLACE, Kind.ACTOR) and theirs >= _FEWEST and not mine


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
            here = frozenset[str]().union(
                *(self._names(same) for same in self._of(rule) if same.document == one.document)
            )
            yield from _turned(rule, stated[rule], mine, here, anywhere)
            if one.known and stated[rule][_EXCEPT] >= _MOST and not here & _EXCEPTED:
                yield _Against(Kind.EXCEPTION, rule, _EXCEPT, "")
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
                several = fact.slot == "amount" and fact.value.startswith("at-most-") and fact.value not in every
                if several and self._stated(rule)["amount:at-most-1"] >= _FEWEST:
                    yield _Against(Kind.NUMBER, rule, "at-most-1", fact.value, ((fact.start, fact.end),))
        for rule, each in stated.items():
            for found in each:
                for told in numbers(mine, found, False):
                    here, there = dict(told.data)["left"], dict(told.data)["right"]
                    if here not in every:
                        yield _Against(Kind.NUMBER, rule, there, here, told.left)

    def _put_in(
        self, one: Saying, mine: frozenset[str], rules: Sequence[str], stated: frozenset[str]
    ) -> Iterator[_Against]:
        """What no statement of these rules and of those on the same lines says, and no other document that says them.

        Where no other document says them, it may be what only this one says.
        """
        every = stated.union(*(self._stated(rule) for rule in one.beside))
        others = [same for rule in rules for same in self._near[rule] if same.document != one.document]
        for kind, here in _PUT_IN:
            answers = {here} | _ANSWERS.get(here, _NONE)
            if (
                others
                and here in mine
                and not answers & every
                and not (here == _EXCEPT and self._is_excepted(mine, others))
            ):
                heard = sum(bool(answers & self._names(other)) for other in others)
                if heard <= _SHARE * len(others):
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
        return _names(one.side.text, one.side.language, self._base)

    def _facts(self, text: str, language: str) -> tuple[Fact, ...]:
        return facts(text, language, self._base)

    def _spans(self, one: Saying, name: str) -> tuple[Span, ...]:
        """Where a thing is said; of several facts together, where the one that says most."""
        wanted = {name, *(each for scope, every, some, _ in _SCOPES if scope == name for each in every | some)}
        found = self._facts(one.side.text, one.side.language)
        return tuple((fact.start, fact.end) for fact in found if {fact.name, fact.value} & wanted)


def _turned(
    rule: str, stated: Counter[str], mine: frozenset[str], here: frozenset[str], anywhere: frozenset[str]
) -> Iterator[_Against]:
    """What the place says where the statement says the opposite, and says itself nowhere.

    A "must" in a condition says as much as "may only", so that those two are not held against each other.
    """
    for kind, one, other in _PAIRS:
        is_may_only = {one, other} == _MAY_MUST and stated["quantity:only"] >= _FEWEST
        if other in mine and one not in here and stated[one] >= _FEWEST and other not in anywhere and not is_may_only:
            yield _Against(kind, rule, one, other)


@lru_cache(maxsize=20_000)
def _names(text: str, language: str, base: TermBase) -> frozenset[str]:
    """The facts by name, with what several of them say together, and without what is only conceded."""
    names = {fact.name for fact in _unconceded(facts(text, language, base))}
    scopes = {
        scope for scope, every, some, none in _SCOPES
        if every <= names and (not some or names & some) and not names & none
    }  # fmt: skip
    return frozenset(names | scopes)


def _unconceded(found: Iterable[Fact]) -> Iterator[Fact]:
    """Without "cannot" behind "even if", and without what a text orders; "does not allow" is a "cannot".

    Of "the opponent of the turn player" only the opponent counts.
    """
    ends = -1
    denied = opponent = -_CONCEDED
    for fact in sorted(found):
        if fact.name == "condition:even-if":
            ends = fact.end + _CONCEDED
        if fact.name == "negation:not":
            denied = fact.end
        if fact.name == "actor:opponent":
            opponent = fact.end
        of_opponent = fact.name == "actor:turn-player" and 0 <= fact.start - opponent <= _OF
        if of_opponent or fact.said == OF_A_TEXT or (fact.start < ends and fact.slot in ("modality", "negation")):
            continue
        is_denied = fact.name == "modality:may" and 0 <= fact.start - denied <= _NEAR
        yield replace(fact, value="cannot") if is_denied else fact


@lru_cache(maxsize=4_000)
def _stated(catalogue: Catalogue, rule: str, base: TermBase) -> Counter[str]:
    """In how many languages our statement of a rule says each thing."""
    counts = Counter[str]()
    for language in LANGUAGES:
        counts.update(_names(catalogue.statement(catalogue[rule], language), language, base))
    return counts
