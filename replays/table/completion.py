"""What a line being typed may become, and what may have been meant by one that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain

from msgspec import inspect
from msgspec.inspect import type_info
from msgspec.structs import replace
from rapidfuzz.fuzz import ratio

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES
from audit.core.model import Event, Header
from audit.core.typography import folded
from replays.judging.annotate import Annotator
from replays.judging.positions import next_choice
from replays.judging.sentences import Json, event_json
from replays.log.schemas import cards_of
from replays.scoresheet.forms import Form, MisfitError, Part, Word, fields_of, line_of, types_of, word_of
from replays.scoresheet.line import Sheet
from replays.scoresheet.meanings import END, names_told
from replays.table.question import lines_said, open_choices, question, sheet_at
from replays.table.question_words import has_question_mark
from replays.table.worded_questions import WordedQuestions

MOST = 4
"""At most so many are told."""
ALIKE = 60
"""Two words of whole lines are alike from so many percent on."""
SLIP = 70
"""A word may be another one with a slip from so many percent on."""
FEW_WORDS, MOST_WORDS = 2, 12
"""A line of so few words lacks more than its last, and one of more is not put right."""


def guesses(header: Header, events: Sequence[str | Json], number: int, language: str) -> list[Json]:
    """What the line with that number may have meant after those before it: each its event, line and sentence.

    The line with its words put right comes first, whether that is allowed or not.
    """
    before = question(header, events[: number - 1])
    game, line = before.game, str(events[number - 1])
    state = next_choice(game, [*audit(game, header, before.events)][-1].state)
    annotator = Annotator(game, language, header=header)
    sheet = sheet_at(game, header, state)
    asking = WordedQuestions(game, header, state)
    is_question = has_question_mark(line)
    choices = [] if is_question else [one.event for one in open_choices(annotator, state)]
    told = [_told_line(annotator, sheet, event, language) for event in choices]
    right = [*corrected(sheet, header, line, language)]
    likely = [*([one for one in right if asking.offers(one)] or right), *asking.likely(line)[:MOST]]
    if is_question:  # nobody asks of what cannot be on the table
        likely = [one for one in likely if asking.offers(one)]
    put_right = [_told_line(annotator, sheet, event, language) for event in likely]
    found = {str(one["line"]): one for one in (*put_right, *_alike(told, line))}
    return [{name: one[name] for name in ("event", "line", "sentence")} for one in list(found.values())[:MOST]]


def _told_line(annotator: Annotator, sheet: Sheet, event: Event, language: str) -> Json:
    return {
        "event": event_json(event), "sentence": annotator.tell(event), **lines_said(sheet, event, language),
    }  # fmt: skip


def corrected(sheet: Sheet, header: Header, line: str, language: str) -> Iterator[Event]:
    """The events of a line with its words put right: as it is typed, then with each player before it; each once.

    Before them stands a line that can be read but for one word too much, which is no name.
    """
    game = sheet.game
    told = re.sub(r"[?!.,]+(?=\s|$)", "", game.rules.statement(line) or line)
    typed = [word.text for word in sheet.meanings.joined_anew(line_of(told).words)]
    if not 0 < len(typed) <= MOST_WORDS:
        return
    held = game.rules.holdings(game.rules.start(header))
    cards = sorted(held.exist) if held else ()
    completers = [Completer(sheet, (), (), cards, language=one) for one in dict.fromkeys((language, LANGUAGES[0]))]
    speakers = () if sheet.meanings.seat_called(typed[0].rstrip(":")) else sheet.seats
    less = [" ".join(typed[:at] + typed[at + 1 :]) for at in range(1, len(typed)) if typed[at][0].islower()]
    ways = ([*before, *game.rules.plainer(typed, {})] for before in ((), *((seat,) for seat in speakers)))
    put_right = (" ".join(_put_right(sheet, completers, words)) for words in ways)
    seen: list[Event] = []
    for said in chain(less, chain.from_iterable([one, *_ended(sheet, one)] for one in put_right)):
        with suppress(MisfitError):
            event = replace(sheet.read(said, 1), seq=0)
            if event not in seen and not any(_is_slip(sheet, card) for card in cards_of(event)):
                seen.append(event)
                yield event


def _ended(sheet: Sheet, said: str) -> Iterator[str]:
    """A line that lacks its last word, with each word that it may end with: `A advance hero` by forest, by water."""
    try:
        sheet.read(said, 1)
    except MisfitError as misfit:
        if misfit.found == END and len(said.split()) > FEW_WORDS:
            yield from (f"{said} {fit.word}" for fit in misfit.fits if fit.word and not fit.name)


def _is_slip(sheet: Sheet, card: str) -> bool:
    """Whether a card that nobody knows is rather a misspelt word of a line: `paly` of `play`."""
    verbs = [part.word for form in sheet.forms for part in form.parts if part.word]
    return card.islower() and not sheet.meanings.is_known_card(card) and bool(_nearest(card, verbs))


def _put_right(sheet: Sheet, completers: Sequence[Completer], typed: Sequence[str]) -> list[str]:
    """The words that fit one behind the other: as typed, or the one most like it; what is like none is left out."""
    said: list[str] = []
    left = list(typed)
    while left:
        word = left.pop(0)
        if _fits(sheet, [*said, word]):
            said.append(word)
            continue
        fitting = [fit for one in completers for fit in one.next_words(" ".join(said))]
        if word.isalpha() and left and left[0][:1].isdecimal() and (near := _nearest(f"{word}-{left[0]}", fitting)):
            left.pop(0)
            said.append(near)
        elif near := _nearest(word, fitting):
            said.append(near)
    return said


def _fits(sheet: Sheet, words: Sequence[str]) -> bool:
    """Whether a line may begin with these words, or be them."""
    if any(True for _ in sheet.following([Word(word, 1) for word in words])):
        return True
    with suppress(MisfitError):
        return sheet.read(" ".join(words), 1) is not None
    return False


def _nearest(word: str, fitting: Sequence[str]) -> str:
    """The word that fits and is most like one; empty where none is. A number is no slip of another number."""
    if word.isdecimal():
        return ""
    near = max(fitting, key=lambda one: ratio(folded(word), folded(one)), default="")
    return near if near and ratio(folded(word), folded(near)) >= SLIP else ""


def _alike(choices: Sequence[Json], line: str) -> list[Json]:
    """The choices most like a line that cannot be read, like their own line or their sentence in half of its words."""

    def likeness(choice: Json) -> float:
        return max(_likeness(_words(line), _words(one)) for one in _told_of(choice))

    def is_like(choice: Json) -> bool:
        return any(2 * len(_alike_words(words, _words(told))) >= len(words) for told in _told_of(choice))

    words = [word for word in _words(line) if len(word) > 1 or word.isdecimal()]
    return sorted(filter(is_like, choices), key=likeness, reverse=True)[:MOST] if words else []


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", folded(text))


def _told_of(choice: Json) -> list[str]:
    return [str(choice[name]) for name in ("line", "said", "sentence") if name in choice]


def _likeness(typed: Sequence[str], told: Sequence[str]) -> float:
    """How many words have one like them, each used once; a word too much counts a little."""
    alike = _alike_words(typed, told)
    return sum(alike) - (len(told) - len(alike))


def _alike_words(typed: Sequence[str], told: Sequence[str]) -> list[float]:
    """How much alike each word is that has one like it; each of those is used once."""
    left, found = list(told), []
    for word in typed:
        near = max(left, key=partial(ratio, word), default="")
        if near and (alike := ratio(word, near)) >= ALIKE:
            left.remove(near)
            found.append(alike)
    return found


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
        said = self.sheet.writer.word_in(part, word, self.language)
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
            listed = names_told(self.sheet.game, self.sheet.setup)
            self._names = tuple(dict.fromkeys([*map(str, cards), *self.cards, *listed]))
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
