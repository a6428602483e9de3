"""Altered as the auditor sees it: one object that answers every question about the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from msgspec.structs import replace

from audit.altered import say, table
from audit.altered.catalogue import CATALOGUE
from audit.altered.causes import causes
from audit.altered.dealing import dealt, standing
from audit.altered.decks import check_deck
from audit.altered.events import (
    EVENTS,
    CardPlayed,
    CleanupChoice,
    DailyEffectEnded,
    DailyEffectStarted,
    DayStarted,
    ManaPlaced,
    ObjectLeft,
    PhaseStarted,
    PlayerPassed,
    ReactionCheck,
    ReactionPlayed,
)
from audit.altered.evolve import evolve
from audit.altered.markers import optional_events_before
from audit.altered.opening import opening
from audit.altered.options import ALONE, CANDIDATES, options
from audit.altered.options.afternoon import not_there
from audit.altered.options.limbo import not_on_table, not_waiting
from audit.altered.options.morning import not_in_hand
from audit.altered.options.night import not_in_zone
from audit.altered.rules import s1_3_2
from audit.altered.state import DAILY, PHASES, UNKNOWN, State
from audit.altered.view import pending, recorded_header, redact, view
from audit.catalogue import words
from audit.model import Event, Header
from audit.ruleset import Json, Option, Paint, Ruleset, Violation, own_fields, plain


class Altered(Ruleset[State]):
    """The rules of Altered: the structure of a day, reactions, modes and decks."""

    name = "altered"
    catalogue = CATALOGUE
    events = EVENTS
    markers = (DayStarted, PhaseStarted, DailyEffectStarted, DailyEffectEnded, ReactionCheck)

    def start(self, header: Header) -> State:
        self.reading(header.reading)
        return opening(header)

    options = staticmethod(options)
    evolve = staticmethod(evolve)
    optional_events_before = staticmethod(optional_events_before)
    causes = staticmethod(causes)

    def match(self, state: State, event: Event) -> Option[State] | None:
        alone = ALONE.get(type(event))
        if alone is None or state.outcome is not None:
            return Ruleset.match(self, state, event)
        return None if alone.violations(state, event) else alone

    def explain(self, state: State, event: Event) -> tuple[Violation, ...]:
        return CANDIDATES[type(event)].violations(state, event)

    def is_relevant(self, state: State, event: Event) -> bool:
        return is_relevant(state, event)

    def absent(self, state: State, event: Event) -> Violation | None:
        if isinstance(event, CardPlayed):
            return not_there(state, event)
        if isinstance(event, ManaPlaced):
            return not_in_hand(state, event.player, event.card, s1_3_2.B_MANA)
        if isinstance(event, ReactionPlayed):
            return not_waiting(state, event)
        if isinstance(event, ObjectLeft):
            return not_on_table(state, event.object, event.from_)
        return not_in_zone(state, event) if isinstance(event, CleanupChoice) else None

    def hidden(self, state: State, event: Event) -> bool:
        return isinstance(event, CardPlayed) and event.card.startswith(UNKNOWN)

    def relaxations(self, state: State) -> Iterator[State]:
        if state.effects or state.triggered:
            state = replace(state, effects=(), triggered=())
            yield state
        if state.effect:
            state = evolve(state, DailyEffectEnded(seq=0, effect=state.effect))  # type: ignore[arg-type]
            yield state
        if state.limbo:
            state = replace(state, limbo=())
            yield state
        if state.todo or state.turn_of:
            yield replace(state, todo=(), turn_of=None, passed=state.still_in)

    def interleavings(self, state: State, event: Event) -> Iterator[State]:
        if isinstance(event, CardPlayed | PlayerPassed) and state.turn_of not in (None, event.player):
            course = replace(state.course, ahead=(*state.course.ahead, event.player))
            yield replace(evolve(state, event), turn_of=state.turn_of, course=course)

    def pending(self, state: State) -> list[Json]:
        return pending(state)

    def view(self, state: State, viewer: str = "judge") -> Json:
        return view(state, viewer)

    def redact(self, state: State, event: Event, viewer: str) -> Event:
        return redact(event, viewer)

    def key(self, event: Event) -> str:
        return say.key_of(event)

    def names(self, event: Event, language: str) -> Json:
        data = {field: getattr(event, field) for field in own_fields(type(event))}
        return say.worded(data, language)

    def worded(self, data: Json, language: str) -> Json:
        return say.worded(data, language)

    def now(self, state: State) -> Json:
        return {"turn": state.day, "player": state.turn_of, "phase": state.phase}

    def seats(self, header: Header) -> tuple[str, ...]:
        given = header.setup.get("seats", header.setup.get("players"))
        if isinstance(given, Sequence) and not isinstance(given, str):
            return tuple(map(str, given))
        return super().seats(header)

    def check_deck(self, deck: Mapping[str, object]) -> tuple[Violation, ...]:
        """What is wrong with a deck given as plain data; raises `SetupError` where it is no deck."""
        return check_deck(deck)

    def simulate_setup(self, random: Random, pool: Sequence[str] = ()) -> dict[str, object]:
        return dealt(random, pool)

    def score(self, state: State) -> float:
        return standing(state)

    def recorded_header(self, header: Header, viewer: str) -> Header:
        return recorded_header(header, viewer)

    def draw(self, view: Json, language: str, paint: Paint = plain) -> list[str]:
        return table.draw(view, words(CATALOGUE.package, language, "names"), paint=paint)


def is_relevant(state: State, event: Event) -> bool:
    """Whether a marker is about what goes on now or is over, so that it was not meant for later."""
    match event:
        case DayStarted():
            return event.day <= state.day
        case PhaseStarted():
            return state.phase is not None and PHASES.index(event.phase) <= PHASES.index(state.phase)
        case DailyEffectEnded():
            return True
        case DailyEffectStarted():
            return event.effect in DAILY.get(state.phase or "", ()) and event.effect not in state.todo
    return False


RULESET = Altered()
