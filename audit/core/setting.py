"""How a position is put together by hand, one change at a time.

A game that allows it has a `Setting`. The keys of places are those of its scene, so a tap on a drawn place is a change
of the position. The data are those of `setup.position`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

from msgspec import Struct

from audit.core.event_rules import Violations
from audit.core.model import Event

Json = Mapping[str, object]
Data = dict[str, object]
Change = Callable[[Data, Json], None]
UNKNOWN = "?"
MOST = 999
"""No number that is set by hand is higher."""
PRINTED = "printed."
"""So begins the name of whatever is printed on a card: it may be told at any time, of a game that is recorded too."""


class Choice(Struct, frozen=True):
    """One of several values, and how it is called."""

    value: str
    title: str
    sign: str = ""


class Field(Struct, frozen=True):
    """Something to be said of a position or of a card: its name, what holds now, and what may hold.

    One of a single choice holds or does not: its value is then that choice, or nothing.
    """

    name: str
    value: str
    choices: tuple[Choice, ...]
    title: str = ""


class Counted(Struct, frozen=True):
    """A number at a place or on a card; `name` is "" for the cards that lie there. One that is not known is a guess."""

    name: str
    title: str
    number: int
    is_known: bool = True


class Written(Struct, frozen=True):
    """Words to be said of a card: their name, how that is called, and what has been said."""

    name: str
    title: str
    value: str = ""


class About(Struct, frozen=True):
    """What can be said of one place or card, besides where cards lie."""

    fields: tuple[Field, ...] = ()
    counts: tuple[Counted, ...] = ()
    texts: tuple[Written, ...] = ()


class NumberAsked(Struct, frozen=True):
    """A number that nobody has told: the field of the event, the question, and where the card says it.

    `unnamed` is the question for a card that nobody has named.
    """

    field: str
    question: str
    printed: str
    unnamed: str = ""


class OpenQuestion(Struct, frozen=True):
    """What has to be asked at the table before it goes on, and the cards of which nobody has told what counts."""

    asked: str
    cards: tuple[str, ...] = ()


class Group(Struct, frozen=True):
    """Cards that belong together, and the keys of the places where they may be put; none: anywhere."""

    title: str
    cards: tuple[Choice, ...]
    sign: str = ""
    places: tuple[str, ...] = ()


class HalfDone(Struct, frozen=True):
    """A text of a card that may be half carried out: its words, and how many parts it has."""

    card: str
    command: str
    entry: int
    title: str
    words: str
    parts: int


class AskedAtTable:
    """What a table is asked while a game is recorded or a question is put: by default nothing."""

    def untold(self, state: object) -> Iterable[Event]:
        """What may be written down besides what is expected: nobody has told the position what it would rest on.

        For example a card played from a hand that nobody has seen. With seq 0.
        """
        return ()

    def has_open_question(self, state: object) -> bool:
        """Whether what would follow by itself rests on what nobody has told, so that the table has to be asked."""
        return False

    def open_question(self, state: object, language: str) -> OpenQuestion | None:
        """What the table has to be asked then."""
        return None

    def why_open(self, state: object) -> Violations:
        """Why that cannot be told from the position, besides what nobody has told."""
        return ()

    def undecided(self, state: object, event: Event) -> Violations:
        """What decides whether this event is legal and nobody has told; () where all of that is known.

        A record is believed there; a question has no answer.
        """
        return ()

    def printed(self, data: Json, card: str, language: str) -> About:
        """What may be said of what is printed on a card, whether or not it lies anywhere."""
        return About()

    def number_asked(self, event: Json, language: str) -> NumberAsked | None:
        """The number that nobody has told of a choice, so that a recorder is asked; None where there is none."""
        return None

    def filled(self, data: Json, event: Json) -> Json:
        """An event with the number of which nobody knew when it was written down, as it has been told since."""
        return event

    def is_unlikely(self, state: object, event: Event) -> bool:
        """Whether what is told speaks against an untold event, so that only a change nobody tells of could allow it."""
        return False

    def remark(self, event: Json, language: str) -> str:
        """What is said beside a choice, so that people find it: another word for it; empty where none is needed."""
        return ""

    def askable(self, state: object, key: str) -> Iterable[Event]:
        """What may be asked of whatever has that key on the scene, whether it is allowed or not. With seq 0."""
        return ()

    def unknown_at(self, event: Json) -> str:
        """The key of the place out of which an unknown card of a choice comes; empty where that is none."""
        return ""

    def before_played(self, data: Json, key: str) -> tuple[Data, Json] | None:
        """The position before the card of that key was played to where it lies, and its being played there.

        None for what cannot just have been played.
        """
        return None

    def asks_for_card(self, event: Json) -> bool:
        """Whether a choice of an unknown card is one of a card that all may see now, so that a recorder is asked."""
        return False

    def reads_card(self, event: Json) -> bool:
        """Whether a recorder is asked what is printed on the card of a choice, where nobody has told anything of it."""
        return False

    def other_ways(self, event: Json) -> Sequence[Json]:
        """The same choice as it may have been besides, once it is known which card it was: with the other face."""
        return ()

    def named(self, event: Json, card: str) -> Data:
        """The choice once that card has been named."""
        return {**event, "card": card}


class Setting(AskedAtTable):
    """What can be set by hand in a game, and what is asked at its table: by default nothing."""

    is_settable = False
    names_cards = False
    """Whether a card may be put down that nothing has told of before."""
    example = ""
    """A position to begin with, as it is written in a link."""
    sheet_header = ""
    """How a game begins on a score sheet, as an example."""

    def words(self, language: str) -> tuple[Choice, ...]:
        """Of what a new table is made, for example the suits of its cards; none where a table needs no such words."""
        return ()

    def words_said(self, language: str) -> str:
        """What these words are."""
        return ""

    def typing_help(self, language: str) -> str:
        """What is worth knowing of this game for whoever types what happened; empty where nothing is."""
        return ""

    def words_needed(self) -> int:
        """How many of them there have to be."""
        return 1

    def fresh(self, words: Sequence[str]) -> Data:
        """A table on which nothing lies; raises `SetupError`."""
        return {}

    def fields(self, data: Json, language: str) -> tuple[Field, ...]:
        """What can be said besides the cards."""
        return ()

    def left(self, data: Json, language: str) -> tuple[Group, ...]:
        """The cards that may still be put somewhere."""
        return ()

    def takes_card(self, place: str) -> bool:
        """Whether a card can be put at a place of that key."""
        return True

    def places(self, data: Json, language: str) -> tuple[Choice, ...]:
        """The places for cards that are not drawn as such."""
        return ()

    def about(self, data: Json, language: str) -> Mapping[str, About]:
        """What can be said of places and of cards on the table, by their keys; under "" of the whole table."""
        return {}

    def texts(self, data: Json, language: str) -> tuple[HalfDone, ...]:
        """The texts on the table that may be half carried out."""
        return ()

    def changes(self) -> Mapping[str, Change]:
        """What changes the position, by what a change says to `do`."""
        return {}

    def copied(self, data: Json) -> Data:
        """The same position, to be changed."""
        return cast(Data, own(data))

    def changed(self, data: Json, change: Json) -> Data:
        """The position after a change; one that makes no sense leaves it as it is.

        A change says what to `do`: `put` a `card` at `to`, `turn` a `card`, `take` a `card` away, `count` so many
        (`number`) cards, or what is called `name`, at `to`, `say` that the field `name` (of what lies `at` a key) is
        `value`, go on with the `part` of a text of a `card` (`text`), or with none.
        """
        found = self.copied(data)
        if make := self.changes().get(str(change.get("do"))):
            make(found, change)
        return found


_NAME = re.compile(r"\w[\w'’.#-]{0,39}")


def is_name(card: object) -> bool:
    """Whether a card may be called so by somebody who names it at the table."""
    return isinstance(card, str) and bool(_NAME.fullmatch(card))


def own(value: object) -> object:
    """The same plain data, to be changed."""
    if isinstance(value, Mapping):
        return {str(key): own(inner) for key, inner in value.items()}
    return [own(inner) for inner in value] if isinstance(value, list | tuple) else value


def table(data: Mapping[str, object], *keys: str) -> Data:
    """What stands under these keys one within the other, to be changed; an empty table where nothing does."""
    for key in keys:
        if not isinstance(data.get(key), dict):
            cast(Data, data)[key] = {}
        data = cast(Data, data[key])
    return cast(Data, data)


def names_at(data: Json, *keys: str) -> list[str]:
    """The names under these keys, or as many unknown ones as the number that stands there."""
    value: object = data
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    if isinstance(value, int):
        return [UNKNOWN] * value
    return [str(one) for one in value] if isinstance(value, list | tuple) else []


def number_at(data: Json, *keys: str) -> int:
    """The number under these keys; 0 where none stands there."""
    value: object = data
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) else 0


def number_told(change: Json) -> int | None:
    """The `number` of a change; None where it says none that may be set."""
    number = change.get("number")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MOST:
        return None
    return number


def is_unknown(card: str) -> bool:
    """Whether it is a card that nobody has named."""
    return card.startswith(UNKNOWN)


def with_named(held: Sequence[str], card: str) -> list[str]:
    """A card among those of a hand or a deck: one of the unknown ones has a name now."""
    at = next((at for at, one in enumerate(held) if is_unknown(one)), len(held))
    return [*held[:at], card, *held[at + 1 :]]


def without(held: Sequence[str], card: str, left: Sequence[str] = ()) -> list[str]:
    """The cards but that one, or with what is `left` of it in its place."""
    at = held.index(card)
    return [*held[:at], *left, *held[at + 1 :]]


def with_count(held: Sequence[str], number: int) -> list[str] | int:
    """So many cards; those with a name stay, and of unknown ones alone no more than their number is said."""
    known = [card for card in held if not is_unknown(card)]
    return number if not known else [*known, *[UNKNOWN] * max(0, number - len(known))]
