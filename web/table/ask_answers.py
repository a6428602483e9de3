"""A question is asked: what can be chosen or asked of a thing, the answer, and what the rules say in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from audit.core.catalogue import LANGUAGES
from audit.core.errors import SetupError
from audit.core.model import Header
from audit.core.names import player_names
from audit.core.ruleset import ruleset
from replays.judging.annotate import Annotator
from replays.judging.positions import line_at, next_choice, without_choice
from replays.judging.sentences import Json, event_json
from replays.scoresheet.line import Sheet
from replays.table.answer import Answer, AnswerWriter, answered
from replays.table.completion import guesses
from replays.table.question import MAX_LINES, UnreadEventError, header_at, line_in, question
from replays.table.unnamed import nameless_seats, stranger
from web.site.labels import chosen
from web.table import rule_answers, table
from web.table.answering import MisreadError, answers, called, case_at, list_of, said, text_of
from web.table.question_pages import printed
from web.table.table import choices_at


@answers("/rules")
def rules(asked: Json) -> Json:
    """What the rules of a game say to a question in words, and whether it can only be answered at a table.

    `games` has the same for each game that answers, the likeliest first.
    """
    game, text = ruleset(str(asked.get("ruleset"))), text_of(asked, "text")
    own, games = rule_answers.told_of_all(game, text)
    return {**own, "needs_table": bool(game.rules.statement(text)), "games": games}


@answers("/options")
def options(asked: Json) -> Json:
    """The position as it is, what can be chosen next, and what happens before that. The `players` are called so."""
    header = called(header_at(text_of(asked, "position")), asked)
    game = ruleset(header.ruleset)
    start = game.rules.start(header)
    annotator = Annotator(game, chosen(), header=header)
    follows = [annotator.tell_following(one) for one in without_choice(game, start)]
    shown = table.drawn(game, start, chosen(), asked, player_names(header))
    return {"choices": choices_at(game, header, start, chosen()), "follows": follows, **shown}


@answers("/askable")
def askable(asked: Json) -> Json:
    """What may be asked of the thing with that key, whether it is allowed or not, and what its card says.

    The `players` are called so.
    """
    header = called(header_at(text_of(asked, "position")), asked)
    game = ruleset(header.ruleset)
    state = next_choice(game, game.rules.start(header))
    key = text_of(asked, "key")
    before = table.before_played(line_in(text_of(asked, "position")), key, chosen(), header.players)
    says = table.card_says(game, state, key, chosen())
    return {"choices": table.askable(game, header, state, key, chosen()), "before": before, "says": says}


@answers("/ask")
def ask(asked: Json) -> Json:
    """The answer to a question about a position. The `players` are called so."""
    events = [one if isinstance(one, str) else cast(Json, one) for one in list_of(asked, "events")[: MAX_LINES + 1]]
    if any(not isinstance(one, str | dict) for one in events):
        raise SetupError("events", "events, typed or as they stand in a log")
    reading, edition = (str(asked.get(name) or "") for name in ("reading", "edition"))
    header = called(header_at(text_of(asked, "position"), reading or None, edition), asked)
    try:
        found = answered(question(header, events))
    except UnreadEventError as error:
        raise _guessed(error, header, events) from None
    game = found.question.game
    languages = (chosen(), *(each for each in LANGUAGES if each != chosen()))
    said = AnswerWriter(found, languages, printed(game.name)).json()
    return {
        "said": said, "ruleset": game.name,
        "after": table.drawn(game, found.state, chosen(), asked, player_names(header)),
        "choices": choices_at(game, found.question.header, found.state, chosen()), "case": _case_on(found, asked),
        "asked": _lines_asked(found),
    }  # fmt: skip


def _case_on(answer: Answer, asked: Json) -> str:
    """Where a judge opens a case on the position, with what was asked; "" for anybody else."""
    game, header = answer.question.game, answer.question.header
    of, step = (str(asked.get(name) or "") for name in ("of", "step"))
    return case_at(header, line_at(header, game.rules.start(header)), _lines_asked(answer), of, step)


def _lines_asked(answer: Answer) -> list[str]:
    """What was asked, each as it is typed in any language."""
    game, header = answer.question.game, answer.question.header
    sheet = Sheet(game, game.disclosure.seats(header), header.setup)
    return [sheet.write_published(event_json(event)) for event in answer.question.events]


def _guessed(error: UnreadEventError, header: Header, events: Sequence[str | Json]) -> MisreadError:
    """That error with the choices of the position that are most like what was typed."""
    number = error.problems[0].line
    line = str(events[number - 1])
    rules = rule_answers.told_at_table(error.game, line, error.plain) if rule_answers.is_question(line) else None
    likely = guesses(header, events, number, chosen())
    return MisreadError(said(error), likely, rules, _asked_who(header, events, number))


def _asked_who(header: Header, events: Sequence[str | Json], number: int) -> Json | None:
    """The name in that line of a player whom nobody has named, with the seats whose it may be; None without one."""
    name = stranger(header, events, number)
    return {"name": name, "seats": nameless_seats(header)} if name else None
