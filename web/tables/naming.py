"""What cards are called where a game knows them by plain ids only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

Json = Mapping[str, object]


def called(card: str, words: Json) -> str:
    """A card by its name among a table's words, else its id made readable: `black-tide#2` is Black Tide (2).

    A table without `called` shows ids as they are.
    """
    names = cast("Mapping[str, str] | None", words.get("called"))
    if names is None:
        return card
    plain, _, copy = card.partition("#")
    name = names.get("?" if plain.startswith("?") else plain) or _readable(plain)
    return f"{name} ({copy})" if copy else name


def _readable(card: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in card.split("-"))
