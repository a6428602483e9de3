"""Compile as the core sees it: its rules, and the roles put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from audit.core.event_rules import Citations, Json
from audit.core.model import Event, Header
from audit.core.rules import Rules, SkippedObligation
from audit.core.ruleset import Ruleset
from audit.games.compile.askable import statement
from audit.games.compile.automatic import resolve_automatic
from audit.games.compile.card_basis import rules_of_card
from audit.games.compile.cards import CARDS
from audit.games.compile.catalogue import CATALOGUE
from audit.games.compile.disclosure import CompileDisclosure
from audit.games.compile.doubts import doubts
from audit.games.compile.event_rules import EVENT_RULES, causes, comes_only_where_due, only_due, upcoming
from audit.games.compile.event_rules.shifting import other_side_first
from audit.games.compile.fast_replay import replay_moves
from audit.games.compile.holdings import holdings
from audit.games.compile.opening import opening
from audit.games.compile.parts import is_known, newest, popped, protocol_of, winner, with_side
from audit.games.compile.position_text import position_text, read_position
from audit.games.compile.positions import position, position_data, unknown_protocols
from audit.games.compile.readings import FORMER_READINGS, READINGS, SWITCHES
from audit.games.compile.rules import effects, interrupt
from audit.games.compile.scene import CompileScene
from audit.games.compile.score_forms import (
    SCORE_FORMS,
    SEAT_WORDS,
    card_at,
    cards_meant,
    score_card_in,
    seat_word_meant,
)
from audit.games.compile.score_phrases import apart, plainer, score_word_in, score_word_meant
from audit.games.compile.setting import CompileSetting
from audit.games.compile.setup_entries import CompileSetup
from audit.games.compile.simulation import CompileSimulation
from audit.games.compile.state import Compiling, Refreshing, State, Text
from audit.games.compile.untold import other_numbers
from audit.games.compile.wording import CompileWording


def card_exists(card: str) -> bool:
    """Whether there is such a card, or it is a handle."""
    return card in CARDS or not is_known(card)


def overtaking(state: State, choice: State, event: Event) -> Citations:
    """Why what is due without a choice comes first, if the event is what the text goes on with that waits for it."""
    waiting, acting = newest(choice), newest(state)
    if type(waiting) is not Text or EVENT_RULES[type(event)].violations(choice, event):
        return ()
    at = [n for n, one in enumerate(state.stack) if type(one) is Text and _is_same(one, waiting)]
    if not at:
        return ()
    if at[-1] == len(state.stack) - 1:
        return (effects.READING_ORDER,)
    has_begun = type(acting) is Text and acting.next_index
    return (interrupt.UNWINDS_BACKWARDS if has_begun else interrupt.NEWEST_GOES_FIRST,)


def _is_same(one: Text, other: Text) -> bool:
    return (one.card, one.box, one.entry) == (other.card, other.box, other.entry)


def without_last_compile(state: State) -> Iterator[State]:
    """The positions in which one protocol of the winner is not compiled; which one was the last, nobody says."""
    seat = winner(state)
    if seat is None:
        yield state
        return
    side = state.side(seat)
    for protocol in side.protocols:
        yield with_side(state, seat, replace(side, compiled=side.compiled - {protocol}))


class CompileRules(Rules[State]):
    """What is legal in Compile and what an event changes."""

    catalogue = CATALOGUE
    event_rules = EVENT_RULES
    switches = SWITCHES
    readings: ClassVar[Mapping[str, frozenset[str]]] = READINGS
    former_readings: ClassVar[Mapping[str, str]] = FORMER_READINGS

    setup_type = CompileSetup
    score_forms = SCORE_FORMS
    score_seat_words = SEAT_WORDS
    upcoming = staticmethod(upcoming)
    only_due = staticmethod(only_due)
    comes_only_where_due = staticmethod(comes_only_where_due)
    causes = staticmethod(causes)
    card_exists = staticmethod(card_exists)
    position_data = staticmethod(position_data)
    cards_meant = staticmethod(cards_meant)
    rules_of_card = staticmethod(rules_of_card)
    seat_word_meant = staticmethod(seat_word_meant)
    score_word_meant = staticmethod(score_word_meant)
    score_word_in = staticmethod(score_word_in)
    score_card_in = staticmethod(score_card_in)
    plainer = staticmethod(plainer)
    apart = staticmethod(apart)
    statement = staticmethod(statement)
    card_at = staticmethod(card_at)
    doubts = staticmethod(doubts)
    holdings = staticmethod(holdings)
    position_text = staticmethod(position_text)
    read_position = staticmethod(read_position)

    def start(self, header: Header) -> State:
        return opening(header, self.switches_of(header))

    def position(self, data: Json, state: State) -> State:
        return position(data, state)

    def is_in_game(self, state: State, card: str) -> bool:
        protocols = (*state.a.protocols, *state.b.protocols)
        return len(protocols) < 6 or protocol_of(card) in protocols

    def has_unknown_cards(self, state: State) -> bool:
        return bool(unknown_protocols((*state.a.protocols, *state.b.protocols)))

    def clock(self, state: State) -> Json:
        return {"turn": state.turn, "player": state.player, "phase": state.phase}

    def replay_moves(self, state: State, events: Sequence[Event]) -> State:
        return replay_moves(self.evolve, state, events)

    def skipped_obligations(self, state: State, event: Event) -> tuple[SkippedObligation, ...]:
        """The skipped obligations; after events without a choice, the next choice is what is skipped."""
        skipped = super().skipped_obligations(state, event)
        if not skipped:
            return ()
        resets_control = bool(state.stack) and isinstance(state.stack[-1], Refreshing | Compiling)
        choice = state if resets_control else self.advance_to_choice(state)
        first = next((occasion for rules in upcoming(choice) for occasion in rules.expected(choice)), None)
        why = overtaking(state, choice, event) or (tuple(first.precedence(choice, event)) if first else ())
        return (SkippedObligation((), why), *skipped)

    def relaxations(self, state: State) -> Iterator[State]:
        while state.stack:
            state = resolve_automatic(popped(state))
            yield state
        if state.due:
            yield replace(state, due=())
        if winner(state) or state.over:
            yield from (replace(one, over=None) for one in without_last_compile(state))

    def interleavings(self, state: State, event: Event) -> Iterator[State]:
        rules = EVENT_RULES[type(event)]
        for depth in range(1, len(state.stack)):
            older = resolve_automatic(replace(state, stack=state.stack[:-depth]))
            if not rules.violations(older, event):
                after = self.evolve(older, event)
                yield replace(after, stack=(*after.stack, *state.stack[-depth:]))

    def reorderings(self, state: State) -> Iterator[State]:
        """The positions if the sides landed in another order, or if an untold hand or deck holds another number."""
        yield from other_numbers(state)
        yield from other_side_first(state)


RULES = CompileRules()
RULESET: Ruleset[State] = Ruleset(
    name="compile",
    rules=RULES,
    disclosure=CompileDisclosure(),
    wording=CompileWording(),
    simulation=CompileSimulation(),
    scene_maker=CompileScene(),
    setting=CompileSetting(),
)
