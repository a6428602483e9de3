"""The turn of Compile: which option stands at which moment, and the rules that say so.

Reads like the book: the parts of a turn in their order, then what is under way on top of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec.structs import replace

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.clarified import CARD_RULES
from audit.compile.criteria import not_in_hand, place_refused, places, protocol_of
from audit.compile.events import (
    CacheCleared,
    Compiled,
    ControlTaken,
    Drew,
    GameWon,
    Passed,
    PhaseBegan,
    Played,
    Recompiled,
    Refreshed,
    TurnBegan,
)
from audit.compile.readings import COMPILE_ENDS_TURN
from audit.compile.state import (
    HAND_LIMIT,
    SEATS,
    Compiling,
    State,
    is_known,
    spot,
)
from audit.compile.texts import STEPS, WAITING, passives
from audit.compile.totals import TO_COMPILE, compilable, qualifies, takes_control, total
from audit.compile.under_way import due_options, live, under_way
from audit.compile.verbs.drawing import draw_refused, drawn
from audit.compile.verbs.hands import can_refresh
from audit.compile.verbs.instruction import wrong_player
from audit.model import Event
from audit.ruleset import Broken, Exactly, Need, Option

OPENING_HAND = 5
NEXT_PHASE = {
    "start": "control",
    "control": "compile",
    "compile": "action",
    "action": "cache",
    "cache": "end",
}


Options = Iterable[Option[State]]


def options(state: State) -> Options:
    """What may or must come next, leaving aside what only repeats what is known (see `echoes`)."""
    if state.over:
        return ()
    if state.stack:
        return under_way(state)
    if winner := won(state):
        return (Exactly(GameWon(seq=0, player=winner), rules.victory.THREE_COMPILED),)
    return _PHASES[state.phase](state)


def won(state: State) -> str | None:
    """Who has all three protocols on the compiled side."""
    if len(state.a.compiled) == 3:
        return "A"
    return "B" if len(state.b.compiled) == 3 else None


# The parts of a turn


def setup(state: State) -> Iterator[Option[State]]:
    """Both players draw their opening hands; then the first turn begins."""
    dealt = True
    for seat in SEATS:
        side = state.side(seat)
        if len(side.hand) < OPENING_HAND and side.deck:
            dealt = False
            yield Opening(seat)
    if dealt:
        first = TurnBegan(seq=0, player=state.player, turn=1)
        yield Exactly(first, rules.setup.FIRST_TURN, need=Need.MARKER)


def start(state: State) -> Options:
    """Start texts, in the order the player likes; then control is checked."""
    return _texts_due(state) or (_marker(state),)


def control(state: State) -> Options:
    """Who leads in two lines takes the control component."""
    return (CONTROL if takes_control(state, state.player) else _marker(state),)


def compile_(state: State) -> Options:
    """Who can compile has to, once; then there is no action."""
    if state.acted:
        after = "end" if COMPILE_ENDS_TURN.name in state.switches else "cache"
        return (_phase(after, rules.turn.CACHE_AFTER_COMPILE, rules.turn.COMPILE_INSTEAD_OF_ACTION),)
    if compilable(state, state.player) and not is_barred(state, state.player):
        return (COMPILE, RECOMPILE)
    return (_marker(state),)


def action(state: State) -> Options:
    """One card from hand, or a refresh."""
    if state.acted:
        return (_phase("end", rules.turn.STUCK_PLAYER) if state.acted == "passed" else _marker(state),)
    if not can_refresh(state, state.player) and next(PLAY.offers(state), None) is None:
        return (Exactly(Passed(seq=0, player=state.player), rules.turn.STUCK_PLAYER),)
    return (PLAY, REFRESH)


def cache(state: State) -> Options:
    """More than five cards are discarded down to five."""
    if not state.acted and len(state.side(state.player).hand) > HAND_LIMIT and not skips_cache(state):
        return (CLEAR,)
    return (_marker(state),)


def end(state: State) -> Options:
    """End texts, in the order the player likes; then the other player's turn."""
    return _texts_due(state) or (_turn(state.other, state.turn + 1),)


@lru_cache(maxsize=512)
def _turn(player: str, turn: int) -> Option[State]:
    return Exactly(TurnBegan(seq=0, player=player, turn=turn), rules.turn.PHASE_ORDER, need=Need.MARKER)


def _phase(name: str, *why: Rule) -> Option[State]:
    return Exactly(PhaseBegan(seq=0, phase=name), *why, need=Need.MARKER)  # type: ignore[arg-type]


_NEXT = {phase: _phase(name, rules.turn.PHASE_ORDER) for phase, name in NEXT_PHASE.items()}


def _marker(state: State) -> Option[State]:
    return _NEXT[state.phase]


def _texts_due(state: State) -> tuple[Option[State], ...]:
    return due_options(state, live(state, state.due)) if state.due else ()


_PHASES = {
    "setup": setup,
    "start": start,
    "control": control,
    "compile": compile_,
    "action": action,
    "cache": cache,
    "end": end,
}


def is_barred(state: State, seat: str) -> bool:
    """Whether a text keeps that side from compiling this turn."""
    return (seat, state.turn) in state.barred


def skips_cache(state: State) -> bool:
    """Whether a text in force spares the turn player the check of the cache."""
    return any(p.rule == "skip_cache_check" and seat == state.player for seat, _, p, _ in passives(state))


class Opening(Option[State]):
    """Five cards for the opening hand."""

    event = Drew
    rules = (rules.setup.OPENING_HAND, rules.setup.DECK_OF_EIGHTEEN)
    ordering = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def refusals(self, state: State, event: Drew) -> tuple[Broken, ...]:  # type: ignore[override]
        side = state.side(self.seat)
        if broken := draw_refused(state, event, self.seat, self.seat, OPENING_HAND - len(side.hand)):
            number = broken[0].key == "draw.number"
            return (replace(broken[0], rule=rules.setup.OPENING_HAND),) if number else broken
        stranger = next((c for c in event.cards or () if is_known(c) and protocol_of(c) not in side.protocols), None)
        if stranger is not None:
            return (Broken(rules.setup.DECK_OF_EIGHTEEN, "draw.stranger", {"player": self.seat, "card": stranger}),)
        return ()

    def offers(self, state: State) -> Iterator[Event]:
        yield drawn(state, self.seat, self.seat, OPENING_HAND - len(state.side(self.seat).hand))


class TakeControl(Option[State]):
    """Who leads in two lines or more takes the control component."""

    event = ControlTaken
    rules = (rules.control.GAINED,)

    def refusals(self, state: State, event: ControlTaken) -> tuple[Broken, ...]:  # type: ignore[override]
        if event.player != state.player:
            return (wrong_player(state.player, event.player, rules.control.GAINED),)
        if not takes_control(state, event.player):
            return (Broken(rules.control.GAINED, "control.not_ahead", {"player": event.player}),)
        return ()

    def cites(self, state: State, event: Event) -> tuple[Rule, ...]:
        return (*self.rules, rules.setup.CONTROL_NEUTRAL) if state.control is None else self.rules

    def offers(self, state: State) -> Iterator[Event]:
        if takes_control(state, state.player):
            yield ControlTaken(seq=0, player=state.player)


_SEVERAL = (rules.compile.PLAYER_PICKS_LINE, rules.compile.ONE_LINE_A_TURN)


class CompileLine(Option[State]):
    """A line that qualifies is compiled; one whose protocol is compiled already, recompiled."""

    def __init__(self, event: type[Compiled] | type[Recompiled], *why: Rule) -> None:
        self.event = event
        self.again = event is Recompiled
        self.rules = why

    def refusals(self, state: State, event: Event) -> tuple[Broken, ...]:
        assert isinstance(event, Compiled | Recompiled)
        if broken := self._moment_refused(state, event.player):
            return (broken,)
        if broken := self._line_refused(state, event.line):
            return (broken,)
        return ()

    def _moment_refused(self, state: State, player: str) -> Broken | None:
        if player != state.player:
            return wrong_player(state.player, player, rules.compile.MANDATORY)
        if state.acted == "compiled":
            return Broken(rules.compile.ONE_LINE_A_TURN, "compile.twice", {"player": player})
        if state.phase not in ("start", "control", "compile"):
            return Broken(rules.turn.PHASE_ORDER, "compile.when", {"phase": state.phase})
        if is_barred(state, player):
            return Broken(rules.effects.CARDS_BEAT_RULES, "compile.barred", {"player": player})
        return None

    def _line_refused(self, state: State, line: int) -> Broken | None:
        own, theirs = total(state, state.player, line), total(state, state.other, line)
        if own < TO_COMPILE:
            return Broken(rules.compile.TEN_OR_MORE, "compile.ten", {"line": line, "n": own})
        if own <= theirs:
            return Broken(rules.compile.BEATS_OPPONENT, "compile.tie", {"line": line, "n": own, "found": theirs})
        if self._compiled(state, line) != self.again:
            return Broken(self._side_rule(state), "compile.again", {"line": line})
        return None

    def _side_rule(self, state: State) -> Rule:
        """Why the protocol does not show the side that this compile needs."""
        if not self.again:
            return rules.compile.TURNS_PROTOCOL
        return rules.recompile.POSSIBLE if state.side(state.player).compiled else rules.setup.LOADING_SIDE_UP

    def cites(self, state: State, event: Event) -> tuple[Rule, ...]:
        several = len(compilable(state, state.player)) > 1
        first = () if state.side(state.player).compiled else (rules.setup.LOADING_SIDE_UP,)
        return (*self.rules, *(_SEVERAL if several else ()), *first)

    def _compiled(self, state: State, line: int) -> bool:
        side = state.side(state.player)
        return side.protocols[line - 1] in side.compiled

    def offers(self, state: State) -> Iterator[Event]:
        for line in compilable(state, state.player):
            if self._compiled(state, line) == self.again:
                yield self.event(seq=0, player=state.player, line=line)  # type: ignore[call-arg]


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

    def refusals(self, state: State, event: Played) -> tuple[Broken, ...]:  # type: ignore[override]
        if broken := moment_refused(state, event.player):
            return (broken,)
        if event.from_ != "hand":
            return (Broken(rules.turn.ONE_ACTION, "play.from", {"zone": "hand"}),)
        if not_in_hand(state, event.player, event.card):
            return (Broken(rules.play.ON_OWN_SIDE, "play.hand", {"card": event.card}),)
        broken = place_refused(state, event.player, event.card, event.line, event.face)
        return (broken,) if broken else ()

    def cites(self, state: State, event: Played) -> tuple[Rule, ...]:  # type: ignore[override]
        own = protocol_of(event.card) in state.side(event.player).protocols or not is_known(event.card)
        if event.face == "down":
            found = _FACE_DOWN if own else _FACE_DOWN_THEIRS
        else:
            found = _FACE_UP if own else _FACE_UP_THEIRS
        return (*found, *BARS) if state.barred and is_barred(state, event.player) else found

    def offers(self, state: State) -> Iterator[Played]:
        for card in dict.fromkeys(state.side(state.player).hand):
            for line, face in places(state, state.player, card):
                yield Played(seq=0, player=state.player, card=card, line=line, face=face)  # type: ignore[arg-type]


def moment_refused(state: State, player: str) -> Broken | None:
    """Why that player cannot take the action of the turn now."""
    if player != state.player:
        return wrong_player(state.player, player, rules.turn.ONE_ACTION)
    if state.acted == "compiled":
        return Broken(_compile_rule(state), "action.compiled", {"player": player})
    if state.phase == "action" and state.acted:
        return Broken(rules.turn.ONE_ACTION, "action.second", {"player": player})
    if state.phase in ("cache", "end"):
        return Broken(rules.turn.PHASE_ORDER, "action.when", {"phase": state.phase})
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
    place = spot(state, card)
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

    def cites(self, state: State, event: Event) -> tuple[Rule, ...]:
        idle = () if state.side(state.player).hand else (rules.turn.REFRESH_IF_NOTHING_TO_PLAY,)
        return (*self.rules, *idle, *(BARS if is_barred(state, state.player) else ()))

    def refusals(self, state: State, event: Refreshed) -> tuple[Broken, ...]:  # type: ignore[override]
        if broken := moment_refused(state, event.player):
            return (broken,)
        if len(state.side(event.player).hand) >= HAND_LIMIT:
            return (Broken(rules.refresh.ONLY_UNDER_FIVE, "refresh.five", {"player": event.player}),)
        if not can_refresh(state, event.player):
            return (Broken(rules.turn.STUCK_PLAYER, "refresh.nothing", {"player": event.player}),)
        return ()

    def offers(self, state: State) -> Iterator[Event]:
        if can_refresh(state, state.player):
            yield Refreshed(seq=0, player=state.player)


class ClearCache(Option[State]):
    """The cache is cleared where the hand is above five."""

    event = CacheCleared
    rules = (rules.cache.FIVE_CARD_LIMIT,)

    def refusals(self, state: State, event: CacheCleared) -> tuple[Broken, ...]:  # type: ignore[override]
        if event.player != state.player:
            return (wrong_player(state.player, event.player, rules.cache.FIVE_CARD_LIMIT),)
        if state.phase != "cache" or state.acted or len(state.side(event.player).hand) <= HAND_LIMIT:
            return (Broken(rules.cache.FIVE_CARD_LIMIT, "cache.five", {"player": event.player}),)
        if skips_cache(state):
            return (Broken(rules.effects.CARDS_BEAT_RULES, "cache.skipped", {"player": event.player}),)
        return ()

    def offers(self, state: State) -> Iterator[Event]:
        yield CacheCleared(seq=0, player=state.player)


CONTROL = TakeControl()
_QUALIFIES = (rules.compile.TEN_OR_MORE, rules.compile.BEATS_OPPONENT, rules.field.VALUE_COUNTS)
COMPILE = CompileLine(Compiled, rules.compile.MANDATORY, *_QUALIFIES, rules.compile.TURNS_PROTOCOL)
RECOMPILE = CompileLine(Recompiled, rules.recompile.POSSIBLE, rules.compile.MANDATORY, *_QUALIFIES)
PLAY = PlayFromHand()
REFRESH = RefreshHand()
CLEAR = ClearCache()
