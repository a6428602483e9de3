"""API operations at the table: questions about a position, and taking a game from where people play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from flask.views import MethodView

from replays.importing.positions import PositionHints
from replays.importing.questions import Asker, Question, Unread, published
from replays.importing.saves import table_of
from replays.importing.sheets import import_sheet
from replays.importing.zoned import gather_table
from replays.table.answer import AnswerWriter, answered
from replays.table.question import header_at, question
from web.api.answers import Answer, GatheredPosition, GatheredSheet
from web.api.operations import Json, Operation, route
from web.api.schemas import Ask, ChatGiven, SaveGiven
from web.site.limits import limited
from web.site.reader import reader
from web.table.question_pages import printed


@route("/ask")
class AskView(MethodView):
    """Asking about a position."""

    @Operation(id="askPosition", answer=Answer, body=Ask, errors=(400, 401, 403, 413, 415, 422, 429))
    def post(self, given: Mapping[str, object]) -> Json:
        """May these events happen in that position? With none: what can be chosen. Nothing is stored."""
        if not reader().is_local:
            limited("costly")
        header = header_at(str(given["position"]), str(given["reading"]) or None, str(given["edition"]))
        events = cast("Sequence[str | Mapping[str, object]]", given["events"])
        found = answered(question(header, events))
        languages = cast("Sequence[str]", given["lang"])
        return AnswerWriter(found, languages, printed(found.question.game.name)).json()


@route("/import/position")
class ImportPositionView(MethodView):
    """A position from a save."""

    @Operation(id="importPosition", answer=GatheredPosition, body=SaveGiven, errors=(400, 401, 403, 413, 415, 422, 429))
    def post(self, given: Mapping[str, object]) -> Json:
        """The position in a save of Tabletop Simulator, and what it leaves open. Nothing is stored."""
        asker = _asker(given)
        save = table_of(str(given["save"]).encode("utf-8", "surrogatepass"))
        found = gather_table(save, asker, PositionHints(str(given["side_a"]), game=str(given["ruleset"])))
        return {"position": found.line, **_left(asker, found.unread, found.told, given)}


@route("/import/sheet")
class ImportSheetView(MethodView):
    """A score sheet from a chat or a record of choices."""

    @Operation(id="importSheet", answer=GatheredSheet, body=ChatGiven, errors=(400, 401, 403, 413, 415, 422, 429))
    def post(self, given: Mapping[str, object]) -> Json:
        """The score sheet of Compile that a chat or a record tells, and what it leaves open. Nothing is stored."""
        asker = _asker(given)
        data = str(given["text"]).encode("utf-8", "surrogatepass")
        found = import_sheet(data, "text", asker, str(given["players"]), str(given["face"]))
        return {"sheet": found.sheet, **_left(asker, found.unread, found.ignored, given)}


def _asker(given: Mapping[str, object]) -> Asker:
    """Takes the answers of the request; those who are not local are slowed down."""
    if not reader().is_local:
        limited("costly")
    answers = cast("Mapping[str, str]", given["answers"])

    def answer(question: Question) -> str | None:
        return answers.get(str(question.number))

    return Asker(answer)


def _left(asker: Asker, unread: Sequence[Unread], told: Sequence[Unread], given: Mapping[str, object]) -> Json:
    """What is open, what was left out and how the source was read; refuses answers to questions that nobody asks."""
    asker.check({int(number): answer for number, answer in cast("Mapping[str, str]", given["answers"]).items()})
    language = str(given["lang"])
    kinds: dict[str, Sequence[Question | Unread]] = {"questions": asker.open, "unread": unread, "told": told}
    return {name: [published(one, language) for one in each] for name, each in kinds.items()}
