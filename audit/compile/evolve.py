"""The position after a fact: one function an event type. Trusts what it is told and never judges.

A fact that the newest thing under way was waiting for carries it forward, even where it was done wrongly: the
wrong card deleted is still the deletion. A fact nobody waited for just happens.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

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
    Drafted,
    Drew,
    Flipped,
    GameEnded,
    GameWon,
    Identified,
    Landed,
    OwnerChanged,
    Passed,
    PhaseBegan,
    Played,
    Rearranged,
    Recompiled,
    Refreshed,
    Reshuffled,
    Resolved,
    Returned,
    Revealed,
    Shifted,
    Triggered,
    TurnBegan,
    Uncovered,
)
from audit.compile.moves import (
    arrived,
    lift,
    named,
    renamed,
    taken_from,
    text_moved,
    with_hand,
    without_lost,
)
from audit.compile.procedures import control_is_up, line_cards, to_draw
from audit.compile.progress import carried_out, done_once, go_on, instructions, not_carried_out, step_of
from audit.compile.readings import ALL_LAYS_BARE, DELETION_NOT_COMMITTED, LANDS_BEFORE_EXPOSED, RETURNS_COMMIT
from audit.compile.state import (
    ALL_CARDS,
    DEEPEST,
    UNKNOWN,
    Clearing,
    Compiling,
    Due,
    Frame,
    Lain,
    Leaving,
    Moment,
    Refreshing,
    State,
    Text,
    Trip,
    is_known,
    opponent,
    popped,
    pushed,
    spot,
    swapped,
    trips,
    with_line,
    with_side,
)
from audit.compile.texts import STEPS, WAITING, middle, waiting
from audit.compile.under_way import live
from audit.compile.verbs import drawn_count, empty_lines, returned_cards
from audit.compile.words import ALL
from audit.model import Event


def evolve(state: State, event: Event) -> State:
    """The position after the event and everything that then needs no word."""
    kind = type(event)
    if kind not in _HAPPENS:
        return state
    after = _HAPPENS[kind](state, event)
    if state.skipped and after.skipped is state.skipped and kind not in _SAYS_NOTHING:
        after = replace(after, skipped=())
    if state.fresh and after.fresh is state.fresh and kind not in _REPEATS:
        after = replace(after, fresh=())
    return settle(after) if after.stack else after


_REPEATS = (Committed, Landed)
_SAYS_NOTHING = (PhaseBegan, TurnBegan, Resolved)


def settle(state: State) -> State:
    """Go on with everything under way that needs no word."""
    while state.stack:
        frame = state.stack[-1]
        after = _SETTLES[type(frame)](state, frame) if type(frame) in _SETTLES else None
        if after is None:
            return state
        state = after
    return state


def _settle_due(state: State, due: Due) -> State | None:
    moments = live(state, due.moments)
    if not moments:
        return popped(state)
    return None if len(moments) == len(due.moments) else swapped(state, replace(due, moments=moments))


def _settle_leaving(state: State, leaving: Leaving) -> State | None:
    if leaving.bare:
        return None
    return arrived(popped(state), leaving.cards, leaving.to) if leaving.cards else popped(state)


def _settle_trip(state: State, trip: Trip) -> State | None:
    """A card committed later to the same stack waits until the earlier one has landed (committed.queue)."""
    if not trip.committed or (trip.bare and LANDS_BEFORE_EXPOSED.name not in state.switches):
        return None
    for index, frame in enumerate(state.stack[:-1]):
        if type(frame) is Trip and frame.committed and _same_place(frame, trip) and frame.order < trip.order:
            rest = state.stack[:-1]
            return replace(state, stack=(*rest[:index], trip, *rest[index:]))
    return None


def _same_place(one: Trip, other: Trip) -> bool:
    return (one.seat, one.line) == (other.seat, other.line)


def _settle_refresh(state: State, frame: Refreshing) -> State | None:
    side = state.side(frame.seat)
    if frame.control or frame.choice or (to_draw(state, frame.seat) and (side.deck or side.trash)):
        return None
    return popped(state)


def _settle_compile(state: State, frame: Compiling) -> State | None:
    if control_is_up(state, frame):
        return None
    if not frame.asked:
        return _ask_to_escape(state, frame)
    if not frame.deleted:
        return None if line_cards(state, frame.line) else swapped(state, replace(frame, deleted=True))
    return _turn_protocol(state, frame)


def _ask_to_escape(state: State, frame: Compiling) -> State:
    """Texts that stand in for the deletion come before it."""
    here = set(line_cards(state, frame.line))
    moments = tuple(
        moment
        for seat in (frame.seat, opponent(frame.seat))
        for moment in waiting(state, seat, "before_compile_delete")
        if moment.card in here
    )
    asked = swapped(state, replace(frame, asked=True))
    return pushed(asked, Due(moments, frame.why)) if moments else asked


def _turn_protocol(state: State, frame: Compiling) -> State | None:
    side = state.side(frame.seat)
    protocol = side.protocols[frame.line - 1]
    if protocol not in side.compiled:
        return popped(with_side(state, frame.seat, replace(side, compiled=side.compiled | {protocol})))
    theirs = state.side(opponent(frame.seat))
    return None if theirs.deck or theirs.trash else popped(state)


_SETTLES: dict[type[Frame], Callable[..., State | None]] = {
    Text: go_on,
    Due: _settle_due,
    Leaving: _settle_leaving,
    Trip: _settle_trip,
    Refreshing: _settle_refresh,
    Compiling: _settle_compile,
}


# Who waited for it


def _current(state: State, *verbs: str) -> Text | None:
    """The text acting now, if its next instruction is one of these; a choice counts by its branches."""
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Text:
        return None
    step = step_of(frame)
    if step.verb in verbs or any(branch[0].verb in verbs for branch in step.options):
        return frame
    return None


def _branch(text: Text, verb: str) -> Text:
    """The text with the branch chosen that begins with this verb, if there is a choice to make."""
    for index, branch in enumerate(step_of(text).options):
        if branch[0].verb == verb:
            return replace(text, option=index)
    return text


def _advance(state: State, verb: str, card: str | None, number: int = 1) -> State:
    """The text that waited for this, carried forward."""
    text = _current(state, verb)
    if text is None:
        return state
    text = _branch(text, verb)
    if text.todo is None:
        return swapped(state, carried_out(text, card, number))
    place = spot(state, card) if card else None
    what: str | int = place.line if place and step_of(text).in_lines else card or ""
    return swapped(state, done_once(text, what, card or ""))


def _why(state: State, event: Event) -> tuple[int, ...]:
    """The seqs that lead to what the event sets going, nearest first."""
    under = state.stack[-1].why if state.stack else ()
    return (event.seq, *under[:DEEPEST]) if event.seq else under


def _woken(state: State, moments: tuple[Moment, ...], why: tuple[int, ...]) -> State:
    return pushed(state, Due(moments, why)) if moments else state


# Set-up and the parts of a turn


def _drafted(state: State, event: Drafted) -> State:
    state = replace(state, draft=(*(state.draft or ()), event.protocol))
    side = state.side(event.player)
    if event.protocol in side.protocols:
        return state
    return with_side(state, event.player, replace(side, protocols=(*side.protocols, event.protocol)))


def _turn_began(state: State, event: TurnBegan) -> State:
    fresh = replace(state, turn=event.turn, player=event.player, stack=(), skipped=())
    return _begin(fresh, "start")


def _phase_began(state: State, event: PhaseBegan) -> State:
    return state if event.phase == state.phase else _begin(state, event.phase)


def _begin(state: State, phase: str) -> State:
    """A part of the turn begins; Start and End texts are fixed now (start-end.no-latecomers)."""
    due = waiting(state, state.player, phase) if phase in ("start", "end") else ()
    acted = state.acted if phase == "action" and state.acted == "compiled" else ""
    return replace(state, phase=phase, due=due, acted=acted, stack=())


def _control_taken(state: State, event: ControlTaken) -> State:
    return replace(state, control=event.player)


def _control_reset(state: State, event: ControlReset) -> State:
    state = replace(state, control=None)
    frame = state.stack[-1] if state.stack else None
    if type(frame) is Refreshing or type(frame) is Compiling:
        return swapped(state, replace(frame, control=False, choice=True))
    return state


def _rearranged(state: State, event: Rearranged) -> State:
    side = state.side(event.side)
    return _choice_made(
        _advance(
            with_side(state, event.side, replace(side, protocols=event.protocols)),
            "swap" if _current(state, "swap") else "rearrange",
            None,
        )
    )


def _choice_made(state: State) -> State:
    frame = state.stack[-1] if state.stack else None
    if type(frame) is Refreshing or type(frame) is Compiling:
        return swapped(state, replace(frame, choice=False))
    return state


def _chose(state: State, event: Chose) -> State:
    if event.what == "rearrange" and event.accept is False:
        return _choice_made(state)
    text = _current(state, "delete", "return")
    if text is not None and event.what == "line" and event.line in empty_lines(state, text):
        return swapped(state, not_carried_out(text))
    return state


def _refreshed(state: State, event: Refreshed) -> State:
    why = _why(state, event)
    frame = Refreshing(event.player, state.control == event.player, why=why)
    if _current(state, "refresh"):
        return pushed(_advance(state, "refresh", None), frame)
    return pushed(replace(state, acted="refreshed"), frame)


def _compiled(state: State, event: Compiled | Recompiled) -> State:
    frame = Compiling(event.player, event.line, state.control == event.player, why=_why(state, event))
    return pushed(replace(state, acted="compiled", phase="compile"), frame)


def _cache_cleared(state: State, event: CacheCleared) -> State:
    return pushed(replace(state, acted="cleared"), Clearing(event.player, _why(state, event)))


def _passed(state: State, event: Passed) -> State:
    return replace(state, acted="passed")


def _game_won(state: State, event: GameWon) -> State:
    return replace(state, over=event.player, stack=())


def _game_ended(state: State, event: GameEnded) -> State:
    return replace(state, over=event.reason, stack=())


# Cards of hand and deck


def _drew(state: State, event: Drew) -> State:
    owner = event.deck or event.player
    deck = state.side(owner).deck
    cards = event.cards if event.cards is not None else deck[: drawn_count(event)]
    why = _why(state, event)
    state = with_side(state, owner, replace(state.side(owner), deck=taken_from(deck, cards)))
    state = with_hand(state, event.player, (*state.side(event.player).hand, *cards))
    if state.phase == "setup":
        return state
    state = _drawing_done(state, event, len(cards))
    return _woken(state, waiting(state, event.player, "after_you_draw") if cards else (), why)


def _drawing_done(state: State, event: Drew, number: int) -> State:
    frame = state.stack[-1] if state.stack else None
    if (type(frame) is Refreshing and not event.deck) or (type(frame) is Compiling and event.deck):
        return popped(state)
    text = _current(state, "draw")
    if text is None:
        return state
    return swapped(state, carried_out(text, None, number))


def _reshuffled(state: State, event: Reshuffled) -> State:
    side = state.side(event.player)
    if event.deck is None:
        deck = (*side.deck, *(UNKNOWN for _ in side.trash))
    else:
        deck = event.deck if len(event.deck) != len(side.trash) else (*side.deck, *event.deck)
    return with_side(state, event.player, replace(side, deck=deck[:ALL_CARDS], trash=()))


def _discarded(state: State, event: Discarded) -> State:
    why = _why(state, event)
    side = state.side(event.player)
    if event.from_ == "deck":
        side = replace(side, deck=taken_from(side.deck, event.cards))
    else:
        side = replace(side, hand=taken_from(side.hand, event.cards))
    trash = (*side.trash, *event.cards)[:ALL_CARDS]
    state = with_side(state, event.player, replace(side, trash=trash))
    frame = state.stack[-1] if state.stack else None
    moments = waiting(state, opponent(event.player), "after_opponent_discards") if event.cards else ()
    if type(frame) is Clearing:
        moments = (*waiting(state, event.player, "after_you_clear_cache"), *moments)
        return _woken(popped(state), moments, why)
    return _woken(_advance(state, "discard", None, len(event.cards)), moments, why)


def _owner_changed(state: State, event: OwnerChanged) -> State:
    giver = state.side(event.from_)
    if event.why == "recompile":
        known = event.card in state.side(event.to).hand
        return state if known else _reward_taken(state, event)
    state = with_hand(state, event.from_, taken_from(giver.hand, (event.card,)))
    state = with_hand(state, event.to, (*state.side(event.to).hand, event.card))
    return _advance(state, "give" if event.why == "gave" else "take", event.card)


def _reward_taken(state: State, event: OwnerChanged) -> State:
    giver = state.side(event.from_)
    state = with_side(state, event.from_, replace(giver, deck=taken_from(giver.deck, (event.card,))))
    state = with_hand(state, event.to, (*state.side(event.to).hand, event.card))
    return popped(state) if state.stack and type(state.stack[-1]) is Compiling else state


def _revealed(state: State, event: Revealed) -> State:
    if event.cards and event.is_:
        for handle, card in zip(event.cards, event.is_, strict=False):
            state = renamed(state, handle, card)
    elif event.cards and event.zone == "hand":
        state = named(state, event.player, event.cards)
    cards = event.is_ or event.cards or ()
    return _advance(state, "reveal", cards[0] if len(cards) == 1 else None, len(cards) or 1)


def _identified(state: State, event: Identified) -> State:
    return renamed(state, event.card, event.is_)


# Cards of the field


def _played(state: State, event: Played) -> State:
    why = _why(state, event)
    text = _current(state, "play")
    under = text.card if text and step_of(text).at == "under_this" else None
    trip = Trip(
        event.card,
        event.face == "up",
        event.player,
        event.line,
        event.from_,
        played=True,
        under=under,
        why=why,
    )
    if text is not None:
        state = _played_by(state, text, event)
    elif not state.stack:
        state = replace(state, acted="played")
    return pushed(state, trip)


def _played_by(state: State, text: Text, event: Played) -> State:
    if text.todo is None:
        return swapped(state, carried_out(text, event.card))
    what: str | int = event.line if step_of(text).in_lines else ""
    return swapped(state, done_once(text, what, event.card))


def _shifted(state: State, event: Shifted) -> State:
    place = spot(state, event.card)
    if place is None:
        return _advance(state, "shift", event.card)
    why = _why(state, event)
    text = _current(state, "shift")
    trip = Trip(event.card, place.up, place.seat, event.to, place.line, played=False, why=why)
    if text is None or not step_of(text).together:
        return pushed(_advance(state, "shift", event.card), trip)
    return _shifted_together(state, text, event, why)


def _shifted_together(state: State, text: Text, event: Shifted, why: tuple[int, ...]) -> State:
    """A group is announced card by card and then leaves as one (card.light-3)."""
    group = (*text.taken, event.card)
    after = done_once(replace(text, aim=event.to), event.card, event.card)
    state = swapped(state, after)
    if after.todo is not None:
        return state
    trips = []
    for order, card in enumerate(group):
        if place := spot(state, card):
            trips.append(
                Trip(
                    card,
                    place.up,
                    place.seat,
                    event.to,
                    place.line,
                    played=False,
                    committed=True,
                    order=order,
                    freed=not place.uncovered,
                    why=why,
                )
            )
    state, bare = lift(state, group, for_good=False)
    trips[0] = replace(trips[0], bare=bare)
    return pushed(state, *reversed(trips))


def _committed(state: State, event: Committed) -> State:
    trip = state.stack[-1] if state.stack else None
    if type(trip) is not Trip or trip.committed or trip.card != event.card:
        return state
    order = sum(1 for _ in trips(state)) if len(state.stack) > 1 else 0
    if not isinstance(trip.origin, int):
        return swapped(_without_played(state, trip), replace(trip, committed=True, order=order))
    place = spot(state, trip.card)
    freed = place is not None and not place.uncovered
    state, bare = lift(state, (trip.card,), for_good=False)
    return swapped(state, replace(trip, committed=True, bare=bare, order=order, freed=freed))


def _without_played(state: State, trip: Trip) -> State:
    """The hand or deck the card is played from, without it."""
    side = state.side(trip.seat)
    if trip.origin == "deck":
        return with_side(state, trip.seat, replace(side, deck=taken_from(side.deck, (trip.card,))))
    return with_side(state, trip.seat, replace(side, hand=taken_from(side.hand, (trip.card,))))


def _uncovered(state: State, event: Uncovered) -> State:
    frame = state.stack[-1] if state.stack else None
    if not isinstance(frame, Trip | Leaving) or event.card not in frame.bare:
        return state
    why = _why(state, event)
    bare = tuple(card for card in frame.bare if card != event.card)
    woken = (*frame.woken, *middle(state, event.card, "uncovered"))
    if bare:
        return swapped(state, replace(frame, bare=bare, woken=woken))
    return _woken(swapped(state, replace(frame, bare=(), woken=())), woken, why)


def _covered(state: State, event: Covered) -> State:
    trip = state.stack[-1] if state.stack else None
    if type(trip) is not Trip:
        return state
    why = _why(state, event)
    state = swapped(state, replace(trip, warned=(*trip.warned, event.card)))
    moments = tuple(m for m in waiting(state, trip.seat, "before_covered") if m.card == event.card)
    return _woken(state, moments, why)


def _landed(state: State, event: Landed) -> State:
    trip = state.stack[-1] if state.stack else None
    if type(trip) is not Trip or not trip.committed or trip.card != event.card:
        return state
    why = _why(state, event)
    stack = state.side(trip.seat).lines[trip.line - 1]
    state = with_line(popped(state), trip.seat, trip.line, _laid(stack, Lain(trip.card, trip.up), trip.under))
    if stack and not trip.under:
        state = without_lost(state, stack[-1].card)
    if trip.bare:
        return pushed(state, Leaving((), "", trip.bare, why=why))
    if not trip.played:
        state = text_moved(state, trip.card, trip.line)
    moments = middle(state, trip.card, "played" if trip.played else "uncovered") if trip.played or trip.freed else ()
    return _woken(state, moments, why)


def _laid(stack: tuple[Lain, ...], lain: Lain, under: str | None) -> tuple[Lain, ...]:
    if under is None:
        return (*stack, lain)
    index = next((i for i, there in enumerate(stack) if there.card == under), len(stack))
    return (*stack[:index], lain, *stack[index:])


def _flipped(state: State, event: Flipped) -> State:
    if event.is_ and not is_known(event.card):
        state = renamed(state, event.card, event.is_)
    card = event.is_ or event.card
    why = _why(state, event)
    place = spot(state, card)
    text = _current(state, "flip")
    group = text is not None and step_of(text).count == ALL
    if place is not None:
        stack = state.side(place.seat).lines[place.line - 1]
        turned = (*stack[: place.index], Lain(card, event.face == "up"), *stack[place.index + 1 :])
        state = with_line(state, place.seat, place.line, turned)
        if event.face == "down":
            state = without_lost(state, card)
    state = _advance(state, "flip", card)
    moments = (*middle(state, card, "flipped"), *_answer_to_flip(card, place.seat)) if place else ()
    if group and moments and type(state.stack[-1]) is Text and state.stack[-1].todo is not None:
        return replace(state, stack=(*state.stack[:-1], Due(moments, why), state.stack[-1]))
    return _woken(state, moments, why)


def _answer_to_flip(card: str, seat: str) -> tuple[Moment, ...]:
    if card not in WAITING["flipped"]:
        return ()
    box, entry = WAITING["flipped"][card]
    return (Moment(card, box, entry, "flipped", seat),)


def _deleted(state: State, event: Deleted) -> State:
    why = _why(state, event)
    frame = state.stack[-1] if state.stack else None
    text = _current(state, "delete")
    actor = (text.seat if step_of(text).who == "you" else opponent(text.seat)) if text else None
    silent = text is not None and step_of(text).count == ALL and ALL_LAYS_BARE.name not in state.switches
    if type(frame) is Compiling:
        state = swapped(state, replace(frame, deleted=True))
    elif text is not None:
        last = event.cards[-1] if event.cards else None
        state = _advance(state, "delete", last, len(event.cards))
    return _leave(state, event.cards, "trash", why, actor, silent)


def _leave(
    state: State, cards: tuple[str, ...], to: str, why: tuple[int, ...], actor: str | None, silent: bool = False
) -> State:
    """Cards go off the field; what waits for it comes after everything that follows from it."""
    going = tuple((card, place.seat) for card in cards if (place := spot(state, card)))
    if not going:
        return state
    state, bare = lift(state, tuple(card for card, _ in going))
    if actor and to == "trash":
        state = _woken(state, waiting(state, actor, "after_you_delete"), why)
    bare = () if silent else bare
    if bare and _is_committed(state, to):
        return pushed(state, Leaving(going, to, bare, why=why))
    state = arrived(state, going, to)
    return pushed(state, Leaving((), to, bare, why=why)) if bare else state


def _is_committed(state: State, to: str) -> bool:
    """Whether cards leaving the field for there are on their way while the texts they lay bare act."""
    switch = DELETION_NOT_COMMITTED.name if to == "trash" else RETURNS_COMMIT.name
    return (switch in state.switches) == (to != "trash")


def _returned(state: State, event: Returned) -> State:
    why = _why(state, event)
    text = _current(state, "return")
    cards = returned_cards(event)
    if text is None or step_of(text).count != ALL or event.cards is not None:
        state = _advance(state, "return", cards[-1] if cards else None, len(cards))
        return _leave(state, cards, "hand", why, None)
    return _returned_one_by_one(state, text, cards[0] if cards else "", why)


def _returned_one_by_one(state: State, text: Text, card: str, why: tuple[int, ...]) -> State:
    """All cards of a line go at once, though a log may list them one by one."""
    if text.todo is None:
        place = spot(state, card)
        offers = instructions(text)[0].offers(state)
        line = next((o for o in offers if isinstance(o, Returned) and card in returned_cards(o)), None)
        todo = returned_cards(line) if line and place else (card,)
        text = replace(text, todo=todo)
    after = done_once(text, card, card)
    state = swapped(state, after)
    return state if after.todo is not None else _leave(state, (*text.taken, card), "hand", why, None)


# Texts


def _triggered(state: State, event: Triggered) -> State:
    why = _why(state, event)
    frame = state.stack[-1] if state.stack else None
    moments = frame.moments if type(frame) is Due else state.due if not state.stack else ()
    moment = next((m for m in moments if (m.card, m.box) == (event.card, event.command)), None)
    if moment is None:
        return _begun_unasked(state, event, why)
    rest = tuple(m for m in moments if m is not moment)
    if type(frame) is Due:
        state = swapped(state, replace(frame, moments=rest)) if rest else popped(state)
    else:
        state = replace(state, due=rest)
    return _begun(state, moment, why)


def _begun(state: State, moment: Moment, why: tuple[int, ...]) -> State:
    place = spot(state, moment.card)
    line = place.line if place else 0
    return pushed(state, Text(moment.card, moment.box, moment.entry, moment.seat, line, on=moment.on, why=why))


def _begun_unasked(state: State, event: Triggered, why: tuple[int, ...]) -> State:
    """A text carried out though it was not due: what it does still follows."""
    entry = next((e for card, box, e in STEPS if (card, box) == (event.card, event.command)), None)
    place = spot(state, event.card)
    if entry is None or place is None:
        return state
    return _begun(state, Moment(event.card, event.command, entry, event.on or "unasked", place.seat), why)


def _resolved(state: State, event: Resolved) -> State:
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Text or (frame.card, frame.box) != (event.card, event.command):
        return state
    if event.outcome == "stopped":
        return popped(state)
    if event.outcome != "done":
        return swapped(state, not_carried_out(frame))
    if step_of(frame).verb != "bar":
        return state
    barred = opponent(frame.seat) if step_of(frame).side == "opponent" else frame.seat
    turn = state.turn + (1 if barred != state.player else 2)
    return swapped(replace(state, barred=((barred, turn),)), carried_out(frame, None))


_HAPPENS: dict[type[Event], Callable[..., State]] = {
    Drafted: _drafted,
    TurnBegan: _turn_began,
    PhaseBegan: _phase_began,
    Played: _played,
    Committed: _committed,
    Covered: _covered,
    Uncovered: _uncovered,
    Landed: _landed,
    Triggered: _triggered,
    Resolved: _resolved,
    Chose: _chose,
    Drew: _drew,
    Discarded: _discarded,
    Flipped: _flipped,
    Shifted: _shifted,
    Deleted: _deleted,
    Returned: _returned,
    Revealed: _revealed,
    Identified: _identified,
    OwnerChanged: _owner_changed,
    Rearranged: _rearranged,
    Refreshed: _refreshed,
    Reshuffled: _reshuffled,
    CacheCleared: _cache_cleared,
    ControlTaken: _control_taken,
    ControlReset: _control_reset,
    Compiled: _compiled,
    Recompiled: _compiled,
    Passed: _passed,
    GameWon: _game_won,
    GameEnded: _game_ended,
}
