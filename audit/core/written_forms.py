"""How positions, cards and lines of score sheets are written and read, in each language.

A template has words and fields: `{player} {card} {line} {face=up}`. A field with `=` may be left out where it has that
value; with `@`, where it is the same as that other field: `{to_owner=@player}`. A field of several values has them with
commas between. A sign may stand right behind a field: `{card}*`. A field with `=^` may be left out where it is as in
the last line that told it (`=^card`: that told that other field); with `=+`, where it is the name that comes next by
its number. Such a field is never written; a line that is read may give it.
A field with `=:` may be left out where the setup says it.

`game/` and then the data in a notation without quotation marks and blanks: objects `(turn:9,player:A)`, lists
`!(a,b)`, and `!t`, `!f`, `!n` for true, false and null; this is Rison, which others can read too. A game may write
the most frequent part of its positions shorter (`Rules.position_text`).
"""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Generic, TypeVar

from msgspec import Struct

from audit.core.catalogue import LANGUAGES, words
from audit.core.errors import PositionTextError, SetupError
from audit.core.event_rules import Citations, Json
from audit.core.typography import folded

CARRIED, NEXT, OF_SETUP = "^", "+", ":"
_COPY = re.compile(r"[-#]\d+$")


class ScoreForm(Struct, frozen=True):
    """One way to write one event type; `fixed` are fields that the words themselves tell."""

    event: str
    template: str
    fixed: Mapping[str, object] = {}


RECORD_FORMS: tuple[ScoreForm, ...] = (
    ScoreForm("amended", "amend {from} by {by}"),
    ScoreForm("amended", "amend {from} {reason} by {by}"),
    ScoreForm("amended", "amend {from} {reason}"),
    ScoreForm("amended", "amend {from}"),
    ScoreForm("taken_back", "{by} back {to} agreed", {"agreed": True}),
    ScoreForm("taken_back", "{by} back {to}"),
    ScoreForm("taken_back", "back {to} agreed", {"agreed": True}),
    ScoreForm("taken_back", "back {to} by {ordered_by}"),
    ScoreForm("taken_back", "back {to}"),
    ScoreForm("gap", "gap"),
    ScoreForm("position_set", "position {position} by {by}"),
    ScoreForm("position_set", "position {position}"),
    ScoreForm("checkpoint", "check {position}"),
)  # fmt: skip
"""The events about the record itself, the same in every game. A line that begins with `?` is `flagged`."""


def names_meant(word: str, setup: Mapping[str, object], keys: Sequence[str]) -> tuple[str, ...]:
    """The cards of the setup that a word may stand for: the one called so, or those whose names begin with it.

    A copy such as `fox-2` is only meant with its number. `keys` are the parts of the setup that name cards.
    """
    names = dict.fromkeys(name for key in keys for name in _cards_in(setup.get(key)))
    if word in names:
        return (word,)
    begin = spelt_plainly(word)
    begun = [name for name in names if begin and spelt_plainly(name).startswith(begin)]
    if spelt_otherwise := [name for name in begun if spelt_plainly(name) == begin]:
        return tuple(spelt_otherwise)
    firsts = [spelt_plainly(name) for name in begun]
    return tuple(name for name in begun if name == (first := _COPY.sub("", name)) or spelt_plainly(first) not in firsts)


def spelt_plainly(name: str) -> str:
    """A name in small letters without accents, its words joined by hyphens."""
    return folded(name).replace(" ", "-").replace("_", "-")


def _cards_in(part: object) -> Iterable[str]:
    """The keys of an object of cards; the known names in a list, or in the list of each player."""
    if isinstance(part, Mapping):
        lists = [each for each in part.values() if isinstance(each, list | tuple)]
        return [name for each in lists for name in _cards_in(each)] if lists else map(str, part)
    names = part if isinstance(part, list | tuple) else ()
    return [name for name in names if isinstance(name, str) and not name.startswith("?")]


PREFIX = "sheet."


def sheet_word_in(package: str, word: str, language: str) -> str:
    """A word of a short form as it is typed in a language; the word itself where that language has none."""
    return words(package, language, "names").get(f"{PREFIX}{word}", word)


def sheet_word_meant(package: str, word: str) -> str:
    """The word of a short form that a word of any language means; the word itself where it means none or several."""
    return _meanings(package).get(folded(word), word)


@cache
def _meanings(package: str) -> Mapping[str, str]:
    found: dict[str, set[str]] = {}
    for language in LANGUAGES:
        for key, said in words(package, language, "names").items():
            if key.startswith(PREFIX):
                found.setdefault(folded(said), set()).add(key.removeprefix(PREFIX))
    return {said: meant.pop() for said, meant in found.items() if len(meant) == 1}


S = TypeVar("S")


class WrittenForms(ABC, Generic[S]):
    """What people and files write about a game. A game overrides what it has ways of its own for."""

    setup_type: type[Struct] | None = None
    """What the `setup` of a header holds, declared (see `typed_setup`); None where the schema leaves it open."""
    score_forms: tuple[ScoreForm, ...] = ()
    """How events are written on a score sheet, where shorter than `type field=value`."""
    unordered: frozenset[str] = frozenset()
    """The keys of a position's data below which no list has an order: a hand may lie in any."""
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

    def data_told(self, told: Json, state: S) -> Json:
        """What a position that somebody wrote down says, of all that `state`, made of it, holds: that is compared."""
        return self.position_data(state)

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


CONSTANTS: Mapping[str, object] = {"!t": True, "!f": False, "!n": None}
_WORD = re.compile(r"[A-Za-z_?][^\s'!:(),/&]*")
_NUMBER = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?(?![0-9])")
MAX_DEPTH = 32
_QUOTED = re.compile(r"'((?:[^'!]|![!'])*)'")


def compact(value: object) -> str:
    """Plain data in the notation of a position's text."""
    if isinstance(value, Mapping):
        return f"({','.join(f'{compact(key)}:{compact(inner)}' for key, inner in value.items())})"
    if isinstance(value, list | tuple):
        return f"!({','.join(map(compact, value))})"
    if value is None or isinstance(value, bool):
        return next(sign for sign, constant in CONSTANTS.items() if constant is value)
    if isinstance(value, str):
        quoted = value.replace("!", "!!").replace("'", "!'")
        return value if _WORD.fullmatch(value) else f"'{quoted}'"
    return str(value)


def expanded(text: str, offset: int = 0) -> object:
    """The data of such a text; raises `PositionTextError` with the column. `offset` is what stands before it."""
    parser = _Parser(text, offset)
    value = parser.value()
    if parser.at < len(text):
        raise parser.error("the end")
    return value


class _Parser:
    """Reads one value after the other."""

    def __init__(self, text: str, offset: int) -> None:
        self.text, self.offset, self.at = text, offset, 0
        self.depth = 0

    def error(self, expected: str) -> PositionTextError:
        found = self.text[self.at : self.at + 12] or "the end"
        return PositionTextError(self.offset + self.at + 1, expected, found)

    def value(self) -> object:
        for sign, constant in CONSTANTS.items():
            if self._skip(sign):
                return constant
        for sign, read in (("!(", self._items), ("(", self._fields)):
            if self._skip(sign):
                return self._inside(read)
        if number := self._match(_NUMBER):
            return float(number[0]) if "." in number[0] else int(number[0])
        return self._word()

    def _inside(self, read: Callable[[], object]) -> object:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"at most {MAX_DEPTH} levels")
        value = read()
        self.depth -= 1
        return value

    def _word(self) -> str:
        if quoted := self._match(_QUOTED):
            return re.sub(r"!([!'])", r"\1", quoted[1])
        if word := self._match(_WORD):
            return word[0]
        raise self.error("a word, a number, ( or !(")

    def _items(self) -> list[object]:
        found: list[object] = []
        while not self._skip(")"):
            self._comma(bool(found), ")")
            found.append(self.value())
        return found

    def _fields(self) -> dict[str, object]:
        found: dict[str, object] = {}
        while not self._skip(")"):
            self._comma(bool(found), ")")
            key = self._word()
            if not self._skip(":"):
                raise self.error(":")
            found[key] = self.value()
        return found

    def _comma(self, is_due: bool, end: str) -> None:
        if is_due and not self._skip(","):
            raise self.error(f", or {end}")

    def _skip(self, sign: str) -> bool:
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found
