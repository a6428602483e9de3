"""Rules that answer one question at a table, and documents that answer it differently.

Two documents may contradict each other where each of them says another rule. `questions.toml` of a ruleset names rules
that answer one question, and by which facts a sentence gives which answer; an answer that goes beyond another stands
behind it. A ruleset without that file has no such questions.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.files import package_folder
from audit.rulebooks.clauses.frames import CLAUSE_END, Fact, facts
from audit.rulebooks.findings import ANSWERS, Finding, Kind, Quote, Severity, Span, quote
from audit.rulebooks.statements import Saying
from audit.rulebooks.terms import TermBase


class Answer(Struct, frozen=True):
    """What a sentence states that gives the answer, what it does not state then, and in which order it states steps.

    Of `order` each fact that is stated, conditions apart, stands behind those named before it.
    """

    id: str
    every: tuple[str, ...]
    none: tuple[str, ...] = ()
    order: tuple[str, ...] = ()


class Question(Struct, frozen=True):
    """A question at a table: the kind of a difference, the rules that answer it, and the answers."""

    id: str
    kind: Kind
    rules: tuple[str, ...]
    answers: tuple[Answer, ...]


class Given(Struct, frozen=True):
    """The answer that a document gives, and where."""

    answer: Answer
    quote: Quote


@cache
def questions_of(package: str) -> tuple[Question, ...]:
    """The questions of a ruleset."""
    path = package_folder(package).joinpath("questions.toml")
    if not path.is_file():
        return ()
    return msgspec.convert(tomllib.loads(path.read_text("utf-8"))["question"], tuple[Question, ...])


def answered_otherwise(questions: Iterable[Question], said: Sequence[Saying], base: TermBase) -> Iterator[Finding]:
    """One finding for each two answers to a question that different documents give."""
    for question in questions:
        given = _given(question, said, base)
        for one, other in combinations(question.answers, 2):
            mine, theirs = ([name for name, each in given.items() if each.answer == it] for it in (one, other))
            if mine and theirs:
                yield _finding(question, one, other, mine, theirs, given)


def without_repeated(findings: Iterable[Finding], answered: Iterable[Finding]) -> list[Finding]:
    """The findings without those whose words are already quoted as an answer, of the same kind."""
    told = [(one.kind, each.language, each.text, _marked(each)) for one in answered for each in one.quotes]
    return [one for one in findings if not any(_is_told(one, each, told) for each in one.quotes if each.marks)]


def _is_told(one: Finding, each: Quote, told: Iterable[tuple[Kind, str, str, frozenset[str]]]) -> bool:
    return any(
        (one.kind, each.language, each.text) == (kind, language, text) and _marked(each) <= words
        for kind, language, text, words in told
    )


def _marked(each: Quote) -> frozenset[str]:
    return frozenset(" ".join(each.words).split())


def _given(question: Question, said: Iterable[Saying], base: TermBase) -> Mapping[str, Given]:
    """What each document answers: of several answers the last one, which goes beyond the others."""
    found: dict[str, Given] = {}
    for one in said:
        if {*question.rules}.isdisjoint(one.rules):
            continue
        for place, answer in enumerate(question.answers):
            before = found.get(one.document)
            is_further = before is None or question.answers.index(before.answer) < place
            if is_further and (span := _where(answer, one, base)):
                found[one.document] = Given(answer, replace(quote(one.side, (span,)), language=one.document))
    return found


def _where(answer: Answer, one: Saying, base: TermBase) -> Span | None:
    """From the first to the last word of the sentence that gives the answer, or nothing where it does not."""
    stated = facts(one.side.text, one.side.language, base)
    names = {fact.name for fact in stated}
    if not names.issuperset(answer.every) or not names.isdisjoint(answer.none):
        return None
    if not _is_in_order(answer.order, stated, one.side.text):
        return None
    first = [next(fact for fact in stated if fact.name == name) for name in answer.every]
    return min(fact.start for fact in first), max(fact.end for fact in first)


def _is_in_order(order: Iterable[str], stated: Sequence[Fact], text: str) -> bool:
    """Whether the first mention of each step stands behind that of the step before it."""
    asked = next((fact.end for fact in stated if fact.name == "condition:if"), None)
    end = CLAUSE_END.search(text, asked) if asked is not None else None
    told = [fact for fact in stated if end is None or fact.start > end.start()]
    firsts = [min(fact.start for fact in told if fact.name == name) for name in order if _is_stated(name, told)]
    return firsts == sorted(firsts)


def _is_stated(name: str, told: Iterable[Fact]) -> bool:
    return any(fact.name == name for fact in told)


def _finding(
    question: Question, one: Answer, other: Answer, mine: Sequence[str], theirs: Sequence[str],
    given: Mapping[str, Given],
) -> Finding:  # fmt: skip
    data = (("question", question.id), ("left", one.id), ("right", other.id), ("of", " ".join(mine)))
    return Finding(
        kind=question.kind, code=ANSWERS, severity=Severity.CHANGES, segment=question.rules[0], rule=question.rules[0],
        rules=question.rules, languages=(*mine, *theirs), data=data,
        quotes=tuple(given[name].quote for name in (*mine, *theirs)),
    )  # fmt: skip
