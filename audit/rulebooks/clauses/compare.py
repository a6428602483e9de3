"""Compares two sentences clause by clause: each word that counts against the word it belongs to.

A "may" is compared with the duty of the same action, a "not" with the same action elsewhere, a number with a number,
"your" with whose hand the other text names. How often a text says "not" or "may" is no difference.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from audit.rulebooks.clauses.frames import BOTH, DENIALS, NEAR, Fact, each_of_a_number, facts
from audit.rulebooks.clauses.rewording import JOINING, is_read
from audit.rulebooks.findings import Difference, Kind, Severity, Span
from audit.rulebooks.segments import Side
from audit.rulebooks.terms import TermBase

_REACH = 48
"""Letters from a word such as "may" to the action it belongs to."""
_CLAUSE_END = re.compile(r"[,;:]")
_OWNED = frozenset({"hand", "deck", "trash", "protocol", "side", "stack", "protocol-card"})
_BRIEF = 9
"""Words of a sentence that has one clause."""
_MUCH_MORE = 2.2
_WORDS = frozenset({"modality:may", "modality:must", "modality:cannot"})
_QUANTITY = (("all", "each"), ("any", "only"), ("at-least", "at-most"), ("at-least", "fewer"), ("fewer", "at-most"))
_TIME = (
    ("before", "after"), ("together", "in-turn"), ("together", "then"),
    ("at-once", "after"), ("before", "at-once"),
)  # fmt: skip
_EXACTLY = (("limit-no-less", "limit-exactly"), ("limit-no-more", "limit-exactly"))
_ACTOR = (("owner", "opponent"), ("owner", "owner-of-target"), ("turn-player", "opponent"), ("owner", "turn-player"))
_LIMITS = ("at-least", "at-most")

_BOTH = frozenset({"actor:both"})
_ANSWER_A_NOT = frozenset({
    "quantity:only", "exception:except", "negation:un", "modality:may", "amount:at-most-1", "contrast:kept-kept",
})  # fmt: skip
"""What says the same as a not: an exception, an only, a permission that need not be used, what stays as it is."""

Facts = Sequence[Fact]
Said = tuple[Side, Facts]


def differences(left: Side, right: Side, base: TermBase) -> Iterator[Difference]:
    """What two sides say differently, terms apart."""
    mine, theirs = facts(left.text, left.language, base), facts(right.text, right.language, base)
    even = not _uneven(left.text, right.text)
    brief = _brief(left) and _brief(right)
    found = [*numbers(mine, theirs, even), *modality(mine, theirs, base), *_exchanges(mine, theirs)]
    found += joined(mine, theirs)
    found += turned(mine, theirs, base) if even else ()
    found += negation((left, mine), (right, theirs), base, brief) if even else ()
    yield from found
    if even and _entry(left) == _entry(right):
        kinds = {one.kind for one in found}
        yield from (one for one in presence(mine, theirs) if one.kind not in kinds)


def _exchanges(mine: Facts, theirs: Facts) -> Iterator[Difference]:
    counted = any(each_of_a_number([f.name for f in one], _spans(one), NEAR) for one in (mine, theirs))
    quantities = [pair for pair in _QUANTITY if not counted or "each" not in pair]
    yield from exchanged(Kind.QUANTITY, "quantity", quantities, mine, theirs)
    yield from exchanged(Kind.QUANTITY, "contrast", _EXACTLY, mine, theirs)
    yield from exchanged(Kind.NUMBER, "ordinal", [("1", "2")], mine, theirs)
    yield from exchanged(Kind.TIME, "time", _TIME, mine, theirs)
    own = _answered([*mine, *theirs], {"whose:own"})
    actors = [pair for pair in _ACTOR if not own or "opponent" not in pair]
    yield from exchanged(Kind.ACTOR, "actor", actors, mine, theirs)
    yield from possession(mine, theirs)


def numbers(mine: Facts, theirs: Facts, even: bool) -> Iterator[Difference]:
    """Another number, another limit of the same one, or some of so many where the other side says all of them.

    A number on one side only where both say as much.
    """
    left, right = _numbers(mine), _numbers(theirs)
    if _answered([*mine, *theirs], _BOTH):
        left, right = ({value: spans for value, spans in one.items() if value != "2"} for one in (left, right))
    lost, new = _unanswered(left, right), _unanswered(right, left)
    for one, other in _other_limits(left, right):
        lost, new = [one, *lost], [other, *new]
    new += [whole for part, whole in _parts(mine) if part in lost and whole in right]
    lost += [whole for part, whole in _parts(theirs) if part in new and whole in left]
    counted = (
        [value for value in lost if _is_counted(left[value])],
        [value for value in new if _is_counted(right[value])],
    )
    if all(counted):
        lost, new = counted
        data = (("left", lost[0]), ("right", new[0]))
        yield Difference(Kind.NUMBER, "exchange", Severity.CHANGES, data, _spans(left[lost[0]]), _spans(right[new[0]]))
    elif even:
        for value in _far(lost, right):
            yield Difference(Kind.NUMBER, "left-only", Severity.MISLEADS, (("left", value),), _spans(left[value]))
        for value in _far(new, left):
            yield Difference(
                Kind.NUMBER, "right-only", Severity.MISLEADS, (("right", value),), (), _spans(right[value])
            )


def modality(mine: Facts, theirs: Facts, base: TermBase) -> Iterator[Difference]:
    """May against must, for the same action; a plain statement is neither."""
    left, right = _modal(mine, base), _modal(theirs, base)
    for action in left.keys() & right.keys():
        one, other = left[action], right[action]
        if {one.value, other.value} == {"may", "must"}:
            data = (("left", one.value), ("right", other.value))
            yield Difference(Kind.MODALITY, "exchange", Severity.CHANGES, data, _span(one), _span(other))


def negation(mine: Said, theirs: Said, base: TermBase, brief: bool) -> Iterator[Difference]:
    """An action that one side denies and the other states; in a short sentence, any not."""
    for one, (beside, other), side in ((mine, theirs, "left"), (theirs, mine, "right")):
        denied, stated = _denied(*one, base), _denied(beside, other, base)
        actions = _actions(other, base)
        only = _answered(other, _ANSWER_A_NOT)
        for action, fact in denied.items():
            limited = any(there.slot == "amount" for there in other)
            alone = brief and not action and not stated and not only and not limited
            if alone or (action in actions and not stated and not only and action):
                data = ((side, action),) if action else ((side, "not"),)
                spans = (_span(fact), actions.get(action, ()))
                left, right = spans if side == "left" else spans[::-1]
                yield Difference(Kind.NEGATION, f"{side}-only", Severity.CHANGES, data, left, right)


def exchanged(
    kind: Kind, slot: str, opposites: Iterable[tuple[str, str]], mine: Facts, theirs: Facts
) -> Iterator[Difference]:
    """A word on one side and its opposite on the other, neither on both."""
    left, right = _of(mine, slot), _of(theirs, slot)
    for pair in opposites:
        for one, other in (pair, pair[::-1]):
            if one in left and other in right and one not in right and other not in left:
                data = (("left", one), ("right", other))
                yield Difference(kind, "exchange", Severity.CHANGES, data, left[one], right[other])
                return


def joined(mine: Facts, theirs: Facts) -> Iterator[Difference]:
    """Two conditions that one side joins by "and" and the other by "or"."""
    left, right = _joins(mine), _joins(theirs)
    for pair in left.keys() & right.keys():
        one, other = left[pair], right[pair]
        if one.value != other.value:
            data = (("left", one.value), ("right", other.value))
            yield Difference(Kind.QUANTITY, "exchange", Severity.CHANGES, data, _span(one), _span(other))


def turned(mine: Facts, theirs: Facts, base: TermBase) -> Iterator[Difference]:
    """Two actions around a "then", of which each side has another one first."""
    left, right = _around_then(mine, base), _around_then(theirs, base)
    pairs = [(one, other) for one in (left[0] - left[1]) & (right[1] - right[0]) for other in left[1] & right[0]]
    pairs += [(other, one) for one in (right[0] - right[1]) & (left[1] - left[0]) for other in right[1] & left[0]]
    for one, other in sorted(pairs)[:1]:
        spans = (_spans(fact for fact in found if fact.value in (one, other)) for found in (mine, theirs))
        yield Difference(Kind.ORDER, "turned", Severity.CHANGES, (("left", one), ("right", other)), *spans)


def _around_then(found: Facts, base: TermBase) -> tuple[set[str], set[str]]:
    """The actions before the "then" of a sentence, and those behind it; none where it has no such word."""
    actions = [fact for fact in found if fact.slot == "term" and base[fact.value].action]
    then = [fact.start for fact in found if fact.name == "time:then"][:1]
    return (
        {one.value for at in then for one in actions if one.start < at},
        {one.value for at in then for one in actions if one.start > at},
    )


def _joins(found: Facts) -> Mapping[frozenset[str], Fact]:
    """The word between two conditions about sizes, by what these are."""
    sizes = [fact for fact in found if fact.slot == "amount" or fact.name.startswith("contrast:size-")]
    return {
        frozenset({one.name, other.name}): joins[0]
        for one, other in pairwise(sizes)
        if len(joins := [fact for fact in found if fact.name in JOINING and one.end <= fact.start < other.start]) == 1
    }  # fmt: skip


_PLACES = (
    ("side", "same", "other"), ("side", "face-up", "face-down"), ("contrast", "place-top", "place-bottom"),
)  # fmt: skip


def opposites(mine: Facts, theirs: Facts) -> Iterator[Difference]:
    """What two sentences that say one thing each contradict, in languages whose actions have no names here: what one
    may or must do or cannot do, on which side, which face, at which end."""
    left, right = _of(mine, "modality"), _of(theirs, "modality")
    if len(left) == len(right) == 1 and "may" in {*left, *right} and left.keys() != right.keys():
        (one, here), (other, there) = *left.items(), *right.items()
        yield Difference(Kind.MODALITY, "exchange", Severity.CHANGES, (("left", one), ("right", other)), here, there)
    for slot, *pair in _PLACES:
        yield from exchanged(Kind.PLACE, slot, [(pair[0], pair[1])], mine, theirs)


def possession(mine: Facts, theirs: Facts) -> Iterator[Difference]:
    """Whose hand, deck, trash or protocol it is: one's own against the opponent's."""
    left, right = _owned(mine), _owned(theirs)
    for thing in left.keys() & right.keys():
        one, other = left[thing], right[thing]
        if {fact.value for fact in one} ^ {fact.value for fact in other} == {"own", "theirs"}:
            data = (("left", one[0].value), ("right", other[0].value))
            yield Difference(Kind.ACTOR, "exchange", Severity.CHANGES, data, _spans(one), _spans(other))


def presence(mine: Facts, theirs: Facts) -> Iterator[Difference]:
    """An exception, that things happen at once, or that something ends, where one side alone says so."""
    for kind, slot, value, answers in _PRESENT:
        for one, other, side in ((mine, theirs, "left"), (theirs, mine, "right")):
            spans = _of(_of_itself(one), slot).get(value, ())
            if spans and value not in _of(other, slot) and not _answered(other, answers):
                left, right = (spans, ()) if side == "left" else ((), spans)
                yield Difference(kind, f"{side}-only", Severity.MISLEADS, ((side, value),), left, right)


_PRESENT: tuple[tuple[Kind, str, str, frozenset[str]], ...] = (
    (Kind.EXCEPTION, "exception", "except", frozenset({"amount:up-to", "exception:default", "negation:not"})),
    (Kind.TIME, "time", "together", frozenset({"time:in-turn"})),
    (Kind.TIME, "time", "ends", frozenset()),
)
"""What one text may leave out so that it says less. An "only", an "instead" or an owner that one text alone names is
said by another of its sentences, or goes without saying; `witness` tells what contradicts our own statement."""


_OTHERWISE = 40
"""Letters from "unless" to "said otherwise"."""


def _of_itself(found: Facts) -> Facts:
    """Without the exceptions of "unless a card says otherwise": that cards go before rules holds everywhere."""
    turned = [fact.start for fact in found if fact.name == "contrast:said-otherwise"]
    return [
        fact for fact in found
        if fact.name != "exception:except" or not any(0 <= start - fact.start <= _OTHERWISE for start in turned)
    ]  # fmt: skip


def _entry(side: Side) -> bool:
    """Whether it is an entry of a list of terms."""
    return any(sentence.kind == "term" for sentence in side.sentences)


def _answered(found: Facts, answers: Collection[str]) -> bool:
    return any(fact.name in answers for fact in found)


def _numbers(found: Facts) -> Mapping[str, list[Fact]]:
    """Numbers and limits with their places; one is left out, it is an article as well."""
    kept: dict[str, list[Fact]] = defaultdict(list)
    for fact in found:
        limit = fact.slot == "amount" and fact.value.startswith(_LIMITS) and fact.value[-1].isdigit()
        if (limit and not fact.value.endswith("-1")) or (fact.slot == "number" and fact.value != "1"):
            kept[fact.value].append(fact)
    return kept


def _parts(found: Facts) -> Iterator[tuple[str, str]]:
    """The two numbers of "two of three"."""
    counts = sorted(fact for fact in found if fact.slot in ("number", "amount") or fact.name in JOINING)
    for part, whole in pairwise(counts):
        are_near = part.value.isdigit() and whole.value.isdigit() and whole.start - part.end <= NEAR
        if are_near and 1 < int(part.value) < int(whole.value):
            yield part.value, whole.value


def _unanswered(mine: Mapping[str, list[Fact]], theirs: Mapping[str, list[Fact]]) -> list[str]:
    """The values of one side without a counterpart."""
    others = [fact for facts in theirs.values() for fact in facts]
    return [
        value for value, facts in mine.items()
        if value not in theirs and not any(_alike(one, other) for one in facts for other in others)
    ]  # fmt: skip


def _other_limits(mine: Mapping[str, list[Fact]], theirs: Mapping[str, list[Fact]]) -> Iterator[tuple[str, str]]:
    """The one limit of a sort that each side has, where it is another one: more than five, more than six."""
    for sort in _LIMITS:
        left, right = ([value for value in some if value.startswith(sort)] for some in (mine, theirs))
        if len(left) == len(right) == 1 and left != right:
            yield left[0], right[0]


def _is_counted(found: Iterable[Fact]) -> bool:
    """Whether a number stands there, not only the word "both"."""
    return any(fact.said != BOTH for fact in found)


def _far(values: Iterable[str], others: Iterable[str]) -> list[str]:
    """Those that are not the number beside a limit of the other side: six or more, or any that are more than five."""
    return [value for value in values if not any(_beside(_apart(value), _apart(other)) for other in others)]


def _beside(one: tuple[str, int], other: tuple[str, int]) -> bool:
    return bool(one[0]) != bool(other[0]) and abs(one[1] - other[1]) <= 1


def _alike(one: Fact, other: Fact) -> bool:
    """A plain number and a limit told with it, or a limit and its complement: forbidden from five, allowed to four."""
    (limit, number), (against, there) = _apart(one.value), _apart(other.value)
    if limit and against:
        return limit != against and number - there in ((1,) if limit == "at-least" else (-1,))
    return (limit or against) != "" and (number == there or one.said == other.value or other.said == one.value)


def _apart(value: str) -> tuple[str, int]:
    limit, _, number = value.rpartition("-")
    return limit, int(number)


def _modal(found: Facts, base: TermBase) -> Mapping[str, Fact]:
    """The one modal word of each action; none where an action has two that differ."""
    by_action: dict[str, list[Fact]] = defaultdict(list)
    for fact in found:
        if fact.name in _WORDS:
            by_action[_action_after(fact, found, base)].append(fact)
    if list(by_action) != [""]:
        by_action.pop("", None)
    return {action: ones[0] for action, ones in by_action.items() if len({one.value for one in ones}) == 1}


def _denied(side: Side, found: Facts, base: TermBase) -> Mapping[str, Fact]:
    """The actions that a not belongs to."""
    return {
        _action_denied(side, fact, found, base): fact
        for fact in found
        if fact.name in DENIALS
    }  # fmt: skip


def _action_denied(side: Side, word: Fact, found: Facts, base: TermBase) -> str:
    """The action that a not belongs to, unless a clause ends between, or a word stands there that no table knows.

    Such a word may be the verb that is denied: a deck that does not suffice for a refresh denies no refresh.
    """
    action = _next_action(word, found, base)
    between = side.text[word.end : action.start] if action else ""
    apart = _CLAUSE_END.search(between) or not is_read(between, side.language, base)
    return action.value if action and not apart else ""


def _actions(found: Facts, base: TermBase) -> Mapping[str, tuple[Span, ...]]:
    return {fact.value: _span(fact) for fact in found if fact.slot == "term" and base[fact.value].action}


def _action_after(word: Fact, found: Facts, base: TermBase) -> str:
    """The action that a word belongs to: the nearest one behind it."""
    action = _next_action(word, found, base)
    return action.value if action else ""


def _next_action(word: Fact, found: Facts, base: TermBase) -> Fact | None:
    behind = (one for one in found if one.slot == "term" and 0 <= one.start - word.start <= _REACH)
    return next((one for one in behind if base[one.value].action), None)


def _of(found: Facts, slot: str) -> Mapping[str, tuple[Span, ...]]:
    kept: dict[str, tuple[Span, ...]] = {}
    for fact in found:
        if fact.slot == slot:
            kept[fact.value] = (*kept.get(fact.value, ()), (fact.start, fact.end))
    return kept


def _owned(found: Facts) -> Mapping[str, list[Fact]]:
    """Things of a player with the words that say whose, the nearest thing to each word."""
    kept: dict[str, list[Fact]] = defaultdict(list)
    things = [fact for fact in found if fact.slot == "term" and fact.value in _OWNED]
    for word in found:
        if word.slot == "whose" and things:
            nearest = min(things, key=lambda thing: _distance(word, thing))
            if _distance(word, nearest) <= 4:
                kept[nearest.value].append(word)
    return kept


def _distance(one: Fact, other: Fact) -> int:
    return max(one.start - other.end, other.start - one.end)


def _span(fact: Fact) -> tuple[Span, ...]:
    return ((fact.start, fact.end),)


def _spans(found: Iterable[Fact]) -> tuple[Span, ...]:
    return tuple((fact.start, fact.end) for fact in found)


def _brief(side: Side) -> bool:
    return len(side.text.split()) <= _BRIEF


def _uneven(one: str, other: str) -> bool:
    """Whether one side says much more than the other, so that a word more or less may belong to the rest of it."""
    return max(len(one), len(other)) > _MUCH_MORE * max(1, min(len(one), len(other)))
