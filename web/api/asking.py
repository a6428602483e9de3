"""The API operation that answers a question about a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from flask.views import MethodView

from replays.table.answer import AnswerWriter, answered
from replays.table.question import header_at, question
from web.api.operations import Json, Operation, route
from web.api.schemas import Answer, Ask
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
