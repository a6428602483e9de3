"""API operations that append events, follow a game live, and make published files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from flask import Response
from flask.views import MethodView

from replays.log.strict_json import parse
from web.api.access import WRITERS, author
from web.api.exact import lines_sent
from web.api.operations import APPEND_ERRORS, READ_ERRORS, Json, Operation, replay_of, route
from web.api.schemas import Append, Appended, FileAsked, LiveAsked
from web.api.telling import decisions_after, steps_of
from web.games.address import library
from web.games.library import Replay
from web.games.live import News, followed
from web.publishing.pages import within_limits
from web.site.limits import limited
from web.site.reader import reader


@route("/games/<string:id>/events")
class EventsView(MethodView):
    """Appending to a game."""

    @Operation(
        id="appendEvents",
        location="/games/{id}/events",
        answer=Appended,
        body=Append,
        status=201,
        roles=WRITERS,
        wanted="append",
        public=False,
        errors=APPEND_ERRORS,
    )
    def post(self, given: Mapping[str, object], id: str) -> Json:
        """Append events to a game that has as many as expected; all of them or none, each stored byte for byte.

        An event whose id is stored already with the same content is answered with what was stored, and its seq.
        """
        stored = library().append(id, lines_sent(), cast(int, given["expected"]), author())
        replay = replay_of(id, {"viewer": "", "lang": str(given["lang"]), "reading": ""})
        return {
            "id": id, "version": stored.version, "seqs": list(stored.seqs), "events": list(map(parse, stored.lines)),
            "steps": steps_of(replay, stored.seqs), "decisions": decisions_after(replay),
        }  # fmt: skip


@route("/games/<string:id>/live")
class LiveView(MethodView):
    """Following a game."""

    @Operation(id="followGame", answer={"type": "string"}, asked=LiveAsked, kind="text/event-stream")
    def get(self, asked: Mapping[str, str], id: str) -> Response:
        """New steps as they are stored, as server-sent events. They follow the step `after`, and replace what came
        after it; each id is the last step that will not be sent again.
        """
        replay = replay_of(id, asked)
        after = cast("int | None", asked["after"])
        known = len(replay.steps) - 1 if after is None else after
        return followed(id, known, _news_of(id, replay, asked["reading"] or None))


@route("/games/<string:id>/file")
class FileView(MethodView):
    """Published files."""

    @Operation(
        id="publishGame",
        answer={"type": "string", "format": "binary"}, asked=FileAsked, kind="application/octet-stream",
        errors=(400, *READ_ERRORS),
    )  # fmt: skip
    def get(self, asked: Mapping[str, str], id: str) -> Response:
        """The game as a file to give away: what is public and nothing else."""
        if not reader().is_local:
            limited("costly")
        data = within_limits(library().log(id), library().seal(id), asked["form"], "public", (asked["lang"],))
        answer = Response(data, mimetype="application/octet-stream")
        answer.headers["Content-Disposition"] = f'attachment; filename="game.{asked["form"]}"'
        return answer


def _news_of(id: str, replay: Replay, reading: str | None) -> News:
    games = library()

    def news(known: int) -> Mapping[str, object] | None:
        now = games.game(id, viewer=replay.viewer, language=replay.language, reading=reading)
        fresh = list(now.steps[known + 1 :])
        last = len(now.steps) - 1
        settled = next((number for number, step in enumerate(fresh, known) if step.get("provisional")), last)
        return {"after": known, "last": last, "settled": settled, "steps": fresh} if fresh else None

    return news
