"""Revealing encounter cards: its rules, and the roles that make it a ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, cast

from msgspec.structs import replace

from audit.core.conservation import Holding, Holdings
from audit.core.event_rules import EventRules, Expectation, Json, Obligation
from audit.core.model import Event, Header
from audit.core.rules import Rules, SkippedObligation
from audit.core.ruleset import Ruleset
from audit.core.written_forms import names_meant, sheet_word_in, sheet_word_meant
from audit.games.lotr_reveal.disclosure import RevealDisclosure
from audit.games.lotr_reveal.event_rules import EVENT_RULES, RULES, comes_only_where_due, only_due
from audit.games.lotr_reveal.event_rules.base import FrameEventRules, TaskEventRules, TaskExpectation
from audit.games.lotr_reveal.event_rules.conditions import is_past
from audit.games.lotr_reveal.events import AnyEvent, PlacementStarted, ResponsePlayed, RevealEnded, RevealStarted
from audit.games.lotr_reveal.lookup import acting_frame, causes, replacement_is_due
from audit.games.lotr_reveal.rules import CATALOGUE, step_1
from audit.games.lotr_reveal.scene import PACKAGE, RevealScene
from audit.games.lotr_reveal.score_forms import NAMED_IN, SCORE_FORMS
from audit.games.lotr_reveal.setting import RevealSetting
from audit.games.lotr_reveal.setup import OF_A_POSITION, opening, position
from audit.games.lotr_reveal.setup_entries import RevealSetup
from audit.games.lotr_reveal.simulation import RevealSimulation
from audit.games.lotr_reveal.state import UNKNOWN, State, Task
from audit.games.lotr_reveal.steps import name_of
from audit.games.lotr_reveal.table_entry import table_data
from audit.games.lotr_reveal.tasks import first_task, tasks_now, uncertain_calls
from audit.games.lotr_reveal.wording import RevealWording
from audit.games.lotr_reveal.zones import still_to_reveal

Upcoming = tuple[EventRules[State, Any], ...]

BY_TYPE: Mapping[type[Event], TaskEventRules[Any]] = {rules.event: rules for rules in RULES}
REVEAL, PLACEMENT = BY_TYPE[RevealStarted], BY_TYPE[PlacementStarted]
RESPONSE, END = BY_TYPE[ResponsePlayed], BY_TYPE[RevealEnded]


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


class RevealRules(Rules[State]):
    """What is legal while encounter cards are revealed."""

    catalogue = CATALOGUE
    event_rules = EVENT_RULES
    setup_type = RevealSetup
    score_forms = SCORE_FORMS
    readings: ClassVar[Mapping[str, frozenset[str]]] = {
        "standard": frozenset(),
        "official": frozenset({"no-outcome-at-4"}),
        "resistance-with-keywords": frozenset({"resistance-with-keywords"}),
        "nested-may-wait": frozenset({"nested-may-wait"}),
        "replacement-is-surge": frozenset({"replacement-is-surge"}),
        "surge-by-anybody": frozenset({"surge-by-anybody"}),
    }
    causes = staticmethod(causes)
    only_due = staticmethod(only_due)
    comes_only_where_due = staticmethod(comes_only_where_due)
    position = staticmethod(position)
    position_data = staticmethod(table_data)
    holdings = staticmethod(holdings)

    def start(self, header: Header) -> State:
        return opening(header, self.reading(header.reading))

    def cards_meant(self, word: str, setup: Json) -> tuple[str, ...]:
        return names_meant(word, setup, NAMED_IN)

    def score_word_meant(self, word: str) -> str:
        return sheet_word_meant(PACKAGE, word)

    def score_word_in(self, word: str, language: str) -> str:
        return sheet_word_in(PACKAGE, word, language)

    def lasting_setup(self, setup: Json) -> Json:
        return {key: value for key, value in setup.items() if key not in OF_A_POSITION}

    def upcoming(self, state: State) -> Iterable[EventRules[State, Any]]:
        """The event types of what is due, the responses before it, and what a text may have caused."""
        if replacement_is_due(state):
            return (REVEAL,)
        if not state.frames:
            return (REVEAL, PLACEMENT)
        frame = state.frames[-1]
        found = _upcoming(tasks_now(state, frame), frame.text_resolved, state.replacement is not None)
        return tuple(dict.fromkeys((PLACEMENT, *found))) if uncertain_calls(state, frame) else found

    def skipped_obligations(self, state: State, event: Event) -> tuple[SkippedObligation, ...]:
        """What is due at the first step that the event would go past."""
        frame = acting_frame(state)
        first = first_task(state, frame) if frame else None
        if frame is None or first is None or not is_past(frame, first.step, cast(AnyEvent, event)):
            return ()
        due = [expectation for expectation in self.expected(state) if isinstance(expectation, TaskExpectation)]
        return tuple(SkippedObligation(tuple(one.candidates(state)), one.rules) for one in due)

    def forced(self, state: State) -> tuple[Expectation[State], Event] | None:
        """Responses that nobody has to use leave no choice open."""
        live = [one for one in self.expected(state) if one.obligation is not Obligation.EXPIRES]
        if len(live) == 1 and live[0].obligation is Obligation.REQUIRED and (event := live[0].single_candidate(state)):
            return live[0], event
        return None

    def relaxations(self, state: State) -> Iterator[State]:
        if state.replacement:
            state = replace(state, replacement=None)
            yield state
        while state.frames:
            frame = state.frames[-1]
            while (first := first_task(state, frame)) is not None:
                frame = replace(frame, tasks=tuple(task for task in frame.tasks if task.step > first.step))
                state = replace(state, frames=(*state.frames[:-1], frame))
                yield state
            state = replace(state, frames=state.frames[:-1], closed=(*state.closed, frame))
            yield state

    def interleavings(self, state: State, event: Event) -> Iterator[State]:
        if isinstance(event, RevealStarted) and (left := still_to_reveal(state)):
            return iter((REVEAL.apply(state, replace(event, player=left[0])),))
        rules = BY_TYPE[type(event)]
        return rules.apply_early(state, event) if isinstance(rules, FrameEventRules) else iter(())

    def moment(self, state: State, event: Event) -> Json:
        """With the round, where it has been told, and the player of the event rather than of the card."""
        told = getattr(event, "player", None)
        now = self.clock(state)
        return {**now, "player": told or now["player"], **({"round": state.round} if state.round else {})}

    def clock(self, state: State) -> Json:
        frame = acting_frame(state)
        return {
            "turn": state.roots,
            "player": frame.player if frame else state.first,
            "step": name_of(frame.step) if frame else None,
            "frame": frame.id if frame else None,
        }


@lru_cache(maxsize=8192)
def _upcoming(tasks: tuple[Task, ...], follows_text: bool, may_replace: bool) -> Upcoming:
    """The event types that may come where these tasks are due: the same few tasks are due again and again."""
    first = (REVEAL,) if may_replace else ()
    due: list[EventRules[State, Any]] = [rules for task in tasks for rules in RULES if rules.fulfils(task)] or [END]
    after_text = [rules for rules in RULES if follows_text and rules.may_follow_text]
    return tuple(dict.fromkeys((*first, *(due or (END,)), RESPONSE, *after_text)))


RULESET = Ruleset(
    "lotr-reveal", RevealRules(), RevealDisclosure(), RevealWording(), RevealSimulation(), RevealScene(),
    setting=RevealSetting(),
)  # fmt: skip
