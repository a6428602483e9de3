"""The slips of a real table of Compile, planted one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from audit.compile.clarified import CARD_RULES
from audit.compile.events import (
    CacheCleared,
    Chose,
    Compiled,
    ControlReset,
    ControlTaken,
    Deleted,
    Discarded,
    Drew,
    Flipped,
    GameWon,
    PhaseBegan,
    Played,
    Rearranged,
    Recompiled,
    Refreshed,
    Reshuffled,
    Resolved,
    Returned,
    Shifted,
    Triggered,
    TurnBegan,
)
from audit.compile.progress import instructions, is_lost, step_of
from audit.compile.state import LINES, Due, State, Text, committed, field_spots, opponent, spot
from audit.compile.texts import STEPS, WAITING, steps_of
from audit.compile.totals import takes_control, total
from audit.compile.turn import options
from audit.compile.verbs.picking import Pick
from audit.model import Event
from bench.mistakes import LOOK_AFTER, Moment, Mutant, Plant, is_up, renumbered

PICKS = (Deleted, Flipped, Returned, Shifted)
WAITED = ("start", "end")
POOLS = (("fire", "speed", "light", "plague", "life", "love"),)
"""Protocols with many Start and End texts."""


def table(moment: Moment) -> State:
    """The position as Compile knows it."""
    return cast(State, moment.state)


def rules(*ids: str) -> frozenset[str]:
    """The rules that may be named first."""
    return frozenset(ids)


def at_action(state: State) -> bool:
    """The action of the turn is up."""
    return not state.stack and state.phase == "action" and not state.acted


def instead(moment: Moment, event: Event, *ids: str) -> Mutant:
    """The players do this instead of what they may, and play on. The acting card's own rules tell more than any."""
    frame = (table(moment).stack or (None,))[-1]
    own = [rule.id for rule in CARD_RULES.get(frame.card, ())] if type(frame) is Text else []
    return Mutant(moment.played_on(event), moment.index + 1, rules(*ids, *own))


before = instead


def wrong_line(moment: Moment) -> Iterator[Mutant]:
    event, state = moment.event, table(moment)
    if isinstance(event, Played) and event.from_ == "hand" and event.face == "up":
        protocol = event.card.rpartition("-")[0]
        for line in moment.random.sample(LINES, 3):
            if protocol not in (state.a.protocols[line - 1], state.b.protocols[line - 1]) and at_action(state):
                yield instead(moment, replace(event, line=line), "play.face-up-needs-protocol")


def wrong_face(moment: Moment) -> Iterator[Mutant]:
    event, state = moment.event, table(moment)
    if isinstance(event, Played) and event.face == "down" and event.from_ == "hand":
        turned = replace(event, face="up")
        if refused(state, turned):
            yield instead(moment, turned, "play.face-up-needs-protocol", "effects.cards-beat-rules")


def refused(state: State, event: Event) -> bool:
    """Whether the event is up and refused by every option of its type."""
    asked = [option for option in options(state) if option.event is type(event)]
    return bool(asked) and all(option.refusals(state, event) for option in asked)


def picking(state: State, event: Event) -> Pick | None:
    """The instruction that picks a card of the field by this event."""
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Text or is_lost(state, frame) or not isinstance(event, PICKS):
        return None
    found = [o for o in instructions(frame) if isinstance(o, Pick) and o.event is type(event)]
    return found[0] if found and step_of(frame).count == 1 else None


def with_card(event: Event, card: str, state: State) -> Event:
    """The same done to another card."""
    place = spot(state, card)
    if isinstance(event, Flipped):
        return replace(event, card=card, face="down" if place is None or place.up else "up")
    if isinstance(event, Deleted):
        return replace(event, cards=(card,))
    if isinstance(event, Returned):
        return replace(event, card=card, to=place.seat if place else event.to)
    if isinstance(event, Shifted) and place:
        to = next(line for line in LINES if line != place.line)
        return replace(event, card=card, from_=place.line, to=to)
    return event


def covered_target(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    pick = picking(state, moment.event)
    if pick and pick.target.cover == "uncovered" and not pick.target.ref and not pick.step.in_lines:
        for card, place in field_spots(state):
            if not place.uncovered and pick.target.owner == "any" and pick.target.face == "any":
                yield instead(moment, with_card(moment.event, card, state), "target.uncovered-by-default")


def committed_target(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    pick = picking(state, moment.event)
    if pick and not pick.target.ref:
        for card in committed(state):
            yield instead(moment, with_card(moment.event, card, state), "committed.not-a-target")


def wrong_owner(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    pick = picking(state, moment.event)
    if pick and pick.target.owner != "any" and pick.target.cover == "uncovered" and pick.target.face == "any":
        frame = cast(Text, state.stack[-1])
        for card, place in field_spots(state):
            if place.uncovered and (place.seat == frame.seat) != (pick.target.owner == "you"):
                yield instead(moment, with_card(moment.event, card, state), "target.both-sides")


def mandatory_not_done(moment: Moment) -> Iterator[Mutant]:
    state, frame = table(moment), (table(moment).stack or (None,))[-1]
    if type(frame) is not Text or is_lost(state, frame) or step_of(frame).optional or step_of(frame).verb == "bar":
        return
    if len(left := steps_of(frame)[frame.step :]) > 1 and moment.game.forced(state):
        return  # the log may have passed over this one, and speak of the next
    if any(option.event is type(moment.event) for option in instructions(frame)):
        said = Resolved(seq=0, card=frame.card, command=frame.box, outcome="declined")
        own = ["rearrange.card-order-binds"] if left[0].verb in ("rearrange", "swap") else []
        own += ["effects.no-costs"] if len(left) > 1 and left[1].if_did else []
        yield instead(moment, said, "effects.must-be-applied", "effects.may-only-if-said", *own)


def may_forced(moment: Moment) -> Iterator[Mutant]:
    event = moment.event
    if isinstance(event, Resolved) and event.outcome == "declined":
        said = replace(event, outcome="impossible")
        yield instead(moment, said, "effects.may-only-if-said", "effects.must-be-applied")


def without_condition(moment: Moment) -> Iterator[Mutant]:
    """The conditional half is done though the first half was not."""
    state, event = table(moment), moment.event
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Text or not isinstance(event, Resolved) or event.outcome not in ("declined", "impossible"):
        return
    steps = STEPS[frame.card, frame.box, frame.entry]
    following = steps[frame.step + 1] if frame.step + 1 < len(steps) else None
    if following is None or following.if_did != "previous" or following.verb not in ("delete", "flip", "return"):
        return
    for card, place in field_spots(state):
        if place.uncovered and not (following.target and following.target.ref):
            done: Event = Deleted(seq=0, cards=(card,))
            if following.verb == "flip":
                done = Flipped(seq=0, card=card, face="down" if place.up else "up")
            if following.verb == "return":
                done = Returned(seq=0, card=card, to=place.seat)
            yield Mutant(moment.played_on(event, done), moment.index + 2, rules("effects.condition-must-be-met"))


def interrupts_out_of_order(moment: Moment) -> Iterator[Mutant]:
    """The older text goes on while a newer one has just come into force."""
    state, event = table(moment), moment.event
    frame = state.stack[-1] if state.stack else None
    older = state.stack[-2] if len(state.stack) > 1 else None
    if type(frame) is Due and type(older) is Text and isinstance(event, Triggered) and len(frame.moments) == 1:
        depth = len(state.stack)
        later, at = state, moment.index
        while at < len(moment.events) - 1 and at < moment.index + 60:
            later = cast(State, moment.game.evolve(later, moment.events[at]))
            at += 1
            if len(later.stack) < depth and later.stack and later.stack[-1:] and type(later.stack[-1]) is Text:
                break
        top = later.stack[-1] if later.stack else None
        if at < len(moment.events) - 1 and type(top) is Text and top.card == older.card:
            early = moment.events[at]
            if not isinstance(early, Resolved | Triggered) and not moment.comes_up(early):
                order = [early, *moment.events[moment.index : at]]
                yield Mutant(moment.instead(*order, skip=len(order)), moment.index + 1, rules(
                    "interrupt.newest-goes-first", "text.middle-at-once", "play.middle-text-resolved",
                    "after.waits-for-the-whole-event", "cover-trigger.before-covering", "interrupt.unwinds-backwards",
                    "effects.reading-order",
                ))  # fmt: skip


def lost_text_resolved(moment: Moment) -> Iterator[Mutant]:
    state, event = table(moment), moment.event
    frame = state.stack[-1] if state.stack else None
    if not isinstance(event, Resolved) or event.outcome != "stopped" or type(frame) is not Text:
        return
    step = step_of(frame)
    if step.verb == "draw" and isinstance(step.count, int) and step.source == "deck":
        seat = frame.seat if step.who == "you" else opponent(frame.seat)
        deck = state.side(seat).deck
        if len(deck) >= step.count:
            yield instead(moment, Drew(seq=0, player=seat, cards=deck[: step.count]), "interrupt.lost-text-dropped")
    if step.verb in ("flip", "delete") and step.target and not step.target.ref:
        for card, place in field_spots(state):
            if place.uncovered:
                done: Event = Flipped(seq=0, card=card, face="down" if place.up else "up")
                done = done if step.verb == "flip" else Deleted(seq=0, cards=(card,))
                yield instead(moment, done, "interrupt.lost-text-dropped")


def covered_bottom_box(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.phase not in WAITED or state.stack or not isinstance(moment.event, Triggered | PhaseBegan | TurnBegan):
        return
    for card, place in field_spots(state):
        box = WAITING[state.phase].get(card, ("", 0))[0]
        if box == "bottom" and place.up and not place.uncovered and place.seat == state.player:
            yield before(moment, Triggered(seq=0, card=card, command="bottom", on=state.phase), "field.bottom-command")


def latecomer(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.phase not in WAITED or state.stack:
        return
    for card, place in field_spots(state):
        if card not in WAITING[state.phase] or not place.up or place.seat != state.player:
            continue
        box, _ = WAITING[state.phase][card]
        due = any(moment_due.card == card for moment_due in state.due)
        if (place.uncovered or box == "top") and not due and not _has_acted(moment, card):
            late = Triggered(seq=0, card=card, command=box, on=state.phase)
            yield before(moment, late, "start-end.no-latecomers")


def _has_acted(moment: Moment, card: str) -> bool:
    """Whether its Start or End text has had its turn in this part."""
    for event in reversed(moment.events[: moment.index]):
        if isinstance(event, PhaseBegan | TurnBegan):
            return False
        if isinstance(event, Triggered) and event.card == card and event.on == table(moment).phase:
            return True
    return False


def compile_not_taken(moment: Moment) -> Iterator[Mutant]:
    """The line stands, and the player acts instead."""
    state, event = table(moment), moment.event
    if not isinstance(event, Compiled | Recompiled) or not state.side(event.player).hand:
        return
    card = state.side(event.player).hand[0]
    played = Played(seq=0, player=event.player, card=card, line=1, face="down")
    yield Mutant(
        moment.played_on(PhaseBegan(seq=0, phase="action"), played), moment.index + 1, rules("compile.mandatory")
    )


def compile_too_low(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.phase == "compile" and not state.stack and not state.acted and isinstance(moment.event, PhaseBegan):
        for line in LINES:
            own, theirs = total(state, state.player, line), total(state, state.other, line)
            if own >= 6 and (own < 10 or own <= theirs):
                again = state.side(state.player).protocols[line - 1] in state.side(state.player).compiled
                event = (Recompiled if again else Compiled)(seq=0, player=state.player, line=line)
                yield before(moment, event, "compile.ten-or-more" if own < 10 else "compile.beats-opponent")


def compile_at_a_tie(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.phase == "compile" and not state.stack and not state.acted and isinstance(moment.event, PhaseBegan):
        for line in LINES:
            own, theirs = total(state, state.player, line), total(state, state.other, line)
            if 10 <= own <= theirs:
                again = state.side(state.player).protocols[line - 1] in state.side(state.player).compiled
                event = (Recompiled if again else Compiled)(seq=0, player=state.player, line=line)
                yield before(moment, event, "compile.beats-opponent")


def compile_twice(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.acted == "compiled" and not state.stack and isinstance(moment.event, PhaseBegan):
        for line in LINES:
            again = state.side(state.player).protocols[line - 1] in state.side(state.player).compiled
            event = (Recompiled if again else Compiled)(seq=0, player=state.player, line=line)
            yield before(moment, event, "compile.one-line-a-turn")


def control_without_choice(moment: Moment) -> Iterator[Mutant]:
    event = moment.event
    left = isinstance(event, Chose) and event.what == "rearrange"
    if left or (isinstance(event, Rearranged) and _by_control(moment)):
        yield Mutant(
            moment.instead(), moment.index + 1, rules("control.rearrangement-is-a-choice", "control.dealt-with-first")
        )


def _by_control(moment: Moment) -> bool:
    return isinstance(moment.events[moment.index - 1], ControlReset)


def control_not_returned(moment: Moment) -> Iterator[Mutant]:
    """The component stays where it is, and nothing is rearranged."""
    if isinstance(moment.event, ControlReset):
        following = moment.events[moment.index + 1]
        if isinstance(following, Chose | Rearranged):
            yield Mutant(
                moment.played_on(moment.events[moment.index + 2]), moment.index + 1,
                rules("control.back-on-compile", "control.back-on-refresh", "control.rearrangement-is-a-choice"),
            )  # fmt: skip


def control_not_taken(moment: Moment) -> Iterator[Mutant]:
    """The table forgets the component; a log may pass over its taking, so it shows where it would go back."""
    events, start = moment.events, moment.index
    if not isinstance(moment.event, ControlTaken):
        return
    back = next((at for at in range(start + 1, len(events)) if isinstance(events[at], ControlTaken | ControlReset)), 0)
    left = events[back + 1] if 0 < back < len(events) - 3 else None
    if isinstance(events[back], ControlReset) and isinstance(left, Chose):
        rest = events[back + 2 : back + 2 + LOOK_AFTER]
        yield Mutant(renumbered([*events[:start], *events[start + 1 : back], *rest]), back, rules(
            "control.gained", "control.dealt-with-first", "control.back-on-refresh", "control.back-on-compile",
            "control.back-even-if-unused", "control.rearrangement-is-a-choice",
        ))  # fmt: skip


def control_taken_without_lead(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if state.phase != "control" or state.stack or not isinstance(moment.event, PhaseBegan):
        return
    if state.control != state.player and not takes_control(state, state.player):
        yield before(moment, ControlTaken(seq=0, player=state.player), "control.gained")


def refresh_with_five(moment: Moment) -> Iterator[Mutant]:
    state = table(moment)
    if at_action(state) and len(state.side(state.player).hand) >= 5 and isinstance(moment.event, Played):
        yield instead(moment, Refreshed(seq=0, player=state.player), "refresh.only-under-five")


def cache_not_cleared(moment: Moment) -> Iterator[Mutant]:
    if isinstance(moment.event, CacheCleared) and moment.index + 2 < len(moment.events):
        yield instead(moment, PhaseBegan(seq=0, phase="end"), "cache.five-card-limit")


def cache_cleared_too_far(moment: Moment) -> Iterator[Mutant]:
    state, event = table(moment), moment.event
    if isinstance(event, Discarded) and isinstance(moment.events[moment.index - 1], CacheCleared):
        more = [card for card in state.side(event.player).hand if card not in event.cards]
        yield instead(moment, replace(event, cards=(*event.cards, more[0])), "cache.five-card-limit")


def wrong_number_drawn(moment: Moment) -> Iterator[Mutant]:
    state, event = table(moment), moment.event
    if isinstance(event, Drew) and event.cards and state.phase != "setup":
        deck = state.side(event.deck or event.player).deck
        number = len(event.cards) + 1
        if len(deck) >= number:
            yield instead(
                moment, replace(event, cards=deck[:number]), "draw.from-top-to-hand", "refresh.up-to-five",
                "recompile.reward",
            )  # fmt: skip


def wrong_number_discarded(moment: Moment) -> Iterator[Mutant]:
    state, event = table(moment), moment.event
    frame = state.stack[-1] if state.stack else None
    if isinstance(event, Discarded) and type(frame) is Text and isinstance(step_of(frame).count, int):
        more = [card for card in state.side(event.player).hand if card not in event.cards]
        if more:
            yield instead(moment, replace(event, cards=(*event.cards, more[0])), "discard.from-hand")


def reshuffle_to_play(moment: Moment) -> Iterator[Mutant]:
    state, event = table(moment), moment.event
    if isinstance(event, Played) and event.from_ == "hand" and state.side(event.player).trash and at_action(state):
        side = state.side(event.player)
        deck = (*side.deck, *moment.random.sample(side.trash, len(side.trash)))
        made = Reshuffled(seq=0, player=event.player, deck=deck)
        yield instead(moment, made, "deck.only-drawing-reshuffles")


def recompile_that_flips(moment: Moment) -> Iterator[Mutant]:
    event = moment.event
    if isinstance(event, Recompiled):
        wrong = Compiled(seq=0, player=event.player, line=event.line)
        yield instead(moment, wrong, "recompile.possible", "recompile.protocol-stays", "compile.turns-protocol")


def hand_of_the_wrong_owner(moment: Moment) -> Iterator[Mutant]:
    event = moment.event
    if isinstance(event, Returned) and event.to and event.card:
        yield instead(moment, replace(event, to=opponent(event.to)), "return.field-to-hand", "owner.zones-follow")


def trash_of_the_wrong_owner(moment: Moment) -> Iterator[Mutant]:
    event = moment.event
    if isinstance(event, Discarded):
        yield instead(
            moment, replace(event, player=opponent(event.player)), "discard.player-picks", "discard.from-hand",
            "cache.five-card-limit",
        )  # fmt: skip


def same_order(moment: Moment) -> Iterator[Mutant]:
    state, event = table(moment), moment.event
    if isinstance(event, Rearranged):
        same = replace(event, protocols=state.side(event.side).protocols)
        yield instead(moment, same, "rearrange.must-differ")


def choice_left_out(moment: Moment) -> Iterator[Mutant]:
    """What was chosen is not written down: a target, a discard, a use of a permission."""
    state = table(moment)
    frame = state.stack[-1] if state.stack else None
    if type(frame) is not Text or moment.game.forced(state) is not None or moment.index + 3 >= len(moment.events):
        return
    following = moment.events[moment.index + 1]
    if not is_up(moment.game, state, following):  # else what is left out may come later
        yield Mutant(moment.instead(), moment.index + 1, moment.owed(following))


def card_elsewhere(moment: Moment) -> Iterator[Mutant]:
    state, event = table(moment), moment.event
    if isinstance(event, Played) and event.from_ == "hand" and at_action(state):
        gone = [*state.side(event.player).trash, *state.side(event.player).deck]
        if gone:
            yield instead(moment, replace(event, card=moment.random.choice(gone), face="down"), "play.on-own-side")


def wrong_winner(moment: Moment) -> Iterator[Mutant]:
    event = moment.event
    if isinstance(event, GameWon):
        yield instead(moment, GameWon(seq=0, player=opponent(event.player)), "victory.three-compiled")


KINDS: dict[str, Plant] = {
    "wrong line for a face-up play": wrong_line,
    "wrong face for a play": wrong_face,
    "covered card targeted": covered_target,
    "committed card targeted": committed_target,
    "target of the wrong owner": wrong_owner,
    "mandatory effect not done": mandatory_not_done,
    "may forced": may_forced,
    "conditional half without its condition": without_condition,
    "wrong order of two interrupts": interrupts_out_of_order,
    "text resolved after it was lost": lost_text_resolved,
    "effect of a covered bottom box": covered_bottom_box,
    "start or end effect of a latecomer": latecomer,
    "compile not taken": compile_not_taken,
    "compile below ten": compile_too_low,
    "compile at a tie": compile_at_a_tie,
    "compile taken twice": compile_twice,
    "control not taken": control_not_taken,
    "control not returned": control_not_returned,
    "control returned without its choice": control_without_choice,
    "control taken without the lead": control_taken_without_lead,
    "refresh with five cards": refresh_with_five,
    "cache not cleared": cache_not_cleared,
    "cache cleared too far": cache_cleared_too_far,
    "wrong number drawn": wrong_number_drawn,
    "wrong number discarded": wrong_number_discarded,
    "reshuffle to play": reshuffle_to_play,
    "recompile that flips": recompile_that_flips,
    "hand of the wrong owner": hand_of_the_wrong_owner,
    "trash of the wrong owner": trash_of_the_wrong_owner,
    "rearranged to the same order": same_order,
    "a choice left out": choice_left_out,
    "a card that is elsewhere": card_elsewhere,
    "a wrong winner": wrong_winner,
}
