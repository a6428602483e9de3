"""A game told in a chat: `A plays Fire 3 in line 1, B refreshes`, with speakers, times, slips and chatter between."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from msgspec import Struct

from audit.games.compile.cards import protocol_names
from audit.games.compile.score_phrases import CARD_WORDS, NUMBERS, verb_of
from replays.importing.chat_words import Token, is_card, is_card_word, parts_of, pieces, tokens_of, verb_at
from replays.importing.clauses import Clause, Imported, NamedWord, TableNames, sheet_of
from replays.importing.questions import Unread
from replays.importing.words import (
    ANSWERS,
    AUXILIARY,
    BACK,
    BY,
    DOUBT,
    DOWN,
    JOINS,
    PLAYERS,
    SAID_BESIDE,
    TAKING,
    UNREAD,
    UP,
    needs_of,
)

MAX_LINE = 2000
_TIME = r"[\[(]?\d{1,2}[:.h]\d\d(?:[:.]\d\d)?(?: ?[ap]m)?[\])]?"
_STAMP = re.compile(rf"\s*(?:[\[(]?\d{{2,4}}[-/.]\d\d?[-/.]\d{{2,4}},? ?)?{_TIME}\s*[-–—]?\s*", re.IGNORECASE)
_SPEAKER = re.compile(r"\s*(?:<(?P<angled>[^<>\n]{1,32})>|(?P<name>[^\s:,<>][^:,<>\n]{0,31}):(?=\s|$))\s*")
_HEADING = re.compile(rf"\s*(?P<name>[^—–]{{1,32}}?)\s+[—–]\s+.*{_TIME}\s*$", re.IGNORECASE)
_NEAR = 2
"""So many words after a seat its verb may stand."""
_FAR = 5
"""So many words before `control` its player may stand: `A rend le module de contrôle`."""


class _Start(Struct, frozen=True):
    """Where a decision begins in a line: its first word, its verb, and who does it.

    `is_passive`: what it is done to stands before the verb (`Fire 3 is played by Ada`).
    """

    first: int
    verb: int
    who: NamedWord | None
    is_passive: bool = False


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
        tokens = list(_players_called(list(tokens_of(line, start)), table))
        passed: list[str] = []
        found = list(_line_clauses(row, line, tokens, said_by or speaker, table, passed))
        for text in passed if found else [line.strip()]:
            ignored.append(Unread("told_chatter", f"line {row}", {"name": text[:120]}))
        yield from found
        if found:
            yield from _left_over(row, tokens, found, table)


def _said_by(line: str) -> tuple[int, str]:
    """Where the words of a line begin, behind its time and speaker, and who says them."""
    stamp = _STAMP.match(line)
    at = stamp.end() if stamp else 0
    speaker = _SPEAKER.match(line, at)
    if not speaker or verb_of(speaker[0].strip(" :<>").split(" ")[-1]):
        return at, ""
    return speaker.end(), (speaker["angled"] or speaker["name"]).strip()


def _line_clauses(
    row: int, line: str, tokens: Sequence[Token], speaker: str, table: TableNames, passed: list[str]
) -> Iterator[Clause]:
    """The decisions of a line; what stands beside them with a verb and tells none is added to `passed`."""
    begun = list(_starts(tokens, speaker, table))
    if len(tokens) == 1 and speaker and tokens[0].plain in ANSWERS:
        said = tokens[0]
        yield Clause(row, said.column, said.text, ANSWERS[said.plain], {}, _speaking(speaker, table), is_doubtful=True)
        return
    for piece in pieces(tokens[: begun[0].first] if begun else tokens, table):
        if told := _without_verb(row, line, piece, speaker, table):
            yield told
    for number, one in enumerate(begun):
        end = begun[number + 1].first if number + 1 < len(begun) else len(tokens)
        verb = verb_at(tokens, one.verb) or ""
        before, (after, *elided) = tokens[one.first : one.verb], _with_elided(verb, tokens[one.verb + 1 : end], table)
        since = max(begun[number - 1].verb + 1 if number else 0, one.verb - _FAR)
        near = before or tokens[since : one.verb] if verb == "control" else before if one.is_passive else []
        parts = parts_of(verb, [*near, *after], table)
        if verb == "play" and not parts and end < len(tokens) and verb_at(tokens, end) == "control":
            continue  # `A puts the control component back`
        until = end - sum(map(len, elided))
        is_told = _is_told(one, verb, parts, tokens[begun[number - 1].verb + 1 if number else 0 : until], speaker)
        text = _text(line, tokens[one.first], tokens[until] if until < len(tokens) else None)
        if is_told or verb == "undo":
            heard = (*(before if number else tokens[: one.verb]), *after)
            yield Clause(row, tokens[one.first].column, text, verb, parts, one.who, not is_told or _is_doubted(heard))
        else:
            passed.append(text)
        for piece in elided:
            yield _elided(row, line, verb, piece, one.who, table)


def _text(line: str, first: Token, following: Token | None) -> str:
    """The words of a line from one to the next, or to its end."""
    return line[first.column - 1 : following.column - 1 if following else len(line)].strip(" ,;.\n")


def _is_doubted(tokens: Sequence[Token]) -> bool:
    return any(word.plain in DOUBT or word.text == "?" for word in tokens)


def _with_elided(verb: str, tokens: Sequence[Token], table: TableNames) -> list[Sequence[Token]]:
    """The words that belong to a verb, then each further play, or the like, that stands behind them without its verb.

    Two cards with one line may both belong to the verb, and so do cards whose lines only say which they are.
    """
    is_of_cards = verb not in _OF_NO_CARD
    told, *others = pieces(tokens, table) if is_of_cards or not tokens else ((), *pieces(tokens, table))
    whole = [list(told)]
    for piece in others:
        may_follow = ("line" in parts_of("play", whole[-1], table)) == (verb in _TO_A_LINE or len(whole) > 1)
        is_elided = may_follow and parts_of("play", piece, table).keys() >= {"card", "line"}
        whole = [*whole, list(piece)] if is_elided else [*whole[:-1], [*whole[-1], *piece]]
    return whole  # type: ignore[return-value]


_TO_A_LINE = frozenset({"play", "shift"})


def _elided(
    row: int, line: str, verb: str, tokens: Sequence[Token], who: NamedWord | None, table: TableNames
) -> Clause:
    """What was done with a card that has a line and no verb: the same again, or played; asked where no face is told."""
    parts = parts_of("play", tokens, table)
    is_again = verb == "play" or (verb in _TO_A_LINE and "face" not in parts)
    is_doubtful = _is_doubted(tokens) or not (is_again or "face" in parts)
    text = _text(line, tokens[0], None)[: tokens[-1].column - tokens[0].column + len(tokens[-1].text)]
    return Clause(row, tokens[0].column, text, verb if is_again else "play", parts, who, is_doubtful)


def _left_over(row: int, tokens: Sequence[Token], clauses: Sequence[Clause], table: TableNames) -> Iterator[Clause]:
    """The cards that a line with decisions names and that belong to none of them: nothing was made of these."""
    used = {word.column for one in clauses for word in one.parts.get("card", ()) if one.verb not in _OF_NO_CARD}
    for at in range(len(tokens)):
        if is_card(tokens, at, table) and tokens[at].column not in used:
            text = f"{tokens[at].text} {tokens[at + 1].text}"
            yield Clause(row, tokens[at].column, text, UNREAD, {})


_OF_NO_CARD = frozenset({"refresh", "compile", "control", "rearrange", "win", "undo", "draft", "clear"})
"""Verbs of which a card is no part; one that is said beside an answer says of which text."""


def _without_verb(row: int, line: str, tokens: Sequence[Token], speaker: str, table: TableNames) -> Clause | None:
    """A card and a line without a verb: played, if a player stands before them, as on a sheet; else it is asked."""
    first = _seat_before_card(tokens[0], speaker, table) if tokens else None
    parts = parts_of("play", tokens[1:] if first else tokens, table)
    if not parts.keys() >= {"card", "line"}:
        return None
    who = NamedWord(tokens[0].text, tokens[0].column, (first,)) if first else _speaking(speaker, table)
    last = tokens[-1]
    text = line[tokens[0].column - 1 : last.column - 1 + len(last.text)]
    is_played = first is not None or ("face" in parts and who is not None and bool(who.meant))
    is_doubtful = not is_played or _is_doubted(tokens)
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
                token = Token(f"P{left.pop(0).text}", token.column, token.is_joined, token.is_apart)
        elif token.plain in PLAYERS and left and table.seat(f"P{left[0].text}"):
            token = Token(f"P{left.pop(0).text}", token.column, is_joined=False, is_apart=token.is_apart)
        yield token


def _has_verb(tokens: Sequence[Token]) -> bool:
    """Whether a verb comes among the next words, before any number or face."""
    near = takewhile(lambda token: token.text.isalpha() and token.plain not in UP | DOWN, tokens[:_FAR])
    return any(verb_of(token.text) for token in near)


def _starts(tokens: Sequence[Token], speaker: str, table: TableNames) -> Iterator[_Start]:
    """Each verb with the player before it. A verb whose player is not named is the speaker's, or the last player's."""
    last, free = None, 0
    for at in range(len(tokens)):
        if not verb_at(tokens, at) or is_card_word(tokens, at):
            continue
        if subject := _passive_subject(tokens, free, at, table):
            who = _agent(tokens, at, table) or (
                last or _speaking(speaker, table) if _is_of_nobody(tokens, at) else None
            )
            yield _Start(subject[0], at, who, is_passive=True)
            last, free = who or last, at + 1
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


def _passive_subject(tokens: Sequence[Token], since: int, verb: int, table: TableNames) -> Sequence[int]:
    """Where what something is done to stands: cards, or how many of them, before `is`, `was` and the like."""
    end = verb
    while end > since and tokens[end - 1].text.casefold() in AUXILIARY:
        end -= 1
        if tokens[end].plain in ("been", "ete"):
            end -= 1  # `has been`, `a été`
    first, at = end, end
    if end < verb:
        while (at := at - 1) >= since and at >= first - 2:
            if _are_cards(tokens[at:first], table):
                first = at
    while first < end and tokens[first].plain in JOINS:
        first += 1
    return range(first, end)


def _are_cards(tokens: Sequence[Token], table: TableNames) -> bool:
    """Whether these words are one card, a number of cards, or what joins two."""
    if len(tokens) == 1:
        return tokens[0].plain in JOINS
    name, number = tokens[0], tokens[1]
    return is_card(tokens, 0, table) or (
        number.plain in CARD_WORDS and (name.plain in NUMBERS or name.text.isdecimal())
    )


def _agent(tokens: Sequence[Token], verb: int, table: TableNames) -> NamedWord | None:
    """Who is named behind a passive verb: `by Ada`."""
    for by, name in pairwise(takewhile(lambda token: not token.is_apart, tokens[verb + 1 :])):
        if by.plain in BY and (seat := table.seat(name.text)):
            return NamedWord(name.text, name.column, (seat,))
    return None


def _is_of_nobody(tokens: Sequence[Token], at: int) -> bool:
    """Whether a line of a score sheet does not say who does this."""
    return verb_at(tokens, at) in ("flip", "shift", "delete", "return")


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
