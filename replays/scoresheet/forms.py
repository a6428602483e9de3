"""The forms of a game's score sheet: the words of a line, the types of its fields, how an event is written.

What would fit where a word does not is kept as data, so that it can be said in any language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import combinations
from typing import get_type_hints

import msgspec
from msgspec import Struct, inspect
from msgspec.inspect import type_info
from msgspec.structs import fields, replace

from audit.core.model import Event, Seat, Side
from audit.core.ruleset import Ruleset
from audit.core.sentences import alternatives, sentence
from audit.core.typed_setup import format_value, near_word
from audit.core.written_forms import CARRIED, NEXT, OF_SETUP, RECORD_FORMS, ScoreForm
from replays.log.schemas import card_fields

_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+|"')
_PLAIN = re.compile(r"""[^\s"'{}\[\]#]\S*""")
_BETWEEN_COMMAS = re.compile(r'(?:^|(?<=,))((?:"(?:[^"\\]|\\.)*"|[^,"]|")*?)(?=,|$)')
COMMENT = "#"
PACKAGE = "replays"
MAX_FITS = 12
MAX_NAMES = 8
"""So many names of cards are told at most where none is near."""


class Word(Struct, frozen=True):
    """A word of a line and its column, counted from 1."""

    text: str
    column: int


class Line(Struct, frozen=True):
    """The words of a line and the text that they are, the JSON object behind them, and the remark behind `#`."""

    words: tuple[Word, ...]
    text: str
    envelope: Word | None = None
    remark: str | None = None


def line_of(text: str) -> Line:
    """The words of a line. Blanks within quotation marks part no words."""
    words: list[Word] = []
    for found in _WORD.finditer(text):
        if found[0].startswith(COMMENT):
            return Line(tuple(words), text[: found.start()].rstrip(), None, _remark(text[found.start() :]))
        if found[0].startswith("{"):
            return Line(tuple(words), text[: found.start()].rstrip(), *_behind(text, found.start()))
        words.append(Word(found[0], found.start() + 1))
    return Line(tuple(words), text.rstrip())


def end_of(words: Sequence[Word]) -> int:
    """The column after the last word."""
    return words[-1].column + len(words[-1].text) + 1 if words else 1


def _behind(text: str, start: int) -> tuple[Word, str | None]:
    """The object that begins there, and the remark behind it."""
    try:
        _, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        end = len(text)
    return Word(text[start:end], start + 1), _remark(text[end:])


def _remark(text: str) -> str | None:
    return text.strip().removeprefix(COMMENT).strip() or None


def value_of(text: str, kind: object) -> object:
    """The value of a word where that type is expected; raises `msgspec.ValidationError`."""
    for raw in _readings(text):
        with suppress(msgspec.ValidationError):
            return msgspec.convert(raw, kind)
    raise msgspec.ValidationError(text)


def _unquoted(text: str) -> object:
    """What stands between quotation marks; the text itself where these do not enclose it."""
    with suppress(ValueError, RecursionError):
        return json.loads(text) if text.startswith('"') else text
    return text


def _readings(text: str) -> Iterator[object]:
    with suppress(ValueError, RecursionError):
        yield json.loads(text)
    yield text
    yield [_unquoted(each) for each in _BETWEEN_COMMAS.findall(text)] if '"' in text else text.split(",")
    with suppress(ValueError, RecursionError):
        yield json.loads(f"[{text}]")


def word_of(value: object, kind: object) -> str:
    """A value as one word: plain where that is read as the same value, else as JSON."""
    plain = msgspec.to_builtins(value, str_keys=True)
    if isinstance(plain, list | tuple):
        words = ",".join(map(str, plain))
    else:
        words = plain if isinstance(plain, str) else as_json(plain)
    return words if _PLAIN.fullmatch(words) and _is_read_as(words, value, kind) else as_json(plain)


def as_json(value: object) -> str:
    """JSON without blanks outside quotation marks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _is_read_as(text: str, value: object, kind: object) -> bool:
    try:
        return value_of(text, kind) == value
    except msgspec.ValidationError:
        return False


# What would fit


class Fit(Struct, frozen=True):
    """One thing that would fit: the name of its words (`fit_card`), and what stands in them; without a name, a word.

    A card that may have been meant has both.
    """

    name: str
    low: float | None = None
    high: float | None = None
    word: str = ""


CARD, EVENT, LINE_END, OBJECT = Fit("card"), Fit("event"), Fit("end"), Fit("object")


def written(words: Iterable[str]) -> tuple[Fit, ...]:
    """Words that fit as they stand."""
    return tuple(Fit("", word=word) for word in words)


def fits_of(kind: inspect.Type) -> Iterator[Fit]:
    """Every form of a type."""
    if isinstance(kind, inspect.Metadata):
        yield from fits_of(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for form in kind.types:
            yield from () if isinstance(form, inspect.NoneType) else fits_of(form)
    elif isinstance(kind, inspect.LiteralType):
        yield from written(format_value(value).strip('"') for value in sorted(kind.values, key=str))
    elif isinstance(kind, inspect.IntType | inspect.FloatType):
        yield Fit(
            "number" if kind.ge is None else "number_from" if kind.le is None else "number_between", kind.ge, kind.le
        )
    else:
        yield Fit(_NAMES.get(type(kind), "text"))


_NAMES: Mapping[type[inspect.Type], str] = {
    inspect.VarTupleType: "list", inspect.ListType: "list", inspect.TupleType: "list", inspect.StructType: "object",
    inspect.DictType: "object",
}  # fmt: skip


def told_fits(language: str, fits: Sequence[Fit], found: str = "") -> str:
    """`A, B or a card of this game`, in a language; with the word that is nearest to what was found, and never that.

    Where none is near, the names that the cards of the table have before their numbers.
    """
    fits = [fit for fit in fits if fit.name or fit.word != found] or fits
    near = _near(found, fits) if found else ""
    names = {} if near else dict.fromkeys(fit.word.rpartition("-")[0] for fit in fits if fit.name and fit.word)
    cards = f" ({', '.join(names)})" if found and 0 < len(names) <= MAX_NAMES and all(names) else ""
    told = list(dict.fromkeys(_told(language, fit) + cards * (fit.name == CARD.name) for fit in fits))
    more = f" ({sentence(PACKAGE, language, 'fit_near', {'word': near}, 'terminal')})" if near else ""
    if len(told) > MAX_FITS:
        return f"{', '.join(told[:MAX_FITS])}, …{more}"
    return alternatives(told, language) + more


def _near(found: str, fits: Sequence[Fit]) -> str:
    """The word that is nearest to what was found; of a card without a number each that is called so."""
    near = near_word(found.casefold(), [fit.word for fit in fits if fit.word])
    if any(map(str.isdigit, found)):
        return near
    name, hyphen, _ = near.rpartition("-")
    alike = [fit.word for fit in fits if hyphen and fit.name and fit.word.startswith(f"{name}-")]
    return ", ".join(alike) if near in alike else near


def _told(language: str, fit: Fit) -> str:
    if not fit.name:
        return fit.word
    return sentence(PACKAGE, language, f"fit_{fit.name}", {"low": fit.low, "high": fit.high}, "terminal")


__all__ = ["CARD", "EVENT", "LINE_END", "OBJECT", "Fit", "fits_of", "told_fits", "written"]


SAME = "@"
_FIELD = re.compile(r"\{(\w+)(=[@^+:]?\w*)?\}(\S*)")
_SEAT, _SIDE = type_info(Seat), type_info(Side)


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
    `^` or `+`, what the lines before tell of it; `:` for what the setup says.
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
        """Whether the lines before tell it, where a line leaves it out."""
        return self.usual is not None and self.usual.startswith((CARRIED, NEXT))

    @property
    def is_next(self) -> bool:
        """Whether it is the name that comes next by its number, where a line leaves it out."""
        return self.usual is not None and self.usual.startswith(NEXT)

    @property
    def is_of_setup(self) -> bool:
        """Whether the setup may say it, where it is left out."""
        return self.usual == OF_SETUP

    @property
    def is_usual_value(self) -> bool:
        """Whether it may be left out because it mostly has one value."""
        return bool(self.usual) and not (self.is_carried or self.is_of_setup or self.same)

    @property
    def same(self) -> str:
        """The field whose value it has where it is left out, if there is one."""
        return self.usual[1:] if self.usual and self.usual.startswith(SAME) else ""


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
    def may_have_seat_first(self) -> bool:
        """Whether the line begins with a player, or with a side, which may be one."""
        return self.has_seat_first or (bool(self.parts[0].field) and type_info(self.parts[0].kind) == _SIDE)

    @property
    def template(self) -> list[str]:
        """Its words behind the first, with the names of the fields that have to be told."""
        return [part.word or f"{{{part.field}}}" for part in self.required if part is not self.parts[0]]

    @property
    def required(self) -> list[Part]:
        """The parts that have to be told."""
        return [part for part in self.parts if part.word or part.usual is None]

    @property
    def shape(self) -> str:
        """All that has to be told: `{frame} {step} moved {card} {from} {to}`."""
        return " ".join(part.word or f"{{{part.field}}}" for part in self.required)

    @property
    def is_carried(self) -> bool:
        """Whether it needs the lines before."""
        return any(part.is_carried for part in self.parts)

    @property
    def carried_given(self) -> Iterator[tuple[Part, ...]]:
        """What a line may tell of that which the lines before tell: one part, or several."""
        carried = [part for part in self.parts if part.is_carried]
        for number in range(1, len(carried) + 1):
            yield from combinations(carried, number)


@cache
def forms_of(game: Ruleset[object]) -> tuple[Form, ...]:
    """The forms of a game's own events, then those about the record."""
    types = game.rules.types
    cards = frozenset(name for event in types.values() for names in card_fields(event) for name in names)
    return tuple(_form(types[one.event], one, cards) for one in (*game.rules.score_forms, *RECORD_FORMS))


def _form(event: type[Event], declared: ScoreForm, holding_cards: frozenset[str]) -> Form:
    """`holding_cards` are the fields that hold cards in some event: where a part is carried from such, it is a card."""
    hints = types_of(event)
    cards = {name for names in card_fields(event) for name in names}
    encoded = {at: name for name, at in zip(event.__struct_encode_fields__, event.__struct_fields__, strict=True)}
    parts = []
    for word in declared.template.split():
        if field := _FIELD.fullmatch(word):
            name, usual, sign = field.groups()
            attribute = next(at for at, told in encoded.items() if told == name)
            is_seat = any(form == _SEAT for form in _forms(type_info(hints[name])))
            usual = usual[1:] if usual else None
            is_card = attribute in cards or bool(usual and usual.startswith(CARRIED) and usual[1:] in holding_cards)
            parts.append(Part("", name, hints[name], usual, is_card, is_seat, sign))
        else:
            parts.append(Part(word))
    return Form(event, tuple(parts), declared.fixed)


def _forms(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def fits_in(game: Ruleset[object], fits: Sequence[Fit], language: str) -> Sequence[Fit]:
    """What fits, with words as that language has them; a fixed word that it has none for is left out."""
    fixed = {part.word for form in forms_of(game) for part in form.parts if part.word}
    in_words = (game.rules.score_word_in, game.rules.score_card_in)
    said = ((fit, in_words[bool(fit.name)](fit.word, language)) for fit in fits)
    return [replace(fit, word=word) if word else fit for fit, word in said if word or fit.word not in fixed] or fits


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


@cache
def required_of(event: type[Event]) -> tuple[str, ...]:
    """The names of the fields that an event cannot be without."""
    return tuple(one.encode_name for one in fields(event) if one.required and one.name not in Event.ENVELOPE)


def tag_of(event: type[Event]) -> str:
    """The name of an event type in a log."""
    return str(event.__struct_config__.tag)
