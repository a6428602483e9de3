"""Mistakes with hands, decks and trash."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from audit.games.compile.events import (
    CacheCleared,
    Discarded,
    Drew,
    PhaseBegan,
    Played,
    Refreshed,
    Reshuffled,
    Returned,
)
from audit.games.compile.parts import opponent
from audit.games.compile.procedures import to_draw
from audit.games.compile.progress import next_instruction
from audit.games.compile.state import State, Text
from audit.games.compile.texts import CARD_INSTRUCTIONS, MIDDLE
from bench.mistakes import Moment, Mutant, Plant
from bench.mistakes_compile.planting import at_action, instead, table


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
    if not isinstance(event, Discarded) or event.from_ != "hand":
        return
    if type(frame) is Text and isinstance(next_instruction(frame).count, int):
        more = [card for card in state.side(event.player).hand if card not in event.cards]
        if more:
            yield instead(moment, replace(event, cards=(*event.cards, more[0])), "discard.from-hand")


def reshuffle_to_play(moment: Moment) -> Iterator[Mutant]:
    state, event = table(moment), moment.event
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


def hand_of_the_wrong_owner(moment: Moment) -> Iterator[Mutant]:
    event = moment.event
    if isinstance(event, Returned) and event.to and event.card:
        yield instead(moment, replace(event, to=opponent(event.to)), "return.field-to-hand", "owner.zones-follow")


def trash_of_the_wrong_owner(moment: Moment) -> Iterator[Mutant]:
    event = moment.event
    if isinstance(event, Discarded) and event.from_ == "hand":
        yield instead(
            moment, replace(event, player=opponent(event.player)), "discard.player-picks", "discard.from-hand",
            "cache.five-card-limit",
        )  # fmt: skip


def card_elsewhere(moment: Moment) -> Iterator[Mutant]:
    state, event = table(moment), moment.event
    if isinstance(event, Played) and event.from_ == "hand" and at_action(state):
        gone = [*state.side(event.player).trash, *state.side(event.player).deck]
        if gone:
            yield instead(moment, replace(event, card=moment.random.choice(gone), face="down"), "play.on-own-side")


KINDS: dict[str, Plant] = {
    "refresh with five cards": refresh_with_five,
    "cache not cleared": cache_not_cleared,
    "cache cleared too far": cache_cleared_too_far,
    "wrong number drawn": wrong_number_drawn,
    "wrong number discarded": wrong_number_discarded,
    "reshuffle to play": reshuffle_to_play,
    "hand of the wrong owner": hand_of_the_wrong_owner,
    "trash of the wrong owner": trash_of_the_wrong_owner,
    "a card that is elsewhere": card_elsewhere,
}
