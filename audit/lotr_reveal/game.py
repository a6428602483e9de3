"""Revealing encounter cards as the auditor sees it: one object that answers every question about the procedure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar

from msgspec.structs import replace

from audit.lotr_reveal.acts import CANDIDATES, MARKERS, act_of, options
from audit.lotr_reveal.catalogue import CATALOGUE
from audit.lotr_reveal.events import (
    EVENTS,
    CardMoved,
    EnterPlayEffect,
    KeywordResolved,
    OutcomeEffectResolved,
    PassiveApplied,
    PlacementStarted,
    ResponsePlayed,
    RevealStarted,
    SurgeArmed,
    WhenRevealedResolved,
)
from audit.lotr_reveal.evolve import ahead_of_its_turn, evolve
from audit.lotr_reveal.markers import optional_events_before
from audit.lotr_reveal.rules import step_1
from audit.lotr_reveal.say import key, names, worded
from audit.lotr_reveal.setup import opening
from audit.lotr_reveal.simulate import random_setup
from audit.lotr_reveal.state import State, first_task, is_vague, led_to, source_of, tasks_now, top
from audit.lotr_reveal.steps import INDEX, name_of
from audit.lotr_reveal.table import draw
from audit.lotr_reveal.view import JUDGE, pending, redact, unseen, view
from audit.lotr_reveal.why import is_stop, rules_of
from audit.model import Event, Header
from audit.ruleset import Due, Json, Obligation, Option, Paint, Ruleset, Violation, plain

_BY_TEXT = (
    ResponsePlayed, PassiveApplied, KeywordResolved, SurgeArmed, WhenRevealedResolved, EnterPlayEffect,
    OutcomeEffectResolved, CardMoved,
)  # fmt: skip
"""Events that hang on what a card says."""


class LotrReveal(Ruleset[State]):
    """The rules of revealing an encounter card."""

    name = "lotr-reveal"
    catalogue = CATALOGUE
    events = EVENTS
    readings: ClassVar[Mapping[str, frozenset[str]]] = {
        "standard": frozenset(),
        "official": frozenset({"no-outcome-at-4"}),
        "resistance-with-keywords": frozenset({"resistance-with-keywords"}),
        "nested-may-wait": frozenset({"nested-may-wait"}),
        "replacement-is-surge": frozenset({"replacement-is-surge"}),
    }

    def start(self, header: Header) -> State:
        return opening(header, self.reading(header.reading))

    options = staticmethod(options)
    evolve = staticmethod(evolve)
    optional_events_before = staticmethod(optional_events_before)

    def match(self, state: State, event: Event) -> Option[State] | None:
        marker = MARKERS.get(type(event))
        if marker is None:
            return Ruleset.match(self, state, event)
        return marker if marker.refused(state, event) is None else None

    def explain(self, state: State, event: Event) -> tuple[Violation, ...]:
        return CANDIDATES[type(event)].violations(state, event)

    def overdue(self, state: State, event: Event) -> tuple[Due, ...]:
        frame = top(state)
        first = first_task(state, frame) if frame else None
        if frame is None or first is None or not is_past(frame.id, first.step, event):
            return ()
        return tuple(Due(tuple(act_of(task).candidates(state)), rules_of(task)) for task in tasks_now(state, frame))

    def forced(self, state: State) -> tuple[Option[State], Event] | None:
        """Responses that nobody need use leave no choice open."""
        live = [
            option for option in options(state) if option.obligation not in (Obligation.REDUNDANT, Obligation.EXPIRES)
        ]
        if len(live) == 1 and live[0].obligation is Obligation.REQUIRED and (event := live[0].single_candidate(state)):
            return live[0], event
        return None

    def is_relevant(self, state: State, event: Event) -> bool:
        frame = top(state)
        if frame is None:
            return False
        if isinstance(event, RevealStarted | PlacementStarted):
            return event.parent == frame.id
        first = first_task(state, frame)
        if getattr(event, "frame", None) != frame.id:
            return False
        return first is None or is_stop(first) or not is_past(frame.id, first.step, event)

    def absent(self, state: State, event: Event) -> Violation | None:
        if isinstance(event, RevealStarted):
            deck = state.deck[state.taken :] if state.deck is not None else None
            unseen = deck is None or event.card.startswith("?") or any(card.startswith("?") for card in deck)
            if unseen or event.card in (deck or ()):
                return None
            return Violation(step_1.TAKE_TOP, "reveal.not_there", {"card": event.card})
        return None

    def hidden(self, state: State, event: Event) -> bool:
        frame = top(state)
        is_next = isinstance(event, RevealStarted | PlacementStarted)
        if frame is None or not (is_next or getattr(event, "frame", None) == frame.id):
            return False
        if any(is_vague(state, task) for task in tasks_now(state, frame)):
            return True
        if not isinstance(event, _BY_TEXT):
            return False
        card = state.table.card(frame.card)
        if card.type is None or card.immune is None:
            return True
        source = getattr(event, "source", None)
        return not state.table.knows_sources and source is not None and source_of(state, source) is None

    def relaxations(self, state: State) -> Iterator[State]:
        if state.replacement:
            state = replace(state, replacement=None)
            yield state
        while state.frames:
            frame = state.frames[-1]
            while (first := first_task(state, frame)) is not None:
                rest = tuple(task for task in frame.tasks if task.step > first.step)
                frame = replace(frame, tasks=rest)
                state = replace(state, frames=(*state.frames[:-1], frame))
                yield state
            state = replace(state, frames=state.frames[:-1], closed=(*state.closed, frame))
            yield state

    def interleavings(self, state: State, event: Event) -> Iterator[State]:
        return ahead_of_its_turn(state, event)

    def causes(self, state: State, event: Event) -> tuple[int, ...]:
        found = led_to(state)
        if state.replacement is None:
            return found
        return tuple(dict.fromkeys((state.replacement.seq, *found))) if state.replacement.seq else found

    def pending(self, state: State) -> list[Json]:
        return pending(state)

    def view(self, state: State, viewer: str = "judge") -> Json:
        return view(state, viewer)

    def redact(self, state: State, event: Event, viewer: str) -> Event:
        return redact(state, event, viewer)

    def key(self, event: Event) -> str:
        return key(event)

    def names(self, event: Event, language: str) -> Json:
        return names(event, language)

    def worded(self, data: Json, language: str) -> Json:
        return worded(data, language)

    def draw(self, view: Json, language: str, paint: Paint = plain) -> list[str]:
        return draw(view, language, paint)

    def now(self, state: State) -> Json:
        frame = top(state)
        return {
            "turn": state.roots,
            "player": frame.player if frame else state.table.first,
            "step": name_of(frame.at) if frame else None,
            "frame": frame.id if frame else None,
        }

    def seats(self, header: Header) -> tuple[str, ...]:
        listed = header.setup.get("players")
        if isinstance(listed, list | tuple) and listed:
            return tuple(map(str, listed))
        return tuple(player.seat for player in header.players)

    def recorded_header(self, header: Header, viewer: str) -> Header:
        return header if viewer == JUDGE else replace(header, setup=unseen(header.setup))

    def simulate_setup(self, random: Random, pool: Sequence[str] = ()) -> dict[str, object]:
        """A setup of a game played at random; the pool names encounter cards, and without one all may come."""
        return random_setup(random, pool)


def is_past(frame: str, step: int, event: Event) -> bool:
    """Whether the event would go past that step of the frame."""
    return bool(getattr(event, "frame", None) == frame and INDEX[getattr(event, "step", "1")] > step)


RULESET = LotrReveal()
