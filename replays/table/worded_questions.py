"""The event of which a question in plain words asks, in any language, with names, accents and endings as people type.

A question is held against the sentences that are told of what may be asked at a table. It asks about the one that
says all that it says; where several do, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice, product

import msgspec
from msgspec import Struct, inspect
from msgspec.inspect import type_info
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES, words
from audit.core.disclosure import JUDGE
from audit.core.model import Event, Header, Seat
from audit.core.ruleset import Ruleset
from audit.core.sentences import tell
from audit.core.typography import folded
from replays.log.schemas import card_fields, cards_and_handles_of
from replays.scoresheet.forms import fields_of, forms_of, required_of, tag_of, types_of
from replays.scoresheet.meanings import names_told, seats_by_name
from replays.scoresheet.told_sentences import kinds
from replays.table.question_words import (
    CARD,
    SEAT,
    TOKEN,
    asks,
    is_ended,
    is_name,
    number_words,
    other_words,
    says_the_same,
    telling_words,
    words_beside,
)

MAX_WORDS = 24
"""A question of more words is none about one event."""
MAX_EVENTS, MAX_DUE, MAX_MADE, MAX_DIGITS = 400, 40, 200, 4
"""So many events are held against a question, so many that are due and made of a kind; no number has more digits."""
UNLIKELY = 1
"""An event that is not offered for anything on the table is as unlikely as one that tells so much more."""
OFFERED, VARIED, MADE = range(3)
SEAT_TYPE = type_info(Seat)


class Worded(Struct, frozen=True):
    """An event with the words of its sentence in one language.

    `made` says how it was made to fit the question: not at all, of what is offered, or of the words alone.
    """

    event: Event
    said: tuple[str, ...]
    language: str
    made: int = OFFERED


def _usual(game: Ruleset[object], events: Sequence[Event]) -> Sequence[Event]:
    """Of events that differ in one field only, which score sheets leave out where it is as usual, those that are so."""
    kinds_told = {type(event) for event in events}
    if len(events) < 2 or len(kinds_told) > 1:
        return events
    told = [fields_of(event) for event in events]
    different = [name for name in told[0] if any(one[name] != told[0][name] for one in told)]
    parts = [part for form in forms_of(game) if form.event in kinds_told for part in form.parts if part.is_usual_value]
    for part in parts:
        if different == [part.field]:
            return [one for one in events if str(fields_of(one)[part.field]) == part.usual] or events
    return events


class Fitting(Struct, frozen=True):
    """How a sentence fits a question: of how much else it tells, and which of the words asked it does not tell."""

    worded: Worded
    untold: int
    unmatched: tuple[str, ...]


class Asked(Struct, frozen=True):
    """The words of a question, with its players and cards.

    `small` is the place of a player who is called by a small letter, which may be an article as well; -1 for none. One
    that `may_slip` is read with its slips of the pen.
    """

    words: tuple[str, ...]
    small: int
    may_slip: bool


class WordedQuestions:
    """Reads the questions that are asked in words at one position."""

    def __init__(self, game: Ruleset[object], header: Header, state: object) -> None:
        self.game, self.state = game, state
        self.seats = tuple(game.disclosure.seats(header))
        self._names = seats_by_name(header.players)
        view, pending = game.disclosure.view(state, JUDGE), game.disclosure.pending(state)
        self._zones = list(game.scene_maker.scene(view, LANGUAGES[0], pending).zones)
        self._cards = self._named_cards(header)

    def event(self, question: str) -> Event | None:
        """The one event of which a question asks; None where it asks of none, or of several."""
        fitting = [one for one in self._fitting(self._asked(question, may_slip=False)) if not one.unmatched]
        if not fitting:
            return None
        least = min((one.untold, one.worded.made) for one in fitting)
        best = [one.worded.event for one in fitting if (one.untold, one.worded.made) == least]
        events = _usual(self.game, list(dict.fromkeys(best)))
        return events[0] if len(events) == 1 else None

    def likely(self, question: str) -> list[Event]:
        """The events that tell of most of what is typed, the most alike first; of all of it in a question."""
        asked = self._asked(question, may_slip=True)
        content = [one for one in asked.words if not any(one in words_beside(language) for language in LANGUAGES)]
        most = 0 if question.rstrip().endswith("?") else len(content) // 2
        fitting = [one for one in self._fitting(asked) if len(one.unmatched) <= most]
        fitting.sort(key=lambda one: (len(one.unmatched), one.untold))
        return list(dict.fromkeys(one.worded.event for one in fitting))

    def offers(self, event: Event) -> bool:
        """Whether an event may be asked about at this table, of the cards and places as they are."""
        return event in self._offered(tuple(cards_and_handles_of(event)))

    # Words

    def _asked(self, question: str, *, may_slip: bool) -> Asked:
        typed = TOKEN.findall(question)
        seats = [self._seat_of(word) for word in typed]
        small = self._small_seat(typed) if not any(seats) else -1
        if small >= 0:
            seats[small] = typed[small].upper()
        plain = [f"{SEAT}{seat}" if seat else folded(word) for word, seat in zip(typed, seats, strict=True)]
        found = self._numbered(self._with_cards(self._joined_seats(plain), is_typed=True, may_slip=may_slip))
        return Asked(tuple(found), small, may_slip)

    def _small_seat(self, typed: Sequence[str]) -> int:
        """The place of a small letter behind the words that ask that is a seat in capitals; -1 for none."""
        for number, word in enumerate(typed):
            if len(word) == 1 and word.upper() in self.seats:
                return number
            if not asks(word):
                return -1
        return -1

    def _told(self, event: Event, language: str) -> tuple[str, ...]:
        """The words of the sentence of an event."""
        players = {seat: f"Qq{number}" for number, seat in enumerate(self.seats)}
        said = tell(self.game, event, language, players=players)
        seats = {f"qq {number}": seat for number, seat in enumerate(self.seats)}
        found: list[str] = []
        for word in map(folded, TOKEN.findall(said)):
            seat = seats.get(f"{found[-1]} {word}") if found else None
            found[len(found) - (seat is not None) :] = [f"{SEAT}{seat}" if seat is not None else word]
        return tuple(self._numbered(self._with_cards(found)))

    def _joined_seats(self, found: Sequence[str]) -> list[str]:
        """A seat that is a word and a number, such as `p1`, as one."""
        joined: list[str] = []
        for word in found:
            both = f"{joined[-1]}{word}" if joined else ""
            joined[len(joined) - (both in self.seats) :] = [f"{SEAT}{both}" if both in self.seats else word]
        return joined

    def _seat_of(self, word: str) -> str:
        """The seat that a word names: as it is, or by the name of its player, with or without an ending."""
        if word in self.seats:
            return word
        plain = folded(word)
        if len(word) > 1 and plain in (folded(seat) for seat in self.seats):
            return next(seat for seat in self.seats if folded(seat) == plain)
        near = [seat for name, seat in self._names.items() if plain == name or is_ended(name, plain)]
        return near[0] if len(near) == 1 else ""

    def _with_cards(self, said: Sequence[str], *, is_typed: bool = False, may_slip: bool = False) -> list[str]:
        """The words with each card as one: that is named by all of its words, in any language."""
        left, found = list(said), list[str]()
        while left:
            for name, card in self._cards.get(left[0][:1] if is_typed else left[0], ()):
                if len(name) <= len(left) and all(
                    is_name(a, b, is_typed=is_typed, may_slip=may_slip) for a, b in zip(name, left, strict=False)
                ):
                    found.append(f"{CARD}{card}")
                    del left[: len(name)]
                    break
            else:
                found.append(left.pop(0))
        return found

    def _named_cards(self, header: Header) -> Mapping[str, list[tuple[tuple[str, ...], str]]]:
        """The names of the cards, each as its words, by their first letter and first word; the longest first."""
        held = self.game.rules.holdings(self.state)
        keys = [card.key for zone in self._zones for card in (*zone.cards, *zone.coming)]
        told = [*keys, *(sorted(held.exist) if held else ()), *names_told(self.game, header.setup)]
        found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        own = {key.partition(".")[2] for key in words(self.game.catalogue.package, LANGUAGES[0], "names")} - {*keys}
        for card in dict.fromkeys(one for one in told if one and not one.startswith("?") and one not in own):
            for name in dict.fromkeys((card, *(self._called(card, language) for language in LANGUAGES))):
                said = tuple(map(folded, TOKEN.findall(name)))
                if said and len(said[0]) > 1 and not (len(said) == 1 and said[0] in map(folded, self.seats)):
                    found.setdefault(said[0][:1], []).append((said, card))
                    found.setdefault(said[0], []).append((said, card))
        return {letter: sorted(names, key=lambda one: -len(one[0])) for letter, names in found.items()}

    def _called(self, card: str, language: str) -> str:
        return str(self.game.wording.finding_words({"card": card}, language).get("card", card))

    def _numbered(self, said: Sequence[str]) -> list[str]:
        """The words with numbers for those that are written in letters."""
        return [number_words().get(word, word) for word in said]

    # Sentences

    def _fitting(self, asked: Asked) -> Iterator[Fitting]:
        """How each sentence fits that says at least one word that is asked and is neither player nor card."""
        if not 1 < len(asked.words) <= MAX_WORDS:
            return
        for event, how in self._events(asked.words):
            for language in LANGUAGES:
                worded = Worded(event, self._told(event, language), language, how)
                if found := self._fit(asked, worded):
                    yield found

    def _fit(self, question: Asked, worded: Worded) -> Fitting | None:
        """None where the question says nothing of the event, or of none of the players and cards that it tells of."""
        asked, beside = question.words, words_beside(worded.language)
        pairs = _matched(question, worded.said, other_words(self.game, worded.language), beside)
        used = [*pairs.values()]
        if all(asked[a].startswith((SEAT, CARD)) or asked[a] in beside for a in pairs):
            return None
        telling = {b for b, word in enumerate(worded.said) if word in telling_words(self.game, worded.language)}
        if telling and telling.isdisjoint(used):
            return None
        if question.small >= 0 and not _is_subject(question, pairs, beside):
            return None
        things = [b for b, word in enumerate(worded.said) if word.startswith((SEAT, CARD))]
        untold = sum(word not in beside for b, word in enumerate(worded.said) if b not in used)
        if set(things).isdisjoint(used) if things else untold:
            return None
        is_of_nobody = not any(word.startswith(SEAT) for word in worded.said)
        unmatched = tuple(
            word for a, word in enumerate(asked)
            if a not in pairs and word not in beside and not (is_of_nobody and word.startswith(SEAT))
        )  # fmt: skip
        player, seats = getattr(worded.event, "player", None), [word for word in asked if word.startswith(SEAT)]
        is_other = bool(seats) and player is not None and f"{SEAT}{player}" not in seats
        return Fitting(worded, untold + is_other + UNLIKELY * (worded.made != OFFERED), unmatched)

    def _events(self, asked: Sequence[str]) -> Iterator[tuple[Event, int]]:
        """What may be asked of the things of the table, those that are named first; then what is made of the words."""
        named = Named(
            [word.removeprefix(SEAT) for word in asked if word.startswith(SEAT)],
            [word.removeprefix(CARD) for word in asked if word.startswith(CARD)],
            [int(word) for word in asked if word.isdecimal() and len(word) < MAX_DIGITS],
        )
        found = dict.fromkeys(islice(self._offered(named.cards), MAX_EVENTS))
        yield from ((event, OFFERED) for event in found)
        varied = ((one, VARIED) for event in found for one in _varied(event, named))
        made = ((event, MADE) for kind in self.game.rules.types.values() for event in _made(kind, named, self.seats))
        more: dict[Event, int] = {}
        for event, how in islice(chain(varied, made), MAX_EVENTS):
            more.setdefault(event, how)
        yield from ((event, how) for event, how in more.items() if event not in found)

    def _offered(self, cards: Sequence[str]) -> Iterator[Event]:
        """What may be asked of these cards and of all that is on the table, and what is due."""
        things = [key for zone in self._zones for key in (zone.key, *(card.key for card in zone.cards))]
        yield from (event for key in (*cards, *things) for event in self.game.setting.askable(self.state, key))
        for option in self.game.rules.expected(self.state):
            yield from islice(option.candidates(self.state), MAX_DUE)


class Named(Struct, frozen=True):
    """The seats, cards and numbers that a question names."""

    seats: Sequence[str]
    cards: Sequence[str]
    numbers: Sequence[int]


def _varied(event: Event, named: Named) -> Iterator[Event]:
    """The event with the player or a number that is asked about."""
    for name, type_ in types_of(type(event)).items():
        if name in Event.ENVELOPE:
            continue
        told = fields_of(event)[name]
        forms = kinds(type_)
        is_named = {*cards_and_handles_of(event)} <= {*named.cards}
        if name == "player" and is_named and len(named.seats) == 1 and told != named.seats[0]:
            yield from _with(event, {name: named.seats[0], **_with_player(event, named.seats[0])})
        elif any(isinstance(form, inspect.IntType) for form in forms) and isinstance(told, int):
            yield from (one for number in named.numbers for one in _with(event, {name: number}))
        elif name == "cards" and len(named.cards) > 1:
            yield from _with(event, {name: tuple(named.cards)})


def _with_player(event: Event, seat: str) -> dict[str, str]:
    """The fields beside the player that name the same one: whose side it is, who controls it."""
    told = fields_of(event)
    return {name: seat for name in ("to_owner", "controller") if name in told and told[name] == told.get("player")}


def _with(event: Event, fields: Mapping[str, object]) -> Iterator[Event]:
    with suppress(msgspec.ValidationError):
        yield replace(
            msgspec.convert({**msgspec.to_builtins(event), "seq": 1, **fields}, type(event)), seq=event.seq
        )  # fmt: skip


def _made(kind: type[Event], named: Named, seats: Sequence[str]) -> Iterator[Event]:
    """The events of a kind that need nothing but what is named, and words of which there are few."""
    types = types_of(kind)
    one, many = card_fields(kind)
    fields: dict[str, Sequence[object]] = {}
    for name in required_of(kind):
        forms = kinds(types[name])
        literals = [value for form in forms if isinstance(form, inspect.LiteralType) for value in form.values]
        if type_info(types[name]) == SEAT_TYPE:
            fields[name] = named.seats or seats
        elif name in one:
            fields[name] = named.cards
        elif name in many:
            fields[name] = [tuple(named.cards)] if named.cards else []
        elif literals:
            fields[name] = [value for value in literals if isinstance(value, str) or value in named.numbers]
        elif any(isinstance(form, inspect.IntType) for form in forms):
            fields[name] = named.numbers
        else:
            return
    for values in islice(product(*fields.values()), MAX_MADE):
        with suppress(msgspec.ValidationError):
            plain = {**dict(zip(fields, values, strict=True)), "type": tag_of(kind), "seq": 1}
            yield replace(msgspec.convert(plain, kind), seq=0)


def _is_subject(question: Asked, pairs: Mapping[int, int], beside: frozenset[str]) -> bool:
    """Whether the small letter is the player before whose verb it stands."""
    words = question.words
    behind = (
        a for a in range(question.small + 1, len(words)) if words[a] not in beside and not words[a].startswith(CARD)
    )
    verb = next(behind, -1)
    return question.small in pairs and (verb < 0 or pairs.get(verb) == pairs[question.small] + 1)


def _matched(
    question: Asked, said: Sequence[str], others: Mapping[str, frozenset[str]], beside: frozenset[str]
) -> dict[int, int]:
    """The places of the words of a question with those in a sentence that say the same; first those that are equal.

    A number is the same only beside a word that is the same.
    """
    asked, pairs = question.words, dict[int, int]()
    free = [b for b, word in enumerate(said) if not word.isdecimal()]
    for is_same in (str.__eq__, partial(says_the_same, others=others, may_slip=question.may_slip)):
        for a, word in enumerate(asked):
            if a in pairs or word.isdecimal() or (word in beside and is_same != str.__eq__):
                continue
            if (b := next((b for b in free if is_same(word, said[b])), None)) is not None:
                pairs[a] = b
                free.remove(b)
    counted = dict(pairs)
    for a, word in enumerate(asked):
        near = [counted[at] for at in (a - 1, a + 1) if at in counted]
        for b, one in enumerate(said) if word.isdecimal() else ():
            if one == word and b not in pairs.values() and any(abs(at - b) == 1 for at in near):
                pairs[a] = b
                break
    return pairs
