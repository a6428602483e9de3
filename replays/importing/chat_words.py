"""The words of a chat: where each stands, and the verbs, cards, lines, faces and numbers that they tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise

from msgspec import Struct

from audit.core.typography import folded
from audit.games.compile.cards import CARDS, protocol_names
from audit.games.compile.score_phrases import CARD_WORDS, NUMBERS, ONE_CARD, names_deck, verb_of
from replays.importing.clauses import NamedWord, TableNames
from replays.importing.words import BACK, DOWN, JOINS, LEFT_OR_RIGHT, LINES, MIDDLE, MORE, TAKING, UP

FROM = frozenset(["from", "depuis", "dalla", "da", "z", "ze"])
"""Words before a line that a card leaves."""
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[*?+]")
_APART = frozenset(",;.:!()/–—")
"""What sets the words of a line apart."""


class Token(Struct, frozen=True):
    """A word or number of a line and its column.

    `is_joined` where it stands right behind the one before, `is_apart` where a comma or a full stop stands between.
    """

    text: str
    column: int
    is_joined: bool
    is_apart: bool = False

    @property
    def plain(self) -> str:
        """Small letters without accents or apostrophes."""
        return folded(self.text).replace("'", "").replace("’", "")


def tokens_of(line: str, start: int) -> Iterator[Token]:
    end = -1
    for found in _TOKEN.finditer(line, start):
        is_apart = end > 0 and not _APART.isdisjoint(line[end : found.start()])
        yield Token(found[0], found.start() + 1, found.start() == end, is_apart)
        end = found.end()


def pieces(tokens: Sequence[Token], table: TableNames) -> Iterator[Sequence[Token]]:
    """The words up to each card that a comma or `and` sets apart, and on from there."""
    begins = [at for at in range(1, len(tokens)) if _begins_apart(tokens, at) and is_card(tokens, at, table)]
    for first, end in pairwise([0, *begins, len(tokens)]):
        yield tokens[first:end]


def _begins_apart(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].is_apart or tokens[at - 1].plain in JOINS


def is_card(tokens: Sequence[Token], at: int, table: TableNames) -> bool:
    """Whether a card is named here, or what nearly is the name of one."""
    kind, told, _ = _part("discard", tokens, at, table)
    return (
        kind == "card" and told is not None and bool(told.meant or get_close_matches(tokens[at].plain, table.protocols))
    )


def verb_at(tokens: Sequence[Token], at: int) -> str | None:
    """The verb that a word is; `turn` is one before a card, and else a heading."""
    if tokens[at].plain == "turn" and at + 1 < len(tokens) and is_card_word(tokens, at + 1):
        return "flip"
    return None if at and names_deck(tokens[at].text, tokens[at - 1].text) else verb_of(tokens[at].text)


def is_card_word(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word that is also a verb is the name of a card here, with its number behind it."""
    return tokens[at].plain in protocol_names() and at + 1 < len(tokens) and tokens[at + 1].text.isdecimal()


def parts_of(verb: str, tokens: Sequence[Token], table: TableNames) -> dict[str, tuple[NamedWord, ...]]:
    """The cards, line, face and number that words tell."""
    found: dict[str, list[NamedWord]] = {}
    at = 1 if tokens and tokens[0].plain == "down" else 0  # "puts down" tells no face
    while at < len(tokens):
        kind, told, taken = _part(verb, tokens, at, table)
        if kind and told:
            found.setdefault(kind, []).append(told)
        at += taken
    return {kind: tuple(told) for kind, told in found.items()}


def _part(verb: str, tokens: Sequence[Token], at: int, table: TableNames) -> tuple[str, NamedWord | None, int]:
    token, word = tokens[at], tokens[at].plain
    number = tokens[at + 1] if at + 1 < len(tokens) and tokens[at + 1].text.isdecimal() else None
    if at and word in LINES and number and tokens[at - 1].plain in FROM:
        return "", None, 2
    if verb in ("play", "discard") and at and names_deck(token.text, tokens[at - 1].text):
        return "from", NamedWord(token.text, token.column, ("deck",)), 1
    if at and word == "visible" and tokens[at - 1].plain in ("active", "inactive"):
        return "", None, 1
    if number and (word in LINES or (word == "l" and number.is_joined)):
        return "line", _line(number.text, number.column), 2
    if word in LINES and at + 1 < len(tokens) and (side := _side_word(tokens[at + 1])):
        return "line", side, 2
    if number and word.isalpha() and (card := _card(token, number, table)):
        return "card", card, 2
    if side := _side_word(token):
        return "line", side, 1
    if word in UP or (word == "su" and at > 1 and tokens[at - 2].plain == "faccia"):
        return "face", NamedWord(token.text, token.column, ("up",)), 1
    if word in DOWN or word == "*":
        return "face", NamedWord(token.text, token.column, ("down",)), 1
    if word.isdecimal():
        kind = "count" if verb == "draw" or (verb == "refresh" and at and tokens[at - 1].plain in MORE) else "line"
        return kind, _line(word, token.column) if kind == "line" else NamedWord(word[:3], token.column, (word[:3],)), 1
    if verb == "draw" and word in NUMBERS and at + 1 < len(tokens) and tokens[at + 1].plain in CARD_WORDS:
        return "count", NamedWord(token.text, token.column, (str(NUMBERS[word]),)), 2
    if verb == "draw" and word in ONE_CARD and not at:
        return "count", NamedWord(token.text, token.column, ("1",)), 1
    if verb == "rearrange" and (named := protocol_names().get(word)):
        return "protocols", NamedWord(token.text, token.column, named), 1
    if verb == "control" and word in BACK | TAKING:
        kind = "back" if word in BACK else "taken"
        return kind, NamedWord(token.text, token.column, (kind,)), 1
    if word in protocol_names() and verb in ("play", "compile", "shift"):
        return "line", NamedWord(token.text, token.column, protocol_names()[word], is_protocol=True), 1
    return "", None, 1


def _line(number: str, column: int) -> NamedWord:
    return NamedWord(number[:3], column, (number,) if number in ("1", "2", "3") else ())


def _side_word(token: Token) -> NamedWord | None:
    """A line named by its place: the middle is line 2 for everybody; left and right depend on who looks."""
    if token.plain in MIDDLE:
        return NamedWord(token.text, token.column, ("2",))
    return NamedWord(token.text, token.column, ("1", "3")) if token.plain in LEFT_OR_RIGHT else None


def _card(name: Token, number: Token, table: TableNames) -> NamedWord | None:
    """The card of a name and the number behind it; one that nobody knows is to be asked about."""
    text = f"{name.text} {number.text}"
    protocols = protocol_names().get(name.plain, ())
    if not protocols:
        protocols = tuple(one for one in table.protocols if one.startswith(name.plain))
        if name.plain in _LITTLE or (not protocols and len(name.plain) < 3):
            return None
    named = tuple(card for one in protocols if (card := f"{one}-{number.text}") in CARDS)
    here = tuple(card for card in named if card in table.cards)
    return NamedWord(text, name.column, here)


_LITTLE = frozenset(
    [
        "drawing",
        "in",
        "on",
        "at",
        "to",
        "en",
        "a",
        "de",
        "dans",
        "sur",
        "na",
        "w",
        "do",
        "nella",
        "nel",
        "la",
        "le",
        "il",
        "the",
        "of",
        "from",
        "into",
        "turn",
        "and",
        "et",
        "e",
        "i",
    ]
)
"""Little words before a number that is no card's."""
