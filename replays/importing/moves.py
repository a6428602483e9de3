"""What may have happened next in the source: what was decided, what needs no decision, and its own ways.

Each move has a price. What the rules force, and what was decided, costs nothing; a choice nobody was asked for costs
something, a departure from the rules more: the cheapest way to the next snapshot is what happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from audit.compile import RULESET
from audit.compile.event_rules.drawing import drawn
from audit.compile.event_rules.playing import PlayCard
from audit.compile.events import (
    Deleted,
    Refreshed,
    Reshuffled,
    Resolved,
    Shifted,
    Triggered,
    TurnBegan,
)
from audit.compile.occasions import Instruction
from audit.compile.parts import field_position, opponent
from audit.compile.procedures import to_draw
from audit.compile.progress import next_instruction
from audit.compile.state import LINES, Refreshing, State, Text
from audit.compile.words import ALL, EACH
from audit.event_rules import Expectation
from audit.model import Event
from replays.importing.decisions import JournalDecision, settled

MAX_OFFERS = 5000
MAX_UNASKED = 60
UNASKED = 1
DEPARTURE = 2

Decks = Callable[[State, str], tuple[str, ...]]
"""The whole deck of a seat once its trash has been shuffled in."""


class Work:
    """How many events may still be considered. Counted, not timed, so that a journal always gives the same log."""

    def __init__(self, left: int, whole: Work | None = None) -> None:
        self.left = left
        self._whole = whole

    def part(self, most: int) -> Work:
        """Some of it, for one task; what is done of the part is done of the whole."""
        return Work(most, self)

    def do(self, number: int) -> None:
        """So many events were considered."""
        self.left -= number
        if self._whole:
            self._whole.do(number)


class PossibleMove(Struct, frozen=True):
    """An event, how many decisions it settles, what it costs, and whether a scorekeeper writes it down."""

    event: Event
    settles: int = 0
    price: int = 0
    is_written: bool = True


def moves(state: State, asked: tuple[JournalDecision, ...], decks: Decks, work: Work) -> Iterator[PossibleMove]:
    """Everything that may come next, the cheapest first."""
    live = list(RULESET.rules.expected(state))
    if asked:
        yield from _decided(state, live, asked, work)
    silent = [replace(move, event=_with_deck(state, move.event, decks)) for move in _silent(state, live)]
    yield from silent
    if not silent:
        yield from _unasked(state, live)
    yield from _departures(state, live, asked, decks)


def _decided(
    state: State, live: list[Expectation[State]], asked: tuple[JournalDecision, ...], work: Work
) -> Iterator[PossibleMove]:
    for option in live:
        for event in islice(option.candidates(state), MAX_OFFERS):
            work.do(1)
            if number := settled(state, event, asked):
                yield PossibleMove(event, number)


def _silent(state: State, live: list[Expectation[State]]) -> Iterator[PossibleMove]:
    """What the source does without a question: what is forced, and some choices in a fixed order."""
    if forced := RULESET.rules.forced(state):
        yield PossibleMove(forced[1], is_written=isinstance(forced[1], Reshuffled))
    elif live and all(option.any_order for option in live):
        events = [event for option in live for event in option.candidates(state)]
        yield from (PossibleMove(e, is_written=isinstance(e, Triggered)) for e in sorted(events, key=_order(state)))
    elif live and isinstance(live[0], Instruction) and _needs_no_question(live[0]):
        yield from (PossibleMove(event) for event in sorted(live[0].candidates(state), key=_order(state)))


def _needs_no_question(option: Instruction[Any]) -> bool:
    """Deck cards laid into several lines, what is done to each of several cards, and a card taken at random."""
    declared = option.declared
    if isinstance(option, PlayCard):
        return declared.source == "deck" and declared.in_lines is not None
    return declared.verb == "take" or (declared.count in (EACH, ALL) and not declared.together)


def _order(state: State) -> Callable[[Event], tuple[str, int]]:
    """The source's order of texts set off at once: seat A first, from left to right."""

    def place(event: Event) -> tuple[str, int]:
        cards = event.cards if isinstance(event, Deleted) else ()
        card = getattr(event, "card", None) or next(iter(cards), None)
        found = field_position(state, card) if card else None
        return (found.seat, found.line) if found else ("", 0)

    return place


def _with_deck(state: State, event: Event, decks: Decks) -> Event:
    return replace(event, deck=decks(state, event.player)) if isinstance(event, Reshuffled) else event


def _unasked(state: State, live: list[Expectation[State]]) -> Iterator[PossibleMove]:
    for option in live:
        for event in islice(option.candidates(state), MAX_UNASKED):
            yield PossibleMove(event, price=UNASKED)


# The source's departures from the rules, each by the trace it leaves


def _departures(
    state: State, live: list[Expectation[State]], asked: tuple[JournalDecision, ...], decks: Decks
) -> Iterator[PossibleMove]:
    frame = state.stack[-1] if state.stack else None
    if type(frame) is Text:
        yield from _of_a_text(state, frame, live, decks)
    elif type(frame) is Refreshing and frame.control:
        yield PossibleMove(drawn(state, frame.seat, frame.seat, to_draw(state, frame.seat)), price=DEPARTURE)
    elif frame is None and state.phase == "action" and not state.acted and asked and asked[0].by:
        yield from _of_an_action(state, asked[0])


def _of_a_text(state: State, text: Text, live: list[Expectation[State]], decks: Decks) -> Iterator[PossibleMove]:
    declared = next_instruction(text)
    if live and live[0].event is Resolved:
        if declared.verb == "play" and declared.source == "deck" and state.side(text.seat).trash:
            deck = decks(state, text.seat)
            yield PossibleMove(Reshuffled(seq=0, player=text.seat, deck=deck), price=DEPARTURE)
        if declared.verb == "delete" and field_position(state, text.card):
            yield PossibleMove(Deleted(seq=0, cards=(text.card,)), price=DEPARTURE)
    elif declared.together:
        cards = [card for card in text.remaining or () if isinstance(card, str)]
        lines = (text.chosen_line,) if text.chosen_line else LINES
        yield from (
            PossibleMove(Shifted(seq=0, card=card, to=line), price=DEPARTURE) for card in cards for line in lines
        )


def _of_an_action(state: State, decision: JournalDecision) -> Iterator[PossibleMove]:
    if decision.do == "fillHand":
        yield PossibleMove(Refreshed(seq=0, player=decision.by), settles=1, price=DEPARTURE)
    elif decision.do == "playCard":
        lost = TurnBegan(seq=0, player=opponent(state.player), turn=state.turn + 1)
        yield PossibleMove(lost, settles=1, price=DEPARTURE)
        if decision.card and decision.line:
            yield PossibleMove(decision.as_play(), settles=1, price=DEPARTURE)
