"""Saves of a virtual table as people build theirs: turned, with other names, stacked straight or with a step."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence

Json = dict[str, object]

FACES = {True: 180.0, False: 0.0}
SEATS = {"A": "White", "B": "Green"}


def english(card: str) -> str:
    """`Fire 3`."""
    protocol, _, value = card.rpartition("-")
    return f"{protocol.capitalize()} {value}"


class Table:
    """A table of Compile being laid out: A at lower z before it is turned."""

    def __init__(
        self, *, turned: float = 0.0, step: float = 0.9, jitter: float = 0.02, name: Callable[[str], str] = english,
        apart: float = 4.0, at: tuple[float, float] = (0.0, 0.0), tags: bool = False,
    ) -> None:  # fmt: skip
        self.turned, self.step, self.jitter, self.name, self.apart = turned, step, jitter, name, apart
        self.at, self.tags = at, tags
        self.objects: list[Json] = []

    def put(
        self, kind: str, name: str, across: float, out: float, *, y: float = 1.0, down: bool = False, **more: object
    ) -> Json:
        """A thing at a place seen from A."""
        angle = math.radians(self.turned)
        wobble = self.jitter * math.sin(7.0 * len(self.objects))
        x, z = across + wobble, out + wobble / 2
        place = {
            "posX": self.at[0] + x * math.cos(angle) + z * math.sin(angle), "posY": y,
            "posZ": self.at[1] - x * math.sin(angle) + z * math.cos(angle),
            "rotX": 0.01, "rotY": (180.0 + self.turned) % 360, "rotZ": FACES[down] + 0.02,
            "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0,
        }  # fmt: skip
        one: Json = {"GUID": f"{len(self.objects):06x}", "Name": kind, "Transform": place, "Nickname": name, **more}
        if self.tags:
            one |= {"Nickname": "", "Tags": [name, "card"]}
        self.objects.append(one)
        return one

    def stack(self, side: str, line: int, cards: Sequence[str]) -> None:
        """The cards of a line from the protocol outwards; a star means face down."""
        for index, card in enumerate(cards):
            out = (3.5 + index * self.step) * (-1 if side == "A" else 1)
            across = (line - 2) * self.apart
            name = "" if card.startswith("?") else self.name(card.rstrip("*"))
            self.put("CardCustom", name, across, out, y=1.0 + 0.02 * index, down=card.endswith("*"))

    def pile(self, kind: str, cards: Sequence[str], across: float, out: float, *, down: bool, y: float = 1.0) -> None:
        """Cards that lie on one another as one deck."""
        within = [{"Name": "Card", "Nickname": self.name(card), "Transform": {"rotZ": FACES[down]}} for card in cards]
        ids = list(range(100, 100 + len(cards)))
        self.put(kind, "", across, out, down=down, y=y, ContainedObjects=within, DeckIDs=ids)

    def hand(self, side: str, cards: Sequence[str]) -> None:
        """A zone with cards in it."""
        out = -20.0 if side == "A" else 20.0
        zone = self.put("HandTrigger", "", 0.0, out, FogColor=SEATS[side])
        transform = zone["Transform"]
        assert isinstance(transform, dict)
        transform |= {"scaleX": 14.0, "scaleZ": 4.0, "rotY": self.turned, "rotZ": 0.0}
        for index, card in enumerate(cards):
            self.put("Card", self.name(card), index - 2.0, out, y=3.0)

    def save(self, **more: object) -> bytes:
        """The bytes of the save."""
        turns = {"Enable": True, "TurnColor": "White"}
        whole = {"SaveName": "a table", "VersionNumber": "v13.2", "Turns": turns, "ObjectStates": self.objects, **more}
        return json.dumps(whole).encode()


def laid_out(sides: Mapping[str, Json], table: Table, control: str = "A") -> Table:
    """The table with both sides of a position on it, every card named."""
    beside = 1.25 * table.apart + 4.0
    for side, sign in (("A", -1), ("B", 1)):
        told = sides[side]
        protocols, lines, hand, deck, trash = (told[key] for key in ("protocols", "lines", "hand", "deck", "trash"))
        assert isinstance(protocols, list)
        assert isinstance(lines, list)
        assert isinstance(hand, list)
        assert isinstance(deck, int)
        assert isinstance(trash, list)
        for line, protocol in enumerate(protocols, 1):
            name = f"{protocol['name']} (compiled)" if isinstance(protocol, dict) else str(protocol)
            table.put("Custom_Tile", name.capitalize(), (line - 2) * table.apart, sign * 1.2)
        for line, cards in enumerate(lines, 1):
            table.stack(side, line, cards)
        table.hand(side, hand)
        table.pile("DeckCustom", ["fire-0"] * deck, sign * -beside, sign * 4.0, down=True)
        if len(trash) > 1:
            table.pile("Deck", trash, sign * -beside, sign * 8.0, down=False)
        elif trash:
            table.put("Card", table.name(trash[0]), sign * -beside, sign * 8.0)
    table.put("Custom_Token", "Control Component", -6.0, {"A": -9.0, "B": 9.0}.get(control, 0.0))
    return table
