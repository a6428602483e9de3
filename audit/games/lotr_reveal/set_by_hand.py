"""Changes by hand of a position of a reveal: what is printed on a card, and what lies where in its data.

It stands in the setup of the game, but for the threat of a card, which an effect may change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast, get_args

from audit.core import setting as s
from audit.core.catalogue import words
from audit.games.lotr_reveal.cards import DOCUMENT_TYPES
from audit.games.lotr_reveal.events import RevealCause
from audit.games.lotr_reveal.steps import ORDER

PACKAGE = "audit.games.lotr_reveal"
ZONES = ("encounter_deck", "encounter_discard", "staging_area")
VICTORY = "elsewhere.victory_display"
LOCATION, ON_ITS_WAY, CHARACTERS, IN_PLAY = "elsewhere.active_location", "under_way", "characters", "in_play"
HELD = "held"
"""Where the cards in play are shown that act from the hand of a player."""
OF_THE_PLAYERS = (CHARACTERS, IN_PLAY)
TYPES = (*DOCUMENT_TYPES, "objective")
CAUSES: tuple[str, ...] = get_args(RevealCause)
POINTS = ("hit_points", "quest_points")
KEYWORDS = ("surge", "peril")
STRENGTH = "threat_strength"
COUNTED = {"threat": "threat", "hand": "hand_size"}
OPENING = ("frame", "card", "player", "cause", "step", "parent", "placed")
"""What stays of a card on its way whose step is set by hand; the rest follows from it."""
ON, GONE = "yes", "-"
LONGEST = 500
"""A text of more letters is not taken."""


def printed(data: s.Json, card: str, language: str) -> s.About:
    """What can be said of an encounter card: nothing is taken for granted that nobody has told."""
    told = {**words(PACKAGE, language, "names"), **words(PACKAGE, language, "scene")}
    known, strength = cards_in(data).get(card, {}), table_at(data, STRENGTH).get(card)
    keywords = cast(s.Json, known.get("keywords") or {})
    types = tuple(s.Choice(one, told[f"type.{one}"]) for one in TYPES)
    marks = tuple(
        s.Field(f"{s.PRINTED}{name}", ON if keywords.get(name) else "", (s.Choice(ON, told[f"keyword.{name}"]),))
        for name in KEYWORDS
    )
    has_effect = ON if known.get("has_when_revealed") else ""
    effect = s.Field(f"{s.PRINTED}has_when_revealed", has_effect, (s.Choice(ON, told["step.7"]),))
    doomed = keywords.get("doomed")
    points = tuple(
        s.Counted(f"{s.PRINTED}{name}", told[name], s.number_at(known, name), known.get(name) is not None)
        for name in POINTS
    )
    counts = (
        s.Counted(f"{s.PRINTED}doomed", told["keyword.doomed"], s.number_at(keywords, "doomed"), doomed is not None),
        s.Counted(f"{s.PRINTED}threat", told["threat"], s.number_at(data, STRENGTH, card), strength is not None),
        *points,
    )
    return s.About(
        (s.Field(f"{s.PRINTED}type", str(known.get("type") or ""), types, told["type"]), *marks, effect), counts,
        (s.Written(f"{s.PRINTED}text", told["printed.text"], str(known.get("text") or "")),),
    )  # fmt: skip


def _read_out(data: s.Data, card: str, name: str, value: object) -> None:
    """Write down one thing that is printed on a card."""
    what = name.removeprefix(s.PRINTED)
    if not s.is_name(card) or s.is_unknown(card):
        return
    if what == "threat" and isinstance(value, int):
        s.table(data, STRENGTH)[card] = value
        s.table(data, "setup", "cards", card)
    elif what in POINTS and isinstance(value, int):
        s.table(data, "setup", "cards", card)[what] = value
        _again(data, card)
    elif what == "doomed" and isinstance(value, int):
        _keyword(data, card, what, value)
    elif what in KEYWORDS:
        _keyword(data, card, what, value == ON)
    elif what in ("type", "has_when_revealed", "text"):
        _read_effect(data, card, what, value)
        _again(data, card)


def _read_effect(data: s.Data, card: str, what: str, value: object) -> None:
    known = s.table(data, "setup", "cards", card)
    if what == "type" and value in TYPES:
        known[what] = value
    elif what == "has_when_revealed":
        known[what] = value == ON
    elif what == "text" and isinstance(value, str) and len(value) <= LONGEST:
        known.pop(what, None)
        if value.strip():
            known |= {what: value.strip(), "has_when_revealed": True}


def _put(data: s.Data, change: s.Json) -> None:
    """A card goes to the end of a zone; if it lay elsewhere, it has left that place."""
    card, to = change.get("card"), str(change.get("to"))
    if not s.is_name(card) or to not in (*ZONES, LOCATION, VICTORY, ON_ITS_WAY, *OF_THE_PLAYERS, *_engaged(data)):
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
    s.table(data, "engaged")[seat] = [*s.names_at(table_at(data, "engaged"), seat), card]


def _elsewhere(data: s.Data, card: str, to: str) -> None:
    s.table(data, "elsewhere")[card] = to.partition(".")[2]


def _on_its_way(data: s.Data, card: str, to: str) -> None:
    """A further card on its way; with the first one open, it is one that is revealed by an effect."""
    frames, opened = frames_in(data), s.number_at(data, "opened") + 1
    data["opened"] = opened
    inside = {"parent": frames[-1]["frame"], "cause": "effect"} if frames else {}
    data["revealed"] = s.number_at(data, "revealed") + (0 if frames else 1)
    player = data.get("first_player") or seats_of(data)[0]
    data["staged"] = s.names_at(data, "staged") if frames else [player]
    data[ON_ITS_WAY] = [*frames, {"frame": f"f{opened}", "card": card, "player": player, "step": "1", **inside}]


_PUTTING: Mapping[str, Callable[[s.Data, str, str], None]] = {
    "engaged": _to_player, "elsewhere": _elsewhere, ON_ITS_WAY: _on_its_way,
}  # fmt: skip


def _take(data: s.Data, change: s.Json) -> None:
    """A card is taken off the table."""
    card = str(change.get("card"))
    _taken(data, card, left=(s.UNKNOWN,))
    for place in OF_THE_PLAYERS:
        if card in table_at(data, place):
            del s.table(data, place)[card]


def _taken(data: s.Data, card: str, left: Sequence[str] = ()) -> None:
    for zone in ZONES:
        held = s.names_at(data, zone)
        if card in held:
            data[zone] = s.without(held, card, left if zone == ZONES[0] else ())
    engaged, elsewhere = cast(s.Data, table_at(data, "engaged")), cast(s.Data, table_at(data, "elsewhere"))
    for seat in engaged:
        engaged[seat] = _less(s.names_at(engaged, seat), card)
    elsewhere.pop(card, None)
    if any(frame["card"] == card for frame in frames_in(data)):
        _left(data, card)
    for name in ("damage", "progress", "threat_strength", "attachments"):
        if card in table_at(data, name):
            del s.table(data, name)[card]


def _left(data: s.Data, card: str) -> None:
    """A card is on its way no more, nor is one that was revealed inside it."""
    gone = {str(frame["frame"]) for frame in frames_in(data) if frame["card"] == card}
    for frame in frames_in(data):
        gone |= {str(frame["frame"])} if frame.get("parent") in gone else set()
    data[ON_ITS_WAY] = [frame for frame in frames_in(data) if frame["frame"] not in gone]


def _turn(data: s.Data, change: s.Json) -> None:
    """A character is exhausted, or ready again; a card on its way comes to a step."""
    card = str(change.get("card"))
    if card in table_at(data, CHARACTERS):
        one = s.table(data, CHARACTERS, card)
        one["ready"] = one.get("ready") is False


def _count(data: s.Data, change: s.Json) -> None:
    """A number of a zone, of a player, or of a card."""
    number, name, key = s.number_told(change), str(change.get("name") or ""), str(change.get("to") or "")
    if number is None:
        return
    if name.startswith(s.PRINTED):
        _read_out(data, key, name, number)
    elif key == "encounter_deck":
        data[key] = s.with_count(s.names_at(data, key), number)
    elif key in table_at(data, CHARACTERS):
        s.table(data, CHARACTERS, key)["damage"] = number
    elif name in COUNTED.values() and key.partition(".")[2] in seats_of(data):
        s.table(data, name)[key.partition(".")[2]] = number
    elif name in ("damage", "progress") and key in lying_in(data):
        s.table(data, name)[key] = number


def _keyword(data: s.Data, card: str, name: str, value: int) -> None:
    keywords = s.table(data, "setup", "cards", card, "keywords")
    keywords.pop(name, None)
    if value:
        keywords[name] = value
    _again(data, card)


def _again(data: s.Data, card: str) -> None:
    """What a card on its way still has to go through follows again from what the card is."""
    data[ON_ITS_WAY] = [
        {key: frame[key] for key in OPENING if key in frame} if frame["card"] == card else frame
        for frame in frames_in(data)
    ]


def _say(data: s.Data, change: s.Json) -> None:
    """A field of the table, of a card, or of a card on its way."""
    name, value, at = str(change.get("name")), str(change.get("value")), str(change.get("at") or "")
    if name.startswith(s.PRINTED):
        _read_out(data, at, name, value)
    elif not at:
        if name == "first" and value in seats_of(data):
            data["first_player"] = value
    elif at.partition(".")[0] in (IN_PLAY, HELD) and name in table_at(data, IN_PLAY):
        if value == GONE:
            del s.table(data, IN_PLAY)[name]
        elif value in seats_of(data):
            s.table(data, IN_PLAY, name)["owner"] = value
    elif at in table_at(data, CHARACTERS):
        s.table(data, CHARACTERS, at)["ready"] = value != ON
    elif at in lying_in(data):
        _say_of(data, at, name, value)


def _say_of(data: s.Data, card: str, name: str, value: str) -> None:
    """The step of a card on its way, who reveals it and why."""
    if value in {"step": ORDER, "reveals": seats_of(data), "cause": CAUSES}.get(name, ()):
        _again(data, card)
        for frame in frames_in(data):
            if frame["card"] == card:
                cast(s.Data, frame)["player" if name == "reveals" else name] = value
                if name == "reveals" and "parent" not in frame:
                    data["staged"] = [value]


CHANGES: Mapping[str, s.Change] = {
    "put": _put, "turn": _turn, "take": _take, "count": _count, "say": _say,
}  # fmt: skip


def lying_in(data: s.Json) -> Iterator[str]:
    """The encounter cards on the table that have a name."""
    for zone in ZONES:
        yield from (card for card in s.names_at(data, zone) if not s.is_unknown(card))
    yield from (card for seat in seats_of(data) for card in s.names_at(table_at(data, "engaged"), seat))
    yield from table_at(data, "elsewhere")
    yield from (str(frame["card"]) for frame in frames_in(data))


def _engaged(data: s.Json) -> list[str]:
    return [f"engaged.{seat}" for seat in seats_of(data)]


def _less(cards: Sequence[str], card: str) -> list[str]:
    return [one for one in cards if one != card]


def frames_in(data: s.Json) -> list[s.Json]:
    return list(cast("Sequence[s.Json]", data.get(ON_ITS_WAY) or ()))


def setup_in(data: s.Json) -> s.Json:
    return table_at(data, "setup")


def cards_in(data: s.Json) -> Mapping[str, s.Json]:
    return cast(Mapping[str, s.Json], table_at(setup_in(data), "cards"))


def seats_of(data: s.Json) -> list[str]:
    return s.names_at(setup_in(data), "players")


def table_at(data: s.Json, key: str) -> s.Json:
    return cast(s.Json, data.get(key) or {})
