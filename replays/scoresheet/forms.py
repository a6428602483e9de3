"""The forms of a game's score sheet: how a line of each event is written, with the types of its fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import get_type_hints

from msgspec import Struct, inspect
from msgspec.inspect import type_info
from msgspec.structs import fields, replace

from audit.core.model import Event, Seat
from audit.core.ruleset import Ruleset
from audit.core.score_forms import CARRIED, NEXT, OF_SETUP, RECORD_FORMS, ScoreForm
from replays.log.schemas import card_fields
from replays.scoresheet.words import Fit

SAME = "@"
_FIELD = re.compile(r"\{(\w+)(=[@^+:]?\w*)?\}(\S*)")
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
        """Whether it is never written, and told by the lines before."""
        return self.usual is not None and self.usual.startswith((CARRIED, NEXT))

    @property
    def is_of_setup(self) -> bool:
        """Whether the setup may say it, where it is left out."""
        return self.usual == OF_SETUP

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
    def template(self) -> list[str]:
        """Its words behind the first, with the names of the fields that have to be told."""
        return [part.word or f"{{{part.field}}}" for part in self.parts[1:] if part.word or part.usual is None]

    @property
    def is_carried(self) -> bool:
        """Whether it needs the lines before."""
        return any(part.is_carried for part in self.parts)


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


def fits_in(game: Ruleset[object], fits: Sequence[Fit], language: str) -> Sequence[Fit]:
    """What fits, with words as that language has them; a fixed word that it has none for is left out."""
    fixed = {part.word for form in forms_of(game) for part in form.parts if part.word}
    said = ((fit, game.rules.score_word_in(fit.word, language)) for fit in fits)
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
