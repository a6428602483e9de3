"""Reads the sentences that are told of events: from the language files from which they are made, in each language.

A sentence fits a template of those files; what stands in its places is looked up among the words that the game has for
values. What the sentence leaves out is taken from what is expected at the position, or from the lines before. It is
read where the event so found is told in the same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from itertools import islice, product

import msgspec
from msgspec import Struct, inspect
from msgspec.inspect import type_info

from audit.core.catalogue import LANGUAGES, words
from audit.core.model import Event, Seat
from audit.core.names import BY_SEAT, Players, card_texts
from audit.core.ruleset import Ruleset
from audit.core.sentences import tell
from audit.core.written_forms import CARRIED
from replays.log.schemas import card_fields, cards_and_handles_of, seat_fields
from replays.scoresheet.forms import Form, fields_of, forms_of, required_of, tag_of, types_of, value_of
from replays.scoresheet.templates import ENDS, LONGEST, MAX_WORDS, Template, fitting, plain_text

MOST_EVENTS = 3000
"""So many events are tried for a sentence."""
MOST_EXPECTED = 90
"""So many events of one kind are expected at most."""
MOST_MEANT, MOST_LISTS = 4, 8
"""So many meanings of a word of a list, and so many lists of them."""
MAX_STRINGS = 4000
"""So many names are taken from a position."""
ABSENT = object()
UNKNOWN = "?"
_SEAT = type_info(Seat)
_BETWEEN = re.compile(r",? (?:and|et|e|i) |, |/")
_NUMBER = re.compile(r"[+-]?\d{1,6}")
_SIGNS = ":,;.!?"


class _Reading(Struct, frozen=True):
    """A sentence read as one template: what stands in its places, how players are called, and its words.

    Where it `is_known`, only names that the game knows are values; else the words themselves may be. Where it `is_new`,
    a card that nobody named before may stand beside what is known.
    """

    template: Template
    places: Mapping[str, str]
    players: Players
    said: str
    text: str
    is_known: bool
    is_new: bool

    def exact(self, said: str) -> str:
        """A part of the sentence as it is typed, with its capitals."""
        typed = " ".join(self.text.replace("’", "'").split()).rstrip(ENDS)
        at = self.said.find(said)
        return typed[at : at + len(said)] if len(typed) == len(self.said) else said


class SentenceReader:
    """Reads sentences at one table: with these seats and names of players, and the names that it knows."""

    def __init__(
        self,
        game: Ruleset[object],
        seats: Sequence[str],
        players: Players,
        told: object,
        positions: Sequence[object],
        carried: Callable[[str, str], object] | None,
        card_named: Callable[[str, bool], str],
    ) -> None:
        """`told` and the `positions` hold names of cards and other things: a setup, the positions it may be told of.

        `carried` is what the lines before told. It is asked as the parts of score forms are: by the field and by how
        the lines before tell it. `card_named` gives the card that they call so, or a new one.
        """
        self._card_named = card_named
        self.game, self.seats, self.positions, self._carried = game, seats, positions, carried
        self._called = (players, BY_SEAT) if players else (BY_SEAT,)
        plain = [msgspec.to_builtins(one, str_keys=True, enc_hook=str) for one in (told, *positions)]
        self._known = tuple(dict.fromkeys((*seats, *islice(_strings(plain), MAX_STRINGS))))
        self._places = dict(self._unnamed())
        self._words: dict[tuple[str, str, bool], Mapping[str, list[str]]] = {}

    def _unnamed(self) -> Iterator[tuple[str, str]]:
        """Where the cards without a name lie, as they are told."""
        for card, position in product((one for one in self._known if one.startswith(UNKNOWN)), self.positions):
            if (place := self.game.wording.place_of(position, card)) != card:
                yield card, place

    def read(self, text: str, is_new: bool = False) -> Event | None:
        """The event that is told in these words; None where none is, or where they may tell of several.

        Where something in it `is_new`, a card may be one that nobody named before. A card may be called by its name in
        another language than that of the sentence.
        """
        texts = (text, *(self._renamed(text, language) for language in LANGUAGES)) if len(text) <= LONGEST else ()
        return next(filter(None, (self._read(one, is_new) for one in dict.fromkeys(texts))), None)

    def _read(self, text: str, is_new: bool) -> Event | None:
        """The same of words in which each card is called as the program calls it."""
        said = plain_text(text)
        found = fitting(self.game, said) if " " in said else []
        due = [event for one in self.positions for event in _expected(self.game, one)] if found else []
        types = {one.event for one, _ in found}
        likely = [event for event in due if tag_of(type(event)) in types]
        for players, event in product(self._called, likely):
            if any(self._tells(template, event, players, said) for template, _ in found):
                return event
        first: Event | None = None
        for is_known, players, (template, match) in product((False,) if is_new else (True, False), self._called, found):
            places = {name: match[f"p{at}"] for at, name in enumerate(template.places)}
            if read := self._read_as(_Reading(template, places, players, said, text, is_known, is_new), due):
                if len(types) == 1 or self._may_be_asked(read):
                    return read
                first = first or read
        return first

    def _renamed(self, text: str, language: str) -> str:
        """The text with each card called as in that language."""
        words, found = text.split(), list[str]()
        while words:
            for number in range(min(len(words), MAX_WORDS), 0, -1):
                said = " ".join(words[:number])
                if name := self._names.get(plain_text(said.rstrip(_SIGNS)), {}).get(language):
                    found.append(name + said[len(said.rstrip(_SIGNS)) :])
                    del words[:number]
                    break
            else:
                found.append(words.pop(0))
        return " ".join(found)

    @cached_property
    def _names(self) -> Mapping[str, Mapping[str, str]]:
        """The names in each language of the cards of the game and the table, by any of them."""
        return {**_names_of_game(self.game), **_names_by_any(self.game, self._known)}

    def _may_be_asked(self, event: Event) -> bool:
        """Whether such an event is offered for one of its cards, as they lie."""
        cards, offered = cards_and_handles_of(event), self.game.setting.askable
        return any(type(one) is type(event) for at in self.positions for card in cards for one in offered(at, card))

    def _tells(self, template: Template, event: Event, players: Players, said: str) -> bool:
        """Whether an event is told so."""
        if tag_of(type(event)) != template.event:
            return False
        keys = self.game.wording.every_key(event)
        told = (
            tell(self.game, event, template.language, self._places, players, key)
            for key in keys
            if key == template.key or key.startswith(f"{template.key}.")
        )
        return any(plain_text(one) == said for one in told)

    def _read_as(self, reading: _Reading, due: Sequence[Event]) -> Event | None:
        """The event of one template: with what a score form or the position says of the rest, or else the only one."""
        kind = self.game.rules.types[reading.template.event]
        types = {name: type_ for name, type_ in types_of(kind).items() if name not in Event.ENVELOPE}
        told = {
            name: [*self._meant(name, kinds(type_), reading.places[name], reading)]
            for name, type_ in types.items() if name in reading.places
        }  # fmt: skip
        untold = {name: type_ for name, type_ in types.items() if name not in reading.places}
        hints = {name: _told_of(due, kind, name) for name in untold}
        needed = [name for name in required_of(kind) if name in untold]
        numbers = {name: [ABSENT, *_numbers(type_, reading)] for name, type_ in untold.items()}
        for form in (form for form in forms_of(self.game) if form.event is kind):
            said = self._said_by(form)
            likely = {name: hints[name][:1] for name in needed if hints[name]}
            for plain in _filled({**numbers, **likely, **said, **told}) if not said.keys().isdisjoint(needed) else ():
                if event := self._made(reading, kind, plain):
                    return event
        filled = {name: [*self._usual(name, type_, reading, hints[name], kind)] for name, type_ in untold.items()}
        found = [event for plain in _filled({**told, **filled}) if (event := self._made(reading, kind, plain))]
        ways = [[fields_of(event)[name] for name in needed] for event in found]
        is_sure = all(way == ways[0] or hints[name] for way in ways for name in needed)
        return found[0] if found and is_sure else None

    def _said_by(self, form: Form) -> dict[str, list[object]]:
        """What a form of the score sheet fixes, has as the usual value, or takes from the lines before."""
        found = {name: [value] for name, value in form.fixed.items()}
        for part in form.parts:
            if part.is_carried and part.usual:
                found |= {part.field: [self._carried(part.field, part.usual)]} if self._carried else {}
            elif part.usual and part.is_usual_value:
                found[part.field] = [value_of(part.usual, part.kind)]
        return found

    def _made(self, reading: _Reading, kind: type[Event], plain: Mapping[str, object]) -> Event | None:
        with suppress(msgspec.ValidationError, TypeError, ValueError):
            event = msgspec.convert({**plain, "type": reading.template.event, "seq": 1}, kind)
            if self._tells(reading.template, event, reading.players, reading.said):
                return event
        return None

    def _usual(
        self, name: str, type_: object, reading: _Reading, hints: Sequence[object], kind: type[Event]
    ) -> Iterator[object]:
        """What a field may hold of which the sentence says nothing: nothing at all, what is likely, what it may be."""
        is_needed, forms = name in required_of(kind), kinds(type_)
        if not is_needed:
            yield ABSENT
        if is_needed and type_info(type_) == _SEAT:
            yield from self._seats(reading)
            return
        yield from _numbers(type_, reading)
        yield from hints
        literals = list(_literals(forms))
        yield from (one for one in literals if one not in hints)
        if is_needed and not hints and not literals and self._carried and (told := self._carried(name, CARRIED)):
            yield told

    def _seats(self, reading: _Reading) -> Iterator[str]:
        """The player of whom the sentence tells before the others."""
        said = reading.places.get("player", "")
        yield from self._words_of("player", reading).get(said, ())
        yield from self.seats

    def _meant(self, name: str, forms: Sequence[inspect.Type], said: str, reading: _Reading) -> Iterator[object]:
        """The values for which those words may stand."""
        for form in forms:
            if isinstance(form, inspect.LiteralType):
                yield from (one for one in form.values if said in self._said(name, one, reading))
            elif isinstance(form, inspect.IntType):
                yield from [int(said)] if _NUMBER.fullmatch(said) else []
            elif isinstance(form, inspect.StrType):
                yield from self._named(name, said, reading)
            elif isinstance(form, inspect.VarTupleType | inspect.ListType):
                parts = (self._meant(name, kinds(form.item_type), one, reading) for one in _BETWEEN.split(said))
                yield from map(list, islice(product(*(list(islice(part, MOST_MEANT)) for part in parts)), MOST_LISTS))
            elif isinstance(form, inspect.StructType):
                numbers = said.split("/")
                if len(numbers) == len(form.fields) and all(map(_NUMBER.fullmatch, numbers)):
                    yield {one.encode_name: int(n) for one, n in zip(form.fields, numbers, strict=True)}

    def _named(self, name: str, said: str, reading: _Reading) -> Iterator[str]:
        """The seats, cards and words of the game that are called so, or the words themselves."""
        if not reading.is_known and not reading.is_new:
            yield from [reading.exact(said)] if self._may_be(name, said, reading) else []
            return
        known = [*self._words_of(name, reading).get(said, ())]
        if not known and self._is_card(name, reading):
            known = [*filter(None, [self._card_named(reading.exact(said), reading.is_new)])]
        yield from known
        yield from (card for card, place in self._places.items() if said in self._said(name, place, reading))
        unnamed = (f"{UNKNOWN}{number}" for number in re.findall(r"\d+", said))
        yield from (one for one in unnamed if said in self._said(name, one, reading))

    def _may_be(self, name: str, word: str, reading: _Reading) -> bool:
        """Whether a field may hold a word that nobody knows: a player never, a card where the game knows none."""
        kind = self.game.rules.types[reading.template.event]
        if name in (one for each in seat_fields(kind) for one in each):
            return False
        return not self._is_card(name, reading) or (" " not in word and bool(self._card_named(word, True)))

    def _is_card(self, name: str, reading: _Reading) -> bool:
        """Whether a field holds cards."""
        return any(name in each for each in card_fields(self.game.rules.types[reading.template.event]))

    def _words_of(self, name: str, reading: _Reading) -> Mapping[str, list[str]]:
        """What is called how at this table, in the sentences about a field; before it what the game itself has."""
        at = (name, reading.template.language, reading.players is BY_SEAT)
        if at not in self._words:
            own = _called(self.game, self._known, name, reading.template.language, reading.players)
            others = _of_game(self.game, name, reading.template.language)
            self._words[at] = {said: [*own.get(said, ()), *others.get(said, ())] for said in (*own, *others)}
        return self._words[at]

    def _said(self, name: str, value: object, reading: _Reading) -> set[str]:
        return _told(self.game, name, value, reading.template.language, reading.players)


def _names_by_any(game: Ruleset[object], cards: Iterable[str]) -> Mapping[str, Mapping[str, str]]:
    """The names in each language of those cards that have several, by any of them."""
    found: dict[str, Mapping[str, str]] = {}
    for card in cards:
        told = {at: str(game.wording.finding_words({"card": card}, at).get("card", card)) for at in LANGUAGES}
        if len({*told.values()}) > 1:
            found |= dict.fromkeys(map(plain_text, (card, *told.values())), told)
    return found


@cache
def _names_of_game(game: Ruleset[object]) -> Mapping[str, Mapping[str, str]]:
    return _names_by_any(game, _named_by(game))


def _named_by(game: Ruleset[object]) -> Iterable[str]:
    """The cards that the game knows, and the values for which it has names."""
    package = game.catalogue.package
    named = [key.partition(".")[2] for key in words(package, LANGUAGES[0], "names")]
    return dict.fromkeys([*card_texts(package, LANGUAGES[0]), *filter(None, named)])


def _told(game: Ruleset[object], name: str, value: object, language: str, players: Players) -> set[str]:
    """How a value of a field is told."""
    told = (game.wording.finding_words({at: value}, language, players) for at in (name, f"{name}_"))
    return {plain_text(str(one)) for each in told for one in each.values()}


def _called(
    game: Ruleset[object], values: Iterable[str], name: str, language: str, players: Players = BY_SEAT
) -> Mapping[str, list[str]]:
    """Those values by what they are called in the sentences about a field."""
    found: dict[str, list[str]] = {}
    for value in values:
        for said in _told(game, name, value, language, players):
            found.setdefault(said, []).append(value)
    return found


@cache
def _of_game(game: Ruleset[object], name: str, language: str) -> Mapping[str, list[str]]:
    """The cards that the game knows, and the values for which it has names, by what they are called."""
    return _called(game, _named_by(game), name, language)


def _numbers(type_: object, reading: _Reading) -> Iterator[int]:
    """What the number that chooses the plural says of a field that holds one."""
    number = reading.places.get("n", "")
    if _NUMBER.fullmatch(number) and any(isinstance(form, inspect.IntType) for form in kinds(type_)):
        yield from (int(number), -int(number))


def _filled(fields: Mapping[str, Sequence[object]]) -> Iterator[dict[str, object]]:
    """Each way to fill the fields with one of their values."""
    for values in islice(product(*fields.values()), MOST_EVENTS):
        yield {name: one for name, one in zip(fields, values, strict=True) if one is not ABSENT}


def _literals(forms: Sequence[inspect.Type]) -> Iterator[object]:
    for form in forms:
        if isinstance(form, inspect.LiteralType):
            yield from form.values
        elif isinstance(form, inspect.BoolType):
            yield from (True, False)


def _told_of(due: Sequence[Event], kind: type[Event], name: str) -> list[object]:
    """What events that are due hold in that field: those of the same kind, else all."""
    of_kind = [event for event in due if type(event) is kind]
    told = [fields_of(event).get(name) for event in of_kind or due]
    return list(dict.fromkeys(one for one in told if isinstance(one, str | int)))


def _expected(game: Ruleset[object], position: object) -> list[Event]:
    """What may come in a position."""
    options = game.rules.expected(position)
    return [event for option in options for event in islice(option.candidates(position), MOST_EXPECTED)]


def _strings(left: Sequence[object]) -> Iterator[str]:
    for one in left:
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            yield from _strings([*one])
            yield from _strings([*one.values()])
        elif isinstance(one, list | tuple):
            yield from _strings(one)


def kinds(kind: object) -> Sequence[inspect.Type]:
    """A type, or those of which it is one."""
    form = type_info(kind) if not isinstance(kind, inspect.Type) else kind
    while isinstance(form, inspect.Metadata):
        form = form.type
    if not isinstance(form, inspect.UnionType):
        return (form,)
    return [one for each in form.types for one in kinds(each)]
