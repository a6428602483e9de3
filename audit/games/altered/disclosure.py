"""What each viewer may know of a position and of an event: a seat, the public, or the judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec.structs import replace

from audit.core.disclosure import (
    NOTHING_SHOWN,
    Disclosure,
    EachAsSeen,
    Recorder,
    Shown,
    entries_of,
    without_own_words,
)
from audit.core.event_rules import Json
from audit.core.model import Event, Header
from audit.core.record import words_in
from audit.games.altered.events import CardsDrawn, ManaPlaced
from audit.games.altered.game_data import Cards, GameData
from audit.games.altered.places import arena_total, limit, place_of, region, split_place
from audit.games.altered.races import own_stats, written_stats
from audit.games.altered.seats import side_names
from audit.games.altered.setup_events import DeckRegistered
from audit.games.altered.state import EXPEDITIONS, LANDMARKS, RESERVE, UNKNOWN, Character, State, Tumult
from audit.games.altered.vocabulary import Stats

JUDGE = "judge"
BY_CARD = frozenset(("costs", "stats", "statuses", "abilities", "types", "permanents", "owners"))
"""What a setup says card by card."""
BY_ABILITY = frozenset(("reactions", "quick_actions", "quick_uses", "activations"))
"""What a setup says of the abilities of cards, each by its source and its name."""


class AlteredDisclosure(Disclosure[State]):
    """Hands, decks and cards laid face down are hidden; everything else lies open."""

    kept_fields = frozenset({"cards", "tokens"})
    shown_entries = BY_CARD | BY_ABILITY | {"paths"}

    def view(self, state: State, viewer: str = JUDGE) -> Json:
        """The position in the published shape; null is unknown, a number stands for hidden cards."""
        sides = {seat: _side(state, seat, viewer) for seat in state.seats}
        tumult = {place: _tumult_seen(one, viewer) for place, one in state.tumult.items()}
        return {
            "turn": state.day,
            "player": state.turn_of,
            "phase": state.phase,
            "mode": state.game.mode,
            "kind": state.day_kind,
            "effect": state.daily_effect,
            "first": state.first_player,
            "distance": state.meeting_distance,
            "over": state.winner,
            "teams": {name: list(members) for name, members in state.teams},
            "limbo": [
                {"emblem": one.id, "controller": one.controller, "source": one.source or None} for one in state.limbo
            ],
            "effects": [{"player": one.player, "source": one.source} for one in state.open_effects],
            "region_cards": {name: list(cards) for name, cards in state.region_cards.items()},
            "tumult": tumult,
            "arena": _arena(state),
            "sides": sides,
            "cards": {
                card: _printed(state.game, card) for side in sides.values() for card in _seen(side) if card != UNKNOWN
            },
        }

    def chapter_view(self, state: State, viewer: str = JUDGE) -> Json:
        """The day, its phase, and whose turn it is."""
        return {"turn": state.day, "player": state.turn_of, "phase": state.phase}

    def pending(self, state: State, viewer: str = JUDGE) -> list[Json]:
        """What is under way and waits, newest first: effects, reactions in Limbo, the daily effect."""
        found: list[Json] = [
            {"card": one.source, "effect": "open", "player": one.player, "internal": one.has_internal_action}
            for one in reversed(state.open_effects)
        ]
        found += [
            {"card": one.id, "waits": "limbo", "player": one.controller, "source": one.source} for one in state.limbo
        ]
        if state.daily_effect:
            found.append({"effect": state.daily_effect, "rest": len(state.parts_left)})
        return found

    def redact_event(self, state: State, event: Event, viewer: str) -> Event:
        """A card laid face down, cards drawn and the list of a deck are for the judge and for their player."""
        if viewer == JUDGE:
            return event
        if isinstance(event, CardsDrawn) and viewer != event.player:
            return replace(event, cards=None)
        if isinstance(event, ManaPlaced) and event.face == "down" and viewer != event.player:
            return replace(event, card=UNKNOWN)
        if isinstance(event, DeckRegistered) and viewer != event.player:
            return replace(event, cards=None, tokens=())
        return event

    def recorded_header(self, header: Header, viewer: str, shown: Shown = NOTHING_SHOWN) -> Header:
        """The header without the lists of other decks, with all decks and other hands as so many unknown cards.

        It tells of a card only what was shown, and of the way of an expedition as far as somebody has come.
        """
        if viewer == JUDGE:
            return header
        setup = _hidden_cards(without_own_words(header.setup), viewer)
        cards = {*shown.cards, *(card for view in shown.views for card in _cards_shown(view)), *_open_cards(setup)}
        told = _cards_told(header.setup)
        for key in BY_CARD & setup.keys():
            setup[key] = entries_of(setup[key], cards.__contains__)
        for key in BY_ABILITY & setup.keys():  # what is no card of a deck, such as a Hero, is there throughout
            setup[key] = entries_of(setup[key], lambda source: source in cards or source not in told)
        if "paths" in setup:
            setup["paths"] = _paths_shown(setup["paths"], shown.views)
        return replace(header, setup={key: value for key, value in setup.items() if value is not None})

    def position_seen(self, data: Json, viewer: str) -> Json:
        """A position without what lies face down: other hands, all decks, Mana Orbs of others and Tumult cards."""
        return data if viewer == JUDGE else _hidden_cards(data, viewer)

    def recorder(self, viewer: str, taken: frozenset[str] = frozenset()) -> Recorder[State]:
        """What happened as that viewer may know it; players see what they draw."""
        return AlteredRecorder(self, viewer)

    def seats(self, header: Header) -> tuple[str, ...]:
        given = header.setup.get("seats", header.setup.get("players"))
        if isinstance(given, Sequence) and not isinstance(given, str):
            return tuple(map(str, given))
        return super().seats(header)


class AlteredRecorder(EachAsSeen[State]):
    """Writes down each event as its viewer may know it, with the cards that a player draws."""

    def __call__(self, before: State, event: Event, after: State) -> Iterator[Event]:
        yield from super().__call__(before, _with_cards(before, event) if self.viewer != JUDGE else event, after)


def _tumult_seen(one: Tumult, viewer: str) -> Json:
    """Cards that lie face down on the board are known to nobody at the table."""
    is_known = one.is_up or viewer == JUDGE
    cards = list(one.cards) if is_known else [UNKNOWN] * len(one.cards)
    return {"cards": cards, "face": "up" if one.is_up else "down"}


def _side(state: State, seat: str, viewer: str) -> Json:
    side = state.side(seat)
    return {
        "in": seat in state.still_in,
        "passed": seat in state.passed,
        "hand": _secret(side.hand, viewer in (JUDGE, seat)),
        "deck": _secret(side.deck, viewer == JUDGE),
        "mana": {
            "ready": side.ready_orbs,
            "exhausted": side.exhausted_orbs,
            "all": side.all_orbs,
            "cards": list(side.known_orbs) if viewer in (JUDGE, seat) else [],
        },
        "hero": state.game.heroes.get(seat),
        "reserve": None if side.reserve is None else list(side.reserve),
        "landmarks": None if side.landmarks is None else list(side.landmarks),
        "limits": {"reserve": limit(state, seat, RESERVE), "landmarks": limit(state, seat, LANDMARKS)},
        "exhausted": [card for card, by in state.exhausted.items() if by == seat],
        "expeditions": {name: _expedition(state, place_of(seat, name)) for name in EXPEDITIONS},
        "discard": list(side.discard),
    }


def _seen(side: Json) -> Iterator[str]:
    """The cards of a side that this viewer can read, but those of the deck."""
    yield from cast("Mapping[str, list[str]]", side["mana"])["cards"]
    for zone in ("hand", "reserve", "landmarks", "discard"):
        yield from cast("list[str]", side[zone]) if isinstance(side[zone], list) else ()
    for place in cast("Mapping[str, Json]", side["expeditions"]).values():
        yield from (str(one["card"]) for one in cast("list[Json]", place["characters"] or ()))


def _printed(game: GameData, card: str) -> Json:
    """What the setup says of a card: its type, what it costs, its statistics."""
    cost, stats = game.costs.get(card), game.stats.get(card)
    told = "permanent" if card in game.permanents else "character" if stats else None
    costs = None if cost is None else {"hand": cost.hand, "reserve": cost.reserve}
    return {"type": game.types.get(card) or told, "costs": costs, "stats": _stats(stats)}


def _arena(state: State) -> Json | None:
    """On a tie-break day the sums of each side in the Arena, as far as they are known."""
    if state.day_kind != "tiebreak":
        return None
    return {side: _stats(arena_total(state, side)) for side in side_names(state)}


def _secret(cards: Cards | None, is_open: bool) -> object:
    if cards is None:
        return None
    return list(cards) if is_open else len(cards)


def _expedition(state: State, place: str) -> Json:
    seat, name = split_place(place)
    characters, types, sums = state.side(seat).characters(name), region(state, place), own_stats(state, place)
    written = written_stats(state, place) if sums is None else sums
    return {
        "at": state.side(seat).advance(name),
        "faces": state.facing.get(place),
        "region": None if types is None else sorted(types),
        "way": _way_come(state, place),
        "moved": place in state.progress.advanced,
        "totals": _stats(written),
        "doubtful": sums is None and written is not None,
        "characters": None if characters is None else [_character(one) for one in characters],
    }


def _way_come(state: State, place: str) -> list[list[str] | None]:
    """The region types of each space from the first one to where an expedition stands; None where nobody has told."""
    seat, name = split_place(place)
    at = state.side(seat).advance(name)
    if at is None:
        return []
    path = state.game.paths.get(place, ())
    come = [sorted(path[space]) if space < len(path) else None for space in range(at)]
    here = region(state, place)
    return [*come, None if here is None else sorted(here)]


def _character(one: Character) -> Json:
    return {
        "card": one.id,
        "stats": _stats(one.stats),
        "statuses": None if one.statuses is None else list(one.statuses),
        "eternal": one.eternal,
    }


def _stats(stats: Stats | None) -> Json | None:
    return None if stats is None else {"forest": stats.forest, "mountain": stats.mountain, "water": stats.water}


def _with_cards(state: State, event: Event) -> Event:
    """A draw with the cards that are drawn, where they are known."""
    if not isinstance(event, CardsDrawn) or event.cards is not None:
        return event
    top = (state.side(event.player).deck or ())[: event.count]
    return replace(event, cards=top) if len(top) == event.count and UNKNOWN not in top else event


def _hidden_cards(data: Json, viewer: str) -> dict[str, object]:
    """A setup or a position with what this viewer does not see of it as so many unknown cards."""
    seen = {"hands": _unseen, "decks": _unseen_deck, "deck_lists": _own, "tumult": _face_up, "orbs": _own_orbs}
    return {key: seen[key](value, viewer) if key in seen else value for key, value in data.items()}


def _cards_shown(view: Json) -> Iterator[str]:
    """The cards that a viewer sees in a position, as their view has it."""
    yield from cast("Mapping[str, Json]", view["cards"])
    for side in cast("Mapping[str, Json]", view["sides"]).values():
        yield from cast("list[str]", side["exhausted"])
    for one in cast("Mapping[str, Json]", view["tumult"]).values():
        yield from cast("list[str]", one["cards"])


def _open_cards(setup: Json) -> frozenset[str]:
    """The cards that a setup names where this viewer sees them: Heroes, what lies open, their own deck."""
    zones = ("heroes", "deck_lists", "reserve", "landmark_zone", "discard", "hands")
    return words_in([setup.get(key) for key in zones])


def _cards_told(setup: Json) -> frozenset[str]:
    """The cards of hands and decks, and all of which a setup says what only a card of a deck has."""
    tables = [setup.get(key) for key in BY_CARD]
    keys = (key for table in tables if isinstance(table, Mapping | list | tuple) for key in table)
    return words_in([setup.get(key) for key in ("hands", "decks", "deck_lists")]) | frozenset(map(str, keys))


def _paths_shown(paths: object, views: Sequence[Json]) -> object:
    """The region types of the way of each expedition, up to where it has come: beyond that lie cards face down."""
    if not isinstance(paths, Mapping):
        return None
    return {
        seat: {name: _way_gone(way, seat, name, views) for name, way in ways.items()}
        for seat, ways in paths.items()
        if isinstance(ways, Mapping)
    }


def _way_gone(way: object, seat: str, expedition: str, views: Sequence[Json]) -> object:
    sides = [cast("Mapping[str, Json]", view["sides"]).get(seat) for view in views]
    groups = [cast("Mapping[str, Json]", side["expeditions"]).get(expedition) for side in sides if side]
    come_to = max((at for group in groups if group and isinstance(at := group["at"], int)), default=0)
    return way[: come_to + 1] if isinstance(way, list | tuple) else None


def _own(lists: object, viewer: str) -> object:
    """The viewer's own of what is told by player."""
    return {seat: cards for seat, cards in lists.items() if seat == viewer} if isinstance(lists, Mapping) else None


def _own_orbs(orbs: object, viewer: str) -> object:
    """How many Mana Orbs there are; the cards that others have laid there are known to nobody else."""
    if not isinstance(orbs, Mapping):
        return None
    return {seat: one if seat == viewer else _counted(one) for seat, one in orbs.items()}


def _counted(orbs: object) -> object:
    return {key: one for key, one in orbs.items() if key != "known"} if isinstance(orbs, Mapping) else orbs


def _face_up(places: object, viewer: str) -> object:
    """The Tumult cards on the board; those that lie face down are so many unknown ones."""
    return {place: _as_it_lies(one) for place, one in places.items()} if isinstance(places, Mapping) else None


def _as_it_lies(one: object) -> object:
    if not isinstance(one, Mapping) or one.get("face") == "up":
        return one
    unknown = {"card": UNKNOWN, "cards": [UNKNOWN] * len(one.get("cards") or ())}
    return {name: unknown.get(name, value) for name, value in one.items() if name != "effect"}


def _unseen_deck(decks: object, viewer: str) -> object:
    return _unseen(decks, "")


def _unseen(zones: object, viewer: str) -> object:
    if not isinstance(zones, Mapping):
        return zones
    return {
        seat: cards if seat == viewer or not isinstance(cards, list | tuple) else [UNKNOWN] * len(cards)
        for seat, cards in cast("Mapping[str, object]", zones).items()
    }
