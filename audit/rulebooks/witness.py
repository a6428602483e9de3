"""Each sentence of a document against our own statements of the rules that it says.

A statement is short, and it is there in four languages. What two or more of them say is no chance of a word, and what
none of them says was put in. So a sentence is held against what is stated, in whatever language it is written, and
also where no other document says the rule. Nothing is remembered of a document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.rulebooks import opposites
from audit.rulebooks.against import (
    Against,
    Alone,
    Heard,
    is_unlimited,
    left_out,
    terms_of,
    told_as_well,
    turned,
    unheard,
)
from audit.rulebooks.checks.concepts import stem
from audit.rulebooks.checks.markers import has_table
from audit.rulebooks.clauses.compare import numbers
from audit.rulebooks.clauses.frames import BOTH, DENIALS, NEAR, Fact
from audit.rulebooks.clauses.together import (
    MEANT,
    NONE,
    SCOPES,
    UP_TO,
    in_order,
    steps_before,
    told_before,
)
from audit.rulebooks.findings import Finding, Kind, Severity, Span, quote
from audit.rulebooks.segments import Side
from audit.rulebooks.statements import FEWEST, MOST, Said, Saying
from audit.rulebooks.terms import PART_OF_TURN, TermBase

STATED = "@stated"
"""How the segment of a finding against our own statement ends."""

_BRIEF = 45
"""Words of a sentence of which a word that was put in can be told."""
_SHARE = 1 / 3
"""Of the sentences of other documents on a rule so many may have the word that was put in, which belongs elsewhere."""


_ZONE = "zone"
_FIELD = "term:field"
"""The zone that goes without saying."""
_AT_LEAST_1 = "at-least-1"
_BESIDE_ONE = frozenset({
    *DENIALS, "quantity:only", "amount:at-most-1", "contrast:limit-no-more", "condition:even-if",
})  # fmt: skip
"""What says that one is the most, whatever other number is named: one alone, even if two would do."""
_LEAVING = "leaving"
"""The family of what is done with a card that goes to the trash, from different places."""
_ON_THE_FIELD = frozenset({"term:line", "term:stack", "term:field"})
_LISTED = 2
"""More parts of a turn than these are a list, and their order counts."""


def against_statements(said: Sequence[Saying], catalogue: Catalogue, base: TermBase) -> list[Finding]:
    """What each place says against the statements of the rules that it says, one finding a place at most."""
    comparison = _Comparison(said, catalogue, base)
    return [comparison.finding(one, found) for one in said if (found := next(comparison.differences(one), None))]


class _Comparison:
    """The places of all documents by rule, against the statements of a catalogue."""

    def __init__(self, said: Iterable[Saying], catalogue: Catalogue, base: TermBase) -> None:
        self._said = Said(said, catalogue, base)
        self._catalogue = catalogue
        self._base = base

    def differences(self, one: Saying) -> Iterator[Against]:
        """What the place says against the statements of its rules, the surest first."""
        mine = self._said.names(one)
        rules = [rule for rule in one.rules if rule in self._catalogue.rules]
        stated = {rule: self._said.stated(rule) for rule in rules}
        anywhere = Counter[str]()
        for each in stated.values():
            anywhere |= each
        for rule in rules:
            mates = [same for same in self._said.by_rule.get(rule, ()) if same.document == one.document]
            here = self._said.names_of_all(mates)
            at_that_time = self._said.names_of_all(same for same in mates if len(same.rules) <= len(one.rules))
            opposed = turned(rule, stated[rule], Heard(mine, here, at_that_time, one.known), anywhere)
            yield from (
                found for found in opposed if not (found.stated == "whose:own" and self._said.is_of_cards([rule]))
            )
            if not one.known and is_unlimited(stated[rule], here):
                yield Against(Kind.QUANTITY, rule, UP_TO, "")
            if not one.known and has_table(one.side.language):
                yield from self._without_number(rule, stated[rule], one, here)
                yield from self._other_action(rule, stated[rule], one, here, anywhere.keys())
                yield from left_out(rule, stated[rule], here)
            if (
                stated[rule][opposites.EXCEPT] >= (MOST if one.known else len(LANGUAGES))
                and not here & opposites.EXCEPTED
            ):
                yield Against(Kind.EXCEPTION, rule, opposites.EXCEPT, "")
            yield from self._other_occasion(rule, stated, one, here)
            yield from self._turned_round(rule, one)
            yield from self._unheard(rule, one)
            yield from self._other_term(rule, stated[rule], one, here, anywhere.keys())
        for rule in (
            (*rules, *one.beside) if opposites.AS_WELL_AS in mine and not mine & opposites.AS_MUCH_AS_NOT else ()
        ):
            yield from told_as_well(rule, self._said.stated(rule), mine)
        yield from self._other_numbers(one, rules)
        if rules and len(one.side.text.split()) <= _BRIEF and not self._said.is_of_cards(rules):
            yield from self._put_in(one, mine, rules, anywhere.keys())

    def finding(self, one: Saying, against: Against) -> Finding:
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

    def _said_by_another(self, one: Saying, against: Against) -> Saying | None:
        """A sentence of another document that says what is stated, and not what this one says."""
        if not (against.here and against.stated):
            return None
        others = (other for other in self._said.near[against.rule] if other.document != one.document)
        for other in others:
            names = self._said.names(other) | {
                fact.value for fact in self._said.facts(other.side.text, other.side.language)
            }
            if against.stated in names and against.here not in names:
                return other
        return None

    def _turned_round(self, rule: str, one: Saying) -> Iterator[Against]:
        """Two steps in the other order: "first this, then that", where the statement has that before this."""
        steps = in_order(self._said.facts(one.side.text, one.side.language))
        for code in LANGUAGES if steps else ():
            stated = steps_before(self._said.facts(self._catalogue.statement(self._catalogue[rule], code), code))
            if stated and steps and stated[0] & steps[1] - steps[0] and stated[1] & steps[0] - steps[1]:
                yield Against(Kind.ORDER, rule, "before", "after")
                return
        told_first = told_before(one.side.text, self._said.facts(one.side.text, one.side.language))
        if told_first and self._said.first_of_all(rule) & told_first[1] - told_first[0]:
            yield Against(Kind.ORDER, rule, "before", "after")
            return
        told = self._said.listed(one.side.text, one.side.language)
        for code in LANGUAGES if len(told) > _LISTED else ():
            stated_list = self._said.listed(self._catalogue.statement(self._catalogue[rule], code), code)
            shared = [name for name in stated_list if name in told]
            if len(shared) > _LISTED and shared != [name for name in told if name in stated_list]:
                yield Against(Kind.ORDER, rule, "before", "after")
                return

    def _other_term(
        self, rule: str, stated: Counter[str], one: Saying, here: frozenset[str], anywhere: Set[str]
    ) -> Iterator[Against]:
        """A term in place of the one of its family that the statement has: the deck for the hand."""
        mine = self._said.names(one)
        for name, times in stated.items():
            family = _family(name, self._base)
            if times < MOST or family not in opposites.FAMILIES or name in here:
                continue
            listed = sum(_family(each, self._base) == family for each in mine)
            is_step = one.known and family == PART_OF_TURN and stated["time:then"] >= MOST
            unsaid = mine - anywhere | (mine & self._said.parts_after(rule, name) if is_step else NONE)
            if one.known and family == _ZONE and name != _FIELD and self._said.is_heard(name, rule, one):
                unsaid |= {zone for zone in mine if not stated[zone]}
            for other in sorted(unsaid if listed <= _LISTED else ()):
                if _family(other, self._base) == family:
                    yield Against(Kind.TERM, rule, name, other)

    def _without_number(
        self, rule: str, stated: Counter[str], one: Saying, here: frozenset[str]
    ) -> Iterator[Against]:  # fmt: skip
        """The number of a rule where the document has none at all, and half of the others have it.

        How far to draw may go without saying, how many there are where they are listed, and of a thing that the
        document counts elsewhere.
        """
        if _counted(here) or (stated[UP_TO] >= FEWEST and UP_TO not in here):
            return
        others = self._said.others_on(rule, one)
        for name in _counted(stated):
            if stated[name] == len(LANGUAGES):
                heard = sum(name in self._said.names_of_all(said) for said in others)
                is_listed = one.side.text.count(",") >= int(re.split("[:-]", name)[-1]) - _LISTED
                if heard and 2 * heard >= len(others) and not is_listed and not self._said.is_counted(name, rule, one):
                    yield Against(Kind.NUMBER, rule, name, "")

    def _other_action(
        self, rule: str, stated: Counter[str], one: Saying, here: frozenset[str], anywhere: Set[str]
    ) -> Iterator[Against]:
        """A verb for cards that lie on the field, of cards in the hand for which the statement has another, or reverse.

        A language may have one word for both, so that the text has to name where the cards are.
        """
        mine = self._said.names(one)
        for name in (each for each in stated if stated[each] == len(LANGUAGES) and each not in here):
            for other in mine - anywhere:
                if _family(name, self._base) == _family(other, self._base) == _LEAVING:
                    right, wrong = (_lying(each, self._base) for each in (name, other))
                    if right & mine and not wrong & mine:
                        yield Against(Kind.TERM, rule, name, other)

    def _unheard(self, rule: str, one: Saying) -> Iterator[Against]:
        """What no statement of the place and no other document says: instead of what is stated, or put in."""
        others = [same for each in one.rules for same in self._said.near[each] if same.document != one.document]
        every = [self._said.stated(each) for each in (*one.rules, *one.beside)]
        mine = self._said.names(one)
        alone = mine - self._said.names_of_all(others).union(*every) if one.known else NONE
        if alone:
            often = {name for counts in every for name, times in counts.items() if times >= FEWEST}
            yield from unheard(rule, self._said.stated(rule), Alone(mine, alone, frozenset(often), bool(others)))

    def _other_occasion(
        self, rule: str, stated: Mapping[str, Counter[str]], one: Saying, here: frozenset[str]
    ) -> Iterator[Against]:
        """The one action in which the statement parts from that of another rule of the place, which says the other."""
        mine = frozenset(_actions(stated[rule], self._base))
        if len(stated) == 1 or len(mine) != 1 or mine <= here or self._may_name(mine, one.side):
            return
        named = {each: frozenset(_actions(counts, self._base)) for each, counts in stated.items()}
        for other in stated:
            is_twin = terms_of(stated[rule]) - mine == terms_of(stated[other]) - named[other]
            if is_twin and len(named[other]) == 1 and named[other] <= self._said.names(one):
                yield Against(Kind.TERM, rule, next(iter(mine)), "")

    def _may_name(self, names: Iterable[str], side: Side) -> bool:
        """Whether a word of the text begins as one of the terms does, so that it may be a form that is not listed."""
        words = (word for name in names for word in self._base.words(name.partition(":")[2], side.language))
        return any(stem(word) in side.text.casefold() for word in words)

    def _other_numbers(self, one: Saying, rules: Sequence[str]) -> Iterator[Against]:
        """A number that no statement of the rules has, where one of them has another."""
        stated = {
            rule: [self._said.facts(self._catalogue.statement(self._catalogue[rule], code), code) for code in LANGUAGES]
            for rule in rules
        }
        every = {
            value for each in stated.values() for found in each for fact in found for value in (fact.value, fact.said)
        }
        mine = self._said.facts(one.side.text, one.side.language)
        for rule in rules:
            if not one.known:
                yield from self._one_instead(one, rule, mine, every)
            for fact in mine:
                if fact.value == _AT_LEAST_1 and fact.value not in every and (more := self._at_least(rule)):
                    yield Against(Kind.NUMBER, rule, more, fact.value, ((fact.start, fact.end),))
                if (
                    fact.value not in every
                    and _is_several(fact, mine)
                    and self._said.stated(rule)["amount:at-most-1"] >= FEWEST
                ):
                    yield Against(Kind.NUMBER, rule, "at-most-1", fact.value, ((fact.start, fact.end),))
        for rule, each in stated.items():
            for found in each:
                for told in numbers(mine, found, False):
                    here, there = dict(told.data)["left"], dict(told.data)["right"]
                    if here not in every:
                        yield Against(Kind.NUMBER, rule, there, here, told.left)

    def _one_instead(self, one: Saying, rule: str, mine: Sequence[Fact], every: Collection[str]) -> Iterator[Against]:
        """A one that is a number where the rule has a greater one that its document says nowhere.

        It is a number where it is a figure or stands beside a value; any other one may be an article.
        """
        values = [fact for fact in mine if fact.name == "term:value"]
        here = self._said.names_of_all(
            same for same in self._said.by_rule.get(rule, ()) if same.document == one.document
        )
        stated = [
            name.partition(":")[2] for name, times in self._said.stated(rule).items()
            if name.startswith("number:") and times >= MOST
        ]  # fmt: skip
        missing = [number for number in stated if number != "1" and f"number:{number}" not in here]
        for fact in mine if missing and "1" not in every else ():
            is_figure = one.side.text[fact.start : fact.end] == "1"
            is_near = any(max(fact.start - each.end, each.start - fact.end) <= NEAR for each in values)
            if fact.name == "number:1" and (is_figure or is_near):
                yield Against(Kind.NUMBER, rule, missing[0], fact.value, ((fact.start, fact.end),))

    def _at_least(self, rule: str) -> str:
        """The least number, of more than one, that the statement has in most languages, or nothing."""
        stated = (name for name, times in self._said.stated(rule).items() if times >= MOST)
        least = (name.partition(":")[2] for name in stated if name.startswith("amount:at-least-"))
        return next((limit for limit in least if limit != _AT_LEAST_1), "")

    def _put_in(self, one: Saying, mine: frozenset[str], rules: Sequence[str], stated: Set[str]) -> Iterator[Against]:
        """What no statement of these rules and of those on the same lines says, and no other document that says them.

        Where no other document says them, it may be what only this one says.
        """
        every = set(stated).union(*(self._said.stated(rule) for rule in one.beside))
        often, often_here = (
            {name for rule in some for name, times in self._said.stated(rule).items() if times >= FEWEST}
            for some in ((*rules, *one.beside), rules)
        )
        others = [same for rule in rules for same in self._said.near[rule] if same.document != one.document]
        for kind, here in opposites.PUT_IN if one.known else opposites.PUT_IN_OF_UNKNOWN:
            answers = {here} | opposites.AS_MUCH_AS_PUT_IN.get(here, NONE)
            if (
                others
                and here in mine
                and here not in (stated if here in opposites.OF_ITS_RULES else every)
                and not answers & (often_here if here in opposites.OF_ITS_RULES else often)
                and not (here == opposites.EXCEPT and self._is_excepted(mine, every, others))
            ):
                heard = sum(bool(answers & self._said.names(other)) for other in others)
                is_said_too = any(here in self._said.names(other) for other in others)
                if heard <= _SHARE * len(others) or not (one.known or answers & every or is_said_too):
                    yield Against(kind, rules[0], "", here)

    def _is_excepted(self, mine: Set[str], stated: Set[str], others: Sequence[Saying]) -> bool:
        """Whether an exception says "unless otherwise stated", or by "never, except" an "only" that is stated.

        Or all other documents have "until" for it.
        """
        if "contrast:said-otherwise" in mine or ("negation:not" in mine and opposites.ONLY in stated):
            return True
        until = {other.document for other in others if "amount:up-to" in self._said.names(other)}
        return until == {other.document for other in others}

    def _spans(self, one: Saying, name: str) -> tuple[Span, ...]:
        """Where a thing is said; of several facts together, where the one that says most."""
        together = (every | some for scope, every, some, _ in SCOPES if scope == name)
        wanted = {name, *MEANT.get(name, ())}.union(*together)
        found = self._said.facts(one.side.text, one.side.language)
        return tuple((fact.start, fact.end) for fact in found if {fact.name, fact.value} & wanted)


def _is_several(fact: Fact, mine: Collection[Fact]) -> bool:
    """Whether a number is a limit, or of something that may be done, so that it cannot be where one is the most."""
    if fact.slot == "amount":
        return fact.value.startswith("at-most-")
    is_more = fact.slot == "number" and fact.value.isdigit() and int(fact.value) > 1 and fact.said != BOTH
    return (
        is_more
        and _BESIDE_ONE.isdisjoint(one.name for one in mine)
        and any(one.name == "modality:may" or (one.name == UP_TO and 0 <= fact.start - one.end <= NEAR) for one in mine)
    )


def _actions(stated: Counter[str], base: TermBase) -> Iterator[str]:
    for name in terms_of(stated):
        if (concept := name.partition(":")[2]) in base.concepts and base[concept].action:
            yield name


def _family(name: str, base: TermBase) -> str:
    slot, _, concept = name.partition(":")
    return base.family(concept) if slot == "term" and concept in base.concepts else ""


def _counted(names: Collection[str]) -> list[str]:
    """The numbers and limits; one is an article as well, and two may only tell that both are meant."""
    vague = {"number:1", "number:2"} if "actor:both" in names else {"number:1"}
    return [name for name in names if name.startswith(("number:", "amount:at-")) and name not in vague]


def _lying(action: str, base: TermBase) -> frozenset[str]:
    """Where the cards are, in words of a text, with which something is done."""
    places = {f"term:{zone}" for zone in base[action.partition(":")[2]].source}
    return frozenset(places | _ON_THE_FIELD if _FIELD in places else places)
