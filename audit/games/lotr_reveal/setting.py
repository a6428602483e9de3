"""A position of a reveal put together by hand: cards in zones, counters, and a card on its way at a step.

What encounter cards there are is in the setup of the game, or they are named at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast, get_args

from audit.core.catalogue import words
from audit.core.errors import SetupError
from audit.core.setting import (
    UNKNOWN,
    About,
    Change,
    Choice,
    Counted,
    Data,
    Field,
    Group,
    Json,
    Setting,
    is_name,
    is_unknown,
    names_at,
    number_at,
    number_told,
    table,
    with_count,
    with_named,
    without,
)
from audit.games.lotr_reveal.cards import DOCUMENT_TYPES, KNOWN
from audit.games.lotr_reveal.events import RevealCause
from audit.games.lotr_reveal.steps import ORDER
from audit.games.lotr_reveal.wording import card_name

PACKAGE = "audit.games.lotr_reveal"
SEATS = ("p1", "p2", "p3", "p4")
HAND, DECK, THREAT = 6, 30, 25
ZONES = ("encounter_deck", "encounter_discard", "staging_area")
LOCATION, ON_ITS_WAY, CHARACTERS, IN_PLAY = "elsewhere.active_location", "under_way", "characters", "in_play"
OF_THE_PLAYERS = (CHARACTERS, IN_PLAY)
TYPES = DOCUMENT_TYPES
CAUSES: tuple[str, ...] = get_args(RevealCause)
KEYWORDS = ("surge", "peril")
COUNTED = {"threat": "threat", "hand": "hand_size"}
OPENING = ("frame", "card", "player", "cause", "step", "parent", "placed")
"""What stays of a card on its way whose step is set by hand; the rest follows from it."""
ON, GONE = "yes", "-"


class RevealSetting(Setting):
    """One to four players and the encounter cards."""

    is_settable = True
    names_cards = True

    def words(self, language: str) -> tuple[Choice, ...]:
        """How many players."""
        told = _words(language)
        return tuple(Choice(str(n), told["table.players"].format(n=n)) for n in range(1, len(SEATS) + 1))

    def words_said(self, language: str) -> str:
        """How many play."""
        return _words(language)["table.words"]

    def takes_card(self, place: str) -> bool:
        """Every zone of the table but those that cards leave it for."""
        return place in (*ZONES, LOCATION, CHARACTERS) or place.startswith("engaged.")

    def fresh(self, words: Sequence[str]) -> Data:
        """An encounter deck that nobody knows, and nothing else on the table."""
        if words[0] not in ("1", "2", "3", "4"):
            raise SetupError("words", "1, 2, 3 or 4")
        seats = SEATS[: int(words[0])]
        return {
            "setup": {"players": list(seats)}, "first_player": seats[0], "encounter_deck": DECK,
            "encounter_discard": [], "staging_area": [], "engaged": {seat: [] for seat in seats}, "in_play": {},
            "threat": dict.fromkeys(seats, THREAT), "hand_size": dict.fromkeys(seats, HAND),
        }  # fmt: skip

    def fields(self, data: Json, language: str) -> tuple[Field, ...]:
        """Who is the first player."""
        seats = tuple(Choice(seat, seat) for seat in _seats(data))
        return (Field("first", str(data.get("first_player") or ""), seats, _words(language)["first"]),)

    def left(self, data: Json, language: str) -> tuple[Group, ...]:
        """The encounter cards that lie nowhere but in the deck, by their type; and the cards of the players."""
        lying, cards, told = set(_lying({**data, ZONES[0]: []})), _cards(data), _words(language)
        listed = dict.fromkeys((*cards, *names_at(_setup(data), "encounter_cards")))
        types: dict[str, list[str]] = {}
        for card in listed:
            types.setdefault(str(cards.get(card, {}).get("type") or ""), []).append(card)
        elsewhere = (*ZONES, LOCATION, ON_ITS_WAY, *(f"engaged.{seat}" for seat in _seats(data)))
        players = dict.fromkeys((*KNOWN, *_table(data, CHARACTERS), *_table(data, IN_PLAY)))
        groups = [(told.get(f"type.{type}", type), some, elsewhere) for type, some in types.items()]
        left = [(title, [card for card in some if card not in lying], places) for title, some, places in groups]
        for place in OF_THE_PLAYERS:
            left.append(("", [card for card in players if card not in _table(data, place)], (place,)))
        return tuple(
            Group(title, tuple(Choice(card, card_name(card, language)) for card in some), "", places)
            for title, some, places in left
        )

    def places(self, data: Json, language: str) -> tuple[Choice, ...]:
        """A card on its way, the active location, and what the players have in play."""
        told = _words(language)
        return (
            Choice(ON_ITS_WAY, told["on_its_way"]), Choice(LOCATION, told["active_location"]),
            Choice(CHARACTERS, told["characters"]), Choice(IN_PLAY, told["in_play"]),
        )  # fmt: skip

    def about(self, data: Json, language: str) -> Mapping[str, About]:
        """Counts of the decks and of each player; tokens, type and keywords of a card; the step of one on its way."""
        told = _words(language)
        found = {"encounter_deck": About((), (Counted("", "", len(names_at(data, "encounter_deck"))),))}
        for seat in _seats(data):
            for one, key in COUNTED.items():
                counted = Counted(key, told[one].format(player=seat), number_at(data, key, seat))
                found[f"{one}.{seat}"] = About((), (counted,))
        found |= {card: self._card(data, card, told) for card in _lying(data)}
        found |= {card: self._character(data, card, told) for card in _table(data, CHARACTERS)}
        seats = (*(Choice(seat, seat) for seat in _seats(data)), Choice(GONE, "✕"))
        found[IN_PLAY] = About(tuple(
            Field(card, str(cast(Json, one).get("owner") or ""), seats, card_name(card, language))
            for card, one in _table(data, IN_PLAY).items()
        ))  # fmt: skip
        for frame in _frames(data):
            card = str(frame["card"])
            found[card] = About((*self._way(data, frame, told), *found[card].fields), found[card].counts)
        return found

    def _card(self, data: Json, card: str, told: Mapping[str, str]) -> About:
        known = _cards(data).get(card, {})
        types = tuple(Choice(one, told[f"type.{one}"]) for one in TYPES)
        keywords = cast(Json, known.get("keywords") or {})
        marks = tuple(
            Field(name, ON if keywords.get(name) else "", (Choice(ON, told.get(f"keyword.{name}", name)),))
            for name in KEYWORDS
        )
        effect = Field("has_when_revealed", ON if known.get("has_when_revealed") else "", (Choice(ON, told["step.7"]),))
        counts = tuple(Counted(name, told[name], number_at(data, name, card)) for name in ("damage", "progress"))
        doomed = Counted("doomed", told["keyword.doomed"], number_at(keywords, "doomed"))
        return About(
            (Field("type", str(known.get("type") or ""), types, told["type"]), *marks, effect), (*counts, doomed)
        )

    def _character(self, data: Json, card: str, told: Mapping[str, str]) -> About:
        one = cast(Json, _table(data, CHARACTERS)[card])
        spent = Field("exhausted", ON if one.get("ready") is False else "", (Choice(ON, told["exhausted"]),))
        return About((spent,), (Counted("damage", told["damage"], number_at(one, "damage")),))

    def _way(self, data: Json, frame: Json, told: Mapping[str, str]) -> tuple[Field, ...]:
        seats, steps = tuple(Choice(seat, seat) for seat in _seats(data)), tuple(Choice(step, step) for step in ORDER)
        causes = tuple(Choice(one, told[f"cause.{one}"]) for one in CAUSES if f"cause.{one}" in told)
        return (
            Field("step", str(frame.get("step", "1")), steps, told["step"]),
            Field("reveals", str(frame["player"]), seats, told["reveals"]),
            Field("cause", str(frame.get("cause", "staging")), causes, told["cause"]),
        )

    def changes(self) -> Mapping[str, Change]:
        """What changes the position."""
        return _CHANGES


def _put(data: Data, change: Json) -> None:
    """A card goes to the end of a zone; if it lay elsewhere, it has left that place."""
    card, to = change.get("card"), str(change.get("to"))
    if not is_name(card) or to not in (*ZONES, LOCATION, ON_ITS_WAY, *OF_THE_PLAYERS, *_engaged(data)):
        return
    name = str(card)
    if to in OF_THE_PLAYERS:
        table(data, to)[name] = {"ready": True} if to == CHARACTERS else {"owner": data.get("first_player")}
        return
    _taken(data, name)
    table(data, "setup", "cards").setdefault(name, {})
    _PUTTING.get(to.partition(".")[0], _to_zone)(data, name, to)


def _to_zone(data: Data, card: str, to: str) -> None:
    held = names_at(data, to)
    data[to] = with_named(held, card) if to == "encounter_deck" else [*held, card]


def _to_player(data: Data, card: str, to: str) -> None:
    seat = to.partition(".")[2]
    table(data, "engaged")[seat] = [*names_at(_table(data, "engaged"), seat), card]


def _elsewhere(data: Data, card: str, to: str) -> None:
    table(data, "elsewhere")[card] = to.partition(".")[2]


def _on_its_way(data: Data, card: str, to: str) -> None:
    """A further card on its way; with the first one open, it is one that is revealed by an effect."""
    frames, opened = _frames(data), number_at(data, "opened") + 1
    data["opened"] = opened
    inside = {"parent": frames[-1]["frame"], "cause": "effect"} if frames else {}
    data["revealed"] = number_at(data, "revealed") + (0 if frames else 1)
    player = data.get("first_player") or _seats(data)[0]
    data[ON_ITS_WAY] = [*frames, {"frame": f"f{opened}", "card": card, "player": player, "step": "1", **inside}]


_PUTTING: Mapping[str, Callable[[Data, str, str], None]] = {
    "engaged": _to_player, "elsewhere": _elsewhere, ON_ITS_WAY: _on_its_way,
}  # fmt: skip


def _take(data: Data, change: Json) -> None:
    """A card is taken off the table."""
    card = str(change.get("card"))
    _taken(data, card, left=(UNKNOWN,))
    for place in OF_THE_PLAYERS:
        if card in _table(data, place):
            del table(data, place)[card]


def _taken(data: Data, card: str, left: Sequence[str] = ()) -> None:
    for zone in ZONES:
        held = names_at(data, zone)
        if card in held:
            data[zone] = without(held, card, left if zone == ZONES[0] else ())
    engaged, elsewhere = cast(Data, _table(data, "engaged")), cast(Data, _table(data, "elsewhere"))
    for seat in engaged:
        engaged[seat] = _less(names_at(engaged, seat), card)
    elsewhere.pop(card, None)
    if any(frame["card"] == card for frame in _frames(data)):
        _left(data, card)
    for name in ("damage", "progress", "threat_strength", "attachments"):
        if card in _table(data, name):
            del table(data, name)[card]


def _left(data: Data, card: str) -> None:
    """A card is on its way no more, nor is one that was revealed inside it."""
    gone = {str(frame["frame"]) for frame in _frames(data) if frame["card"] == card}
    for frame in _frames(data):
        gone |= {str(frame["frame"])} if frame.get("parent") in gone else set()
    data[ON_ITS_WAY] = [frame for frame in _frames(data) if frame["frame"] not in gone]


def _turn(data: Data, change: Json) -> None:
    """A character is exhausted, or ready again; a card on its way comes to a step."""
    card = str(change.get("card"))
    if card in _table(data, CHARACTERS):
        one = table(data, CHARACTERS, card)
        one["ready"] = one.get("ready") is False


def _count(data: Data, change: Json) -> None:
    """A number of a zone, of a player, or of a card."""
    number, name, key = number_told(change), str(change.get("name") or ""), str(change.get("to") or "")
    if number is None:
        return
    if key == "encounter_deck":
        data[key] = with_count(names_at(data, key), number)
    elif key in _table(data, CHARACTERS):
        table(data, CHARACTERS, key)["damage"] = number
    elif name in COUNTED.values() and key.partition(".")[2] in _seats(data):
        table(data, name)[key.partition(".")[2]] = number
    elif name in ("damage", "progress") and key in _lying(data):
        table(data, name)[key] = number
    elif name == "doomed" and key in _lying(data):
        _keyword(data, key, name, number)


def _keyword(data: Data, card: str, name: str, value: object) -> None:
    keywords = table(data, "setup", "cards", card, "keywords")
    keywords.pop(name, None)
    if value:
        keywords[name] = value
    _again(data, card)


def _again(data: Data, card: str) -> None:
    """What a card on its way still has to go through follows again from what the card is."""
    data[ON_ITS_WAY] = [
        {key: frame[key] for key in OPENING if key in frame} if frame["card"] == card else frame
        for frame in _frames(data)
    ]


def _say(data: Data, change: Json) -> None:
    """A field of the table, of a card, or of a card on its way."""
    name, value, at = str(change.get("name")), str(change.get("value")), str(change.get("at") or "")
    if not at:
        if name == "first" and value in _seats(data):
            data["first_player"] = value
    elif at == IN_PLAY and name in _table(data, IN_PLAY):
        if value == GONE:
            del table(data, IN_PLAY)[name]
        elif value in _seats(data):
            table(data, IN_PLAY, name)["owner"] = value
    elif at in _table(data, CHARACTERS):
        table(data, CHARACTERS, at)["ready"] = value != ON
    elif at in _lying(data):
        _say_of(data, at, name, value)


def _say_of(data: Data, card: str, name: str, value: str) -> None:
    known = table(data, "setup", "cards", card)
    if name in KEYWORDS:
        _keyword(data, card, name, value == ON)
    elif name == "has_when_revealed":
        known[name] = value == ON
        _again(data, card)
    elif name == "type" and value in TYPES:
        known[name] = value
        _again(data, card)
    elif value in {"step": ORDER, "reveals": _seats(data), "cause": CAUSES}.get(name, ()):
        _again(data, card)
        for frame in _frames(data):
            if frame["card"] == card:
                cast(Data, frame)["player" if name == "reveals" else name] = value


_CHANGES: Mapping[str, Change] = {
    "put": _put, "turn": _turn, "take": _take, "count": _count, "say": _say,
}  # fmt: skip


def _lying(data: Json) -> Iterator[str]:
    """The encounter cards on the table that have a name."""
    for zone in ZONES:
        yield from (card for card in names_at(data, zone) if not is_unknown(card))
    yield from (card for seat in _seats(data) for card in names_at(_table(data, "engaged"), seat))
    yield from _table(data, "elsewhere")
    yield from (str(frame["card"]) for frame in _frames(data))


def _engaged(data: Json) -> list[str]:
    return [f"engaged.{seat}" for seat in _seats(data)]


def _less(cards: Sequence[str], card: str) -> list[str]:
    return [one for one in cards if one != card]


def _frames(data: Json) -> list[Json]:
    return list(cast("Sequence[Json]", data.get(ON_ITS_WAY) or ()))


def _setup(data: Json) -> Json:
    return _table(data, "setup")


def _cards(data: Json) -> Mapping[str, Json]:
    return cast(Mapping[str, Json], _table(_setup(data), "cards"))


def _seats(data: Json) -> list[str]:
    return names_at(_setup(data), "players")


def _table(data: Json, key: str) -> Json:
    return cast(Json, data.get(key) or {})


def _words(language: str) -> Mapping[str, str]:
    return cast(Mapping[str, str], {**words(PACKAGE, language, "names"), **words(PACKAGE, language, "scene")})
