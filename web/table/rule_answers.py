"""What the rules say to a question in words, asked where a position or an event may be typed as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from audit.core.ruleset import Ruleset
from replays.judging.sentences import Json
from replays.rulebooks.meaning import likelihoods
from replays.table.question_words import has_question_mark
from replays.terminal.card_entries import cards_named
from web.rules.pages import answers
from web.site.labels import chosen, ruleset_title

MOST = 4
"""So many entries are told; the page of the rules has the others."""
FEWER = 2
"""So many of a game that is not the likeliest."""
_CLEAR, _CLEARLY_MORE = 0.6, 2.0
"""The rules of another game than the chosen one go first from so much of the question on, and so many times more."""
LONGEST = 200
"""No more letters of a question are looked for."""
WORDS = 3
"""From so many words on, a line that cannot be read may be a question in words."""


def told(game: Ruleset[object], text: str) -> Json:
    """The entries that answer best, each with its statement in the language of the page, and how many there are."""
    catalogue, language = game.catalogue, chosen()
    query = text.strip()[:LONGEST]
    found = answers(catalogue, query, cards_named(game, query))
    rules = [
        {"id": rule.id, "title": catalogue.title(rule, language), "statement": catalogue.statement(rule, language)}
        for rule, _ in found[:MOST]
    ]
    return {"ruleset": game.name, "game": ruleset_title(game.name), "text": query, "rules": rules, "count": len(found)}


def told_at_table(game: Ruleset[object], text: str, plain: str) -> Json:
    """The same of a question at a table; where nothing answers it, of what it asks without players and cards."""
    said = told(game, text)
    return said if said["rules"] else {**told(game, plain), "text": said["text"]}


def told_of_all(chosen_game: Ruleset[object], text: str) -> tuple[Json, Sequence[Json]]:
    """What the rules of the chosen game say; and those of each game that say something, the one clearly meant first.

    Where no game says anything, that is told of the game that is chosen.
    """
    likely = likelihoods(text.strip()[:LONGEST])
    likely[chosen_game] = max(_CLEAR, _CLEARLY_MORE * likely[chosen_game])
    games = sorted(likely, key=likely.__getitem__, reverse=True)
    said = {game: told(game, text) for game in games}
    found = [_fewer(said[game]) if game is not games[0] else said[game] for game in games if said[game]["rules"]]
    return said[chosen_game], found or [said[chosen_game]]


def _fewer(said: Json) -> Json:
    return {**said, "rules": cast("Sequence[Json]", said["rules"])[:FEWER]}


def is_question(line: str) -> bool:
    """Whether it may be one: it asks, or has several words and no number."""
    return has_question_mark(line) or (len(line.split()) >= WORDS and not any(map(str.isdigit, line)))
