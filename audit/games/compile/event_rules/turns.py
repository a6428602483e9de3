"""The parts of a turn in their order, the game's beginning and its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from audit.core.catalogue import Rule
from audit.core.event_rules import Citations, Obligation, Violation, Violations
from audit.games.compile import rules
from audit.games.compile.event_rules.base import BARS, CompileEventRules, action_violation, can_play, is_time_to_act
from audit.games.compile.event_rules.compiling import is_compile_due
from audit.games.compile.event_rules.discarding import is_clearing_due
from audit.games.compile.event_rules.draw_occasions import opening_draws
from audit.games.compile.event_rules.playing import PLAY
from audit.games.compile.event_rules.triggering import due_in_phase
from audit.games.compile.events import Drafted, GameEnded, GameWon, Passed, PhaseBegan, Played, TurnBegan
from audit.games.compile.occasions import Occasion, OneEvent
from audit.games.compile.parts import PROTOCOLS_TO_WIN, is_idle, opponent, protocol_of, side_of, winner, with_side
from audit.games.compile.procedures import can_refresh, is_barred
from audit.games.compile.readings import COMPILE_ENDS_TURN
from audit.games.compile.state import Compiling, State
from audit.games.compile.texts import waiting
from audit.games.compile.totals import compilable, takes_control

E = TypeVar("E", bound=TurnBegan | PhaseBegan)

DRAFT_ORDER = (0, 1, 1, 0, 0, 1)
"""Who makes each pick, 0 for the player who begins: one, two, two, one."""

NEXT_PHASE: Final = {
    "start": "control",
    "control": "compile",
    "compile": "action",
    "action": "cache",
    "cache": "end",
}


class DraftedRules(CompileEventRules[Drafted]):
    """The rules of the draft. The header contains the protocols, so that a pick can only repeat them."""

    event = Drafted
    redundant_rules: Citations = (
        rules.setup.DRAFT_ORDER,
        rules.setup.DRAFT_POOL,
        rules.setup.PICK_ORDER_KEPT,
        rules.setup.UNDRAFTED_OUT,
    )

    def is_redundant(self, state: State, event: Drafted) -> bool:
        return not self.forbidden(state, event)

    def forbidden(self, state: State, event: Drafted) -> Violations:
        picks = state.draft or ()
        if state.phase != "setup" or len(picks) >= len(DRAFT_ORDER):
            return (Violation(rules.setup.DRAFT_ORDER, "draft.over", {}),)
        if (event.player == state.player) != (DRAFT_ORDER[len(picks)] == 0):
            return (Violation(rules.setup.DRAFT_ORDER, "draft.turn", {"player": event.player}),)
        if event.protocol in picks:
            return (Violation(rules.setup.DRAFT_POOL, "draft.taken", {"protocol": event.protocol}),)
        protocols = side_of(state, event.player).protocols
        if event.protocol not in protocols:
            return (Violation(rules.setup.UNDRAFTED_OUT, "draft.not_played", {"protocol": event.protocol}),)
        if protocols.index(event.protocol) != sum(pick in protocols for pick in picks):
            return (Violation(rules.setup.PICK_ORDER_KEPT, "draft.order", {"protocol": event.protocol}),)
        return ()

    def happen(self, state: State, event: Drafted) -> State:
        state = replace(state, draft=(*(state.draft or ()), event.protocol))
        side = side_of(state, event.player)
        if event.protocol in side.protocols:
            return state
        return with_side(state, event.player, replace(side, protocols=(*side.protocols, event.protocol)))


@lru_cache(maxsize=512)
def _turn(player: str, turn: int, rule: Rule) -> OneEvent[TurnBegan]:
    return OneEvent(TurnBegan(seq=0, player=player, turn=turn), rule, obligation=Obligation.MARKER)


class MarkerRules(CompileEventRules[E]):
    """The rules of a marker: nothing more happens before it."""

    is_marker: bool = True
    has_causes: bool = False
    redundant_rules: Citations = (rules.turn.PHASE_ORDER,)

    def occasions(self, state: State) -> Iterable[Occasion[E]]:
        marker = next_marker(state)
        return (marker,) if marker and marker.event is self.event else ()

    def accept(self, state: State, event: E) -> Citations | None:
        marker = next_marker(state)
        if marker is not None and marker.event is self.event and marker.get_fields(event) == marker.wanted_fields:
            return marker.rules
        return super().accept(state, event)


_UP_TO_THE_ACTION: Final = ("start", "control", "compile", "action")


class TurnBeganRules(MarkerRules[TurnBegan]):
    """The rules of a turn beginning: the first after the opening hands, the others one after the other."""

    event = TurnBegan

    def is_redundant(self, state: State, event: TurnBegan) -> bool:
        """Whether the event repeats the turn that is running already, as a heading that is written once more does."""
        is_running = state.phase in _UP_TO_THE_ACTION and not state.stack and not state.over
        return is_running and (event.player, event.turn) == (state.player, state.turn)

    def apply(self, state: State, event: TurnBegan) -> State:
        """The position after a turn began; nothing is under way then that could go on by itself."""
        if self.is_redundant(state, event):
            return replace(state, just_left=()) if state.just_left else state
        due = waiting(state, event.player, "start")
        return replace(
            state, turn=event.turn, player=event.player, phase="start", due=due, acted="", stack=(), skipped=(),
            just_left=(), shuffled=(),
        )  # fmt: skip


_PARTS: Final = (*NEXT_PHASE, "end")
"""The parts of a turn in their order."""


def _phase(name: str, *why: Rule) -> OneEvent[PhaseBegan]:
    return OneEvent(PhaseBegan(seq=0, phase=name), *why, obligation=Obligation.MARKER)  # type: ignore[arg-type]


_NEXT: Final = {phase: _phase(name, rules.turn.PHASE_ORDER) for phase, name in NEXT_PHASE.items()}
"""What stands after each part of a turn where nothing more happens in it."""

_AFTER_COMPILE: Final = (rules.turn.CACHE_AFTER_COMPILE, rules.turn.COMPILE_INSTEAD_OF_ACTION)
_COMPILED: Final = _phase("cache", *_AFTER_COMPILE)
_COMPILED_AND_OVER: Final = _phase("end", *_AFTER_COMPILE)
_STUCK: Final = _phase("end", rules.turn.STUCK_PLAYER)


class PhaseBeganRules(MarkerRules[PhaseBegan]):
    """The rules of a part of the turn beginning."""

    event = PhaseBegan

    def accept(self, state: State, event: PhaseBegan) -> Citations | None:
        """The same, more quickly: nearly half of all events begin a phase, and have this one field."""
        marker = next_marker(state)
        if marker is not None and marker.wanted_fields == event.phase and marker.event is PhaseBegan:
            return marker.rules
        return super().accept(state, event)

    def is_redundant(self, state: State, event: PhaseBegan) -> bool:
        """Whether the event repeats the part of the turn that is running already."""
        return event.phase == state.phase and not state.stack

    def is_relevant(self, state: State, event: PhaseBegan) -> bool:
        """Whether something has to happen before this later part of the turn begins."""
        if state.phase not in _PARTS or not is_idle(state) or self.occasions(state):
            return False
        return event.phase in _PARTS[_PARTS.index(state.phase) + 1 :]

    def forbidden(self, state: State, event: PhaseBegan) -> Violations:
        return (Violation(rules.turn.PHASE_ORDER, "phase.order", {"phase": event.phase}),)

    def apply(self, state: State, event: PhaseBegan) -> State:
        """A part of the turn begins; Start and End texts are fixed now (start-end.no-latecomers).

        Nothing is under way then that could go on by itself.
        """
        phase = event.phase
        if phase == state.phase:
            return replace(state, just_left=()) if state.just_left else state
        due = waiting(state, state.player, phase) if phase in ("start", "end") else ()
        acted = "compiled" if phase == "action" and state.acted == "compiled" else ""
        return replace(state, phase=phase, due=due, acted=acted, stack=(), just_left=())


def next_marker(state: State) -> OneEvent[Any] | None:
    """What begins now, where nothing more happens in this part of the turn; nothing but this may come."""
    if state.stack or state.over:
        return None
    if len(state.a.compiled) == PROTOCOLS_TO_WIN or len(state.b.compiled) == PROTOCOLS_TO_WIN:
        return None
    return _BEGINS[state.phase](state)


def _after_setup(state: State) -> OneEvent[Any] | None:
    return None if opening_draws(state) else _turn(state.player, 1, rules.setup.FIRST_TURN)


def _after_start(state: State) -> OneEvent[Any] | None:
    return None if state.due and due_in_phase(state) else _NEXT["start"]


def _after_control(state: State) -> OneEvent[Any] | None:
    return None if takes_control(state, state.player) else _NEXT["control"]


def _after_compile(state: State) -> OneEvent[Any] | None:
    if is_compile_due(state):
        return None
    if state.acted:
        return _COMPILED_AND_OVER if COMPILE_ENDS_TURN.name in state.switches else _COMPILED
    return _NEXT["compile"]


def _after_action(state: State) -> OneEvent[Any] | None:
    if not state.acted:
        return None
    return _STUCK if state.acted == "passed" else _NEXT["action"]


def _after_cache(state: State) -> OneEvent[Any] | None:
    return None if is_clearing_due(state) else _NEXT["cache"]


def _after_end(state: State) -> OneEvent[Any] | None:
    if state.due and due_in_phase(state):
        return None
    return _turn(opponent(state.player), state.turn + 1, rules.turn.PHASE_ORDER)


_BEGINS: Final[dict[str, Callable[[State], OneEvent[Any] | None]]] = {
    "setup": _after_setup,
    "start": _after_start,
    "control": _after_control,
    "compile": _after_compile,
    "action": _after_action,
    "cache": _after_cache,
    "end": _after_end,
}
"""For each phase what begins once nothing more has to happen in it."""


class PassedRules(CompileEventRules[Passed]):
    """The rules of passing: only who can neither compile, play nor refresh passes."""

    event = Passed

    def occasions(self, state: State) -> Iterable[Occasion[Passed]]:
        if not is_time_to_act(state) or can_refresh(state, state.player) or can_play(state):
            return ()
        return (OneEvent(Passed(seq=0, player=state.player), rules.turn.STUCK_PLAYER),)

    def forbidden(self, state: State, event: Passed) -> Violations:
        return (Violation(_can_act(state), "passed.could", {"player": event.player}),)

    def happen(self, state: State, event: Passed) -> State:
        return replace(state, acted="passed")


def _can_act(state: State) -> Rule:
    """The rule by which the player in turn can still act, although they pass."""
    if state.phase in ("start", "control", "compile") and compilable(state, state.player):
        return rules.compile.MANDATORY
    if late := action_violation(state, state.player):
        return late.rule
    plays = list(PLAY.candidates(state))
    if not plays:
        able = can_refresh(state, state.player)
        return rules.turn.REFRESH_IF_NOTHING_TO_PLAY if able else rules.turn.STUCK_PLAYER
    if is_barred(state, state.player) and BARS:
        return BARS[0]
    return _why_playable(state, next((play for play in plays if play.face == "up"), plays[0]))


def _why_playable(state: State, play: Played) -> Rule:
    own = protocol_of(play.card) in side_of(state, play.player).protocols
    if play.face == "up":
        return rules.play.WITHOUT_USEFUL_EFFECT if own else rules.owner.FACE_UP_AT_OPPONENTS_PROTOCOL
    return rules.play.FACE_DOWN_ANY_LINE if own else rules.recompile.CARD_FACE_DOWN_ANYWHERE


class GameWonRules(CompileEventRules[GameWon]):
    """The rules of winning."""

    event = GameWon

    def occasions(self, state: State) -> Iterable[Occasion[GameWon]]:
        player = winner(state)
        if state.stack or player is None:
            return ()
        return (OneEvent(GameWon(seq=0, player=player), rules.control.VICTORY_THREE_COMPILED),)

    def forbidden(self, state: State, event: GameWon) -> Violations:
        return (Violation(_not_won(state), "won.not", {"player": event.player}),)

    def happen(self, state: State, event: GameWon) -> State:
        return replace(state, over=event.player, stack=())


def _not_won(state: State) -> Rule:
    """Why nobody has won, where a compile may be under way."""
    frame = next((frame for frame in state.stack if type(frame) is Compiling), None)
    if frame is None:
        return rules.control.VICTORY_THREE_COMPILED
    side = side_of(state, frame.seat)
    again = side.protocols[frame.line - 1] in side.compiled
    return rules.recompile.PROTOCOL_STAYS if again else rules.compile.STEPS_IN_ORDER


class GameEndedRules(CompileEventRules[GameEnded]):
    """The rules of players or judge ending the game."""

    event = GameEnded
    redundant_rules: Citations = (rules.control.VICTORY_THREE_COMPILED,)

    def is_redundant(self, state: State, event: GameEnded) -> bool:
        return True

    def happen(self, state: State, event: GameEnded) -> State:
        return replace(state, over=event.reason, stack=())


RULES = (DraftedRules(), TurnBeganRules(), PhaseBeganRules(), PassedRules(), GameWonRules(), GameEndedRules())
