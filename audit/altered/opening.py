"""From a header to the first position. What the setup does not give is unknown, not empty.

A log that starts before the first day starts with an empty table; nothing but that is taken for granted.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from audit.altered.card_data import card_data, region_types
from audit.altered.daily_effects import effects_of, with_effect
from audit.altered.events import DayKind, Mode
from audit.altered.places import both_ways, duel_facing, has_known_traits, place_of
from audit.altered.seats import first_turn
from audit.altered.setup_values import (
    by_seat,
    each,
    listed,
    mapping,
    maybe,
    names,
    number,
    one_of,
    optional_text,
    seated,
    stats,
    text,
)
from audit.altered.state import (
    COMPANION,
    HERO,
    LANDMARKS,
    PHASES,
    RESERVE,
    UNKNOWN,
    Cards,
    Character,
    Effect,
    Emblem,
    Expedition,
    GameData,
    Moment,
    PhaseProgress,
    Side,
    State,
    Tumult,
)
from audit.altered.victory import yet_to_meet
from audit.errors import SetupError
from audit.model import Header

MODES: tuple[Mode, ...] = ("duel", "ffa", "2v2")
KINDS: tuple[DayKind, ...] = ("normal", "tiebreak")
Setup = Mapping[str, object]

KEYS = frozenset({
    "mode", "players", "seats", "teams", "first_player", "day", "day_kind", "phase", "daily_effect", "turn_of",
    "passed", "still_in", "limbo", "effects", "hand_size", "hands", "decks", "orbs", "reserve", "landmark_zone",
    "characters", "in_expedition", "arena_characters", "discard", "exhausted", "costs", "stats", "statuses",
    "abilities", "permanents", "limits", "heroes", "reactions", "quick_actions", "advances", "regions", "paths",
    "facing", "tumult", "meet_distance", "advanced", "quick_uses", "activations", "deck_sizes", "note",
})  # fmt: skip
"""What a setup may give."""


def opening(header: Header) -> State:
    """The position before the first event; raises `SetupError` naming the field and what was expected."""
    setup = header.setup
    if unknown := sorted(key for key in setup if key not in KEYS and not key.startswith("x-")):
        raise SetupError(unknown[0], f"one of {', '.join(sorted(KEYS))}")
    seats = _seats(header, setup)
    state = _table(setup, seats, _game_data(setup, seats), header.first)
    state = _within_phase(setup, state)
    return replace(state, limbo=_limbo(setup, state), open_effects=_effects(setup, state))


def _seats(header: Header, setup: Setup) -> Cards:
    given = names(setup.get("seats", setup.get("players", [])), "seats")
    seats = given or tuple(player.seat for player in header.players)
    if len(set(seats)) != len(seats):
        raise SetupError("seats", "each player once")
    return seats


# What comes with the game


def _game_data(setup: Setup, seats: Cards) -> GameData:
    data = card_data(setup)
    return GameData(
        one_of(setup.get("mode", "duel"), MODES, "mode"),
        data.costs,
        data.stats,
        data.statuses,
        data.abilities,
        data.permanents,
        {seat: each(zones, seat, number) for seat, zones in _wrapped(by_seat(setup, "limits", seats, mapping))},
        by_seat(setup, "heroes", seats, optional_text),
        data.paths_by_place(seats),
        data.reactions,
        data.quick_actions,
        data.listeners,
    )


def _wrapped(limits: Mapping[str, Mapping[str, object]]) -> list[tuple[str, Mapping[str, object]]]:
    return [(seat, {seat: {_LIMITS.get(zone, zone): n for zone, n in zones.items()}}) for seat, zones in limits.items()]


_LIMITS = {"landmark": LANDMARKS, "landmarks": LANDMARKS}


# The table


def _table(setup: Setup, seats: Cards, game: GameData, first: str | None) -> State:
    day = number(setup.get("day", 0 if "phase" not in setup else 1), "day")
    is_new = day == 0 and "phase" not in setup
    first = optional_text(setup.get("first_player", first), "first_player")
    state = State(
        game,
        seats,
        tuple(_side(setup, seat, game, is_new) for seat in seats),
        tuple(each(setup, "teams", names).items()),
        seated(first, seats, "first_player") if first else None,
        _facing(setup, seats, game.mode),
        None if setup.get("meet_distance") is None else number(setup["meet_distance"], "meet_distance"),
        day,
        one_of(setup.get("day_kind", "normal"), KINDS, "day_kind"),
        passed=_players(setup, "passed", seats),
        still_in=_players(setup, "still_in", seats) if "still_in" in setup else seats,
        regions=_regions(setup, seats),
        tumult={place: _tumult(value, f"tumult.{place}") for place, value in mapping(setup.get("tumult", {})).items()},
        exhausted=dict.fromkeys(names(setup.get("exhausted", []), "exhausted"), ""),
        progress=PhaseProgress(advanced=names(setup.get("advanced", []), "advanced")),
        quick_uses=each(setup, "quick_uses", number),
        activations=each(setup, "activations", number),
        deck_sizes=by_seat(setup, "deck_sizes", seats, number),
        moment=Moment(is_limbo_known=is_new or "limbo" in setup),
    )
    names(setup.get("in_expedition", []), "in_expedition")
    text(setup.get("note", ""), "note")
    for team, members in state.teams:
        for member in members:
            seated(member, seats, f"teams.{team}")
    return state


def _side(setup: Setup, seat: str, game: GameData, is_new: bool) -> Side:
    empty: Cards | None = () if is_new else None
    orbs = mapping(_of(setup, "orbs", seat) or {}, f"orbs.{seat}")
    advances = mapping(_of(setup, "advances", seat) or {}, f"advances.{seat}")
    start = 0 if is_new else None
    return Side(
        _hand(setup, seat),
        _zone(setup, "decks", seat, None),
        maybe(orbs, "ready", f"orbs.{seat}", number),
        maybe(orbs, "exhausted", f"orbs.{seat}", number),
        _zone(setup, RESERVE, seat, empty),
        _zone(setup, LANDMARKS, seat, empty),
        _characters(setup, seat, HERO, game, is_new),
        _characters(setup, seat, COMPANION, game, is_new),
        number(advances[HERO], f"advances.{seat}") if HERO in advances else start,
        number(advances[COMPANION], f"advances.{seat}") if COMPANION in advances else start,
        _zone(setup, "discard", seat, ()) or (),
    )


def _hand(setup: Setup, seat: str) -> Cards | None:
    if (hand := _zone(setup, "hands", seat, None)) is not None:
        return hand
    size = _of(setup, "hand_size", seat)
    return None if size is None else (UNKNOWN,) * number(size, f"hand_size.{seat}")


def _zone(setup: Setup, key: str, seat: str, otherwise: Cards | None) -> Cards | None:
    value = _of(setup, key, seat)
    return otherwise if value is None else names(value, f"{key}.{seat}")


def _characters(setup: Setup, seat: str, expedition: str, game: GameData, is_new: bool) -> Expedition | None:
    zones = mapping(_of(setup, "characters", seat) or {}, f"characters.{seat}")
    if expedition in zones:
        given = listed(zones[expedition], f"characters.{seat}.{expedition}")
        return tuple(_character(value, seat, expedition, n, game) for n, value in enumerate(given, 1))
    sums = _of(setup, "arena_characters", seat)
    if sums is not None:
        alone = Character(f"{seat}.all", stats(sums, f"arena_characters.{seat}"))
        return (alone,) if expedition == HERO else ()
    return () if is_new or zones else None


def _character(value: object, seat: str, expedition: str, n: int, game: GameData) -> Character:
    field = f"characters.{seat}.{expedition}"
    data = mapping(value, field)
    card = text(data.get("id", f"{seat}.{expedition}.{n}"), f"{field}.id")
    given = {stat: data[stat] for stat in ("forest", "mountain", "water") if stat in data}
    is_known = "statuses" in data or "abilities" in data or not given or has_known_traits(game, card)
    abilities = names(data.get("abilities", game.abilities.get(card, ())), f"{field}.abilities")
    return Character(
        card,
        stats(given, field) if given else game.stats.get(card),
        names(data.get("statuses", game.statuses.get(card, ())), f"{field}.statuses") if is_known else None,
        abilities if is_known else None,
    )


def _facing(setup: Setup, seats: Cards, mode: str) -> dict[str, str]:
    pairs = [names(pair, "facing") for pair in listed(setup.get("facing", []), "facing")]
    if any(len(pair) != 2 for pair in pairs):
        raise SetupError("facing", "pairs of expeditions")
    return both_ways(pairs) if pairs or mode != "duel" else duel_facing(seats)


def _regions(setup: Setup, seats: Cards) -> dict[str, frozenset[str]]:
    return {
        place_of(seat, name): region_types(types, f"regions.{seat}.{name}")
        for seat, regions in by_seat(setup, "regions", seats, mapping).items()
        for name, types in regions.items()
    }


def _tumult(value: object, field: str) -> Tumult:
    data = mapping(value, field)
    cards = names(data.get("cards", [data["card"]] if "card" in data else []), f"{field}.cards")
    face = one_of(data.get("face", "down"), ("up", "down"), f"{field}.face")
    return Tumult(
        cards, face == "up", optional_text(data.get("effect"), f"{field}.effect"), maybe(data, "at", field, number)
    )


# Where the game stands


def _within_phase(setup: Setup, state: State) -> State:
    if (phase := setup.get("phase")) is None:
        return state
    phase = one_of(phase, PHASES, "phase")
    effects = effects_of(phase, state.day)
    state = replace(state, phase=phase, effects_left=effects, moment=replace(state.moment, triggers_from=1))
    if (effect := setup.get("daily_effect")) is not None:
        if not effects:
            raise SetupError("daily_effect", f"nothing, for there is none in the {phase}")
        return with_effect(state, one_of(effect, effects, "daily_effect"))
    if phase == "afternoon":
        turn = optional_text(setup.get("turn_of"), "turn_of")
        return replace(state, turn_of=seated(turn, state.seats, "turn_of") if turn else first_turn(state))
    if phase == "dusk" and yet_to_meet(state):
        return replace(state, effects_left=())
    return replace(state, is_phase_uncertain=bool(effects))


def _limbo(setup: Setup, state: State) -> tuple[Emblem, ...]:
    found = []
    for value in listed(setup.get("limbo", []), "limbo"):
        data = mapping(value, "limbo")
        controller = seated(text(data.get("controller"), "limbo.controller"), state.seats, "limbo.controller")
        source = text(data.get("source", ""), "limbo.source")
        found.append(Emblem(text(data.get("emblem"), "limbo.emblem"), controller, source))
    return tuple(found)


def _effects(setup: Setup, state: State) -> tuple[Effect, ...]:
    found = []
    for value in listed(setup.get("effects", []), "effects"):
        data = mapping(value, "effects")
        player = seated(text(data.get("player"), "effects.player"), state.seats, "effects.player")
        found.append(Effect(player, text(data.get("source"), "effects.source")))
    return tuple(found)


def _of(setup: Setup, key: str, seat: str) -> object:
    return mapping(setup.get(key, {}), key).get(seat)


def _players(setup: Setup, key: str, seats: Cards) -> Cards:
    return tuple(seated(seat, seats, key) for seat in names(setup.get(key, []), key))
