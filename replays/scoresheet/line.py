"""Reads and writes one line of a score sheet: an event of the game in its short form, or as `type field=value`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec.inspect import type_info
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES
from audit.core.model import Event, Player
from audit.core.names import names_of
from audit.core.ruleset import Ruleset
from audit.core.typed_setup import describe_type, nearest
from replays.scoresheet.forms import (
    CARD,
    EVENT,
    LINE_END,
    OBJECT,
    Form,
    Line,
    MisfitError,
    Part,
    Word,
    end_of,
    fields_of,
    fits_of,
    forms_of,
    line_of,
    required_of,
    tag_of,
    types_of,
    value_of,
    written,
)
from replays.scoresheet.meanings import A_CARD, END, Carried, Meanings
from replays.scoresheet.templates import is_like_sentence, told_kinds
from replays.scoresheet.told_sentences import SentenceReader
from replays.scoresheet.writing import LAST, LineWriter

MAX_EXPECTED, MAX_FOUND, MAX_FORMS, MAX_WORDS = 12, 40, 3, 1000
FLAG, FULL_STOP = "?", "."
UNREAD = "??"
"""Begins words that nobody could read as an event."""


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
        positions: Callable[[], Sequence[object]] | None = None,
    ) -> None:
        """`card_at` names the card at a place, where a position is known: then a word may be a place as well.

        `carried` is what the lines before tell, where they are known: then a line may leave it out. `players` may be
        called by their names. `positions` are those of which a line may tell, where they can be found out: then a
        sentence may leave out what is expected there.
        """
        self.game = game
        self.seats = tuple(seats)
        self.setup = setup or {}
        self.carried = carried
        self.meanings = Meanings(game, self.seats, self.setup, card_at, players, carried)
        self._players, self._positions = players, positions
        self._sentences: SentenceReader | None = None
        self.forms = tuple(form for form in forms_of(game) if carried or not form.is_carried)
        self.writer = LineWriter(game, self.forms, carried)

    # Writing

    def write(self, event: Event) -> str:
        """The line of an event: the first of its forms that is read as the same event again."""
        lines = self.writer.lines(event)
        for text in (f"{FLAG} {event.note}", f"{UNREAD} {event.note}", *lines):
            with suppress(MisfitError):
                if self.read(text, event.seq) == event:
                    return text
        raise AssertionError(f"no form for {event}")  # the general one is read as it was written

    def write_in(self, event: Event, language: str) -> str:
        """The line of an event in the words of a language, where it has such words and they are read as that event."""
        for text in self.writer.short(event, language) if language != LANGUAGES[0] else ():
            with suppress(MisfitError):
                if self.read(text, event.seq) == event:
                    return text
        return self.write(event)

    def is_general(self, line: str) -> bool:
        """Whether a line is a type of event with its fields: there is no short form, and nobody types it so."""
        kind, _, fields = line.partition(" ")
        return kind in self.game.rules.types and "=" in fields

    def write_published(self, event: Mapping[str, object], language: str = LANGUAGES[0]) -> str:
        """The line of an event in its published shape, which may have no place in a log yet."""
        made = msgspec.convert({**event, "seq": 1}, self.game.rules.types[str(event["type"])])
        return self.write_in(made, language)

    # Reading

    def read(self, text: str, seq: int) -> Event:
        """The event of a line; raises `MisfitError` with the column and what would fit."""
        if _is_question(text):
            return self._flagged(text, seq)
        try:
            return self._told(text, seq)
        except MisfitError:
            who, _, told = text.partition(" ")
            if (by := self._speaker(Word(who, 1))) and _is_question(told.strip()):
                return self._flagged(told.strip(), seq, by)
            raise

    def _told(self, text: str, seq: int) -> Event:
        """The event of a line that is no question."""
        line = line_of(text)
        for word in line.words[MAX_WORDS:]:
            raise MisfitError(word.column, END, word.text[:MAX_FOUND], (LINE_END,))
        more = _read_envelope(line.envelope) if line.envelope else {}
        if line.remark:
            more = {"note": line.remark, **more}
        is_sentence = line.text.endswith(FULL_STOP)
        if is_sentence and (told := self._sentence(line, seq, more)):
            return told
        if is_sentence and (spoken := self._spoken(line)) and (told := self._sentence(spoken, seq, more)):
            return told
        try:
            kind, said = self._said(line.words)
        except MisfitError:
            if not is_sentence and (told := self._sentence(line, seq, more)):
                return told
            if not is_sentence:
                raise
            kind, said = self._said_in_sentence(line)
        return self._made(kind, seq, said, more, line.words[0])

    def _said_in_sentence(self, line: Line) -> tuple[type[Event], Mapping[str, object]]:
        """What is said in a sentence that the program would say otherwise: a full stop does not matter."""
        *words, last = line.words
        try:
            return self._said((*words, Word(last.text.removesuffix(FULL_STOP), last.column)))
        except MisfitError:
            if shapes := self._shapes(told_kinds(self.game, line.text)):
                raise MisfitError(1, " or ".join(shapes), line.text[:MAX_FOUND], written(shapes)) from None
            raise

    def _shapes(self, kinds: Sequence[type[Event]]) -> list[str]:
        """The forms in which a line tells such an event: those that name most, else the general one."""
        found = []
        for kind in kinds:
            forms = [form for form in self.forms if form.event is kind]
            general = " ".join([tag_of(kind), *(f"{name}=…" for name in required_of(kind))])
            found.append(max(forms, key=lambda form: len(form.required)).shape if forms else general)
        return found[:MAX_FORMS]

    def _sentence(self, line: Line, seq: int, more: Mapping[str, object]) -> Event | None:
        """The event that is told in these words by the program itself, in any language; None where none is."""
        text = line.text
        if not is_like_sentence(self.game, text):
            return None
        if self._sentences is None:
            self._sentences = self._sentence_reader(())
        is_enough = self.carried or not self._positions
        event, reader = self._sentences.read(text) if is_enough else None, self._sentences
        if event is None and self._positions:
            reader = self._sentence_reader(self._positions())
            event = reader.read(text)
        event = event or reader.read(text, is_new=True)
        return self._made(type(event), seq, fields_of(event), more, line.words[0]) if event else None

    def _sentence_reader(self, positions: Sequence[object]) -> SentenceReader:
        carried = self.carried.value if self.carried else None
        named = self.meanings.card_named
        return SentenceReader(self.game, self.seats, names_of(self._players), self.setup, positions, carried, named)

    def _flagged(self, text: str, seq: int, by: str = "") -> Event:
        """A question for the judge, and the seat that asks it."""
        said = {**({"by": by} if by else {}), **({"unread": True} if text.startswith(UNREAD) else {})}
        return self._made(
            self.game.rules.types["flagged"], seq, said, {"note": text.lstrip(FLAG).strip()}, Word(text, 1)
        )

    def _speaker(self, word: Word) -> str:
        """The seat of a player who is called before a line, with a colon or without; empty where it is none."""
        name = word.text.rstrip(":")
        if name == word.text:
            return self.meanings.seat_called(name)
        seat = self.meanings.seat(name)
        return seat if seat in self.seats else ""

    def _spoken(self, line: Line) -> Line | None:
        """What stands behind a player and a colon; None where the line does not begin so."""
        if len(line.words) < 2 or not line.words[0].text.endswith(":") or not self._speaker(line.words[0]):
            return None
        return Line(line.words[1:], line.text[line.words[1].column - 1 :])

    def _made(
        self, kind: type[Event], seq: int, said: Mapping[str, object], more: Mapping[str, object], at: Word
    ) -> Event:
        try:
            plain = msgspec.to_builtins({**said, **more, "type": tag_of(kind), "seq": seq})
            return msgspec.convert(plain, kind)
        except msgspec.ValidationError as error:
            raise MisfitError(at.column, "what the event may hold", str(error), (EVENT,)) from None

    def _said(self, line: tuple[Word, ...]) -> tuple[type[Event], Mapping[str, object]]:
        end = end_of(line)
        misfits: list[MisfitError] = []
        for form, words, given in self._readings(line):
            try:
                return form.event, {**self._matched(form, words, end, given), **form.fixed}
            except MisfitError as misfit:
                misfits.append(misfit)
        joined: MisfitError | None = None
        for reworded in (self.meanings.joined, self._plainer, self.meanings.joined_anew):
            if (words := tuple(reworded(line))) != line:
                try:
                    return self._said(words)
                except MisfitError as misfit:
                    joined = joined or (misfit if reworded == self.meanings.joined else None)
        speaker = self._speaker(line[0]) if len(line) > 1 else ""
        words = line[1:] if speaker else line
        is_general = len(words) == 1 or "=" in " ".join(word.text for word in words[1:])
        if is_general and (kind := self.game.rules.types.get(words[0].text)):
            return kind, _read_general(kind, words[1:], end, speaker)
        furthest = self._furthest([one for one in misfits if one.is_ambiguous] or misfits, line)
        raise joined if joined and joined.column > furthest.column else furthest

    def _readings(self, words: tuple[Word, ...]) -> Iterator[tuple[Form, Sequence[Word], Sequence[Part]]]:
        """Each form that the line may have: without what the lines before tell, then with parts of that given."""
        ways = [*self._ways(words)]
        for told, forms in ways:
            yield from ((form, told, ()) for form in forms)
        for told, forms in ways:
            for form in (form for form in forms if form.is_carried):
                yield from ((form, told, given) for given in form.carried_given)

    def _ways(self, words: tuple[Word, ...]) -> Iterator[tuple[tuple[Word, ...], Sequence[Form]]]:
        """The line as it stands, and without a player before it where the event names none.

        A player who is called in full speaks: such a word is no name that an event may have, as of a reveal.
        """
        speaker = self._speaker(words[0]) if words else ""
        unspoken = [form for form in self.forms if not form.has_seat_first]
        if speaker:
            spoken = [form for form in self.forms if form.may_have_seat_first]
            yield (Word(speaker, words[0].column), *words[1:]), spoken
            yield words[1:], unspoken
            yield words[1:], spoken if words[0].text.endswith(":") else ()
            yield words, [form for form in unspoken if form.parts[0].word or form.parts[0].is_card]
            return
        yield words, self.forms
        if words and self.meanings.seat(words[0].text) in self.seats:
            yield words[1:], unspoken

    def _plainer(self, words: Sequence[Word]) -> Iterator[Word]:
        """The words as a short form may have them: players by their names or numbers, and what a game reads besides."""
        said = [word.text for word in words]
        if said and (seat := self.meanings.seat_called(said[0].rstrip(":"))):
            said[0] = seat
        name = self.game.rules.score_seat_words
        told = self.setup.get(name)
        lying = {**(told if isinstance(told, Mapping) else {}), **(self.carried.of_sides(name) if self.carried else {})}
        places = {word: number for words in lying.values() for number, word in enumerate(words, 1)}
        for number, text in enumerate(self.game.rules.plainer(said, places)):
            yield words[number] if number < len(words) and words[number].text == text else Word(text, 1)

    def _matched(self, form: Form, words: Sequence[Word], end: int, given: Sequence[Part] = ()) -> dict[str, object]:
        """What the words tell in a form; `given` are the parts that the lines before tell and the line tells itself."""
        left, said = list(words), dict[str, object]()
        for part in form.parts:
            if part in given:
                word = left.pop(0) if left else Word("", end)
                if not (word.text and self.meanings.fits(part, word, said) and self._is_known(part, said)):
                    raise self._unknown(part, word)
                continue
            if part.is_carried:
                said[part.field] = self.writer.carried_value(part)
                if said[part.field] is None and part.field in required_of(form.event):
                    raise self.meanings.untold(part, end)
                continue
            if len(left) > 1 and left[0].text.casefold() == part.field and left[1].text.isdecimal():
                left.pop(0)  # `line 2` is as good as `2`
            if left and not self._is_told_behind(form, part, left[0]) and self.meanings.fits(part, left[0], said):
                left.pop(0)
            elif part.same:
                said[part.field] = said[part.same]
            elif part.is_of_setup and (found := self.game.rules.score_value(part.field, said, self.setup)) is not None:
                said[part.field] = found
            elif part.is_of_setup:
                raise self.meanings.misfit(part, left[0] if left else Word("", end))
            elif part.usual:
                said[part.field] = value_of(part.usual, part.kind)
            elif part.usual is None:
                raise self.meanings.misfit(part, left[0] if left else Word("", end))
        if left:
            raise MisfitError(left[0].column, END, left[0].text, (LINE_END,))
        return said

    def _is_told_behind(self, form: Form, part: Part, word: Word) -> bool:
        """Whether a word is no value of a part that may be missing, but one of what the lines before tell."""
        if part.usual != "" or not form.is_carried:
            return False
        said = dict[str, object]()
        carried = [one for one in form.parts if one.is_carried]
        return any(self.meanings.fits(one, word, said) and self._is_known(one, said) for one in carried)

    def _is_known(self, part: Part, said: Mapping[str, object]) -> bool:
        """Whether a part that a line gives although the lines before tell it is something that there is."""
        value = str(said[part.field])
        if part.is_card:
            return self.meanings.is_known_card(value)
        return self.meanings.names_next(part, value) if part.is_next else value in self.meanings.told(part)

    def _unknown(self, part: Part, word: Word) -> MisfitError:
        names = () if part.is_card or part.is_next else self.meanings.told(part)[-MAX_EXPECTED:]
        if not names:
            return self.meanings.misfit(part, word)
        return MisfitError(word.column, " or ".join(names), word.text or END, written(names))

    def following(self, words: Sequence[Word]) -> Iterator[tuple[Form, Part]]:
        """What may stand behind these words: each form that they begin, and the part of it that may come next."""
        for told, forms in self._ways(tuple(words)):
            for form in forms:
                with suppress(MisfitError):  # a position that cannot be read
                    yield from ((form, part) for part in self._next_parts(form, told))

    def _next_parts(self, form: Form, words: Sequence[Word]) -> Iterator[Part]:
        left, said = list(words), dict[str, object]()
        for part in form.parts:
            if part.is_carried:
                continue
            if not left:
                yield part
            elif self.meanings.fits(part, left[0], said):
                left.pop(0)
                continue
            if part.usual is None:
                return

    def _furthest(self, misfits: Sequence[MisfitError], line: Sequence[Word]) -> MisfitError:
        """The misfit of the forms that fit best, with all that would fit there."""
        column = max((one.column for one in misfits), default=1)
        fitting = {one.expected: one.fits for one in misfits if one.column == column}
        found = next(one.found for one in misfits if one.column == column) if misfits else "nothing"
        if any(map(str.isdigit, found)) and not found.isdigit():
            fitting = {each: fits for each, fits in fitting.items() if "-" in each or each == A_CARD} or fitting
        listed = [*list(fitting)[:MAX_EXPECTED], *(["…"] if len(fitting) > MAX_EXPECTED else [])]
        told = [fit for fits in fitting.values() for fit in fits]
        if CARD in told:
            told += [replace(CARD, word=card) for card in self.meanings.cards_there]
        if column == 1 and line and (meant := self._without_seat(line)):
            return MisfitError(1, " or ".join(meant[:MAX_FORMS]), line[0].text, told)
        return MisfitError(column, " or ".join(listed) + nearest(found, fitting), found[:MAX_FOUND], told)

    def _without_seat(self, words: Sequence[Word]) -> list[str]:
        """The forms that begin with the verb of a line behind a player who is not told there: `A turn {turn}`."""
        verb, *behind = words
        seat = behind[0].text if behind and behind[0].text in self.seats else ""
        forms = [form for form in self.forms if form.has_seat_first and len(form.parts) > 1]
        meant = [form for form in forms if form.parts[1].word and self.meanings.says(verb.text, form.parts[1].word)]
        return list(dict.fromkeys(" ".join([seat or "{player}", *form.template]) for form in meant))


def _is_question(text: str) -> bool:
    return text.startswith(FLAG) and not text.removeprefix(UNREAD if text.startswith(UNREAD) else FLAG)[:1].strip()


def _read_envelope(word: Word) -> dict[str, object]:
    try:
        told = msgspec.json.decode(word.text, type=dict[str, object])
    except msgspec.DecodeError as error:
        raise MisfitError(word.column, 'an object such as {"id":"e5"}', str(error), (OBJECT,)) from None
    if others := sorted(told.keys() - LAST):
        raise MisfitError(word.column, ", ".join(LAST), others[0], written(LAST))
    return told


def _read_general(kind: type[Event], words: Sequence[Word], end: int, speaker: str = "") -> dict[str, object]:
    """The fields of `type field=value field=value`, a line that ends at that column; who speaks is its player."""
    hints, said = types_of(kind), dict[str, object]()
    for word in words:
        name, equals, text = word.text.partition("=")
        if not equals or name not in hints or name in Event.ENVELOPE:
            fields = [field for field in hints if field not in Event.ENVELOPE]
            expected = f"a field of {tag_of(kind)}: {', '.join(fields)}"
            raise MisfitError(word.column, expected, word.text, written([f"{field}=…" for field in fields]))
        try:
            said[name] = value_of(text, hints[name])
        except msgspec.ValidationError:
            wanted = type_info(hints[name])
            column = word.column + len(name) + 1
            raise MisfitError(column, describe_type(wanted), text, tuple(fits_of(wanted))) from None
    if speaker and "player" in required_of(kind):
        said.setdefault("player", speaker)
    if untold := [f"{name}=…" for name in required_of(kind) if name not in said]:
        raise MisfitError(end, " and ".join(untold), END, written(untold))
    return said
