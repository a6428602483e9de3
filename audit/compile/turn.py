"""The turn of Compile: which option stands at which moment, and the rules that say so.

Reads like the book: the parts of a turn in their order, then what is under way on top of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec.structs import replace

from audit.catalogue import TIMING, Rule
from audit.compile import rules
from audit.compile.clarified import CARD_RULES, clarification, correction
from audit.compile.criteria import not_in_hand, place_refused, places, protocol_of
from audit.compile.events import (
    CacheCleared,
    Chose,
    Committed,
    Compiled,
    ControlReset,
    ControlTaken,
    Covered,
    Deleted,
    Discarded,
    Drew,
    GameWon,
    Landed,
    Passed,
    PhaseBegan,
    Played,
    Rearranged,
    Recompiled,
    Refreshed,
    Reshuffled,
    Resolved,
    Triggered,
    TurnBegan,
    Uncovered,
)
from audit.compile.progress import instructions, is_lost, opens_another, step_of
from audit.compile.readings import COMPILE_ENDS_TURN, CONTROL_AFTER_COMPILE, LANDS_BEFORE_EXPOSED
from audit.compile.state import (
    HAND_LIMIT,
    SEATS,
    Clearing,
    Compiling,
    Due,
    Leaving,
    Moment,
    Refreshing,
    State,
    Text,
    Trip,
    is_known,
    opponent,
    spot,
    top_of,
    trips,
)
from audit.compile.texts import STEPS, WAITING, passives
from audit.compile.totals import TO_COMPILE, compilable, qualifies, takes_control, total
from audit.compile.verbs import (
    DrawCards,
    NameLine,
    can_refresh,
    deck_of,
    discard_refused,
    discards,
    draw_number,
    draw_refused,
    drawn,
    empty_lines,
    rearrangement_refused,
    rearrangements,
    wrong_player,
)
from audit.compile.words import Step
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
        return _under_way(state)
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
    return _texts_due(state) or (_next_turn(state),)


def _next_turn(state: State) -> Option[State]:
    began = TurnBegan(seq=0, player=state.other, turn=state.turn + 1)
    return Exactly(began, rules.turn.PHASE_ORDER, need=Need.MARKER)


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


# What is under way


def _under_way(state: State) -> Options:
    frame = state.stack[-1]
    if type(frame) is Trip:
        return (trip_option(state, frame),)
    if type(frame) is Text:
        return text_options(state, frame)
    if type(frame) is Due:
        return due_options(state, frame.moments)
    if type(frame) is Leaving:
        return (_laid_bare(frame.bare[0]),)
    if type(frame) is Refreshing:
        return refresh_options(state, frame)
    if type(frame) is Compiling:
        return compile_options(state, frame)
    assert isinstance(frame, Clearing)
    return (DiscardToLimit(frame.seat),)


def text_options(state: State, text: Text) -> Iterator[Option[State]]:
    """The next instruction of a text, or why it is not carried out."""
    if is_lost(state, text):
        own = clarification(text.card, "resolved", TIMING)
        yield _over(text, "stopped", rules.interrupt.LOST_TEXT_DROPPED, *((own,) if own else ()))
        return
    step = step_of(text)
    ready = [option for option in instructions(text) if option.ready(state, text)]
    if not ready:
        yield _over(text, "impossible", rules.effects.AS_FAR_AS_POSSIBLE, *_why_impossible(text, step))
        return
    for option in ready:
        if reshuffle := _reshuffle_for(state, text, option):
            yield reshuffle
        else:
            yield option
    if lines := empty_lines(state, text):
        yield NameLine(ready[0].actor(text), lines)
    if step.optional:
        yield _over(text, "declined", rules.effects.MAY_ONLY_IF_SAID)


def _over(text: Text, outcome: str, *why: Rule) -> Option[State]:
    resolved = Resolved(seq=0, card=text.card, command=text.box, outcome=outcome)  # type: ignore[arg-type]
    return Exactly(resolved, *why)


def _why_impossible(text: Text, step: Step) -> Iterator[Rule]:
    if step.verb == "discard":
        yield rules.discard.EMPTY_HAND
    if step.verb == "play" and step.source == "deck":
        yield rules.deck.TOP_CARD_EFFECTS_FAIL
        yield from CARD_RULES.get(text.card, ())
    if text.on == "played":
        yield rules.play.WITHOUT_USEFUL_EFFECT
    if opens_another(text):
        yield rules.effects.NO_COSTS


def _reshuffle_for(state: State, text: Text, option: Option[State]) -> Option[State] | None:
    if not isinstance(option, DrawCards):
        return None
    seat = deck_of(option.step, option.actor(text))
    return reshuffle(state, seat, draw_number(state, text, option.step))


def reshuffle(state: State, seat: str, number: int, *why: Rule) -> Option[State] | None:
    """The new deck that has to be made before so many cards are drawn, if one has to."""
    side = state.side(seat)
    return MakeDeck(seat, *why) if len(side.deck) < number and side.trash else None


_NEW_DECK = (rules.deck.RESHUFFLE_ON_DRAW, rules.deck.ONLY_DRAWING_RESHUFFLES, rules.field.TRASH)


class MakeDeck(Option[State]):
    """The trash is shuffled into a new deck, because cards have to be drawn."""

    event = Reshuffled

    def __init__(self, seat: str, *why: Rule) -> None:
        self.seat = seat
        self.rules = (*why, *_NEW_DECK)

    def refusals(self, state: State, event: Reshuffled) -> tuple[Broken, ...]:  # type: ignore[override]
        if event.player != self.seat:
            return (wrong_player(self.seat, event.player, self.rules[0]),)
        side = state.side(self.seat)
        if event.deck is None or sorted(event.deck) in (
            sorted(side.trash),
            sorted((*side.deck, *side.trash)),
        ):
            return ()
        return (Broken(self._cards_rule(state, event.deck), "reshuffle.cards", {"player": self.seat}),)

    def _cards_rule(self, state: State, deck: tuple[str, ...]) -> Rule:
        """What a new deck of the wrong cards is at odds with."""
        side = state.side(self.seat)
        if set(deck).intersection(state.side(opponent(self.seat)).trash):
            return rules.field.TRASH
        missing = set(side.trash).difference(deck)
        kept = any(protocol_of(card) not in side.protocols for card in missing)
        return rules.owner.THROUGH_ALL_ZONES if kept else self.rules[0]

    def offers(self, state: State) -> Iterator[Event]:
        yield Reshuffled(seq=0, player=self.seat)


_COMMITTED = (
    rules.committed.LEAVES_FIRST,
    rules.committed.ANY_CHANGE_OF_PLACE,
    rules.committed.OUT_OF_PLAY,
)
_UNCOVERED = (
    rules.cover.UNCOVERED_CARD,
    rules.field.STACK,
    rules.shift.LAYS_BARE_CARD_BELOW,
    rules.committed.EXPOSED_TEXT_FIRST,
)
_COVERED = (
    rules.cover_trigger.BEFORE_COVERING,
    rules.cover_trigger.ANY_WAY_OF_COVERING,
    rules.cover.COVERED_CARD,
    rules.field.STACK,
)
_LANDED = (
    rules.committed.LANDS_REGARDLESS,
    rules.committed.KEEPS_FACING,
    rules.committed.ANNOUNCED_LINE_STANDS,
    rules.committed.WHOLE_CHAIN_BEFORE_LANDING,
)
_SHIFTED = (*_LANDED, rules.shift.ENDS_UP_UNCOVERED)
_QUEUED = (*_SHIFTED, rules.committed.QUEUE)

_WRONG_FIELD: dict[tuple[type[Event], str], Rule] = {
    (Committed, "to"): rules.committed.ANNOUNCED_LINE_STANDS,
    (Covered, "card"): rules.cover.COVERED_CARD,
    (Covered, "by"): rules.cover.COVERED_CARD,
    (Landed, "card"): rules.committed.QUEUE,
    (Landed, "line"): rules.committed.ANNOUNCED_LINE_STANDS,
}
"""What a leg told wrongly is at odds with, where it is not the first of its rules."""


class Leg(Exactly[State]):
    """One leg of a card's way."""

    def refusals(self, state: State, event: Event) -> tuple[Broken, ...]:
        found = super().refusals(state, event)
        return tuple(replace(item, rule=self._rule(state, event, item)) for item in found) if found else ()

    def _rule(self, state: State, event: Event, broken: Broken) -> Rule:
        if isinstance(event, Covered | Uncovered):
            there, found = spot(state, self.one.card), spot(state, event.card)  # type: ignore[attr-defined]
            if there and found and (there.seat, there.line) != (found.seat, found.line):
                return rules.field.STACK
            if isinstance(event, Covered) and (trip := next((t for t in trips(state) if t.card == event.card), None)):
                return rules.committed.QUEUE if trip.order else rules.shift.ENDS_UP_UNCOVERED
        return _WRONG_FIELD.get((self.event, str(broken.data["field"])), broken.rule)


def trip_option(state: State, trip: Trip) -> Option[State]:
    """The next leg of a card's way to a line."""
    if not trip.committed:
        leaves = Committed(seq=0, card=trip.card, from_=trip.origin, to=trip.line)
        return Leg(leaves, *_COMMITTED)
    if trip.bare and LANDS_BEFORE_EXPOSED.name not in state.switches:
        return _laid_bare(trip.bare[0])
    below = top_of(state, trip.seat, trip.line)
    if below and not trip.under and below.card not in trip.warned:
        covers = Covered(seq=0, card=below.card, by=trip.card)
        return Leg(covers, *_COVERED)
    arrives = Landed(seq=0, card=trip.card, line=trip.line)
    return Leg(arrives, *_landing(state, trip))


def _laid_bare(card: str) -> Option[State]:
    open_now = Uncovered(seq=0, card=card)
    return Leg(open_now, *_UNCOVERED)


def _landing(state: State, trip: Trip) -> tuple[Rule, ...]:
    if trip.played:
        return _LANDED
    queued = any(type(frame) is Trip and frame.line == trip.line for frame in state.stack[:-1])
    return _QUEUED if queued else _SHIFTED


_IN_A_PART = (
    rules.start_end.OWN_VISIBLE_TEXT,
    rules.text.OUTER_BOXES_WHEN_THEY_SAY,
    rules.start_end.NO_LATECOMERS,
)
_MOMENTS: dict[str, tuple[Rule, ...]] = {
    "played": (rules.play.MIDDLE_TEXT_RESOLVED, rules.text.MIDDLE_AT_ONCE),
    "flipped": (rules.text.MIDDLE_AT_ONCE, rules.text.WAYS_IN, rules.interrupt.NEWEST_GOES_FIRST),
    "uncovered": (rules.text.MIDDLE_AT_ONCE, rules.text.WAYS_IN, rules.interrupt.NEWEST_GOES_FIRST),
    "before_covered": (rules.cover_trigger.BEFORE_COVERING, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
    "start": _IN_A_PART,
    "end": _IN_A_PART,
    "before_compile_delete": (rules.compile.SILENT_DELETION, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
}
_AFTER = (rules.after.WAITS_FOR_THE_WHOLE_EVENT, rules.text.OUTER_BOXES_WHEN_THEY_SAY)
_BOXES: dict[str, tuple[Rule, ...]] = {
    "top": (rules.field.TOP_COMMAND, rules.play.OUTER_BOXES_PASSIVE),
    "middle": (rules.field.MIDDLE_COMMAND,),
    "bottom": (rules.field.BOTTOM_COMMAND, rules.play.OUTER_BOXES_PASSIVE),
}


@lru_cache
def _trigger_rules(on: str, box: str, card: str, *order: Rule) -> tuple[Rule, ...]:
    return (*_MOMENTS.get(on, _AFTER), *_BOXES[box], *order, *CARD_RULES.get(card, ()))


class Trigger(Option[State]):
    """A text comes into force, or its moment has come."""

    event = Triggered
    ordering = True

    def __init__(self, moment: Moment, *order: Rule) -> None:
        self.moment = moment
        self.rules = _trigger_rules(moment.on, moment.box, moment.card, *order)

    def refusals(self, state: State, event: Triggered) -> tuple[Broken, ...]:  # type: ignore[override]
        moment = self.moment
        if event.card == moment.card and event.command == moment.box:
            return ()
        rule = self._waiting(state, event) or self.rules[0]
        data = {"card": moment.card, "box": moment.box}
        return (Broken(rule, "triggered.other", data, elsewhere=event.card != moment.card),)

    def _waiting(self, state: State, event: Triggered) -> Rule | None:
        """Why a text that is due has to wait for this one."""
        older = (moment for frame in state.stack[:-1] if type(frame) is Due for moment in frame.moments)
        found = next((m for m in older if (m.card, m.box) == (event.card, event.command)), None)
        if found is None:
            return None
        after = found.on.startswith("after")
        return rules.after.WAITS_FOR_THE_WHOLE_EVENT if after else rules.interrupt.NEWEST_GOES_FIRST

    def cites(self, state: State, event: Event) -> tuple[Rule, ...]:
        moment = self.moment
        refreshed = moment.on == "after_you_draw" and _by_refresh(state)
        place = spot(state, moment.card) if moment.box == "top" else None
        more = (rules.refresh.COUNTS_AS_DRAWING,) if refreshed else ()
        if place is not None and not place.uncovered:
            more = (*more, rules.target.TOP_COMMANDS_REACH_EACH_OTHER)
        return (*self.rules, *more) if more else self.rules

    def offers(self, state: State) -> Iterator[Event]:
        moment = self.moment
        yield Triggered(seq=0, card=moment.card, command=moment.box, on=moment.on)


def _by_refresh(state: State) -> bool:
    """Whether the draw just made was that of the refresh taken in this turn."""
    return state.acted == "refreshed" and all(type(frame) is Due for frame in state.stack)


def live(state: State, moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """Those of the texts due that can still be read."""
    return tuple(moment for moment in moments if not is_lost(state, _text_for(moment)))


def _text_for(moment: Moment) -> Text:
    return Text(moment.card, moment.box, moment.entry, moment.seat, 0, on=moment.on)


def due_options(state: State, moments: tuple[Moment, ...]) -> tuple[Option[State], ...]:
    """Texts due at one moment; with more than one, the turn player sets the order."""
    if len(moments) < 2:
        return tuple(Trigger(moment) for moment in moments)
    free = rules.start_end.ORDER_IS_FREE if moments[0].on in ("start", "end") else rules.effects.TURN_PLAYER_SETS_ORDER
    return tuple(Trigger(moment, free) for moment in moments)


class UseControl(Option[State]):
    """The protocols of one player may be rearranged when the control component goes back."""

    event = Rearranged
    rules = (
        rules.control.REARRANGEMENT_IS_A_CHOICE,
        rules.control.EITHER_PLAYERS_PROTOCOLS,
        rules.rearrange.MUST_DIFFER,
        rules.rearrange.CARDS_STAY,
    )

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def refusals(self, state: State, event: Rearranged) -> tuple[Broken, ...]:  # type: ignore[override]
        if event.by is not None and event.by != self.seat:
            return (wrong_player(self.seat, event.by, rules.control.REARRANGEMENT_IS_A_CHOICE),)
        return tuple(
            replace(broken, rule=rules.control.EITHER_PLAYERS_PROTOCOLS) if broken.key == "rearrange.others" else broken
            for broken in rearrangement_refused(state, event, swap=False)
        )

    def offers(self, state: State) -> Iterator[Event]:
        for side in SEATS:
            yield from rearrangements(state, side, self.seat)


def control_options(state: State, frame: Refreshing | Compiling) -> Iterator[Option[State]]:
    """The control component goes back first, with the right to rearrange."""
    if frame.control:
        why = rules.control.BACK_ON_REFRESH if type(frame) is Refreshing else rules.control.BACK_ON_COMPILE
        reset = ControlReset(seq=0, player=frame.seat)
        yield Exactly(reset, why, rules.control.DEALT_WITH_FIRST, rules.control.BACK_EVEN_IF_UNUSED)
    else:
        yield UseControl(frame.seat)
        leave = Chose(seq=0, player=frame.seat, what="rearrange", accept=False)
        yield Exactly(leave, rules.control.REARRANGEMENT_IS_A_CHOICE, rules.control.BACK_EVEN_IF_UNUSED)


_FILLED = (rules.refresh.UP_TO_FIVE, rules.draw.FROM_TOP_TO_HAND, rules.draw.ONE_EVENT_PER_INSTRUCTION)
_FILLED_SHORT = (rules.refresh.NOTHING_LEFT, *_FILLED)


class FillHand(Option[State]):
    """The draw of a refresh."""

    event = Drew
    rules = _FILLED

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def refusals(self, state: State, event: Drew) -> tuple[Broken, ...]:  # type: ignore[override]
        broken = draw_refused(state, event, self.seat, self.seat, to_draw(state, self.seat))
        if broken and broken[0].key == "draw.number":
            return (Broken(self._number_rule(state), "refresh.number", broken[0].data), *broken)
        return broken

    def _number_rule(self, state: State) -> Rule:
        text = state.stack[-2] if len(state.stack) > 1 else None
        if type(text) is Text and (own := correction(text.card, "refreshed")):
            return own
        short = len(state.side(self.seat).deck) < to_draw(state, self.seat)
        return rules.refresh.NOTHING_LEFT if short else rules.refresh.UP_TO_FIVE

    def cites(self, state: State, event: Event) -> tuple[Rule, ...]:
        return _FILLED_SHORT if len(state.side(self.seat).deck) < to_draw(state, self.seat) else _FILLED

    def offers(self, state: State) -> Iterator[Event]:
        yield drawn(state, self.seat, self.seat, to_draw(state, self.seat))


def to_draw(state: State, seat: str) -> int:
    """How many cards a refresh draws."""
    return max(0, HAND_LIMIT - len(state.side(seat).hand))


def refresh_options(state: State, frame: Refreshing) -> Iterator[Option[State]]:
    """Control, a new deck where the old is short, the draw."""
    if frame.control or frame.choice:
        yield from control_options(state, frame)
    else:
        new_deck = reshuffle(state, frame.seat, to_draw(state, frame.seat), rules.refresh.SHORT_DECK)
        yield new_deck or FillHand(frame.seat)


def control_is_up(state: State, frame: Compiling) -> bool:
    """Whether the control component is dealt with now: first, or by one reading once the line is empty."""
    if CONTROL_AFTER_COMPILE.name in state.switches and not frame.deleted:
        return False
    return frame.control or frame.choice


def compile_options(state: State, frame: Compiling) -> Iterator[Option[State]]:
    """Control, then the deletion of the whole line; for a recompile the opponent's top card."""
    if control_is_up(state, frame):
        yield from control_options(state, frame)
    elif not frame.deleted:
        yield EmptyLine(frame.seat, frame.line)
    else:
        yield reshuffle(state, opponent(frame.seat), 1) or Reward(frame.seat)


class EmptyLine(Option[State]):
    """All cards of the compiled line leave at the same moment."""

    event = Deleted
    rules = (
        rules.compile.CLEARS_BOTH_SIDES,
        rules.compile.DELETES_AS_ONE_EVENT,
        rules.compile.STEPS_IN_ORDER,
        rules.compile.SILENT_DELETION,
        rules.delete.WHOLE_LINE_IS_SILENT,
        rules.discard.TRASH_IS_FACE_UP,
    )

    def __init__(self, seat: str, line: int) -> None:
        self.seat = seat
        self.line = line

    def refusals(self, state: State, event: Deleted) -> tuple[Broken, ...]:  # type: ignore[override]
        wanted = line_cards(state, self.line)
        if sorted(wanted) == sorted(event.cards):
            return ()
        return (Broken(self._rule(state, event), "compile.cards", {"cards": wanted, "line": self.line}),)

    def _rule(self, state: State, event: Deleted) -> Rule:
        if self._again(state):
            return rules.recompile.EMPTIES_LINE
        for side in (state.a, state.b):
            here = {lain.card for lain in side.lines[self.line - 1]}
            if here and not here.intersection(event.cards):
                return rules.compile.CLEARS_BOTH_SIDES
        strangers = set(event.cards).difference(line_cards(state, self.line))
        return rules.compile.CLEARS_BOTH_SIDES if strangers else rules.compile.DELETES_AS_ONE_EVENT

    def _again(self, state: State) -> bool:
        side = state.side(self.seat)
        return side.protocols[self.line - 1] in side.compiled

    def cites(self, state: State, event: Event) -> tuple[Rule, ...]:
        again = (rules.recompile.EMPTIES_LINE,) if self._again(state) else ()
        short = () if qualifies(state, self.seat, self.line) else (rules.compile.NOT_STOPPED_MIDWAY,)
        return (*self.rules, *again, *short)

    def offers(self, state: State) -> Iterator[Event]:
        yield Deleted(seq=0, cards=tuple(line_cards(state, self.line)))


def line_cards(state: State, line: int) -> list[str]:
    """Every card of a line, both sides."""
    return [lain.card for side in (state.a, state.b) for lain in side.lines[line - 1]]


class Reward(Option[State]):
    """The top card of the opponent's deck, for a recompile."""

    event = Drew
    rules = (rules.recompile.REWARD, rules.recompile.CARD_CHANGES_HANDS, rules.recompile.PROTOCOL_STAYS)

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def refusals(self, state: State, event: Drew) -> tuple[Broken, ...]:  # type: ignore[override]
        broken = draw_refused(state, event, self.seat, opponent(self.seat), 1)
        return (Broken(rules.recompile.REWARD, broken[0].key, broken[0].data),) if broken else ()

    def offers(self, state: State) -> Iterator[Event]:
        yield drawn(state, self.seat, opponent(self.seat), 1)


class DiscardToLimit(Option[State]):
    """What is above five goes to the trash, as one event."""

    event = Discarded
    rules = (rules.cache.FIVE_CARD_LIMIT, rules.discard.PLAYER_PICKS, rules.discard.ONE_EVENT_PER_INSTRUCTION)

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def surplus(self, state: State) -> int:
        """How many cards are above the limit."""
        return max(0, len(state.side(self.seat).hand) - HAND_LIMIT)

    def refusals(self, state: State, event: Discarded) -> tuple[Broken, ...]:  # type: ignore[override]
        surplus = self.surplus(state)
        return discard_refused(state, event, self.seat, surplus, surplus, rules.cache.FIVE_CARD_LIMIT)

    def offers(self, state: State) -> Iterator[Event]:
        yield from discards(state, self.seat, self.surplus(state), self.surplus(state))


def reach_of_origin(state: State, card: str) -> int | str:
    """Where a card on its way set out, as a log writes it."""
    place = spot(state, card)
    return place.line if place else "hand"
