"""The mistakes of a real table of Compile, planted one at a time: with targets, hands, lines and control."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from msgspec.structs import replace

from audit.core.model import Event
from audit.games.compile.event_rules.picking import Pick
from audit.games.compile.events import (
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
    Returned,
    Shifted,
)
from audit.games.compile.game import RULES
from audit.games.compile.occasions import instructions
from audit.games.compile.parts import committed, field_position, field_positions, movements, opponent
from audit.games.compile.procedures import to_draw
from audit.games.compile.state import LINES, State, Text
from audit.games.compile.texts import CARD_INSTRUCTIONS, MIDDLE, is_lost, next_instruction
from audit.games.compile.totals import takes_control, total
from bench import mistakes_compile_texts
from bench.mistakes import Mutant, Plants
from bench.mistakes_compile_texts import Moment, acting, changing, instead
from replays.generating.telling import renumbered

POOLS = (("fire", "speed", "light", "plague", "life", "love"),)
"""Protocols with many Start and End texts."""

PICKS = (Deleted, Flipped, Returned, Shifted)


def at_action(state: State) -> bool:
    """The action of the turn is up."""
    return not state.stack and state.phase == "action" and not state.acted


# Plays, and what a text points at


def wrong_line(moment: Moment, event: Played) -> Iterator[Event]:
    state = moment.state
    if event.from_ == "hand" and event.face == "up":
        protocol = event.card.rpartition("-")[0]
        for line in moment.random.sample(LINES, 3):
            if protocol not in (state.a.protocols[line - 1], state.b.protocols[line - 1]) and at_action(state):
                yield replace(event, line=line)


def wrong_face(moment: Moment, event: Played) -> Iterator[Event]:
    turned = replace(event, face="up")
    if event.face == "down" and event.from_ == "hand" and refused(moment.state, turned):
        yield turned


def refused(state: State, event: Event) -> bool:
    """Whether such an event is expected and this one is refused."""
    expected = [*RULES.event_rules[type(event)].expected(state)]
    return bool(expected) and bool(RULES.violations(state, event))


def picking(state: State, event: Event) -> Pick[Any] | None:
    """The instruction that picks a card of the field by this event."""
    frame = acting(state)
    if frame is None or is_lost(state, frame) or not isinstance(event, PICKS):
        return None
    found = [o for o in instructions(frame) if isinstance(o, Pick) and o.event is type(event)]
    return found[0] if found and next_instruction(frame).count == 1 else None


def with_card(event: Event, card: str, state: State) -> Event:
    """The same done to another card."""
    place = field_position(state, card)
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


def covered_target(moment: Moment, event: Event) -> Iterator[Event]:
    state, pick = moment.state, picking(moment.state, event)
    if pick and pick.target.cover == "uncovered" and not pick.target.ref and not pick.declared.in_lines:
        for card, place in field_positions(state):
            if not place.uncovered and pick.target.owner == "any" and pick.target.face == "any":
                yield with_card(event, card, state)


def committed_target(moment: Moment) -> Iterator[Mutant]:
    """A card on its way is picked. Of one that is being deleted, what makes that a way may be named too."""
    state, pick = moment.state, picking(moment.state, moment.event)
    if pick and not pick.target.ref:
        to_a_line = [movement.card for movement in movements(state)]
        for card in committed(state):
            own = () if card in to_a_line else ("committed.any-change-of-place",)
            yield instead(moment, with_card(moment.event, card, state), "committed.not-a-target", *own)


def wrong_owner(moment: Moment, event: Event) -> Iterator[Event]:
    state, pick = moment.state, picking(moment.state, event)
    if pick and pick.target.owner != "any" and pick.target.cover == "uncovered" and pick.target.face == "any":
        frame = cast(Text, state.stack[-1])
        for card, place in field_positions(state):
            if place.uncovered and (place.seat == frame.seat) != (pick.target.owner == "you"):
                yield with_card(event, card, state)


# Hands, decks and trash


def refresh_with_five(moment: Moment, event: Played) -> Iterator[Event]:
    state = moment.state
    if at_action(state) and len(state.side(state.player).hand) >= 5:
        yield Refreshed(seq=0, player=state.player)


def one_more_discarded(moment: Moment, event: Discarded) -> Iterator[Event]:
    more = [card for card in moment.state.side(event.player).hand if card not in event.cards]
    yield from (replace(event, cards=(*event.cards, card)) for card in more[:1])


def cache_cleared_too_far(moment: Moment, event: Discarded) -> Iterable[Event]:
    is_of_cache = isinstance(moment.events[moment.index - 1], CacheCleared)
    return one_more_discarded(moment, event) if is_of_cache else ()


def wrong_number_discarded(moment: Moment, event: Discarded) -> Iterable[Event]:
    frame = acting(moment.state)
    is_counted = event.from_ == "hand" and frame and isinstance(next_instruction(frame).count, int)
    return one_more_discarded(moment, event) if is_counted else ()


def wrong_number_drawn(moment: Moment, event: Drew) -> Iterator[Event]:
    deck = moment.state.side(event.deck or event.player).deck
    if event.cards and moment.state.phase != "setup" and len(deck) > len(event.cards):
        yield replace(event, cards=deck[: len(event.cards) + 1])


def reshuffle_to_play(moment: Moment) -> Iterator[Mutant]:
    state, event = moment.state, moment.event
    if isinstance(event, Played) and event.from_ == "hand" and state.side(event.player).trash and at_action(state):
        side = state.side(event.player)
        deck = (*side.deck, *moment.random.sample(side.trash, len(side.trash)))
        made = Reshuffled(seq=0, player=event.player, deck=deck)
        action = ("turn.one-action",) if _may_lead_to_a_new_deck(state, event.player) else ()
        yield instead(moment, made, "deck.only-drawing-reshuffles", *action)


def _may_lead_to_a_new_deck(state: State, seat: str) -> bool:
    """Whether a refresh or a card in hand has the trash shuffled: then it is the action before that is missing."""
    side = state.side(seat)
    texts = (CARD_INSTRUCTIONS.get((card, "middle", MIDDLE), ()) for card in side.hand)
    shuffles = any(one.verb == "shuffle_trash" for text in texts for one in text)
    return shuffles or to_draw(state, seat) > len(side.deck)


def card_elsewhere(moment: Moment, event: Played) -> Iterator[Event]:
    side = moment.state.side(event.player)
    gone = [*side.trash, *side.deck]
    if event.from_ == "hand" and at_action(moment.state) and gone:
        yield replace(event, card=moment.random.choice(gone), face="down")


# Compiling and the control component


def compile_not_taken(moment: Moment) -> Iterator[Mutant]:
    """The line stands, and the player acts instead."""
    event = moment.event
    if isinstance(event, Compiled | Recompiled) and (hand := moment.state.side(event.player).hand):
        played = Played(seq=0, player=event.player, card=hand[0], line=1, face="down")
        yield moment.wrong(moment.played_on(PhaseBegan(seq=0, phase="action"), played), "compile.mandatory")


def compile_of(state: State, line: int) -> Event:
    """The player whose turn it is compiles that line."""
    side = state.side(state.player)
    again = side.protocols[line - 1] in side.compiled
    return (Recompiled if again else Compiled)(seq=0, player=state.player, line=line)


def compile_unfounded(wrongly: Callable[[int, int], bool]) -> Callable[[Moment], Iterator[Mutant]]:
    """A line is compiled in which the totals, own and opposing, are such."""

    def plant(moment: Moment) -> Iterator[Mutant]:
        state = moment.state
        if state.phase == "compile" and not state.stack and not state.acted and isinstance(moment.event, PhaseBegan):
            for line in LINES:
                own, theirs = total(state, state.player, line), total(state, opponent(state.player), line)
                if wrongly(own, theirs):
                    rule = "compile.ten-or-more" if own < 10 else "compile.beats-opponent"
                    yield instead(moment, compile_of(state, line), rule)

    return plant


def compile_twice(moment: Moment, event: PhaseBegan) -> Iterator[Event]:
    if moment.state.acted == "compiled" and not moment.state.stack:
        yield from (compile_of(moment.state, line) for line in LINES)


def control_without_choice(moment: Moment) -> Iterator[Mutant]:
    event, by_control = moment.event, isinstance(moment.events[moment.index - 1], ControlReset)
    left = isinstance(event, Chose) and event.what == "rearrange"
    if left or (isinstance(event, Rearranged) and by_control):
        yield moment.wrong(moment.instead(), "control.rearrangement-is-a-choice", "control.dealt-with-first")


def control_not_returned(moment: Moment) -> Iterator[Mutant]:
    """The component stays where it is, and nothing is rearranged."""
    if isinstance(moment.event, ControlReset) and isinstance(moment.events[moment.index + 1], Chose | Rearranged):
        yield moment.wrong(
            moment.played_on(moment.events[moment.index + 2]),
            "control.back-on-compile", "control.back-on-refresh", "control.rearrangement-is-a-choice",
        )  # fmt: skip


def control_not_taken(moment: Moment) -> Iterator[Mutant]:
    """The table forgets the component. In the player's next turn it would be forgotten once more."""
    events, start = moment.events, moment.index
    if isinstance(moment.event, ControlTaken):
        yield moment.wrong(renumbered([*events[:start], *events[start + 1 : start + 13]]), "control.gained")


def control_taken_without_lead(moment: Moment, event: PhaseBegan) -> Iterator[Event]:
    state = moment.state
    is_up = state.phase == "control" and not state.stack and state.control != state.player
    if is_up and not takes_control(state, state.player):
        yield ControlTaken(seq=0, player=state.player)


KINDS: Plants = {
    "wrong line for a face-up play": changing(Played, wrong_line, "play.face-up-needs-protocol"),
    "wrong face for a play": changing(
        Played, wrong_face, "play.face-up-needs-protocol", "effects.cards-beat-rules"
    ),
    "covered card targeted": changing(PICKS, covered_target, "target.uncovered-by-default"),
    "committed card targeted": committed_target,
    "target of the wrong owner": changing(PICKS, wrong_owner, "target.both-sides"),
    **mistakes_compile_texts.KINDS,
    "compile not taken": compile_not_taken,
    "compile below ten": compile_unfounded(lambda own, theirs: own >= 6 and (own < 10 or own <= theirs)),
    "compile at a tie": compile_unfounded(lambda own, theirs: 10 <= own <= theirs),
    "compile taken twice": changing(PhaseBegan, compile_twice, "compile.one-line-a-turn"),
    "control not taken": control_not_taken,
    "control not returned": control_not_returned,
    "control returned without its choice": control_without_choice,
    "control taken without the lead": changing(PhaseBegan, control_taken_without_lead, "control.gained"),
    "rearranged to the same order": changing(
        Rearranged, lambda m, e: [replace(e, protocols=m.state.side(e.side).protocols)], "rearrange.must-differ"
    ),
    "a wrong winner": changing(
        GameWon, lambda _, e: [GameWon(seq=0, player=opponent(e.player))], "victory.three-compiled"
    ),
    "refresh with five cards": changing(Played, refresh_with_five, "refresh.only-under-five"),
    "cache not cleared": changing(
        CacheCleared, lambda m, _: [PhaseBegan(seq=0, phase="end")] if m.index + 2 < len(m.events) else (),
        "cache.five-card-limit",
    ),
    "cache cleared too far": changing(Discarded, cache_cleared_too_far, "cache.five-card-limit"),
    "wrong number drawn": changing(
        Drew, wrong_number_drawn, "draw.from-top-to-hand", "refresh.up-to-five", "recompile.reward"
    ),
    "wrong number discarded": changing(Discarded, wrong_number_discarded, "discard.from-hand"),
    "reshuffle to play": reshuffle_to_play,
    "hand of the wrong owner": changing(
        Returned, lambda _, e: [replace(e, to=opponent(e.to))] if e.to and e.card else (),
        "return.field-to-hand", "owner.zones-follow",
    ),
    "trash of the wrong owner": changing(
        Discarded, lambda _, e: [replace(e, player=opponent(e.player))] if e.from_ == "hand" else (),
        "discard.player-picks", "discard.from-hand", "cache.five-card-limit",
    ),
    "a card that is elsewhere": changing(Played, card_elsewhere, "turn.one-action", "play.on-own-side"),
}  # fmt: skip
