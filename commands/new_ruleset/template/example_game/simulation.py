"""Games of Example Game played at random."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from audit.core.errors import SetupError
from audit.core.ruleset import Simulation

from example_game.state import CARDS, SEATS, SUITS, State, opponent

OPENING_HAND = 3


class ExampleGameSimulation(Simulation[State]):
    """What it takes to play Example Game at random."""

    def setup(self, random: Random, pool: Sequence[str] = ()) -> dict[str, object]:
        """A shuffled deck and two hands; a pool is the suits to play with."""
        if unknown := [suit for suit in pool if suit not in SUITS]:
            raise SetupError("deck", f"suits of {', '.join(SUITS)}, not {unknown[0]!r}")
        cards = [card for card in CARDS if not pool or card.partition("-")[0] in pool]
        random.shuffle(cards)
        hands = {seat: [cards.pop() for _ in range(OPENING_HAND)] for seat in SEATS}
        return {"deck": cards, "hands": hands}

    def score(self, state: State) -> float:
        return len(state.side(state.player).taken) - len(state.side(opponent(state.player)).taken)
