"""More than five cards are discarded down to five."""

from __future__ import annotations

from collections.abc import Iterator

from audit.compile import rules
from audit.compile.events import CacheCleared
from audit.compile.state import HAND_LIMIT, State
from audit.compile.texts import passives
from audit.compile.verbs.instruction import wrong_player
from audit.model import Event
from audit.ruleset import Option, Violation


def skips_cache(state: State) -> bool:
    """Whether a text in force spares the turn player the check of the cache."""
    return any(p.rule == "skip_cache_check" and seat == state.player for seat, _, p, _ in passives(state))


class ClearCache(Option[State]):
    """The cache is cleared where the hand is above five."""

    event = CacheCleared
    rules = (rules.cache.FIVE_CARD_LIMIT,)

    def violations(self, state: State, event: CacheCleared) -> tuple[Violation, ...]:  # type: ignore[override]
        if event.player != state.player:
            return (wrong_player(state.player, event.player, rules.cache.FIVE_CARD_LIMIT),)
        if state.phase != "cache" or state.acted or len(state.side(event.player).hand) <= HAND_LIMIT:
            return (Violation(rules.cache.FIVE_CARD_LIMIT, "cache.five", {"player": event.player}),)
        if skips_cache(state):
            return (Violation(rules.effects.CARDS_BEAT_RULES, "cache.skipped", {"player": event.player}),)
        return ()

    def candidates(self, state: State) -> Iterator[Event]:
        yield CacheCleared(seq=0, player=state.player)


CLEAR = ClearCache()
