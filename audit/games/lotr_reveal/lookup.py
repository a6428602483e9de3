"""What a position shows: the frame that acts, what led to it, and where a card lies. No rules."""

from __future__ import annotations

from typing import Final

from msgspec.structs import force_setattr

from audit.core.model import Event, type_name
from audit.games.lotr_reveal.cards import (
    DOCUMENT_TRAITS,
    DOCUMENT_TYPES,
    ITSELF,
    UNDESCRIBED,
    Card,
    Source,
    without_copy,
)
from audit.games.lotr_reveal.events import Zone
from audit.games.lotr_reveal.state import UNKNOWN, Frame, State, copied

_OUT_OF_PLAY = frozenset((None, "encounter_deck", "encounter_discard", "revealing", "victory_display", "out_of_play"))
"""Where a card does nothing to another."""


def card_of(state: State, card: str) -> Card:
    """What is known of a card; a copy is known as the card it is of."""
    cards = state.setup.cards
    return cards.get(card) or cards.get(without_copy(card), UNDESCRIBED)


def acting_frame(state: State) -> Frame | None:
    """The newest frame: the one that is acting now."""
    return state.frames[-1] if state.frames else None


def frame_of(state: State, id: str | None) -> Frame | None:
    """The open frame of that id."""
    for frame in reversed(state.frames):
        if frame.id == id:
            return frame
    return None


def closed_frame(state: State, id: str | None) -> Frame | None:
    """The frame of that id among those that were over last."""
    for frame in reversed(state.closed):
        if frame.id == id:
            return frame
    return None


def known_frame(state: State, id: str | None) -> Frame | None:
    """The frame of that id, open or over."""
    return frame_of(state, id) or closed_frame(state, id)


def with_frame(state: State, frame: Frame) -> State:
    """The position with one open frame changed."""
    frames = state.frames
    if frames and frames[-1] is frame:
        return state
    if frames and frames[-1].id == frame.id:
        changed: tuple[Frame, ...] = (*frames[:-1], frame) if len(frames) > 1 else (frame,)
    else:
        changed = tuple([frame if one.id == frame.id else one for one in frames])
    after = copied(state)
    force_setattr(after, "frames", changed)
    return after


def causes_of_frame(state: State) -> tuple[int, ...]:
    """The seqs that led to what is going on in the newest frame, nearest first."""
    if not state.frames:
        return ()
    frame = state.frames[-1]
    last, seq = frame.last_cause, frame.seq
    if not (last and seq):
        return tuple(filter(None, (last, seq, *frame.outer_causes)))
    own: tuple[int, ...] = (last, seq) if last != seq else (seq,)
    return own + frame.outer_causes if frame.outer_causes else own


def causes(state: State, event: Event) -> tuple[int, ...]:
    """The seqs that led to an event, nearest first; that of a cancelled card comes before what leads to another."""
    replacement = state.replacement
    if replacement is None or not replacement.seq:
        return causes_of_frame(state)
    return tuple(dict.fromkeys((replacement.seq, *causes_of_frame(state))))


def replacement_is_due(state: State) -> bool:
    """Whether a cancelled card has to be replaced before anything else."""
    return state.replacement is not None and state.replacement.is_due


def is_over(state: State) -> bool:
    """Whether the reveals of this game are done: nothing is under way and no further one was planned."""
    return state.setup.reveals is not None and state.roots >= state.setup.reveals and not state.frames


def hides_deck(state: State) -> bool:
    """Whether some card of the deck has no name."""
    deck = state.deck
    if deck is None:
        return True
    known, hidden = _LATEST_DECK[0]
    if known is not deck:
        hidden = any(card.startswith(UNKNOWN) for card in deck)
        _LATEST_DECK[0] = deck, hidden
    return hidden


_LATEST_DECK: Final[list[tuple[tuple[str, ...], bool]]] = [((), False)]
"""The deck last asked about, and the answer: each reveal asks for it several times, and it is long."""


def deck_is_empty(state: State) -> bool:
    """Whether the encounter deck is known to be empty."""
    return state.deck is not None and not state.deck


def encounter_sources(state: State) -> list[str]:
    """The encounter cards in play that act on other cards."""
    if not state.setup.acting:
        return []
    others = [card for card, zone in state.other_zones.items() if zone == "active_location"]
    in_play = (*state.staging, *[card for cards in state.engaged.values() for card in cards], *others)
    return [card for card in in_play if card_of(state, card).source]


def source_of(state: State, card: str) -> Source | None:
    """What a card in play can do."""
    if (found := state.sources.get(card)) is not None:
        return found
    own = card_of(state, card).source
    return own if own is not None and card in encounter_sources(state) else None


def source_used(state: State, card: str) -> Source | None:
    """What a card can do that was used, though it may have been discarded for it."""
    return source_of(state, card) or state.setup.sources.get(card)


def may_gain_keywords(state: State) -> bool:
    """Whether a text that is not understood may have given the card on its way any keyword."""
    return bool(state.frames) and state.frames[-1].may_gain


def text_leads_to(frame: Frame, event: type[Event]) -> bool:
    """Whether a text carried out at this step may have led to such an event, although no task calls for it."""
    return frame.text_resolved and (not frame.leads_to or type_name(event) in frame.leads_to)


def is_told(state: State, card: str) -> bool:
    """Whether the setup tells what a card does, or that the card is not in play to do it."""
    found = source_used(state, card) or card_of(state, card).source
    if found is not None:
        return bool(found.on_reveal or found.response or found.enters_with or found.forced)
    return card_of(state, card) is not UNDESCRIBED and zone_of(state, card) in _OUT_OF_PLAY


def kinds_are_known(state: State, card: str, reached: Card) -> bool:
    """Whether it is known if `reached` is of the kinds of cards on which a card acts.

    They are types of the document, kinds of cards in the setup, or traits that the document names, where those of
    `reached` are told.
    """
    source = source_used(state, card) or card_of(state, card).source
    effects = (source.on_reveal, source.enters_with, source.forced) if source else ()
    kinds = {one.to for one in effects if one and one.to} - {*DOCUMENT_TYPES, ITSELF}
    kinds -= DOCUMENT_TRAITS if reached.traits else frozenset()
    return all(any(one.is_a(kind) or kind in one.kinds for one in state.setup.cards.values()) for kind in kinds)


def may_be_anywhere(state: State) -> bool:
    """Whether a card that lies nowhere in the position may be in a zone whose cards are not all known."""
    return bool(state.hidden) or hides_deck(state)


def zone_of(state: State, card: str) -> Zone | None:
    """Where a card lies; None where nobody knows."""
    for frame in state.frames:
        if frame.card == card:
            return frame.zone
    if card in state.staging:
        return "staging_area"
    if card in state.discard:
        return "encounter_discard"
    if any(card in cards for cards in state.engaged.values()):
        return "engaged"
    if card in state.other_zones:
        return state.other_zones[card]
    return "encounter_deck" if card in (state.deck or ()) else None
