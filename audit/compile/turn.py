"""The turn of Compile: which option stands at which moment, and the rules that say so.

Reads like the book: the parts of a turn in their order, then what is under way on top of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from audit.catalogue import Rule
from audit.compile import rules
from audit.compile.clarified import CARD_RULES
from audit.compile.criteria import not_in_hand, place_refused, places
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
from audit.compile.progress import instructions, is_lost, step_of
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
    opponent,
    spot,
    top_of,
)
from audit.compile.texts import passives
from audit.compile.totals import TO_COMPILE, compilable, takes_control, total
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


def options(state: State) -> Iterator[Option[State]]:
    """What may or must come next, leaving aside what only repeats what is known (see `echoes`)."""
    if state.over:
        return
    if state.stack:
        yield from _under_way(state)
    elif winner := won(state):
        yield Exactly(GameWon(seq=0, player=winner), rules.victory.THREE_COMPILED)
    else:
        yield from _PHASES[state.phase](state)


def won(state: State) -> str | None:
    """Who has all three protocols on the compiled side."""
    return next((seat for seat in SEATS if len(state.side(seat).compiled) == 3), None)


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


def start(state: State) -> Iterator[Option[State]]:
    """Start texts, in the order the player likes; then control is checked."""
    yield from _texts_due(state) or (_marker(state),)


def control(state: State) -> Iterator[Option[State]]:
    """Who leads in two lines takes the control component."""
    if takes_control(state, state.player):
        yield CONTROL
    else:
        yield _marker(state)


def compile_(state: State) -> Iterator[Option[State]]:
    """Who can compile has to, once; then there is no action."""
    if state.acted:
        after = "end" if COMPILE_ENDS_TURN.name in state.switches else "cache"
        yield _phase(after, rules.turn.CACHE_AFTER_COMPILE, rules.turn.COMPILE_INSTEAD_OF_ACTION)
    elif compilable(state, state.player) and not is_barred(state, state.player):
        yield COMPILE
        yield RECOMPILE
    else:
        yield _marker(state)


def action(state: State) -> Iterator[Option[State]]:
    """One card from hand, or a refresh."""
    if state.acted:
        yield _phase("end", rules.turn.STUCK_PLAYER) if state.acted == "passed" else _marker(state)
    elif next(PLAY.offers(state), None) is None and not can_refresh(state, state.player):
        yield Exactly(Passed(seq=0, player=state.player), rules.turn.STUCK_PLAYER)
    else:
        yield PLAY
        yield REFRESH


def cache(state: State) -> Iterator[Option[State]]:
    """More than five cards are discarded down to five."""
    if not state.acted and len(state.side(state.player).hand) > HAND_LIMIT and not skips_cache(state):
        yield CLEAR
    else:
        yield _marker(state)


def end(state: State) -> Iterator[Option[State]]:
    """End texts, in the order the player likes; then the other player's turn."""
    yield from _texts_due(state) or (_next_turn(state),)


def _next_turn(state: State) -> Option[State]:
    began = TurnBegan(seq=0, player=state.other, turn=state.turn + 1)
    return Exactly(began, rules.turn.PHASE_ORDER, need=Need.MARKER)


def _marker(state: State) -> Option[State]:
    return _phase(NEXT_PHASE[state.phase], rules.turn.PHASE_ORDER)


@lru_cache
def _phase(name: str, *why: Rule) -> Option[State]:
    return Exactly(PhaseBegan(seq=0, phase=name), *why, need=Need.MARKER)  # type: ignore[arg-type]


def _texts_due(state: State) -> tuple[Option[State], ...]:
    return due_options(state, live(state, state.due))


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
        return draw_refused(state, event, self.seat, self.seat, OPENING_HAND - len(state.side(self.seat).hand))

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

    def offers(self, state: State) -> Iterator[Event]:
        if takes_control(state, state.player):
            yield ControlTaken(seq=0, player=state.player)


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
            rule = rules.recompile.POSSIBLE if self._compiled(state, line) else rules.compile.TURNS_PROTOCOL
            return Broken(rule, "compile.again", {"line": line})
        return None

    def _compiled(self, state: State, line: int) -> bool:
        side = state.side(state.player)
        return side.protocols[line - 1] in side.compiled

    def offers(self, state: State) -> Iterator[Event]:
        for line in compilable(state, state.player):
            if self._compiled(state, line) == self.again:
                yield self.event(seq=0, player=state.player, line=line)  # type: ignore[call-arg]


_PLAYED = (rules.turn.ONE_ACTION, rules.play.ON_OWN_SIDE, rules.play.FACE_CHOSEN_BY_PLAYER)
_FACE_UP = (rules.play.FACE_UP_NEEDS_PROTOCOL, *_PLAYED)
_FACE_UP_THEIRS = (*_FACE_UP, rules.owner.FACE_UP_AT_OPPONENTS_PROTOCOL)
_FACE_DOWN = (rules.play.FACE_DOWN_ANY_LINE, *_PLAYED)


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
        if event.face == "down":
            return _FACE_DOWN
        if event.card.rpartition("-")[0] in state.side(event.player).protocols:
            return _FACE_UP
        return _FACE_UP_THEIRS

    def offers(self, state: State) -> Iterator[Event]:
        for card in dict.fromkeys(state.side(state.player).hand):
            for line, face in places(state, state.player, card):
                yield Played(seq=0, player=state.player, card=card, line=line, face=face)  # type: ignore[arg-type]


def moment_refused(state: State, player: str) -> Broken | None:
    """Why that player cannot take the action of the turn now."""
    if player != state.player:
        return wrong_player(state.player, player, rules.turn.ONE_ACTION)
    if state.acted == "compiled":
        return Broken(rules.turn.COMPILE_INSTEAD_OF_ACTION, "action.compiled", {"player": player})
    if state.phase == "action" and state.acted:
        return Broken(rules.turn.ONE_ACTION, "action.second", {"player": player})
    if state.phase in ("cache", "end"):
        return Broken(rules.turn.PHASE_ORDER, "action.when", {"phase": state.phase})
    return None


class RefreshHand(Option[State]):
    """The hand is filled up to five."""

    event = Refreshed
    rules = (rules.refresh.UP_TO_FIVE, rules.turn.ONE_ACTION, rules.refresh.ONLY_UNDER_FIVE)

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
COMPILE = CompileLine(Compiled, rules.compile.MANDATORY, rules.compile.TEN_OR_MORE, rules.compile.BEATS_OPPONENT)
RECOMPILE = CompileLine(Recompiled, rules.recompile.POSSIBLE, rules.compile.MANDATORY, rules.compile.BEATS_OPPONENT)
PLAY = PlayFromHand()
REFRESH = RefreshHand()
CLEAR = ClearCache()


# What is under way


def _under_way(state: State) -> Iterator[Option[State]]:
    frame = state.stack[-1]
    if type(frame) is Text:
        yield from text_options(state, frame)
    elif type(frame) is Trip:
        yield trip_option(state, frame)
    elif type(frame) is Due:
        yield from due_options(state, frame.moments)
    elif type(frame) is Leaving:
        yield Exactly(Uncovered(seq=0, card=frame.bare[0]), *_UNCOVERED)
    elif type(frame) is Refreshing:
        yield from refresh_options(state, frame)
    elif type(frame) is Compiling:
        yield from compile_options(state, frame)
    elif type(frame) is Clearing:
        yield DiscardToLimit(frame.seat)


def text_options(state: State, text: Text) -> Iterator[Option[State]]:
    """The next instruction of a text, or why it is not carried out."""
    if is_lost(state, text):
        yield _over(text, "stopped", rules.interrupt.LOST_TEXT_DROPPED)
        return
    step = step_of(text)
    ready = [option for option in instructions(text) if option.ready(state, text)]
    if not ready:
        yield _over(text, "impossible", rules.effects.AS_FAR_AS_POSSIBLE, *_why_impossible(step.verb, step.source))
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


def _why_impossible(verb: str, source: str) -> tuple[Rule, ...]:
    if verb == "discard":
        return (rules.discard.EMPTY_HAND,)
    if verb == "play" and source == "deck":
        return (rules.deck.TOP_CARD_EFFECTS_FAIL,)
    return ()


def _reshuffle_for(state: State, text: Text, option: Option[State]) -> Option[State] | None:
    if not isinstance(option, DrawCards):
        return None
    seat = deck_of(option.step, option.actor(text))
    return reshuffle(state, seat, draw_number(state, text, option.step))


def reshuffle(state: State, seat: str, number: int) -> Option[State] | None:
    """The new deck that has to be made before so many cards are drawn, if one has to."""
    side = state.side(seat)
    return MakeDeck(seat) if len(side.deck) < number and side.trash else None


class MakeDeck(Option[State]):
    """The trash is shuffled into a new deck, because cards have to be drawn."""

    event = Reshuffled
    rules = (rules.deck.RESHUFFLE_ON_DRAW, rules.deck.ONLY_DRAWING_RESHUFFLES)

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def refusals(self, state: State, event: Reshuffled) -> tuple[Broken, ...]:  # type: ignore[override]
        if event.player != self.seat:
            return (wrong_player(self.seat, event.player, rules.deck.RESHUFFLE_ON_DRAW),)
        side = state.side(self.seat)
        if event.deck is None or sorted(event.deck) in (
            sorted(side.trash),
            sorted((*side.deck, *side.trash)),
        ):
            return ()
        return (Broken(rules.owner.THROUGH_ALL_ZONES, "reshuffle.cards", {"player": self.seat}),)

    def offers(self, state: State) -> Iterator[Event]:
        yield Reshuffled(seq=0, player=self.seat)


_COMMITTED = (rules.committed.LEAVES_FIRST, rules.committed.ANY_CHANGE_OF_PLACE)
_UNCOVERED = (
    rules.cover.UNCOVERED_CARD,
    rules.shift.LAYS_BARE_CARD_BELOW,
    rules.committed.EXPOSED_TEXT_FIRST,
)
_COVERED = (rules.cover_trigger.BEFORE_COVERING, rules.cover_trigger.ANY_WAY_OF_COVERING)
_LANDED = (
    rules.committed.LANDS_REGARDLESS,
    rules.committed.KEEPS_FACING,
    rules.committed.ANNOUNCED_LINE_STANDS,
)


def trip_option(state: State, trip: Trip) -> Option[State]:
    """The next leg of a card's way to a line."""
    if not trip.committed:
        return Exactly(Committed(seq=0, card=trip.card, from_=trip.origin, to=trip.line), *_COMMITTED)
    if trip.bare and LANDS_BEFORE_EXPOSED.name not in state.switches:
        return Exactly(Uncovered(seq=0, card=trip.bare[0]), *_UNCOVERED)
    below = top_of(state, trip.seat, trip.line)
    if below and not trip.under and below.card not in trip.warned:
        return Exactly(Covered(seq=0, card=below.card, by=trip.card), *_COVERED)
    return Exactly(Landed(seq=0, card=trip.card, line=trip.line), *_LANDED)


_MOMENTS: dict[str, tuple[Rule, ...]] = {
    "played": (rules.play.MIDDLE_TEXT_RESOLVED, rules.text.MIDDLE_AT_ONCE),
    "flipped": (rules.text.MIDDLE_AT_ONCE, rules.text.WAYS_IN, rules.interrupt.NEWEST_GOES_FIRST),
    "uncovered": (rules.text.MIDDLE_AT_ONCE, rules.text.WAYS_IN, rules.interrupt.NEWEST_GOES_FIRST),
    "before_covered": (rules.cover_trigger.BEFORE_COVERING, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
    "start": (rules.start_end.OWN_VISIBLE_TEXT, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
    "end": (rules.start_end.OWN_VISIBLE_TEXT, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
    "before_compile_delete": (rules.compile.SILENT_DELETION, rules.text.OUTER_BOXES_WHEN_THEY_SAY),
}
_AFTER = (rules.after.WAITS_FOR_THE_WHOLE_EVENT, rules.text.OUTER_BOXES_WHEN_THEY_SAY)


class Trigger(Option[State]):
    """A text comes into force, or its moment has come."""

    event = Triggered
    ordering = True

    def __init__(self, moment: Moment, *order: Rule) -> None:
        self.moment = moment
        self.rules = (*_MOMENTS.get(moment.on, _AFTER), *order, *CARD_RULES.get(moment.card, ()))

    def refusals(self, state: State, event: Triggered) -> tuple[Broken, ...]:  # type: ignore[override]
        moment = self.moment
        if event.card == moment.card and event.command == moment.box:
            return ()
        return (Broken(self.rules[0], "triggered.other", {"card": moment.card, "box": moment.box}),)

    def offers(self, state: State) -> Iterator[Event]:
        moment = self.moment
        yield Triggered(seq=0, card=moment.card, command=moment.box, on=moment.on)


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
    )

    def __init__(self, seat: str) -> None:
        self.seat = seat

    def refusals(self, state: State, event: Rearranged) -> tuple[Broken, ...]:  # type: ignore[override]
        if event.by is not None and event.by != self.seat:
            return (wrong_player(self.seat, event.by, rules.control.REARRANGEMENT_IS_A_CHOICE),)
        return rearrangement_refused(state, event, swap=False)

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
            return (Broken(rules.refresh.UP_TO_FIVE, "refresh.number", broken[0].data), *broken)
        return broken

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
        yield reshuffle(state, frame.seat, to_draw(state, frame.seat)) or FillHand(frame.seat)


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
        yield EmptyLine(frame.line)
    else:
        yield reshuffle(state, opponent(frame.seat), 1) or Reward(frame.seat)


class EmptyLine(Option[State]):
    """All cards of the compiled line leave at the same moment."""

    event = Deleted
    rules = (
        rules.compile.CLEARS_BOTH_SIDES,
        rules.compile.DELETES_AS_ONE_EVENT,
        rules.compile.STEPS_IN_ORDER,
    )

    def __init__(self, line: int) -> None:
        self.line = line

    def refusals(self, state: State, event: Deleted) -> tuple[Broken, ...]:  # type: ignore[override]
        wanted = line_cards(state, self.line)
        if sorted(wanted) == sorted(event.cards):
            return ()
        stranger = next((card for card in event.cards if card not in wanted), None)
        rule = rules.compile.DELETES_AS_ONE_EVENT if stranger is None else rules.compile.CLEARS_BOTH_SIDES
        return (Broken(rule, "compile.cards", {"cards": wanted, "line": self.line}),)

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
