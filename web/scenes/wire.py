"""Scenes as they travel: plain objects without what is as usual, every card and every face said once for a whole game.

A scene names its cards by number. The numbers are given in the order of the steps, so that a game that has grown keeps
those it had.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast

from msgspec import Struct
from msgspec.structs import fields

from audit.core.scene import Area, Card, Face, Scene, Zone
from audit.core.scene_changes import Changes

Json = dict[str, object]
GONE = "-"
INSIDE = "#"
_SAME = object()


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, object], ...]:
    """The fields of a kind of thing, each with what it is where nothing else is said."""
    return tuple((field.name, field.default) for field in fields(kind))


class Wire:
    """The cards and faces of a game as they are met."""

    def __init__(self, first: int = 0) -> None:
        """`first` is the number of the first card and of the first face."""
        self.first = first
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

    def between(self, before: tuple[int, int], after: tuple[int, int]) -> Json:
        """The cards and faces that came after so many, up to so many, and the numbers of the first ones."""
        (card, face), (cards, faces) = before, after
        numbers = [self.first + card, self.first + face]
        return {"first": numbers, "cards": self.cards[card:cards], "faces": self.faces[face:faces]}

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
            self._cards[card] = self.first + len(self.cards)
            self.cards.append(plain)
        return self._cards[card]

    def _face(self, face: Face) -> int:
        if face not in self._faces:
            self._faces[face] = self.first + len(self.faces)
            self.faces.append(self._struct(face))
        return self._faces[face]


# Differences between consecutive positions, small enough to send a whole game in one page.
#
# A patch is an object with the fields that changed. A field that was and is an object is patched in turn; a list of
# the same length is patched as `{"#": {index: …}}`; fields that are gone are named under `-`. `static/patches.js`
# applies them.


def patch(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    """What turns the one object into the other."""
    found = {
        key: change for key, value in after.items() if (change := _change(before.get(key, _SAME), value)) is not _SAME
    }
    if gone := [key for key in before if key not in after]:
        found[GONE] = gone
    return found


def _change(before: object, after: object) -> object:
    if before == after and type(before) is type(after):
        return _SAME
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return patch(before, after)
    if _alike(before, after):
        inner = [_change(old, new) for old, new in zip(before, after, strict=True)]  # type: ignore[call-overload]
        return {INSIDE: {str(index): change for index, change in enumerate(inner) if change is not _SAME}}
    return after


def _alike(before: object, after: object) -> bool:
    """Lists that are worth going into: of things that have parts of their own."""
    return (
        isinstance(before, (list, tuple))
        and isinstance(after, (list, tuple))
        and len(before) == len(after)
        and any(isinstance(item, (Mapping, list, tuple)) for item in after)
    )


def patched(before: object, change: object) -> object:
    """The object after a patch; what the browser does."""
    if not isinstance(change, Mapping):
        return change
    if isinstance(before, (list, tuple)) and INSIDE in change:
        inner = change[INSIDE]
        assert isinstance(inner, Mapping)
        return [patched(old, inner[str(n)]) if str(n) in inner else old for n, old in enumerate(before)]
    old = before if isinstance(before, Mapping) else {}
    gone = change.get(GONE, ())
    assert isinstance(gone, (list, tuple))
    kept = {key: value for key, value in old.items() if key not in gone}
    return {**kept, **{key: patched(kept.get(key), value) for key, value in change.items() if key != GONE}}
