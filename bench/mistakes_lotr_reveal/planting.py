"""What the planting of mistakes in a reveal has in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from audit.core.model import Event
from audit.games.lotr_reveal.events import (
    PlacementStarted,
    RevealStarted,
)
from audit.games.lotr_reveal.lookup import acting_frame
from audit.games.lotr_reveal.state import Frame, State
from audit.games.lotr_reveal.steps import INDEX
from bench.mistakes import Moment, Mutant, Plant


def table(moment: Moment) -> State:
    """The position as this game knows it."""
    return cast(State, moment.state)


def acting(moment: Moment) -> Frame | None:
    """The card under way."""
    return acting_frame(table(moment))


def instead(moment: Moment, event: Event, *rules: str) -> Mutant:
    """The players do this instead of what they may, and play on."""
    return Mutant(moment.played_on(event), moment.index + 1, _full(rules))


def forgotten(moment: Moment, *rules: str) -> Iterator[Mutant]:
    """What happens next is left out, where the one after it is at a later step of the same card."""
    if moment.index + 2 >= len(moment.events):
        return
    now, after = moment.event, moment.events[moment.index + 1]
    same = getattr(after, "frame", "") == getattr(now, "frame", "") and type(after) not in (
        RevealStarted,
        PlacementStarted,
    )
    if same and INDEX[getattr(after, "step", "1")] > INDEX[getattr(now, "step", "12")]:
        yield Mutant(moment.instead(), moment.index + 1, _full(rules))


def _full(rules: tuple[str, ...]) -> frozenset[str]:
    return frozenset(f"reveal.{rule}" for rule in rules)


def leaving_out(kind: type[Event], *rules: str) -> Plant:
    """Events of that type are forgotten."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        if isinstance(moment.event, kind):
            yield from forgotten(moment, *rules)

    return plant


def changing(kind: type[Event], change: Callable[[Moment, Event], Event | None], *rules: str) -> Plant:
    """Events of that type happen otherwise."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        if isinstance(moment.event, kind) and (event := change(moment, moment.event)) is not None:
            yield instead(moment, event, *rules)

    return plant


def next_card(state: State, below: int = 0) -> str | None:
    """A card of the deck by its place from the top, where that is known."""
    if state.deck is None or not state.ordered or below >= len(state.deck):
        return None
    return state.deck[below]
