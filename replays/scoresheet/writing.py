"""Writes one line of a score sheet: an event of the game in each of its forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import inspect
from msgspec.inspect import type_info

from audit.core.catalogue import LANGUAGES
from audit.core.model import Event
from audit.core.ruleset import Ruleset
from replays.judging.positions import position_line
from replays.scoresheet.forms import Form, Part, as_json, fields_of, tag_of, types_of, word_of
from replays.scoresheet.meanings import Carried

LAST = ("id", "at", "because", "note")
"""What any event may hold behind its own fields."""


class LineWriter:
    """The forms of the events of one game, filled in."""

    def __init__(self, game: Ruleset[object], forms: Sequence[Form], carried: Carried | None = None) -> None:
        """`carried` is what the lines before tell, where they are known: then a line may leave it out."""
        self.game, self.forms, self.carried = game, forms, carried

    def lines(self, event: Event) -> Iterator[str]:
        """The lines that may tell the event: its short forms, then as `type field=value`."""
        last = _envelope(event)
        for words in (*self.short(event), self._general(event)):
            yield "   ".join(filter(None, (words, last)))

    def short(self, event: Event, language: str = LANGUAGES[0]) -> Iterator[str]:
        """The short forms of an event, filled in, in the words of a language."""
        said = {name: value for name, value in fields_of(event).items() if value is not None}
        for form in self.forms:
            if form.event is not type(event) or any(said.get(name) != value for name, value in form.fixed.items()):
                continue
            told = {name: value for name, value in said.items() if name not in form.fixed}
            if words := self._filled(form, told, language):
                yield words

    def _filled(self, form: Form, said: Mapping[str, object], language: str) -> str | None:
        if not said.keys() <= {part.field for part in form.parts}:
            return None
        words = []
        for part in form.parts:
            if part.word:
                words.append(self.word_in(part, part.word, language))
            elif part.is_carried:
                if said.get(part.field) != self.carried_value(part):
                    return None
            elif part.field in said:
                value = said[part.field]
                if isinstance(value, dict):
                    word = position_line(self.game, value)
                else:
                    word = word_of(value, part.kind) + part.sign
                is_usual = value == said.get(part.same) if part.same else word == part.usual
                words.extend([] if is_usual else [self.word_in(part, word, language)])
            elif part.usual != "":
                return None
        return " ".join(words)

    def word_in(self, part: Part, word: str, language: str) -> str:
        """A word of a line as it is typed in a language; as it stands where the language has no word for it."""
        rules = self.game.rules
        if language == LANGUAGES[0] or part.is_seat:
            return word
        if part.is_card or (part.field and part.field == rules.score_seat_words):
            return ",".join(rules.score_card_in(one, language) for one in word.split(","))
        is_fixed = part.word or isinstance(type_info(part.kind), inspect.LiteralType)
        return (rules.score_word_in(word, language) if is_fixed else "") or word

    def carried_value(self, part: Part) -> object:
        """What the lines before tell of a part that a line may leave out."""
        return self.carried.value(part.field, part.usual) if self.carried and part.usual else None

    def _general(self, event: Event) -> str:
        hints = types_of(type(event))
        said = {name: value for name, value in fields_of(event).items() if value is not None}
        return " ".join(
            [tag_of(type(event)), *(f"{name}={word_of(value, hints[name])}" for name, value in said.items())]
        )


def _envelope(event: Event) -> str:
    """The note as a remark, and the rest as JSON."""
    last = {name: value for name in LAST if (value := getattr(event, name)) is not None}
    note = last.get("note")
    is_remark = isinstance(note, str) and note == note.strip() and len(note.splitlines()) == 1
    remark = f"# {last.pop('note')}" if is_remark else ""
    return "   ".join(filter(None, (as_json(last) if last else "", remark)))
