"""A table is set: of what a new one is made, a position drawn after a change, the cards, what is printed on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec import to_builtins

from audit.core.ruleset import ruleset
from replays.judging.sentences import Json
from replays.table.question import line_in
from web.site.labels import chosen
from web.table import record, table
from web.table.answering import answers, called, list_of, text_of
from web.table.table import cards_told

MOST_CHANGES = 50


@answers("/words")
def words(asked: Json) -> Json:
    """Of what a new table of a game is made."""
    setting = ruleset(str(asked.get("ruleset"))).setting
    told = to_builtins(setting.words(chosen()))
    return {"words": told, "needed": setting.words_needed(), "said": setting.words_said(chosen())}


@answers("/position")
def position(asked: Json) -> Json:
    """A position drawn, after a change by hand where one is named: a new one, one from a line of text or a link."""
    if "words" in asked:
        line = table.fresh(str(asked.get("ruleset")), [str(word) for word in list_of(asked, "words")])
    else:
        line = line_in(text_of(asked, "position"))
    given = asked.get("change")
    for change in (given if isinstance(given, list) else [given])[:MOST_CHANGES]:
        if isinstance(change, Mapping):
            line = table.changed(line, cast(Json, change))
    return table.board(called(table.start_of(line), asked), line, chosen(), asked)


@answers("/cards")
def cards(asked: Json) -> Json:
    """The cards by their names in the reader's language."""
    game = ruleset(str(asked.get("ruleset")))
    return {"cards": cards_told(game, [str(card) for card in list_of(asked, "cards")[:200]], chosen())}


@answers("/printed")
def printed(asked: Json) -> Json:
    """What may be said of what is printed on a card of a game that is recorded."""
    header = record.header_told(asked.get("header"), str(asked.get("ruleset") or ""))
    return table.printed_on(header, text_of(asked, "card"), chosen())
