"""Events call cards and keywords by any name they have; the rules know each by one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, get_args

from msgspec.structs import replace

from audit.core.event_rules import Citations, EventRules, Expectation, Violation, Violations, own_fields
from audit.core.model import Event
from audit.games.lotr_reveal.cards import KEYWORDS, without_copy
from audit.games.lotr_reveal.event_rules.base import TaskEventRules
from audit.games.lotr_reveal.events import (
    CardMoved,
    CardPut,
    KeywordResolved,
    PlacementStarted,
    ResponsePlayed,
    RevealStarted,
    Within,
)
from audit.games.lotr_reveal.lookup import acting_frame, hides_deck, zone_of
from audit.games.lotr_reveal.names import gain_called, keyword_called, keyword_with_value, spelt
from audit.games.lotr_reveal.state import State

E = TypeVar("E", bound=Event)

_CARDS = ("card", "source", "target", "by", "affected", "character", "characters", "attached_to", "order")
MAX_COPIES = 100
"""No deck has more copies of one card."""
_NOT_ELSEWHERE = (None, "encounter_deck")
_KEYWORDS = frozenset({"keyword", "gains"})
_CAUSED = ("card_defeated", "card_explored")
_HAPPENS_TO_CARD = frozenset(get_args(Within))


class ByName(EventRules[State, E]):
    """The rules of an event type, asked about the event with every card called as the setup calls it."""

    def __init__(self, rules: TaskEventRules[E]) -> None:
        self.rules = rules
        self.event = rules.event
        self.may_be_unchecked = rules.may_be_unchecked
        self.names_cards = rules.names_cards
        self.announces = rules.announces
        self.is_settled = rules.is_settled
        named = (*_CARDS, "cause") if self.event.__struct_config__.tag in _CAUSED else _CARDS
        self.fields = tuple(name for name in own_fields(self.event) if name in named)
        self.of_acting = frozenset(self.fields if self.event in _HAPPENS_TO_CARD else ())
        """The fields in which the name of the card on its way means that card, and no other copy of it."""
        if self.event is ResponsePlayed:
            self.of_acting -= {"source"}
        self.keyword_fields = tuple(name for name in own_fields(self.event) if name in _KEYWORDS)
        self.reveals = self.event is RevealStarted
        self.latest: tuple[State, E, E] | None = None
        """The position and event last asked about, and the event as the setup names it: it is asked again at once."""

    def called(self, state: State, event: E) -> E:
        """The event with the names that the setup uses; in nearly every log it is the event itself."""
        latest = self.latest
        if latest is None or latest[0] is not state or latest[1] is not event:
            self.latest = latest = state, event, self._called(state, event)
        return latest[2]

    def _called(self, state: State, event: E) -> E:
        exact, acting = state.setup.exact, state.frames[-1].card if state.frames else ""
        second = without_copy(acting) if "#" in acting else ""
        for field in self.fields:
            value = getattr(event, field)
            if value is None or (value == acting and field in self.of_acting) or (value in exact and value != second):
                continue
            names, copied = state.setup.names, state.setup.copied
            known = tuple([spelt(names, one) for one in value]) if type(value) is tuple else spelt(names, value)
            known = _copy_meant(state, event, field, known) if known in copied or known == second else known
            event = event if known == value else replace(event, **{field: known})
        if self.reveals and isinstance(event, RevealStarted) and (copy := _further_copy(state, event)):
            event = replace(event, card=copy)
        return _with_keywords(event, self.keyword_fields) if self.keyword_fields else event

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        return self.rules.expected(state)

    def violations(self, state: State, event: E) -> Violations:
        return self.rules.violations(state, self.called(state, event))

    def citations(self, state: State, event: E) -> Citations:
        return self.rules.citations(state, self.called(state, event))

    def accept(self, state: State, event: E) -> Citations | None:
        return self.rules.accept(state, self.called(state, event))

    def apply(self, state: State, event: E) -> State:
        return self.rules.apply(state, self.called(state, event))

    def unchecked(self, state: State, event: E) -> Violations:
        return self.rules.unchecked(state, self.called(state, event))

    def is_own_act(self, state: State, event: E) -> bool:
        return self.rules.is_own_act(state, self.called(state, event))

    def is_relevant(self, state: State, event: E) -> bool:
        return self.rules.is_relevant(state, self.called(state, event))

    def missing(self, state: State, event: E) -> Violation | None:
        return self.rules.missing(state, self.called(state, event))

    def depends_on_hidden(self, state: State, event: E) -> bool:
        return self.rules.depends_on_hidden(state, self.called(state, event))


def _with_keywords(event: E, fields: tuple[str, ...]) -> E:
    """The event with the keywords in these fields by their ids."""
    for field in fields:
        told = getattr(event, field)
        called = tuple(map(gain_called, told)) if type(told) is tuple else keyword_called(told) if told else told
        event = event if called == told else replace(event, **{field: called})
    if isinstance(event, KeywordResolved) and event.value is None:
        keyword, value = keyword_with_value(event.keyword)  # `Doomed 2` is Doomed, 2
        event = replace(event, keyword=keyword, value=value) if value is not None and keyword in KEYWORDS else event
    return event


def _copy_meant(state: State, event: Event, field: str, card: str) -> str:
    """Which copy of a card is meant by the name that all of them have: the one it happens to, or that lies there."""
    if type(event) is RevealStarted:
        places = list((state.deck or ())[: 1 if state.ordered else None])
        if hides_deck(state):
            listed = sorted({card, *state.setup.encounter_cards})
            places = [*[one for one in listed if zone_of(state, one) is None], *places]
        places = [card] if card in places else places
    elif type(event) is CardPut:
        places = [one for one in _in_play(state) if event.from_ in (None, zone_of(state, one))]
        places = [card] if card in places else places
    elif type(event) is ResponsePlayed and field == "source":
        places = [card] if card in state.sources else list(state.sources)
    elif type(event) is PlacementStarted or (field == "source" and card in _in_play(state)):
        return card
    else:
        frame = acting_frame(state)
        is_there = frame and (type(event) is not CardMoved or event.from_ in ("revealing", frame.zone))
        places = [frame.card] if frame and is_there else []
    return next((one for one in places if without_copy(one) == card), card)


def _further_copy(state: State, event: RevealStarted) -> str:
    """The copy that is revealed out of a deck that nobody knows while another lies on the table; empty where none is.

    Where nobody counts the deck, a card of the discard pile may have been shuffled into it.
    """
    if not hides_deck(state):
        return ""
    card, zone = event.card, zone_of(state, event.card)
    if zone in _NOT_ELSEWHERE or card in state.setup.encounter_cards:
        return ""
    if zone == "encounter_discard" and state.deck is None:
        return ""
    if zone == "revealing" and (state.frames[-1].id == event.frame or not state.frames[-1].seq):
        return ""
    copies = [f"{without_copy(card)}#{number}" for number in range(2, MAX_COPIES)]
    return next((copy for copy in copies if zone_of(state, copy) in _NOT_ELSEWHERE), "")


def _in_play(state: State) -> list[str]:
    engaged = [card for cards in state.engaged.values() for card in cards]
    return [*state.staging, *engaged, *state.other_zones]


def by_name(rules: TaskEventRules[E]) -> EventRules[State, E]:
    """The rules of an event type for events that call cards by any name; as they are where such events name no card."""
    named = ByName(rules)
    return named if named.fields else rules
