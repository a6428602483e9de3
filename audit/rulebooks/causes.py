"""One finding for each cause: what several pairs of languages, or several places of a rule, tell of one difference."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from audit.rulebooks.findings import BOTH, Finding, Kind, Quote

_VALUED = frozenset({"exchange", "left-only", "right-only"})
_OF_WORDS = frozenset({Kind.TERM, Kind.VARIANT, Kind.DEFINITION})
"""Kinds that tell of a word of a language, wherever it stands."""
_MOST = 12
"""Quotations of one finding."""


def by_cause(found: Iterable[Finding]) -> list[Finding]:
    """The findings with those of one cause joined; each keeps the places of all, the first one first."""
    kept: list[Finding] = []
    for finding in _across_languages(found):
        home = next((number for number, other in enumerate(kept) if _one_cause(finding, other)), None)
        if home is None:
            kept.append(finding)
        else:
            kept[home] = _with_places(kept[home], finding)
    return [finding for finding in kept if not _explained(finding, kept)]


def _across_languages(found: Iterable[Finding]) -> Iterator[Finding]:
    """Pairs of languages of one segment that contradict each other in the same words, as one finding."""
    groups: dict[Hashable, list[Finding]] = {}
    for number, finding in enumerate(found):
        valued = finding.code in _VALUED and len(finding.languages) == 2
        key = (finding.segment, finding.kind, frozenset(filter(None, _said(finding).values()))) if valued else number
        groups.setdefault(key, []).append(finding)
    for group in groups.values():
        yield from _joined(group)


def _joined(group: Sequence[Finding]) -> Iterator[Finding]:
    first = group[0]
    if first.code not in _VALUED or len(first.languages) != 2:
        yield from group
        return
    said: dict[str, str] = {}
    quotes: dict[str, Quote] = {}
    for finding in group:
        for language, value in _said(finding).items():
            if said.setdefault(language, value) != value:
                yield from group
                return
        quotes.update(
            {quote.language: quote for quote in finding.quotes if quote.marks or quote.language not in quotes}
        )
    yield _told(first, said, quotes)


def _told(first: Finding, said: Mapping[str, str], quotes: Mapping[str, Quote]) -> Finding:
    left = next(value for value in said.values() if value)
    mine = [language for language in said if said[language] == left]
    others = [language for language in said if said[language] != left]
    right = said[others[0]]
    data = (
        (("left", left), ("right", right), ("of", " ".join(mine)))
        if right
        else (("left", left), ("of", " ".join(mine)))
    )
    languages = (*mine, *others)
    return replace(
        first, code="exchange" if right else "left-only", languages=languages, data=data,
        quotes=tuple(quotes[language] for language in languages if language in quotes),
    )  # fmt: skip


def _said(finding: Finding) -> dict[str, str]:
    data = dict(finding.data)
    one, other = finding.languages
    return {one: data.get("left", ""), other: data.get("right", "")}


def _one_cause(one: Finding, other: Finding) -> bool:
    if (one.kind, one.code) != (other.kind, other.code) or not _near(one, other):
        return False
    if one.kind is Kind.ORDER:
        return one.data == other.data and bool({*one.sides[0]} & {*other.sides[0]})
    if one.code not in _VALUED or "of" not in dict(one.data):
        return one.data == other.data and one.languages == other.languages
    mine, theirs = _by_language(one), _by_language(other)
    shared = mine.keys() & theirs.keys()
    if {*mine.values()} != {*theirs.values()}:
        return False
    if one.kind in _OF_WORDS and _same_words(one, other):
        return True
    agree = all(mine[language] == theirs[language] for language in shared)
    return agree and len(shared) >= (1 if one.kind in _OF_WORDS else 2)


def _same_words(one: Finding, other: Finding) -> bool:
    """Whether both hold the same words of two documents against each other, whatever further documents say."""
    mine, theirs = ({(quote.language, quote.lines, quote.words) for quote in each.quotes} for each in (one, other))
    values = {_by_language(one)[language] for language, _, words in mine & theirs if words}
    return len(values) > 1


def _near(one: Finding, other: Finding) -> bool:
    return one.kind in _OF_WORDS or bool({*one.rules} & {*other.rules})


def _by_language(finding: Finding) -> dict[str, str]:
    data = dict(finding.data)
    mine, others = finding.sides
    return {**dict.fromkeys(mine, data["left"]), **dict.fromkeys(others, data.get("right", ""))}


def _is_contradicted(silent: Finding, other: Finding) -> bool:
    """Whether the words that one text lacks are those that another finding holds against a third text."""
    is_alike = (other.code, other.kind, other.segment) == ("exchange", silent.kind, silent.segment)
    said, there = dict(silent.data)["left"], silent.quotes[0]
    return is_alike and said in dict(other.data).values() and any(
        (each.language, each.text, each.marks) == (there.language, there.text, there.marks) for each in other.quotes
    )  # fmt: skip


def _with_places(one: Finding, other: Finding) -> Finding:
    rules = tuple(dict.fromkeys([*one.rules, *other.rules]))
    graver = min(one.severity, other.severity, key=lambda severity: severity.rank)
    return _with_languages(replace(_saying_both(with_quotes(one, other), other), rules=rules, severity=graver), other)


def _saying_both(one: Finding, other: Finding) -> Finding:
    """The finding with the languages that say at another place what the other side says."""
    if one.kind not in _OF_WORDS or other.code != "exchange" or "of" not in dict(other.data):
        return one
    mine, theirs = _by_language(one), _by_language(other)
    both = [language for language in mine.keys() & theirs.keys() if mine[language] != theirs[language]]
    return (
        replace(one, data=(*one.data, (BOTH, " ".join(sorted(both))))) if both and BOTH not in dict(one.data) else one
    )


def with_quotes(one: Finding, other: Finding) -> Finding:
    """The finding with the passages that only the other one quotes behind its own."""
    there = {(quote.language, quote.lines) for quote in one.quotes}
    more = [quote for quote in other.quotes if (quote.language, quote.lines) not in there]
    return replace(one, quotes=(*one.quotes, *more)[:_MOST])


def _with_languages(one: Finding, other: Finding) -> Finding:
    """The finding with the languages that the other one adds."""
    if one.kind is Kind.ORDER:
        return replace(one, languages=tuple(dict.fromkeys([*one.languages, *other.languages])))
    if one.code not in _VALUED or {*other.languages} <= {*one.languages}:
        return one
    said = {**_by_language(one), **_by_language(other)}
    left = dict(one.data)["left"]
    mine = [language for language in said if said[language] == left]
    data = tuple((name, " ".join(mine) if name == "of" else value) for name, value in one.data)
    return replace(one, data=data, languages=(*mine, *(language for language in said if language not in mine)))


def _explained(finding: Finding, others: Iterable[Finding]) -> bool:
    """A verb against its own entry, where another finding already says that the verb stands for another one.

    Or a word that one text lacks, where another text is already told to say something else in its place.
    """
    if finding.code == "left-only":
        return any(_is_contradicted(finding, other) for other in others)
    if finding.kind is not Kind.DEFINITION:
        return False
    word, (language,) = dict(finding.data)["id"], finding.languages
    return any(
        other.kind is Kind.TERM and language in other.languages and word in dict(other.data).values()
        for other in others
    )
