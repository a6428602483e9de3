"""API operations that append events, follow a game live, and make published files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Protocol, cast, runtime_checkable

from flask import Response
from flask.views import MethodView

from replays.store.event_ids import Appended as StoredNow
from web.api.access import PUBLISHERS, WRITERS
from web.api.operations import APPEND_ERRORS, READ_ERRORS, FixedError, Json, Operation, replay_of, route
from web.api.schemas import Append, Appended, FileAsked, LiveAsked
from web.games.address import library
from web.games.library import Replay
from web.games.live import News, followed


@runtime_checkable
class Appendable(Protocol):
    """A library that can be appended to."""

    def append(self, id: str, lines: bytes, expected: int) -> StoredNow: ...


@route("/games/<string:id>/events")
class EventsView(MethodView):
    """Appending to a game."""

    @Operation(
        answer=Appended, body=Append, status=201, roles=WRITERS, wanted="append", local=False, errors=APPEND_ERRORS
    )
    def post(self, given: Mapping[str, object], id: str) -> Json:
        """Append events to a game that has as many as expected; all of them or none.

        An event whose id is stored already with the same content is answered as done, with the seq it has.
        """
        games = library()
        if not isinstance(games, Appendable):
            raise FixedError
        events = cast("list[Json]", given["events"])
        lines = b"".join(json.dumps(event, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for event in events)
        stored = games.append(id, lines, cast(int, given["expected"]))
        return {"id": id, "version": stored.version, "seqs": list(stored.seqs)}


@route("/games/<string:id>/live")
class LiveView(MethodView):
    """Following a game."""

    @Operation(answer={"type": "string"}, asked=LiveAsked, kind="text/event-stream")
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
        answer={"type": "string"}, asked=FileAsked, kind="application/octet-stream", roles=PUBLISHERS, wanted="publish",
        errors=(400, *READ_ERRORS),
    )  # fmt: skip
    def get(self, asked: Mapping[str, str], id: str) -> Response:
        """The game as a file to give away: what is public and nothing else."""
        from web.publishing.files import publish
        from web.publishing.sources import source_from

        data = publish(source_from(library().log(id), library().seal(id)), asked["form"], "public", (asked["lang"],))
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
