"""The words of the sentences: cards by name. The sentences themselves are in `text/<language>/sentences.toml`."""

from __future__ import annotations

from audit.core.catalogue import words
from audit.core.event_rules import Json, own_fields
from audit.core.model import Event, type_name
from audit.core.names import BY_SEAT, Players
from audit.core.ruleset import Wording

from example_game.catalogue import PACKAGE
from example_game.events import Drew, GameEnded
from example_game.state import CARDS, State


class ExampleGameWording(Wording[State]):
    """The words of Example Game's sentences."""

    def sentence_key(self, event: Event) -> str:
        name = type_name(type(event))
        if isinstance(event, Drew) and event.card is None:
            return f"{name}.unseen"
        if isinstance(event, GameEnded) and event.winner is None:
            return f"{name}.nobody"
        return name

    def event_words(self, event: Event, language: str, players: Players = BY_SEAT) -> Json:
        return self.finding_words({name: getattr(event, name) for name in own_fields(type(event))}, language, players)

    def finding_words(self, data: Json, language: str, players: Players = BY_SEAT) -> Json:
        return {name: word(value, language, players) for name, value in data.items()}


def word(value: object, language: str, players: Players = BY_SEAT) -> object:
    """A card and a player by name, nobody by the word for it, the rest as it is."""
    table = words(PACKAGE, language, "names")
    if value is None:
        return table["nobody"]
    if not isinstance(value, str):
        return value
    if value not in CARDS:
        return players.get(value, value)
    suit, _, number = value.partition("-")
    return table["card"].format(suit=table[f"suit.{suit}"], number=number)
