"""A document that is named the source: the others are translations, and are held against it alone.

What only translations say otherwise than each other is told by what each of them says otherwise than the source. What
the source does not say is no fault of a translation; what it says and a translation leaves out is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from audit.core.catalogue import Catalogue
from audit.rulebooks.findings import Finding, Kind, Quote, Severity
from audit.rulebooks.witness import STATED


class Coverage(Struct, frozen=True):
    """What one document says: the first passage of each rule, and the rules that it is known not to say."""

    name: str
    said: Mapping[str, Quote]
    unsaid: frozenset[str]


def against_source(found: Iterable[Finding], source: str) -> Iterator[Finding]:
    """The findings that hold a translation against the source, and those inside one document.

    Our own statement is not heard against the source, nor against what a translation has from it.
    """
    kept = list(found)
    by_statement = [one for one in kept if one.segment.endswith(STATED)]
    of_source = {_told_of(one) for one in by_statement if one.languages[0] == source}
    for one in kept:
        is_of_source = one.segment.endswith(STATED) and _told_of(one) in of_source
        if not is_of_source and (len(one.languages) == 1 or source in one.languages):
            yield one


def _told_of(found: Finding) -> tuple[str, str | None]:
    return found.rule, dict(found.data).get("left")


def left_out(source: Coverage, translations: Sequence[Coverage], catalogue: Catalogue) -> Iterator[Finding]:
    """What the source says and translations leave out, the rules of one topic together."""
    topics: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for rule in source.said:
        lacking = tuple(one.name for one in translations if rule in one.unsaid)
        if lacking:
            topics.setdefault((catalogue[rule].topic, lacking), []).append(rule)
    for (topic, lacking), rules in topics.items():
        data = (("of", source.name), ("topic", topic), ("count", str(len(rules))))
        alone = len(rules) == 1
        yield Finding(
            kind=Kind.MISSING, code="rule" if alone else "rules", severity=Severity.MISLEADS, segment=rules[0],
            rule=rules[0], rules=tuple(rules), languages=(source.name, *lacking), data=data[: 1 if alone else 3],
            quotes=(source.said[rules[0]],),
        )  # fmt: skip
