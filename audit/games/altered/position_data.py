"""From a position to the data that describe it, in the shape of `setup.position`."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from audit.core.event_rules import Json
from audit.games.altered.daily_effects import effects_of
from audit.games.altered.game_data import Cards
from audit.games.altered.opening import FIELDS, of_the_game, position
from audit.games.altered.places import split_place
from audit.games.altered.state import (
    COMPANION,
    HERO,
    LANDMARKS,
    RESERVE,
    STATS,
    Character,
    Emblem,
    Expedition,
    Side,
    State,
    Tumult,
)


def position_data(state: State) -> dict[str, object]:
    """A position as data: what a judge would write, and in `under_way` what else there is to say of it."""
    told = of_the_game(state) | {key: value for key, value in _told(state).items() if value is not None}
    plain = position({**told, "under_way": {}}, state)
    under_way = {
        name: msgspec.to_builtins(getattr(state, name), str_keys=True, order="deterministic")
        for name in FIELDS
        if name == "last_seq" or getattr(plain, name) != getattr(state, name)
    }
    return {**told, "under_way": under_way}


UNORDERED = frozenset(
    (
        "hands", "hand", RESERVE, LANDMARKS, "landmarks", "discard", "in_limbo", "spells", "characters", HERO,
        COMPANION, "exhausted", "known", "known_orbs", "passed", "still_in", "limbo",
    )
)  # fmt: skip
"""All but a deck, and what happens in turn, lies in any order."""


def data_told(told: Json, state: State) -> Json:
    """The data of a position that somebody wrote down, without what only the game before it says.

    In Limbo are the Spells that neither are done nor lie elsewhere by what is written.
    """
    data = position_data(state)
    if "under_way" in told:
        return data
    named = {**told, "hands": told["hands"]} if "hands" in told else {**told, "hands": told.get("hand_size", {})}
    told_of = {key: _named(data[key], named[key]) for key in data if key in named}
    return {**told_of, **({"in_limbo": data["in_limbo"]} if "in_limbo" in data else {})}


def _named(data: object, told: object) -> object:
    if isinstance(data, Mapping) and isinstance(told, Mapping):
        return {key: data[key] for key in data if key in told}
    return data


def detached(state: State) -> State:
    """The position with its events counted back from the last one, which is -1; 0 still stands for no event."""
    by = state.last_seq + 1
    return _counted_back(state, by) if by > 1 else state


def _counted_back(state: State, by: int) -> State:
    def seq(of: int) -> int:
        return of - by if of > 0 else of

    def seqs(of: Mapping[str, int]) -> dict[str, int]:
        return {name: seq(n) for name, n in of.items()}

    def group(of: Expedition | None) -> Expedition | None:
        return of and tuple([replace(one, touched_by=seq(one.touched_by)) for one in of])

    moment, played = state.moment, state.moment.resolving
    return replace(
        state,
        last_seq=0,
        sides=tuple([replace(side, hero=group(side.hero), companion=group(side.companion)) for side in state.sides]),
        moment=replace(
            moment,
            seq=seq(moment.seq),
            triggers_from=min(0, moment.triggers_from - by),
            resolving=played and replace(played, seq=seq(played.seq)),
            earlier=tuple([replace(one, seq=seq(one.seq)) for one in moment.earlier]),
            arrivals=seqs(moment.arrivals),
        ),
        progress=replace(state.progress, seq=seq(state.progress.seq)),
        triggered=tuple([replace(one, seq=seq(one.seq)) for one in state.triggered]),
        limbo=tuple([replace(one, seq=seq(one.seq), trigger_seq=seq(one.trigger_seq)) for one in state.limbo]),
        open_effects=tuple([replace(one, seq=seq(one.seq)) for one in state.open_effects]),
        untold=tuple(map(seq, state.untold)),
        words_today=seqs(state.words_today),
        region_words=seq(state.region_words),
        newest_text=seq(state.newest_text),
        departures=seqs(state.departures),
    )


def _told(state: State) -> dict[str, object]:
    sides = dict(zip(state.seats, state.sides, strict=True))
    has_limbo = state.moment.is_limbo_known
    zones = {
        "hands": "hand", "decks": "deck", RESERVE: "reserve", LANDMARKS: "landmarks", "discard": "discard",
        "in_limbo": "spells",
    }  # fmt: skip
    return {
        "first_player": state.first_player, "day": state.day, "day_kind": state.day_kind, "phase": state.phase,
        "daily_effect": _effect_told(state), "turn_of": state.turn_of, "passed": list(state.passed),
        "still_in": list(state.still_in),
        "limbo": [_emblem(one) for one in state.limbo] if has_limbo else None,
        "effects": [{"player": one.player, "source": one.source} for one in state.open_effects] or None,
        **{key: _zones(sides, field) for key, field in zones.items()},
        "orbs": {seat: _orbs(side) for seat, side in sides.items()},
        "characters": {seat: _groups(side) for seat, side in sides.items()},
        "advances": {seat: _advances(side) for seat, side in sides.items()},
        "regions": _regions(state),
        "region_cards": {name: list(cards) for name, cards in state.region_cards.items()} or None,
        "tumult": {place: _tumult(one) for place, one in state.tumult.items()},
        "exhausted": sorted(state.exhausted),
        "owners": dict(state.owners) or None,
        "quick_uses": dict(state.quick_uses) or None,
        "activations": dict(state.activations) or None,
    }  # fmt: skip


def _effect_told(state: State) -> str | None:
    is_usual = state.daily_effect in effects_of(state.phase or "", state.day)
    return state.daily_effect if is_usual else None


def _regions(state: State) -> dict[str, dict[str, object]] | None:
    found: dict[str, dict[str, object]] = {}
    for place, types in state.regions.items():
        seat, name = split_place(place)
        if seat in state.seats:
            found.setdefault(seat, {})[name] = sorted(types)
    return found or None


def _tumult(one: Tumult) -> dict[str, object]:
    told = {"cards": list(one.cards), "face": "up" if one.is_up else "down", "effect": one.effect}
    return {name: value for name, value in (told | {"at": one.centre_advance}).items() if value is not None}


def _emblem(one: Emblem) -> dict[str, object]:
    return {"emblem": one.id, "controller": one.controller, **({"source": one.source} if one.source else {})}


def _zones(sides: Mapping[str, Side], field: str) -> dict[str, object] | None:
    zones: dict[str, Cards | None] = {seat: getattr(side, field) for seat, side in sides.items()}
    return {seat: list(cards) for seat, cards in zones.items() if cards is not None} or None


def _orbs(side: Side) -> dict[str, object]:
    known = list(side.known_orbs) or None
    told = {"ready": side.ready_orbs, "exhausted": side.exhausted_orbs, "all": side.all_orbs, "known": known}
    return {name: value for name, value in told.items() if value is not None}


def _groups(side: Side) -> dict[str, object]:
    groups = {HERO: side.hero, COMPANION: side.companion}
    return {name: [_one(character) for character in group] for name, group in groups.items() if group is not None}


def _one(one: Character) -> dict[str, object]:
    found: dict[str, object] = {"id": one.id}
    found |= {"stats": None} if one.stats is None else {stat: getattr(one.stats, stat) for stat in STATS}
    for name, traits in (("statuses", one.statuses), ("abilities", one.abilities)):
        found[name] = None if traits is None else list(traits)
    found |= {"origin": one.origin} if one.origin else {}
    return found | ({"touched_by": one.touched_by} if one.touched_by else {})


def _advances(side: Side) -> dict[str, object]:
    counts = {HERO: side.hero_advance, COMPANION: side.companion_advance}
    return {name: n for name, n in counts.items() if n is not None and n >= 0}
