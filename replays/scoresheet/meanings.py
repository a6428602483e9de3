"""What a word of a score sheet stands for at this table, and what the lines before a line tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, islice

import msgspec
from msgspec.inspect import type_info

from audit.core.errors import PositionTextError
from audit.core.model import Event, Player
from audit.core.record_events import PositionSet, left_at
from audit.core.ruleset import Ruleset
from audit.core.typed_setup import describe_type, own_words
from audit.core.typography import folded
from audit.core.written_forms import CARRIED, NEXT, spelt_plainly
from replays.judging.positions import SETUP, read_position_line
from replays.log.schemas import cards_of
from replays.scoresheet.forms import CARD, MisfitError, Part, Word, fits_of, value_of, written

_NUMBERED_WORD = re.compile(r"([a-z]+)([0-9]{1,6})")
MAX_NEAR = 400
"""Among so many cards at most the nearest to a misspelt word is looked for."""
MAX_WORDS = 6
"""So many words has the name of a card at most that the setup does not tell."""


class Carried:
    """The last value of each field, and the names that are counted, such as the reveals `f1`, `f2`."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._told: dict[str, list[tuple[int, object]]] = {}
        self._counted: dict[str, tuple[str, int]] = {}
        self._of_side: list[tuple[int, str, str, tuple[str, ...]]] = []
        self._cards: dict[str, str] = {}
        for event in events:
            self.add(event)

    def add(self, event: Event) -> None:
        """Goes on behind an event."""
        if (left := left_at(event)) is not None:
            self._go_back(left)
            return
        if type(event) is PositionSet:
            self._of_side = list(_of_position(event))
        for card in cards_of(event):
            self._cards.setdefault(spelt_plainly(card), card)
        for name, value in zip(event.__struct_encode_fields__, msgspec.structs.astuple(event), strict=True):
            if name in Event.ENVELOPE or value is None:
                continue
            self._told.setdefault(name, []).append((event.seq, value))
            if isinstance(value, tuple) and (side := getattr(event, "side", None)):
                self._of_side.append((event.seq, name, side, value))
            if isinstance(value, str) and (found := _NUMBERED_WORD.fullmatch(value)):
                letters, number = found[1], int(found[2])
                known, most = self._counted.get(name, (letters, 0))
                self._counted[name] = (letters, max(number, most) if known == letters else number)

    def _go_back(self, seq: int) -> None:
        """What was told after that seq was told for nothing; a name that was counted is not given again."""
        self._of_side = [one for one in self._of_side if one[0] <= seq]
        for told in self._told.values():
            while told and told[-1][0] > seq:
                told.pop()

    def told(self, name: str) -> Sequence[str]:
        """The words that were told in a field."""
        return [value for _, value in self._told.get(name, ()) if isinstance(value, str)]

    def card(self, word: str) -> str:
        """The card that was told so, however its name was spelt; empty where none was."""
        return self._cards.get(spelt_plainly(word), "")

    def of_sides(self, name: str) -> Mapping[str, tuple[str, ...]]:
        """What was told last in a field of each side, by an event or a position."""
        return {side: told for _, field, side, told in self._of_side if field == name}

    def value(self, name: str, usual: str) -> object:
        """What a field holds: as told last for `^` (for `^card`, that other field), the next by its number for `+`."""
        if usual.startswith(CARRIED):
            told = self._told.get(usual.removeprefix(CARRIED) or name)
            return told[-1][1] if told else None
        assert usual.startswith(NEXT)
        letters, number = self._counted.get(name, (name[0], 0))
        return f"{letters}{number + 1}"


def _of_position(event: PositionSet) -> Iterator[tuple[int, str, str, tuple[str, ...]]]:
    """The lists that a position tells of each side."""
    sides = event.position.get("sides")
    for side, told in sides.items() if isinstance(sides, dict) else ():
        for name, value in told.items() if isinstance(told, dict) else ():
            if isinstance(value, list | tuple):
                yield event.seq, name, side, tuple(map(str, value))


A_CARD, END = "a card of this game", "the end of the line"
NOTHING = Word("", 1)
_ABBREVIATED = re.compile(r"[A-Za-z]\d")
_NUMBERED = re.compile(r"p(?:layer)?([1-9])", re.IGNORECASE)


def seats_by_name(players: Iterable[Player]) -> dict[str, str]:
    """The seats by what their players are called: the whole name, or its first word where no other begins so."""
    named = [(name, player.seat) for player in players if (name := folded(player.name).strip())]
    firsts = [name.split()[0] for name, _ in named]
    short = {first: seat for first, (_, seat) in zip(firsts, named, strict=True) if firsts.count(first) == 1}
    return {**short, **dict(named)}


class Meanings:
    """What words stand for at one table."""

    def __init__(
        self,
        game: Ruleset[object],
        seats: Sequence[str],
        setup: Mapping[str, object],
        card_at: Callable[[str], str | None] | None,
        players: Sequence[Player],
        carried: Carried | None = None,
    ) -> None:
        """`card_at` names the card at a place; `players` may be called by their names; `carried` the lines before."""
        self.game = game
        self.seats = tuple(seats)
        self.setup = setup
        self.card_at = card_at
        self._carried = carried or Carried()
        self.names = seats_by_name(players)

    def seat(self, word: str) -> str:
        """The seat that a word stands for: `a` is ann, if no other seat begins so; or the player's name or number."""
        if called := self.seat_called(word):
            return called
        meant = [seat for seat in self.seats if word and seat.casefold().startswith(word.casefold())]
        return meant[0] if len(meant) == 1 else word

    def seat_called(self, word: str) -> str:
        """The seat of a player who is called by name or by number: `Ada`, `P1`, `player1`; empty where it is none."""
        if word in self.seats:
            return word
        if found := self.names.get(folded(word)):
            return found
        number = _NUMBERED.fullmatch(word)
        if number and 0 < int(number[1]) <= len(self.seats):
            return self.seats[int(number[1]) - 1]
        return next((seat for seat in self.seats if seat.casefold() == word.casefold()), "")

    def cards(self, word: str) -> tuple[str, ...]:
        """The cards that a word may stand for: itself, if there is such a card. A player is none."""
        exists = self.game.rules.card_exists
        if self.card_at and (there := self.card_at(word)):
            return (there,)
        if exists is not None and exists(word):
            return (word,)
        meant = self.game.rules.cards_meant(word, self.setup)
        if exists is not None:
            return meant
        spelt = self._spelt.get(spelt_plainly(word), ()) if meant in ((), (word,)) else meant
        if spelt or meant:
            return spelt or meant
        return () if self._is_player(word) else (self._carried.card(word) or word,)

    def _is_player(self, word: str) -> bool:
        """Whether a word is a seat or a player's name; `p1` may be another thing of the table as well."""
        return word in self.seats or folded(word) in self.names

    def card_named(self, name: str, is_new: bool) -> str:
        """The card that the lines before call so, or else a new one of that name; a player's name is no card.

        The words of a new name begin with a capital, and are joined by hyphens.
        """
        if (told := self._carried.card(name)) or not is_new or self.seat_called(name):
            return told
        several = name.split()
        is_name = len(several) == 1 or (len(several) <= MAX_WORDS and several[0][0].isupper())
        return "-".join(several) if is_name and self.game.rules.card_exists is None else ""

    @cached_property
    def cards_there(self) -> tuple[str, ...]:
        """The cards of this table by name, as far as its setup tells them: those that a misspelt word may mean."""
        numbered = (card for name in names_told(self.game, self.setup) for card in self._numbered_cards(name))
        found = (*numbered, *(name for name in names_told(self.game, self.setup) if self.is_known_card(name)))
        return tuple(islice(dict.fromkeys(found), MAX_NEAR))

    def _numbered_cards(self, name: str) -> Iterator[str]:
        """The cards that are called so, each with its number."""
        for number in range(10):
            yield from self.game.rules.cards_meant(f"{name}-{number}", self.setup)

    @cached_property
    def _spelt(self) -> Mapping[str, tuple[str, ...]]:
        """The names of several words that the setup tells, by how they are spelt as one word."""
        found: dict[str, tuple[str, ...]] = {}
        for name in dict.fromkeys(filter(_has_blanks, _texts(self.setup))):
            plain = spelt_plainly(name)
            found[plain] = (*found.get(plain, ()), name)
        return found

    def joined(self, words: Sequence[Word]) -> Iterator[Word]:
        """The words with each name of several words as one: `fire 3`, `Metal 2*`, `Old Fox, Hare`."""
        left = list(words)
        found: list[Word] = []
        while left:
            listed = found[-1] if found and found[-1].text.endswith(",") else NOTHING
            word = self._numbered(left) or self._named(left)
            is_listed = listed is not NOTHING and (word or self.is_known_card(left[0].text.rstrip(",")))
            word = word or left.pop(0)
            if is_listed:
                word = Word(found.pop().text + word.text, listed.column)
            found.append(word)
        yield from found

    def joined_anew(self, words: Sequence[Word]) -> Iterator[Word]:
        """The words with names behind one another as a card that nobody named before: `ann Kelon Mason c 2`."""
        runs = [(is_name, list(run)) for is_name, run in groupby(words, self._may_begin_name)]
        for is_name, run in runs:
            card = self.card_named(" ".join(word.text for word in run), True) if is_name and len(run) > 1 else ""
            yield from [Word(card, run[0].column)] if card else run

    def _may_begin_name(self, word: Word) -> bool:
        return word.text[:1].isupper() and word.text.isalpha() and not self.seat_called(word.text)

    def _numbered(self, left: list[Word]) -> Word | None:
        """The card that a name and the number behind it are, with what follows it up to a blank."""
        number, behind, rest = left[1].text.partition(",") if len(left) > 1 else ("", "", "")
        both = f"{left[0].text.casefold()}-{number}" if number[:1].isdecimal() else ""
        if not both or not left[0].text.isalpha() or not self.is_known_card(both.rstrip("*")):
            return None
        column = left[0].column
        left[:2] = [Word(rest, left[1].column + len(number) + 1)] if rest else []
        return Word(both + behind, column)

    def _named(self, left: list[Word]) -> Word | None:
        """The name of several words that the setup tells and the line goes on with; a comma ends a name."""
        near = left[: max(self._most_words, MAX_WORDS)]
        ends = (number for number, word in enumerate(near, 1) if word.text.endswith(","))
        most = next(ends, len(near))
        for number in range(most, 0, -1) if left[0].text.rstrip(",") else ():
            said = " ".join(word.text for word in left[:number])
            plain = spelt_plainly(said.rstrip(","))
            names = self._of_several_words.get(plain) or tuple(filter(None, [self._carried.card(plain)]))
            if len(names) == 1 and (number > 1 or said.endswith(",")):
                column = left[0].column
                del left[:number]
                return Word(names[0] + said[len(said.rstrip(",")) :], column)
        return None

    @cached_property
    def _of_several_words(self) -> Mapping[str, tuple[str, ...]]:
        """The names of several words that the setup tells, joined by blanks or hyphens, by how they are spelt."""
        found = dict(self._spelt)
        for name in dict.fromkeys(name for name in names_told(self.game, self.setup) if "-" in name):
            plain = spelt_plainly(name)
            found[plain] = (*found.get(plain, ()), name)
        return found

    @cached_property
    def _most_words(self) -> int:
        return max((name.count("-") + 1 for name in self._of_several_words), default=0)

    def is_known_card(self, word: str) -> bool:
        """Whether a word is one card that there is: of the game, of this table's setup, or told by a line before."""
        return len(self.game.rules.cards_meant(word, self.setup)) == 1 or bool(self._carried.card(word))

    def told(self, part: Part) -> Sequence[str]:
        """The names that a part may have which the lines before tell: those that they, or the setup, told there."""
        field = (part.usual or "")[1:] or part.field
        named = (one[field] for one in _words(self.setup) if isinstance(one, Mapping) and field in one)
        return tuple(dict.fromkeys((*map(str, named), *self._carried.told(field))))

    def names_next(self, part: Part, word: str) -> bool:
        """Whether a word is a name with a number, of which no line has told."""
        return bool(_NUMBERED_WORD.fullmatch(word)) and word not in self._carried.told(part.field)

    def says(self, text: str, word: str) -> bool:
        """Whether that is the word of a form: `refresh`, `Refresh`, `refreshes`, or the same in another language."""
        meant = self.game.rules.score_word_meant(text)
        return text.casefold() in (word, f"{word}s", f"{word}es") or word in (meant, f"{meant}s")

    def fits(self, part: Part, word: Word, said: dict[str, object]) -> bool:
        """Whether a word may be that part of a form; if it is a field, its value is taken down."""
        if part.word:
            return self.says(word.text, part.word)
        try:
            text = word.text.removesuffix(part.sign)
            value = self._position(word) if part.field == "position" else self._value(part, text)
        except msgspec.ValidationError:
            return False
        if not word.text.endswith(part.sign):
            return False
        if part.is_card:
            meant = [self.cards(card) for card in _each(value)]
            if any(len(cards) != 1 for cards in meant):
                return False
            cards = tuple(one for [one] in meant)
            value = cards[0] if isinstance(value, str) else cards if cards else value
        if part.is_seat and self.seats and (value := self.seat(str(value))) not in self.seats:
            return False
        if part.field == self.game.rules.score_seat_words:
            value = tuple(map(self.game.rules.seat_word_meant, _each(value)))
        said[part.field] = value
        return True

    def _value(self, part: Part, text: str) -> object:
        """The value of a word, which may be one of a few words in another language."""
        try:
            return _value(part, text)
        except msgspec.ValidationError:
            meant = self.game.rules.score_word_meant(text)
            if meant == text:
                raise
            return value_of(meant, part.kind)

    def _position(self, word: Word) -> object:
        try:
            data = read_position_line(word.text)[1]
        except PositionTextError as error:
            raise MisfitError(word.column + error.column - 1, error.expected, error.found) from None
        return {key: value for key, value in data.items() if key != SETUP}

    def misfit(self, part: Part, word: Word = NOTHING) -> MisfitError:
        """What would fit in the place of a word."""
        expected = part.word or describe_type(type_info(part.kind))
        fits = written([part.word]) if part.word else tuple(fits_of(type_info(part.kind)))
        several: list[tuple[str, ...]] = []
        if part.is_card:
            several = [cards for each in word.text.split(",") if len(cards := self.cards(each.rstrip("*"))) > 1]
            expected, fits = (" or ".join(several[0]), written(several[0])) if several else (A_CARD, (CARD,))
        elif part.is_seat and self.seats:
            expected, fits = " or ".join(self.seats), written(self.seats)
        return MisfitError(word.column, expected, word.text or END, fits, is_ambiguous=bool(several))

    def untold(self, part: Part, end: int) -> MisfitError:
        """What a line has to tell where no line before tells it."""
        if part.is_card:
            return self.misfit(part, Word("", end))
        told = f"{part.field}=…"
        return MisfitError(end, told, END, written([told]))


def _value(part: Part, text: str) -> object:
    """The value of a word as that field; a number may have the letter of its field before it: `l2` is line 2."""
    try:
        return value_of(text, part.kind)
    except msgspec.ValidationError:
        if not (_ABBREVIATED.fullmatch(text) and text[0].casefold() == part.field[0]):
            raise
        return value_of(text[1:], part.kind)


def _each(value: object) -> Sequence[str]:
    return (value,) if isinstance(value, str) else tuple(map(str, value)) if isinstance(value, tuple) else ()


MAX_NAMES = 5000
"""At most this many names are taken from a setup."""


def names_told(game: Ruleset[object], setup: Mapping[str, object]) -> Iterator[str]:
    """The names of cards and other things that a setup tells, without the words of which every setup is made."""
    declared = game.rules.setup_type
    words = own_words(declared) if declared else frozenset[str]()
    return (name for name in _names(setup) if name not in words)


def _names(setup: Mapping[str, object]) -> Iterator[str]:
    """The words without blanks that stand in a setup, each as it would be typed."""
    return (one for one in _texts(setup) if not _has_blanks(one))


def _has_blanks(text: str) -> bool:
    return any(map(str.isspace, text))


def _texts(setup: Mapping[str, object]) -> Iterator[str]:
    """The texts that stand in a setup."""
    return (one for one in _words(setup) if isinstance(one, str) and one)


def _words(setup: Mapping[str, object]) -> Iterator[object]:
    """All that stands in a setup, outer things before what they hold."""
    left: list[object] = [setup]
    taken = 0
    while left and taken < MAX_NAMES:
        one = left.pop()
        taken += 1
        yield one
        if isinstance(one, Mapping):
            left.extend([*reversed([*one.values()]), *reversed([*one])])
        elif isinstance(one, list | tuple):
            left.extend(reversed(one))
