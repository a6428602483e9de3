"""What the rules say to a question in words, asked where a position or an event may be typed as well."""

from __future__ import annotations

from audit.core.ruleset import Ruleset
from replays.judging.sentences import Json
from replays.terminal.card_entries import cards_named
from web.rules.pages import answers
from web.site.labels import chosen, ruleset_title

MOST = 4
"""So many entries are told; the page of the rules has the others."""
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


def asks(line: str) -> bool:
    """Whether a line that cannot be read is a question in words."""
    return line.rstrip().endswith("?")


def is_question(line: str) -> bool:
    """Whether it may be one: it asks, or has several words and no number."""
    return asks(line) or (len(line.split()) >= WORDS and not any(map(str.isdigit, line)))
