"""The one line of text of a position of Compile.

    9A.action.B/fire.life!.water:f3,l2*;;w0*:l1,?h1:9:f1,w5/death.metal.speed:;m2;:4:8:

Turn, player, phase and who has control (`-` nobody); then each side: protocols (`!` compiled), the three stacks from
the protocol outwards (`*` face down), hand, deck and trash; a number is so many unknown cards. A protocol of the game
may be cut short in the name of a card. What else there is to say stands behind, as in any position's text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

import msgspec
from msgspec import UNSET

from audit.compile.setup_entries import PositionEntry
from audit.compile.state import SEATS, UNKNOWN
from audit.errors import PositionTextError, SetupError
from audit.position_text import compact, expanded
from audit.typed_setup import read_typed

Data = Mapping[str, object]
COMPILED, NOBODY = "!", "-"
HEAD = ("turn", "phase", "player", "control", "sides")
_HEAD = re.compile(r"(\d+)([AB])\.([a-z]+)\.([AB-])")
_CARD = re.compile(r"([a-z]+)(\d+\*?)")
_PLAIN = re.compile(r"[\w?.#-]+\*?")


def position_text(data: Data) -> str:
    """The data of a position as a line of text."""
    if not _is_whole(data):
        return compact(data)
    sides = cast("Mapping[str, Data]", data["sides"])
    short = _shortened(_protocols_of(sides))
    head = f"{data['turn']}{data['player']}.{data['phase']}.{data['control'] or NOBODY}"
    rest = {key: value for key, value in data.items() if key not in HEAD}
    parts = [head, *(_side_text(sides[seat], short) for seat in SEATS), *([compact(rest)] if rest else [])]
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
    more = expanded(rest[2], start + len(rest[0]) + len(rest[1]) + 2) if len(rest) > 2 else {}
    return {
        "turn": int(found[1]), "phase": found[3], "player": found[2],
        "control": None if found[4] == NOBODY else found[4],
        "sides": {seat: _side_data(side, names) for seat, side in zip(SEATS, sides, strict=True)},
        **cast("dict[str, object]", more),
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
        "hand": _zone(hand, names), "deck": _zone(deck, names), "trash": _zone(trash, names),
    }  # fmt: skip


def _zone(part: Part, names: Sequence[str]) -> list[str] | int:
    return int(part[0]) if part[0].isdigit() else _cards(part, names)


def _cards(part: Part, names: Sequence[str]) -> list[str]:
    return [_card(word, names) for word in _parts(part, ",")]


def _card(part: Part, names: Sequence[str]) -> str:
    """The card of a name that may be cut short; a handle, or a name with its dash, is taken as it stands."""
    if part[0].startswith(UNKNOWN) or "-" in part[0]:
        return part[0]
    card = _CARD.fullmatch(part[0])
    meant = [name for name in names if card and name.startswith(card[1])]
    if card and len(meant) > 1 and card[1] in meant:
        meant = [card[1]]
    if not card or len(meant) != 1:
        raise PositionTextError(part[1] + 1, f"a card of {' or '.join(meant or names)}", part[0])
    return f"{meant[0]}-{card[2]}"


def _side_text(side: Data, short: Callable[[str], str]) -> str:
    protocols = cast("Sequence[str | Data]", side["protocols"])
    stacks = cast("Sequence[Sequence[str]]", side["lines"])
    names = [name if isinstance(name, str) else f"{name['name']}{COMPILED}" for name in protocols]
    lines = [",".join(map(short, stack)) for stack in stacks]
    zones = [cast("Sequence[str] | int", side[zone]) for zone in ("hand", "deck", "trash")]
    told = [str(zone) if isinstance(zone, int) else ",".join(map(short, zone)) for zone in zones]
    return ":".join([".".join(names), ";".join(lines), *told])


def _is_whole(data: Data) -> bool:
    """Whether the data say all that the short form says, and name no card that it would part."""
    try:
        entry = read_typed(data, PositionEntry)
    except SetupError:
        return False
    told = (entry.turn, entry.phase, entry.player, entry.control)
    zones = [zone for side in (entry.sides.a, entry.sides.b) for zone in msgspec.structs.astuple(side)]
    if UNSET in (*told, *zones):
        return False
    return all(map(_PLAIN.fullmatch, _cards_told(cast("Mapping[str, Data]", data["sides"]))))


def _cards_told(sides: Mapping[str, Data]) -> Iterator[str]:
    for side in sides.values():
        yield from (str(card) for stack in cast("Sequence[Sequence[object]]", side["lines"]) for card in stack)
        zones = (side[zone] for zone in ("hand", "deck", "trash"))
        yield from (str(card) for zone in zones if isinstance(zone, list) for card in zone)


def _protocols_of(sides: Mapping[str, Data]) -> list[str]:
    protocols = [name for side in sides.values() for name in cast("Sequence[str | Data]", side["protocols"])]
    return [name if isinstance(name, str) else str(name["name"]) for name in protocols]


def _shortened(names: Sequence[str]) -> Callable[[str], str]:
    """Cards as they are written in this game: as much of the protocol as tells it from the other five."""
    cut = {name: next(name[:n] for n in range(1, len(name) + 1) if _tells(name[:n], name, names)) for name in names}

    def short(card: str) -> str:
        protocol, dash, value = card.partition("-")
        return f"{cut[protocol]}{value}" if dash and protocol in cut else card

    return short


def _tells(prefix: str, name: str, names: Sequence[str]) -> bool:
    return prefix == name or [other for other in names if other.startswith(prefix)] == [name]
