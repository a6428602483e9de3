"""A refresh is announced: the action of a turn, or an instruction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from audit.core.event_rules import Citations, Violation, Violations
from audit.core.model import Event
from audit.games.compile import rules
from audit.games.compile.event_rules.base import (
    BARS,
    CompileEventRules,
    action_violation,
    is_action_open,
    is_time_to_act,
    phase_of_action,
)
from audit.games.compile.events import Chose, ControlReset, Drew, Rearranged, Refreshed, Reshuffled
from audit.games.compile.following import carried_forward, led_to, waiting_text
from audit.games.compile.occasions import Instruction, Occasion, acting_text, called_for, wrong_player
from audit.games.compile.parts import pushed, side_of
from audit.games.compile.procedures import can_refresh, is_barred
from audit.games.compile.state import HAND_LIMIT, Refreshing, State, Text
from audit.games.compile.texts import is_kept_from_drawing


class RefreshHand(Occasion[Refreshed]):
    """The hand is filled up to five."""

    event = Refreshed
    rules: Citations = (
        rules.refresh.UP_TO_FIVE,
        rules.turn.ONE_ACTION,
        rules.refresh.ONLY_UNDER_FIVE,
        rules.refresh.NO_EXCHANGE,
    )

    def citations(self, state: State, event: Refreshed) -> Citations:
        idle = () if side_of(state, state.player).hand else (rules.turn.REFRESH_IF_NOTHING_TO_PLAY,)
        bars = BARS if state.barred and is_barred(state, state.player) else ()
        return (*self.rules, *idle, *bars) if idle or bars else self.rules

    def violations(self, state: State, event: Refreshed) -> Violations:
        if violation := action_violation(state, event.player):
            return (violation,)
        if can_refresh(state, event.player):
            return ()
        if len(side_of(state, event.player).hand) >= HAND_LIMIT:
            return (Violation(rules.refresh.ONLY_UNDER_FIVE, "refresh.five", {"player": event.player}),)
        if is_kept_from_drawing(state, event.player):
            return (Violation(rules.effects.CARDS_BEAT_RULES, "draw.barred", {"player": event.player}),)
        return (Violation(rules.turn.STUCK_PLAYER, "refresh.nothing", {"player": event.player}),)

    def candidates(self, state: State) -> Iterator[Refreshed]:
        if can_refresh(state, state.player):
            yield Refreshed(seq=0, player=state.player)


REFRESH: Final = RefreshHand()


class Refresh(Instruction[Refreshed]):
    """A refresh like any other."""

    verbs = ("refresh",)
    event = Refreshed

    def verb_rules(self) -> Citations:
        return (rules.refresh.UP_TO_FIVE, rules.control.BACK_ON_REFRESH)

    def ready(self, state: State, text: Text) -> bool:
        return can_refresh(state, self.actor(text))

    def violations(self, state: State, event: Refreshed) -> Violations:
        actor = self.actor(acting_text(state))
        if event.player != actor:
            return (wrong_player(actor, event.player),)
        if len(side_of(state, actor).hand) >= HAND_LIMIT:
            return (Violation(rules.refresh.ONLY_UNDER_FIVE, "refresh.five", {"player": actor}),)
        if is_kept_from_drawing(state, actor):
            return (Violation(rules.effects.CARDS_BEAT_RULES, "draw.barred", {"player": actor}),)
        return ()

    def candidates(self, state: State) -> Iterator[Refreshed]:
        yield Refreshed(seq=0, player=self.actor(acting_text(state)))


class RefreshedRules(CompileEventRules[Refreshed]):
    """The rules of announcing a refresh."""

    event = Refreshed
    is_turn_act: bool = True
    act_of: str = "action"
    announces: frozenset[type[Event]] = frozenset((ControlReset, Rearranged, Chose, Reshuffled, Drew))

    def occasions(self, state: State) -> Iterable[Occasion[Refreshed]]:
        if state.stack:
            return called_for(state, Refreshed)
        return (REFRESH,) if is_action_open(state) else ()

    def accept(self, state: State, event: Refreshed) -> Citations | None:
        """A refresh that the player in turn can take answers whether there is an action to take."""
        if is_time_to_act(state) and not state.over and not REFRESH.violations(state, event):
            return REFRESH.citations(state, event)
        return super().accept(state, event)

    def out_of_place(self, state: State, event: Refreshed) -> Violations:
        return REFRESH.violations(state, event)

    def happen(self, state: State, event: Refreshed) -> State:
        why = led_to(state, event)
        frame = Refreshing(event.player, state.control == event.player, why=why)
        if waiting_text(state, "refresh"):
            return pushed(carried_forward(state, "refresh", None), frame)
        return pushed(replace(state, acted="refreshed", phase=phase_of_action(state, event.player)), frame)


RULES = (RefreshedRules(),)
