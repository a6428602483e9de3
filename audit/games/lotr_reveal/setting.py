"""A position of a reveal put together by hand: cards in zones, counters, and a card on its way at a step.

What encounter cards there are is in the setup of the game, or they are named at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast, get_args

from audit.core import setting as s
from audit.core.catalogue import words
from audit.core.errors import SetupError
from audit.core.model import Event
from audit.games.lotr_reveal.askable import askable
from audit.games.lotr_reveal.cards import DOCUMENT_TYPES, KNOWN
from audit.games.lotr_reveal.events import RevealCause
from audit.games.lotr_reveal.state import State
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


class RevealSetting(s.Setting):
    """One to four players and the encounter cards."""

    is_settable = True
    names_cards = True

    def words(self, language: str) -> tuple[s.Choice, ...]:
        """How many players."""
        told = _words(language)
        return tuple(s.Choice(str(n), told["table.players"].format(n=n)) for n in range(1, len(SEATS) + 1))

    def words_said(self, language: str) -> str:
        """How many play."""
        return _words(language)["table.words"]

    def typing_help(self, language: str) -> str:
        """How cards and players are called."""
        return _words(language)["typing.help"]

    def takes_card(self, place: str) -> bool:
        """Every zone of the table but those that cards leave it for."""
        return place in (*ZONES, LOCATION, CHARACTERS) or place.startswith("engaged.")

    def fresh(self, words: Sequence[str]) -> s.Data:
        """An encounter deck that nobody knows, and nothing else on the table."""
        if words[0] not in ("1", "2", "3", "4"):
            raise SetupError("words", "1, 2, 3 or 4")
        seats = SEATS[: int(words[0])]
        return {
            "setup": {"players": list(seats)}, "first_player": seats[0], "encounter_deck": DECK,
            "encounter_discard": [], "staging_area": [], "engaged": {seat: [] for seat in seats}, "in_play": {},
            "threat": dict.fromkeys(seats, THREAT), "hand_size": dict.fromkeys(seats, HAND),
        }  # fmt: skip

    def fields(self, data: s.Json, language: str) -> tuple[s.Field, ...]:
        """Who is the first player."""
        seats = tuple(s.Choice(seat, seat) for seat in _seats(data))
        return (s.Field("first", str(data.get("first_player") or ""), seats, _words(language)["first"]),)

    def left(self, data: s.Json, language: str) -> tuple[s.Group, ...]:
        """The encounter cards that lie nowhere but in the deck, by their type; and the cards of the players."""
        lying, cards, told = set(_lying({**data, ZONES[0]: []})), _cards(data), _words(language)
        listed = dict.fromkeys((*cards, *s.names_at(_setup(data), "encounter_cards")))
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
            s.Group(title, tuple(s.Choice(card, card_name(card, language)) for card in some), "", places)
            for title, some, places in left
        )

    def places(self, data: s.Json, language: str) -> tuple[s.Choice, ...]:
        """A card on its way, the active location, and what the players have in play."""
        told = _words(language)
        return (
            s.Choice(ON_ITS_WAY, told["on_its_way"]), s.Choice(LOCATION, told["active_location"]),
            s.Choice(CHARACTERS, told["characters"]), s.Choice(IN_PLAY, told["in_play"]),
        )  # fmt: skip

    def about(self, data: s.Json, language: str) -> Mapping[str, s.About]:
        """Counts of the decks and of each player; tokens, type and keywords of a card; the step of one on its way."""
        told = _words(language)
        found = {"encounter_deck": s.About((), (s.Counted("", "", len(s.names_at(data, "encounter_deck"))),))}
        for seat in _seats(data):
            for one, key in COUNTED.items():
                counted = s.Counted(key, told[one].format(player=seat), s.number_at(data, key, seat))
                found[f"{one}.{seat}"] = s.About((), (counted,))
        found |= {card: self._card(data, card, told) for card in _lying(data)}
        found |= {card: self._character(data, card, told) for card in _table(data, CHARACTERS)}
        seats = (*(s.Choice(seat, seat) for seat in _seats(data)), s.Choice(GONE, "✕"))
        found[IN_PLAY] = s.About(tuple(
            s.Field(card, str(cast(s.Json, one).get("owner") or ""), seats, card_name(card, language))
            for card, one in _table(data, IN_PLAY).items()
        ))  # fmt: skip
        for frame in _frames(data):
            card = str(frame["card"])
            found[card] = s.About((*self._way(data, frame, told), *found[card].fields), found[card].counts)
        return found

    def _card(self, data: s.Json, card: str, told: Mapping[str, str]) -> s.About:
        known = _cards(data).get(card, {})
        types = tuple(s.Choice(one, told[f"type.{one}"]) for one in TYPES)
        keywords = cast(s.Json, known.get("keywords") or {})
        marks = tuple(
            s.Field(name, ON if keywords.get(name) else "", (s.Choice(ON, told.get(f"keyword.{name}", name)),))
            for name in KEYWORDS
        )
        has_effect = ON if known.get("has_when_revealed") else ""
        effect = s.Field("has_when_revealed", has_effect, (s.Choice(ON, told["step.7"]),))
        counts = tuple(s.Counted(name, told[name], s.number_at(data, name, card)) for name in ("damage", "progress"))
        doomed = s.Counted("doomed", told["keyword.doomed"], s.number_at(keywords, "doomed"))
        return s.About(
            (s.Field("type", str(known.get("type") or ""), types, told["type"]), *marks, effect), (*counts, doomed)
        )

    def _character(self, data: s.Json, card: str, told: Mapping[str, str]) -> s.About:
        one = cast(s.Json, _table(data, CHARACTERS)[card])
        spent = s.Field("exhausted", ON if one.get("ready") is False else "", (s.Choice(ON, told["exhausted"]),))
        return s.About((spent,), (s.Counted("damage", told["damage"], s.number_at(one, "damage")),))

    def _way(self, data: s.Json, frame: s.Json, told: Mapping[str, str]) -> tuple[s.Field, ...]:
        seats, steps = (tuple(s.Choice(one, one) for one in some) for some in (_seats(data), ORDER))
        causes = tuple(s.Choice(one, told[f"cause.{one}"]) for one in CAUSES if f"cause.{one}" in told)
        return (
            s.Field("step", str(frame.get("step", "1")), steps, told["step"]),
            s.Field("reveals", str(frame["player"]), seats, told["reveals"]),
            s.Field("cause", str(frame.get("cause", "staging")), causes, told["cause"]),
        )

    def askable(self, state: object, key: str) -> Iterator[Event]:
        """Revealing and moving a card, its keywords, responses in each window, characters, threat and hands."""
        return askable(cast(State, state), key)

    def changes(self) -> Mapping[str, s.Change]:
        """What changes the position."""
        return _CHANGES


def _put(data: s.Data, change: s.Json) -> None:
    """A card goes to the end of a zone; if it lay elsewhere, it has left that place."""
    card, to = change.get("card"), str(change.get("to"))
    if not s.is_name(card) or to not in (*ZONES, LOCATION, ON_ITS_WAY, *OF_THE_PLAYERS, *_engaged(data)):
        return
    name = str(card)
    if to in OF_THE_PLAYERS:
        s.table(data, to)[name] = {"ready": True} if to == CHARACTERS else {"owner": data.get("first_player")}
        return
    _taken(data, name)
    s.table(data, "setup", "cards").setdefault(name, {})
    _PUTTING.get(to.partition(".")[0], _to_zone)(data, name, to)


def _to_zone(data: s.Data, card: str, to: str) -> None:
    held = s.names_at(data, to)
    data[to] = s.with_named(held, card) if to == "encounter_deck" else [*held, card]


def _to_player(data: s.Data, card: str, to: str) -> None:
    seat = to.partition(".")[2]
    s.table(data, "engaged")[seat] = [*s.names_at(_table(data, "engaged"), seat), card]


def _elsewhere(data: s.Data, card: str, to: str) -> None:
    s.table(data, "elsewhere")[card] = to.partition(".")[2]


def _on_its_way(data: s.Data, card: str, to: str) -> None:
    """A further card on its way; with the first one open, it is one that is revealed by an effect."""
    frames, opened = _frames(data), s.number_at(data, "opened") + 1
    data["opened"] = opened
    inside = {"parent": frames[-1]["frame"], "cause": "effect"} if frames else {}
    data["revealed"] = s.number_at(data, "revealed") + (0 if frames else 1)
    player = data.get("first_player") or _seats(data)[0]
    data[ON_ITS_WAY] = [*frames, {"frame": f"f{opened}", "card": card, "player": player, "step": "1", **inside}]


_PUTTING: Mapping[str, Callable[[s.Data, str, str], None]] = {
    "engaged": _to_player, "elsewhere": _elsewhere, ON_ITS_WAY: _on_its_way,
}  # fmt: skip


def _take(data: s.Data, change: s.Json) -> None:
    """A card is taken off the table."""
    card = str(change.get("card"))
    _taken(data, card, left=(s.UNKNOWN,))
    for place in OF_THE_PLAYERS:
        if card in _table(data, place):
            del s.table(data, place)[card]


def _taken(data: s.Data, card: str, left: Sequence[str] = ()) -> None:
    for zone in ZONES:
        held = s.names_at(data, zone)
        if card in held:
            data[zone] = s.without(held, card, left if zone == ZONES[0] else ())
    engaged, elsewhere = cast(s.Data, _table(data, "engaged")), cast(s.Data, _table(data, "elsewhere"))
    for seat in engaged:
        engaged[seat] = _less(s.names_at(engaged, seat), card)
    elsewhere.pop(card, None)
    if any(frame["card"] == card for frame in _frames(data)):
        _left(data, card)
    for name in ("damage", "progress", "threat_strength", "attachments"):
        if card in _table(data, name):
            del s.table(data, name)[card]


def _left(data: s.Data, card: str) -> None:
    """A card is on its way no more, nor is one that was revealed inside it."""
    gone = {str(frame["frame"]) for frame in _frames(data) if frame["card"] == card}
    for frame in _frames(data):
        gone |= {str(frame["frame"])} if frame.get("parent") in gone else set()
    data[ON_ITS_WAY] = [frame for frame in _frames(data) if frame["frame"] not in gone]


def _turn(data: s.Data, change: s.Json) -> None:
    """A character is exhausted, or ready again; a card on its way comes to a step."""
    card = str(change.get("card"))
    if card in _table(data, CHARACTERS):
        one = s.table(data, CHARACTERS, card)
        one["ready"] = one.get("ready") is False


def _count(data: s.Data, change: s.Json) -> None:
    """A number of a zone, of a player, or of a card."""
    number, name, key = s.number_told(change), str(change.get("name") or ""), str(change.get("to") or "")
    if number is None:
        return
    if key == "encounter_deck":
        data[key] = s.with_count(s.names_at(data, key), number)
    elif key in _table(data, CHARACTERS):
        s.table(data, CHARACTERS, key)["damage"] = number
    elif name in COUNTED.values() and key.partition(".")[2] in _seats(data):
        s.table(data, name)[key.partition(".")[2]] = number
    elif name in ("damage", "progress") and key in _lying(data):
        s.table(data, name)[key] = number
    elif name == "doomed" and key in _lying(data):
        _keyword(data, key, name, number)


def _keyword(data: s.Data, card: str, name: str, value: object) -> None:
    keywords = s.table(data, "setup", "cards", card, "keywords")
    keywords.pop(name, None)
    if value:
        keywords[name] = value
    _again(data, card)


def _again(data: s.Data, card: str) -> None:
    """What a card on its way still has to go through follows again from what the card is."""
    data[ON_ITS_WAY] = [
        {key: frame[key] for key in OPENING if key in frame} if frame["card"] == card else frame
        for frame in _frames(data)
    ]


def _say(data: s.Data, change: s.Json) -> None:
    """A field of the table, of a card, or of a card on its way."""
    name, value, at = str(change.get("name")), str(change.get("value")), str(change.get("at") or "")
    if not at:
        if name == "first" and value in _seats(data):
            data["first_player"] = value
    elif at == IN_PLAY and name in _table(data, IN_PLAY):
        if value == GONE:
            del s.table(data, IN_PLAY)[name]
        elif value in _seats(data):
            s.table(data, IN_PLAY, name)["owner"] = value
    elif at in _table(data, CHARACTERS):
        s.table(data, CHARACTERS, at)["ready"] = value != ON
    elif at in _lying(data):
        _say_of(data, at, name, value)


def _say_of(data: s.Data, card: str, name: str, value: str) -> None:
    known = s.table(data, "setup", "cards", card)
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
                cast(s.Data, frame)["player" if name == "reveals" else name] = value


_CHANGES: Mapping[str, s.Change] = {
    "put": _put, "turn": _turn, "take": _take, "count": _count, "say": _say,
}  # fmt: skip


def _lying(data: s.Json) -> Iterator[str]:
    """The encounter cards on the table that have a name."""
    for zone in ZONES:
        yield from (card for card in s.names_at(data, zone) if not s.is_unknown(card))
    yield from (card for seat in _seats(data) for card in s.names_at(_table(data, "engaged"), seat))
    yield from _table(data, "elsewhere")
    yield from (str(frame["card"]) for frame in _frames(data))


def _engaged(data: s.Json) -> list[str]:
    return [f"engaged.{seat}" for seat in _seats(data)]


def _less(cards: Sequence[str], card: str) -> list[str]:
    return [one for one in cards if one != card]


def _frames(data: s.Json) -> list[s.Json]:
    return list(cast("Sequence[s.Json]", data.get(ON_ITS_WAY) or ()))


def _setup(data: s.Json) -> s.Json:
    return _table(data, "setup")


def _cards(data: s.Json) -> Mapping[str, s.Json]:
    return cast(Mapping[str, s.Json], _table(_setup(data), "cards"))


def _seats(data: s.Json) -> list[str]:
    return s.names_at(_setup(data), "players")


def _table(data: s.Json, key: str) -> s.Json:
    return cast(s.Json, data.get(key) or {})


def _words(language: str) -> Mapping[str, str]:
    return cast(Mapping[str, str], {**words(PACKAGE, language, "names"), **words(PACKAGE, language, "scene")})
