"""Compile as the auditor sees it: one object that answers every question about the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from typing import ClassVar

from msgspec.structs import replace

from audit.compile import rules
from audit.compile.cards import CARDS
from audit.compile.catalogue import CATALOGUE
from audit.compile.criteria import not_in_hand
from audit.compile.echoes import ECHOES
from audit.compile.events import (
    EVENTS,
    CacheCleared,
    Compiled,
    ControlTaken,
    Deleted,
    Discarded,
    Flipped,
    PhaseBegan,
    Played,
    Recompiled,
    Refreshed,
    Reshuffled,
    Returned,
    Shifted,
    Triggered,
    TurnBegan,
)
from audit.compile.evolve import evolve
from audit.compile.evolve.settling import resolve_automatic
from audit.compile.gone_by import replay_to
from audit.compile.markers import optional_events_before
from audit.compile.opening import opening, random_setup
from audit.compile.passed_by import passed_by
from audit.compile.readings import FACE_DOWN_METAL_6_STAYS, FORMER_READINGS, READINGS, SWITCHES
from audit.compile.recorder import Recorder, recorded_header
from audit.compile.say import event_words, key_of, worded
from audit.compile.state import SEATS, Compiling, Refreshing, State, committed, field_position, is_known, popped
from audit.compile.state import Due as DueTexts
from audit.compile.table import draw
from audit.compile.totals import is_certain, standing
from audit.compile.turn import options
from audit.compile.turn.acting import PLAY, REFRESH
from audit.compile.turn.clearing import CLEAR
from audit.compile.turn.compiling import COMPILE, RECOMPILE
from audit.compile.turn.controlling import CONTROL
from audit.compile.unasked import draws_too_soon, only_shown, unasked, undoable
from audit.compile.verbs.picking import returned_cards
from audit.compile.view import pending, pending_for, redact, view
from audit.model import Event, Header
from audit.ruleset import Due, Json, Obligation, Option, Paint, Ruleset, Violation, plain

_CANDIDATES: dict[type[Event], Option[State]] = {
    Played: PLAY,
    Refreshed: REFRESH,
    Compiled: COMPILE,
    Recompiled: RECOMPILE,
    ControlTaken: CONTROL,
    CacheCleared: CLEAR,
}
"""Events that say of themselves what they would need, even where they are not up for choice."""


LONGEST_CHAIN = 12
"""So many steps without a choice are gone through to find what somebody has to choose."""


class Compile(Ruleset[State]):
    """The rules of Compile."""

    name = "compile"
    catalogue = CATALOGUE
    events = EVENTS
    markers = (TurnBegan, PhaseBegan)
    switches = SWITCHES
    readings: ClassVar[Mapping[str, frozenset[str]]] = READINGS
    former_readings: ClassVar[Mapping[str, str]] = FORMER_READINGS

    def start(self, header: Header) -> State:
        return opening(header, self.reading(header.reading))

    def options(self, state: State) -> Iterator[Option[State]]:
        return chain(options(state), ECHOES.values())

    def match(self, state: State, event: Event) -> Option[State] | None:
        kind = type(event)
        for option in options(state):
            if option.event is kind and not option.violations(state, event):
                return option
        echo = ECHOES.get(kind)
        return echo if echo and not echo.violations(state, event) else None

    evolve = staticmethod(evolve)
    replay_to = staticmethod(replay_to)
    optional_events_before = staticmethod(optional_events_before)

    def explain(self, state: State, event: Event) -> tuple[Violation, ...]:
        return super().explain(state, event) or undoable(state, event) or only_shown(state, event)

    def contested(self, state: State, event: Event) -> tuple[str, ...]:
        return (FACE_DOWN_METAL_6_STAYS.name,) if _answers_hidden(state, event) else ()

    def is_relevant(self, state: State, event: Event) -> bool:
        return bool(undoable(state, event)) or draws_too_soon(state, event)

    def unasked(self, state: State, event: Event) -> tuple[Violation, ...]:
        candidate = None if _is_from_deck(event) else _CANDIDATES.get(type(event))
        refused = candidate.violations(state, event) if candidate else ()
        return refused or unasked(state, event) or unasked(_held_up(state), event)

    def overdue(self, state: State, event: Event) -> tuple[Due, ...]:
        """What is due; what leaves no choice aside, it is the choice it leads to that is passed by."""
        due = super().overdue(state, event)
        if not due:
            return ()
        reset = bool(state.stack) and isinstance(state.stack[-1], Refreshing | Compiling)
        return (Due((), tuple(passed_by(state if reset else _held_up(state), event))), *due)

    def absent(self, state: State, event: Event) -> Violation | None:
        if isinstance(event, Played | Discarded):
            return _not_held(state, event)
        cards = _field_cards(event)
        gone = next(
            (card for card in cards if field_position(state, card) is None and card not in committed(state)), None
        )
        if gone is None or (not is_known(gone) and not is_certain(state)):
            return None
        return Violation(rules.target.FIELD_ONLY, "pick.not_on_field", {"card": gone})

    def hidden(self, state: State, event: Event) -> bool:
        return not is_certain(state) or any(not is_known(card) for card in _field_cards(event))

    def relaxations(self, state: State) -> Iterator[State]:
        while state.stack:
            state = resolve_automatic(popped(state))
            yield state
        if state.due:
            yield replace(state, due=())

    def interleavings(self, state: State, event: Event) -> Iterator[State]:
        for depth in range(1, len(state.stack)):
            older = resolve_automatic(replace(state, stack=state.stack[:-depth]))
            if any(o.event is type(event) and not o.violations(older, event) for o in options(older)):
                after = evolve(older, event)
                yield replace(after, stack=(*after.stack, *state.stack[-depth:]))

    def causes(self, state: State, event: Event) -> tuple[int, ...]:
        return state.stack[-1].why if state.stack else ()

    def pending(self, state: State) -> list[Json]:
        return pending(state)

    def pending_for(self, state: State, viewer: str) -> list[Json]:
        return pending_for(state, viewer)

    def view(self, state: State, viewer: str = "judge") -> Json:
        return view(state, viewer)

    def redact(self, state: State, event: Event, viewer: str) -> Event:
        return redact(state, event, viewer)

    def simulate_setup(self, random: Random, pool: Sequence[str] = ()) -> dict[str, object]:
        return random_setup(random, pool)

    def by_chance(self, state: State, event: Event, random: Random) -> Event:
        if isinstance(event, Reshuffled) and event.deck is None:
            side = state.side(event.player)
            return replace(event, deck=(*side.deck, *random.sample(side.trash, len(side.trash))))
        return event

    def score(self, state: State) -> float:
        return standing(state, state.player) - standing(state, state.other)

    def recorded_header(self, header: Header, viewer: str) -> Header:
        return recorded_header(header, viewer)

    def recorder(self, viewer: str) -> Recorder:
        return Recorder(viewer)

    def draw(self, view: Json, language: str, paint: Paint = plain) -> list[str]:
        return draw(view, language, paint)

    def now(self, state: State) -> Json:
        return {"turn": state.turn, "player": state.player, "phase": state.phase}

    def names(self, event: Event, language: str) -> Json:
        return event_words(event, language)

    def key(self, event: Event) -> str:
        return key_of(event)

    def worded(self, data: Json, language: str) -> Json:
        return worded(data, language)

    def seats(self, header: Header) -> tuple[str, ...]:
        return SEATS

    def card_exists(self, card: str) -> bool:
        """Whether there is such a card, or it is a handle."""
        return card in CARDS or not is_known(card)


@lru_cache(maxsize=4)
def _held_up(state: State) -> State:
    """The position in which somebody has to choose, or a part of the turn is over; a finding asks for it twice."""
    for _ in range(LONGEST_CHAIN):
        forced = RULESET.forced(state)
        if forced is None or forced[0].obligation is Obligation.MARKER:
            break
        state = evolve(state, forced[1])
    return state


def _answers_hidden(state: State, event: Event) -> bool:
    """Whether a text answers the flip by which it came to light."""
    frame = state.stack[-1] if state.stack else None
    if not isinstance(event, Triggered) or type(frame) is not DueTexts:
        return False
    place = field_position(state, event.card)
    due = any((m.card, m.box, m.on) == (event.card, event.command, "flipped") for m in frame.moments)
    return due and event.command != "middle" and place is not None and place.up


def _is_from_deck(event: Event) -> bool:
    return isinstance(event, Played) and event.from_ == "deck"


def _not_held(state: State, event: Played | Discarded) -> Violation | None:
    cards: Iterable[str] = (event.card,) if isinstance(event, Played) else event.cards
    if event.from_ == "deck":
        return None if state.side(event.player).deck else Violation(rules.deck.TOP_CARD_EFFECTS_FAIL, "play.top", {})
    missing = next((card for card in cards if not_in_hand(state, event.player, card)), None)
    if missing is None:
        return None
    rule = rules.play.ON_OWN_SIDE if isinstance(event, Played) else rules.discard.FROM_HAND
    return Violation(rule, "play.hand", {"card": missing})


def _field_cards(event: Event) -> tuple[str, ...]:
    if isinstance(event, Flipped | Shifted):
        return (event.card,)
    if isinstance(event, Deleted):
        return event.cards
    return returned_cards(event) if isinstance(event, Returned) else ()


RULESET = Compile()
