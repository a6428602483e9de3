"""The cards and protocols of Compile by the names that people give them, in every language of the rules."""

from __future__ import annotations

import re

from audit.games.compile.cards import CARDS
from audit.games.compile.protocol_names import plain, protocol_names

MAX_NAME = 200
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_MARKUP = re.compile(r"\[/?[a-z]{1,8}\]|\[[0-9a-f]{6}\]|\[-\]")
FILLERS = frozenset(
    {"compile", "card", "carte", "carta", "karta", "value", "loading"}
    | {
        "protocol",
        "protocole",
        "protocollo",
        "protokol",
    }
)
COMPILED = frozenset({"compiled", "compilato", "skompilowany"})


def words_in(text: str) -> list[str]:
    """The words and numbers of a name, without the marks of a virtual table for colour and weight."""
    return _WORDS.findall(_MARKUP.sub(" ", plain(text[:MAX_NAME])))


def cards_named(text: str) -> tuple[str, ...]:
    """The cards that a name may mean, such as `Fire 3`, `3 fire`, `[b]Feu[/b] - 3`."""
    told = _meant(text)
    if told is None or told[1] is None:
        return ()
    cards = (f"{protocol}-{int(told[1][:2])}" for protocol in told[0])
    return tuple(card for card in cards if card in CARDS)


def protocols_named(text: str) -> tuple[str, ...]:
    """The protocols that a name without a number may mean."""
    told = _meant(text)
    return told[0] if told and told[1] is None else ()


def says_compiled(text: str) -> bool:
    """Whether a name says that its protocol is compiled."""
    return "compilé" in text.casefold() or not COMPILED.isdisjoint(words_in(text))


def _meant(text: str) -> tuple[tuple[str, ...], str | None] | None:
    found = words_in(text)
    numbers = [word for word in found if word.isdecimal()]
    names = [word for word in found if not word.isdecimal()]
    rest = [word for word in names if word not in FILLERS | COMPILED]
    if len(numbers) > 1 or len(rest) != 1 or rest[0] not in protocol_names():
        return None
    return protocol_names()[rest[0]], numbers[0] if numbers else None
