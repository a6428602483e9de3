"""What a new edition changed, told once: the finding with the better reason has what the known edition states as well.

What two texts say in their words is a better reason than what the known edition states, and that is better than what
our own statement of the rule says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce

from msgspec.structs import replace

from audit.rulebooks.causes import with_quotes
from audit.rulebooks.clauses.frames import BOTH, Fact, facts, limits_said
from audit.rulebooks.findings import (
    ANSWERS,
    ELSEWHERE,
    IN,
    KNOWN,
    NOTHING,
    SINCE_KNOWN,
    Finding,
    Kind,
    Quote,
    Severity,
    named_number,
)
from audit.rulebooks.segments import Placed, Sentences
from audit.rulebooks.terms import TermBase

_COUNTING = frozenset({Kind.NUMBER, Kind.QUANTITY})
_BY_STATEMENT = frozenset({"against-own", "put-in", "left-out"})
_NAMING = frozenset({Kind.TERM, Kind.VARIANT, Kind.REFERENCE})
_NUMBERS = ("number:", "amount:", "ordinal:")


def told_once(
    found: Iterable[Finding], since: Iterable[Finding], documents: Mapping[str, Sentences], base: TermBase
) -> list[Finding]:
    """The findings with those since the known edition; what one of them tells already is no second finding."""
    every = list(found)
    for one in since:
        if is_changed_number(one):
            every = _with_number(every, _with_rest(one, documents[one.languages[0]].values(), base))
        else:
            every = _with_fault(every, one)
    return every


def _with_number(every: Sequence[Finding], one: Finding) -> list[Finding]:
    """The findings with a changed number, which may be told already, in parts."""
    stated = {at for at, other in enumerate(every) if other.code in _BY_STATEMENT and _is_same_fault(other, one)}
    telling = [at for at, other in enumerate(every) if at not in stated and _tells(other, one)]
    if not telling:
        return [*_without(every, stated), one]
    home = _joined([every[at] for at in telling], one)
    repeated = {at for at, other in enumerate(every) if at in telling[1:] or _is_part(other, home)} - {telling[0]}
    return _without([home if at == telling[0] else other for at, other in enumerate(every)], stated | repeated)


def _with_fault(every: Sequence[Finding], one: Finding) -> list[Finding]:
    """The findings with another change, told where two texts tell it, and in place of what our statement tells."""
    telling = [at for at, other in enumerate(every) if _is_same_fault(other, one)]
    by_texts = [at for at in telling if every[at].code not in _BY_STATEMENT]
    by_statement = {at for at in telling if every[at].code in _BY_STATEMENT}
    if not by_texts:
        stated = [every[at] for at in sorted(by_statement)]
        return [*_without(every, by_statement), reduce(_with_rule, stated, one)]
    home, *others = by_texts
    repeated = [at for at in others if _has_same_words(every[at], one)]
    whole = reduce(with_quotes, [every[at] for at in repeated], _with_known(every[home], one))
    return _without([whole if at == home else other for at, other in enumerate(every)], {*by_statement, *repeated})


def _without(every: Iterable[Finding], numbers: Collection[int]) -> list[Finding]:
    return [one for at, one in enumerate(every) if at not in numbers]


def _with_rule(one: Finding, other: Finding) -> Finding:
    """A change with the rule of which our statement says otherwise."""
    rules = tuple(dict.fromkeys([*other.rules, *one.rules]))
    return replace(one, rule=other.rule, rules=rules, severity=_graver(one, other))


def _with_known(other: Finding, one: Finding) -> Finding:
    """What two texts tell, with what the known edition states, at the graver of the two grades."""
    was = dict(one.data).get("was", NOTHING)
    known = ((KNOWN, was),) if was != NOTHING and KNOWN not in dict(other.data) else ()
    new = () if IN in dict(other.data) else ((IN, one.languages[0]),)
    rules = tuple(dict.fromkeys([*other.rules, *one.rules]))
    return replace(other, rules=rules, severity=_graver(one, other), data=(*other.data, *known, *new))


def _graver(one: Finding, other: Finding) -> Severity:
    return min(one.severity, other.severity, key=lambda severity: severity.rank)


def _is_same_fault(other: Finding, one: Finding) -> bool:
    """Whether another finding tells of the same words, or of the same sentence that is gone."""
    if other.code == SINCE_KNOWN or one.code != SINCE_KNOWN:
        gone = dict(one.data).get("addresses")
        lost = dict(other.data).get("addresses", "").split()
        return one.kind is other.kind is Kind.MISSING and gone in lost and one.languages == other.languages
    first = one.quotes[0]
    there = (each for each in other.quotes if (each.language, each.passage) == (first.language, first.passage))
    return any(_are_same_words(other, one, each, first) for each in there if first.text in each.text)


def _are_same_words(other: Finding, one: Finding, each: Quote, first: Quote) -> bool:
    """Whether the marked words of one kind are in part the same; of terms, and of two kinds, all of them.

    Words that are gone have no mark: only our statement, or the order of the steps, tells of the same ones.

    Against our own statement of the rule any of them are enough.
    """
    begins = each.text.find(first.text)
    mine = [(begins + start, begins + end) for start, end in first.marks]
    pairs = [(a, b) for a in mine for b in each.marks if a[0] < b[1] and b[0] < a[1]]
    is_covered = {a for a, _ in pairs} == {*mine}
    if other.kind is one.kind and not (mine and each.marks):
        return one.kind is Kind.ORDER or other.code in _BY_STATEMENT
    if other.kind is one.kind and one.kind not in _NAMING:
        return bool(pairs)
    if not pairs or other.code == ANSWERS:
        return False
    is_whole = is_covered and {b for _, b in pairs} == {*each.marks}
    are_names = one.kind in _NAMING and other.kind in _NAMING and is_covered
    return is_whole or are_names or other.code in _BY_STATEMENT


def _has_same_words(other: Finding, one: Finding) -> bool:
    """Whether another finding marks the same words of the changed sentence."""
    first = one.quotes[0]
    words = {word.casefold() for word in first.words}
    return any(
        each.language == first.language
        and first.text in each.text
        and {word.casefold() for word in each.words} == words
        for each in other.quotes
    )


def is_changed_number(finding: Finding) -> bool:
    """Whether a later edition has another number in place of one."""
    said = dict(finding.data)
    values = [said.get(name, "").split() for name in ("was", "now")]
    return finding.code == SINCE_KNOWN and all(any(map(_is_number, some)) for some in values)


def _is_number(name: str) -> bool:
    return name.startswith(_NUMBERS) and name[-1].isdigit()


def is_new(finding: Finding) -> bool:
    """Whether a finding is of what a later edition changed."""
    return finding.code in (SINCE_KNOWN, "sentence") or IN in dict(finding.data)


def _tells(other: Finding, one: Finding) -> bool:
    """Whether the other finding holds the new number of this one against something."""
    new = {name.partition(":")[2] for name in dict(one.data)["now"].split()}
    first = one.quotes[0]
    return (
        other.kind in _COUNTING
        and other.code != SINCE_KNOWN
        and not new.isdisjoint(dict(other.data).values())
        and any(
            (each.language, each.passage) == (first.language, first.passage)
            and first.text in each.text
            and not {*first.words}.isdisjoint(each.words)
            for each in other.quotes
        )
    )


def _is_part(other: Finding, whole: Finding) -> bool:
    """Whether a finding tells of a part of these words: of "at most" where "at most ten" is told."""
    there = [(each.language, each.text, span) for each in whole.quotes for span in each.marks]
    marks = [(each.language, each.text, span) for each in other.quotes for span in each.marks]
    return other.kind in _COUNTING and bool(marks) and all(
        any((language, text) == (same, words) and start <= a and b <= end for same, words, (start, end) in there)
        for language, text, (a, b) in marks
    )  # fmt: skip


def _joined(telling: Sequence[Finding], one: Finding) -> Finding:
    """The first finding that tells the number, with the passages that the others quote and what is known of it."""
    other = reduce(with_quotes, telling)
    was = " ".join(name for name in dict(one.data)["was"].split() if name.startswith(_NUMBERS))
    rest = [(name, value) for name, value in one.data if name == ELSEWHERE]
    first = next(each for each in other.quotes if each.language == one.languages[0] and each.words)
    return replace(
        other, severity=Severity.CHANGES, rules=tuple(dict.fromkeys([*other.rules, *one.rules])),
        data=(*other.data, (KNOWN, was), (IN, one.languages[0]), *rest),
        quotes=(*other.quotes, *(replace(each, fingerprint=first.fingerprint) for each in one.quotes[1:])),
    )  # fmt: skip


def _with_rest(one: Finding, sentences: Iterable[Placed], base: TermBase) -> Finding:
    """The finding with the place in its passage where the number stands that was changed elsewhere."""
    first = one.quotes[0]
    limits, was = limits_said(first.text, first.language), dict(one.data)["was"].split()
    values = [name.partition(":")[2] for name in was if name.startswith(_NUMBERS)]
    before = {named_number(value, limits) or value for value in values}
    for there in sentences:
        for fact in _numbers(there, first, base) if there.passage == first.passage else ():
            if not before.isdisjoint((fact.value, fact.said)):
                where = Quote(first.language, there.passage, there.lines, there.text, ((fact.start, fact.end),), "")
                data = (*one.data, (ELSEWHERE, there.text[fact.start : fact.end]))
                return replace(one, data=data, quotes=(*one.quotes, where))
    return one


def _numbers(there: Placed, changed: Quote, base: TermBase) -> Iterator[Fact]:
    """The numbers of a sentence, apart from the changed one and from a one, which may be an article."""
    for fact in facts(there.text, changed.language, base):
        is_changed = there.text == changed.text and (fact.start, fact.end) in changed.marks
        if fact.slot in ("number", "amount") and fact.value != "1" and fact.said != BOTH and not is_changed:
            yield fact
