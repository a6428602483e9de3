"""How positions, cards and lines of score sheets of a game are written and read."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from audit.core.errors import PositionTextError, SetupError
from audit.core.event_rules import Citations, Json
from audit.core.position_text import compact, expanded
from audit.core.score_forms import ScoreForm

S = TypeVar("S")


class WrittenForms(ABC, Generic[S]):
    """What people and files write about a game. A game overrides what it has ways of its own for."""

    setup_type: type[Struct] | None = None
    """What the `setup` of a header holds, declared (see `typed_setup`); None where the schema leaves it open."""
    score_forms: tuple[ScoreForm, ...] = ()
    """How events are written on a score sheet, where shorter than `type field=value`."""
    score_seat_words: str = ""
    """The key of the setup whose words stand behind each player's name on a score sheet."""

    def position(self, data: Json, state: S) -> S:
        """The position that plain data describe, in the shape of `setup.position`.

        What the data do not say (the seats, the reading) is that of `state`, any position of the same game. Raises
        `SetupError` with the path of what cannot be understood.
        """
        raise SetupError("position", "a game that reads positions (`Rules.position`)")

    def position_data(self, state: S) -> dict[str, object]:
        """A position in the shape of `setup.position`, for a judge: `position` makes the same position of it."""
        raise SetupError("position", "a game that writes its positions (`Rules.position_data`)")

    def detached(self, state: S) -> S:
        """The position as it stands in any other log: what it says of events of its own log counts back from there."""
        return state

    def lasting_setup(self, setup: Json) -> Json:
        """What of a setup has to stand beside a position so that it can be understood without its log."""
        return {}

    def position_text(self, data: Json) -> str:
        """A position's data as one line of text without blanks, for a link or a message."""
        return compact(data)

    def read_position(self, text: str, offset: int = 0) -> Json:
        """The data of such a text; raises `PositionTextError` with the column, counted from `offset`."""
        data = expanded(text, offset)
        if not isinstance(data, dict):
            raise PositionTextError(offset + 1, "(", text[:12])
        return data

    def cards_meant(self, word: str, setup: Json) -> tuple[str, ...]:
        """The cards that a word on a score sheet may stand for, in a game with that setup; none where it is no name."""
        return ()

    def seat_word_meant(self, word: str) -> str:
        """What a word behind a player's name on a score sheet means in the setup."""
        return word

    def score_word_meant(self, word: str) -> str:
        """The fixed word of a score form that a word means, such as a verb in another language."""
        return word

    def score_word_in(self, word: str, language: str) -> str:
        """A word of a score form as it is typed in a language; "" where nothing is known of it there."""
        return word

    def score_value(self, field: str, said: Json, setup: Json) -> object:
        """What the setup says of a field that a line leaves out, by what else the line says; None for nothing."""
        return None

    def score_card_in(self, word: str, language: str) -> str:
        """A card, or a word behind a player's name, as it is typed in a language."""
        return word

    def plainer(self, words: Sequence[str], places: Mapping[str, int]) -> Sequence[str]:
        """The words of a line of a score sheet as a short form may have them, where people wrote them out.

        `places` are the words of the seats, each with its number in their order, as far as the lines before tell it.
        """
        return words

    def statement(self, question: str) -> str:
        """The line of a score sheet of which a question in words asks whether it is allowed; empty where it is none."""
        return ""

    def apart(self, text: str) -> Sequence[str]:
        """What people write as one event on a score sheet, event by event."""
        return (text,)

    def card_at(self, state: S, place: str) -> str | None:
        """The card at a place that a judge names in a question, such as `A1.2`; None where that is no place."""
        return None

    def rules_of_card(self, card: str) -> Citations:
        """The general rules on which the texts of a card rest; none where the game does not know its cards."""
        return ()
