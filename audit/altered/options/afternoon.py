"""The afternoon: quick actions, then a card or a pass, player after player until all have passed."""

from __future__ import annotations

from audit.altered.events import CardPlayed, PlayerPassed, QuickActionPlayed
from audit.altered.evolve.playing import use_of
from audit.altered.options.morning import not_in_hand
from audit.altered.options.told import Offers, Refused, Rules, Told, fails, held_up
from audit.altered.rules import day, ffa, s1_3_2, s4_2, s4_4, s5_1_1, s5_3, two_v_two
from audit.altered.seats import is_mate
from audit.altered.state import LANDMARKS, MOST_A_DAY, Cost, Side, State
from audit.catalogue import Rule
from audit.ruleset import Obligation, Violation

EXPEDITION_ZONES = ("hero_expedition", "companion_expedition")
UNTOLD = Cost()


def not_on_turn(state: State, seat: str, *, quick: bool = False) -> Refused:
    """Why it is not this player's turn."""
    if state.phase != "afternoon":
        yield fails(s5_1_1.A, "turn.phase", {"phase": state.phase})
        yield fails(s5_1_1.B, "turn.phase", {"phase": state.phase})
        if state.phase == "noon":
            yield fails(s1_3_2.C, "turn.phase", {"phase": state.phase})
    yield from held_up(state, s4_4.B)
    if seat in state.passed:
        yield fails(s1_3_2.D_PASSED_OUT, "turn.passed", {"player": seat})
    elif state.seats and seat not in state.still_in:
        yield fails(ffa.TIEBREAK_LEAVE, "player.out", {"player": seat})
    elif state.turn_of is not None and seat != state.turn_of:
        yield _out_of_turn(state, seat, quick)
        yield fails(s5_1_1.B, "turn.other", {"player": state.turn_of})


def _out_of_turn(state: State, seat: str, quick: bool) -> Violation:
    data = {"player": state.turn_of}
    if state.acted is None:
        return fails(s1_3_2.D_FIRST, "turn.first", data)
    if state.acted == (seat, "card"):
        if quick:
            return fails(day.AFTERNOON_QUICK_BEFORE_CARD, "turn.quick_late", {"player": seat})
        return fails(s1_3_2.D_CARD_OR_PASS, "turn.one_card", {"player": seat})
    rule = two_v_two.TURNS_CLOCKWISE if len(state.seats) > 2 else s1_3_2.D_ALTERNATE
    return fails(rule, "turn.other", data)


def turn_rules(state: State, seat: str) -> Rules:
    """Why it is this player's turn."""
    if state.acted is None:
        return (s1_3_2.D_FIRST,)
    if [other for other in state.still_in if other not in state.passed] == [seat]:
        return (day.AFTERNOON_CONTINUE_ALONE, s4_2.F)
    around = (two_v_two.TURNS_CLOCKWISE,) if len(state.seats) > 2 else ()
    return (*around, s1_3_2.D_ALTERNATE)


class QuickAction(Told):
    """As many quick actions as the player on turn likes, before the card."""

    event = QuickActionPlayed
    rules = (s1_3_2.D_QUICK_ACTIONS, s5_1_1.B)
    obligation = Obligation.OPTIONAL

    def broken(self, state: State, event: QuickActionPlayed) -> Refused:
        yield from not_on_turn(state, event.player, quick=True)
        if event.exhausts is not None and event.exhausts != event.source:
            yield fails(s5_3.C, "quick.other_object", {"card": event.source})
        if event.exhausts is not None and event.exhausts in state.exhausted:
            yield fails(s5_3.C, "quick.exhausted", {"card": event.exhausts})
        if state.uses.get(use_of(event), 0) >= MOST_A_DAY:
            yield fails(s5_3.D, "quick.limit", {"n": MOST_A_DAY})
        yield from _short(state.side(event.player), event.mana, s5_3.A)

    def citations(self, state: State, event: QuickActionPlayed) -> Rules:  # type: ignore[override]
        paid = (s5_3.C,) if event.exhausts else ()
        return (*self.rules, *paid, day.AFTERNOON_QUICK_BEFORE_CARD, day.AFTERNOON_QUICK_KINDS, s5_3.D, s5_1_1.A)

    def candidates(self, state: State) -> Offers:
        side = state.side(state.turn_of or "")
        for name, ability in state.box.quick_actions.items():
            source, _, action = name.partition(":")
            if ability.controller != state.turn_of or (side.ready or 0) < ability.mana:
                continue
            event = QuickActionPlayed(
                seq=0, player=ability.controller, source=source, action=action,
                exhausts=source if ability.exhausts else None, mana=ability.mana,
            )  # fmt: skip
            if not self.violations(state, event):
                yield event


class PlayCard(Told):
    """A card from hand or Reserve, paid at its cost, into a zone of one's own; it concludes the turn."""

    event = CardPlayed
    rules = (s1_3_2.D_CARD_OR_PASS, s5_1_1.B)

    def broken(self, state: State, event: CardPlayed) -> Refused:
        yield from not_on_turn(state, event.player)
        if is_mate(state, event.player, event.to_owner):
            yield fails(two_v_two.NO_TEAMMATE_ZONE, "play.mate_zone", {"player": event.to_owner})
        if event.card in state.side(event.player).orbs:
            yield fails(day.MORNING_MANA_BECOMES_ORB, "play.orb", {"card": event.card})
        if missing := not_there(state, event):
            yield missing
        yield from _costs(state, event)

    def citations(self, state: State, event: CardPlayed) -> Rules:  # type: ignore[override]
        own_zone = (two_v_two.NO_TEAMMATE_ZONE,) if state.teams else ()
        return (*turn_rules(state, event.player), cost_rule(event), *self.rules, s5_1_1.A, *own_zone)

    def candidates(self, state: State) -> Offers:
        player = state.turn_of
        if player is None:
            return
        side = state.side(player)
        for zone, cards in (("hand", side.hand), ("reserve", side.reserve)):
            for card in dict.fromkeys(cards or ()):
                cost = getattr(state.box.costs.get(card, UNTOLD), zone)
                if cost is None or (side.ready is not None and cost > side.ready):
                    continue
                zones = (LANDMARKS,) if card in state.box.permanents else EXPEDITION_ZONES
                for to in zones:
                    yield CardPlayed(
                        seq=0,
                        player=player,
                        card=card,
                        from_=zone,  # type: ignore[arg-type]
                        to_zone=to,
                        to_owner=player,
                        mana=cost,
                    )


def cost_rule(event: CardPlayed) -> Rule:
    """Which cost is paid."""
    return day.AFTERNOON_COST_HAND if event.from_ == "hand" else day.AFTERNOON_COST_RESERVE


def not_there(state: State, event: CardPlayed) -> Violation | None:
    """That the card is not where it is played from."""
    if event.from_ == "hand":
        return not_in_hand(state, event.player, event.card, day.AFTERNOON_COST_HAND)
    reserve = state.side(event.player).reserve
    if reserve is None or event.card in reserve:
        return None
    return fails(day.AFTERNOON_COST_RESERVE, "reserve.missing", {"card": event.card, "player": event.player})


def _costs(state: State, event: CardPlayed) -> Refused:
    rule = cost_rule(event)
    cost = getattr(state.box.costs.get(event.card, UNTOLD), event.from_)
    short = _short(state.side(event.player), event.mana, rule)
    if cost is None or event.mana == cost:
        return short
    return (fails(rule, "cost.wrong", {"expected": cost, "n": event.mana}), *short)


def _short(side: Side, mana: int, rule: Rule) -> Refused:
    is_short = side.ready is not None and mana > side.ready
    return (fails(rule, "cost.short", {"n": side.ready, "expected": mana}),) if is_short else ()


class Pass(Told):
    """The player on turn is out for the day."""

    event = PlayerPassed
    rules = (s1_3_2.D_CARD_OR_PASS, day.AFTERNOON_PASS_FREE)

    def broken(self, state: State, event: PlayerPassed) -> Refused:
        return not_on_turn(state, event.player)

    def citations(self, state: State, event: PlayerPassed) -> Rules:  # type: ignore[override]
        return (day.AFTERNOON_PASS_FREE, s1_3_2.D_CARD_OR_PASS, *turn_rules(state, event.player), s1_3_2.D_PASSED_OUT)

    def candidates(self, state: State) -> Offers:
        if state.turn_of:
            yield PlayerPassed(seq=0, player=state.turn_of)


TURN = (PlayCard(), Pass(), QuickAction())
"""Quick actions may be taken; a card or a pass has to conclude the turn."""
