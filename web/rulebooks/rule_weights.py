"""What a rule of a rulebook weighs: how many games of a library cite it, and at how many steps."""

from __future__ import annotations

from collections import Counter
from typing import cast

from flask import current_app

from audit.rulebooks.findings import Weight
from replays.cache import Cache
from replays.store.rule_uses import rule_weights
from web.games.library import Filters, Glance, Library, strings
from web.games.opened import OpenedLibrary
from web.games.store_library import StoreLibrary

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
