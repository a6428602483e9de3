"""How a position is put together by hand, one change at a time.

A game that allows it has a `Setting`. The keys of places are those of its scene, so a tap on a drawn place is a change
of the position. The data are those of `setup.position`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

Json = Mapping[str, object]
Data = dict[str, object]


class Choice(Struct, frozen=True):
    """One of several values, and how it is called."""

    value: str
    title: str
    sign: str = ""


class Field(Struct, frozen=True):
    """Something to be said of a position besides its cards: its name, what holds now, and what may hold."""

    name: str
    value: str
    choices: tuple[Choice, ...]


class Group(Struct, frozen=True):
    """Cards that belong together."""

    title: str
    cards: tuple[Choice, ...]
    sign: str = ""


class HalfDone(Struct, frozen=True):
    """A text of a card that may be half carried out: its words, and how many parts it has."""

    card: str
    command: str
    entry: int
    title: str
    words: str
    parts: int


class Setting:
    """What can be set by hand in a game: by default nothing."""

    is_settable = False

    def words(self, language: str) -> tuple[Choice, ...]:
        """Of what a new table is made, for example the suits of its cards; none where a table needs no such words."""
        return ()

    def words_needed(self) -> int:
        """How many of them there have to be."""
        return 0

    def fresh(self, words: Sequence[str]) -> Data:
        """A table on which nothing lies; raises `SetupError`."""
        return {}

    def fields(self, data: Json, language: str) -> tuple[Field, ...]:
        """What can be said besides the cards."""
        return ()

    def left(self, data: Json, language: str) -> tuple[Group, ...]:
        """The cards that may still be put somewhere."""
        return ()

    def texts(self, data: Json, language: str) -> tuple[HalfDone, ...]:
        """The texts on the table that may be half carried out."""
        return ()

    def changed(self, data: Json, change: Json) -> Data:
        """The position after a change; one that makes no sense leaves it as it is.

        A change says what to `do`: `put` a `card` at `to`, `turn` a `card`, `take` a `card` away, `count` so many
        (`number`) cards at `to`, `say` that the field `name` is `value`, go on with the `part` of a text of a `card`
        (`text`), or with none.
        """
        return dict(data)

    def asks_for_card(self, event: Json) -> bool:
        """Whether a choice of an unknown card is one of a card that all may see now, so that a recorder is asked."""
        return False

    def named(self, event: Json, card: str) -> Data:
        """The choice once that card has been named."""
        return {**event, "card": card}
