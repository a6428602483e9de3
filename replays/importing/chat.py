"""A game told in a chat: `A plays Fire 3 in line 1, B refreshes`, with speakers, times, slips and chatter between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import Struct

from audit.games.compile.cards import CARDS
from audit.games.compile.protocol_names import plain, protocol_names
from audit.games.compile.score_phrases import CARD_WORDS, NUMBERS, ONE_CARD, names_deck, verb_of
from replays.importing.clauses import Clause, Imported, NamedWord, TableNames, sheet_of
from replays.importing.questions import Unread
from replays.importing.words import (
    ANSWERS,
    BACK,
    DOUBT,
    DOWN,
    LEFT_OR_RIGHT,
    LINES,
    MIDDLE,
    MORE,
    PLAYERS,
    SAID_BESIDE,
    TAKING,
    UP,
    needs_of,
)

MAX_LINE = 2000
FROM = frozenset(["from", "depuis", "dalla", "da", "z", "ze"])
"""Words before a line that a card leaves."""
_TIME = r"[\[(]?\d{1,2}[:.h]\d\d(?:[:.]\d\d)?(?: ?[ap]m)?[\])]?"
_STAMP = re.compile(rf"\s*(?:[\[(]?\d{{2,4}}[-/.]\d\d?[-/.]\d{{2,4}},? ?)?{_TIME}\s*[-–—]?\s*", re.IGNORECASE)
_SPEAKER = re.compile(r"\s*(?:<(?P<angled>[^<>\n]{1,32})>|(?P<name>[^\s:,<>][^:,<>\n]{0,31}):(?=\s|$))\s*")
_HEADING = re.compile(rf"\s*(?P<name>[^—–]{{1,32}}?)\s+[—–]\s+.*{_TIME}\s*$", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[*?+]")
_NEAR = 2
"""So many words after a seat its verb may stand."""
_FAR = 5
"""So many words before `control` its player may stand: `A rend le module de contrôle`."""


class Token(Struct, frozen=True):
    """A word or number of a line and its column; `is_joined` where it stands right behind the one before."""

    text: str
    column: int
    is_joined: bool

    @property
    def plain(self) -> str:
        """Small letters without accents or apostrophes."""
        return plain(self.text).replace("'", "").replace("’", "")


class _Start(Struct, frozen=True):
    """Where a decision begins in a line: its first word, its verb, and who does it."""

    first: int
    verb: int
    who: NamedWord | None


def import_chat(lines: Sequence[tuple[int, str]], table: TableNames) -> Imported:
    """The score sheet of numbered lines of a chat."""
    ignored: list[Unread] = []
    return sheet_of(table, _clauses(lines, table, ignored), ignored)


def _clauses(lines: Sequence[tuple[int, str]], table: TableNames, ignored: list[Unread]) -> Iterator[Clause]:
    speaker = ""
    for row, line in lines:
        if not line.strip():
            continue
        if len(line) > MAX_LINE:
            table.unread.append(Unread("told_long", f"line {row}", {"n": str(MAX_LINE)}))
            continue
        if heading := _HEADING.match(line):
            speaker = heading["name"].strip()
            continue
        start, said_by = _said_by(line)
        found = list(_line_clauses(row, line, start, said_by or speaker, table))
        if not found:
            ignored.append(Unread("told_chatter", f"line {row}", {"name": line.strip()[:120]}))
        yield from found


def _said_by(line: str) -> tuple[int, str]:
    """Where the words of a line begin, behind its time and speaker, and who says them."""
    stamp = _STAMP.match(line)
    at = stamp.end() if stamp else 0
    speaker = _SPEAKER.match(line, at)
    if not speaker or verb_of(speaker[0].strip(" :<>").split(" ")[-1]):
        return at, ""
    return speaker.end(), (speaker["angled"] or speaker["name"]).strip()


def _line_clauses(row: int, line: str, start: int, speaker: str, table: TableNames) -> Iterator[Clause]:
    tokens = list(_players_called(list(_tokens(line, start)), table))
    begun = list(_starts(tokens, speaker, table))
    lead = tokens[: begun[0].first] if begun else tokens
    if len(tokens) == 1 and speaker and tokens[0].plain in ANSWERS:
        said = tokens[0]
        yield Clause(row, said.column, said.text, ANSWERS[said.plain], {}, _speaking(speaker, table), is_doubtful=True)
        return
    if told := _without_verb(row, line, lead, speaker, table):
        yield told
    for number, one in enumerate(begun):
        end = begun[number + 1].first if number + 1 < len(begun) else len(tokens)
        verb = _verb_at(tokens, one.verb) or ""
        before, after = tokens[one.first : one.verb], tokens[one.verb + 1 : end]
        since = max(begun[number - 1].verb + 1 if number else 0, one.verb - _FAR)
        near = before or tokens[since : one.verb] if verb == "control" else []
        parts = _parts(verb, [*near, *after], table)
        if verb == "play" and not parts and end < len(tokens) and _verb_at(tokens, end) == "control":
            continue  # `A puts the control component back`
        is_told = _is_told(one, verb, parts, tokens[begun[number - 1].verb + 1 if number else 0 : end], speaker)
        if not is_told and verb != "undo":
            continue
        last = line.find("\n") if end == len(tokens) else tokens[end].column - 1
        text = line[tokens[one.first].column - 1 : last if last >= 0 else len(line)].strip(" ,;.\n")
        heard = (*(before if number else tokens[: one.verb]), *after)
        is_doubtful = not is_told or any(word.plain in DOUBT or word.text == "?" for word in heard)
        yield Clause(row, tokens[one.first].column, text, verb, parts, one.who, is_doubtful)


def _without_verb(row: int, line: str, tokens: Sequence[Token], speaker: str, table: TableNames) -> Clause | None:
    """A card and a line without a verb: played, if a player stands before them, as on a sheet; else it is asked."""
    first = _seat_before_card(tokens[0], speaker, table) if tokens else None
    parts = _parts("play", tokens[1:] if first else tokens, table)
    if not parts.keys() >= {"card", "line"}:
        return None
    who = NamedWord(tokens[0].text, tokens[0].column, (first,)) if first else _speaking(speaker, table)
    last = tokens[-1]
    text = line[tokens[0].column - 1 : last.column - 1 + len(last.text)]
    is_played = first is not None or ("face" in parts and who is not None and bool(who.meant))
    is_doubtful = not is_played or any(token.plain in DOUBT or token.text == "?" for token in tokens)
    return Clause(row, tokens[0].column, text, "play", parts, who, is_doubtful)


def _seat_before_card(token: Token, speaker: str, table: TableNames) -> str | None:
    """The player that the first word of a line names, on a sheet also in a small letter; who speaks writes no sheet."""
    return table.seat(token.text) or (table.seat(token.text.upper()) if not speaker else None)


def _is_told(
    one: _Start, verb: str, parts: dict[str, tuple[NamedWord, ...]], tokens: Sequence[Token], speaker: str
) -> bool:
    """Whether the words tell a decision: somebody is named, or a card or line; or hardly a word stands beside.

    Nobody has to say who takes the last thing back.
    """
    if parts or (one.who and one.who.text != speaker):
        return True
    beside = [word for word in tokens if word.plain not in SAID_BESIDE]
    return (bool(speaker) or verb == "undo") and not needs_of(verb) and (len(tokens) <= 2 or len(beside) <= 1)


def _tokens(line: str, start: int) -> Iterator[Token]:
    end = -1
    for found in _TOKEN.finditer(line, start):
        yield Token(found[0], found.start() + 1, found.start() == end)
        end = found.end()


def _players_called(tokens: Sequence[Token], table: TableNames) -> Iterator[Token]:
    """The words with `P1` as one, where a verb or a card stands behind it; elsewhere that is a card.

    Other words may stand between it and its verb at the beginning of a line, and where somebody takes something.
    """
    left = list(tokens)
    while left:
        token = left.pop(0)
        if token.text == "P" and len(left) > 1 and left[0].is_joined and table.seat(f"P{left[0].text}"):
            is_card = left[1].plain in protocol_names() and len(left) > 2 and left[2].text.isdecimal()
            is_apart = (len(left) == len(tokens) - 1 or left[1].plain in TAKING | BACK) and _has_verb(left[1:])
            if verb_of(left[1].text) or is_card or is_apart:
                token = Token(f"P{left.pop(0).text}", token.column, token.is_joined)
        elif token.plain in PLAYERS and left and table.seat(f"P{left[0].text}"):
            token = Token(f"P{left.pop(0).text}", token.column, is_joined=False)
        yield token


def _has_verb(tokens: Sequence[Token]) -> bool:
    """Whether a verb comes among the next words, before any number or face."""
    near = takewhile(lambda token: token.text.isalpha() and token.plain not in UP | DOWN, tokens[:_FAR])
    return any(verb_of(token.text) for token in near)


def _starts(tokens: Sequence[Token], speaker: str, table: TableNames) -> Iterator[_Start]:
    """Each verb with the player before it. A verb whose player is not named is the speaker's, or the last player's."""
    last, free = None, 0
    for at in range(len(tokens)):
        if not _verb_at(tokens, at) or _is_card_word(tokens, at):
            continue
        first, who = at, None
        reach = _FAR if verb_of(tokens[at].text) == "control" else _NEAR
        for before in range(at - 1, max(free, at - 1 - reach) - 1, -1):
            if seat := _seat_of(tokens, before, at, table):
                first, who = before, NamedWord(tokens[before].text, tokens[before].column, (seat,))
                break
        who = who or last or _speaking(speaker, table)
        yield _Start(first, at, who)
        last, free = who, at + 1


def _verb_at(tokens: Sequence[Token], at: int) -> str | None:
    """The verb that a word is; `turn` is one before a card, and else a heading."""
    if tokens[at].plain == "turn" and at + 1 < len(tokens) and _is_card_word(tokens, at + 1):
        return "flip"
    return None if at and names_deck(tokens[at].text, tokens[at - 1].text) else verb_of(tokens[at].text)


def _seat_of(tokens: Sequence[Token], at: int, verb: int, table: TableNames) -> str | None:
    """The player that a word names. A small letter is one only right before the verb."""
    text = tokens[at].text
    if len(text) == 1 and text.islower():
        return table.seat(text.upper()) if at == verb - 1 else None
    return table.seat(text)


def _speaking(speaker: str, table: TableNames) -> NamedWord | None:
    if not speaker:
        return None
    seat = table.seat(speaker)
    return NamedWord(speaker, 1, (seat,) if seat else ())


def _is_card_word(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word that is also a verb is the name of a card here, with its number behind it."""
    return tokens[at].plain in protocol_names() and at + 1 < len(tokens) and tokens[at + 1].text.isdecimal()


def _parts(verb: str, tokens: Sequence[Token], table: TableNames) -> dict[str, tuple[NamedWord, ...]]:
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
