"""From a header, or from the data of a position, to the position.

What the data do not give is unknown, not empty. Only a log that starts before the first day starts with an empty table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from audit.core.errors import SetupError
from audit.core.model import Header
from audit.games.altered import setup_entries as read
from audit.games.altered.card_data import card_data, region_types
from audit.games.altered.daily_effects import effects_after, effects_of, with_effect
from audit.games.altered.game_data import Cards, GameData
from audit.games.altered.places import both_ways, duel_facing, place_of, split_place
from audit.games.altered.seats import after, first_turn
from audit.games.altered.setup_entries import (
    KEYS,
    OF_A_POSITION,
    OF_THE_GAME,
    EffectEntry,
    EmblemEntry,
    TumultEntry,
    by_name,
    side_of,
)
from audit.games.altered.state import (
    EXPEDITIONS,
    LANDMARKS,
    PHASES,
    RESERVE,
    Effect,
    Emblem,
    Moment,
    PhaseProgress,
    State,
    Tumult,
)
from audit.games.altered.victory import yet_to_meet
from audit.games.altered.vocabulary import DayKind, Mode
from audit.games.altered.zones import is_done

MODES: tuple[Mode, ...] = ("duel", "ffa", "2v2")
KINDS: tuple[DayKind, ...] = ("normal", "tiebreak")
Setup = Mapping[str, object]

BY_SEAT = (
    "hands", "hand_size", "decks", "orbs", "reserve", "landmark_zone", "in_limbo", "characters", "arena_characters",
    "discard", "advances",
)  # fmt: skip


def opening(header: Header) -> State:
    """The position before the first event; raises `SetupError` naming the field and what was expected."""
    setup = header.setup
    read.keys(setup, "", KEYS)
    seats = _seats(header, setup)
    game = _game_data(setup, seats)
    if "position" in setup:
        if twice := sorted(setup.keys() & OF_A_POSITION - OF_THE_GAME):
            raise SetupError(twice[0], "nothing beside a position, which says it itself")
        told = read.mapping(setup["position"], "position")
        return _within(told, {**_shared(setup), **told}, seats, game, header.first)
    day = read.number(setup.get("day", 0 if "phase" not in setup else 1), "day")
    return _state(setup, seats, game, header.first, is_new=day == 0 and "phase" not in setup)


def position(data: Setup, state: State) -> State:
    """The position that plain data describe. What they do not say of the game and of the moment is as in `state`.

    Zones of which they say nothing are unknown. Data with `under_way` say everything, as a program writes them.
    """
    if "under_way" in data:
        return _within(data, {**of_the_game(state), **data}, state.seats, state.game, None)
    is_now = data.get("day", state.day) == state.day and data.get("phase", state.phase) == state.phase
    moment = _of_the_moment(state, is_now=is_now) | {"in_limbo": _in_limbo(data, state)}
    found = _within(data, {**of_the_game(state), **moment, **data}, state.seats, state.game, state.first_player)
    kept = UNDER_WAY if is_now and "daily_effect" not in data else ("last_seq",)
    return replace(found, **{name: getattr(state, name) for name in kept})


def _in_limbo(data: Setup, state: State) -> dict[str, object]:
    """The Spells still in Limbo: not those that are done, or lie elsewhere by the data."""
    found: dict[str, object] = {}
    for seat, side in zip(state.seats, state.sides, strict=True):
        zones = (
            (_cards_told(data, RESERVE, seat), side.reserve or ()),
            (_cards_told(data, "discard", seat), side.discard),
        )
        come = [card for there, here in zones for card in there if there.count(card) > here.count(card)]
        found[seat] = [card for card in side.spells if card not in come and not is_done(state, card)]
    return found


def _cards_told(data: Setup, zone: str, seat: str) -> list[object]:
    told = data.get(zone)
    cards = told.get(seat) if isinstance(told, Mapping) else None
    return list(cards) if isinstance(cards, list | tuple) else []


UNDER_WAY = (
    "last_seq", "effects_left", "parts_left", "is_phase_uncertain", "progress", "triggered",
    "last_action", "face_up", "kept", "is_cleaned_up", "is_discard_told",
    "meetings", "arena_totals", "tiebreak_players",
)  # fmt: skip
"""What goes on as it was where a position is told of the same phase."""


def _of_the_moment(state: State, *, is_now: bool) -> dict[str, object]:
    """What stays as it is where a position does not say otherwise, and more of it within the same phase."""
    sides = dict(zip(state.seats, state.sides, strict=True))
    stays: dict[str, object] = {
        "first_player": state.first_player, "day": state.day, "day_kind": state.day_kind,
        "still_in": list(state.still_in), "exhausted": list(state.exhausted), "owners": dict(state.owners),
        "discard": {seat: list(side.discard) for seat, side in sides.items()},
    }  # fmt: skip
    if not is_now:
        return stays
    is_usual = state.daily_effect in effects_of(state.phase or "", state.day)
    now = {"phase": state.phase, "turn_of": state.turn_of, "passed": list(state.passed)}
    return stays | now | ({"daily_effect": state.daily_effect} if is_usual else {})


def of_the_game(state: State) -> dict[str, object]:
    """What a position says of the game as a whole."""
    pairs = sorted({tuple(sorted(pair)) for pair in state.facing.items()})
    return {
        "mode": state.game.mode, "seats": list(state.seats),
        "teams": {name: list(members) for name, members in state.teams},
        "facing": [list(pair) for pair in pairs], "meet_distance": state.meeting_distance,
    }  # fmt: skip


def _within(told: Setup, data: Setup, seats: Cards, game: GameData, first: str | None) -> State:
    """The position of these data; an error names the path from the setup on."""
    read.keys(told, "position", OF_A_POSITION)
    try:
        seats = read.names(told.get("seats", seats), "seats")
        mode = read.one_of(data.get("mode", game.mode), MODES, "mode")
        return _state(data, seats, replace(game, mode=mode), first, is_new=False)
    except SetupError as error:
        raise SetupError(f"position.{error.field}", error.expected) from None


def _shared(setup: Setup) -> Setup:
    """What a setup says of the game that a position may say otherwise."""
    return {key: setup[key] for key in ("mode", "teams", "facing", "meet_distance") if key in setup}


def _seats(header: Header, setup: Setup) -> Cards:
    given = read.names(setup.get("seats", setup.get("players", [])), "seats")
    seats = given or tuple(player.seat for player in header.players)
    if len(set(seats)) != len(seats):
        raise SetupError("seats", "each player once")
    return seats


# What comes with the game


def _game_data(setup: Setup, seats: Cards) -> GameData:
    data = card_data(setup)
    for table, abilities in (("reactions", data.reactions), ("quick_actions", data.quick_actions)):
        for name, ability in abilities.items():
            if ":" not in name:
                raise SetupError(f"{table}.{name}", "a name such as lamp:shine, the object and what it does")
            if seats:
                read.seated(ability.controller, seats, f"{table}.{name}.controller")
    read.text(setup.get("note", ""), "note")
    game = GameData(
        read.one_of(setup.get("mode", "duel"), MODES, "mode"),
        data.costs,
        data.stats,
        data.statuses,
        data.abilities,
        data.types,
        data.all_permanents,
        {seat: _limits(zones, seat) for seat, zones in read.by_seat(setup, "limits", seats, read.mapping).items()},
        read.by_seat(setup, "heroes", seats, lambda value, where: read.optional_text(value, where) or None),
        data.paths_by_place(seats),
        data.reactions,
        data.quick_actions,
        data.listeners,
        data.triggers,
        data.known_sources,
        read.by_seat(setup, "deck_lists", seats, read.names),
    )
    return replace(game, listed={seat: frozenset(cards) for seat, cards in game.deck_lists.items()})


def _limits(zones: Setup, seat: str) -> dict[str, int]:
    read.keys(zones, f"limits.{seat}", (RESERVE, *_LIMITS))
    return {_LIMITS.get(zone, zone): read.number(n, f"limits.{seat}.{zone}") for zone, n in zones.items()}


_LIMITS = {LANDMARKS: LANDMARKS, "landmark": LANDMARKS, "landmarks": LANDMARKS}


# The table


def _state(setup: Setup, seats: Cards, game: GameData, first: str | None, *, is_new: bool) -> State:
    state = _within_phase(setup, _table(setup, seats, game, first, is_new=is_new))
    state = replace(state, limbo=_limbo(setup, state), open_effects=_effects(setup, state))
    if "under_way" not in setup:
        return _with_card_played(state)
    return _with_under_way(state, read.mapping(setup["under_way"], "under_way"))


def _with_card_played(state: State) -> State:
    """The position in which the player in turn has played the card of theirs in Limbo: the next turn is another's."""
    seat = state.turn_of
    if seat is None or not state.sides[state.seats.index(seat)].spells:
        return state
    return replace(state, last_action=(seat, "card"), turn_of=after(state, seat, state.passed))


def _table(setup: Setup, seats: Cards, game: GameData, first: str | None, *, is_new: bool) -> State:
    day = read.number(setup.get("day", 0 if "phase" not in setup else 1), "day")
    first = read.optional_text(setup.get("first_player", first), "first_player")
    for key in BY_SEAT:
        read.by_seat(setup, key, seats, lambda value, _: value)
    distance = setup.get("meet_distance")
    state = State(
        game,
        seats=seats,
        sides=tuple(side_of(setup, seat, game, is_new) for seat in seats),
        teams=tuple(read.each(setup, "teams", read.names).items()),
        first_player=read.seated(first, seats, "first_player") if first else None,
        facing=_facing(setup, seats, game.mode),
        meeting_distance=None if distance is None else read.number(distance, "meet_distance"),
        day=day,
        day_kind=read.one_of(setup.get("day_kind", "normal"), KINDS, "day_kind"),
        passed=_players(setup, "passed", seats),
        still_in=_players(setup, "still_in", seats) if "still_in" in setup else seats,
        regions=_regions(setup, seats),
        region_cards=read.each(setup, "region_cards", read.names),
        tumult=read.each(setup, "tumult", _tumult),
        exhausted=dict.fromkeys(read.names(setup.get("exhausted", []), "exhausted"), ""),
        owners=_owners(setup, seats),
        progress=PhaseProgress(advanced=_places(setup.get("advanced", []), seats, "advanced")),
        quick_uses=read.each(setup, "quick_uses", read.number),
        activations=read.each(setup, "activations", read.number),
        deck_sizes=read.by_seat(setup, "deck_sizes", seats, read.number),
        moment=Moment(is_limbo_known=is_new or "limbo" in setup),
    )
    read.names(setup.get("in_expedition", []), "in_expedition")
    read.text(setup.get("note", ""), "note")
    for team, members in state.teams:
        for member in members:
            read.seated(member, seats, f"teams.{team}")
    return state


def _owners(setup: Setup, seats: Cards) -> dict[str, str]:
    owners = read.each(setup, "owners", read.text)
    return {card: read.seated(seat, seats, f"owners.{card}") for card, seat in owners.items()}


def _facing(setup: Setup, seats: Cards, mode: str) -> dict[str, str]:
    pairs = [_places(pair, seats, "facing") for pair in read.listed(setup.get("facing", []), "facing")]
    if any(len(pair) != 2 for pair in pairs):
        raise SetupError("facing", "pairs of expeditions")
    return both_ways(pairs) if pairs or mode != "duel" else duel_facing(seats)


def _places(value: object, seats: Cards, field: str) -> Cards:
    """Expeditions such as `p1 hero`."""
    for place in read.names(value, field):
        seat, name = split_place(place)
        read.one_of(name, EXPEDITIONS, field)
        read.seated(seat, seats, field)
    return read.names(value, field)


def _regions(setup: Setup, seats: Cards) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for seat in read.by_seat(setup, "regions", seats, read.mapping):
        for name, types in by_name(setup, "regions", seat, EXPEDITIONS).items():
            found[place_of(seat, name)] = region_types(types, f"regions.{seat}.{name}")
    return found


def _tumult(value: object, field: str) -> Tumult:
    data = read.mapping(value, field)
    read.keys(data, field, TumultEntry.__struct_fields__)
    cards = read.names(data.get("cards", [data["card"]] if "card" in data else []), f"{field}.cards")
    face = read.one_of(data.get("face", "down"), ("up", "down"), f"{field}.face")
    effect = read.optional_text(data.get("effect"), f"{field}.effect")
    return Tumult(cards, face == "up", effect, read.maybe(data, "at", field, read.number))


# Where the game stands


def _within_phase(setup: Setup, state: State) -> State:
    if (phase := setup.get("phase")) is None:
        return state
    phase = read.one_of(phase, PHASES, "phase")
    effects = effects_of(phase, state.day)
    state = replace(state, phase=phase, effects_left=effects, moment=replace(state.moment, triggers_from=1))
    if (effect := setup.get("daily_effect")) is not None:
        if not effects:
            raise SetupError("daily_effect", f"nothing, for there is none in the {phase}")
        known = read.one_of(effect, effects, "daily_effect")
        return with_effect(state, known, state.moment, effects_after(state.phase, known))
    if phase == "afternoon":
        turn = read.optional_text(setup.get("turn_of"), "turn_of")
        return replace(state, turn_of=read.seated(turn, state.seats, "turn_of") if turn else first_turn(state))
    if phase == "dusk" and yet_to_meet(state):
        return replace(state, effects_left=())
    return replace(state, is_phase_uncertain=bool(effects))


def _limbo(setup: Setup, state: State) -> tuple[Emblem, ...]:
    found = []
    for value in read.listed(setup.get("limbo", []), "limbo"):
        data = read.mapping(value, "limbo")
        read.keys(data, "limbo", EmblemEntry.__struct_fields__)
        controller = read.seated(read.text(data.get("controller"), "limbo.controller"), state.seats, "limbo.controller")
        source = read.text(data.get("source", ""), "limbo.source")
        found.append(Emblem(read.text(data.get("emblem"), "limbo.emblem"), controller, source))
    return tuple(found)


def _effects(setup: Setup, state: State) -> tuple[Effect, ...]:
    found = []
    for value in read.listed(setup.get("effects", []), "effects"):
        data = read.mapping(value, "effects")
        read.keys(data, "effects", EffectEntry.__struct_fields__)
        player = read.seated(read.text(data.get("player"), "effects.player"), state.seats, "effects.player")
        found.append(Effect(player, read.text(data.get("source"), "effects.source")))
    return tuple(found)


def _players(setup: Setup, key: str, seats: Cards) -> Cards:
    return tuple(read.seated(seat, seats, key) for seat in read.names(setup.get(key, []), key))


# What is under way, field by field

FIELDS = {name: hint for name, hint in get_type_hints(State).items() if name not in ("game", "seats")}
_UnderWay: type[Struct] = msgspec.defstruct(
    "_UnderWay", [(name, hint | UnsetType, UNSET) for name, hint in FIELDS.items()], forbid_unknown_fields=True
)


def _with_under_way(state: State, told: Setup) -> State:
    """The position with what is told of it field by field, as `State` has them."""
    try:
        found = msgspec.convert(told, _UnderWay)
    except msgspec.ValidationError as error:
        expected, _, path = str(error).partition(" - at `$")
        raise SetupError(f"under_way{path.rstrip('`')}", expected[:1].lower() + expected[1:]) from None
    return replace(state, **{name: getattr(found, name) for name in told}) if told else state
