"""Reads and writes one line of a score sheet: an event of the game in its short form, or as `type field=value`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import get_type_hints

import msgspec
from msgspec import Struct, inspect
from msgspec.inspect import type_info

from audit.core.errors import PositionTextError
from audit.core.model import Event, Player, Seat
from audit.core.ruleset import Ruleset
from audit.core.schema_text import describe_type, nearest
from audit.core.score_forms import CARRIED, NEXT, RECORD_FORMS, ScoreForm
from replays.judging.positions import SETUP, position_line, read_position_line
from replays.log.schemas import card_fields
from replays.scoresheet.carried import Carried
from replays.scoresheet.words import (
    CARD,
    EVENT,
    LINE_END,
    Fit,
    Line,
    Word,
    as_json,
    fits_of,
    line_of,
    value_of,
    word_of,
    written,
)

MAX_EXPECTED = 12
MAX_FOUND = 40
MAX_FORMS = 3
FLAG = "?"
A_CARD, END = "a card of this game", "the end of the line"
LAST = ("id", "at", "because", "note")
"""What any event may hold behind its own fields."""
NOTHING = Word("", 1)
_FIELD = re.compile(r"\{(\w+)(=[@^+]?\w*)?\}(\S*)")
_ABBREVIATED = re.compile(r"[A-Za-z]\d")
_NUMBERED = re.compile(r"p(?:layer)?([1-9])", re.IGNORECASE)
SAME = "@"
_SEAT = type_info(Seat)


class MisfitError(Exception):
    """A word that no form allows where it stands."""

    def __init__(
        self, column: int, expected: str, found: str, fits: Sequence[Fit] = (), *, is_ambiguous: bool = False
    ) -> None:
        """`is_ambiguous`: the word is a name cut so short that it may mean several."""
        super().__init__(f"column {column}: expected {expected}, found {found}")
        self.is_ambiguous = is_ambiguous
        self.column = column
        self.expected = expected
        self.found = found
        self.fits = tuple(fits)


class Part(Struct, frozen=True):
    """A part of a form: a literal `word`, or a field with its type and the sign right behind it.

    `usual` is the value of a field where it is left out; with `@` before it, the field that has the same value; with
    `^` or `+`, what the lines before tell of it.
    """

    word: str = ""
    field: str = ""
    kind: object = None
    usual: str | None = None
    is_card: bool = False
    is_seat: bool = False
    sign: str = ""

    @property
    def is_carried(self) -> bool:
        """Whether it is never written, and told by the lines before."""
        return self.usual is not None and self.usual.startswith((CARRIED, NEXT))


class Form(Struct, frozen=True):
    """A score form with the types of its fields."""

    event: type[Event]
    parts: tuple[Part, ...]
    fixed: Mapping[str, object]

    @property
    def has_seat_first(self) -> bool:
        """Whether the line begins with a player."""
        return self.parts[0].is_seat

    @property
    def template(self) -> list[str]:
        """Its words behind the first, with the names of the fields that have to be told."""
        return [part.word or f"{{{part.field}}}" for part in self.parts[1:] if part.word or part.usual is None]

    @property
    def is_carried(self) -> bool:
        """Whether it needs the lines before."""
        return any(part.is_carried for part in self.parts)


class Sheet:
    """The lines of the score sheets of one game, at a table with these seats."""

    def __init__(
        self,
        game: Ruleset[object],
        seats: Sequence[str],
        setup: Mapping[str, object] | None = None,
        card_at: Callable[[str], str | None] | None = None,
        carried: Carried | None = None,
        players: Sequence[Player] = (),
    ) -> None:
        """`card_at` names the card at a place, where a position is known: then a word may be a place as well.

        `carried` is what the lines before tell, where they are known: then a line may leave it out. `players` may be
        called by their names.
        """
        self.game = game
        self.card_at = card_at
        self.seats = tuple(seats)
        self.setup = setup or {}
        self.carried = carried
        self.names = {player.name.casefold(): player.seat for player in players if player.name}
        self.forms = tuple(form for form in forms_of(game) if carried or not form.is_carried)

    # Writing

    def write(self, event: Event) -> str:
        """The line of an event: the first of its forms that is read as the same event again."""
        last = _envelope(event)
        lines = ("   ".join(filter(None, (words, last))) for words in (*self._short(event), self._general(event)))
        for text in (f"{FLAG} {event.note}", *lines):
            if self._is_read_as(text, event):
                return text
        raise AssertionError(f"no form for {event}")  # the general one is read as it was written

    def write_published(self, event: Mapping[str, object]) -> str:
        """The line of an event in its published shape, which may have no place in a log yet."""
        return self.write(msgspec.convert({**event, "seq": 1}, self.game.rules.types[str(event["type"])]))

    def _short(self, event: Event) -> Iterator[str]:
        said = {name: value for name, value in fields_of(event).items() if value is not None}
        for form in self.forms:
            if form.event is not type(event) or any(said.get(name) != value for name, value in form.fixed.items()):
                continue
            if words := self._filled(form, {name: value for name, value in said.items() if name not in form.fixed}):
                yield words

    def _filled(self, form: Form, said: Mapping[str, object]) -> str | None:
        if not said.keys() <= {part.field for part in form.parts}:
            return None
        words = []
        for part in form.parts:
            if part.word:
                words.append(part.word)
            elif part.is_carried:
                if said.get(part.field) != self._carried(part):
                    return None
            elif part.field in said:
                word = self._word(part, said[part.field])
                words.extend([] if self._is_usual(part, word, said) else [word])
            elif part.usual != "":
                return None
        return " ".join(words)

    def _is_usual(self, part: Part, word: str, said: Mapping[str, object]) -> bool:
        if part.usual and part.usual.startswith(SAME):
            return said[part.field] == said.get(part.usual[1:])
        return word == part.usual

    def _carried(self, part: Part) -> object:
        return self.carried.value(part.field, part.usual) if self.carried and part.usual else None

    def _word(self, part: Part, value: object) -> str:
        if isinstance(value, dict):
            return position_line(self.game, value)
        return word_of(value, part.kind) + part.sign

    def _general(self, event: Event) -> str:
        hints = types_of(type(event))
        said = {name: value for name, value in fields_of(event).items() if value is not None}
        return " ".join(
            [tag_of(type(event)), *(f"{name}={word_of(value, hints[name])}" for name, value in said.items())]
        )

    def _is_read_as(self, text: str, event: Event) -> bool:
        try:
            return self.read(text, event.seq) == event
        except MisfitError:
            return False

    # Reading

    def read(self, text: str, seq: int) -> Event:
        """The event of a line; raises `MisfitError` with the column and what would fit."""
        if text.startswith(FLAG) and not text[1:2].strip():
            return self._made(self.game.rules.types["flagged"], seq, {}, {"note": text[1:].strip()}, Word(text, 1))
        line = line_of(text)
        more = _read_envelope(line.envelope) if line.envelope else {}
        if line.remark:
            more = {"note": line.remark, **more}
        kind, said = self._said(line)
        return self._made(kind, seq, said, more, line.words[0])

    def _made(
        self, kind: type[Event], seq: int, said: Mapping[str, object], more: Mapping[str, object], at: Word
    ) -> Event:
        try:
            plain = msgspec.to_builtins({**said, **more, "type": tag_of(kind), "seq": seq})
            return msgspec.convert(plain, kind)
        except msgspec.ValidationError as error:
            raise MisfitError(at.column, "what the event may hold", str(error), (EVENT,)) from None

    def _said(self, line: Line) -> tuple[type[Event], Mapping[str, object]]:
        misfits: list[MisfitError] = []
        for words, forms in self._ways(line.words):
            for form in forms:
                try:
                    return form.event, {**self._matched(form, words, line.end), **form.fixed}
                except MisfitError as misfit:
                    misfits.append(misfit)
        for reworded in (self._joined, self._plainer):
            if (words := tuple(reworded(line.words))) != line.words:
                with suppress(MisfitError):
                    return self._said(Line(words))
        if line.words and (kind := self.game.rules.types.get(line.words[0].text)):
            return kind, _read_general(kind, line.words[1:])
        raise self._furthest([one for one in misfits if one.is_ambiguous] or misfits, line)

    def _ways(self, words: tuple[Word, ...]) -> Iterator[tuple[tuple[Word, ...], Sequence[Form]]]:
        """The line as it stands; then without a player where the event names none."""
        yield words, self.forms
        if words and self._seat(words[0].text) in self.seats:
            yield words[1:], [form for form in self.forms if not form.has_seat_first]

    def _joined(self, words: Sequence[Word]) -> Iterator[Word]:
        """The words with each name and the number behind it as one, where that is a card: `fire 3`, `Metal 2*`."""
        left = list(words)
        while left:
            word = left.pop(0)
            both = f"{word.text.casefold()}-{left[0].text}" if left and left[0].text[:1].isdecimal() else ""
            if both and word.text.isalpha() and len(self.game.rules.cards_meant(both.rstrip("*"), self.setup)) == 1:
                left.pop(0)
                word = Word(both, word.column)
            yield word

    def _plainer(self, words: Sequence[Word]) -> Iterator[Word]:
        """The words as a short form may have them: players by their names or numbers, and what a game reads besides."""
        said = [word.text for word in words]
        if said and (seat := self.seat_called(said[0].rstrip(":"))):
            said[0] = seat
        for number, text in enumerate(self.game.rules.plainer(said, self._places())):
            yield words[number] if number < len(words) and words[number].text == text else Word(text, 1)

    def _places(self) -> Mapping[str, int]:
        """The words of the seats as the setup tells them and the lines before, each with its number in their order."""
        name = self.game.rules.score_seat_words
        now = self.carried.of_sides(name) if self.carried else {}
        told = self.setup.get(name)
        lying = {**(told if isinstance(told, Mapping) else {}), **now}
        return {word: number for words in lying.values() for number, word in enumerate(words, 1)}

    def seat_called(self, word: str) -> str:
        """The seat of a player who is called by name or by number: `Ada`, `P1`, `player1`; empty where it is none."""
        if found := self.names.get(word.casefold()):
            return found
        number = _NUMBERED.fullmatch(word)
        if number and 0 < int(number[1]) <= len(self.seats):
            return self.seats[int(number[1]) - 1]
        return word if word in self.seats else ""

    def _matched(self, form: Form, words: Sequence[Word], end: int) -> dict[str, object]:
        left, said = list(words), dict[str, object]()
        for part in form.parts:
            if part.is_carried:
                said[part.field] = self._carried(part)
                continue
            if len(left) > 1 and left[0].text.casefold() == part.field and left[1].text.isdecimal():
                left.pop(0)  # `line 2` is as good as `2`
            if left and (self._says(left[0].text, part.word) if part.word else self._fits(part, left[0], said)):
                left.pop(0)
            elif part.usual and part.usual.startswith(SAME):
                said[part.field] = said[part.usual[1:]]
            elif part.usual:
                said[part.field] = value_of(part.usual, part.kind)
            elif part.usual is None:
                raise self.misfit(part, left[0] if left else Word("", end))
        if left:
            raise MisfitError(left[0].column, END, left[0].text, (LINE_END,))
        return said

    def following(self, words: Sequence[Word]) -> Iterator[tuple[Form, Part]]:
        """What may stand behind these words: each form that they begin, and the part of it that may come next."""
        for told, forms in self._ways(tuple(words)):
            for form in forms:
                yield from ((form, part) for part in self._next_parts(form, told))

    def _next_parts(self, form: Form, words: Sequence[Word]) -> Iterator[Part]:
        left, said = list(words), dict[str, object]()
        for part in form.parts:
            if part.is_carried:
                continue
            if not left:
                yield part
            elif self._says(left[0].text, part.word) if part.word else self._fits(part, left[0], said):
                left.pop(0)
                continue
            if part.usual is None:
                return

    def _says(self, text: str, word: str) -> bool:
        """Whether that is the word of a form: `refresh`, `Refresh`, `refreshes`, or the same in another language."""
        meant = self.game.rules.score_word_meant(text)
        return text.casefold() in (word, f"{word}s", f"{word}es") or word in (meant, f"{meant}s")

    def _fits(self, part: Part, word: Word, said: dict[str, object]) -> bool:
        """Whether a word may be that field; if so, its value is taken down."""
        try:
            text = word.text.removesuffix(part.sign)
            value = self._position(word) if part.field == "position" else _value(part, text)
        except msgspec.ValidationError:
            return False
        if not word.text.endswith(part.sign):
            return False
        if part.is_card:
            meant = [self._cards(card) for card in _each(value)]
            if any(len(cards) != 1 for cards in meant):
                return False
            cards = tuple(one for [one] in meant)
            value = cards[0] if isinstance(value, str) else cards if cards else value
        if part.is_seat and self.seats and (value := self._seat(str(value))) not in self.seats:
            return False
        if part.field == self.game.rules.score_seat_words:
            value = tuple(map(self.game.rules.seat_word_meant, _each(value)))
        said[part.field] = value
        return True

    def _seat(self, word: str) -> str:
        """The seat that a word stands for: `a` is ann, if no other seat begins so."""
        meant = [seat for seat in self.seats if word and seat.casefold().startswith(word.casefold())]
        return meant[0] if word not in self.seats and len(meant) == 1 else word

    def _cards(self, word: str) -> tuple[str, ...]:
        """The cards that a word may stand for: itself, if there is such a card."""
        exists = self.game.rules.card_exists
        if self.card_at and (there := self.card_at(word)):
            return (there,)
        if exists is not None and exists(word):
            return (word,)
        meant = self.game.rules.cards_meant(word, self.setup)
        return meant or (word,) if exists is None else meant

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
            several = [cards for each in word.text.split(",") if len(cards := self._cards(each.rstrip("*"))) > 1]
            expected, fits = (" or ".join(several[0]), written(several[0])) if several else (A_CARD, (CARD,))
        elif part.is_seat and self.seats:
            expected, fits = " or ".join(self.seats), written(self.seats)
        return MisfitError(word.column, expected, word.text or END, fits, is_ambiguous=bool(several))

    def _furthest(self, misfits: Sequence[MisfitError], line: Line) -> MisfitError:
        """The misfit of the forms that fit best, with all that would fit there."""
        column = max((one.column for one in misfits), default=1)
        fitting = {one.expected: one.fits for one in misfits if one.column == column}
        found = next(one.found for one in misfits if one.column == column) if misfits else "nothing"
        if any(map(str.isdigit, found)) and not found.isdigit():
            fitting = {each: fits for each, fits in fitting.items() if "-" in each or each == A_CARD} or fitting
        listed = [*list(fitting)[:MAX_EXPECTED], *(["…"] if len(fitting) > MAX_EXPECTED else [])]
        told = [fit for fits in fitting.values() for fit in fits]
        if column == 1 and line.words and (meant := self._without_seat(line.words)):
            return MisfitError(1, " or ".join(meant[:MAX_FORMS]), line.words[0].text, told)
        return MisfitError(column, " or ".join(listed) + nearest(found, fitting), found[:MAX_FOUND], told)

    def _without_seat(self, words: Sequence[Word]) -> list[str]:
        """The forms that begin with the verb of a line behind a player who is not told there: `A turn {turn}`."""
        verb, *behind = words
        seat = behind[0].text if behind and behind[0].text in self.seats else ""
        forms = [form for form in self.forms if form.has_seat_first and len(form.parts) > 1]
        meant = [form for form in forms if form.parts[1].word and self._says(verb.text, form.parts[1].word)]
        return list(dict.fromkeys(" ".join([seat or "{player}", *form.template]) for form in meant))


def _value(part: Part, text: str) -> object:
    """The value of a word as that field; a number may have the letter of its field before it: `l2` is line 2."""
    try:
        return value_of(text, part.kind)
    except msgspec.ValidationError:
        if not (_ABBREVIATED.fullmatch(text) and text[0].casefold() == part.field[0]):
            raise
        return value_of(text[1:], part.kind)


@cache
def forms_of(game: Ruleset[object]) -> tuple[Form, ...]:
    """The forms of a game's own events, then those about the record."""
    types = game.rules.types
    return tuple(_form(types[one.event], one) for one in (*game.rules.score_forms, *RECORD_FORMS))


def _form(event: type[Event], declared: ScoreForm) -> Form:
    hints = types_of(event)
    cards = {name for names in card_fields(event) for name in names}
    encoded = {at: name for name, at in zip(event.__struct_encode_fields__, event.__struct_fields__, strict=True)}
    parts = []
    for word in declared.template.split():
        if field := _FIELD.fullmatch(word):
            name, usual, sign = field.groups()
            attribute = next(at for at, told in encoded.items() if told == name)
            is_seat = any(form == _SEAT for form in _forms(type_info(hints[name])))
            parts.append(Part("", name, hints[name], usual[1:] if usual else None, attribute in cards, is_seat, sign))
        else:
            parts.append(Part(word))
    return Form(event, tuple(parts), declared.fixed)


def _forms(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


@cache
def types_of(event: type[Event]) -> Mapping[str, object]:
    """The types of an event's fields, by the names they have in a log."""
    hints = get_type_hints(event, include_extras=True)
    names = zip(event.__struct_fields__, event.__struct_encode_fields__, strict=True)
    return {encoded: hints[name] for name, encoded in names}


def fields_of(event: Event) -> dict[str, object]:
    """An event's own fields, by the names they have in a log."""
    names = zip(event.__struct_fields__, event.__struct_encode_fields__, strict=True)
    return {encoded: getattr(event, name) for name, encoded in names if name not in Event.ENVELOPE}


def tag_of(event: type[Event]) -> str:
    """The name of an event type in a log."""
    return str(event.__struct_config__.tag)


def _each(value: object) -> Sequence[str]:
    return (value,) if isinstance(value, str) else tuple(map(str, value)) if isinstance(value, tuple) else ()


def _envelope(event: Event) -> str:
    """The note as a remark, and the rest as JSON."""
    last = {name: value for name in LAST if (value := getattr(event, name)) is not None}
    note = last.get("note")
    is_remark = isinstance(note, str) and note == note.strip() and len(note.splitlines()) == 1
    remark = f"# {last.pop('note')}" if is_remark else ""
    return "   ".join(filter(None, (as_json(last) if last else "", remark)))


def _read_envelope(word: Word) -> dict[str, object]:
    try:
        told = msgspec.json.decode(word.text, type=dict[str, object])
    except msgspec.DecodeError as error:
        raise MisfitError(word.column, 'an object such as {"id":"e5"}', str(error)) from None
    if others := sorted(told.keys() - LAST):
        raise MisfitError(word.column, ", ".join(LAST), others[0])
    return told


def _read_general(kind: type[Event], words: Sequence[Word]) -> dict[str, object]:
    """The fields of `type field=value field=value`."""
    hints, said = types_of(kind), dict[str, object]()
    for word in words:
        name, equals, text = word.text.partition("=")
        if not equals or name not in hints or name in Event.ENVELOPE:
            fields = [field for field in hints if field not in Event.ENVELOPE]
            raise MisfitError(word.column, f"a field of {tag_of(kind)}: {', '.join(fields)}", word.text)
        try:
            said[name] = value_of(text, hints[name])
        except msgspec.ValidationError:
            expected = describe_type(type_info(hints[name]))
            raise MisfitError(word.column + len(name) + 1, expected, text) from None
    return said
