"""The action of a turn: whether its moment has come, and what else there is to do."""

from __future__ import annotations

from typing import Final

from audit.core.catalogue import Rule
from audit.core.event_rules import Violation
from audit.games.compile import rules
from audit.games.compile.card_rulings import CARD_RULES
from audit.games.compile.criteria import places
from audit.games.compile.occasions import wrong_player
from audit.games.compile.parts import field_position, is_idle, side_of
from audit.games.compile.procedures import can_refresh
from audit.games.compile.state import Compiling, State
from audit.games.compile.texts import CARD_INSTRUCTIONS, WAITING
from audit.games.compile.totals import qualifies

BARS: Final = tuple(
    rule
    for (card, _, _), instructions in CARD_INSTRUCTIONS.items()
    if any(declared.verb == "bar" for declared in instructions)
    for rule in CARD_RULES.get(card, ())
)
"""The rules made for cards that keep a player from compiling."""


def is_action_open(state: State) -> bool:
    """Whether the player in turn is to take the action of the turn, and can."""
    return is_time_to_act(state) and (can_refresh(state, state.player) or can_play(state))


def is_time_to_act(state: State) -> bool:
    """Whether the action of the turn comes now, if there is one."""
    return not state.acted and state.phase == "action" and is_idle(state)


def phase_of_action(state: State, player: str) -> str:
    """The phase after the action of a turn. What an action passes over is over: the compile of this turn among it."""
    passes_over = player == state.player and state.phase in ("start", "control", "compile")
    return "action" if passes_over else state.phase


def can_play(state: State) -> bool:
    """Whether some card of the hand can be played somewhere."""
    player = state.player
    return any(next(places(state, player, card), None) for card in side_of(state, player).hand)


def action_violation(state: State, player: str) -> Violation | None:
    """Why that player cannot take the action of the turn now."""
    if player != state.player:
        return wrong_player(state.player, player, rules.turn.ONE_ACTION)
    if not state.acted and state.phase == "action":
        return None
    if state.acted == "compiled":
        return Violation(_compile_rule(state), "action.compiled", {"player": player})
    if state.phase == "action" and state.acted:
        return Violation(rules.turn.ONE_ACTION, "action.second", {"player": player})
    if state.phase in ("cache", "end"):
        return Violation(rules.turn.PHASE_ORDER, "action.when", {"phase": state.phase})
    return None


def _compile_rule(state: State) -> Rule:
    """Why a turn with a compile has no action: the compile takes its place, even if the line no longer qualifies."""
    frame = next((frame for frame in state.stack if type(frame) is Compiling), None)
    if frame is None or frame.deleted or qualifies(state, frame.seat, frame.line):
        return rules.turn.COMPILE_INSTEAD_OF_ACTION
    escaped = [card for card in WAITING["before_compile_delete"] if _is_away(state, frame, card)]
    own = next((rule for card in escaped for rule in CARD_RULES.get(card, ())), None)
    return own or rules.compile.NOT_STOPPED_MIDWAY


def _is_away(state: State, frame: Compiling, card: str) -> bool:
    place = field_position(state, card)
    return place is not None and place.seat == frame.seat and place.line != frame.line
