"""What two sentences say alike in other words, and what turns one of them round: rows of facts, compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations

from audit.rulebooks.clauses.frames import DENIALS, Fact, counted, each_of_a_number
from audit.rulebooks.clauses.rewording import (
    JOINING,
    Kept,
    contrast_group,
    has_relative_clause,
)
from audit.rulebooks.clauses.together import in_order
from audit.rulebooks.findings import Difference, Kind, Severity
from audit.rulebooks.terms import PART_OF_TURN, TermBase

_UNWEIGHED = Counter({"negation:un": 99})
_WORDS_BETWEEN = 2
_UNPLAIN = frozenset({"modality", "negation", "ability"})
"""A plain statement of a rulebook obliges as well as one with "must"; one with a word of these may not."""
_BOTH = Counter({"quantity:each": 99, "number:2": 99, "contrast:party-both": 99})
"""What says the same of the players, who are two: each of them, both of them."""
_FIRST = Counter({
    "modality:must": 99, "time:before": 99, "time:first": 99, "time:after": 99, "quantity:only": 99,
    "contrast:polarity-only": 99, "contrast:polarity-not": 99, "contrast:step-before": 99, "negation:not": 99,
})  # fmt: skip
"""What says the same order of two steps: "this must come before that", "that comes only after this"."""
_LATER = frozenset({"time:after", "quantity:only"})
_PERSONS = Counter({"contrast:person-you": 99, "contrast:person-self": 99})
"""Two ways to name whose it is, of which one is another only where a sentence speaks of the opponent as well."""
_THEN_BEFORE = Counter({"time:then": 99, "time:before": 99, "ordinal:previous": 99})
"""What says the same of two steps that stayed in their order: "this, then that", "this before that"."""
_TO_THE_END = Counter({"amount:up-to": 99, "amount:rest": 99})
"""What says the same beside "the game": to its end, for the rest of it."""
_ALSO = Counter({"contrast:polarity-too": 99, "contrast:polarity-with": 99})
_EACH = Counter({"quantity:each": 99, "quantity:all": 99, "contrast:share-all": 99})
_MUST = Counter({"modality:must": 99})
_OF_ANOTHER = frozenset({
    "whose:theirs", "whose:ofowner", "actor:opponent", "actor:owner", "actor:both", "actor:turn-player",
    "side:other", "side:both-sides", "number:2", "quantity:each", "quantity:all",
})  # fmt: skip
"""Whom a sentence may speak of beside the player who acts."""
_OF_ONESELF = frozenset({"whose:own", "contrast:person-self", "contrast:person-you"})
_AS_LONG = 0.8
"""Of the words of a sentence so many remain where a clause was only worded anew."""
_IF = Counter({"condition:if": 99})
_BOUND = frozenset({"condition:if", "exception:except", "condition:while"})
_DENIED = frozenset({"negation:not", "contrast:polarity-not"})
_FACES = {"term:face-up", "term:face-down"}
_EITHER = Counter(dict.fromkeys(JOINING, 1))
_ONCE = frozenset({"quantity:only", "modality:may", "time:then"})
LIMIT_SAID = Counter({
    "modality:may": 99, "modality:cannot": 99, "negation:not": 99, "quantity:only": 99, "amount:beyond": 99,
    "contrast:polarity-not": 99, "contrast:polarity-only": 99, "contrast:wish-able": 99, "number:1": 99,
})  # fmt: skip
"""Words around a limit that stayed: one may take one only, one cannot take more than one."""
_LIMIT_TURNED = LIMIT_SAID + Counter({
    "condition:if": 99, "condition:while": 99, "exception:except": 99, "contrast:limit-no-less": 99,
    "contrast:limit-no-more": 99, "modality:must": 99,
})  # fmt: skip
"""Words around a limit that was turned round with its sentence: not from five on, only with fewer than five."""
_OTHER_LIMIT = {"at-least": ("at-most", -1), "at-most": ("at-least", 1)}

_ONE_NAME = {"time:first": "time:before", "term:reshuffle": "term:shuffle"}
"""What says the same of a sentence that was edited."""


def weighed(names: Iterable[str]) -> Counter[str]:
    """How often each fact is stated; once, where a second time says nothing more."""
    found = counted(_ONE_NAME.get(name, name) for name in names)
    once = {name: 1 if name in _ONCE else number for name, number in found.items()}
    return Counter(once) - _UNWEIGHED


def only(found: Counter[str], names: Collection[str]) -> Counter[str]:
    return Counter({name: number for name, number in found.items() if name in names})


def are_joined_otherwise(lost: Counter[str], new: Counter[str]) -> bool:
    """Whether "then" stands for "and", or the other way round: two things one after the other are joined by either."""
    return any("contrast:join-and" in one and "time:then" in other for one, other in ((lost, new), (new, lost)))


def is_reflexive(changed: Set[str], named: Set[str]) -> bool:
    """Whether "one's own" alone came or went where no other player is named: one fills one's own hand."""
    return bool(changed) and changed <= _OF_ONESELF and named.isdisjoint(_OF_ANOTHER)


def is_alternative_lost(lost: Mapping[str, int], gone: Mapping[str, int]) -> bool:
    """Whether one of two things is gone together with the "or" between them."""
    return "contrast:join-or" in gone and any(name.startswith("term:") for name in lost)


def in_a_clause(before: Kept, after: Kept, text: str, language: str) -> Counter[str]:
    """A condition that a relative clause may say: "a player who" for "if a player", in about as many words."""
    is_as_long = len(after.letters) >= _AS_LONG * len(before.letters)
    return _IF if is_as_long and has_relative_clause(text, language) else Counter()


def of_either(now: Sequence[Fact], base: TermBase) -> Counter[str]:
    """The "and" or "or" between two times, or between the two faces that a card may have.

    In the Start and the End phase, or in the Start or the End phase; it may lie face up as well as face down.
    """
    found = [fact for fact in now if fact.name in JOINING or fact.slot == "term"]
    may = any(fact.name == "modality:may" for fact in now)
    for one, join, other in zip(found, found[1:], found[2:], strict=False):
        times = {base.family(each.value) for each in (one, other) if each.slot == "term"}
        if join.name in JOINING and (times == {PART_OF_TURN} or (may and {one.name, other.name} == _FACES)):
            return _EITHER
    return Counter()


def denied_in_a_word(was: Sequence[str], are: Sequence[str]) -> Counter[str]:
    """The not that a word with a not in it says as well: "is no longer" for "ceases to be"."""
    more = was.count("negation:un") - are.count("negation:un")
    nots = was.count("negation:not") - are.count("negation:not")
    return Counter(dict.fromkeys(_DENIED, 99)) if more * nots < 0 else Counter()


def turned_with_a_not(lost: Counter[str], new: Counter[str]) -> Counter[str]:
    """Words for their opposites in a sentence that got or lost a not as well: "undone" for "not done"."""
    if "negation:not" not in lost + new:
        return Counter()
    groups = {contrast_group(name) for name in lost} & {contrast_group(name) for name in new} - {"", "polarity"}
    return Counter({name: 99 for name in lost + new if contrast_group(name) in groups})


def is_even_if_denied(lost: Counter[str], new: Counter[str]) -> bool:
    """Whether "even if it is so" became "that it is so does not hinder it"."""
    return "condition:even-if" in lost and not _DENIED.isdisjoint(new) and _BOUND.isdisjoint(new)


def contrasted(lost: Counter[str], new: Counter[str], denials: Collection[str]) -> tuple[Counter[str], Counter[str]]:
    """Without words that count only where one that excludes them stands in their place: and for or, even for odd."""
    counting = {"", *({contrast_group(name) for name in lost} & {contrast_group(name) for name in new})}
    one, other = (
        Counter({name: count for name, count in side.items() if name in denials or contrast_group(name) in counting})
        for side in (lost, new)
    )
    return one, other


def unsaid(before: Kept, after: Kept) -> Counter[str]:
    """What says nothing more in one of two wordings.

    "Must" in a plain statement, "each" before a number for "all", and "not more than" for "only".
    """
    found = Counter[str]()
    if all(not any(name.partition(":")[0] in _UNPLAIN for name in {*one.names} - {*_MUST}) for one in (before, after)):
        found += _MUST
    counted_out = any(each_of_a_number(one.names, one.places, _WORDS_BETWEEN) for one in (before, after))
    if counted_out and {"quantity:each", "quantity:all"} <= {*before.names, *after.names}:
        found += _EACH
    if any("actor:opponent" not in one.names for one in (before, after)):
        found += _PERSONS
    if all(not _ALSO.keys().isdisjoint(one.names) for one in (before, after)):
        found += _ALSO
    says_rest = {"amount:rest" in one.names for one in (before, after)}
    if all("time:game-end" in one.names for one in (before, after)) and len(says_rest) > 1:
        found += _TO_THE_END
    if "time:then" in before.names and "contrast:step-before" in after.names and "time:before" not in before.names:
        found += _THEN_BEFORE
    for one, other in ((before, after), (after, before)):
        if {"modality:must", "time:before"} <= {*one.names} and {*other.names} >= _LATER:
            found += _FIRST
    if all("actor:both" in one.names for one in (before, after)):
        found += _BOTH
    limits = ({name for name in one.names if name.startswith("amount:at-most-")} for one in (before, after))
    is_asked = all("condition:if" in one.names for one in (before, after))
    if next(limits) & next(limits) and not (is_asked and _affirms(before.names) != _affirms(after.names)):
        found += LIMIT_SAID
    return found


def _affirms(names: Collection[str]) -> bool:
    """Whether a sentence says what may be, or what may not be except in a case."""
    return DENIALS.isdisjoint(names) or "exception:except" in names


def is_unless(one: Counter[str], other: Counter[str]) -> bool:
    """Whether "not, unless" in one sentence is "only if" in the other."""
    denied, asked = not DENIALS.isdisjoint(one), "condition:if" in other or "quantity:only" in other
    excepted = "exception:except" in one and "exception:except" not in other
    return denied and excepted and asked and DENIALS.isdisjoint(other) and "modality:may" in other


def turned_limit(was: Counter[str], are: Counter[str]) -> Counter[str]:
    """The limit of which the other side is denied: what is not so from five on is so only with fewer than five."""
    if _affirms(was) == _affirms(are):
        return Counter()
    pairs = [(name, other) for name in was - are if (other := _other_side(name)) and other in are - was]
    return _LIMIT_TURNED + Counter({name: 99 for pair in pairs for name in pair}) if pairs else Counter()


def _other_side(limit: str) -> str:
    """The limit that begins where this one ends: at most four for at least five."""
    slot, _, value = limit.partition(":")
    sort, _, number = value.rpartition("-")
    if slot != "amount" or sort not in _OTHER_LIMIT or not number.isdigit():
        return ""
    other, more = _OTHER_LIMIT[sort]
    return f"amount:{other}-{int(number) + more}"


_LISTED = 2
"""More parts of a turn than these are a list, and their order counts."""
Facts = Sequence[Fact]


def in_another_order(mine: Facts, theirs: Facts, base: TermBase) -> Iterator[Difference]:
    """The first two things of which each sentence has another one first, if both tell them in their order."""
    pair = _around_then(mine, theirs, base) or _in_lists(mine, theirs, base)
    if pair:
        spans = (tuple((fact.start, fact.end) for fact in found if fact.name in pair) for found in (mine, theirs))
        data = tuple(zip(("left", "right"), (name.partition(":")[2] for name in pair), strict=True))
        yield Difference(Kind.ORDER, "turned", Severity.CHANGES, data, *spans)


def _around_then(mine: Facts, theirs: Facts, base: TermBase) -> tuple[str, str] | None:
    one, other = in_order(mine), in_order(theirs)
    if not (one and other):
        return None
    first = (one[0] - one[1]) & (other[1] - other[0])
    second = (one[1] - one[0]) & (other[0] - other[1])
    return (_told(first, base), _told(second, base)) if first and second else None


def _told(names: frozenset[str], base: TermBase) -> str:
    """An action, where one of them is one."""
    return min(names, key=lambda name: (not base[name.partition(":")[2]].action, name))


def _in_lists(mine: Facts, theirs: Facts, base: TermBase) -> tuple[str, str] | None:
    one, other = (parts_of_turn(found, base) for found in (mine, theirs))
    shared = [name for name in one if name in other]
    if len(shared) <= _LISTED:
        return None
    return next((pair for pair in combinations(shared, 2) if other.index(pair[0]) > other.index(pair[1])), None)


def parts_of_turn(found: Facts, base: TermBase) -> list[str]:
    """The parts of the turn in the order in which a text names them first."""
    terms = (fact.name for fact in found if fact.slot == "term" and fact.value in base.concepts)
    return list(dict.fromkeys(name for name in terms if base.family(name.partition(":")[2]) == PART_OF_TURN))
