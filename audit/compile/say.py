"""Fields of events and findings as words: cards, places and players by name, in each language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from babel.lists import format_list

from audit.catalogue import words
from audit.compile.cards import PROTOCOLS
from audit.compile.events import (
    Chose,
    Drew,
    Flipped,
    GameEnded,
    Landed,
    OwnerChanged,
    Played,
    Resolved,
    Returned,
    Revealed,
    Triggered,
)
from audit.compile.state import is_known
from audit.compile.verbs import drawn_count, returned_cards
from audit.model import Event, type_name
from audit.ruleset import Json, own_fields

PACKAGE = "audit.compile"
_CARDS = frozenset({"card", "by", "is_", "source"})
_LISTS = frozenset({"cards", "protocols", "order"})
_NAMED = {"phase": "phase", "face": "face", "zone": "zone", "box": "box", "command": "box"}


@cache
def name(card: str, language: str) -> str:
    """A card by its name in that language; a handle as it is."""
    protocol, _, value = card.rpartition("-")
    if not is_known(card) or protocol not in PROTOCOLS:
        return card
    table = words(PACKAGE, language, "names")
    return table["card"].format(protocol=table[f"protocol.{protocol}"], value=value)


def key_of(event: Event) -> str:
    """Which sentence tells of this event."""
    tag = type_name(type(event))
    match event:
        case Played():
            return f"{tag}.{event.face}.{event.from_}"
        case Drew():
            return tag + (".other" if event.deck else "") + ("" if event.cards else ".count")
        case Landed():
            return tag if event.line else f"{tag}.arrived"
        case Revealed():
            return f"{tag}.hand" if event.zone and not event.cards else tag
        case Triggered():
            return f"{tag}.{event.command}"
        case Resolved():
            return f"{tag}.{event.outcome}"
        case Chose():
            return f"{tag}.rearrange" if event.what == "rearrange" and event.accept is False else tag
        case Flipped():
            return f"{tag}.{event.face}"
        case OwnerChanged():
            return f"{tag}.{event.why}"
        case GameEnded():
            return f"{tag}.{event.reason}"
    return tag


def event_words(event: Event, language: str) -> Json:
    """The values of an event's sentence."""
    data: dict[str, object] = {field: getattr(event, field) for field in own_fields(type(event))}
    if isinstance(event, Drew):
        data["n"] = drawn_count(event)
    elif isinstance(event, Returned):
        data["cards"] = returned_cards(event)
    if "n" not in data and isinstance(cards := data.get("cards"), tuple):
        data["n"] = len(cards)
    return worded(data, language)


def worded(data: Mapping[str, object], language: str) -> dict[str, object]:
    """Plain values as words."""
    return {field.rstrip("_"): _word(field, value, language) for field, value in data.items()}


def _word(field: str, value: object, language: str) -> object:
    table = words(PACKAGE, language, "names")
    if isinstance(value, list | tuple) or field in _LISTS:
        items = [str(_single("card", item, language)) for item in value or ()]  # type: ignore[attr-defined]
        return format_list(items, locale=language) if items else "–"
    if field in _NAMED and isinstance(value, str):
        return table.get(f"{_NAMED[field]}.{value}", value)
    return _single(field, value, language)


def _single(field: str, value: object, language: str) -> str | int:
    if value is None:
        return "–"
    if isinstance(value, int):
        return value
    text = str(value)
    table = words(PACKAGE, language, "names")
    if text in PROTOCOLS:
        return table[f"protocol.{text}"]
    if field in ("from_", "to") and f"zone.{text}" in table:
        return table[f"zone.{text}"]
    return name(text, language)
