"""Cards between zones: changes applied to the position as told, without a check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from audit.lotr_reveal.events import Zone
from audit.lotr_reveal.state import State

Key = TypeVar("Key")
Value = TypeVar("Value")


def with_entry(mapping: Mapping[Key, Value], key: Key, value: Value) -> Mapping[Key, Value]:
    """The mapping with one entry changed."""
    return {**mapping, key: value}


def without(mapping: Mapping[Key, Value], key: Key) -> Mapping[Key, Value]:
    """The mapping without an entry."""
    return {one: value for one, value in mapping.items() if one != key} if key in mapping else mapping


def take(state: State, card: str) -> State:
    """The card is no longer where it lay."""
    if state.deck is not None and state.taken < len(state.deck) and state.deck[state.taken] == card:
        return replace(state, taken=state.taken + 1)
    if card in state.staging:
        return _left_play(replace(state, staging=_less(state.staging, card)), card)
    if card in state.discard:
        return replace(state, discard=_less(state.discard, card))
    for seat, cards in state.engaged.items():
        if card in cards:
            return _left_play(replace(state, engaged=with_entry(state.engaged, seat, _less(cards, card))), card)
    if card in state.other_zones:
        return replace(state, other_zones=without(state.other_zones, card))
    return _from_deck(state, card)


def _from_deck(state: State, card: str) -> State:
    """From anywhere in the deck; a card nobody knew stands for it where there is one."""
    if state.deck is None or state.taken >= len(state.deck):
        return state
    left = state.deck[state.taken :]
    if card in left:
        return replace(state, deck=_less(left, card), taken=0)
    if left[0].startswith("?"):
        return replace(state, deck=left[1:], taken=0)
    return state


def _left_play(state: State, card: str) -> State:
    if card in state.encounter_sources:
        return replace(state, encounter_sources=_less(state.encounter_sources, card))
    return state


def put(state: State, card: str, to: Zone, player: str) -> State:
    """The card lies in that zone."""
    if to == "encounter_deck":
        return _shuffled(state, card)
    if to == "encounter_discard":
        return _without_counters(replace(state, discard=(*state.discard, card)), card)
    if to == "staging_area":
        return _in_play(replace(state, staging=(*state.staging, card)), card)
    if to == "engaged":
        cards = (*state.engaged.get(player, ()), card)
        return _in_play(replace(state, engaged=with_entry(state.engaged, player, cards)), card)
    return replace(state, other_zones=with_entry(state.other_zones, card, to))


def _in_play(state: State, card: str) -> State:
    if state.setup.card(card).source:
        return replace(state, encounter_sources=(*state.encounter_sources, card))
    return state


def _shuffled(state: State, card: str) -> State:
    """Back into the deck, whose new order is known only where the setup tells it."""
    state = _without_counters(state, card)
    if state.shuffles:
        return replace(state, deck=state.shuffles[0], taken=0, ordered=True, shuffles=state.shuffles[1:])
    if state.deck is None:
        return state
    deck = (*state.deck[state.taken :], card)
    return replace(state, deck=deck, taken=0, ordered=len(deck) == 1)


def _without_counters(state: State, card: str) -> State:
    """Out of play a card has no damage, no progress and nothing attached."""
    if card in state.damage:
        state = replace(state, damage=without(state.damage, card))
    if card in state.progress:
        state = replace(state, progress=without(state.progress, card))
    if card in state.attachments:
        state = replace(state, attachments=without(state.attachments, card))
    if card in state.strength:
        state = replace(state, strength=without(state.strength, card))
    return state


def _less(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    index = cards.index(card)
    return (*cards[:index], *cards[index + 1 :])


def shifted_threat(state: State, player: str, delta: int) -> State:
    """A player's threat moves."""
    return replace(state, threat=with_entry(state.threat, player, state.threat.get(player, 0) + delta))
