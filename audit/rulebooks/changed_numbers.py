"""A number that an edition changed, told once: with what the known edition states and what stayed in its passage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce

from msgspec.structs import replace

from audit.rulebooks.causes import with_quotes
from audit.rulebooks.clauses.frames import BOTH, Fact, facts, limits_said
from audit.rulebooks.findings import ELSEWHERE, IN, KNOWN, SINCE_KNOWN, Finding, Kind, Quote, Severity, named_number
from audit.rulebooks.segments import Placed, Sentences
from audit.rulebooks.terms import TermBase

_COUNTING = frozenset({Kind.NUMBER, Kind.QUANTITY})
_NUMBERS = ("number:", "amount:", "ordinal:")


def told_once(
    found: Iterable[Finding], since: Iterable[Finding], documents: Mapping[str, Sentences], base: TermBase
) -> list[Finding]:
    """The findings with those since the known edition; a changed number that one of them tells is no second finding."""
    every = list(found)
    for one in since:
        if not is_changed_number(one):
            every.append(one)
            continue
        one = _with_rest(one, documents[one.languages[0]].values(), base)
        telling = [at for at, other in enumerate(every) if _tells(other, one)]
        if not telling:
            every.append(one)
            continue
        home = _joined([every[at] for at in telling], one)
        every[telling[0]] = home
        repeated = {at for at, other in enumerate(every) if at in telling[1:] or _is_part(other, home)}
        every = [other for at, other in enumerate(every) if at == telling[0] or at not in repeated]
    return every


def is_changed_number(finding: Finding) -> bool:
    """Whether a later edition has another number in place of one."""
    is_graver = finding.code == SINCE_KNOWN and finding.severity is Severity.CHANGES
    return KNOWN in dict(finding.data) or is_graver


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
