"""A position of Altered put together by hand: cards in zones, statistics, mana, the day and its phase.

What cards there are is in the setup of the game, or they are named at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from audit.core import setting as s
from audit.core.catalogue import words
from audit.core.errors import SetupError
from audit.core.model import Event
from audit.core.typography import labelled
from audit.games.altered.askable import askable
from audit.games.altered.state import COMPANION, EXPEDITIONS, HERO, LANDMARKS, PHASES, RESERVE, STATS, State
from audit.games.altered.untold import untold

PACKAGE = "audit.games.altered"
MODES: Mapping[str, tuple[str, int]] = {
    "duel": ("duel", 2),
    "ffa-3": ("ffa", 3),
    "ffa-4": ("ffa", 4),
    "2v2": ("2v2", 4),
}
SEATS = ("A", "B", "C", "D")
HAND, DECK, ORBS, DISTANCE = 3, 33, 3, 7
ZONES = {"hand": "hands", "deck": "decks", "reserve": RESERVE, "landmarks": LANDMARKS, "discard": "discard"}
STATUSES = ("fleeting", "anchored", "asleep")
ON = "yes"
EFFECT = "effect"
CARD_DATA = ("costs", "stats", "statuses", "abilities")


class AlteredSetting(s.Setting):
    """Two to four players, each with two expeditions."""

    is_settable = True
    names_cards = True

    def words(self, language: str) -> tuple[s.Choice, ...]:
        """How many players, and whether they are teams."""
        return tuple(s.Choice(mode, _words(language)[f"table.{mode}"]) for mode in MODES)

    def words_said(self, language: str) -> str:
        """How many play."""
        return _words(language)["table.words"]

    def takes_card(self, place: str) -> bool:
        """Every zone of a player."""
        return place.partition(".")[2] in (*ZONES, *EXPEDITIONS)

    def fresh(self, words: Sequence[str]) -> s.Data:
        """Empty zones on the first afternoon; the mana has been placed."""
        if words[0] not in MODES:
            raise SetupError("words", f"one of {', '.join(MODES)}")
        mode, number = MODES[words[0]]
        seats = SEATS[:number]
        each: dict[str, object] = {
            "hands": HAND, "decks": DECK, "orbs": {"ready": ORBS, "exhausted": 0}, RESERVE: [], LANDMARKS: [],
            "discard": [], "characters": {HERO: [], COMPANION: []}, "advances": {HERO: 0, COMPANION: 0},
        }  # fmt: skip
        return {
            "setup": {"mode": mode, "seats": list(seats), "meet_distance": DISTANCE},
            "first_player": "A", "day": 1, "phase": "afternoon", "turn_of": "A", "limbo": [],
            **{key: {seat: s.own(value) for seat in seats} for key, value in each.items()},
        }  # fmt: skip

    def fields(self, data: s.Json, language: str) -> tuple[s.Field, ...]:
        """The phase, whose turn it is, who is first, and who has passed."""
        told, passed = _words(language), s.names_at(data, "passed")
        seats = tuple(s.Choice(seat, seat) for seat in _seats(data))
        phase = str(data.get("phase") or "")
        afternoon = (s.Field("player", str(data.get("turn_of") or ""), seats),) if phase == "afternoon" else ()
        return (
            s.Field("phase", phase, tuple(s.Choice(one, told[f"phase.{one}"]) for one in PHASES)), *afternoon,
            s.Field("first", str(data.get("first_player") or ""), seats, told["first"]),
            *(
                s.Field(
                    f"passed.{seat}", ON if seat in passed else "",
                    (s.Choice(ON, labelled(language, seat, told["passed"])),),
                )
                for seat in _seats(data) if afternoon
            ),
        )  # fmt: skip

    def left(self, data: s.Json, language: str) -> tuple[s.Group, ...]:
        """The cards that the setup tells of and that lie nowhere but in a deck, by deck where it has their lists."""
        drawn = {key: value for key, value in data.items() if key != ZONES["deck"]}
        setup, lying = cast(s.Json, data.get("setup", {})), set(_lying(drawn))
        decks = {seat: s.names_at(setup, "deck_lists", seat) for seat in cast(s.Json, setup.get("deck_lists") or {})}
        listed = {card for cards in decks.values() for card in cards}
        others = (card for key in CARD_DATA for card in cast(s.Json, setup.get(key) or {}) if card not in listed)
        groups = {**decks, "": [*others, *(card for card in s.names_at(setup, "permanents") if card not in listed)]}
        return tuple(
            s.Group(title, tuple(s.Choice(card, card) for card in dict.fromkeys(cards) if card not in lying))
            for title, cards in groups.items() if set(cards) - lying
        )  # fmt: skip

    def about(self, data: s.Json, language: str) -> Mapping[str, s.About]:
        """Counts of hands, decks and mana; how far expeditions are; a card's statistics and statuses."""
        told = _words(language)
        found = {"": s.About((), (s.Counted("day", told["day"], s.number_at(data, "day")),))}
        for seat in _seats(data):
            found |= {
                f"{seat}.{zone}": s.About((), (s.Counted("", "", len(s.names_at(data, ZONES[zone], seat))),))
                for zone in ("hand", "deck")
            }
            found[f"{seat}.mana"] = s.About((), tuple(
                s.Counted(one, told[f"mana.{one}"], s.number_at(data, "orbs", seat, one))
                for one in ("ready", "exhausted")
            ))  # fmt: skip
            for name in EXPEDITIONS:
                found[f"{seat}.{name}"] = s.About(
                    (), (s.Counted("space", told["space"], s.number_at(data, "advances", seat, name)),)
                )
        resting = {card: s.About(self._spent(data, card, told)) for card in _resting(data)}
        return found | resting | {str(one["id"]): self._character(data, one, told) for one in _characters(data)}

    def _character(self, data: s.Json, one: s.Json, told: Mapping[str, str]) -> s.About:
        card, statuses = str(one["id"]), s.names_at(one, "statuses")
        known = cast(s.Json, one if "forest" in one else _setup(data, "stats").get(card) or {})
        marks = tuple(
            s.Field(name, ON if name in statuses else "", (s.Choice(ON, told[f"status.{name}"]),)) for name in STATUSES
        )
        counts = tuple(s.Counted(stat, told[f"stat.{stat}"], s.number_at(known, stat)) for stat in STATS)
        return s.About((*marks, *self._spent(data, card, told)), counts)

    def _spent(self, data: s.Json, card: str, told: Mapping[str, str]) -> tuple[s.Field, ...]:
        spent = s.names_at(data, "exhausted")
        return (s.Field("exhausted", ON if card in spent else "", (s.Choice(ON, told["exhausted"]),)),)

    def texts(self, data: s.Json, language: str) -> tuple[s.HalfDone, ...]:
        """The reactions that may wait in Limbo, and the effects that may have begun."""
        told = _words(language)
        reactions = cast(Mapping[str, s.Json], _setup(data, "reactions"))
        waiting = tuple(
            s.HalfDone(
                name.partition(":")[0],
                name,
                0,
                labelled(language, told["limbo"], name),
                str(one.get("effect") or ""),
                1,
            )
            for name, one in reactions.items()
        )
        begun = (card for card in dict.fromkeys((*_resting(data), *(str(one["id"]) for one in _characters(data)))))
        return (
            *waiting,
            *(s.HalfDone(card, EFFECT, 0, labelled(language, card, told["begun"]), "", 1) for card in begun),
        )

    def untold(self, state: object) -> Iterable[Event]:
        """Cards of hands that nobody has seen, and what is announced at dusk."""
        return untold(cast(State, state))

    def askable(self, state: object, key: str) -> Iterator[Event]:
        """Playing, resting and moving a card, quick actions and reactions, advancing, passing."""
        return askable(cast(State, state), key)

    def changes(self) -> Mapping[str, s.Change]:
        """What changes the position."""
        return _CHANGES

    def changed(self, data: s.Json, change: s.Json) -> s.Data:
        """The position after a change; what was under way does not outlast another moment."""
        found, do = super().changed(data, change), change.get("do")
        under_way = s.table(found, "under_way") if "under_way" in found else {}
        for name in ("sides", "exhausted"):
            under_way.pop(name, None)
        if do in ("text", "no-text") or (do == "say" and not change.get("at")):
            found.pop("under_way", None)
        return found


def _put(data: s.Data, change: s.Json) -> None:
    """A card goes to the end of a zone; if it lay elsewhere, it has left that place."""
    card, (seat, zone) = change.get("card"), _place(data, change.get("to"))
    if not s.is_name(card) or not zone:
        return
    before = _taken(data, str(card))
    if zone in EXPEDITIONS:
        statuses = s.names_at(_setup(data, "statuses"), str(card))
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
    for seat in _seats(data):
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
    if not key and name == "day":
        data["day"] = number
    elif name in STATS:
        for one in _characters(data):
            if one.get("id") == key:
                _with_stat(data, cast(s.Data, one), name, number)
    else:
        _count_at(data, key, name, number)


def _count_at(data: s.Data, key: str, name: str, number: int) -> None:
    seat, _, zone = key.partition(".")
    if seat not in _seats(data):
        return
    if zone == "mana" and name in ("ready", "exhausted"):
        s.table(data, "orbs", seat)[name] = number
    elif zone in EXPEDITIONS and name == "space":
        s.table(data, "advances", seat)[zone] = number
    elif zone in ("hand", "deck"):
        s.table(data, ZONES[zone])[seat] = s.with_count(s.names_at(data, ZONES[zone], seat), number)


def _with_stat(data: s.Json, one: s.Data, name: str, number: int) -> None:
    known = one if "forest" in one else cast(s.Json, _setup(data, "stats").get(str(one["id"])) or {})
    told = {stat: s.number_at(known, stat) for stat in STATS}
    one.pop("stats", None)
    one.update(told | {name: number})


def _say(data: s.Data, change: s.Json) -> None:
    """A field of the table, or of a card."""
    name, value, at = str(change.get("name")), str(change.get("value")), str(change.get("at") or "")
    if at and at in _lying(data):
        _say_of(data, at, name, is_on=value == ON)
    elif name == "phase" and value in PHASES:
        for key in ("daily_effect", "turn_of", "passed"):
            data.pop(key, None)
        data["phase"] = value
    elif name in ("player", "first") and value in _seats(data):
        data["turn_of" if name == "player" else "first_player"] = value
    elif name.startswith("passed.") and (seat := name.partition(".")[2]) in _seats(data):
        data["passed"] = _marked(s.names_at(data, "passed"), seat, is_on=value == ON)


def _say_of(data: s.Data, card: str, name: str, *, is_on: bool) -> None:
    if name == "exhausted":
        data["exhausted"] = _marked(s.names_at(data, "exhausted"), card, is_on=is_on)
    for one in _characters(data) if name in STATUSES else ():
        if one["id"] == card:
            cast(s.Data, one)["statuses"] = _marked(s.names_at(one, "statuses"), name, is_on=is_on)


def _text(data: s.Data, change: s.Json) -> None:
    """A reaction waits in Limbo, or an effect has begun."""
    card, command = str(change.get("card")), str(change.get("command"))
    reaction = cast(Mapping[str, s.Json], _setup(data, "reactions")).get(command)
    if reaction is not None:
        told = {"emblem": command, "controller": reaction.get("controller"), "source": card}
        data["limbo"] = [*cast("list[object]", data.get("limbo") or []), told]
    elif command == EFFECT and card in _lying(data):
        data["effects"] = [{"player": _controller(data, card), "source": card}]


def _no_text(data: s.Data, change: s.Json) -> None:
    data["limbo"] = []
    data.pop("effects", None)


_CHANGES: Mapping[str, s.Change] = {
    "put": _put, "turn": _turn, "take": _take, "count": _count, "say": _say, "text": _text, "no-text": _no_text,
}  # fmt: skip


def _marked(names: Sequence[str], name: str, *, is_on: bool) -> list[str]:
    return [*(one for one in names if one != name), *([name] if is_on else [])]


def _place(data: s.Json, key: object) -> tuple[str, str]:
    """The player and the zone of a key; nothing where there is no such place."""
    seat, _, zone = str(key).partition(".")
    return (seat, zone) if seat in _seats(data) and (zone in ZONES or zone in EXPEDITIONS) else ("", "")


def _seats(data: s.Json) -> list[str]:
    setup = cast(s.Json, data.get("setup") or {})
    return s.names_at(data, "seats") or s.names_at(setup, "seats") or s.names_at(setup, "players")


def _setup(data: s.Json, key: str) -> s.Json:
    return cast(s.Json, cast(s.Json, data.get("setup") or {}).get(key) or {})


def _characters(data: s.Json) -> Iterator[s.Json]:
    sides = cast(Mapping[str, Mapping[str, Sequence[s.Json] | None]], data.get("characters") or {})
    yield from (one for groups in sides.values() for group in groups.values() for one in group or () if "id" in one)


def _resting(data: s.Json) -> Iterator[str]:
    """The cards of Reserves and Landmark zones."""
    yield from (
        card for key in (RESERVE, LANDMARKS) for seat in _seats(data) for card in s.names_at(data, key, seat)
        if not s.is_unknown(card)
    )  # fmt: skip


def _lying(data: s.Json) -> Iterator[str]:
    yield from (str(one["id"]) for one in _characters(data))
    for key in ZONES.values():
        yield from (card for seat in _seats(data) for card in s.names_at(data, key, seat) if not s.is_unknown(card))
    yield from (card for seat in _seats(data) for card in s.names_at(_under(data, "orbs"), seat, "known"))


def _under(data: s.Json, key: str) -> s.Json:
    return cast(s.Json, data.get(key) or {})


def _controller(data: s.Json, card: str) -> str:
    """Whose side of the table a card lies on."""
    seats = _seats(data)
    for seat in seats:
        groups = cast(Mapping[str, Sequence[s.Json] | None], _under(data, "characters").get(seat) or {})
        here = {str(one.get("id")) for group in groups.values() for one in group or ()}
        if card in here or any(card in s.names_at(data, key, seat) for key in ZONES.values()):
            return seat
    return seats[0]


def _words(language: str) -> Mapping[str, str]:
    return cast(Mapping[str, str], words(PACKAGE, language, "scene"))
