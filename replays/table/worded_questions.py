"""The event of which a question in plain words asks, in any language, with names, accents and endings as people type.

A question is held against the sentences that are told of what may be asked at a table. It asks about the one that
says all that it says; where several do, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, islice, product

from msgspec import Struct, inspect
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES, words
from audit.core.disclosure import JUDGE
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset
from audit.core.sentences import tell
from audit.core.typography import folded
from replays.log.schemas import cards_and_handles_of
from replays.scoresheet.forms import fields_of, forms_of, types_of
from replays.scoresheet.meanings import names_told, seats_by_name
from replays.scoresheet.told_sentences import kinds
from replays.table.named_events import Named, made_of, varied
from replays.table.question_parts import Clause, clauses, turns
from replays.table.question_words import (
    CARD,
    SEAT,
    TOKEN,
    asks,
    event_words,
    has_question_mark,
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
MAX_EVENTS, MAX_DUE, MAX_DIGITS = 400, 40, 4
"""So many events are held against a question, so many that are due; no number has more digits."""
WORDS_TO_A_STRAY = 4
"""For so many words that are asked one may be a word that tells of no event."""
UNLIKELY = 1
"""An event that is not offered for anything on the table is as unlikely as one that tells so much more."""
OFFERED, VARIED, MADE = range(3)


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


def _of_subject(events: Sequence[Event], asked: Asked) -> Sequence[Event]:
    """Of events that differ in the player, those of the player who is named first: `can Cy put it beside Ada's?`"""
    first = next((word.removeprefix(SEAT) for word in asked.words if _is_seat(word)), "")
    return [event for event in events if getattr(event, "player", first) == first] or events


class Fitting(Struct, frozen=True):
    """How a sentence fits a question: of how much else it tells, and which of the words asked it does not tell.

    `told_beside` is how many of its words the other clauses say.
    """

    worded: Worded
    untold: int
    unmatched: tuple[str, ...]
    told_beside: int = 0

    @property
    def distance(self) -> tuple[int, int, int, int]:
        """How far it is from what is asked."""
        return len(self.unmatched), self.untold, -self.told_beside, self.worded.made


class Asked(Struct, frozen=True):
    """The words of a question, with its players and cards.

    `small` is the place of a player who is called by a small letter, which may be an article as well; -1 for none. One
    that `may_slip` is read with its slips of the pen.
    """

    words: tuple[str, ...]
    small: int
    may_slip: bool
    beside: tuple[str, ...] = ()
    """The words of the other clauses: they may tell of whom and what it asks."""


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
        """The one event of which a question, or one clause of it, asks; None where it asks of none, or of several.

        A slip in the name of a card is not put right, and one in another word only where nothing else is read. Words
        that tell of nothing may stand in a question only.
        """
        asked = [self._clause(one) for one in clauses(question)]
        ways = [replace(one, may_slip=may_slip) for may_slip in (False, True) for one in asked]
        fitting = cache(lambda one: list(self._fitting(one)))
        is_asked = has_question_mark(question) or any(map(asks, TOKEN.findall(question)))
        tried = product((0, 1) if is_asked else (0,), ways)
        return next(filter(None, (self._event(one, fitting(one), strays) for strays, one in tried)), None)

    def _clause(self, clause: Clause) -> Asked:
        """The words of a clause, and what the others tell of players, cards and numbers where it names none itself."""
        asked, beside = self._asked(clause.text, may_slip=False), self._asked(clause.rest, may_slip=False).words
        for is_named in (_is_seat, _is_card, str.isdecimal):
            if any(map(is_named, asked.words)):
                beside = tuple(word for word in beside if not is_named(word))
        return replace(asked, beside=beside)

    def _event(self, asked: Asked, found: Sequence[Fitting], strays: int) -> Event | None:
        """The event of which a clause asks, with so many strays for every few of its words."""
        most = strays * len(asked.words) // WORDS_TO_A_STRAY
        fitting = [one for one in found if len(one.unmatched) <= most and self._are_strays(one)]
        if not fitting:
            return None
        least = min(one.distance for one in fitting)
        best = [one.worded.event for one in fitting if one.distance == least]
        events = self._placed(_of_subject(_usual(self.game, list(dict.fromkeys(best))), asked))
        return events[0] if len(events) == 1 else None

    def _are_strays(self, fitting: Fitting) -> bool:
        """Whether the words that a sentence does not say tell of no event, and turn nothing round."""
        known = event_words(self.game, fitting.worded.language)
        return not any(
            _is_seat(word) or _is_card(word) or word.isdecimal() or word in known or turns(word)
            for word in fitting.unmatched
        )

    def _placed(self, events: Sequence[Event]) -> Sequence[Event]:
        """Of events that differ in one word such as the place from which a card comes, those nearest to the rules."""
        told = [fields_of(event) for event in events]
        different = [name for name in told[0] if any(one[name] != told[0][name] for one in told)]
        forms = kinds(types_of(type(events[0]))[different[0]]) if len(different) == 1 else ()
        if len({type(event) for event in events}) > 1 or not any(isinstance(one, inspect.LiteralType) for one in forms):
            return events
        faults = [len(self.game.rules.violations(self.state, event)) for event in events]
        return [event for event, count in zip(events, faults, strict=True) if count == min(faults)]

    def likely(self, question: str) -> list[Event]:
        """The events that tell of most of what is typed, the most alike first; of all of it in a question."""
        asked = self._asked(question, may_slip=True)
        content = [one for one in asked.words if not any(one in words_beside(language) for language in LANGUAGES)]
        most = 0 if has_question_mark(question) else len(content) // 2
        fitting = [one for one in self._fitting(asked) if len(one.unmatched) <= most]
        fitting.sort(key=lambda one: (len(one.unmatched), one.untold))
        return list(dict.fromkeys(one.worded.event for one in fitting))

    def without_names(self, question: str) -> str:
        """The question without the players and cards of this table, of which no rule speaks."""
        words_asked = self._asked(question, may_slip=True).words
        return " ".join(word for word in words_asked if not _is_seat(word) and not _is_card(word))

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
        for event, how in self._events((*asked.words, *asked.beside)):
            for language in LANGUAGES:
                worded = Worded(event, self._told(event, language), language, how)
                if found := self._fit(asked, worded):
                    yield found

    def _fit(self, question: Asked, worded: Worded) -> Fitting | None:
        """None where the question says nothing of the event, or of none of the players and cards that it tells of."""
        asked, beside = question.words, words_beside(worded.language)
        pairs = _matched(question, worded.said, other_words(self.game, worded.language), beside)
        if all(asked[a].startswith((SEAT, CARD)) or asked[a] in beside for a in pairs):
            return None
        used = [*pairs.values(), *self._told_beside(question, worded, pairs)]
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
        player = getattr(worded.event, "player", None)
        seats = [word for word in (*asked, *question.beside) if word.startswith(SEAT)]
        is_other = bool(seats) and player is not None and f"{SEAT}{player}" not in seats
        return Fitting(
            worded, untold + is_other + UNLIKELY * (worded.made != OFFERED), unmatched, len(used) - len(pairs)
        )

    def _told_beside(self, question: Asked, worded: Worded, pairs: Mapping[int, int]) -> Sequence[int]:
        """The places in a sentence of what another clause says: `Line 2 is 10 all. Can Bo compile it?`"""
        if not question.beside:
            return ()
        others = other_words(self.game, worded.language)
        there = _matched(replace(question, words=question.beside), worded.said, others, words_beside(worded.language))
        return [place for place in there.values() if place not in pairs.values()]

    def _events(self, asked: Sequence[str]) -> Iterator[tuple[Event, int]]:
        """What may be asked of the things of the table, those that are named first; then what is made of the words."""
        named = Named(
            [word.removeprefix(SEAT) for word in asked if word.startswith(SEAT)],
            [word.removeprefix(CARD) for word in asked if word.startswith(CARD)],
            [int(word) for word in asked if word.isdecimal() and len(word) < MAX_DIGITS],
        )
        found = dict.fromkeys(islice(self._offered(named.cards), MAX_EVENTS))
        yield from ((event, OFFERED) for event in found)
        others = ((one, VARIED) for event in found for one in varied(event, named))
        made = ((event, MADE) for kind in self.game.rules.types.values() for event in made_of(kind, named, self.seats))
        more: dict[Event, int] = {}
        for event, how in islice(chain(others, made), MAX_EVENTS):
            more.setdefault(event, how)
        yield from ((event, how) for event, how in more.items() if event not in found)

    def _offered(self, cards: Sequence[str]) -> Iterator[Event]:
        """What may be asked of these cards and of all that is on the table, and what is due."""
        things = [key for zone in self._zones for key in (zone.key, *(card.key for card in zone.cards))]
        yield from (event for key in (*cards, *things) for event in self.game.setting.askable(self.state, key))
        for option in self.game.rules.expected(self.state):
            yield from islice(option.candidates(self.state), MAX_DUE)


def _is_seat(word: str) -> bool:
    return word.startswith(SEAT)


def _is_card(word: str) -> bool:
    return word.startswith(CARD)


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
