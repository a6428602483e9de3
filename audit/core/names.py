"""Cards by the names that a text gives them, and players by what a log calls them.

It works for a game that has `text/<language>/cards.toml`; the cards of other games come with each log.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import cast

from audit.core.catalogue import LANGUAGES, words
from audit.core.model import Header, Player
from audit.core.typography import folded

_CARD = re.compile(r"(?<![^\W\d_])([^\W\d_]+)[\s_-]*(\d{1,4})(?!\d)")
"""A word and a number. It begins where a word begins: tried from each letter, a very long word takes minutes."""
_ALIKE, _SHORTEST_MISSPELT = 80, 4
_SAID = re.compile(r"[^\W\d_]+|[^\w\s]")
"""A word, or a mark between words."""
_PARTS = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
"""A word, a number, or a mark between them."""
_NEAR = 4
_SAY_NUMBER = frozenset({"n", "no", "nr", "num", "numero", "number", "numer", *"#№°º(:,-–"})
"""What stands between a name and its number and says no more than that it is one."""
_ALIKE_SAID = 90
"""A name before a number that is said as a word is spelt nearly right: such a number may count what comes next."""
_COUNTING = frozenset({"of", "de", "des", "d", "di", "dei", "delle", "z", "ze"})
"""Words between a number and what it counts."""


def card_texts(package: str, language: str) -> Mapping[str, Mapping[str, str]]:
    """What the boxes of each card do, by its id; nothing in a game whose cards come with each log."""
    return cast(Mapping[str, Mapping[str, str]], _words_if_any(package, language, "cards"))


def cards_in(package: str, text: str) -> tuple[str, ...]:
    """The ids of the cards that a text names, each once."""
    known = families(package)
    numbered = [(_family(name, known), number) for name, number in numbered_names(text)] if known else []
    said = [(_family(name, known, _ALIKE_SAID), number) for name, number in _said_names(text)] if known else []
    found = (f"{family}-{number}" for family, number in (*numbered, *said))
    return tuple(dict.fromkeys(id for id in found if id in card_texts(package, LANGUAGES[0])))


def cards_perhaps_in(package: str, text: str) -> tuple[str, ...]:
    """Those cards, and whatever else a text may mean by a card: "Spirit no. 3", "Spirit (3)", "the three of Spirit"."""
    known = families(package)
    said = [*_PARTS.findall(folded(text)), *[""] * _NEAR] if known else []
    found = (
        f"{_family(name, known)}-{number}"
        for at, name in enumerate(said)
        for number in (_number_after(said[at + 1 : at + 1 + _NEAR]), _number_before(said[max(0, at - 3) : at]))
        if number is not None and name.isalpha()
    )
    more = (id for id in found if id in card_texts(package, LANGUAGES[0]))
    return tuple(dict.fromkeys((*cards_in(package, text), *more)))


def _number_after(parts: Sequence[str]) -> int | None:
    """The number that parts of a text begin with, behind a word or a mark that only says that it is one."""
    for before, part in zip(("", *parts), parts, strict=False):
        if (number := _number(part)) is not None:
            return number
        if part not in _SAY_NUMBER and not (part == "." and before in _SAY_NUMBER):
            return None
    return None


def _number_before(parts: Sequence[str]) -> int | None:
    """The number that comes before, counted as a suit of cards is: "three of", or the Polish "trójka"."""
    spoken = [part for part in parts if part not in ("'", "’")]
    if len(spoken) > 1 and spoken[-1] in _COUNTING:
        return _number(spoken[-2])
    return _numbers().get(spoken[-1]) if spoken else None


def _number(part: str) -> int | None:
    return int(part) if part.isascii() and part.isdigit() and len(part) < 3 else _numbers().get(part)


def _said_names(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text that a number in words follows ("fear zero"), unless it counts what comes next."""
    said = _SAID.findall(folded(text))
    for name, number, then in zip(said, said[1:], [*said[2:], ""], strict=False):
        counts = then.isalpha() and (then not in _small_words() or then in _COUNTING)
        value = _numbers().get(number)
        if value == 0 or (value and not counts):
            yield name, value


@cache
def _numbers() -> Mapping[str, int]:
    """The numbers from zero to six by their words in all languages, folded."""
    told = [(said, int(value)) for one in LANGUAGES for value, said in words("audit.core", one, "numbers").items()]
    return {folded(word): value for said, value in told for word in said.split()}


@cache
def small_words(language: str) -> frozenset[str]:
    """The words of a language that say nothing of what is asked, folded."""
    return frozenset(folded(word) for word in words("audit.core", language, "search")["stop"].split())


@cache
def _small_words() -> frozenset[str]:
    """Those of all languages."""
    return frozenset().union(*map(small_words, LANGUAGES))


def is_card_name(text: str) -> bool:
    """Whether the text has the form of a card's name and nothing more."""
    return bool(_CARD.fullmatch(folded(text.strip())))


def family_names(package: str, language: str) -> dict[str, str]:
    """What each family of cards is called in that language, by the beginning of their ids."""
    families = {id.rsplit("-", 1)[0] for id in card_texts(package, LANGUAGES[0])}
    names = words(package, language, "names") if families else {}
    return {family: name for key, name in names.items() if (family := key.partition(".")[2]) in families}


@cache
def families(package: str) -> Mapping[str, str]:
    """The families of cards by their names in all languages, folded, and by others that players give them."""
    found = {id.rsplit("-", 1)[0]: id.rsplit("-", 1)[0] for id in card_texts(package, LANGUAGES[0])}
    for language in LANGUAGES:
        others = _words_if_any(package, language, "card_nicknames").items()
        found.update((folded(name), family) for family, names in others for name in names.split())
    for language in LANGUAGES:
        found.update((folded(name), family) for family, name in family_names(package, language).items())
    return found


def _words_if_any(package: str, language: str, file: str) -> Mapping[str, str]:
    try:
        return words(package, language, file)
    except FileNotFoundError:
        return {}


def numbered_names(text: str) -> list[tuple[str, int]]:
    """The words of a text that a number follows, folded, with that number: what may be the name of a card."""
    return [(name, int(number)) for name, number in _CARD.findall(folded(text))]


def _family(name: str, known: Mapping[str, str], alike: int = _ALIKE) -> str:
    """The family of that name, or of the name nearest to it."""
    if name in known or len(name) < _SHORTEST_MISSPELT:
        return known.get(name, name)
    from rapidfuzz.fuzz import ratio  # loaded late: it takes as long as all that reads a name spelt right
    from rapidfuzz.process import extractOne

    near = extractOne(name, known.keys(), scorer=ratio, score_cutoff=alike)
    return known[near[0]] if near else name


Players = Mapping[str, str]
"""Seats, each with what its player is called. A seat that is missing is called by itself."""

BY_SEAT: Players = {}
"""Nobody has told a name."""

LONGEST = 32
"""So many letters of a name are said: a sentence has to stay readable."""


def player_names(header: Header | None) -> Players:
    """What to call the player at each seat of a log."""
    return names_of(header.players if header else ())


def names_of(players: Iterable[Player]) -> Players:
    """What to call each of these players.

    Two players never share a name: where their names are alike, or one is called like the seat of another, the seat
    is said too.
    """
    players = tuple(players)
    names = {player.seat: name for player in players if (name := _said(player.name))}
    seats = {player.seat.casefold() for player in players}
    often = Counter(name.casefold() for name in names.values())
    return {
        seat: f"{name} ({seat})" if _is_mistakable(seat, name.casefold(), often, seats) else name
        for seat, name in names.items()
    }


def _said(name: str) -> str:
    """A name on one line."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


def _is_mistakable(seat: str, name: str, often: Mapping[str, int], seats: set[str]) -> bool:
    return often[name] > 1 or (name in seats and name != seat.casefold())
