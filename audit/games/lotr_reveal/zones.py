"""Cards between zones, as told and without a check, and what is known of the table from round to round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from audit.games.lotr_reveal.cards import DISCARD, EXHAUST, Source
from audit.games.lotr_reveal.events import Zone
from audit.games.lotr_reveal.lookup import is_over
from audit.games.lotr_reveal.procedure import acting_sources
from audit.games.lotr_reveal.state import UNKNOWN, State

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
    if state.deck and state.deck[0] == card:
        return replace(state, deck=state.deck[1:])
    if card in state.staging:
        return replace(state, staging=_less(state.staging, card))
    if card in state.discard:
        return replace(state, discard=_less(state.discard, card))
    for seat, cards in state.engaged.items():
        if card in cards:
            return replace(state, engaged=with_entry(state.engaged, seat, _less(cards, card)))
    if card in state.other_zones:
        return replace(state, other_zones=without(state.other_zones, card))
    return _from_deck(state, card)


def taken_off_deck(state: State, card: str) -> State:
    """The card is taken off the deck. If nobody knows the deck, but all its cards, one lying elsewhere stays there."""
    is_hidden = state.deck is None or state.deck[:1] == () or state.deck[0].startswith(UNKNOWN)
    return _from_deck(state, card) if is_hidden and card in state.setup.encounter_cards else take(state, card)


def _from_deck(state: State, card: str) -> State:
    """From anywhere in the deck; a card nobody knew stands for it where there is one."""
    deck = state.deck or ()
    if card in deck:
        return replace(state, deck=_less(deck, card))
    if deck and deck[0].startswith(UNKNOWN):
        return replace(state, deck=deck[1:])
    return state


def reset(state: State) -> State:
    """An empty encounter deck is made anew from the discard pile, where there is one."""
    if state.deck is None or state.deck or not has_discards(state):
        return state
    known = None if "encounter_discard" in state.hidden else state.discard
    state = replace(state, discard=(), hidden=state.hidden - {"encounter_discard"})
    return reordered(state, known)


def has_discards(state: State) -> bool:
    """Whether cards lie in the encounter discard pile, or may lie there."""
    return bool(state.discard) or "encounter_discard" in state.hidden


def reordered(state: State, deck: tuple[str, ...] | None) -> State:
    """These cards are shuffled to be the deck; their order is known only where the setup tells it."""
    if state.shuffles:
        return replace(state, deck=state.shuffles[0], ordered=True, shuffles=state.shuffles[1:])
    return replace(state, deck=deck, ordered=deck is None or len(deck) < 2)


def put(state: State, card: str, to: Zone, player: str) -> State:
    """The card lies in that zone."""
    if to == "encounter_deck":
        return reordered(_without_counters(state, card), None if state.deck is None else (*state.deck, card))
    if to == "encounter_discard":
        return _without_counters(replace(state, discard=(*state.discard, card)), card)
    if to == "staging_area":
        return replace(state, staging=(*state.staging, card))
    if to == "engaged":
        cards = (*state.engaged.get(player, ()), card)
        return replace(state, engaged=with_entry(state.engaged, player, cards))
    return replace(state, other_zones=with_entry(state.other_zones, card, to))


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


def with_sources(state: State, sources: Mapping[str, Source]) -> State:
    """These are the cards in play, and what they can do."""
    return replace(state, sources=sources, acting=acting_sources(sources.items()))


def paid_for(state: State, name: str) -> State:
    """The position after a card was used: exhausted or discarded for its response, where that is its cost."""
    source = state.sources.get(name)
    cost = source.cost if source else None
    if cost == "none":
        return state
    if cost == EXHAUST and (character := state.characters.get(name)):
        return replace(state, characters=with_entry(state.characters, name, replace(character, ready=False)))
    if cost == DISCARD:
        state = with_sources(state, without(state.sources, name))
        state = replace(state, characters=without(state.characters, name))
    return replace(state, used=with_entry(state.used, name, cost or "untold"))


def ready_again(state: State, names: Iterable[str] | None = None) -> State:
    """None of these cards, or of all, is exhausted for its response any more."""
    if not state.used:
        return state
    left = {
        card: how for card, how in state.used.items() if how != EXHAUST or (names is not None and card not in names)
    }
    return replace(state, used=left)


def with_committed(state: State, name: str, committed: bool | None, commits: bool | None = True) -> State:
    """A card in play is committed to the quest or not, or nobody knows; `commits`: whether it is a character."""
    source = state.sources.get(name)
    if source is None:
        return state
    return with_sources(state, {**state.sources, name: replace(source, committed=committed, commits=commits)})


def with_quest_in_doubt(state: State, named: Iterable[str] | None = None, player: str | None = None) -> State:
    """The position after a text that may have taken characters off the quest: those named, else any of the player."""
    for name, source in state.sources.items():
        is_reached = name in named if named is not None else player in (None, source.owner)
        if is_reached and source.commits and source.committed:
            state = with_committed(state, name, None)
    return state


def with_characters(state: State) -> State:
    """The position in which every card that is told as a character quests or not; if nobody told, nobody knows."""
    found = {
        name: replace(source, committed=None, commits=True)
        for name, source in state.sources.items()
        if name in state.characters and not source.commits
    }
    return with_sources(state, {**state.sources, **found}) if found else state


def shifted_threat(state: State, player: str, delta: int) -> State:
    """A player's threat moves; one that nobody has told stays unknown."""
    return replace(state, threat=_shifted(state.threat, player, delta))


def shifted_hand(state: State, player: str, delta: int) -> State:
    """The number of cards in a player's hand changes; one that nobody has told stays unknown."""
    return replace(state, hands=_shifted(state.hands, player, delta))


def _shifted(counts: Mapping[str, int], player: str, delta: int) -> Mapping[str, int]:
    return with_entry(counts, player, counts[player] + delta) if player in counts else counts


def is_staging_over(state: State) -> bool:
    """Whether every player has revealed a card in this staging step."""
    return len(state.staged) >= len(state.setup.seats)


MAX_THREAT = 50
"""At this threat a player may be out of the game: the document does not say, so nothing is asked of them."""


def is_out(state: State, player: str) -> bool:
    """Whether a player may be out of the game."""
    return state.threat.get(player, 0) >= MAX_THREAT


def still_in(state: State, players: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the players who are in the game, as far as their threat says so."""
    return tuple([player for player in players if not is_out(state, player)]) if state.threat else players


def still_to_reveal(state: State) -> tuple[str, ...]:
    """The players who have not revealed a card in the staging step under way, in turn from the first player.

    A log may begin in the middle of a staging step: those before the first one told may have revealed before.
    """
    if not state.staged or is_over(state):
        return ()
    seats = in_turn(state)
    is_told_from_start = state.roots > len(state.staged) or state.staged[0] not in seats
    left = seats if is_told_from_start else seats[seats.index(state.staged[0]) :]
    return tuple([seat for seat in left if seat not in state.staged and not is_out(state, seat)])


def in_turn(state: State) -> tuple[str, ...]:
    """The players in turn, from the first player on."""
    seats = state.setup.seats
    first = seats.index(state.first)
    return (*seats[first:], *seats[:first])


def with_nothing_told(state: State) -> State:
    """Between two staging steps characters ready and commit anew; until somebody tells, nobody knows which."""
    if not state.staged:
        return state
    characters, sources = state.characters, state.sources
    if any(one.ready is not None for one in characters.values()):
        characters = {name: replace(one, ready=None) for name, one in characters.items()}
    state = replace(state, characters=characters, staged=())
    if any(source.commits and source.committed is not None for source in sources.values()):
        known = [(name, replace(one, committed=None) if one.commits else one) for name, one in sources.items()]
        state = with_sources(state, dict(known))
    return ready_again(state)


def staging(state: State, player: str) -> State:
    """The position as that player begins to reveal for the staging step; a second card of theirs is of a new round."""
    state = with_nothing_told(state) if player in state.staged else state
    return replace(state, staged=(*state.staged, player))
