"""What effects do at any time, and what nobody may do at all."""

from __future__ import annotations

from audit.altered.events import CardSacrificed, FirstPlayerEffectUsed, HandShown, TargetChosen, TokenCreated
from audit.altered.options.told import Refused, Rules, Told, fails, is_resolving
from audit.altered.places import apart, in_expedition
from audit.altered.rules import ffa, two_v_two
from audit.altered.seats import is_mate, opponents
from audit.altered.state import EXPEDITIONS, State
from audit.catalogue import Rule
from audit.ruleset import Obligation


class UseFirst(Told):
    """An effect for the first player: the holder of the token, in teams also the team-mate."""

    event = FirstPlayerEffectUsed
    rules = (ffa.FIRST_PLAYER_EFFECTS,)

    def broken(self, state: State, event: FirstPlayerEffectUsed) -> Refused:
        if state.first not in (None, event.player) and not is_mate(state, event.player, state.first or ""):
            yield fails(self.citations(state, event)[0], "first.other", {"player": state.first})

    def citations(self, state: State, event: FirstPlayerEffectUsed) -> Rules:  # type: ignore[override]
        return (two_v_two.FIRST_PLAYER_EFFECTS,) if state.box.mode == "2v2" else self.rules


class ShowHand(Told):
    """Never allowed; it stands among the options so that its refusal has a rule."""

    event = HandShown
    rules = (ffa.HAND_SECRET,)

    def broken(self, state: State, event: HandShown) -> Refused:
        mate = is_mate(state, event.player, event.to)
        rule = two_v_two.HAND_SECRET if mate else ffa.HAND_SECRET
        yield fails(rule, "hand.secret", {"player": event.player, "other": event.to})


class Target(Told):
    """What a wording on a card means: one, any, all, or only one's own side."""

    event = TargetChosen
    rules = (ffa.TARGET_ANY,)

    def broken(self, state: State, event: TargetChosen) -> Refused:
        wording = event.wording.casefold()
        rule = wording_rule(state, wording)
        if "your opponent" in wording:
            yield from _all_opponents(state, event, rule)
        elif "target opponent" in wording:
            yield from _one_opponent(state, event, rule)
        elif "your expedition" in wording or "you control" in wording:
            yield from _own_side(state, event, rule)
        elif "expedition" in wording:
            yield from _an_expedition(state, event, rule)

    def citations(self, state: State, event: TargetChosen) -> Rules:  # type: ignore[override]
        return (wording_rule(state, event.wording.casefold()),)


def wording_rule(state: State, wording: str) -> Rule:
    """The rule about a wording, by mode."""
    teams = state.box.mode == "2v2"
    if "your opponent" in wording:
        return two_v_two.YOUR_OPPONENT if teams else ffa.YOUR_OPPONENT
    if "target opponent" in wording:
        return two_v_two.TARGET_OPPONENT if teams else ffa.TARGET_OPPONENT
    if "your expedition" in wording or "you control" in wording:
        return two_v_two.YOUR_SIDE
    return two_v_two.TARGET_ANY if teams else ffa.TARGET_ANY


def _all_opponents(state: State, event: TargetChosen, rule: Rule) -> Refused:
    meant = opponents(state, event.player)
    if set(event.targets) != set(meant):
        yield fails(rule, "target.all", {"players": meant})


def _one_opponent(state: State, event: TargetChosen, rule: Rule) -> Refused:
    if len(event.targets) != 1 or event.targets[0] not in opponents(state, event.player):
        yield fails(rule, "target.one", {"players": opponents(state, event.player)})


def _own_side(state: State, event: TargetChosen, rule: Rule) -> Refused:
    for target in event.targets:
        found = in_expedition(state, target)
        owner = found[0] if found else apart(target)[0]
        if owner in state.seats and owner != event.player:
            yield fails(rule, "target.own", {"player": owner})


def _an_expedition(state: State, event: TargetChosen, rule: Rule) -> Refused:
    for target in event.targets:
        seat, name = apart(target)
        if state.still_in and (seat not in state.still_in or name not in EXPEDITIONS):
            yield fails(rule, "target.nowhere", {"place": target})


class Sacrifice(Told):
    """Only cards one controls oneself."""

    event = CardSacrificed
    rules = (two_v_two.SACRIFICE_OWN,)

    def broken(self, state: State, event: CardSacrificed) -> Refused:
        found = in_expedition(state, event.card)
        controller = found[0] if found else event.controller
        if event.player not in (event.controller, controller) or event.controller != event.player:
            yield fails(two_v_two.SACRIFICE_OWN, "sacrifice.other", {"player": event.controller})
        elif controller != event.player:
            yield fails(two_v_two.SACRIFICE_OWN, "sacrifice.other", {"player": controller})


class CreateToken(Told):
    """An effect may put a token even where no card can be played."""

    event = TokenCreated
    rules = (two_v_two.TOKENS_BY_EFFECT,)

    def broken(self, state: State, event: TokenCreated) -> Refused:
        if not is_resolving(state):
            yield fails(two_v_two.TOKENS_BY_EFFECT, "token.no_effect", {"card": event.token})


ANYTIME = tuple(option(Obligation.REDUNDANT) for option in (UseFirst, ShowHand, Target, Sacrifice, CreateToken))
