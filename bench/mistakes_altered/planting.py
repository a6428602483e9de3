"""Plants a mistake: another event instead of the one that happened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import cast

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.model import Event
from audit.games.altered.events import CardPlayed, PlayerPassed, QuickActionPlayed
from audit.games.altered.state import State
from bench.mistakes import Moment, Mutant, Plant

TURNS = (CardPlayed, PlayerPassed, QuickActionPlayed)


def table(moment: Moment) -> State:
    """The position as Altered knows it."""
    return cast(State, moment.state)


def ids(rules: Iterable[Rule]) -> frozenset[str]:
    """The rules that may be named first."""
    return frozenset(rule.id for rule in rules)


def instead(moment: Moment, event: Event, *rules: Rule) -> Mutant:
    """The players do this instead of what they may, and play on."""
    return Mutant(moment.played_on(event), moment.index + 1, ids(rules))


Change = Callable[[Moment, Event], Iterator[Event]]


def changing(kind: type[Event], change: Change, *rules: Rule) -> Plant:
    """Events of that type happen otherwise."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        if type(moment.event) is kind:
            for event in change(moment, moment.event):
                yield instead(moment, event, *rules)

    return plant


def with_(**fields: object) -> Change:
    """The same event with other values, where it has not got them already."""

    def change(moment: Moment, event: Event) -> Iterator[Event]:
        if any(getattr(event, name) != value for name, value in fields.items()):
            yield replace(event, **fields)

    return change


def in_turn(change: Callable[[Moment, State], Iterator[Event]], *rules: Rule) -> Plant:
    """In the afternoon, when somebody is to play."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        if type(moment.event) in TURNS:
            for event in change(moment, table(moment)):
                yield instead(moment, event, *rules)

    return plant
