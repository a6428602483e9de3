"""The words of events and findings: which sentence is used, and the names that go into it."""

from __future__ import annotations

from audit.core.catalogue import words
from audit.core.event_rules import Json, own_fields
from audit.core.model import Event, type_name
from audit.core.names import BY_SEAT, Players
from audit.core.ruleset import Wording
from audit.games.lotr_reveal.events import (
    CharacterDamaged,
    CharactersReadied,
    DeckShuffled,
    EnterPlayEffect,
    OutcomeEffectResolved,
    ThreatChanged,
    ThreatMoved,
    TokensMoved,
    WhenRevealedResolved,
)
from audit.games.lotr_reveal.names import canonical, keyword_called
from audit.games.lotr_reveal.state import State

PACKAGE = "audit.games.lotr_reveal"

_FINER = {
    "reveal_started": "cause",
    "placement_started": "cause",
    "response_played": "effect",
    "card_cancelled": "disposition",
    "passive_applied": "effect",
    "keyword_resolved": "keyword",
    "surge_armed": "origin",
    "card_moved": "to",
    "reveal_ended": "outcome",
    "card_put": "to",
    "quest_resolved": "result",
}
_SEATS = frozenset({"player", "players"})
_CARDS = frozenset({"card", "source", "by", "cause", "target", "character", "characters", "attached_to", "order"})
_GROUPS = {
    "to": "zone",
    "from": "zone",
    "zone": "zone",
    "keyword": "keyword",
    "effect": "effect",
    "what": "effect",
    "value": "type",
    "type": "type",
    "expected": "any",
    "phase": "phase",
}


class RevealWording(Wording[State]):
    """The words of the reveal."""

    def sentence_key(self, event: Event) -> str:
        """The key of the sentence for this event: `card_moved.staging_area`, `keyword_resolved.doomed`."""
        name = type_name(type(event))
        if (kind := _kind_of(event)) is not None:
            return f"{name}.{kind}" if kind else name
        if isinstance(event, OutcomeEffectResolved):
            return f"{name}.{event.trigger}" + (".for" if event.player is not None else "")
        finer = _FINER.get(name)
        if finer == "keyword":
            return f"{name}.{keyword_called(str(getattr(event, finer)))}"
        return f"{name}.{getattr(event, finer)}" if finer else name

    def event_words(self, event: Event, language: str, players: Players = BY_SEAT) -> Json:
        fields = {name.rstrip("_"): getattr(event, name) for name in own_fields(type(event))}
        number = fields.get("amount", fields.get("delta", fields.get("value")))
        if isinstance(event, TokensMoved):
            number = event.damage or event.progress
        if isinstance(event, ThreatChanged | ThreatMoved):
            fields["delta"] = f"{event.delta:+d}".replace("-", "−")
        return {**self.finding_words(fields, language, players), "n": abs(number) if isinstance(number, int) else 0}

    def finding_words(self, data: Json, language: str, players: Players = BY_SEAT) -> Json:
        return {field: _word(field, value, language, players) for field, value in data.items() if value is not None}


def _kind_of(event: Event) -> str | None:
    """The finer kind of an event that no single field tells; None for an event of which a field tells it."""
    if isinstance(event, CharactersReadied):
        return "named" if event.characters is not None else "player" if event.player is not None else ""
    if isinstance(event, WhenRevealedResolved):
        return "affected" if event.affected else ""
    if isinstance(event, CharacterDamaged):
        return "healed" if event.amount < 0 else ""
    if isinstance(event, TokensMoved):
        return _kind_of_tokens(event)
    if isinstance(event, EnterPlayEffect):
        return "own" if event.source == event.card else ""
    if isinstance(event, DeckShuffled):
        return "with_discard" if event.with_discard else ""
    return None


def _kind_of_tokens(event: TokensMoved) -> str:
    """Which tokens alone are put on or taken off; empty where both are, or none."""
    if bool(event.damage) == bool(event.progress):
        return ""
    if event.damage:
        return "damage" if event.damage > 0 else "healed"
    return "progress" if event.progress > 0 else "lost"


def _word(field: str, value: object, language: str, players: Players) -> object:
    if isinstance(value, list | tuple):
        kind = field if field in _SEATS else "card"
        return ", ".join(str(_word(kind, one, language, players)) for one in value)
    if not isinstance(value, str):
        return value
    if field in _SEATS:
        return players.get(value, value)
    if field in _CARDS:
        return card_name(value, language)
    table: dict[str, str] = words(PACKAGE, language, "names")
    group = _GROUPS.get(field)
    value = keyword_called(value) if group == "keyword" else value
    if group == "any":
        named = players.get(value) or _called(value, table)
        return next((table[k] for g in _KINDS if (k := f"{g}.{value}") in table), named)
    if group is None:
        return value
    return next((table[k] for g in (group, *_KINDS) if (k := f"{g}.{value}") in table), players.get(value, value))


_KINDS = ("zone", "keyword", "type", "trait", "effect", "outcome")


def _called(value: str, table: dict[str, str]) -> str:
    return table.get(f"card.{canonical(value).partition('#')[0]}", value)


def card_name(card: str, language: str) -> str:
    """A card by its name in that language, else by its id made readable: `black-tide` is Black Tide."""
    table: dict[str, str] = words(PACKAGE, language, "names")
    plain, _, copy = card.partition("#")
    named = table.get(f"card.{canonical(plain)}") or (table["unknown"] if plain.startswith("?") else _readable(plain))
    return f"{named} ({copy})" if copy else named


def _readable(card: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in card.split("-"))
