"""The player of whom a line speaks by a name that nobody has told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from msgspec.structs import replace
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extractOne

from audit.core.auditor import audit
from audit.core.catalogue import LANGUAGES, words
from audit.core.model import Header, Player
from audit.core.names import families
from audit.core.ruleset import Ruleset, ruleset
from audit.core.sentences import has_file
from audit.core.typography import folded
from replays.judging.positions import next_choice
from replays.judging.sentences import Json
from replays.scoresheet.forms import forms_of
from replays.scoresheet.meanings import names_told, seats_by_name
from replays.table.question import UnreadEventError, question, read_at
from replays.table.question_words import TOKEN, asking_words, is_ended, number_words, telling_words, words_beside

SPOKEN = ("rules", "sentences", "names", "asking", "asked", "search", "concepts")
"""The files of a game in whose words people speak of it."""
NEARLY, NEARLY_CAPITAL, SHORTEST = 75, 80, 4
"""A word is a slip of a verb or card from so many percent on, with a capital from more, if it is so long."""
MOST_WORDS = 24
"""A line of more words is looked through no further."""


def nameless_seats(header: Header) -> list[str]:
    """The seats whose players nobody has named."""
    named = {player.seat for player in header.players if player.name.strip()}
    return [seat for seat in ruleset(header.ruleset).disclosure.seats(header) if seat not in named]


def stranger(header: Header, events: Sequence[str | Json], number: int) -> str:
    """The name, in the line with that number, of a player whom nobody has named; empty where it speaks of none."""
    before = question(header, events[: number - 1])
    state = next_choice(before.game, [*audit(before.game, header, before.events)][-1].state)
    name = _stranger(before.game, header, state, str(events[number - 1]))
    return name[:1].upper() + name[1:]


def _stranger(game: Ruleset[object], header: Header, state: object, line: str) -> str:
    """The first word with a capital that is no word of the game or of the table, where the line calls nobody.

    Else one such word with which the line can be read as soon as it is a player's.
    """
    seats = list(game.disclosure.seats(header))
    free = nameless_seats(header)
    typed: list[str] = TOKEN.findall(line)[:MOST_WORDS]
    if not free or not typed:
        return ""
    there = _things(header, game)
    spoken = _spoken(game, typed)
    numbered = {word for word, after in pairwise(typed) if after.isdecimal()}  # as the name of a card is
    said = [word for word in dict.fromkeys(typed) if len(word) > 1 and word not in numbered]
    strange = [word for word in said if not _is_known(game, word, there, header, spoken)]
    capital = [word for word in strange if word[0].isupper()]
    if capital and _is_a_title(typed, capital):
        return ""
    if capital and not _calls_somebody(header, seats, typed):
        return capital[0]
    return next(
        (word for word in [*capital, *strange] if _is_read(game, header, state, line, Player(free[0], word))), ""
    )


def _is_read(game: Ruleset[object], header: Header, state: object, line: str, player: Player) -> bool:
    names = {one.seat: one.name for one in header.players} | {player.seat: player.name}
    named = replace(header, players=tuple(Player(*one) for one in names.items()))
    try:
        read_at(game, named, state, line, 1)
    except UnreadEventError:
        return False
    return True


def _calls_somebody(header: Header, seats: Sequence[str], typed: Sequence[str]) -> bool:
    names = seats_by_name(header.players)
    return any(word in seats or folded(word) in names for word in typed)


def _is_a_title(typed: Sequence[str], capital: Sequence[str]) -> bool:
    """Whether the first strange word with a capital stands before another, as in the name of a card."""
    at = typed.index(capital[0])
    return any(word in capital for word in typed[at + 1 : at + 2])


def _things(header: Header, game: Ruleset[object]) -> frozenset[str]:
    """The words in the names of the cards and places of a table."""
    return frozenset(folded(word) for name in names_told(game, header.setup) for word in TOKEN.findall(name))


def _is_known(game: Ruleset[object], word: str, there: frozenset[str], header: Header, spoken: Sequence[str]) -> bool:
    plain = folded(word)
    names = seats_by_name(header.players)
    if not plain.isalpha() or plain in there or any(plain == name or is_ended(name, plain) for name in names):
        return True
    if game.rules.score_word_meant(word) != word or all(plain in _vocabulary(game, one) for one in spoken):
        return True
    leading = _leading(game).union(*(telling_words(game, one) for one in spoken))
    nearly = NEARLY_CAPITAL if word[0].isupper() else NEARLY
    return len(plain) >= SHORTEST and extractOne(plain, leading, scorer=ratio, score_cutoff=nearly) is not None


@cache
def _leading(game: Ruleset[object]) -> frozenset[str]:
    """The words of score sheets and the names of cards, which may be misspelt rather than names of people."""
    forms = (part.word for form in forms_of(game) for part in form.parts if len(part.word) > 1)
    return frozenset((*map(folded, forms), *families(game.catalogue.package)))


def _spoken(game: Ruleset[object], typed: Sequence[str]) -> list[str]:
    """The languages in which most of the words are words of the game."""
    known = {one: sum(folded(word) in _vocabulary(game, one) for word in typed) for one in LANGUAGES}
    return [language for language, number in known.items() if number == max(known.values())]


@cache
def _vocabulary(game: Ruleset[object], language: str) -> frozenset[str]:
    """The words that players of a game use in a language, folded, and all names of its cards."""
    package = game.catalogue.package
    files = [words(package, language, file) for file in SPOKEN if has_file(package, language, file)]
    texts = [text for file in files for text in _texts(file)]
    found = {folded(word) for text in (*texts, *families(package)) for word in TOKEN.findall(text)}
    return frozenset(found) | words_beside(language) | asking_words(language) | frozenset(number_words())


def _texts(told: object) -> Iterator[str]:
    """The texts of a file of words."""
    if isinstance(told, str):
        yield told
    for one in told.values() if isinstance(told, dict) else told if isinstance(told, list | tuple) else ():
        yield from _texts(one)
