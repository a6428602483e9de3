"""API operations for whoever records a game: beginning one, appending, what can be chosen, following it, its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import msgspec
from flask import Response
from flask.views import MethodView

from audit.core.disclosure import JUDGE
from audit.core.ruleset import Ruleset, ruleset
from replays.errors import LogError, Problem
from replays.judging.annotate import Annotator
from replays.judging.replay import Replay as WholeReplay
from replays.log.canonical import canonical_object
from replays.log.strict_json import NotARecordError, parse
from replays.scoresheet.line import Sheet
from replays.scoresheet.sheet import read_sheet
from web.api.access import WRITERS, author
from web.api.answers import Appended, Opened, Options, Written
from web.api.exact import lines_sent
from web.api.operations import APPEND_ERRORS, READ_ERRORS, Json, Operation, replay_of, route
from web.api.reading import events_of
from web.api.schemas import Append, FileAsked, LiveAsked, NewGame, OptionsAsked, WrittenAsked
from web.games.address import library
from web.games.library import Replay
from web.games.live import News, followed
from web.publishing.pages import within_limits
from web.site.labels import chosen
from web.site.limits import limited
from web.site.reader import reader

NAME = "header"
TOLD = (
    "step", "seq", "event", "verdict", "sentence", "message", "expected", "expected_text", "expected_perhaps",
    "counts", "guessed", "provisional",
)  # fmt: skip


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
        replay = replay_of(begun.id, _as_they_may())
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


def _as_they_may() -> Mapping[str, str]:
    """What is asked for of a game that was written to: all that the writer may see."""
    return {"viewer": "", "lang": chosen(), "reading": ""}


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
        found = "both" if sheet else "neither"
        raise LogError(NAME, (Problem(1, "", "either the header of a log or the first line of a score sheet", found),))
    if sheet:
        told, events = read_sheet(sheet, NAME, ruleset(str(given["ruleset"])).name)
        if events:
            raise LogError(NAME, (Problem(2, "", "no more than the first line", "events"),))
        header = msgspec.to_builtins(told)
    try:
        return canonical_object(cast(Json, header)) + b"\n"
    except NotARecordError as error:
        raise LogError(NAME, (Problem(1, "", "what every program reads alike", str(error)),)) from None


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
        replay = replay_of(id, _as_they_may())
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


def steps_of(replay: Replay, seqs: Sequence[int]) -> list[Json]:
    """The steps of these events and what was inferred since the event before each, in the order of the game."""
    wanted, found, waiting = set(seqs), list[Json](), list[Json]()
    game = ruleset(replay.ruleset)
    for step in replay.steps:
        waiting.append(dict(step))
        if step.get("seq"):
            found += waiting if step["seq"] in wanted else []
            waiting = []
    return [_told(game, step, replay.language) for step in found]


def decisions_after(replay: Replay, at: int | None = None, *, small_steps: bool = False) -> list[Json]:
    """What can be chosen after an event, with each choice as it is typed.

    Whoever may not know the whole position is told what follows from what they know, which may be nothing.
    """
    game, whole = ruleset(replay.ruleset), cast(WholeReplay, replay)
    steps = whole.steps
    index = len(steps) - 1 if at is None else steps.of_seq.get(at, 0)
    state = steps.steps[index].state
    known = state if replay.viewer == JUDGE else game.disclosure.known_position(state, replay.viewer)
    if known is None:
        return []
    annotator = Annotator(game, replay.language, replay.viewer, replay.header)
    sheet = Sheet(game, game.disclosure.seats(replay.header), replay.header.setup)
    options = annotator.small_steps(known) if small_steps else annotator.decisions(known)
    return [
        {**option, "lines": list(map(sheet.write_published, cast("Sequence[Json]", option["events"])))}
        for option in options
    ]


def _told(game: Ruleset[object], step: Json, language: str) -> Json:
    catalogue = game.catalogue
    rules = [
        {"id": id, "statement": catalogue.statement(catalogue[id], language)}
        for id in cast("Sequence[str]", step["rules"])
    ]
    return {**{key: step[key] for key in TOLD if key in step}, "rules": rules}
