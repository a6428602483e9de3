"""The one line of text of a position of Compile.

    9A.action.B/fire.life!.water:f3l2*;;w0*:l1,?h1:9:f1w5/death.metal.speed:;m2;:4:8:

Turn, player, phase and who has control (`-` nobody); then each side: protocols (`!` compiled), the three stacks from
the protocol outwards (`*` face down), hand, deck and trash; a number is so many unknown cards. A hand or deck that is
left blank is not known, not even how many cards it holds; `0` is empty. A protocol of the game may be cut short in the
name of a card, and stands once before several of its cards: `f13*` is Fire 1 and, face down, Fire 3. Commas part what
would run together, and may stand between any two cards. What else there is to say stands behind, as in any position's
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import msgspec
from msgspec import UNSET

from audit.core.errors import PositionTextError, SetupError
from audit.core.typed_setup import read_typed
from audit.core.written_forms import compact, expanded
from audit.games.compile.setup_entries import PositionEntry
from audit.games.compile.state import SEATS, UNKNOWN

Data = Mapping[str, object]
COMPILED, NOBODY, COMMA = "!", "-", ","
HIDDEN = ("hand", "deck")
"""The zones that may be left blank."""
HEAD = ("turn", "phase", "player", "control", "sides")
_HEAD = re.compile(r"([0-9]{1,9})([AB])\.([a-z]+)\.([AB-])")
_SHORT = re.compile(r"(?:[a-z]+(?:[0-9]\*?)+)+")
_OF_ONE = re.compile(r"([a-z]+)((?:[0-9]\*?)+)")
_VALUE = re.compile(r"[0-9]\*?")
_COUNT = re.compile(r"[0-9]{1,9}")
_PLAIN = re.compile(r"[\w?.#-]+\*?")


def position_text(data: Data) -> str:
    """The data of a position as a line of text."""
    if not _is_whole(data):
        return compact(data)
    sides = cast("Mapping[str, Data]", data["sides"])
    cut = _shortened(_protocols_of(sides))
    guessed = tuple(f"{seat}.{zone}" for seat in SEATS for zone in HIDDEN if zone not in sides[seat])
    head = f"{data['turn']}{data['player']}.{data['phase']}.{data['control'] or NOBODY}"
    rest = {key: value for key, value in data.items() if key not in (*HEAD, "untold")}
    if left := [zone for zone in cast("Sequence[str]", data.get("untold", ())) if zone not in guessed]:
        rest["untold"] = left
    parts = [head, *(_side_text(sides[seat], cut) for seat in SEATS), *([compact(rest)] if rest else [])]
    return "/".join(parts)


def read_position(text: str, offset: int = 0) -> dict[str, object]:
    """The data of such a text; raises `PositionTextError` with the column, counted from `offset`."""
    if text.startswith("("):
        return cast("dict[str, object]", expanded(text, offset))
    head, *rest = text.split("/", 3)
    found = _HEAD.fullmatch(head)
    if not found or len(rest) < 2:
        raise PositionTextError(
            offset + 1, "turn, player, phase and control such as 9A.action.B, then two sides", text[:12]
        )
    start = offset + len(head) + 1
    sides = [_side((rest[0], start)), _side((rest[1], start + len(rest[0]) + 1))]
    names = [name.removesuffix(COMPILED) for side in sides for name in side[0][0].split(".")]
    blank = [
        f"{seat}.{HIDDEN[at]}" for seat, side in zip(SEATS, sides, strict=True) for at in (0, 1) if not side[2 + at][0]
    ]
    behind = start + len(rest[0]) + len(rest[1]) + 2
    more = expanded(rest[2], behind) if len(rest) > 2 else {}
    if not isinstance(more, dict):
        raise PositionTextError(behind + 1, "(", rest[2][:12])
    if untold := [*cast("Sequence[str]", more.pop("untold", ())), *blank]:
        more["untold"] = untold
    return {
        "turn": int(found[1]), "phase": found[3], "player": found[2],
        "control": None if found[4] == NOBODY else found[4],
        "sides": {seat: _side_data(side, names) for seat, side in zip(SEATS, sides, strict=True)},
        **more,
    }  # fmt: skip


Part = tuple[str, int]
"""A part of the text, and the column before it."""


def _parts(part: Part, sign: str) -> list[Part]:
    text, at = part
    words = text.split(sign) if text else []
    return [(word, at + sum(len(one) + 1 for one in words[:number])) for number, word in enumerate(words)]


def _side(part: Part) -> list[Part]:
    parts = _parts(part, ":")
    if len(parts) != 5:
        raise PositionTextError(part[1] + 1, "a side: protocols:stacks:hand:deck:trash", part[0][:24])
    return parts


def _side_data(parts: Sequence[Part], names: Sequence[str]) -> Data:
    protocols, lines, hand, deck, trash = parts
    stacks = _parts(lines, ";")
    if len(stacks) != 3:
        raise PositionTextError(lines[1] + 1, "three stacks, with ; between them", lines[0][:24])
    return {
        "protocols": [
            {"name": name.removesuffix(COMPILED), "compiled": True} if name.endswith(COMPILED) else name
            for name in protocols[0].split(".")
        ],
        "lines": [_cards(stack, names) for stack in stacks],
        **{name: _zone(zone, names) for name, zone in zip(HIDDEN, (hand, deck), strict=True) if zone[0]},
        "trash": _zone(trash, names),
    }


def _zone(part: Part, names: Sequence[str]) -> list[str] | int:
    return (int(part[0]) or []) if _COUNT.fullmatch(part[0]) else _cards(part, names)


def _cards(part: Part, names: Sequence[str]) -> list[str]:
    return [card for word in _parts(part, ",") for card in _between_commas(word, names)]


def _between_commas(part: Part, names: Sequence[str]) -> Iterator[str]:
    """Cards whose names may be cut short; a handle, or a name with its dash, is taken as it stands."""
    text, at = part
    if text.startswith(UNKNOWN) or "-" in text:
        yield text
        return
    if not _SHORT.fullmatch(text):
        raise PositionTextError(at + 1, f"a card of {' or '.join(names)}", text)
    for some in _OF_ONE.finditer(text):
        name = _protocol(some[1], names, at + some.start())
        yield from (f"{name}-{value}" for value in _VALUE.findall(some[2]))


def _protocol(short: str, names: Sequence[str], at: int) -> str:
    """The protocol of the game that is meant; `at` is the column before it."""
    meant = [short] if short in names else [name for name in names if name.startswith(short)]
    if len(meant) != 1:
        raise PositionTextError(at + 1, f"a card of {' or '.join(meant or names)}", short)
    return meant[0]


def _side_text(side: Data, cut: Mapping[str, str]) -> str:
    protocols = cast("Sequence[str | Data]", side["protocols"])
    stacks = cast("Sequence[Sequence[str]]", side["lines"])
    names = [name if isinstance(name, str) else f"{name['name']}{COMPILED}" for name in protocols]
    lines = [_run(stack, cut) for stack in stacks]
    hidden = [
        _zone_text(cast("Sequence[str] | int", side[zone]), cut) or "0" if zone in side else "" for zone in HIDDEN
    ]
    trash = _zone_text(cast("Sequence[str] | int", side["trash"]), cut)
    return ":".join([".".join(names), ";".join(lines), *hidden, trash])


def _zone_text(zone: Sequence[str] | int, cut: Mapping[str, str]) -> str:
    return str(zone) if isinstance(zone, int) else _run(zone, cut)


def _is_whole(data: Data) -> bool:
    """Whether the data say all that the short form says, and name no card that it would part."""
    try:
        entry = read_typed(data, PositionEntry)
    except SetupError:
        return False
    told = (entry.turn, entry.phase, entry.player, entry.control)
    sides = zip(SEATS, (entry.sides.a, entry.sides.b), strict=True)
    fields = ((f"{seat}.{name}", zone) for seat, side in sides for name, zone in msgspec.structs.asdict(side).items())
    zones = [zone for name, zone in fields if name not in entry.untold]
    if UNSET in (*told, *zones):
        return False
    return all(map(_PLAIN.fullmatch, _cards_told(cast("Mapping[str, Data]", data["sides"]))))


def _cards_told(sides: Mapping[str, Data]) -> Iterator[str]:
    for side in sides.values():
        yield from (str(card) for stack in cast("Sequence[Sequence[object]]", side["lines"]) for card in stack)
        zones = (side[zone] for zone in (*HIDDEN, "trash") if zone in side)
        yield from (str(card) for zone in zones if isinstance(zone, list) for card in zone)


def _protocols_of(sides: Mapping[str, Data]) -> list[str]:
    protocols = [name for side in sides.values() for name in cast("Sequence[str | Data]", side["protocols"])]
    return [name if isinstance(name, str) else str(name["name"]) for name in protocols]


def _shortened(names: Sequence[str]) -> Mapping[str, str]:
    """Each protocol as it is written in this game: as much of it as tells it from the other five."""
    return {name: next(name[:n] for n in range(1, len(name) + 1) if _tells(name[:n], name, names)) for name in names}


def _run(cards: Sequence[str], cut: Mapping[str, str]) -> str:
    """Cards in a row: the protocol once before all of it that follow each other, commas around other names."""
    text, last = "", COMMA
    for card in cards:
        protocol, dash, value = card.partition("-")
        if not (dash and protocol in cut and _VALUE.fullmatch(value)):
            text += f"{COMMA if text else ''}{card}"
            last = ""
        else:
            text += value if protocol == last else f"{COMMA if text and not last else ''}{cut[protocol]}{value}"
            last = protocol
    return text


def _tells(prefix: str, name: str, names: Sequence[str]) -> bool:
    return prefix == name or [other for other in names if other.startswith(prefix)] == [name]
