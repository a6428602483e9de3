"""Games of Compile played at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from audit.core.errors import SetupError, near_name
from audit.core.model import Event
from audit.core.ruleset import Simulation
from audit.games.compile.cards import PROTOCOLS
from audit.games.compile.event_rules.turns import DRAFT_ORDER
from audit.games.compile.events import Drafted, Landed, Reshuffled, Shuffled
from audit.games.compile.following import waiting_text
from audit.games.compile.parts import opponent
from audit.games.compile.state import State
from audit.games.compile.totals import standing

if TYPE_CHECKING:
    from random import Random


class CompileSimulation(Simulation[State]):
    """Random games of Compile."""

    def setup(self, random: Random, pool: Sequence[str] = ()) -> dict[str, object]:
        return random_setup(random, pool)

    def randomized(self, state: State, event: Event, random: Random) -> Event:
        if isinstance(event, Shuffled) and event.deck is None:
            deck = state.side(event.player).deck
            return replace(event, deck=tuple(random.sample(deck, len(deck))))
        if isinstance(event, Reshuffled) and event.deck is None:
            side = state.side(event.player)
            if waiting_text(state, "shuffle_trash"):
                deck = (*side.deck, *side.trash)
                return replace(event, deck=tuple(random.sample(deck, len(deck))))
            return replace(event, deck=(*side.deck, *random.sample(side.trash, len(side.trash))))
        return event

    def optional_events_before(self, state: State, event: Event) -> Iterator[Event]:
        """The draft, and that cards which left the field have arrived."""
        if state.phase == "setup" and state.draft is None and not state.a.hand and not state.b.hand:
            yield from _draft(state)
        yield from (Landed(seq=0, card=card) for card in state.just_left)

    def score(self, state: State) -> float:
        return standing(state, state.player) - standing(state, opponent(state.player))


def _draft(state: State) -> Iterator[Event]:
    """The picks in their order; the protocols lie as they were picked."""
    seats = (state.player, opponent(state.player))
    left = {seat: iter(state.side(seat).protocols) for seat in seats}
    yield from (Drafted(seq=0, player=seats[turn], protocol=next(left[seats[turn]])) for turn in DRAFT_ORDER)


def random_setup(random: Random, pool: Sequence[str]) -> dict[str, object]:
    """Six different protocols of the pool (names of protocols or sets; all without one), three each, shuffled."""
    names = [name for name, entry in PROTOCOLS.items() if not pool or name in pool or entry.set in pool]
    known = {*PROTOCOLS, *(entry.set for entry in PROTOCOLS.values())}
    if unknown := next((name for name in pool if name not in known), ""):
        near = near_name(unknown, sorted(known))
        meant = f"; did you mean {near}?" if near else ""
        raise SetupError("protocols", f'protocols or sets of them, not "{unknown}"{meant}', unknown, near)
    if len(names) < 6:
        raise SetupError("protocols", f"six at least of {', '.join(PROTOCOLS)}, or sets of them")
    picks = random.sample(names, 6)
    sides = {"A": picks[:3], "B": picks[3:]}
    decks = {}
    for seat, protocols in sides.items():
        cards = [card.id for protocol in protocols for card in PROTOCOLS[protocol].cards]
        decks[seat] = random.sample(cards, len(cards))
    return {"protocols": sides, "decks": decks}
