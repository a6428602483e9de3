"""What is on the table of Example Game, said once for the terminal, the page and pictures.

Keys: a card by its id; `pile.1`; `deck`; `A.hand`, `A.taken`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from audit.core.catalogue import words
from audit.core.event_rules import Json
from audit.core.names import BY_SEAT, Players
from audit.core.ruleset import SceneMaker
from audit.core.scene import Area, Card, Chapter, Face, Pending, Role, Scene, Zone, captions

from example_game.catalogue import PACKAGE
from example_game.state import UNKNOWN
from example_game.wording import word

ICONS = {"drew": "draw", "laid": "play", "passed": "turn", "pile_taken": "return", "game_ended": "win"}
"""The icon of each event."""


class ExampleGameScene(SceneMaker):
    """The table of Example Game as a scene."""

    icons = ICONS

    def scene(self, view: Json, language: str, pending: Sequence[Json] = (), players: Players = BY_SEAT) -> Scene:
        """The piles and the deck, then the players; what the viewer may not see is counted."""
        names = words(PACKAGE, language, "names")
        piles = [
            _zone(f"pile.{number}", f"{names['pile']} {number}", pile, language, "play")
            for number, pile in enumerate(cast(Sequence[object], view["piles"]), 1)
        ]
        sides = cast(Mapping[str, Json], view["sides"])
        seats = [_side(seat, side, seat == view["player"], language) for seat, side in sides.items()]
        middle = (*piles, _zone("deck", names["deck"], view["deck"], language, "deck"))
        table = Area("table", captions(language)["table"], (*middle, Area("seats", "", tuple(seats), "seats")))
        waiting = tuple(Pending(f"{names['pile']} {item['pile']}", rest=1) for item in pending)
        player = str(view["player"] or "")
        chapter = Chapter(str(view["turn"] or ""), player=players.get(player, player))
        return Scene(table.title, table, captions(language), chapter, waiting)


def _side(seat: str, side: Json, is_turn: bool, language: str) -> Area:
    """One player's hand and the cards they took."""
    names = words(PACKAGE, language, "names")
    zones = (
        _zone(f"{seat}.hand", names["hand"], side["hand"], language, "hand"),
        _zone(f"{seat}.taken", names["taken"], side["taken"], language, "discard"),
    )
    return Area(seat, seat, zones, "box", owner=seat, is_turn=is_turn)


def _zone(key: str, title: str, held: object, language: str, role: Role) -> Zone:
    """Cards, or how many."""
    if isinstance(held, int):
        return Zone(key, title, role, count=held, secret=role == "hand")
    cards = tuple(_card(card, language) for card in cast(Sequence[str], held))
    return Zone(key, title, role, "pile" if role == "deck" else "row", cards, secret=role == "hand")


def _card(card: str, language: str) -> Card:
    face = None if card == UNKNOWN else Face(str(word(card, language)))
    return Card(card, face, down=face is None)
