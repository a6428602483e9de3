"""Which findings against our statements no other check tells already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from audit.rulebooks.findings import Finding, Kind, Quote

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
