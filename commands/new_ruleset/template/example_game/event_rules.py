"""The rules of each event type, one object each: when it may come, what is wrong with it, what it changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from audit.core.event_rules import (
    UNEXPECTED,
    Citations,
    EventRules,
    Expectation,
    ExpectedEvent,
    Obligation,
    Violation,
    Violations,
    mismatches,
)
from audit.core.model import Event
from msgspec.structs import replace

from example_game import rules
from example_game.events import Drew, GameEnded, Laid, Passed, PileTaken, TurnBegan
from example_game.state import (
    FULL,
    PILES,
    UNKNOWN,
    Side,
    State,
    is_seen,
    leader,
    next_player,
    number_of,
    with_pile,
    with_side,
    without,
)

# Criteria: each is written once, and decides, explains and lists candidates


def wrong_player(state: State, player: str) -> Violations:
    """Players take turns: somebody else acts than the one whose turn it is."""
    expected = next_player(state)
    if player == expected:
        return ()
    data = {"player": player, "expected": expected}
    return (Violation(rules.TURNS_ALTERNATE, "wrong.player", data, not_intended=True),)


def not_now(state: State) -> Violations:
    """Something else is expected, whose rules are cited then; or nothing at all, because the game is over."""
    if state.stage != "over":
        return UNEXPECTED
    return (Violation(rules.STUCK_WITHOUT_DECK, "over", unavailable=True),)


def not_in_hand(state: State, player: str, card: str) -> bool:
    """Whether that card cannot be in that hand: an unknown card of it may be any that was not seen elsewhere."""
    hand = state.side(player).hand
    return card not in hand and (UNKNOWN not in hand or is_seen(state, card))


def too_low(state: State, card: str, number: int) -> bool:
    """Whether a card is not higher than the one it would cover."""
    pile = state.pile(number)
    return bool(pile) and UNKNOWN not in (card, pile[-1]) and number_of(card) <= number_of(pile[-1])


def places(state: State, card: str) -> Iterator[int]:
    """The piles on which a card may be laid."""
    return (number for number in PILES if not too_low(state, card, number))


def is_stuck(state: State, player: str) -> bool:
    """Whether none of the cards that player is known to hold can be laid."""
    return not any(card != UNKNOWN and any(places(state, card)) for card in state.side(player).hand)


# The event types


class TurnBeganRules(EventRules[State, TurnBegan]):
    """A turn begins. A log may leave it out, and may say it again before anything happened in it."""

    event = TurnBegan
    is_marker = True

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        if state.stage == "between":
            yield ExpectedEvent(self.next_turn(state), rules.TURNS_ALTERNATE, obligation=Obligation.MARKER)

    def violations(self, state: State, event: TurnBegan) -> Violations:
        if self.is_running(state, event):
            return ()
        if state.stage != "between":
            return not_now(state)
        return mismatches(event, self.next_turn(state), rules.TURNS_ALTERNATE)

    def citations(self, state: State, event: TurnBegan) -> Citations:
        return (rules.TURNS_ALTERNATE,)

    def apply(self, state: State, event: TurnBegan) -> State:
        return replace(state, turn=event.turn, player=event.player, stage="draw" if state.deck else "lay")

    def next_turn(self, state: State) -> TurnBegan:
        """The turn that comes next."""
        return TurnBegan(seq=0, player=next_player(state), turn=state.turn + 1)

    def is_running(self, state: State, event: TurnBegan) -> bool:
        """Whether it is the turn that has just begun: said twice, it changes nothing."""
        now = (state.player, state.turn, "draw" if state.deck else "lay")
        return (event.player, event.turn, state.stage) == now


class DrewRules(EventRules[State, Drew]):
    """The first thing in a turn: the player draws the top card. There is no choice in it, so a log may leave it out."""

    event = Drew

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        if state.stage == "draw":
            card = None if state.deck[0] == UNKNOWN else state.deck[0]
            yield ExpectedEvent(Drew(seq=0, player=state.player, card=card), rules.DRAW_FIRST, rules.TOP_CARD)

    def violations(self, state: State, event: Drew) -> Violations:
        if state.stage == "lay" or not state.deck:
            return (Violation(rules.DRAW_FIRST, "drew.once", {"player": event.player}, unavailable=True),)
        if failed := wrong_player(state, event.player):
            return failed
        if state.stage != "draw":
            return not_now(state)
        if event.card not in (None, state.deck[0]) and state.deck[0] != UNKNOWN:
            return (Violation(rules.TOP_CARD, "drew.top", {"card": event.card, "expected": state.deck[0]}),)
        missing = self.missing(state, event)
        return (missing,) if missing else ()

    def citations(self, state: State, event: Drew) -> Citations:
        return (rules.DRAW_FIRST, rules.TOP_CARD)

    def apply(self, state: State, event: Drew) -> State:
        card = event.card or (state.deck[0] if state.deck else UNKNOWN)
        side = state.side(event.player)
        state = with_side(state, event.player, replace(side, hand=(*side.hand, card)))
        return replace(state, player=event.player, deck=without(state.deck, card), stage="lay")

    def missing(self, state: State, event: Drew) -> Violation | None:
        """A card that lies on the table or is in a hand cannot be drawn."""
        if event.card is None or not is_seen(state, event.card):
            return None
        return Violation(rules.TOP_CARD, "drew.elsewhere", {"card": event.card})


class LayCard(Expectation[State]):
    """Any card of the hand, on any pile where it is higher."""

    def __init__(self) -> None:
        self.event = Laid
        self.rules = (rules.ONE_CARD, rules.FROM_HAND, rules.HIGHER)

    def candidates(self, state: State) -> Iterator[Laid]:
        for card in dict.fromkeys(state.side(state.player).hand):
            for pile in places(state, card):
                yield Laid(seq=0, player=state.player, card=card, pile=pile)


LAY_CARD = LayCard()


class LaidRules(EventRules[State, Laid]):
    """A player lays a card: the choice of a turn."""

    event = Laid

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        if state.stage == "lay" and next(LAY_CARD.candidates(state), None):
            yield LAY_CARD

    def violations(self, state: State, event: Laid) -> Violations:
        if state.stage == "between" and state.turn and event.player == state.player:
            return (Violation(rules.ONE_CARD, "laid.once", {"player": event.player}, unavailable=True),)
        if failed := wrong_player(state, event.player):
            return failed
        if state.stage != "lay":
            return not_now(state)
        if not_in_hand(state, event.player, event.card):
            return (Violation(rules.FROM_HAND, "laid.hand", {"player": event.player, "card": event.card}),)
        if too_low(state, event.card, event.pile):
            top = state.pile(event.pile)[-1]
            return (Violation(rules.HIGHER, "laid.higher", {"card": event.card, "top": top, "pile": event.pile}),)
        return ()

    def citations(self, state: State, event: Laid) -> Citations:
        covers = (rules.HIGHER,) if state.pile(event.pile) else ()
        return (*covers, rules.FROM_HAND, rules.ONE_CARD)

    def apply(self, state: State, event: Laid) -> State:
        side = state.side(event.player)
        pile = (*state.pile(event.pile), event.card)
        state = with_side(state, event.player, replace(side, hand=without(side.hand, event.card)))
        state = with_pile(state, event.pile, pile)
        stage = "take" if len(pile) >= FULL else "between"
        return replace(state, player=event.player, stage=stage, cause=event.seq)

    def missing(self, state: State, event: Laid) -> Violation | None:
        """A card that lies on the table already cannot be laid."""
        if event.card in state.side(event.player).hand or not is_seen(state, event.card):
            return None
        return Violation(rules.FROM_HAND, "laid.hand", {"player": event.player, "card": event.card})


class PassedRules(EventRules[State, Passed]):
    """A player who can lay no card passes."""

    event = Passed

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        if state.stage == "lay" and is_stuck(state, state.player):
            yield ExpectedEvent(Passed(seq=0, player=state.player), rules.ONLY_IF_STUCK)

    def violations(self, state: State, event: Passed) -> Violations:
        if failed := wrong_player(state, event.player):
            return failed
        if state.stage != "lay":
            return not_now(state)
        if not is_stuck(state, event.player):
            return (Violation(rules.ONLY_IF_STUCK, "passed.could", {"player": event.player}),)
        return ()

    def citations(self, state: State, event: Passed) -> Citations:
        return (rules.ONLY_IF_STUCK,)

    def apply(self, state: State, event: Passed) -> State:
        return replace(state, player=event.player, stage="between" if state.deck else "end", cause=event.seq)


class PileTakenRules(EventRules[State, PileTaken]):
    """A pile of three goes to the player who made it: it follows from the card, without a choice."""

    event = PileTaken

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        if state.stage == "take":
            yield ExpectedEvent(self.taking(state), rules.THREE_ARE_TAKEN)

    def violations(self, state: State, event: PileTaken) -> Violations:
        if state.stage != "take":
            return (Violation(rules.THREE_ARE_TAKEN, "pile_taken.three", {"pile": event.pile}, unavailable=True),)
        return mismatches(event, self.taking(state), rules.THREE_ARE_TAKEN)

    def citations(self, state: State, event: PileTaken) -> Citations:
        return (rules.THREE_ARE_TAKEN,)

    def apply(self, state: State, event: PileTaken) -> State:
        side = state.side(event.player)
        taken = Side(side.hand, (*side.taken, *state.pile(event.pile)))
        return replace(with_pile(with_side(state, event.player, taken), event.pile, ()), stage="between")

    def taking(self, state: State) -> PileTaken:
        """The taking that is due."""
        full = next(number for number in PILES if len(state.pile(number)) >= FULL)
        return PileTaken(seq=0, player=state.player, pile=full)


class GameEndedRules(EventRules[State, GameEnded]):
    """Somebody passed and there is no deck: the game is over."""

    event = GameEnded

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        if state.stage == "end":
            yield ExpectedEvent(
                GameEnded(seq=0, winner=leader(state)), rules.STUCK_WITHOUT_DECK, rules.MOST_CARDS
            )  # fmt: skip

    def violations(self, state: State, event: GameEnded) -> Violations:
        if state.stage != "end":
            return (Violation(rules.STUCK_WITHOUT_DECK, "game_ended.early", unavailable=True),)
        if event.winner != (winner := leader(state)):
            return (Violation(rules.MOST_CARDS, "game_ended.winner", {"winner": event.winner, "expected": winner}),)
        return ()

    def citations(self, state: State, event: GameEnded) -> Citations:
        return (rules.STUCK_WITHOUT_DECK, rules.MOST_CARDS)

    def apply(self, state: State, event: GameEnded) -> State:
        return replace(state, stage="over")


TURN_BEGAN, DREW, LAID, PASSED = TurnBeganRules(), DrewRules(), LaidRules(), PassedRules()
PILE_TAKEN, GAME_ENDED = PileTakenRules(), GameEndedRules()

AnyRules = EventRules[State, Any]

EVENT_RULES: Mapping[type[Event], AnyRules] = {
    rules.event: rules for rules in (TURN_BEGAN, DREW, LAID, PASSED, PILE_TAKEN, GAME_ENDED)
}

UPCOMING: Mapping[str, tuple[AnyRules, ...]] = {
    "between": (TURN_BEGAN,),
    "draw": (DREW,),
    "lay": (LAID, PASSED),
    "take": (PILE_TAKEN,),
    "end": (GAME_ENDED,),
    "over": (),
}
"""The event types of which something may be expected at each stage."""
