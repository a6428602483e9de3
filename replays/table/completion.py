"""What a line being typed may become: a decision that can be chosen, or the line with its last word whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import inspect
from msgspec.inspect import type_info

from audit.core.card_names import folded
from audit.core.catalogue import LANGUAGES
from audit.core.model import Event
from replays.scoresheet.forms import Form, Part, fields_of, types_of
from replays.scoresheet.line import Sheet
from replays.scoresheet.words import Word, line_of, word_of

MAX_NAMES = 5000
"""At most this many names are taken from a setup."""
LARGEST = 10
"""Numbers below are offered to be tapped."""
_NUMBERED = re.compile(r"([a-z]+)([0-9]{1,4})")
_QUOTES = '"'


class Completer:
    """Completes one line at one position: with the decisions that are open, the forms, and words used before."""

    def __init__(
        self,
        sheet: Sheet,
        choices: Sequence[str],
        events: Sequence[Event],
        cards: Sequence[str] = (),
        *,
        language: str = LANGUAGES[0],
        said: Sequence[str] = (),
    ) -> None:
        """`cards` are all that can be at the table, where that is known; `said` the choices in the `language`."""
        self.sheet, self.choices, self.events, self.cards = sheet, choices, events, cards
        self.language = language
        self.said = said if len(said) == len(choices) else choices
        self._names: tuple[str, ...] | None = None

    def chosen(self, text: str) -> str:
        """The decision that a number stands for, counted from 1 as they are listed; any other text as it is."""
        is_number = text.isascii() and text.isdigit() and 0 < int(text[:4]) <= len(self.choices)
        return self.said[int(text) - 1] if is_number and len(text) < 4 else text

    def completions(self, text: str) -> list[str]:
        """The whole lines that a text may become, the likeliest first; a line that goes on ends with a blank."""
        if (line := self.chosen(text)) != text:
            return [line]
        words = [word.text for word in line_of(text).words]
        before, typed = (words, "") if text[-1:].isspace() else (words[:-1], "".join(words[-1:]))
        whole = [
            said for line, said in zip(self.choices, self.said, strict=True)
            if text and (_begins(said, [*before, typed]) or _begins(line, [*before, typed]))
        ]  # fmt: skip
        start = text[: len(text) - len(typed)]
        longer = (f"{start}{word}{'' if word.endswith('=') else ' '}" for word in self._last_words(before, typed))
        return list(dict.fromkeys([*whole, *longer]))

    def next_words(self, text: str) -> list[str]:
        """The words that may stand behind a text: those of the forms and players first, then values."""
        words = [Word(word.text, 1) for word in line_of(text).words]
        parts = list(self.sheet.following(words))
        first = [word for form, part in parts if part.word or part.is_seat for word in self._values(form, part)]
        others = (
            value for form, part in parts if not (part.word or part.is_seat) for value in self._offered(form, part)
        )
        return list(dict.fromkeys([*first, *(word for word in others if word not in self.sheet.setup)]))

    def _offered(self, form: Form, part: Part) -> Iterator[str]:
        """The values of a field that is no word: small numbers where it is one, names where it may be any text."""
        yield from self._values(form, part)
        yield from self._numbered(part.field)
        kinds = _kinds(part.kind)
        if any(isinstance(kind, inspect.IntType) for kind in kinds):
            yield from map(str, range(LARGEST))
        elif not part.is_card and any(isinstance(kind, inspect.StrType) for kind in kinds):
            yield from self._known_names()

    def _numbered(self, name: str) -> Iterator[str]:
        """The values of a field in all events, the latest first; before them the one that is next by its number."""
        said = (getattr(event, name, None) for event in reversed(self.events))
        told = list(dict.fromkeys(value for value in said if isinstance(value, str)))
        numbered = [found for value in told if (found := _NUMBERED.fullmatch(value))]
        yield from (f"{last[1]}{int(last[2]) + 1}" for last in numbered[:1])
        yield from told

    def _last_words(self, before: Sequence[str], typed: str) -> Iterator[str]:
        start = typed.casefold().removeprefix(_QUOTES)
        for word in dict.fromkeys(self._next_words(before, typed)):
            if _is_start(start, word.removeprefix(_QUOTES)) and word != typed:
                yield word

    def _next_words(self, before: Sequence[str], typed: str) -> Iterator[str]:
        words = [Word(word, 1) for word in before]
        for form, part in self.sheet.following(words):
            yield from self._values(form, part)
        types = self.sheet.game.rules.types
        if not before:
            yield from types
        elif kind := types.get(before[0]):
            yield from self._fields(kind, before[1:], typed)

    def _values(self, form: Form, part: Part) -> Iterator[str]:
        if part.word:
            yield self._said(part, part.word)
        elif part.is_seat:
            yield from self.sheet.seats
        else:
            yield from (self._said(part, value) for value in _told(part.kind))
            yield from (self._said(part, value) for value in self._used(form.event, part.field, part.kind))
            if part.is_card:
                yield from (self._said(part, name) for name in self._known_names())

    def _said(self, part: Part, word: str) -> str:
        """A word in the language, where it is one word there."""
        said = self.sheet.word_in(part, word, self.language)
        return said if said.isprintable() and " " not in said else word

    def _used(self, kind: type[Event], name: str, type_: object) -> Iterator[str]:
        """The values of that field in this game so far, the latest first."""
        for event in reversed(self.events):
            if type(event) is kind and (value := fields_of(event).get(name)) is not None:
                yield word_of(value, type_)

    def _fields(self, kind: type[Event], said: Sequence[str], typed: str) -> Iterator[str]:
        """The fields of `type field=value` that are not yet said, and the values of the one being typed."""
        named = {word.partition("=")[0] for word in said}
        for name, type_ in types_of(kind).items():
            if name in named or name in Event.ENVELOPE:
                continue
            values = (*_told(type_), *self._used(kind, name, type_)) if typed.startswith(f"{name}=") else ()
            yield from (f"{name}={value}" for value in values)
            yield f"{name}="

    def _known_names(self) -> tuple[str, ...]:
        if self._names is None:
            cards = (value for event in reversed(self.events) for value in (getattr(event, "card", None),) if value)
            self._names = tuple(dict.fromkeys([*map(str, cards), *self.cards, *_names(self.sheet.setup)]))
        return self._names


def _begins(line: str, words: Sequence[str]) -> bool:
    """Whether each word begins the word of the line at its place."""
    there = line.split()
    return len(words) <= len(there) and all(map(_is_start, words, there))


def _is_start(typed: str, word: str) -> bool:
    """Whether a word begins with what is typed, or is the card that is cut short so: `p1` of `plague-1`."""
    short, whole = folded(typed), folded(word)
    if whole.startswith(short):
        return True
    cut, (name, _, value) = _NUMBERED.fullmatch(short), whole.partition("-")
    return cut is not None and name.startswith(cut[1]) and value.rstrip("*").startswith(cut[2])


def _told(kind: object) -> Iterable[str]:
    """The words of a field that may only be one of a few."""
    for form in _kinds(kind):
        if isinstance(form, inspect.LiteralType):
            yield from map(str, form.values)


def _kinds(kind: object) -> Sequence[inspect.Type]:
    """A type, or those of which it is one."""
    forms = type_info(kind)
    plain = forms.type if isinstance(forms, inspect.Metadata) else forms
    return plain.types if isinstance(plain, inspect.UnionType) else (plain,)


def _names(setup: Mapping[str, object]) -> Iterator[str]:
    """The words without blanks that stand in a setup, each as it would be typed."""
    left: list[object] = [setup]
    taken = 0
    while left and taken < MAX_NAMES:
        one = left.pop()
        taken += 1
        if isinstance(one, Mapping):
            left.extend([*reversed([*one.values()]), *reversed([*one])])
        elif isinstance(one, list | tuple):
            left.extend(reversed(one))
        elif isinstance(one, str) and one and not any(map(str.isspace, one)):
            yield one
