"""Compile as the core sees it: its rules, and the roles put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import ClassVar, Final

from msgspec.structs import replace

from audit.core.catalogue import Rule, each_once
from audit.core.conservation import Holding, Holdings
from audit.core.errors import SetupError
from audit.core.event_rules import Citations, Json, Violation, Violations
from audit.core.model import Event, Header
from audit.core.rules import Rules, SkippedObligation
from audit.core.ruleset import Ruleset
from audit.core.typed_setup import read_typed
from audit.games.compile import rules
from audit.games.compile.askable import statement
from audit.games.compile.automatic import resolve_automatic
from audit.games.compile.cards import CARDS
from audit.games.compile.declarations import BoxName, CardFacts, CardInstruction, Trigger
from audit.games.compile.disclosure import CompileDisclosure
from audit.games.compile.event_rules import EVENT_RULES, causes, comes_only_where_due, only_due, upcoming
from audit.games.compile.event_rules.shifting import other_side_first
from audit.games.compile.event_rules.triggering import BOX_RULES, trigger_rules
from audit.games.compile.fast_replay import replay_moves
from audit.games.compile.moves import taken_from
from audit.games.compile.occasions import rules_of_instruction
from audit.games.compile.parts import is_idle, is_known, newest, popped, protocol_of, winner, with_side
from audit.games.compile.position_text import position_text, read_position
from audit.games.compile.positions import (
    all_different,
    check_cards,
    check_protocols,
    position,
    position_data,
    unknown_protocols,
    zone,
)
from audit.games.compile.procedures import is_barred
from audit.games.compile.readings import FORMER_READINGS, READINGS, SWITCHES
from audit.games.compile.rules import CATALOGUE, effects, text
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
from audit.games.compile.setup_entries import CompileSetup, Zone
from audit.games.compile.simulation import CompileSimulation
from audit.games.compile.state import (
    SEATS,
    UNKNOWN,
    CardMovement,
    CardsLeaving,
    Compiling,
    Refreshing,
    Side,
    State,
    Text,
)
from audit.games.compile.texts import BOXES
from audit.games.compile.totals import compilable, total
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
    return (text.INTERRUPT_UNWINDS_BACKWARDS if has_begun else text.INTERRUPT_NEWEST_GOES_FIRST,)


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


def doubts(state: State) -> Violations:
    """A line that qualifies when the action begins: it should have been compiled, unless it qualifies since then."""
    if state.phase != "action" or state.acted or not is_idle(state) or is_barred(state, state.player):
        return ()
    lines = compilable(state, state.player)
    if len(lines) == 1:
        data = {"player": state.player, "line": lines[0], "n": total(state, state.player, lines[0])}
        return (Violation(rules.compile.MANDATORY, "compile.missed", data),)
    several = Violation(rules.compile.MANDATORY, "compile.missed_one", {"player": state.player, "lines": lines})
    return (several,) if lines else ()


DECK_SIZE = 18


def opening(header: Header, switches: frozenset[str]) -> State:
    """The position before the first event; raises `SetupError` naming the field and what was expected."""
    first = header.first or "A"
    if first not in SEATS:
        raise SetupError("first", "A or B")
    setup = read_typed(header.setup, CompileSetup)
    if setup.position is not None:
        return _positioned(header, State(Side(()), Side(()), player=first, phase="action", switches=switches))
    if setup.protocols is None:
        raise SetupError("protocols", "an object")
    others = unknown_protocols((*setup.protocols.a, *setup.protocols.b)) if header.unknown == "record" else ()
    a = _dealt("A", setup.protocols.a, setup.decks.a, setup.hands.a, others)
    b = _dealt("B", setup.protocols.b, setup.decks.b, setup.hands.b, others)
    all_different((*a.protocols, *b.protocols), "protocols")
    all_different((*a.hand, *a.deck, *b.hand, *b.deck), "decks")
    return State(a, b, player=first, phase="setup", switches=switches)


def _positioned(header: Header, nothing: State) -> State:
    if others := [name for name in ("protocols", "decks", "hands") if name in header.setup]:
        raise SetupError(others[0], "nothing beside a position, which says it itself")
    data = header.setup["position"]
    assert isinstance(data, dict)  # the setup was read
    return position(data, nothing, with_unknown=header.unknown == "record")


def _dealt(seat: str, names: tuple[str, ...], deck_told: Zone, hand_told: Zone, others: tuple[str, ...]) -> Side:
    check_protocols(names, f"protocols.{seat}", others)
    hand = zone(hand_told, ())
    deck = zone(deck_told, (UNKNOWN,) * (DECK_SIZE - len(hand)))
    check_cards(hand, f"hands.{seat}", others)
    check_cards(deck, f"decks.{seat}", others)
    if len(deck) + len(hand) > DECK_SIZE:
        raise SetupError(f"decks.{seat}", f"{DECK_SIZE} cards at most, hand and deck together")
    strange = [card for card in (*deck, *hand) if card in CARDS and CARDS[card].protocol not in names]
    if strange:
        raise SetupError(f"decks.{seat}", f"cards of {', '.join(names)}, not {strange[0]}", strange[0])
    return Side(names, hand=hand, deck=deck)


def holdings(state: State) -> Holdings | None:
    """Where every card is; None where all cards have names, or nobody knows how many there are of each deck."""
    a, b = state.a, state.b
    held = UNKNOWN in "".join((*a.hand, *a.deck, *b.hand, *b.deck))
    if state.untold or not (held or _on_the_field(a, b)) or len(a.protocols) + len(b.protocols) < 6:
        return None
    exist = cards_of_deck(a.protocols) | cards_of_deck(b.protocols)
    return Holdings(rules.setup.DECK_OF_EIGHTEEN, tuple(_all(state)), exist)


def _on_the_field(*sides: Side) -> bool:
    """Whether some card on the field has no name."""
    return any(not (card.up or is_known(card.card)) for side in sides for stack in side.lines for card in stack)


def _all(state: State) -> Iterator[Holding]:
    decks = {seat: cards_of_deck(state.side(seat).protocols) for seat in SEATS}
    both = decks["A"] | decks["B"]
    for seat, card, pile in _placed(state):
        may_be = both if seat in state.foreign else decks.get(seat, both)
        yield Holding(card, seat, pile, None if is_known(card) else may_be)


def _placed(state: State) -> Iterator[tuple[str, str, str]]:
    """The holder, name and pile of every card. A card announced out of a hand or deck has shown its name there."""
    announced = {
        (f.holder or f.seat, f.origin): f.card for f in state.stack if type(f) is CardMovement and not f.committed
    }
    for seat in SEATS:
        side = state.side(seat)
        for pile, cards in (("hand", side.hand), ("deck", side.deck), ("trash", side.trash)):
            shown = announced.get((seat, pile))
            if shown is not None and shown not in cards:
                cards = (*taken_from(cards, (shown,)), shown)
            yield from ((seat, card, pile) for card in cards)
        yield from ((seat, placed.card, "field") for stack in side.lines for placed in stack)
    for frame in state.stack:
        if type(frame) is CardMovement and frame.committed:
            yield frame.seat, frame.card, "field"
        elif type(frame) is CardsLeaving:
            yield from ((seat, card, frame.to) for card, seat in frame.cards)


@cache
def cards_of_deck(protocols: tuple[str, ...]) -> frozenset[str]:
    """The cards of a deck of these protocols."""
    return frozenset(card for card in CARDS if protocol_of(card) in protocols)


_STANDING: Final[dict[str, Citations]] = {
    "line_total": (rules.compile.TEN_OR_MORE,),
    "any_protocol_play": (rules.play.FACE_UP_NEEDS_PROTOCOL,),
    "any_side_play": (rules.play.ON_OWN_SIDE,),
    "no_middle_commands": (rules.field.MIDDLE_COMMAND,),
    "face_down_value": (rules.field.FACE_DOWN_VALUE,),
    "no_face_down_play": (rules.play.FACE_DOWN_ANY_LINE,),
    "face_down_play_only": (rules.play.FACE_UP_NEEDS_PROTOCOL,),
    "skip_cache_check": (rules.refresh.CACHE_FIVE_CARD_LIMIT,),
}
"""What a text changes that is in force as long as its box works."""


@cache
def rules_of_card(card: str) -> Citations:
    """The general rules on which the texts of a card rest, box by box; none where there is no such card."""
    facts = CARDS.get(card)
    found = each_once(tuple(rule for box in BOXES for rule in _of_box(facts, box))) if facts else ()
    return tuple(rule for rule in found if card not in rule.cards)


def _of_box(card: CardFacts, box: BoxName) -> Iterator[Rule]:
    for item in card.box(box):
        if isinstance(item, CardInstruction):
            yield from (*trigger_rules("played", box, card.id), *rules_of_instruction(card.id, item))
        elif isinstance(item, Trigger):
            moment = "before_covered" if item.on == "before_covered_or_flipped" else item.on
            yield from trigger_rules(moment, box, card.id)
            yield from (rule for one in item.instructions for rule in rules_of_instruction(card.id, one))
        else:
            yield from (rules.effects.CARDS_BEAT_RULES, *_STANDING.get(item.rule, ()), *BOX_RULES[box])


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
