"""What the mistakes of Compile share."""

from __future__ import annotations

from typing import cast

from audit.core.model import Event
from audit.games.compile.card_rulings import CARD_RULES
from audit.games.compile.events import Deleted, Flipped, Returned, Shifted
from audit.games.compile.state import State, Text
from bench.mistakes import Moment, Mutant

PICKS = (Deleted, Flipped, Returned, Shifted)
WAITED = ("start", "end")


def table(moment: Moment) -> State:
    """The position as Compile knows it."""
    return cast(State, moment.state)


def rules(*ids: str) -> frozenset[str]:
    """The rules that may be named first."""
    return frozenset(ids)


def at_action(state: State) -> bool:
    """The action of the turn is up."""
    return not state.stack and state.phase == "action" and not state.acted


def instead(moment: Moment, event: Event, *ids: str) -> Mutant:
    """The players do this instead of what they may, and play on. The acting card's own rules tell more than any."""
    frame = (table(moment).stack or (None,))[-1]
    own = [rule.id for rule in CARD_RULES.get(frame.card, ())] if type(frame) is Text else []
    return Mutant(moment.played_on(event), moment.index + 1, rules(*ids, *own))
