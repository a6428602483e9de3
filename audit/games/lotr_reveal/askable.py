"""What may be asked of a card, a step or a number at the table of a reveal, whether the rules allow it or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from audit.core.model import Event
from audit.games.lotr_reveal.cards import NAME_TYPE, READY, Source
from audit.games.lotr_reveal.events import (
    CardMoved,
    CardPut,
    CharacterDamaged,
    CharactersCommitted,
    CharactersExhausted,
    CharactersReadied,
    DeckShuffled,
    ForcedResolved,
    HandMoved,
    KeywordResolved,
    ResponseEffect,
    ResponsePlayed,
    RevealEnded,
    RevealStarted,
    StepEntered,
    SurgeArmed,
    ThreatChanged,
    ThreatMoved,
    TokensMoved,
    WhenRevealedResolved,
    Zone,
)
from audit.games.lotr_reveal.frames import unused_id
from audit.games.lotr_reveal.lookup import acting_frame, card_of, source_of, zone_of
from audit.games.lotr_reveal.state import UNKNOWN, Frame, State
from audit.games.lotr_reveal.steps import INDEX, ORDER, WINDOWS, StepName, name_of
from audit.games.lotr_reveal.texts import TYPES

DECK = "encounter_deck"
_OWN_ZONES: Mapping[str, Zone] = {"enemy": "engaged", "location": "active_location"}
"""Where cards of a type alone go."""


def askable(state: State, key: str) -> Iterator[Event]:
    """What can be done with what has that key on the scene, the most usual first; nothing for any other key."""
    frame = acting_frame(state)
    if frame and key in (frame.id, frame.card):
        yield from _of_revealed(state, frame)
    elif key == DECK:
        yield from _reveals(state, UNKNOWN if not state.deck else state.deck[0])
        yield DeckShuffled(seq=0)
    elif key.startswith(UNKNOWN):
        return
    elif (zone := zone_of(state, key)) is not None:
        yield from _of_encounter_card(state, key, zone)
    yield from _of_step(state, frame, key)
    yield from _of_character(state, key)
    if frame and (source := source_of(state, key)):
        yield from _responses(frame, key, source)
        if source.forced:
            yield from (ForcedResolved(seq=0, frame=frame.id, step=step, source=key) for step in ("10", "11"))
    yield from _of_number(state, frame, key)


def _of_revealed(state: State, frame: Frame) -> Iterator[Event]:
    """What comes of the card that is on its way, each thing at its own step."""
    id, card, printed = frame.id, frame.card, card_of(state, frame.card)
    for keyword, value in printed.keywords.items():
        if value is False:
            continue
        if keyword == "surge":
            yield SurgeArmed(seq=0, frame=id, step="5.1", card=card, origin="printed")
        else:
            number = None if value is True else value
            yield KeywordResolved(seq=0, frame=id, step="5.1", card=card, keyword=keyword, value=number)
    if printed.has_when_revealed is not False:
        yield WhenRevealedResolved(seq=0, frame=id, step="7", card=card)
    own: list[Zone] = [aim for kind, aim in _OWN_ZONES.items() if printed.is_a(kind)]
    aims: tuple[Zone, ...] = ("staging_area", "encounter_discard", *own)
    yield from (CardMoved(seq=0, frame=id, step="8", card=card, from_=frame.zone, to=to) for to in aims)
    yield RevealEnded(seq=0, frame=id, step="12", card=card, outcome="completed")


def _reveals(state: State, card: str) -> Iterator[Event]:
    """The card revealed: for the staging step, or because of the card that is on its way."""
    frame, id = acting_frame(state), unused_id(state)
    if frame is None:
        yield RevealStarted(seq=0, frame=id, card=card, cause="staging", player=state.first)
    else:
        yield RevealStarted(seq=0, frame=id, card=card, cause="surge", player=frame.player, parent=frame.id)
        yield RevealStarted(seq=0, frame=id, card=card, cause="effect", player=frame.player, parent=frame.id)


def _of_encounter_card(state: State, card: str, zone: Zone) -> Iterator[Event]:
    if zone in (DECK, "encounter_discard"):
        yield from _reveals(state, card)
        return
    kinds = card_of(state, card).kinds
    aims: list[Zone] = ["staging_area", "encounter_discard", "victory_display"]
    aims[:0] = [aim for kind, aim in _OWN_ZONES.items() if kind in kinds or not kinds]
    for to in aims:
        if to != zone:
            yield CardPut(seq=0, card=card, to=to, player=state.first if to == "engaged" else None)
    if "location" not in kinds:
        yield TokensMoved(seq=0, card=card, damage=1)
    if "enemy" not in kinds:
        yield TokensMoved(seq=0, card=card, progress=1)


def _of_step(state: State, frame: Frame | None, key: str) -> Iterator[Event]:
    """That the step begins, and every response there of a card in play."""
    id, _, step = key.rpartition(".")
    if frame is None or id != frame.id or step not in INDEX:
        return
    yield StepEntered(seq=0, frame=frame.id, step=cast(StepName, step))
    for name in state.sources:
        source = source_of(state, name)
        if source and source.response not in (None, NAME_TYPE) and INDEX[step] in WINDOWS:
            yield _response(frame, name, source, ORDER[INDEX[step]])


def _responses(frame: Frame, card: str, source: Source) -> Iterator[Event]:
    """The card used as a response, at its own step or in every window."""
    if source.response == NAME_TYPE:
        yield from (_response(frame, card, source, "5.1", named) for named in TYPES)
    elif source.response:
        steps = [source.step] if source.step else [name_of(step) for step in WINDOWS]
        yield from (_response(frame, card, source, step) for step in steps)


def _response(frame: Frame, card: str, source: Source, step: StepName, named: str | None = None) -> ResponsePlayed:
    return ResponsePlayed(
        seq=0, frame=frame.id, step=step, player=source.owner or frame.player, source=card,
        effect=cast(ResponseEffect, source.response), value=named,
        target=source.attached_to if source.response == READY else frame.card,
    )  # fmt: skip


def _of_character(state: State, name: str) -> Iterator[Event]:
    if name not in state.characters:
        return
    source = state.sources.get(name)
    yield CharactersCommitted(seq=0, player=(source.owner if source else None) or state.first, characters=(name,))
    yield CharactersExhausted(seq=0, characters=(name,))
    yield CharactersReadied(seq=0, characters=(name,))
    yield CharacterDamaged(seq=0, character=name, amount=1)


def _of_number(state: State, frame: Frame | None, key: str) -> Iterator[Event]:
    """A player's threat and hand, one more and one less; by the text of a card on its way, or without one."""
    for seat in state.setup.seats:
        if key == f"threat.{seat}":
            if frame:
                step = name_of(frame.step)
                yield ThreatChanged(seq=0, frame=frame.id, step=step, player=seat, delta=1)
            yield from (ThreatMoved(seq=0, player=seat, delta=delta) for delta in (1, -1))
        if key == f"hand.{seat}":
            yield from (HandMoved(seq=0, player=seat, delta=delta) for delta in (1, -1))
