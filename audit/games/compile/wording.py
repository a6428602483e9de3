"""Fields of events and findings as words: cards, places and players by name, in each language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from audit.core.catalogue import words
from audit.core.event_rules import Json, own_fields
from audit.core.model import Event, type_name
from audit.core.names import BY_SEAT, Players
from audit.core.ruleset import Wording
from audit.core.sentences import listed, sentence
from audit.games.compile import events as e
from audit.games.compile.cards import PROTOCOLS
from audit.games.compile.disclosure import handle
from audit.games.compile.parts import field_position, is_known, newest
from audit.games.compile.state import SEATS, UNKNOWN, Refreshing, State

PACKAGE = "audit.games.compile"
_PLACE = re.compile(r"\?(?P<seat>[AB])(?P<line>[1-3])\.(?P<place>\d+)")
"""How a viewer is told of an unknown card on the field: whose, in which line, the how many-eth from the protocol."""
_LISTS = frozenset({"cards", "protocols", "order"})
_ZONES = ("hand", "deck", "trash")
ARRIVED, GUESSED = "arrived", "drew.to_five"
_NAMED = {"phase": "phase", "face": "face", "zone": "zone", "box": "box", "command": "box"}


@cache
def name(card: str, language: str) -> str:
    """A card by its name in that language; an unknown one by its place, as a viewer is told it, or its number."""
    table = words(PACKAGE, language, "names")
    protocol, _, value = card.rpartition("-")
    if not is_known(card):
        return _unknown(card, table)
    if protocol not in PROTOCOLS:
        return card
    return table["card"].format(protocol=_protocol(protocol, table), value=value)


def _unknown(handle: str, table: Mapping[str, str]) -> str:
    if place := _PLACE.fullmatch(handle):
        return table["card.placed"].format_map(place.groupdict())
    return table["card.unnamed"].format(number=handle[1:]) if handle[1:] else handle


def place_of(state: State, card: str) -> str:
    """An unknown card on the field by its place; any other as it is."""
    if is_known(card):
        return card
    found = (
        handle(seat, line, index)
        for seat in SEATS
        for line, stack in enumerate(state.side(seat).lines, 1)
        for index, placed in enumerate(stack)
        if placed.card == card
    )
    return next(found, card)


def whereabouts(state: State, card: str, language: str) -> str:
    """A sentence that says where on the field a card lies; empty if it lies elsewhere."""
    place = field_position(state, card)
    return sentence(PACKAGE, language, "lies", {"side": place.seat, "line": place.line}) if place else ""


def _protocol(name: str, table: Mapping[str, str]) -> str:
    """A protocol by its name in that language; as logs write it if there is no translation."""
    return table.get(f"protocol.{name}", name)


def key_of(event: Event) -> str:
    """The key of the sentence of this event."""
    unseen = ("unseen",) * (_are_unseen(event) or any(
        getattr(event, field, None) == UNKNOWN for field in ("card", "by", "is_")
    ))  # fmt: skip
    return ".".join((type_name(type(event)), *_variant(event), *unseen))


def key_at(state: State, event: Event, *, is_written: bool) -> str:
    """The same in a position: where a card that left the field has arrived.

    Of an event that follows by itself, how many a refresh draws into a hand of unknown size is a guess.
    """
    if type(event) is e.Landed and event.line is None:
        return _with_zone(key_of(event), _arrived_in(state, event.card))
    is_guess = type(event) is e.Drew and type(newest(state)) is Refreshing and f"{event.player}.hand" in state.untold
    return GUESSED if is_guess and not is_written else key_of(event)


def every_key(event: Event) -> tuple[str, ...]:
    """The keys that the sentence of this event has in any position."""
    key = key_of(event)
    if type(event) is e.Landed and event.line is None:
        return (key, *(_with_zone(key, zone) for zone in _ZONES))
    return (key, GUESSED) if type(event) is e.Drew else (key,)


def _with_zone(key: str, zone: str) -> str:
    return key.replace(ARRIVED, f"{ARRIVED}.{zone}") if zone else key


def _arrived_in(state: State, card: str) -> str:
    """Hand, deck or trash, where a card that has just left the field lies; empty where that is not sure."""
    left = {card} if card in state.just_left else set(state.just_left)
    sides = (state.a, state.b)
    zones = [zone for zone in _ZONES if any(not left.isdisjoint(getattr(side, zone)) for side in sides)]
    return zones[0] if len(zones) == 1 else ""


def _are_unseen(event: Event) -> bool:
    """Whether cards are drawn or discarded of which nobody knows one."""
    return isinstance(event, e.Drew | e.Discarded) and set(event.cards or ()) == {UNKNOWN}


def _variant(event: Event) -> Iterable[str]:
    match event:
        case e.Played():
            where = "across" if event.side else "other" if event.deck else event.from_
            return (event.face, where)
        case e.Drew():
            return ("other",) * bool(event.deck) + ("count",) * (not event.cards or _are_unseen(event))
        case e.Landed():
            return () if event.line else (ARRIVED,)
        case e.Triggered():
            return (event.command,)
        case e.Resolved():
            return ("unused" if event.outcome == "declined" else event.outcome,)
        case e.Flipped():
            face = event.face or "over"
            return (face, "is") if event.is_ else (face,)
        case e.OwnerChanged():
            return (event.why,)
        case e.GameEnded():
            return (event.reason, "by") if event.player else (event.reason,)
        case e.Discarded():
            deck = ("deck", "other") if event.deck else ("deck",)
            return deck if event.from_ == "deck" else ("other",) if event.trash else ()
        case e.Chose():
            return _choice(event)
        case e.Revealed() | e.Looked():
            return _seen(event)
    return _place(event)


def _place(event: Event) -> Iterable[str]:
    match event:
        case e.Committed(to=int()):
            return ("line",)
        case e.Committed(to=str(zone)) if zone in _ZONES:
            return (zone,)
        case e.Covered(by=None) | e.Copied(by=None):
            return ("unsaid",)
        case e.Shifted(from_=int()):
            return ("away",)
        case e.Returned(to=str()):
            return ("whose",)
        case e.Rearranged(by=str()):
            return ("by",)
    return ()


def _choice(event: e.Chose) -> Iterable[str]:
    if event.what == "rearrange":
        return ("rearrange",) if event.accept is False else ("rearranges",)
    if event.what == "permission":
        return ("settled", "no" if event.accept is False else "yes")
    return ("settled", event.what) if getattr(event, event.what) is not None else ()


def _seen(event: e.Revealed | e.Looked) -> Iterable[str]:
    """The key for shown cards: a whole hand or deck, or else the cards by name."""
    if isinstance(event, e.Looked):
        zone = (event.zone,) if event.zone in _ZONES else ()
        return ("cards",) if event.cards else zone
    if event.zone:
        return (event.zone, "cards") if event.cards else (event.zone,)
    if event.cards:
        return ("named",) if event.is_ else ("cards",)
    return ()


def event_words(event: Event, language: str, players: Players = BY_SEAT) -> Json:
    """The values of an event's sentence."""
    data: dict[str, object] = {field: getattr(event, field) for field in own_fields(type(event))}
    if isinstance(event, e.Drew):
        data["n"] = e.drawn_count(event)
    elif isinstance(event, e.Returned):
        data["cards"] = e.returned_cards(event)
    if "n" not in data and isinstance(cards := data.get("cards"), tuple):
        data["n"] = len(cards)
    return finding_words_of(data, language, players)


def finding_words_of(data: Mapping[str, object], language: str, players: Players = BY_SEAT) -> dict[str, object]:
    """Plain values as words; what was expected of a field is worded like the field itself."""
    fields = {"expected": str(data["field"])} if "field" in data else {}
    return {name.rstrip("_"): _word(fields.get(name, name), value, language, players) for name, value in data.items()}


def _word(field: str, value: object, language: str, players: Players) -> object:
    table = words(PACKAGE, language, "names")
    if isinstance(value, list | tuple) or field in _LISTS:
        items = [str(_single("card", item, language, players)) for item in value or ()]  # type: ignore[attr-defined]
        return listed(items, language) if items else "–"
    if field in _NAMED and isinstance(value, str):
        return table.get(f"{_NAMED[field]}.{value}", value)
    return _single(field, value, language, players)


def _single(field: str, value: object, language: str, players: Players) -> str | int:
    if value is None:
        return "–"
    if isinstance(value, int):
        return value
    text = str(value)
    if text in SEATS:
        return players.get(text, text)
    table = words(PACKAGE, language, "names")
    if place := _PLACE.fullmatch(text):
        found = place.groupdict()
        return table["card.placed"].format_map({**found, "seat": players.get(found["seat"], found["seat"])})
    if text in PROTOCOLS:
        return _protocol(text, table)
    if field in ("from_", "to", "zone") and f"zone.{text}" in table:
        return table[f"zone.{text}"]
    return name(text, language)


class CompileWording(Wording[State]):
    """The words of Compile's sentences."""

    sentence_key = staticmethod(key_of)
    key_at = staticmethod(key_at)
    every_key = staticmethod(every_key)
    event_words = staticmethod(event_words)
    finding_words = staticmethod(finding_words_of)
    place_of = staticmethod(place_of)
    whereabouts = staticmethod(whereabouts)
