"""A position of Compile put together by hand: cards in stacks, counts of hands and decks, whose turn it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import cast

from audit.core.catalogue import words
from audit.core.model import Event
from audit.core.setting import About, Change, Choice, Counted, Data, Field, Group, HalfDone, Json, Setting, number_told
from audit.games.compile.askable import askable
from audit.games.compile.cards import CARDS, PROTOCOLS
from audit.games.compile.declarations import CardFacts
from audit.games.compile.positions import FACE_DOWN, check_protocols
from audit.games.compile.state import ALL_CARDS, LINES, SEATS, UNKNOWN, State
from audit.games.compile.texts import BOXES, CARD_INSTRUCTIONS
from audit.games.compile.untold import GUESSED_HAND, guessed_deck

PACKAGE = "audit.games.compile"
PHASES = ("start", "control", "compile", "action", "cache", "end")
HAND, DECK, NOBODY = 5, 13, "-"
_STACK = re.compile(r"([AB])\.line\.([123])")
_PROTOCOL = re.compile(r"([AB])\.protocol\.([123])")
_ZONE = re.compile(r"([AB])\.(hand|deck|trash)")
ZONES = ("hand", "deck", "trash")
Side = dict[str, object]
Stacks = list[list[str]]


class CompileSetting(Setting):
    """Two sides with three stacks each."""

    is_settable = True
    example = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:4:9:"
    sheet_header = "game    A Ada: fire life water   B Bo: death metal speed   first A"

    def words(self, language: str) -> tuple[Choice, ...]:
        """The protocols."""
        return tuple(Choice(name, _protocol(name, language), name) for name in PROTOCOLS)

    def words_said(self, language: str) -> str:
        """The protocols, side by side."""
        return str(words(PACKAGE, language, "scene")["table.words"])

    def typing_help(self, language: str) -> str:
        """What a place stands for."""
        return str(words(PACKAGE, language, "scene")["typing.help"])

    def words_needed(self) -> int:
        """Three protocols for each player."""
        return 6

    def fresh(self, words: Sequence[str]) -> Data:
        """Six protocols, empty stacks, hands and decks that nobody knows; A's action in the first turn."""
        sides = {}
        for seat, names in zip(SEATS, (list(words[:3]), list(words[3:])), strict=True):
            check_protocols(names, f"position.sides.{seat}.protocols")
            sides[seat] = {"protocols": names, "lines": [[], [], []], "hand": HAND, "deck": DECK, "trash": []}
        return {"turn": 1, "phase": "action", "player": "A", "control": None, "sides": sides}

    def fields(self, data: Json, language: str) -> tuple[Field, ...]:
        """Whose turn it is, its phase, and who has control."""
        names = words(PACKAGE, language, "names")
        seats = tuple(Choice(seat, seat) for seat in SEATS)
        phases = tuple(Choice(phase, str(names[f"phase.{phase}"])) for phase in PHASES)
        return (
            Field("player", str(data.get("player", "A")), seats),
            Field("phase", str(data.get("phase", "action")), phases),
            Field("control", str(data.get("control") or NOBODY), (Choice(NOBODY, "–"), *seats)),
        )

    def left(self, data: Json, language: str) -> tuple[Group, ...]:
        """A card that nobody has named, for the stacks, and the cards of the six protocols that lie nowhere yet."""
        told = {card for side in _sides(data).values() for card in _cards_of(side)}
        named = tuple(
            Group(_protocol(name, language), tuple(
                Choice(card.id, str(card.value), name) for card in _printed(name) if card.id not in told
            ), name)
            for side in _sides(data).values() for name in _protocols(side)
        )  # fmt: skip
        unknown = Choice(UNKNOWN, str(words(PACKAGE, language, "scene")["table.unknown"]))
        down = str(words(PACKAGE, language, "names")["face.down"])
        lines = tuple(f"{seat}.line.{line}" for seat in SEATS for line in LINES)
        return (Group(down[0].upper() + down[1:], (unknown,), "", lines), *named)

    def about(self, data: Json, language: str) -> Mapping[str, About]:
        """How many cards lie in each hand, deck and trash."""
        untold = cast("Sequence[str]", data.get("untold", ()))
        return {
            f"{seat}.{zone}": About((), (counted,))
            for seat, side in _sides(data).items()
            for zone, counted in _numbers(side, [one[2:] for one in untold if one.startswith(seat)]).items()
        }

    def texts(self, data: Json, language: str) -> tuple[HalfDone, ...]:
        """The texts of the cards that lie face up."""
        told = cast(Mapping[str, Mapping[str, str]], words(PACKAGE, language, "cards"))
        names = words(PACKAGE, language, "scene")
        return tuple(
            HalfDone(card, box, entry + 1, f"{_title(card, language)} · {names[f'box.{box}']}",
                     told.get(card, {}).get(box, ""), len(parts))
            for card in _face_up(data) for box in BOXES
            for (name, at, entry), parts in CARD_INSTRUCTIONS.items() if (name, at) == (card, box)
        )  # fmt: skip

    def changes(self) -> Mapping[str, Change]:
        """What changes the position."""
        return _CHANGES

    def copied(self, data: Json) -> Data:
        """The same position, with every card of a stack written short."""
        return cast(Data, _copied(data))

    def unknown_at(self, event: Json) -> str:
        """The hand or deck of its player."""
        zone = event.get("from") or ("hand" if event.get("type") in ("played", "discarded", "revealed") else "")
        return f"{event['player']}.{zone}" if zone in ("hand", "deck") and event.get("player") else ""

    def before_played(self, data: Json, key: str) -> tuple[Data, Json] | None:
        """A named card at the open end of a stack, back in the hand of that side."""
        found = self.copied(data)
        for seat, side in _sides(found).items():
            for line, stack in zip(LINES, _stacks(side), strict=True):
                if key in CARDS and stack and stack[-1].removesuffix(FACE_DOWN) == key:
                    face = "down" if stack.pop().endswith(FACE_DOWN) else "up"
                    held = _held(side, "hand")
                    side["hand"] = [key, *([UNKNOWN] * held if isinstance(held, int) else held)]
                    found.pop("pending", None)
                    return found, {"type": "played", "player": seat, "card": key, "line": line, "face": face}
        return None

    def asks_for_card(self, event: Json) -> bool:
        """A card that is played may be one that is seen, and one that is discarded, turned up or revealed is one."""
        kind, card = event.get("type"), str(event.get("card") or "")
        if kind == "played":
            return card == UNKNOWN and event.get("from", "hand") == "hand"
        if kind == "flipped":
            return card.startswith(UNKNOWN) and event.get("face") == "up"
        cards = cast("Sequence[str]", event.get("cards") or ())
        return kind in ("discarded", "revealed") and UNKNOWN in cards

    def askable(self, state: object, key: str) -> Iterator[Event]:
        """Turning, deleting, returning and shifting a card, playing and discarding it, compiling, refreshing."""
        return askable(cast(State, state), key)

    def other_ways(self, event: Json) -> Sequence[Json]:
        """A card that was played face down may have been played face up, once it is named."""
        is_down = event.get("type") == "played" and event.get("face") == "down"
        return ({**event, "face": "up"},) if is_down else ()

    def named(self, event: Json, card: str) -> Data:
        """The event with the card named, which lies as it lay; of several unknown cards the first is the one named."""
        if event.get("type") == "flipped":
            return {**event, "is": card}
        if "cards" in event:
            cards = list(cast("Sequence[str]", event["cards"]))
            cards[cards.index(UNKNOWN)] = card
            return {**event, "cards": cards}
        return {**event, "card": card}


def _put(data: Data, change: Json) -> None:
    """A card goes to the end of a stack or into a zone; if it lay elsewhere, it has left that place."""
    card, to = str(change.get("card")), str(change.get("to"))
    if card == UNKNOWN:
        _put_unknown(data, to)
        return
    is_new = not any(card in _cards_of(side) for side in _sides(data).values())
    if (is_new and card not in CARDS) or not (_STACK.fullmatch(to) or _ZONE.fullmatch(to)):
        return
    down = bool(change.get("down")) or f"{card}{FACE_DOWN}" in _laid(data)
    _taken(data, card)
    if is_new and not to.endswith((".hand", ".deck")):
        _counted(_owner(data, card), "deck", -1)
    if stack := _STACK.fullmatch(to):
        _stacks(_sides(data)[stack[1]])[int(stack[2]) - 1].append(f"{card}{FACE_DOWN}" if down else card)
    elif zone := _ZONE.fullmatch(to):
        _put_into(_sides(data)[zone[1]], zone[2], card)


def _put_unknown(data: Data, to: str) -> None:
    """A card that nobody has named goes face down to the end of a stack, out of the deck of that side."""
    if stack := _STACK.fullmatch(to):
        side = _sides(data)[stack[1]]
        taken = {card.removesuffix(FACE_DOWN) for card in _laid(data)}
        name = next(handle for number in count(1) if (handle := f"{UNKNOWN}{number}") not in taken)
        _stacks(side)[int(stack[2]) - 1].append(f"{name}{FACE_DOWN}")
        _counted(side, "deck", -1)


def _put_into(side: Side, zone: str, card: str) -> None:
    """One of the unknown cards of a zone has a name now; the trash has one card more."""
    held = _held(side, zone)
    cards = [UNKNOWN] * held if isinstance(held, int) else list(held)
    if zone != "trash" and UNKNOWN in cards:
        cards.remove(UNKNOWN)
    side[zone] = [card, *cards] if zone == "deck" else [*cards, card]


def _turn(data: Data, change: Json) -> None:
    """A card of a stack is turned over, or a protocol."""
    card = str(change.get("card"))
    if protocol := _PROTOCOL.fullmatch(card):
        side, at = _sides(data)[protocol[1]], int(protocol[2]) - 1
        told = cast("list[str | Data]", side["protocols"])
        one = told[at]
        told[at] = {"name": one, "compiled": True} if isinstance(one, str) else str(one["name"])
        return
    for side in _sides(data).values():
        for stack in _stacks(side):
            stack[:] = [_turned(one) if one.removesuffix(FACE_DOWN) == card else one for one in stack]


def _take(data: Data, change: Json) -> None:
    """A card is put back: it is one of the unknown cards of its owner's deck again."""
    card = str(change.get("card"))
    owner = _owner(data, card)
    if _taken(data, card):
        _counted(owner, "deck", 1)


def _taken(data: Data, card: str) -> bool:
    """Take a card from where it lies; whether it lay on the field or in the trash."""
    found = False
    for side in _sides(data).values():
        for stack in _stacks(side):
            found = found or any(one.removesuffix(FACE_DOWN) == card for one in stack)
            stack[:] = [one for one in stack if one.removesuffix(FACE_DOWN) != card]
        for zone in ZONES:
            held = _held(side, zone)
            if not isinstance(held, int) and card in held:
                found = found or zone == "trash"
                side[zone] = [one for one in held if one != card] + ([UNKNOWN] if zone != "trash" else [])
    if pending := [one for one in cast("list[Data]", data.pop("pending", [])) if card not in one.values()]:
        data["pending"] = pending
    return found


def _count(data: Data, change: Json) -> None:
    """So many cards lie in a zone; those with a name stay. The number is told then, if it was not."""
    zone, number = _ZONE.fullmatch(str(change.get("to"))), number_told(change)
    if zone and number is not None and number <= ALL_CARDS:
        held = _held(_sides(data)[zone[1]], zone[2])
        known = [card for card in held if card != UNKNOWN] if not isinstance(held, int) else []
        told: list[str] | int = number if not known else [*known, *[UNKNOWN] * max(0, number - len(known))]
        _sides(data)[zone[1]][zone[2]] = told or []
        if untold := [place for place in cast("Sequence[str]", data.pop("untold", ())) if place != zone[0]]:
            data["untold"] = untold


def _say(data: Data, change: Json) -> None:
    """One of the fields; what was under way is over with another turn or phase."""
    name, value = str(change.get("name")), str(change.get("value"))
    if name in ("player", "phase", "control"):
        data[name] = None if value == NOBODY else value
        if name != "control":
            data.pop("pending", None)
            data.pop("acted", None)


def _text(data: Data, change: Json) -> None:
    """A text goes on with one of its parts."""
    told = {"what": "text", "card": change.get("card"), "command": change.get("command"), "next": change.get("part")}
    entry = change.get("entry")
    several = sum(name == change.get("card") and box == change.get("command") for name, box, _ in CARD_INSTRUCTIONS) > 1
    data["pending"] = [{**told, **({"entry": entry} if several else {})}]


def _no_text(data: Data, change: Json) -> None:
    data.pop("pending", None)


_CHANGES: Mapping[str, Change] = {
    "put": _put, "turn": _turn, "take": _take, "count": _count, "say": _say, "text": _text, "no-text": _no_text,
}  # fmt: skip


def _copied(value: object) -> object:
    """Plain data of our own; a card of a stack that is written out is written short."""
    if isinstance(value, Mapping):
        if set(value) == {"card", "face"}:
            return f"{value['card']}{FACE_DOWN if value['face'] == 'down' else ''}"
        return {key: _copied(inner) for key, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, list | tuple) else value


def _sides(data: Json) -> Mapping[str, Side]:
    return cast(Mapping[str, Side], data["sides"])


def _stacks(side: Side) -> Stacks:
    return cast(Stacks, side["lines"])


def _protocols(side: Side) -> list[str]:
    told = cast("Sequence[str | Json]", side["protocols"])
    return [one if isinstance(one, str) else str(one["name"]) for one in told]


def _owner(data: Json, card: str) -> Side:
    """The side to whose protocols a card belongs; of a card of no side's, where it lies, else A's."""
    sides = _sides(data)
    protocol = card.rpartition("-")[0]
    lies = next((side for side in sides.values() if card in _cards_of(side)), sides["A"])
    return next((side for side in sides.values() if protocol in _protocols(side)), lies)


def _counted(side: Side, zone: str, by: int) -> None:
    """So many cards more or less lie in a zone, if anybody has told how many they are."""
    held = side.get(zone)
    if isinstance(held, int):
        side[zone] = max(0, held + by) or []
    elif by > 0 and held == []:
        side[zone] = by


def _laid(data: Json) -> Iterator[str]:
    return (card for side in _sides(data).values() for stack in _stacks(side) for card in stack)


def _face_up(data: Json) -> Iterator[str]:
    return (card for card in _laid(data) if card in CARDS)


def _cards_of(side: Side) -> Iterator[str]:
    yield from (card.removesuffix(FACE_DOWN) for stack in _stacks(side) for card in stack)
    for zone in ZONES:
        held = _held(side, zone)
        yield from () if isinstance(held, int) else held


def _held(side: Side, zone: str) -> int | Sequence[str]:
    """The cards of a zone, or how many there are; no card where nobody has told of any."""
    return cast("int | Sequence[str]", side.get(zone, ()))


def _numbers(side: Side, untold: Collection[str]) -> Mapping[str, Counted]:
    """How many cards lie in each zone of a side; a guess where nobody has told it."""
    hand = _size(side, "hand") or (GUESSED_HAND if "hand" in untold else 0)
    elsewhere = hand + _size(side, "trash") + sum(map(len, _stacks(side)))
    deck = _size(side, "deck") or (guessed_deck(elsewhere) if "deck" in untold else 0)
    found = {"hand": hand, "deck": deck, "trash": _size(side, "trash")}
    return {zone: Counted("", "", number, zone not in untold) for zone, number in found.items()}


def _size(side: Side, zone: str) -> int:
    held = _held(side, zone)
    return held if isinstance(held, int) else len(held)


def _turned(card: str) -> str:
    return card.removesuffix(FACE_DOWN) if card.endswith(FACE_DOWN) else f"{card}{FACE_DOWN}"


def _printed(protocol: str) -> Sequence[CardFacts]:
    return PROTOCOLS[protocol].cards if protocol in PROTOCOLS else ()


def _protocol(name: str, language: str) -> str:
    return str(words(PACKAGE, language, "names").get(f"protocol.{name}", name))


def _title(card: str, language: str) -> str:
    protocol, _, value = card.rpartition("-")
    return str(words(PACKAGE, language, "names")["card"]).format(protocol=_protocol(protocol, language), value=value)
