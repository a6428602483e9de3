"""Fields of events and findings as words: phases, zones, expeditions and numbers, in each language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from audit.core.catalogue import words
from audit.core.event_rules import Json, own_fields
from audit.core.model import Event, type_name
from audit.core.names import BY_SEAT, Players
from audit.core.ruleset import Rows, Wording
from audit.core.sentences import listed
from audit.core.typography import labelled
from audit.games.altered import events as e
from audit.games.altered.places import split_place
from audit.games.altered.seats import side_names
from audit.games.altered.state import EXPEDITIONS, STATS, UNKNOWN, State
from audit.games.altered.victory import types_won
from audit.games.altered.vocabulary import Stats

PACKAGE = "audit.games.altered"
NONE = "–"

_GROUPS = {
    "phase": "phase",
    "effect": "effect",
    "due": "effect",
    "expedition": "expedition",
    "stat": "stat",
    "region": "stat",
    "statuses_removed": "status",
    "status": "status",
    "from_": "zone",
    "to": "zone",
    "to_zone": "zone",
    "zone": "zone",
    "type": "type",
    "mode": "mode",
    "piece": "piece",
    "place": "spot",
    "policy": "policy",
    "reason": "reason",
    "expected": "stat",
}
"""Which names stand for the values of a field."""

_SEATS = frozenset({
    "controller", "from_", "order", "other", "player", "players", "qualified", "side", "targets", "to", "to_owner",
})  # fmt: skip
"""Fields that may name a player."""
_PLACES = frozenset({"against", "place", "other"})
_EMBLEM = re.compile(r"e\d+|[^ ]+\.[^ ]+\.\d+\.\d+")
"""The id of an emblem, as a scorekeeper writes it or as it is made of its reaction; no word that anybody says."""
_NUMBERS = {"count": "n", "spaces": "n", "mana": "n", "surplus": "n"}


class AlteredWording(Wording[State]):
    """The words of the sentences of Altered."""

    def sentence_key(self, event: Event) -> str:
        tag = type_name(type(event))
        match event:
            case e.DayStarted():
                return f"{tag}.{event.kind}"
            case e.DailyEffectEnded(effect="progress"):
                return f"{tag}.progress"
            case e.CharacterRested():
                return f"{tag}.{event.to}" + (".relieved" if event.statuses_removed else "")
            case e.QuickActionPlayed():
                return f"{tag}.exhausts" if event.exhausts else tag
            case e.CardPlayed():
                where = tag if event.player == event.to_owner else f"{tag}.elsewhere"
                return where if event.mana is not None else f"{where}.unpaid"
            case e.ObjectsReadied():
                return tag if event.objects == "all" else f"{tag}.some"
            case e.CleanupChoice():
                return tag if event.kept else f"{tag}.nothing"
            case e.TumultRevealed():
                return f"{tag}.centre" if event.place == "centre" else tag
            case e.ManaPlaced(card=card) if card.startswith(UNKNOWN):
                return f"{tag}.unseen"
        return tag

    def event_words(self, event: Event, language: str, players: Players = BY_SEAT) -> Json:
        fields = {field: getattr(event, field) for field in own_fields(type(event))}
        return {**self.finding_words(fields, language, players), **_way(event, language)}

    def finding_words(self, data: Json, language: str, players: Players = BY_SEAT) -> Json:
        """Plain values as words; the number that chooses the plural is `n`."""
        found: dict[str, object] = {}
        for field, value in data.items():
            found[field.rstrip("_")] = _word(field, value, language, players)
            if (number := _NUMBERS.get(field)) and number not in data and isinstance(value, int):
                found[number] = value
        return found

    def counts(self, state: State, event: Event, language: str, players: Players = BY_SEAT) -> Rows:
        """On a tie-break day the sums of each side in the Arena, and which region types it has won."""
        if not isinstance(event, e.WinnerDeclared | e.TiebreakStarted) or state.day_kind != "tiebreak":
            return ()
        if set(state.arena_totals) != set(side_names(state)):
            return ()
        won, named = types_won(state.arena_totals), partial(_word, language=language, players=players)
        rows = [
            (str(named("side", side)), *(str(getattr(sums, stat)) for stat in STATS), str(named("region", won[side])))
            for side, sums in state.arena_totals.items()
        ]
        table = words(PACKAGE, language, "scene")
        return (("", *(table[f"stat.{stat}"] for stat in STATS), table["won"]), *rows)


def _way(event: Event, language: str) -> Json:
    """From where a card goes and where to, as a sentence has it."""
    table = words(PACKAGE, language, "names")
    match event:
        case e.CardPlayed(from_=out_of, to_zone=into) | e.ObjectLeft(from_=out_of, to=into):
            return {"out_of": table[f"out_of.{out_of}"], "into": table[f"into.{into}"]}
    return {}


def _word(field: str, value: object, language: str, players: Players) -> object:
    if value is None:
        return NONE
    if isinstance(value, bool | int):
        return value
    if isinstance(value, Stats):
        return f"{value.forest}/{value.mountain}/{value.water}"
    if isinstance(value, Mapping):
        return _piles(value, language, players)
    if isinstance(value, list | tuple):
        return _list(field, value, language, players)
    return _name(field, str(value), language, players)


def _list(field: str, values: list[object] | tuple[object, ...], language: str, players: Players) -> str:
    if values and all(isinstance(value, int) for value in values):
        return "/".join(map(str, values))
    names = [_item(field, value, language, players) for value in values]
    return listed(names, language) if names else NONE


def _item(field: str, value: object, language: str, players: Players) -> str:
    if isinstance(value, list | tuple):
        return " – ".join(_name("place", str(one), language, players) for one in value)
    name = getattr(value, "name", value)
    return _name(field, str(name), language, players)


def _piles(value: Mapping[object, object], language: str, players: Players) -> str:
    piles = [
        labelled(language, str(players.get(str(seat), seat)), _word("cards", cards, language, players))
        for seat, cards in value.items() if cards
    ]  # fmt: skip
    return "; ".join(piles) or NONE


def _place(text: str) -> tuple[str, str, str]:
    """Player, expedition and space of a place such as `p1 hero` or `p1 hero 2`."""
    before, last = split_place(text)
    if not last.isdigit():
        return before, last, ""
    seat, name = split_place(before)
    return seat, name, f" {last}"


def _name(field: str, text: str, language: str, players: Players) -> str:
    table = words(PACKAGE, language, "names")
    if field in _PLACES:
        seat, name, at = _place(text)
        if name in EXPEDITIONS:
            return table["place"].format(player=players.get(seat, seat), expedition=table[f"expedition.{name}"]) + at
    if text.startswith(UNKNOWN):
        return table["unknown"]
    word = table.get(f"{_GROUPS.get(field)}.{text}")
    if word is None and field in ("reason", "within", "source") and _EMBLEM.fullmatch(text):
        return table["emblem"]
    return word or (players.get(text, text) if field in _SEATS else text)
