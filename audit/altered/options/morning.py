"""The morning: the token, readying, two cards, and a card for the Mana zone."""

from __future__ import annotations

from audit.altered.events import CardsDrawn, FirstPlayerPassed, ManaDeclined, ManaPlaced, ObjectsReadied
from audit.altered.options.told import Listed, Offers, Refused, Rules, Told, fails, in_effect, is_resolving
from audit.altered.rules import day, ffa, s1_3_2
from audit.altered.seats import after
from audit.altered.state import MORNING_DRAW, UNKNOWN, State
from audit.catalogue import Rule
from audit.ruleset import Obligation, Violation


class PassToken(Listed):
    """The token goes to the next player, on every day but the first."""

    event = FirstPlayerPassed
    rules = (day.MORNING_TOKEN_PASS, s1_3_2.B_FIRST_PLAYER)

    def broken(self, state: State, event: FirstPlayerPassed) -> Refused:
        if state.day <= 1:
            yield fails(day.MORNING_TOKEN_PASS, "token.first_day")
        yield from in_effect(state, "pass_token", "token.moment", day.MORNING_ORDER)
        heir = after(state, state.first) if state.first else event.to
        if event.from_ != (state.first or event.from_):
            yield fails(s1_3_2.B_FIRST_PLAYER, "token.holder", {"player": state.first})
        if event.to != heir or event.to == event.from_:
            yield fails(s1_3_2.B_FIRST_PLAYER, "token.heir", {"player": heir})

    def candidates(self, state: State) -> Offers:
        if state.first and (heir := after(state, state.first)):
            yield FirstPlayerPassed(seq=0, from_=state.first, to=heir)


class Ready(Listed):
    """Every player readies everything, in any order; effects may ready single objects at other times."""

    event = ObjectsReadied
    rules = (s1_3_2.B_PREPARE, day.MORNING_READY_ALL, day.MORNING_ORDER)

    def broken(self, state: State, event: ObjectsReadied) -> Refused:
        if event.objects != "all" and state.effect != "prepare" and is_resolving(state):
            return
        yield from in_effect(state, "prepare", "ready.moment", day.MORNING_ORDER)
        yield from _once(state, event.player, "prepare", s1_3_2.B_PREPARE)
        if event.objects != "all":
            left = [card for card, by in state.exhausted.items() if by == event.player and card not in event.objects]
            if left or state.side(event.player).spent:
                yield fails(day.MORNING_READY_ALL, "ready.left", {"card": left[0] if left else event.objects})

    def candidates(self, state: State) -> Offers:
        return (ObjectsReadied(seq=0, player=seat) for seat in state.pending)


class Draw(Listed):
    """Every player draws two in the morning, in any order; effects may draw at other times."""

    event = CardsDrawn
    rules = (s1_3_2.B_DRAW, day.MORNING_DRAW_TWO, day.MORNING_ORDER)

    def broken(self, state: State, event: CardsDrawn) -> Refused:
        if event.reason != "morning" and state.effect != "draw":
            if not is_resolving(state):
                yield fails(s1_3_2.B_DRAW, "draw.no_effect")
            return
        yield from in_effect(state, "draw", "draw.moment", day.MORNING_ORDER)
        yield from _once(state, event.player, "draw", s1_3_2.B_DRAW)
        if event.count != MORNING_DRAW:
            yield fails(day.MORNING_DRAW_TWO, "draw.count", {"n": event.count, "most": MORNING_DRAW})

    def candidates(self, state: State) -> Offers:
        return (CardsDrawn(seq=0, player=seat, count=MORNING_DRAW) for seat in state.pending)


def _once(state: State, seat: str, effect: str, rule: Rule) -> Refused:
    is_done = state.effect == effect and seat not in state.pending
    return (fails(rule, "part.done", {"player": seat}),) if is_done else ()


class PlaceMana(Told):
    """One card of the hand, face down, by each player in initiative order who likes to; silence declines."""

    event = ManaPlaced
    rules = (day.MORNING_MANA_ORDER, s1_3_2.B_MANA)
    obligation = Obligation.EXPIRES

    def broken(self, state: State, event: ManaPlaced) -> Refused:
        yield from _turn_to_choose(state, event.player)
        if event.count != 1:
            yield fails(day.MORNING_MANA_ONE, "mana.count", {"n": event.count})
        if event.from_ != "hand":
            yield fails(s1_3_2.B_MANA, "mana.from", {"zone": event.from_})
        if event.face != "down":
            yield fails(day.MORNING_MANA_FACEDOWN, "mana.face")
        if missing := not_in_hand(state, event.player, event.card, s1_3_2.B_MANA):
            yield missing

    def citations(self, state: State, event: ManaPlaced) -> Rules:  # type: ignore[override]
        return (
            day.MORNING_MANA_ORDER, s1_3_2.B_MANA, day.MORNING_MANA_BECOMES_ORB, day.MORNING_MANA_ONE,
            day.MORNING_MANA_FACEDOWN,
        )  # fmt: skip

    def candidates(self, state: State) -> Offers:
        if state.pending:
            player = state.pending[0]
            for card in dict.fromkeys(state.side(player).hand or ()):
                yield ManaPlaced(seq=0, player=player, card=card)


class DeclineMana(Listed):
    """The player whose choice it is leaves it at that."""

    event = ManaDeclined
    rules = (s1_3_2.B_MANA, day.MORNING_MANA_ORDER, day.MORNING_MANA_ONE)

    def broken(self, state: State, event: ManaDeclined) -> Refused:
        return _turn_to_choose(state, event.player)

    def candidates(self, state: State) -> Offers:
        if state.pending:
            yield ManaDeclined(seq=0, player=state.pending[0])


class SayNoMana(DeclineMana):
    """The same on a day nobody has written down: silence is not taken for a choice, lest whole days pass in it."""

    def single_candidate(self, state: State) -> None:
        return None


def _turn_to_choose(state: State, seat: str) -> Refused:
    yield from in_effect(state, "mana", "mana.moment", day.MORNING_ORDER)
    if state.effect != "mana":
        return
    if seat not in state.still_in and state.seats:
        yield fails(ffa.TIEBREAK_LEAVE, "player.out", {"player": seat})
    elif seat in state.course.lapsed:
        yield fails(day.MORNING_MANA_ORDER, "mana.late", {"player": seat})
    elif seat not in state.pending:
        yield fails(day.MORNING_MANA_ONE, "mana.again", {"player": seat})
    elif seat != state.pending[0]:
        yield fails(day.MORNING_MANA_ORDER, "mana.order", {"player": state.pending[0]})


def not_in_hand(state: State, seat: str, card: str, rule: Rule) -> Violation | None:
    """That the hand, as far as it is known, has no such card."""
    hand = state.side(seat).hand
    if hand is None or card in hand or UNKNOWN in hand or (card.startswith(UNKNOWN) and hand):
        return None
    return fails(rule, "hand.missing", {"card": card, "player": seat})


PASS_TOKEN = PassToken()
READY, READY_BY_EFFECT = Ready(), Ready(Obligation.REDUNDANT)
DRAW, DRAW_BY_EFFECT = Draw(), Draw(Obligation.REDUNDANT)
PLACE_MANA, DECLINE_MANA, SAY_NO_MANA = PlaceMana(), DeclineMana(), SayNoMana()
