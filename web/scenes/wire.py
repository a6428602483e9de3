"""Scenes as they travel: plain objects without what is as usual, every card and every face said once for a whole game.

A scene names its cards by number. The numbers are given in the order of the steps, so that a game that has grown keeps
those it had.
"""

from __future__ import annotations

from functools import cache
from typing import cast

from msgspec import Struct
from msgspec.structs import fields

from audit.core.scene import Area, Card, Face, Scene, Zone
from audit.core.scene_changes import Changes

Json = dict[str, object]


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, object], ...]:
    """The fields of a kind of thing, each with what it is where nothing else is said."""
    return tuple((field.name, field.default) for field in fields(kind))


class Wire:
    """The cards and faces of a game as they are met."""

    def __init__(self) -> None:
        self.cards: list[Json] = []
        self.faces: list[Json] = []
        self._cards: dict[Card, int] = {}
        self._faces: dict[Face, int] = {}
        self._said: dict[Struct, Json] = {}

    def scene(self, scene: Scene) -> Json:
        """A scene; its pending things travel with the step."""
        return cast(Json, self._plain(scene))

    def changes(self, changes: Changes) -> Json:
        """What a step changed."""
        return cast(Json, self._plain(changes))

    def size(self) -> tuple[int, int]:
        """How many cards and faces there are by now."""
        return len(self.cards), len(self.faces)

    def since(self, size: tuple[int, int]) -> Json:
        """The cards and faces that came after so many."""
        return {"cards": self.cards[size[0] :], "faces": self.faces[size[1] :]}

    def _plain(self, value: object) -> object:
        kind = type(value)
        if kind is Card:
            return self._card(cast(Card, value))
        if kind is Face:
            return self._face(cast(Face, value))
        if kind is Zone or kind is Area:
            return self._known(cast(Struct, value))
        if kind is tuple:
            return [self._plain(item) for item in cast("tuple[object, ...]", value)]
        return self._struct(value) if isinstance(value, Struct) else value

    def _struct(self, value: Struct) -> Json:
        tag = value.__struct_config__.tag
        found: Json = {"type": tag} if tag else {}
        for name, default in _defaults(type(value)):
            held = getattr(value, name)
            if held is not default and held != default and held not in ((), {}):
                found[name] = self._plain(held)
        return found

    def _known(self, part: Struct) -> Json:
        """A zone or an area; most of them are as they were at the step before."""
        if (said := self._said.get(part)) is None:
            said = self._said[part] = self._struct(part)
        return said

    def _card(self, card: Card) -> int:
        if card not in self._cards:
            plain = self._struct(card)
            self._cards[card] = len(self.cards)
            self.cards.append(plain)
        return self._cards[card]

    def _face(self, face: Face) -> int:
        if face not in self._faces:
            self._faces[face] = len(self.faces)
            self.faces.append(self._struct(face))
        return self._faces[face]
