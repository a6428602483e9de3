"""What a sentence says against our statement of a rule, and which of it no other check tells already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from audit.core.catalogue import LANGUAGES
from audit.rulebooks import opposites
from audit.rulebooks.clauses.together import UP_TO
from audit.rulebooks.findings import Finding, Kind, Quote, Span
from audit.rulebooks.statements import FEWEST, MOST

_MAY_MUST = frozenset({"modality:may", "modality:must"})


class Against(Struct, frozen=True):
    """What a place says against a statement: what is stated there and what stands here, either may be nothing."""

    kind: Kind
    rule: str
    stated: str
    here: str
    spans: tuple[Span, ...] = ()


class Heard(Struct, frozen=True):
    """What a place says, and what its document says of the rule anywhere.

    `at_that_time` leaves out sentences that say more rules: they may tell of another order in time.
    """

    here: frozenset[str]
    anywhere: frozenset[str]
    at_that_time: frozenset[str]
    known: bool


class Alone(Struct, frozen=True):
    """What a place says, and what of it neither a statement of the place nor another document says.

    `often` has what most statements of the place say, `has_others` tells whether another document says the rule.
    """

    here: frozenset[str]
    alone: frozenset[str]
    often: frozenset[str]
    has_others: bool


def is_unlimited(stated: Counter[str], here: frozenset[str]) -> bool:
    """Whether the document says the number of a rule and not that it is the most."""
    numbers = {name for name in here if name.startswith("number:") and stated[name]}
    return stated[UP_TO] > MOST and bool(numbers) and not here & opposites.LIMITED


def _lacks_its_not(stated: Counter[str], here: frozenset[str]) -> bool:
    """Whether a rule that says what is not so stands in the document without any word for that.

    What stays does not change: of a rule about changes that says as much.
    """
    says_so = any(stated[name] for name in opposites.SAID_BESIDE_NOT & here)
    stays = opposites.KEPT in here and any(stated[name] >= FEWEST for name in opposites.STAYS)
    return stated[opposites.DENIED] >= MOST and not says_so and not stays and not here & opposites.AS_MUCH_AS_NOT


def left_out(rule: str, stated: Counter[str], here: frozenset[str]) -> Iterator[Against]:
    """The not or the "only" of a rule for which the document has no word."""
    if _lacks_its_not(stated, here):
        yield Against(Kind.NEGATION, rule, "negation:not", "")
    if stated[opposites.ONLY] >= MOST and not here & opposites.AS_MUCH_AS_ONLY:
        yield Against(Kind.QUANTITY, rule, opposites.ONLY, "")


def told_as_well(rule: str, stated: Counter[str], mine: frozenset[str]) -> Iterator[Against]:
    """The "as well as" of a sentence that names what a rule denies, and has no word for that."""
    speaks_of_it = any(times > MOST and name.startswith("term:") and name in mine for name, times in stated.items())
    for name in (opposites.DENIED, opposites.ONLY) if speaks_of_it else ():
        if stated[name] >= MOST:
            yield Against(Kind.NEGATION, rule, name, opposites.AS_WELL_AS)


def terms_of(stated: Counter[str]) -> frozenset[str]:
    return frozenset(name for name, times in stated.items() if name.startswith("term:") and times >= MOST)


def turned(rule: str, stated: Counter[str], heard: Heard, anywhere: Counter[str]) -> Iterator[Against]:
    """What the place says where the statement says the opposite, and says itself nowhere.

    A "must" in a condition says as much as "may only", so that those two are not held against each other. What most
    languages of the statement say counts for more than a word of one of them.
    """
    sure = len(LANGUAGES) if heard.known else MOST
    for kind, one, other in opposites.OPPOSED if heard.known else (*opposites.OPPOSED, *opposites.OPPOSED_OF_ONE_RULE):
        said = heard.at_that_time if kind is Kind.TIME else heard.anywhere
        is_may_only = {one, other} == _MAY_MUST and stated["quantity:only"] >= FEWEST
        is_may_only |= opposites.LIMITS.get(other) in heard.here
        is_surer = stated[one] >= (sure if stated[other] else len(LANGUAGES))
        is_unstated = other not in anywhere or (is_surer and anywhere[other] == 1)
        if other in heard.here and one not in said and stated[one] >= FEWEST and is_unstated and not is_may_only:
            yield Against(kind, rule, one, other)


def unheard(rule: str, stated: Counter[str], said: Alone) -> Iterator[Against]:
    """What nobody else says, where the statement has its opposite, or put in, or left out by a "but not"."""
    is_turned_over = any(stated[name] >= FEWEST for name in opposites.TURNED_OVER)
    for kind, there, here in opposites.UNHEARD:
        is_said_too = there in said.here and (kind is not Kind.PLACE or is_turned_over)
        is_stated = stated[there] >= MOST if said.has_others else kind is Kind.TERM and stated[there] == len(LANGUAGES)
        if is_stated and here in said.alone and not is_said_too:
            yield Against(kind, rule, there, here)
    for kind, here in opposites.UNHEARD_ALONE if said.has_others else ():
        if here in said.alone and not opposites.AS_MUCH_AS_PUT_IN.get(here, frozenset()) & said.often:
            yield Against(kind, rule, "", here)
    yield from _but_not(rule, stated, said.alone)


def _but_not(rule: str, stated: Counter[str], alone: Iterable[str]) -> Iterator[Against]:
    """What a "but not" leaves out of a rule whose statement has it and leaves nothing out."""
    if not any(stated[name] for name in opposites.LEFT_OUT):
        for name in sorted(alone):
            slot, _, term = name.partition(":")
            if slot == "without" and stated[f"term:{term}"] >= MOST:
                yield Against(Kind.NEGATION, rule, f"term:{term}", "negation:not")


_ONE_SIDED = frozenset({"put-in", "left-out"})
_MISSING_A_WORD = frozenset({"left-only", "right-only", "left-out"})


def untold(findings: Iterable[Finding], others: Iterable[Finding]) -> list[Finding]:
    """The findings on sentences of which no other check tells a difference of that kind in the same words.

    What was put in or left out counts only where nothing else is told of these words: one fault is one finding.
    """
    told: dict[tuple[Kind, str, int], list[Quote]] = {}
    texts: dict[tuple[str, str], list[Quote]] = {}
    for other in others:
        for each in other.quotes:
            texts.setdefault((each.language, each.text), []).append(each)
            for line in _lines(each):
                told.setdefault((other.kind, each.language, line), []).append(each)
    return [
        one for one in findings
        if not (one.code in _ONE_SIDED and _is_quoted(one.quotes[0], texts))
        and not any(
            _share_words(one.quotes[0], quoted)
            for line in _lines(one.quotes[0])
            for quoted in told.get((one.kind, one.quotes[0].language, line), ())
        )
    ]  # fmt: skip


def without_questions(
    findings: Iterable[Finding], worded_anew: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> list[Finding]:
    """The findings without those that only miss a word in a sentence of a later edition that was worded anew.

    `worded_anew` has these sentences by language, each with its rules: whether they still say them is a task of the
    new edition. Against our own statement another sentence of such a rule is not held either.
    """
    return [one for one in findings if not any(_is_question(one, each, worded_anew) for each in one.quotes)]


def _is_question(one: Finding, each: Quote, worded_anew: Mapping[str, Mapping[str, tuple[str, ...]]]) -> bool:
    sentences = worded_anew.get(each.language, {})
    if one.code == "against-own":
        return any(one.rule in rules and text not in each.text for text, rules in sentences.items())
    return one.code in _MISSING_A_WORD and any(text in each.text for text in sentences)


def _is_quoted(one: Quote, texts: Mapping[tuple[str, str], Sequence[Quote]]) -> bool:
    return any(_share_words(one, quoted) for quoted in texts.get((one.language, one.text), ()))


def _share_words(one: Quote, other: Quote) -> bool:
    """Whether a word is marked in both; where one of them has no mark, whether they are of one place."""
    if one.words and other.words:
        return not {*one.words}.isdisjoint(other.words)
    return one.text in other.text or other.text in one.text


def _lines(quoted: Quote) -> range:
    return range(quoted.lines[0], quoted.lines[1] + 1)
