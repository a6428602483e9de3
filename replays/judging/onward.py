"""What happens next by itself, until somebody has to choose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from audit.core.event_rules import MAX_LISTED, Citations, Expectation, Obligation
from audit.core.model import Event
from audit.core.ruleset import Ruleset

MAX_WITHOUT_CHOICE = 100
"""At most this many events without a choice lead to the next decision."""


def next_choice(game: Ruleset[object], state: object) -> object:
    """The position in which somebody has to choose next, after all that leaves no choice, markers included."""
    for following in without_choice(game, state):
        state = following.after
    return state


class PerhapsHappened(Expectation[object]):
    """Events of one type that may have happened, as far as anybody knows: the table has to be asked."""

    def __init__(self, events: Sequence[Event], rules: Citations) -> None:
        self.event, self.rules, self.obligation = type(events[0]), rules, Obligation.OPTIONAL
        self._events = events

    def candidates(self, state: object) -> Iterator[Event]:
        return iter(self._events)


def perhaps_happened(game: Ruleset[object], state: object) -> Iterator[PerhapsHappened]:
    """What the table has to be asked before it goes on, by type of event; nothing where it need not be."""
    if not game.setting.has_open_question(state):
        return
    by_type: dict[type[Event], list[Event]] = {}
    for event in game.setting.untold(state):
        if not game.rules.violations(state, event):
            by_type.setdefault(type(event), []).append(event)
    for kind, events in by_type.items():
        yield PerhapsHappened(events, game.rules.event_rules[kind].citations(state, events[0]))


class Following(Struct, frozen=True):
    """An event that leaves no choice: what it is, the rules by which it comes, and the positions around it."""

    event: Event
    rules: Citations
    before: object
    after: object


def without_choice(game: Ruleset[object], state: object) -> Iterator[Following]:
    """What happens next by itself, one event after another, until somebody has to choose or the table is asked."""
    for _ in range(MAX_WITHOUT_CHOICE):
        if game.setting.has_open_question(state):
            return
        due = game.rules.forced(state) or _first_of_all(game, state)
        if due is None:
            return
        option, event = due
        after = game.rules.evolve(state, event)
        yield Following(event, option.rules, state, after)
        state = after


def _first_of_all(game: Ruleset[object], state: object) -> tuple[Expectation[object], Event] | None:
    """The first of what every player has to do, where none of them has a choice; None where somebody has."""
    live = list(islice(game.rules.expected(state), MAX_LISTED))
    events = [_only(one, state) for one in live]
    players = {getattr(event, "player", None) for event in events}
    first = events[0] if events and None not in players and len(players) == len(events) else None
    return (live[0], first) if first else None


def _only(option: Expectation[object], state: object) -> Event | None:
    """The one event that is required, where nobody chooses between cards without a name."""
    event = option.single_candidate(state) if option.obligation is Obligation.REQUIRED else None
    return event if event and not option.hides_choice(state, event) else None
