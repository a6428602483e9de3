"""Which encounter cards are where, as far as anybody knows."""

from __future__ import annotations

from collections.abc import Iterator

from audit.core.conservation import Holding, Holdings
from audit.games.lotr_reveal.rules import step_1
from audit.games.lotr_reveal.state import UNKNOWN, State


def holdings(state: State) -> Holdings | None:
    """Where every encounter card is; None where the setup does not list them."""
    exist = state.setup.encounter_cards
    return Holdings(step_1.TAKE_TOP, tuple(_all(state, exist)), exist) if exist else None


def _all(state: State, exist: frozenset[str]) -> Iterator[Holding]:
    for card in state.deck or ():
        yield Holding(card, "", "encounter_deck", exist if card.startswith(UNKNOWN) else None)
    for card, zone in _open(state):
        if zone in ("revealing", "encounter_deck") or card in exist:
            yield Holding(card, "", zone)


def _open(state: State) -> Iterator[tuple[str, str]]:
    """The cards that lie open, and those on their way that have been put nowhere yet.

    If nobody counts the deck, the discard pile may have been shuffled into it.
    """
    yield from ((frame.card, frame.zone) for frame in state.frames if frame.held)
    yield from ((card, "staging_area") for card in state.staging)
    yield from ((card, "engaged") for cards in state.engaged.values() for card in cards)
    yield from ((card, "encounter_discard") for card in state.discard if state.deck is not None)
    yield from state.other_zones.items()
