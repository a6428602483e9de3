"""API operations for whoever records a game: beginning one, what can be chosen, and what was written down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import msgspec
from flask.views import MethodView

from audit.core.ruleset import ruleset
from replays.errors import LogError, Problem
from replays.log.canonical import canonical_object
from replays.log.strict_json import NotARecordError
from replays.scoresheet.sheet import read_sheet
from web.api.access import WRITERS, author
from web.api.operations import APPEND_ERRORS, READ_ERRORS, Json, Operation, replay_of, route
from web.api.reading import events_of
from web.api.schemas import NewGame, Opened, Options, OptionsAsked, Written, WrittenAsked
from web.api.telling import decisions_after
from web.games.address import library

NAME = "header"
PUBLIC = {"viewer": "", "lang": "en", "reading": ""}


@route("/games")
class NewGameView(MethodView):
    """Beginning a game."""

    @Operation(
        id="beginGame",
        location="/games/{id}",
        answer=Opened,
        body=NewGame,
        status=201,
        roles=WRITERS,
        wanted="append",
        public=False,
        errors=APPEND_ERRORS,
    )
    def post(self, given: Mapping[str, object]) -> Json:
        """Begin a game with the first line of its log. A game that was begun with the same line is answered as it is.

        The id is made of that line, so every recorder of a game is given the same.
        """
        begun = library().begin(_first_line(given), author())
        replay = replay_of(begun.id, PUBLIC)
        return {
            "id": begun.id, "version": events_of(replay), "created": begun.is_new,
            "decisions": decisions_after(replay),
        }  # fmt: skip


@route("/games/<string:id>/options")
class OptionsView(MethodView):
    """What may come next."""

    @Operation(id="listOptions", answer=Options, asked=OptionsAsked, errors=READ_ERRORS)
    def get(self, asked: Mapping[str, str], id: str) -> Json:
        """The decisions that are open after an event, or all small steps."""
        replay = replay_of(id, asked)
        at = cast("int | None", asked["at"])
        decisions = decisions_after(replay, at, small_steps=bool(asked["steps"]))
        return {"id": id, "version": events_of(replay), "decisions": decisions}


@route("/games/<string:id>/events")
class WrittenView(MethodView):
    """What was written down."""

    @Operation(id="listEvents", answer=Written, asked=WrittenAsked)
    def get(self, asked: Mapping[str, str], id: str) -> Json:
        """The events after one, as the viewer could have written them down."""
        replay = replay_of(id, asked)
        after = cast(int, asked["after"])
        events = [event for event in _numbered(list(replay.log())) if cast(int, event["seq"]) > after]
        header = msgspec.to_builtins(replay.header)
        return {"id": id, "version": events_of(replay), "header": header, "events": events}


def _numbered(events: list[Mapping[str, object]]) -> list[Json]:
    """Events with their seq in the whole log."""
    return [
        {**{key: value for key, value in event.items() if key != "x-seq"}, "seq": event.get("x-seq", event.get("seq"))}
        for event in events
        if event.get("x-seq", event.get("seq"))
    ]


def _first_line(given: Mapping[str, object]) -> bytes:
    """The first line of a log; raises `LogError` where there is none or two."""
    header, sheet = cast("Json | None", given["header"]), str(given["sheet"])
    if (header is None) == (not sheet):
        raise LogError(NAME, (Problem(1, "", "either the header of a log or the first line of a score sheet", "both"),))
    if sheet:
        told, events = read_sheet(sheet, NAME, ruleset(str(given["ruleset"])).name)
        if events:
            raise LogError(NAME, (Problem(2, "", "no more than the first line", "events"),))
        header = msgspec.to_builtins(told)
    try:
        return canonical_object(cast(Json, header)) + b"\n"
    except NotARecordError as error:
        raise LogError(NAME, (Problem(1, "", "what every program reads alike", str(error)),)) from None
