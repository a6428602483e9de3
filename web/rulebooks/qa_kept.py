"""What is kept for the pages of the comparison: findings, weights of rules, proposals, an example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from threading import Lock, Thread
from typing import Generic, TypeVar, cast

from flask import current_app
from msgspec import Struct

from audit.core.ruleset import ruleset
from audit.rulebooks.decisions import Dismissal, Triage
from audit.rulebooks.errors import NothingLoadedError, NothingToCompareError
from audit.rulebooks.findings import Finding, Weight
from audit.rulebooks.matrix import Matrix
from audit.rulebooks.qa import checked
from audit.rulebooks.segments import Placed, Segment, Side, Unit
from audit.rulebooks.terms import term_base
from replays.files import Cache
from replays.rulebooks.translation_qa import TranslationQA
from replays.store.shown_game import rule_weights
from web.games.address import library
from web.games.library import Filters, Glance, Library, OpenedLibrary, strings
from web.games.store_library import StoreLibrary
from web.rulebooks.quotes import rulebooks_fingerprint

Learned = TypeVar("Learned")
PATIENCE = 0.3
"""Seconds that a page waits for something that may be ready at once."""
KEPT = 32
"""Results that are kept."""


class _Work(Thread, Generic[Learned]):
    """One thing being worked out; `result` stays empty where that failed."""

    def __init__(self, make: Callable[[], Learned]) -> None:
        super().__init__(daemon=True)
        self._make = make
        self.result: Learned | None = None

    def run(self) -> None:
        self.result = self._make()


class Learning(Generic[Learned]):
    """What is worked out in the background, each thing once, by its key; safe to share between threads."""

    def __init__(self) -> None:
        self._works: dict[Hashable, _Work[Learned]] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Learned]) -> tuple[Learned | None, bool]:
        """The result, or None; and whether it is still being worked out. The first call starts the work."""
        with self._lock:
            work = self._works.get(key)
            if work is None:
                work = self._works[key] = _Work(make)
                work.start()
                for old in [one for one, done in self._works.items() if not done.is_alive()][:-KEPT]:
                    del self._works[old]
        work.join(PATIENCE)
        return work.result, work.is_alive()


MAX_PAGES = 10
"""Where the games are no store, so many pages of the list are weighed."""


def library_rule_weights(library: OpenedLibrary, ruleset: str) -> dict[str, Weight]:
    """The weight of each rule of a ruleset that some game cites, of the games that stand in the reader's list.

    It is made once for each state of the library.
    """
    kept = cast(Cache, current_app.extensions["audit.rulebook_cache"])
    key = ("weights", ruleset, library.state(), library.reader.is_judge)
    return kept.get(key, lambda: _weighed(library, ruleset))


def _weighed(library: OpenedLibrary, ruleset: str) -> dict[str, Weight]:
    if isinstance(library.inner, StoreLibrary) and library.reader.is_judge:
        with library.inner.store.asking():
            return rule_weights(library.inner.store, ruleset)
    games: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    for glance in games_of(library, ruleset):
        replay = library.game(glance.id, viewer="public", language="en", reading=None)
        cited = Counter(rule for step in replay.steps for rule in strings(step.get("rules")))
        games.update(cited.keys())
        steps.update(cited)
    return {rule: Weight(games[rule], steps[rule]) for rule in games}


def games_of(library: Library, ruleset: str, pages: int = MAX_PAGES) -> list[Glance]:
    """The games of a ruleset in the order of the list, as far as so many pages reach."""
    found: list[Glance] = []
    for number in range(1, pages + 1):
        page = library.games("", Filters(ruleset=ruleset), number)
        found += page.games
        if number >= page.last:
            break
    return found


PACKAGE = "audit.games.compile"


CHANGED = (
    {
        "fr": "Une ligne ne peut être compilée que si la pile du joueur y totalise au moins dix.",
        "pl": "Linia nadaje się do kompilacji tylko wtedy, gdy suma stosu gracza wynosi w niej więcej niż dziesięć.",
    },
    {
        "fr": "Les cartes de la ligne compilée sont supprimées simultanément.",
        "pl": "Karty kompilowanej linii usuwa się jedną po drugiej.",
    },
)
"""Rules in our own words, in French as they are, in Polish with a mistake: another number, another order."""


@cache
def example() -> Sequence[Finding]:
    """The findings on these sentences, made by the same checks as those on rulebooks."""
    return tuple(checked([_unit(str(number), texts) for number, texts in enumerate(CHANGED)], term_base(PACKAGE)))


def _unit(name: str, texts: dict[str, str]) -> Unit:
    sides = {
        language: Side(language, (Placed(name, 1, text, (0, 0), "", ""),)) for language, text in texts.items()
    }  # fmt: skip
    return Unit(Segment(name, (name,), dict.fromkeys(texts, (name,))), sides)


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
