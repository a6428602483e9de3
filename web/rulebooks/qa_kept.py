"""The comparison of the documents of a game, kept for all its pages: findings, where they stand, how many are open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from flask import (
    current_app,
)
from msgspec import Struct

from audit.core.ruleset import ruleset
from audit.rulebooks.dismissals import Dismissal, Triage
from audit.rulebooks.findings import Finding
from audit.rulebooks.matrix import Matrix
from replays.cache import Cache
from replays.rulebooks.translation_qa import NothingLoadedError, NothingToCompareError, TranslationQA
from web.games.address import library
from web.rulebooks.quotes import rulebooks_fingerprint
from web.rulebooks.rule_weights import library_rule_weights

Row = tuple[Finding, Dismissal | None, bool]


def state_of(name: str) -> tuple[str, str, str]:
    """What the comparison rests on: when this is another, it is made again."""
    return rulebooks_fingerprint(), library().state(), str(library().reader.is_judge)


def kept_cache() -> Cache:
    """What is kept of rulebooks while they stay the same."""
    return cast(Cache, current_app.extensions["audit.rulebook_cache"])


def translation_qa(name: str, source: str = "") -> TranslationQA:
    """The comparison, with a document named the source where one of that name is loaded."""
    return kept_cache().get(("qa", name, source, *state_of(name)), lambda: _compared(name, source))


def _compared(name: str, source: str) -> TranslationQA:
    catalogue, weights = ruleset(name).catalogue, library_rule_weights(library(), name)
    try:
        return TranslationQA(name, catalogue, (), weights, source=source)
    except (NothingLoadedError, NothingToCompareError):
        return TranslationQA(name, catalogue, (), weights)


def rows_of(name: str, source: str = "") -> Sequence[Row]:
    """Every finding with its dismissal, and whether a text has changed since."""
    return kept_cache().get(("rows", name, source, *state_of(name)), lambda: _sorted(name, source))


def triage_of(name: str, source: str = "") -> Triage:
    """The findings sorted by where they stand."""
    qa = translation_qa(name, source)
    return kept_cache().get(("triage", name, source, *state_of(name)), lambda: qa.triage(gaps=True))


def unfound_in(name: str) -> Sequence[Dismissal]:
    """Dismissals of which the finding is not found any more in words that have changed."""
    return triage_of(name).unfound if translation_qa(name).names else ()


def _sorted(name: str, source: str) -> Sequence[Row]:
    if not translation_qa(name, source).names:
        return ()
    found = triage_of(name, source)
    lapsed = {one.finding: one for one in found.lapsed}
    rows: list[Row] = [(one, lapsed.get(one.id), one.id in lapsed) for one in found.open]
    return (*rows, *((one, by, False) for one, by in found.dismissed))


def findings_of(name: str) -> list[Finding]:
    """All findings of a game, wherever they stand."""
    return [row[0] for row in rows_of(name)]


class StillOpen(Struct, frozen=True):
    """How many findings are open, and how many of them each person has."""

    count: int
    people: Mapping[str, int]


def findings_open(name: str) -> StillOpen:
    """The open findings of a game, those without what only some documents say."""
    if len(ruleset(name).catalogue.documents) < 2:
        return StillOpen(0, {})
    gaps = {one.id for one in translation_qa(name).gaps()} if translation_qa(name).names else set()
    left = [row[0] for row in rows_of(name) if (row[1] is None or row[2]) and row[0].id not in gaps]
    return StillOpen(len(left), dict(sorted(Counter(one.assigned for one in left if one.assigned).items())))


def matrix_of(name: str) -> Matrix:
    """Which document says which sentence, and how they agree."""
    return kept_cache().get(("matrix", name, *state_of(name)), translation_qa(name).matrix)
