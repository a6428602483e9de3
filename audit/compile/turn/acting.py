"""The action of a turn: one card from hand, or a refresh."""

from __future__ import annotations

from collections.abc import Iterator

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.clarified import CARD_RULES
from audit.compile.criteria import not_in_hand, place_refused, places, protocol_of
from audit.compile.events import Played, Refreshed
from audit.compile.state import HAND_LIMIT, Compiling, State, field_position, is_known
from audit.compile.texts import STEPS, WAITING
from audit.compile.totals import qualifies
from audit.compile.turn.compiling import is_barred
from audit.compile.verbs.hands import can_refresh
from audit.compile.verbs.instruction import wrong_player
from audit.model import Event
from audit.ruleset import Option, Violation

_PLAYED = (rules.turn.ONE_ACTION, rules.play.ON_OWN_SIDE, rules.play.FACE_CHOSEN_BY_PLAYER)
_FACE_UP = (rules.play.FACE_UP_NEEDS_PROTOCOL, rules.field.PROTOCOL_GATES_LINE, *_PLAYED)
_FACE_UP_THEIRS = (*_FACE_UP, rules.owner.FACE_UP_AT_OPPONENTS_PROTOCOL)
_FACE_DOWN = (rules.play.FACE_DOWN_ANY_LINE, rules.field.FACE_DOWN_BLANK, *_PLAYED)
_FACE_DOWN_THEIRS = (*_FACE_DOWN, rules.recompile.CARD_FACE_DOWN_ANYWHERE)
BARS = tuple(
    rule
    for (card, _, _), steps in STEPS.items()
    if any(step.verb == "bar" for step in steps)
    for rule in CARD_RULES.get(card, ())
)
"""What is said of the cards that keep a player from compiling."""


class PlayFromHand(Option[State]):
    """One card from hand to the own side, face up where its protocol lies, face down anywhere."""

    event = Played
    rules = _PLAYED

    def violations(self, state: State, event: Played) -> tuple[Violation, ...]:  # type: ignore[override]
        if broken := moment_refused(state, event.player):
            return (broken,)
        if event.from_ != "hand":
            return (Violation(rules.turn.ONE_ACTION, "play.from", {"zone": "hand"}),)
        if not_in_hand(state, event.player, event.card):
            return (Violation(rules.play.ON_OWN_SIDE, "play.hand", {"card": event.card}),)
        broken = place_refused(state, event.player, event.card, event.line, event.face)
        return (broken,) if broken else ()

    def citations(self, state: State, event: Played) -> tuple[Rule, ...]:  # type: ignore[override]
        own = protocol_of(event.card) in state.side(event.player).protocols or not is_known(event.card)
        if event.face == "down":
            found = _FACE_DOWN if own else _FACE_DOWN_THEIRS
        else:
            found = _FACE_UP if own else _FACE_UP_THEIRS
        return (*found, *BARS) if state.barred and is_barred(state, event.player) else found

    def is_possible(self, state: State) -> bool:
        """Whether some card of the hand can be played somewhere."""
        player = state.player
        return any(next(places(state, player, card), None) for card in state.side(player).hand)

    def candidates(self, state: State) -> Iterator[Played]:
        for card in dict.fromkeys(state.side(state.player).hand):
            for line, face in places(state, state.player, card):
                yield Played(seq=0, player=state.player, card=card, line=line, face=face)  # type: ignore[arg-type]


def moment_refused(state: State, player: str) -> Violation | None:
    """Why that player cannot take the action of the turn now."""
    if player != state.player:
        return wrong_player(state.player, player, rules.turn.ONE_ACTION)
    if state.acted == "compiled":
        return Violation(_compile_rule(state), "action.compiled", {"player": player})
    if state.phase == "action" and state.acted:
        return Violation(rules.turn.ONE_ACTION, "action.second", {"player": player})
    if state.phase in ("cache", "end"):
        return Violation(rules.turn.PHASE_ORDER, "action.when", {"phase": state.phase})
    return None


def _compile_rule(state: State) -> Rule:
    """Why a turn with a compile has no action: it takes its place, and it goes on though the line has fallen short."""
    frame = next((frame for frame in state.stack if type(frame) is Compiling), None)
    if frame is None or frame.deleted or qualifies(state, frame.seat, frame.line):
        return rules.turn.COMPILE_INSTEAD_OF_ACTION
    escaped = [card for card in WAITING["before_compile_delete"] if _is_away(state, frame, card)]
    own = next((rule for card in escaped for rule in CARD_RULES.get(card, ())), None)
    return own or rules.compile.NOT_STOPPED_MIDWAY


def _is_away(state: State, frame: Compiling, card: str) -> bool:
    place = field_position(state, card)
    return place is not None and place.seat == frame.seat and place.line != frame.line


class RefreshHand(Option[State]):
    """The hand is filled up to five."""

    event = Refreshed
    rules = (
        rules.refresh.UP_TO_FIVE,
        rules.turn.ONE_ACTION,
        rules.refresh.ONLY_UNDER_FIVE,
        rules.refresh.NO_EXCHANGE,
    )

    def citations(self, state: State, event: Event) -> tuple[Rule, ...]:
        idle = () if state.side(state.player).hand else (rules.turn.REFRESH_IF_NOTHING_TO_PLAY,)
        return (*self.rules, *idle, *(BARS if is_barred(state, state.player) else ()))

    def violations(self, state: State, event: Refreshed) -> tuple[Violation, ...]:  # type: ignore[override]
        if broken := moment_refused(state, event.player):
            return (broken,)
        if len(state.side(event.player).hand) >= HAND_LIMIT:
            return (Violation(rules.refresh.ONLY_UNDER_FIVE, "refresh.five", {"player": event.player}),)
        if not can_refresh(state, event.player):
            return (Violation(rules.turn.STUCK_PLAYER, "refresh.nothing", {"player": event.player}),)
        return ()

    def candidates(self, state: State) -> Iterator[Event]:
        if can_refresh(state, state.player):
            yield Refreshed(seq=0, player=state.player)


PLAY = PlayFromHand()
REFRESH = RefreshHand()
