"""Changes by hand of a position of Altered: what is printed on a card, and what lies where in its data.

It stands in the setup of the game. A Character of a position may have statistics and a text of its own beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from audit.core import setting as s
from audit.core.catalogue import words
from audit.games.altered.state import EXPEDITIONS, LANDMARKS, PHASES, RESERVE, STATS

PACKAGE = "audit.games.altered"
ON = "yes"
TYPES = ("character", "expedition_permanent", "landmark", "spell")
COSTS = ("hand", "reserve")
TEXT, NO_TEXT, TYPE = f"{s.PRINTED}text", f"{s.PRINTED}no_text", f"{s.PRINTED}type"
PART, PROGRESS = "part", "progress"
PARTS_OF_DUSK = ("before", PROGRESS)
"""What comes at dusk, and the comparison."""
REGION = "region."
LONGEST = 500
"""A text of more letters is not taken."""


def printed(data: s.Json, card: str, language: str, *, with_stats: bool = True) -> s.About:
    """What can be said of a card: nothing is taken as 0 that nobody has told."""
    told, names = words(PACKAGE, language, "scene"), words(PACKAGE, language, "names")
    kind, texts = str(setup_of(data, "types").get(card) or ""), setup_of(data, "abilities").get(card)
    costs, stats = (cast(s.Json, setup_of(data, key).get(card) or {}) for key in ("costs", "stats"))
    counts = [_counted(f"{s.PRINTED}{name}", told[f"cost.{name}"], costs.get(name)) for name in COSTS]
    if with_stats and kind in ("", "character"):
        counts += [_counted(f"{s.PRINTED}{name}", told[f"stat.{name}"], stats.get(name)) for name in STATS]
    types = tuple(s.Choice(one, names[f"type.{one}"]) for one in TYPES)
    lines = [str(one) for one in texts] if isinstance(texts, list | tuple) else []
    is_bare = texts is not None and not lines
    return s.About(
        (
            s.Field(TYPE, kind, types, told["type"]),
            s.Field(NO_TEXT, ON if is_bare else "", (s.Choice(ON, told["no_text"]),)),
        ),
        tuple(counts),
        (s.Written(TEXT, told["text"], " ".join(lines)),),
    )


def read_out(data: s.Data, card: str, name: str, value: object) -> None:
    """Write down one thing that is printed on a card."""
    what = name.removeprefix(s.PRINTED)
    if not s.is_name(card) or s.is_unknown(card):
        return
    if what in COSTS and isinstance(value, int):
        s.table(data, "setup", "costs", card)[what] = value
    elif what in STATS and isinstance(value, int):
        s.table(data, "setup", "stats", card)[what] = value
        with_stat(data, card, what, value)
    elif name == TYPE and value in TYPES:
        s.table(data, "setup", "types")[card] = value
    elif name == NO_TEXT:
        _with_text(data, card, [] if value == ON else None)
    elif name == TEXT and isinstance(value, str) and len(value) <= LONGEST:
        _with_text(data, card, [value.strip()] if value.strip() else None)


def _with_text(data: s.Data, card: str, lines: list[str] | None) -> None:
    texts = s.table(data, "setup", "abilities")
    if lines is None:
        texts.pop(card, None)
        return
    texts[card] = lines
    for one in named_in(data, card):
        one["abilities"] = lines


def _counted(name: str, title: str, number: object) -> s.Counted:
    return s.Counted(name, title, number if isinstance(number, int) else 0, isinstance(number, int))


def setup_of(data: s.Json, key: str) -> s.Json:
    """A part of the setup that a position brings with it."""
    return cast(s.Json, cast(s.Json, data.get("setup") or {}).get(key) or {})


def characters_in(data: s.Json) -> Iterator[s.Json]:
    """What lies in the expeditions, whoever's they are."""
    sides = cast(Mapping[str, Mapping[str, Sequence[s.Json] | None]], data.get("characters") or {})
    yield from (one for groups in sides.values() for group in groups.values() for one in group or () if "id" in one)


def named_in(data: s.Json, card: str) -> Iterator[s.Data]:
    """What lies in an expedition under that name, to be changed."""
    return (cast(s.Data, one) for one in characters_in(data) if one["id"] == card)


def with_stat(data: s.Json, card: str, name: str, number: int) -> None:
    """Give a Character one of its statistics; the others stay what they are, or what is printed on the card."""
    for one in named_in(data, card):
        known = one if "forest" in one else cast(s.Json, setup_of(data, "stats").get(card) or {})
        told = {stat: s.number_at(known, stat) for stat in STATS}
        one.pop("stats", None)
        one.update(told | {name: number})


ZONES = {"hand": "hands", "deck": "decks", "reserve": RESERVE, "landmarks": LANDMARKS, "discard": "discard"}
STATUSES = ("fleeting", "anchored", "asleep")
EFFECT = "effect"


def _put(data: s.Data, change: s.Json) -> None:
    """A card goes to the end of a zone; if it lay elsewhere, it has left that place."""
    card, (seat, zone) = change.get("card"), _place(data, change.get("to"))
    if not s.is_name(card) or not zone:
        return
    before = _taken(data, str(card))
    if zone in EXPEDITIONS:
        statuses = s.names_at(setup_of(data, "statuses"), str(card))
        entry = before or {"id": card, "statuses": statuses}
        cast("list[object]", s.table(data, "characters", seat).setdefault(zone, [])).append(entry)
        return
    side = s.table(data, ZONES[zone])
    held = s.names_at(side, seat)
    side[seat] = s.with_named(held, str(card)) if zone in ("hand", "deck") else [*held, card]


def _take(data: s.Data, change: s.Json) -> None:
    """A card is taken off the table."""
    _taken(data, str(change.get("card")), left=(s.UNKNOWN,))


def _taken(data: s.Data, card: str, left: Sequence[str] = ()) -> s.Data:
    """Take a card from where it lies, and say what was said of it as a Character.

    `left` is what is left of it in a hand or a deck.
    """
    found: s.Data = {}
    for seat in seats_of(data):
        groups = s.table(data, "characters", seat)
        for name in EXPEDITIONS:
            group = cast("list[s.Data]", groups.get(name) or [])
            found = next((one for one in group if one["id"] == card), found)
            if group:
                groups[name] = [one for one in group if one["id"] != card]
        for zone, key in ZONES.items():
            held = s.names_at(data, key, seat)
            if card in held:
                others = left if zone in ("hand", "deck") else ()
                s.table(data, key)[seat] = s.without(held, card, others)
    data["exhausted"] = [one for one in s.names_at(data, "exhausted") if one != card]
    return found


def _turn(data: s.Data, change: s.Json) -> None:
    """A card is exhausted, or ready again."""
    _say(data, {"at": change.get("card"), "name": "exhausted", "value": ""
                if change.get("card") in s.names_at(data, "exhausted") else ON})  # fmt: skip


def _count(data: s.Data, change: s.Json) -> None:
    """A number of a place, of a Character or of the day."""
    number, name, key = s.number_told(change), str(change.get("name") or ""), str(change.get("to") or "")
    if number is None:
        return
    if name.startswith(s.PRINTED):
        read_out(data, key, name, number)
        return
    if not key and name == "day":
        data["day"] = number
    elif name in STATS:
        with_stat(data, key, name, number)
    else:
        _count_at(data, key, name, number)


def _count_at(data: s.Data, key: str, name: str, number: int) -> None:
    seat, _, zone = key.partition(".")
    if seat not in seats_of(data):
        return
    if zone == "mana" and name in ("ready", "exhausted"):
        s.table(data, "orbs", seat)[name] = number
    elif zone in EXPEDITIONS and name == "space":
        s.table(data, "advances", seat)[zone] = number
    elif zone in ("hand", "deck"):
        s.table(data, ZONES[zone])[seat] = s.with_count(s.names_at(data, ZONES[zone], seat), number)


def _say(data: s.Data, change: s.Json) -> None:
    """A field of the table, or of a card."""
    name, value, at = str(change.get("name")), str(change.get("value")), str(change.get("at") or "")
    if name.startswith(s.PRINTED):
        read_out(data, at, name, value)
    elif name.startswith(REGION):
        _say_of_region(data, at, name.removeprefix(REGION), is_on=value == ON)
    elif at and at in lying_in(data):
        _say_of(data, at, name, is_on=value == ON)
    elif name == "phase" and value in PHASES:
        for key in ("daily_effect", "turn_of", "passed"):
            data.pop(key, None)
        data["phase"] = value
        _set_part(data, PROGRESS if value == "dusk" else "")
    elif name == PART and data.get("phase") == "dusk" and value in PARTS_OF_DUSK:
        _set_part(data, value)
    elif name in ("player", "first") and value in seats_of(data):
        data["turn_of" if name == "player" else "first_player"] = value
    elif name.startswith("passed.") and (seat := name.partition(".")[2]) in seats_of(data):
        data["passed"] = _marked(s.names_at(data, "passed"), seat, is_on=value == ON)


def _set_part(data: s.Data, value: str) -> None:
    if value == PROGRESS:
        data["daily_effect"] = PROGRESS
    else:
        data.pop("daily_effect", None)


def _say_of_region(data: s.Data, key: str, stat: str, *, is_on: bool) -> None:
    """An expedition stands in a region that has this type, or has not; one of no type is unknown."""
    seat, name = _place(data, key)
    if name not in EXPEDITIONS or stat not in STATS:
        return
    types = _marked(regions_in(data, seat, name), stat, is_on=is_on)
    own = s.table(data, "regions", seat)
    if types:
        own[name] = [one for one in STATS if one in types]
    else:
        own.pop(name, None)


def regions_in(data: s.Json, seat: str, expedition: str) -> list[str]:
    """The types of the region in which an expedition stands; none where nobody has told them."""
    return s.names_at(data, "regions", seat, expedition)


def _say_of(data: s.Data, card: str, name: str, *, is_on: bool) -> None:
    if name == "exhausted":
        data["exhausted"] = _marked(s.names_at(data, "exhausted"), card, is_on=is_on)
    for one in named_in(data, card) if name in STATUSES else ():
        one["statuses"] = _marked(s.names_at(one, "statuses"), name, is_on=is_on)


def _text(data: s.Data, change: s.Json) -> None:
    """A reaction waits in Limbo, or an effect has begun."""
    card, command = str(change.get("card")), str(change.get("command"))
    reaction = cast(Mapping[str, s.Json], setup_of(data, "reactions")).get(command)
    if reaction is not None:
        told = {"emblem": command, "controller": reaction.get("controller"), "source": card}
        data["limbo"] = [*cast("list[object]", data.get("limbo") or []), told]
    elif command == EFFECT and card in lying_in(data):
        data["effects"] = [{"player": _controller(data, card), "source": card}]


def _no_text(data: s.Data, change: s.Json) -> None:
    data["limbo"] = []
    data.pop("effects", None)


CHANGES: Mapping[str, s.Change] = {
    "put": _put, "turn": _turn, "take": _take, "count": _count, "say": _say, "text": _text, "no-text": _no_text,
}  # fmt: skip


def _marked(names: Sequence[str], name: str, *, is_on: bool) -> list[str]:
    return [*(one for one in names if one != name), *([name] if is_on else [])]


def _place(data: s.Json, key: object) -> tuple[str, str]:
    """The player and the zone of a key; nothing where there is no such place."""
    seat, _, zone = str(key).partition(".")
    return (seat, zone) if seat in seats_of(data) and (zone in ZONES or zone in EXPEDITIONS) else ("", "")


def seats_of(data: s.Json) -> list[str]:
    setup = cast(s.Json, data.get("setup") or {})
    return s.names_at(data, "seats") or s.names_at(setup, "seats") or s.names_at(setup, "players")


def resting_in(data: s.Json) -> Iterator[str]:
    """The cards of Reserves and Landmark zones."""
    yield from (
        card for key in (RESERVE, LANDMARKS) for seat in seats_of(data) for card in s.names_at(data, key, seat)
        if not s.is_unknown(card)
    )  # fmt: skip


def held_in(data: s.Json) -> Iterator[str]:
    """The cards of hands that have a name."""
    yield from (card for seat in seats_of(data) for card in s.names_at(data, "hands", seat) if not s.is_unknown(card))


def lying_in(data: s.Json) -> Iterator[str]:
    yield from (str(one["id"]) for one in characters_in(data))
    for key in ZONES.values():
        yield from (card for seat in seats_of(data) for card in s.names_at(data, key, seat) if not s.is_unknown(card))
    yield from (card for seat in seats_of(data) for card in s.names_at(_under(data, "orbs"), seat, "known"))


def _under(data: s.Json, key: str) -> s.Json:
    return cast(s.Json, data.get(key) or {})


def _controller(data: s.Json, card: str) -> str:
    """Whose side of the table a card lies on."""
    seats = seats_of(data)
    for seat in seats:
        groups = cast(Mapping[str, Sequence[s.Json] | None], _under(data, "characters").get(seat) or {})
        here = {str(one.get("id")) for group in groups.values() for one in group or ()}
        if card in here or any(card in s.names_at(data, key, seat) for key in ZONES.values()):
            return seat
    return seats[0]
