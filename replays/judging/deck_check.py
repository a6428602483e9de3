"""Checks whether decks brought to a table may be played."""

from __future__ import annotations

import sys
from typing import TypedDict

from audit.core.errors import AuditError
from audit.core.ruleset import ruleset
from audit.core.sentences import violation_sentence
from replays.files import read_whole
from replays.log.strict_json import NotARecordError, parse


class DeckFindingTold(TypedDict):
    """Why a deck may not be played."""

    rule: str
    message: str
    statement: str


class NoDecksError(AuditError):
    """A game without decks that players build."""

    def __init__(self, game: str) -> None:
        super().__init__(f"{game} has no decks to check")
        self.game = game


class UnreadableDeckError(AuditError):
    """A file that is no deck."""

    def __init__(self, file: str, found: str) -> None:
        super().__init__(f"{file}: expected a deck as one JSON object, found {found}")
        self.file = file
        self.found = found


def deck_findings(game_name: str, file: str, language: str) -> list[DeckFindingTold]:
    """What is wrong with a deck, each finding with its rule; empty for a legal one.

    Raises `UnreadableDeckError` for a file that is no JSON object, `SetupError` where it is no deck.
    """
    game = ruleset(game_name)
    check = game.rules.check_deck
    if check is None:
        raise NoDecksError(game_name)
    data = sys.stdin.buffer.read() if file == "-" else read_whole(file)
    try:
        deck = parse(data.strip().replace(b"\n", b" "))
    except NotARecordError as error:
        raise UnreadableDeckError(file, str(error).partition("found ")[2] or str(error)) from None
    return [
        {
            "rule": broken.rule.id,
            "message": violation_sentence(game, broken, language),
            "statement": game.catalogue.statement(broken.rule, language),
        }
        for broken in check(deck)
    ]
